package fuzz

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"heddle/internal/codegen"
	"heddle/internal/llvm"
	"heddle/internal/target"
	"heddle/internal/tests/forms"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
)

var (
	inputs = flag.Int("inputs", 160, "inputs of each kernel of one dimension")
	seed   = flag.Uint64("inputseed", 1, "which inputs")
	every  = flag.Bool("everywhere", false, "compile every kernel for every architecture, not for one of three in turn")
	names  = flag.String("devices", "sim,cpu,emu:gfx942,emu:gfx1100,cuda:0,hip:0", "the devices to run on, those that are here; all is every one")
	fixed  = flag.Bool("fixed", true, "run the kernels that once went wrong too")
	only   = flag.String("only", "", "the kernels to run, as in k003,k017, in place of all")
	skip   = flag.String("skip", "", "kernels to leave out, as in k003,k017")
	checks = flag.Bool("checks", true, "compile with bounds checks; without, inputs for which a kernel panics are left out")
	slow   = flag.Duration("slow", 5*time.Minute, "how long a kernel may compile")
)

func TestMain(m *testing.M) {
	forms.Set()
	os.Exit(m.Run())
}

// maxPanics is how many different panics of one kernel are launched.
const maxPanics = 4

// maxThreads is how many threads a kernel of any shape may have.
const maxThreads = 256

// all are the kernels to run: those that once went wrong first.
func all() []Case {
	cases := Cases
	if *fixed {
		cases = slices.Concat(Fixed, Cases)
	}
	out, in := strings.Split(*skip, ","), strings.Split(*only, ",")
	return slices.DeleteFunc(slices.Clone(cases), func(c Case) bool {
		return slices.Contains(out, c.Name) || *only != "" && !slices.Contains(in, c.Name)
	})
}

// devices are the names that the test tries to open.
func devices() []string {
	if *names != "all" {
		return strings.Split(*names, ",")
	}
	var found []string
	for _, d := range launch.Devices() {
		found = append(found, d.Name)
	}
	return found
}

// TestDevices compares each device with gc's code. LLVM moves private arrays to
// shared memory on AMDGPU, and reads a little more of them than it needs: the
// emulator is not to take that for a race.
func TestDevices(t *testing.T) {
	cases := all()
	for _, name := range devices() {
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
			ks := kernels(cases)
			atOnce(len(ks), func(i int) {
				inTime(name+"/"+cases[i].Name, func() { _ = ks[i].Compile(dev) }) // its error comes again below
			})
			in := Inputs(*seed, max(*inputs, maxThreads))
			for i, c := range cases {
				t.Run(c.Name, func(t *testing.T) {
					for n := range c.uniforms() {
						compare(t, dev, c, ks[i], in, UniformOf(*seed+n))
					}
				})
			}
		})
	}
}

// uniforms is with how many arguments a case runs: several, if its indices depend on them.
func (c Case) uniforms() uint64 {
	switch {
	case c.Whole != nil:
		return 20
	case c.Lists != nil:
		return 6
	}
	return 1
}

func kernels(cases []Case) []*kernel.Kernel {
	ks := make([]*kernel.Kernel, len(cases))
	for i, c := range cases {
		ks[i] = kernel.NewWith(c.Kernel(), kernel.Options{NoBounds: !*checks})
	}
	return ks
}

