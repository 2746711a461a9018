package accuracy

import (
	"bytes"
	"math"
	"regexp"
	"testing"

	"heddle/internal/llvm"
	"heddle/kernel"
	"heddle/launch"
)

// TestFastDouble checks that FastMath leaves float64 its precision on every device, as nvcc's fast mathematics does.
func TestFastDouble(t *testing.T) {
	const n = 1000
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Exp(20*float64(i)/n - 10)
	}
	for _, name := range devices {
		t.Run(name, func(t *testing.T) {
			dev, err := launch.Open(name)
			if err != nil {
				t.Skip(err)
			}
			defer dev.Close()
			in, err := launch.Upload(dev, x)
			if err != nil {
				t.Fatal(err)
			}
			out, err := launch.Alloc[float64](dev, n*fastOperations)
			if err != nil {
				t.Fatal(err)
			}
			if err := fastDouble.Launch(dev.Stream(), launch.Linear(n, 64), in, out); err != nil {
				t.Fatal(err)
			}
			got := make([]float64, out.Len())
			if err := out.Download(got); err != nil {
				t.Fatal(err)
			}
			want := make([]float64, fastOperations)
			for i, x := range x {
				operations(x, want)
				for k, want := range want {
					if got := got[i*fastOperations+k]; !(math.Abs(got-want) <= 1e-13*max(1, math.Abs(want))) {
						t.Fatalf("operation %d of %v is %v, want %v", k, x, got, want)
					}
				}
			}
		})
	}
	if len(llvm.Candidates()) == 0 {
		t.Skip("no libLLVM on this machine to make PTX with")
	}
	var b bytes.Buffer
	if err := fastDouble.Dump(&b, "sm_90", 0, kernel.Asm); err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`\w*(sqrt|div)\.approx\S*f64.*`).Find(b.Bytes()); m != nil {
		t.Errorf("PTX has %s", m)
	}
}
