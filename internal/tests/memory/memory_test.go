package memory

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/dsl"
	"heddle/internal/dl"
	"heddle/internal/tests/attached"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
)

var names = []string{"sim", "cpu", "emu:gfx90a", "emu:gfx1100", "cuda:0", "hip:0"}

// devices runs a test on devices of all kinds that are here. What it leaves open is an error.
func devices(t *testing.T, test func(t *testing.T, dev *launch.Device)) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			dev := open(t, name)
			test(t, dev)
			ok(t, dev.Sync())
			for _, a := range dev.Allocations() {
				t.Errorf("not closed: %s buffer of %d %s, %s", a.Kind, a.Len, a.Elem, a.Site)
			}
		})
	}
}

func open(t *testing.T, name string) *launch.Device {
	t.Helper()
	if why := attached.Missing(name); why != "" {
		t.Skip(why)
	}
	dev, err := launch.Open(name)
	if err != nil && strings.Contains(err.Error(), "no such device") {
		t.Skip(err)
	}
	ok(t, err)
	t.Cleanup(func() { ok(t, dev.Close()) })
	return dev
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		ok(t, err)
		return v
	}
}

func fails(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got error %v, want %q in it", err, want)
	}
}

func equal[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("%s: [%d] is %v, want %v", what, i, got[i], want[i])
			return
		}
	}
	t.Errorf("%s: %d elements, want %d", what, len(got), len(want))
}

func count(n int) []int32 {
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(i + 1)
	}
	return v
}

func times(v []int32, k int32) []int32 {
	w := slices.Clone(v)
	for i := range w {
		w[i] *= k
	}
	return w
}

var double = kernel.New(func(v []int32) {
	if i := dsl.GlobalIdx().X; i < len(v) {
		v[i] *= 2
	}
})

// wait runs until the host sets *flag, and some seconds at most. It only loads: what a GPU writes by
// an atomic to memory of the host may be older than what the host has written.
var wait = kernel.New(func(flag []int32) {
	for start := dsl.WallClock64(); dsl.AtomicOf(&flag[0]).Load(dsl.ScopeSystem, dsl.Relaxed) == 0; {
		if dsl.WallClock64()-start > 10e9 {
			return
		}
	}
})

func TestPinned(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		const n = 1000
		s := dev.Stream()
		for _, o := range []launch.PinnedOptions{{}, {NonCoherent: true}, {WriteCombined: true}} {
			p := must(launch.NewPinned[int32](dev, n, o))(t)
			if p.Kind() != launch.PinnedMemory || !strings.HasPrefix(p.String(), "pinned buffer of 1000 int32 (allocated at memory_test.go:") {
				t.Error(p.Kind(), p)
			}
			equal(t, "new", p.Host(), make([]int32, n))
			copy(p.Host(), count(n))
			ok(t, double.Launch(s, launch.Linear(n, 256), p))
			ok(t, s.Sync())
			equal(t, "kernel", p.Host(), times(count(n), 2))
			part := p.Slice(10, 20) // as a captured Buffer, too
			ok(t, kernel.New(func(v []int32) {
				part.Device()[dsl.ThreadIdx().X] = v[dsl.ThreadIdx().X]
			}).Launch(s, launch.Linear(10, 10), p))
			ok(t, s.Sync())
			equal(t, "slice", p.Host()[10:20], times(count(10), 2))
			equal(t, "slice", part.Host(), times(count(10), 2))

			b := must(launch.Upload(dev, p.Host()))(t)
			ok(t, b.Fill(s, 7))
			ok(t, b.DownloadAsync(s, p.Host()))
			ok(t, s.Sync())
			equal(t, "DownloadAsync", p.Host()[:2], []int32{7, 7})
			p.Host()[0] = 8
			ok(t, b.UploadAsync(s, p.Host()))
			ok(t, p.CopyFrom(s, b))
			ok(t, s.Sync())
			equal(t, "CopyFrom", p.Host()[:2], []int32{8, 7})
			ok(t, p.Upload(count(n)))
			got := make([]int32, n)
			ok(t, p.Download(got))
			equal(t, "Upload and Download", got, count(n))
			ok(t, b.Upload(p.Host()))
			ok(t, b.Download(p.Host()))
			equal(t, "Download", p.Host(), count(n))
			fails(t, p.UploadAsync(s, p.Host()), "the two overlap within a pinned buffer of 1000 int32")
			ok(t, b.Close())
			ok(t, p.Close())
			if p.Host() != nil {
				t.Error("a closed Buffer has host memory")
			}
			if h := b.Host(); h != nil {
				t.Error("device memory is the host's")
			}
		}
	})
}

