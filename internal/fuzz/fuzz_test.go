package fuzz

import (
	"errors"
	"flag"
	"fmt"
	"path"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"heddle/internal/codegen"
	"heddle/internal/llvm"
	"heddle/internal/target"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
)

var (
	inputs = flag.Int("inputs", 160, "inputs of each kernel")
	seed   = flag.Uint64("inputseed", 1, "which inputs")
	every  = flag.Bool("everywhere", false, "compile every kernel for every architecture, not for one of three in turn")
)

// maxPanics is how many different panics of one kernel are launched.
const maxPanics = 4

// devices are the names that the test tries to open. LLVM moves private arrays to
// shared memory on AMDGPU, and reads a little more of them than it needs: the
// emulator is not to take that for a race.
var devices = []string{"sim", "cpu", "emu:gfx942", "emu:gfx1100", "cuda:0", "hip:0"}

// all are the kernels to run: those that once went wrong first.
var all = slices.Concat(Fixed, Cases)

// TestDevices compares each device with the host.
func TestDevices(t *testing.T) {
	for _, name := range devices {
		t.Run(name, func(t *testing.T) {
			t.Setenv("HEDDLE_EMU", "races=off")
			dev, err := launch.Open(name)
			if err != nil {
				t.Skip(err)
			}
			t.Cleanup(func() {
				if err := dev.Close(); err != nil {
					t.Error(err)
				}
			})
			ks := kernels()
			atOnce(len(ks), func(i int) { _ = ks[i].Compile(dev) }) // its error comes again below
			in := Inputs(*seed, *inputs)
			for i, c := range all {
				t.Run(c.Name, func(t *testing.T) { compare(t, dev, c, ks[i], in) })
			}
		})
	}
}

func kernels() []*kernel.Kernel {
	ks := make([]*kernel.Kernel, len(all))
	for i, c := range all {
		ks[i] = kernel.New(c.Run)
	}
	return ks
}

// atOnce calls f for 0 to n-1, on all processors.
func atOnce(n int, f func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

// compare runs a kernel on the inputs for which it returns, all at once, and
// then on some of those for which it panics, one by one.
func compare(t *testing.T, dev *launch.Device, c Case, k *kernel.Kernel, in []Input) {
	outs, panics := c.Truth(in)
	var good []Input
	var want []Output
	bad := map[Panic]int{}
	for i, p := range panics {
		if p == (Panic{}) {
			good, want = append(good, in[i]), append(want, outs[i])
		} else if _, ok := bad[p]; !ok && len(bad) < maxPanics {
			bad[p] = i
		}
	}
	got, err := run(dev, k, good)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i := range want {
		for slot := range Slots {
			if g, w := got[i].V[slot], want[i].V[slot]; g != w {
				if wrong++; wrong <= 6 {
					t.Errorf("slot %d is %#x, want %#x, for %+v", slot, g, w, good[i])
				}
			}
		}
	}
	if wrong > 6 {
		t.Errorf("%d slots of %d outputs differ", wrong, len(want))
	}
	for p, i := range bad {
		_, err := run(dev, k, in[i:i+1])
		if text := sameAs(err, p); text != "" {
			t.Errorf("%s, for %+v", text, in[i])
		}
	}
}

// sameAs says how an error differs from a panic.
func sameAs(err error, want Panic) string {
	var p *launch.KernelPanic
	if !errors.As(err, &p) {
		return fmt.Sprintf("error is %v, want a panic %q", err, want.Text)
	}
	text := p.Value
	if p.Runtime {
		text = "runtime error: " + text
	}
	// where there is no Go, the standard library's files are in no directory
	want.File = path.Base(want.File)
	if got := (Panic{text, path.Base(p.Pos.Filename), p.Pos.Line}); got != want {
		return fmt.Sprintf("panic is %+v, want %+v", got, want)
	}
	return ""
}

// run launches a kernel and waits for its outputs.
func run(dev *launch.Device, k *kernel.Kernel, in []Input) (out []Output, err error) {
	ins, err := launch.Upload(dev, in)
	if err != nil {
		return nil, err
	}
	outs, err := launch.Alloc[Output](dev, len(in))
	if err != nil {
		return nil, errors.Join(err, ins.Close())
	}
	defer func() { err = errors.Join(err, ins.Close(), outs.Close()) }()
	if err := k.Launch(dev.Stream(), launch.Linear(len(in), 64), ins, outs); err != nil {
		return nil, err
	}
	out = make([]Output, len(in))
	return out, outs.Download(out)
}

// TestCodegen compiles the kernels: none is refused, none fails LLVM's verifier.
func TestCodegen(t *testing.T) {
	if len(llvm.Candidates()) == 0 {
		t.Skip("no libLLVM on this machine to compile with")
	}
	t.Setenv(codegen.EnvCache, "off")
	var archs []string
	for _, arch := range []string{"gfx942", "sm_90", "gfx1100"} {
		m, err := target.For(arch, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := codegen.Supports(m.Triple, m.CPU); err != nil {
			t.Logf("not %s: %v", arch, err)
			continue
		}
		archs = append(archs, arch)
	}
	ks := kernels()
	atOnce(len(ks), func(i int) {
		for j, arch := range archs {
			if !*every && (i+j)%len(archs) != 0 {
				continue
			}
			if _, err := ks[i].Object(arch, 0); err != nil {
				t.Errorf("%s for %s: %v", all[i].Name, arch, err)
			}
		}
	})
}
