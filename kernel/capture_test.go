package kernel_test

import (
	"errors"
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

var creations = flag.Int("creations", 50_000, "kernels that TestManyKernels makes on each device")

// openDevice opens a device, or skips where it cannot be had; the simulator always can.
func openDevice(t testing.TB, name string) *launch.Device {
	t.Helper()
	dev, err := launch.Open(name)
	if err != nil && !strings.HasPrefix(name, "sim") {
		t.Skip(err)
	}
	must(t, err)
	closeAfter(t, dev)
	return dev
}

// closeAfter closes a device when the test ends.
func closeAfter(t testing.TB, dev *launch.Device) {
	t.Cleanup(func() {
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// one launches k with one thread and returns what it stores.
func one(t testing.TB, dev *launch.Device, k *kernel.Kernel) (result int) {
	t.Helper()
	out, err := launch.Alloc[int](dev, 1)
	must(t, err)
	must(t, k.Launch(dev.Stream(), launch.Linear(1, 1), out))
	got := make([]int, 1)
	must(t, out.Download(got))
	must(t, out.Close())
	return got[0]
}

// TestHostMemory captures addresses of the host.
func TestHostMemory(t *testing.T) {
	dev := openDevice(t, "cpu")
	pointer, slice := hostMemory()
	var closed, other *launch.Buffer[int]
	for _, tt := range []struct {
		name string
		k    *kernel.Kernel
		want string
	}{
		{"pointer", kernel.New(func(out []int) { out[0] = *pointer }),
			"captured variable pointer (" + here(t) + ") is not memory of cpu; capture the value it points to, or use the Device() of a Buffer there"},
		{"slice", kernel.New(func(out []int) { out[0] = slice[0] }), "is not memory of cpu; capture the *launch.Buffer itself, which also keeps its memory, or use the Device() of a Buffer there"},
		{"nil buffer", kernel.New(func(out []int) { out[0] = closed.Len() }), "captured variable closed (" + here(t) + "): nil Buffer"},
		{"other device's", kernel.New(func(out []int) { out[0] = other.Len() }), "is on sim, the launch on cpu"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sim := openDevice(t, "sim")
			var err error
			other, err = launch.Alloc[int](sim, 1)
			must(t, err)
			out, err := launch.Alloc[int](dev, 1)
			must(t, err)
			err = tt.k.Launch(dev.Stream(), launch.Linear(1, 1), out)
			if err == nil || !strings.Contains(withoutLines(err.Error()), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// hostMemory hides from heddle vet where it is.
func hostMemory() (*int, []int) { return new(int), []int{1} }

// here is this file's name with an unknown line and column.
func here(t *testing.T) string {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		t.Fatal("no caller")
	}
	return file + ":L:C"
}

// withoutLines replaces the line and column in an error.
func withoutLines(s string) string {
	i := strings.Index(s, ".go:")
	if i < 0 {
		return s
	}
	i += len(".go:")
	end := i + strings.IndexAny(s[i:]+")", ")")
	return s[:i] + "L:C" + s[end:]
}

// TestChangedAfterLaunch changes what a queued kernel captures.
func TestChangedAfterLaunch(t *testing.T) {
	for _, name := range []string{"sim", "cpu"} {
		t.Run(name, func(t *testing.T) {
			dev := openDevice(t, name)
			out, err := launch.Alloc[int](dev, 4)
			must(t, err)
			n := 1
			add := func() *kernel.Kernel { return kernel.New(func(out []int) { out[dsl.GlobalIdx().X] += n }) }
			for range 10 {
				must(t, add().Launch(dev.Stream(), launch.Linear(4, 4), out))
				n *= 2
			}
			n = -1000
			got := make([]int, 4)
			must(t, out.Download(got))
			if got[3] != 1023 {
				t.Errorf("%d, want 1023", got[3])
			}
		})
	}
}

// TestSpecialize counts compiles: one for each value of a specialised variable.
func TestSpecialize(t *testing.T) {
	dev := openDevice(t, "cpu")
	kernel.Forget()
	n, m, mode := 2, 10, "twice"
	k := kernel.NewWith(func(out []int) {
		sum := 0
		for i := range n {
			sum += i + m
		}
		if mode == "twice" {
			sum *= 2
		}
		out[dsl.GlobalIdx().X] = sum
	}, kernel.Options{Specialize: []string{"n"}})
	units := 0
	for _, step := range []struct {
		do          func()
		want, units int
	}{
		{func() {}, 42, 1},
		{func() { m = 20 }, 82, 1},
		{func() { n = 3 }, 126, 2},
		{func() { n = 2 }, 82, 2},
		{func() { mode = "once" }, 41, 3},
		{func() { n, mode = 3, "twice" }, 126, 3},
	} {
		step.do()
		if got := one(t, dev, k); got != step.want {
			t.Errorf("n=%d m=%d mode=%s: %d, want %d", n, m, mode, got, step.want)
		}
		if units = kernel.Programs(); units != step.units {
			t.Errorf("n=%d m=%d mode=%s: %d programs, want %d", n, m, mode, units, step.units)
		}
	}
	for i := range 70 { // more than are kept
		n = i
		if got, want := one(t, dev, k), i*(i-1)+2*20*i; got != want {
			t.Errorf("n=%d: %d, want %d", i, got, want)
		}
	}
	if kernel.Programs() > 64 {
		t.Errorf("%d programs are kept", kernel.Programs())
	}
}

// TestLaunchAllocations launches a closure that captures a bit of everything.
func TestLaunchAllocations(t *testing.T) {
	dev := openDevice(t, "cpu")
	out, err := launch.Alloc[int](dev, 1)
	must(t, err)
	n, m, mode, slice := 1, 2.5, "abc", out.Device()
	twice := func(x int) int { return 2*x + n }
	k := kernel.New(func(v []int) { v[0] = twice(n) + int(m) + len(mode) + out.Len() + len(slice) })
	s, cfg := dev.Stream(), launch.Linear(1, 1)
	n++
	must(t, k.Launch(s, cfg, out))
	must(t, s.Sync())
	if allocs := testing.AllocsPerRun(200, func() {
		if err := errors.Join(k.Launch(s, cfg, out), s.Sync()); err != nil { // or the queue grows
			t.Error(err)
		}
	}); allocs > 0 {
		t.Errorf("a launch allocates %v times", allocs)
	}
}

// TestSpecializeErrors names variables that are none, or cannot be constants.
func TestSpecializeErrors(t *testing.T) {
	n := 1
	_, slice := hostMemory()
	f := func(out []int) { out[0] = n + len(slice) }
	for _, tt := range []struct{ name, want string }{
		{"m", "capture_test.go:"},
		{"m", "Options.Specialize names m, which is no variable that it captures (it captures n, slice)"},
		{"slice", "captured variable slice of type []int cannot be specialised: it holds addresses, or is too large (take it out of Options.Specialize)"},
	} {
		err := kernel.NewWith(f, kernel.Options{Specialize: []string{tt.name}}).Check()
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
	}
	must(t, kernel.NewWith(f, kernel.Options{Specialize: []string{"*"}}).Check())
}

// TestManyKernels makes kernels of closures in a loop, launches each, and looks
// at what is left of them. go test -run ManyKernels -creations 1000000 is what
// the documentation promises.
func TestManyKernels(t *testing.T) {
	for _, name := range []string{"sim", "cpu"} {
		t.Run(name, func(t *testing.T) {
			dev := openDevice(t, name)
			kernel.Forget()
			out, err := launch.Alloc[int](dev, 1)
			must(t, err)
			got := make([]int, 1)
			create := func(n int) {
				for i := range n {
					k := kernel.New(func(out []int) { out[0] += i })
					must(t, k.Launch(dev.Stream(), launch.Linear(1, 1), out))
					if i%1000 == 0 {
						must(t, dev.Sync())
					}
				}
				must(t, out.Download(got))
			}
			create(2000)
			before := heap()
			create(*creations)
			grown := int64(heap()) - int64(before)
			n := *creations
			if want := 2000*1999/2 + n*(n-1)/2; got[0] != want {
				t.Errorf("sum %d, want %d", got[0], want)
			}
			t.Logf("%d kernels: the heap grew by %d bytes", n, grown)
			if grown > 4<<20 { // a Kernel each would be ten
				t.Errorf("%d kernels left %d bytes", n, grown)
			}
			if u := kernel.Programs(); u > 1 {
				t.Errorf("%d programs for one literal", u)
			}
		})
	}
}

// heap is the size of what is reachable, in bytes.
func heap() uint64 {
	for range 3 { // cleanups run after a collection, and free more
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestClose closes kernels before, between and after launches.
func TestClose(t *testing.T) {
	dev := openDevice(t, "sim")
	n := 5
	f := func(out []int) { out[0] = n }
	a, b := kernel.New(f), kernel.New(f)
	if got := one(t, dev, a) + one(t, dev, b); got != 10 {
		t.Errorf("sum %d", got)
	}
	out, err := launch.Alloc[int](dev, 1)
	must(t, err)
	must(t, a.Launch(dev.Stream(), launch.Linear(1, 1), out))
	must(t, a.Close())
	must(t, a.Close())
	got := make([]int, 1)
	must(t, out.Download(got))
	if got[0] != 5 || one(t, dev, b) != 5 {
		t.Errorf("%d after Close", got[0])
	}
	want := fmt.Sprintf("kernel %s is closed", a.Name())
	for _, err := range []error{a.Launch(dev.Stream(), launch.Linear(1, 1), out), a.Compile(dev)} {
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// BenchmarkCreate makes, launches and forgets a kernel.
func BenchmarkCreate(b *testing.B) {
	for _, name := range []string{"sim", "cpu"} {
		b.Run(name, func(b *testing.B) {
			dev := openDevice(b, name)
			out, err := launch.Alloc[int](dev, 1)
			must(b, err)
			b.ReportAllocs()
			for i := range b.N {
				must(b, kernel.New(func(out []int) { out[0] += i }).Launch(dev.Stream(), launch.Linear(1, 1), out))
			}
			must(b, dev.Sync())
		})
	}
}
