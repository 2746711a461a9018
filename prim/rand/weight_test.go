package rand

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Sobol's table is in programs that use it, and in no others; a program that is stripped finds its kernels.
func TestTableWeight(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	for dir, want := range map[string]bool{"./testdata/uniform": false, "../../examples/montecarlo": true} {
		exe := filepath.Join(t.TempDir(), "program")
		if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", exe, dir).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		program, err := os.ReadFile(exe)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(program, []byte(joeKuo[1000:1100])) != want {
			t.Errorf("%s, of %d bytes: Sobol's table is in it: %v", dir, len(program), !want)
		}
		if out, err := exec.Command(exe).CombinedOutput(); err != nil || bytes.Contains(out, []byte("error")) {
			t.Errorf("%s: %v\n%s", dir, err, out)
		}
	}
}

// Generators lie in buffers, and go on in later launches.
func TestStates(t *testing.T) {
	const n = 33
	k := kernel.New(func(states []Philox, more []XORWOW, out []uint64) {
		if i := dsl.GlobalIdx().X; i < len(out) {
			g, h := states[i], more[i]
			out[i] ^= g.Uint64() ^ h.Uint64()
			states[i], more[i] = g, h
		}
	})
	for _, dev := range devices(t) {
		var a [n]Philox
		var b [n]XORWOW
		var want, got [n]uint64
		for i := range uint64(n) {
			a[i], b[i] = NewPhilox(1, i, i), NewXORWOW(1, i, i)
		}
		states, err := launch.Upload(dev, a[:])
		if err != nil {
			t.Fatal(err)
		}
		more, err := launch.Upload(dev, b[:])
		if err != nil {
			t.Fatal(err)
		}
		out, err := launch.Upload(dev, got[:])
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := k.Launch(dev.Stream(), launch.Linear(n, 32), states, more, out); err != nil {
				t.Fatal(err)
			}
			for i := range want {
				want[i] ^= a[i].Uint64() ^ b[i].Uint64()
			}
		}
		if err := out.Download(got[:]); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s: %x, want %x", dev.Name(), got, want)
		}
	}
}
