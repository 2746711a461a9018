package launch

import (
	"context"
	"reflect"
	"testing"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
)

// swallow is a stream that drops launches, so that what is measured is the way
// to the driver.
type swallow struct{ driver.Stream }

func (swallow) Launch(driver.Function, *driver.Config, []byte, []any) error { return nil }

// swallowed returns a saxpy kernel whose launches go nowhere, and its stream.
func swallowed(t testing.TB) (*testKernel, *Stream) {
	d := openSim(t)
	k := newTestKernel(t, d, saxpy)
	object := *k.f.obj
	object.Kind = abi.PTX // a block of arguments, not Go values
	k.f.obj = &object
	s, err := d.NewStream()
	ok(t, err)
	s.drv = swallow{s.drv}
	return k, s
}

// front is what package kernel does: it passes the user's arguments on.
func (k *testKernel) front(s *Stream, c Config, args ...any) error {
	return s.enqueue(context.Background(), k.f, k.p, c, args, nil)
}

func TestLaunchAllocs(t *testing.T) {
	k, s := swallowed(t)
	x, y := upload[float32](t, s.Device(), 1, 2), upload[float32](t, s.Device(), 1, 2)
	a := float32(0)
	if n := testing.AllocsPerRun(100, func() {
		a++ // a variable, so that the compiler cannot box it once and for all
		if err := k.front(s, Linear(2, 256), a, x, y); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("a launch allocates %v times", n)
	}
}

func TestCaptureCount(t *testing.T) {
	k, s := swallowed(t)
	x := upload[float32](t, s.Device(), 1)
	fails(t, s.enqueue(context.Background(), k.f, k.p, Config{}, []any{float32(1), x, x}, make([]unsafe.Pointer, 1)),
		"launch.kernel: have 1 captured variables, want 0")
}

// BenchmarkLaunch is launch's own share of a warm launch.
func BenchmarkLaunch(b *testing.B) {
	k, s := swallowed(b)
	x, y := upload[float32](b, s.Device(), 1, 2), upload[float32](b, s.Device(), 1, 2)
	a := float32(0)
	b.ReportAllocs()
	for b.Loop() {
		a++
		if err := k.front(s, Linear(2, 256), a, x, y); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPack is the packing of the arguments alone.
func BenchmarkPack(b *testing.B) {
	k, s := swallowed(b)
	x, y := upload[float32](b, s.Device(), 1, 2), upload[float32](b, s.Device(), 1, 2)
	dst := make([]byte, k.p.sig.Size)
	args := []any{float32(2), x, y}
	b.ReportAllocs()
	for b.Loop() {
		if err := k.p.pack(dst, s, args, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSim is a whole launch on the simulator, waited for.
func BenchmarkSim(b *testing.B) {
	d := openSim(b)
	k := newTestKernel(b, d, saxpy)
	x, y := upload[float32](b, d, 1, 2), upload[float32](b, d, 1, 2)
	b.ReportAllocs()
	for b.Loop() {
		ok(b, k.launch(d.Stream(), Linear(2, 256), float32(2), x, y))
		ok(b, d.Stream().Sync())
	}
}

func TestDirectInterfaces(t *testing.T) {
	for _, test := range []struct {
		v    any
		want bool
	}{
		{new(int), true}, {onePointer{}, true}, {[1]*int{}, true}, {uintptr(1), false}, {int64(1), false}, {pair{}, false},
	} {
		if got := isDirect(reflect.TypeOf(test.v)); got != test.want {
			t.Errorf("%T: got %v", test.v, got)
		}
	}
}