// inTime calls f. Where it takes longer than a kernel may compile, it ends the
// process: a compile cannot be stopped, and would hold up all others.
func inTime(name string, f func()) {
	end := time.AfterFunc(*slow, func() {
		fmt.Printf("--- FAIL: TestDevices/%s\ncompiles for more than %v\n", name, *slow)
		os.Exit(1)
	})
	defer end.Stop()
	f()
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

// compare runs a kernel on all inputs for which it returns, the other threads
// doing nothing, and then on some of those for which it panics, one by one.
func compare(t *testing.T, dev *launch.Device, c Case, k *kernel.Kernel, in []Input, u Uniform) {
	if c.Block == ([3]int{}) {
		in = in[:*inputs]
	}
	want, panics, lists, err := c.Truth(in, u, dev.Info().WarpSize)
	if err != nil {
		t.Fatalf("the generator's fault: %v", err)
	}
	_, _, in = c.Launch(in)
	in = slices.Clone(in)
	bad := map[Panic]int{}
	for i, p := range panics {
		if p == (Panic{}) {
			continue
		}
		in[i].Skip, want[i] = true, Output{}
		if _, ok := bad[p]; !ok && len(bad) < maxPanics && *checks {
			bad[p] = i
		}
	}
	got, own, err := run(dev, c, k, in, u)
	if err != nil && strings.Contains(err.Error(), "the standard library's sources are not on this machine") {
		t.Skip("this machine has no Go, and the kernel calls a function of the standard library that is translated from its source")
	}
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i := range want {
		for slot := range Slots {
			if g, w := got[i].V[slot], want[i].V[slot]; g != w {
				if wrong++; wrong <= 6 {
					t.Errorf("slot %d of thread %d is %#x, want %#x, for %+v", slot, i, g, w, in[i])
				}
			}
		}
	}
	if wrong > 6 {
		t.Errorf("%d slots of %d outputs differ", wrong, len(want))
	}
	compareOwn(t, c, own, lists)
	for p, i := range bad {
		one := slices.Clone(in)
		for j := range one {
			one[j].Skip = j != i
		}
		_, _, err := run(dev, c, k, one, u)
		if text := sameAs(err, p); text != "" {
			t.Errorf("%s, for thread %d: %+v", text, i, in[i])
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

// run launches a kernel and waits for its outputs, and for what it writes to its slices of structs.
func run(dev *launch.Device, c Case, k *kernel.Kernel, in []Input, u Uniform) (out []Output, own any, err error) {
	ins, err := launch.Upload(dev, in)
	if err != nil {
		return nil, nil, err
	}
	outs, err := launch.Alloc[Output](dev, len(in))
	if err != nil {
		return nil, nil, errors.Join(err, ins.Close())
	}
	defer func() { err = errors.Join(err, ins.Close(), outs.Close()) }()
	dim := func(d [3]int) launch.Dim3 { return launch.Dim3{X: d[0], Y: d[1], Z: d[2]} }
	grid, block, _ := c.Launch(in)
	args := []any{ins, outs, u}
	if c.Whole != nil {
		x, y, z := c.Slices()
		a, err1 := launch.Upload(dev, x)
		b, err2 := launch.Upload(dev, y)
		d, err3 := launch.Upload(dev, z)
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, nil, err
		}
		defer func() { err = errors.Join(err, a.Close(), b.Close(), d.Close()) }()
		n := sizes(u)
		args = []any{ins, a, b, d, rowsOf(a.Device()), outs, n[0], n[1], n[2], u}
	}
	download := func() (any, error) { return nil, nil }
	if c.Lists != nil {
		lists, err1 := c.Lists.(onDevice).upload(dev, len(in))
		if err1 != nil {
			return nil, nil, err1
		}
		defer func() { err = errors.Join(err, lists.close()) }()
		args, download = lists.args(ins, outs, sizes(u), u), lists.own
	}
	if err := k.Launch(dev.Stream(), launch.Config{Grid: dim(grid), Block: dim(block)}, args...); err != nil {
		return nil, nil, err
	}
	out = make([]Output, len(in))
	if err := outs.Download(out); err != nil {
		return nil, nil, err
	}
	own, err = download()
	return out, own, err
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
	cases := all()
	ks := kernels(cases)
	atOnce(len(ks), func(i int) {
		for j, arch := range archs {
			if !*every && (i+j)%len(archs) != 0 {
				continue
			}
			if _, err := ks[i].Object(arch, 0); err != nil {
				t.Errorf("%s for %s: %v", cases[i].Name, arch, err)
			}
		}
	})
}
