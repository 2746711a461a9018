package launch

import (
	"errors"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"heddle/internal/driver/drivertest"
)

// openCUDA opens an NVIDIA GPU or skips the test.
func openCUDA(t testing.TB) *Device {
	t.Helper()
	d, err := Open("cuda")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { ok(t, d.Close()) })
	return d
}

// newPTXKernel loads one of drivertest's kernels, whose Go signature is that of fn.
func newPTXKernel(t testing.TB, d *Device, name string, fn reflect.Type) *testKernel {
	t.Helper()
	o := drivertest.Kernel(name)
	f, err := d.load(o)
	ok(t, err)
	return &testKernel{f, newTestPlan(t, &o.Sig, fn)}
}

func TestCUDASaxpy(t *testing.T) {
	d := openCUDA(t)
	t.Logf("%v: %+v", d, d.Info())
	k := newPTXKernel(t, d, "saxpy", reflect.TypeOf(saxpy))
	const n = 100_000
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i), 1
	}
	bx, by := upload(t, d, x...), upload(t, d, y...)
	ok(t, k.launch(d.Stream(), Linear(n, 256), float32(2), bx, by))
	got := download(t, by)
	for i := range got {
		if want := 2*x[i] + 1; got[i] != want {
			t.Fatalf("y[%d] = %v, want %v", i, got[i], want)
		}
	}
	ok(t, k.launch(d.Stream(), Linear(0, 256), float32(2), bx, by))
	fails(t, k.launch(d.Stream(), Linear(n, 2048), float32(2), bx, by), "test.saxpy: block.X is 2048; the limit of cuda:0 is 1024")
	fails(t, k.launch(d.Stream(), Linear(n, 256), 2.0, bx, by), "write float32(2)")
	fails(t, k.launch(d.Stream(), Linear(n, 256), float32(2), x, by), "argument 2 (x) is host memory")
	fails(t, k.launch(d.Stream(), Linear(n, 256), float32(2), upload[float32](t, openSim(t), 1), by), "is on sim, the launch on cuda:0")
	ok(t, bx.Close())
	fails(t, k.launch(d.Stream(), Linear(n, 256), float32(2), bx, by), "closed")
	ok(t, d.Sync())
}

func TestCUDAPanic(t *testing.T) {
	d := openCUDA(t)
	k := newPTXKernel(t, d, "at", reflect.TypeFor[func([]float32, int)]())
	s, err := d.NewStream(StreamOptions{NonBlocking: true})
	ok(t, err)
	x := upload[float32](t, d, 0, 0, 0)
	for _, wait := range []func() error{
		s.Sync, d.Sync,
		func() error { return x.Download(make([]float32, 3)) },
		func() error { e, err := s.Record(); ok(t, err); return e.Sync() },
	} {
		ok(t, k.launch(s, Linear(64, 32), x, 5))
		err := wait()
		var p *KernelPanic
		if !errors.As(err, &p) {
			t.Fatalf("no panic: %v", err)
		}
		fails(t, err, "test.go:12:7: kernel test.at panicked: runtime error: index out of range [5] with length 3 (block {")
		if p.Block.X > 1 || p.Thread.X > 31 {
			t.Errorf("%+v", p)
		}
		ok(t, s.Sync())
	}
	ok(t, k.launch(s, Config{}, x, 1))
	if got := download(t, x); !slices.Equal(got, []float32{0, 7, 0}) {
		t.Errorf("after the panics: %v", got)
	}
}

func TestCUDAStreams(t *testing.T) {
	d := openCUDA(t)
	spin := newPTXKernel(t, d, "spin", reflect.TypeFor[func(int64)]())
	saxpy := newPTXKernel(t, d, "saxpy", reflect.TypeOf(saxpy))
	s, err := d.NewStream(StreamOptions{NonBlocking: true})
	ok(t, err)
	r, err := d.NewStream(StreamOptions{NonBlocking: true, Priority: -1})
	ok(t, err)
	x, y := upload[float32](t, d, 1), upload[float32](t, d, 0)
	start, err := s.Record()
	ok(t, err)
	ok(t, spin.launch(s, Config{}, int64(50_000_000)))
	ok(t, saxpy.launch(s, Config{}, float32(3), x, y))
	end, err := s.Record()
	ok(t, err)
	ok(t, x.Close()) // while the kernel that uses it waits
	if end.Done() || s.Done() {
		t.Error("a long kernel was done at once")
	}
	ok(t, r.Wait(end))
	got := make([]float32, 1)
	ok(t, y.DownloadAsync(r, got))
	ok(t, r.Sync())
	took, err := end.Since(start)
	ok(t, err)
	t.Logf("kernels took %v", took)
	if got[0] != 3 || took < 5*time.Millisecond {
		t.Errorf("got %v after %v", got, took)
	}
	ok(t, d.Sync())
	if n := len(d.Allocations()); n != 1 {
		t.Errorf("%d allocations, want 1", n)
	}
}

// TestCUDALost runs itself in a process that may lose its device.
func TestCUDALost(t *testing.T) {
	const child = "HEDDLE_TEST_LOST"
	d := openCUDA(t)
	if os.Getenv(child) == "" {
		exe, err := os.Executable()
		ok(t, err)
		cmd := exec.Command(exe, "-test.run=^TestCUDALost$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: TestCUDALost") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	k := newPTXKernel(t, d, "stray", reflect.TypeFor[func()]())
	x := upload[float32](t, d, 1)
	ok(t, k.launch(d.Stream(), Config{}))
	err := d.Stream().Sync()
	t.Log(err)
	fails(t, err, "while running test.stray", "device lost")
	for _, err := range []error{x.Download(make([]float32, 1)), d.Sync(), k.launch(d.Stream(), Config{})} {
		fails(t, err, "while running test.stray")
	}
	ok(t, x.Close())
	// The device closes without a word: what there was to say has been said.
}

func TestCUDALaunchAllocs(t *testing.T) {
	d := openCUDA(t)
	k := newPTXKernel(t, d, "saxpy", reflect.TypeOf(saxpy))
	x, y := upload[float32](t, d, 1, 2), upload[float32](t, d, 1, 2)
	a := float32(0)
	if n := testing.AllocsPerRun(100, func() {
		a++
		ok(t, k.front(d.Stream(), Linear(2, 256), a, x, y))
	}); n != 0 {
		t.Errorf("a launch allocates %v times", n)
	}
	ok(t, d.Sync())
}

// BenchmarkCUDALaunch is a warm launch; compare internal/driver/cuda's
// BenchmarkRawLaunch, the driver's call alone.
func BenchmarkCUDALaunch(b *testing.B) {
	d := openCUDA(b)
	k := newPTXKernel(b, d, "saxpy", reflect.TypeOf(saxpy))
	x, y := upload[float32](b, d, 1, 2), upload[float32](b, d, 1, 2)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		ok(b, k.front(d.Stream(), Linear(2, 256), float32(2), x, y))
		if i%256 == 255 { // a full queue would make the launch wait
			b.StopTimer()
			ok(b, d.Sync())
			b.StartTimer()
		}
	}
	ok(b, d.Sync())
}