// A copy from and to page-locked memory is queued, whatever the stream is doing: here it waits
// for a kernel that waits for what the host does after the call.
func TestPinnedIsAsynchronous(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		switch {
		case dev.Name() == "sim":
			t.Skip("a launch on the simulator waits for its end")
		case strings.HasPrefix(dev.Name(), "emu"):
			t.Skip("the emulator ends a wave that waits for the host")
		}
		flag := must(launch.NewPinned[int32](dev, 1))(t)
		defer flag.Close()
		out := must(launch.NewPinned[int32](dev, 4))(t)
		defer out.Close()
		reg := make([]int32, 4096)
		in := must(launch.Register(dev, reg))(t)
		defer in.Close()
		b := must(launch.Upload(dev, make([]int32, 4096)))(t)
		defer b.Close()
		s := must(dev.NewStream(launch.StreamOptions{NonBlocking: true}))(t)
		ok(t, wait.Launch(s, launch.Linear(1, 1), flag))
		reg[3] = 5
		ok(t, b.UploadAsync(s, reg))
		ok(t, b.Slice(0, 4).DownloadAsync(s, out.Host()))
		if s.Done() {
			t.Error("the stream has ended before its kernel may")
		}
		set(dev, &flag.Host()[0])
		ok(t, s.Close())
		equal(t, "copied", out.Host(), []int32{0, 0, 0, 5})
	})
}

func TestRegister(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		var array [5000]int32 // of a stack, if nothing kept it
		v := array[1:4001]
		copy(v, count(4000))
		b := must(launch.Register(dev, v))(t)
		if b.Kind() != launch.RegisteredMemory || &b.Host()[0] != &v[0] {
			t.Error(b.Kind())
		}
		ok(t, double.Launch(s, launch.Linear(4000, 256), b))
		grow(100) // a stack that grows moves, and takes no registered memory with it
		ok(t, s.Sync())
		equal(t, "kernel", v, times(count(4000), 2))
		equal(t, "around", []int32{array[0], array[4001]}, []int32{0, 0})

		_, err := launch.Register(dev, v[1:])
		fails(t, err, "the memory is registered already, as registered buffer of 4000 int32")
		_, err = launch.Register(dev, array[4001:4100])
		fails(t, err, "shares a page")
		ok(t, b.Close())
		again := must(launch.Register(dev, v))(t)
		again2 := must(launch.Register(dev, make([]byte, 1)))(t)
		ok(t, again.Close())
		ok(t, again2.Close())
		v[0] = 3 // it is Go's again
		runtime.KeepAlive(&array)
	})
}

//go:noinline
func grow(n int) (x [1024]byte) {
	if n > 0 {
		x = grow(n - 1)
	}
	x[n] = 1
	return x
}

// A Buffer of registered memory that is forgotten is unregistered, unless the host looked at it.
func TestRegisterForgotten(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		v := make([]int32, 4000)
		must(launch.Register(dev, v))(t)
		for range 1000 {
			if len(dev.Allocations()) == 0 {
				break
			}
			runtime.GC()
		}
		if n := len(dev.Allocations()); n != 0 {
			t.Errorf("%d allocations after it was forgotten", n)
		}
		other := open(t, dev.Name())
		h := must(launch.NewPinned[int32](other, 1000))(t).Host()
		for range 10 {
			runtime.GC()
		}
		h[999] = 1 // would fault
		if n := len(other.Allocations()); n != 1 {
			t.Errorf("%d allocations, want that of Host", n)
		}
	})
}

var managedVariable = dsl.NewManaged([1000]int32{})

func TestManaged(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		const n = 100000
		s := dev.Stream()
		m := must(launch.NewManaged[int32](dev, n))(t)
		if m.Kind() != launch.ManagedMemory {
			t.Error(m.Kind())
		}
		equal(t, "new", m.Host(), make([]int32, n))
		copy(m.Host(), count(n))
		ok(t, m.Advise(launch.PreferredLocation, dev))
		ok(t, m.Advise(launch.AccessedBy, nil))
		ok(t, m.Advise(launch.AccessedBy, dev))
		ok(t, m.Slice(0, 1000).Advise(launch.ReadMostly, nil))
		ok(t, m.Slice(0, 1000).Advise(launch.UnsetReadMostly, nil))
		ok(t, m.Prefetch(s))
		ok(t, double.Launch(s, launch.Linear(n, 256), m))
		ok(t, m.PrefetchHost(s))
		ok(t, s.Sync())
		equal(t, "kernel", m.Host(), times(count(n), 2))
		ok(t, m.Advise(launch.UnsetPreferredLocation, nil))
		ok(t, m.Advise(launch.UnsetAccessedBy, dev))
		ok(t, m.Close())

		v := must(launch.SymbolBuffer[int32](dev, managedVariable))(t)
		copy(v.Host(), count(1000))
		ok(t, v.Advise(launch.ReadMostly, nil))
		ok(t, v.Prefetch(s))
		ok(t, double.Launch(s, launch.Linear(1000, 256), v))
		ok(t, s.Sync())
		equal(t, "variable", v.Host(), times(count(1000), 2))
		if v.Kind() != launch.ManagedMemory || &v.Host()[0] != &managedVariable.Ptr()[0] {
			t.Error(v.Kind(), "the variable's Host is not the variable")
		}
		clear(v.Host())
	})
}

func TestView(t *testing.T) {
	type pair struct{ A, B uint16 }
	devices(t, func(t *testing.T, dev *launch.Device) {
		b := must(launch.Upload(dev, []float32{1, -2, 3, 4}))(t)
		defer b.Close()
		bits := must(launch.View[uint32](b))(t)
		got := make([]uint32, 4)
		ok(t, bits.Download(got))
		equal(t, "bits", got, []uint32{0x3f800000, 0xc0000000, 0x40400000, 0x40800000})
		pairs := must(launch.View[pair](b.Slice(1, 3)))(t)
		two := make([]pair, 2)
		ok(t, pairs.Download(two))
		equal(t, "pairs", two, []pair{{0, 0xc000}, {0, 0x4040}})
		words := must(launch.View[int32](b))(t)
		ok(t, double.Launch(dev.Stream(), launch.Linear(4, 32), words.Slice(2, 4)))
		ok(t, bits.Download(got))
		equal(t, "kernel", got, []uint32{0x3f800000, 0xc0000000, 0x80800000, 0x81000000})
		if words.Len() != 4 || must(launch.View[int64](b))(t).Len() != 2 {
			t.Error(words.Len())
		}
		ok(t, words.Close()) // ends only the view
		ok(t, bits.Download(got))
	})
}

func TestWrap(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		if name, _, _ := strings.Cut(dev.Name(), ":"); name == "cuda" || name == "hip" {
			wrapForeign(t, dev, name)
			return
		}
		v, done := count(100), 0
		b := must(launch.Wrap[int32](dev, unsafe.Pointer(&v[0]), 100, func() error { done++; return nil }))(t)
		ok(t, double.Launch(dev.Stream(), launch.Linear(100, 32), b))
		ok(t, dev.Sync())
		equal(t, "kernel", v, times(count(100), 2))
		if done != 0 {
			t.Error("done was called before Close")
		}
		ok(t, b.Close())
		ok(t, b.Close())
		if done != 1 {
			t.Errorf("done was called %d times", done)
		}
	})
}

// wrapForeign wraps what the vendor's library has allocated for somebody else.
func wrapForeign(t *testing.T, dev *launch.Device, vendor string) {
	names := map[string][3]string{
		"cuda": {"libcuda.so.1", "cuMemAlloc_v2", "cuMemFree_v2"},
		"hip":  {"libamdhip64.so", "hipMalloc", "hipFree"},
	}[vendor]
	lib := must(dl.Open(names[0]))(t)
	alloc, free := must(dl.Sym(lib, names[1]))(t), must(dl.Sym(lib, names[2]))(t)
	runtime.LockOSThread() // whose current device is dev after a call
	defer runtime.UnlockOSThread()
	ok(t, dev.Sync())
	at := new(unsafe.Pointer)
	if r, _, _ := purego.SyscallN(alloc, uintptr(unsafe.Pointer(at)), 400); r != 0 {
		t.Fatal(names[1], r)
	}
	done := 0
	b := must(launch.Wrap[int32](dev, *at, 100, func() error {
		done++
		purego.SyscallN(free, uintptr(*at))
		return nil
	}))(t)
	ok(t, b.Upload(count(100)))
	ok(t, double.Launch(dev.Stream(), launch.Linear(100, 32), b))
	got := make([]int32, 100)
	ok(t, b.Download(got))
	equal(t, "kernel", got, times(count(100), 2))
	ok(t, b.Close())
	if done != 1 {
		t.Errorf("done was called %d times", done)
	}
}

func TestMemoryInfo(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		free, total, err := dev.MemoryInfo()
		ok(t, err)
		if free <= 0 || free > total || total != dev.Info().Memory && !strings.HasPrefix(dev.Name(), "cuda") {
			t.Error(free, total, dev.Info().Memory)
		}
		b := must(launch.Alloc[byte](dev, 64<<20))(t)
		if less, _, err := dev.MemoryInfo(); err != nil || less > free-32<<20 {
			t.Errorf("%d bytes free, %d after an allocation of 64 MiB; %v", free, less, err)
		}
		ok(t, b.Close())
	})
}

// Buffers of all kinds are arguments, and cost what a Buffer costs.
func TestLaunchAllocs(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		allocs := func(arg any) float64 {
			least := math.Inf(1) // other goroutines' allocations count, too
			for range 20 {
				least = min(least, testing.AllocsPerRun(1, func() {
					ok(t, double.Launch(s, launch.Linear(32, 32), arg))
					ok(t, s.Sync())
				}))
			}
			return least
		}
		b := must(launch.Alloc[int32](dev, 32))(t)
		defer b.Close()
		p := must(launch.NewPinned[int32](dev, 32))(t)
		defer p.Close()
		r := must(launch.AllocPitched[int32](dev, 32, 1))(t)
		defer r.Close()
		want := allocs(b)
		for name, arg := range map[string]any{"pinned": p, "pitched": r} {
			if n := allocs(arg); n > want {
				t.Errorf("a launch with a %s argument allocates %v times, with a Buffer %v", name, n, want)
			}
		}
	})
}
