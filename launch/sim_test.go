package launch

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/internal/abi"
)

// A kernel under test: a Go function made launchable as package kernel does
// it, by hand.
type testKernel struct {
	f *function
	p *plan
}

func newTestKernel(t testing.TB, d *Device, fn any, names ...string) *testKernel {
	t.Helper()
	typ := reflect.TypeOf(fn)
	sig, err := signatureOf(slices.Collect(typ.Ins()), names)
	if err != nil {
		t.Fatal(err)
	}
	f, err := d.load(&abi.Object{
		Kind: abi.GoFunc, WarpSize: d.Info().WarpSize, Name: "launch.kernel", Go: fn, Sig: *sig,
	})
	if err != nil {
		t.Fatal(err)
	}
	return &testKernel{f, newTestPlan(t, sig, typ)}
}

func newTestPlan(t testing.TB, sig *abi.Signature, typ reflect.Type) *plan {
	t.Helper()
	p, err := newPlan(sig, slices.Collect(typ.Ins()))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (k *testKernel) launch(s *Stream, c Config, args ...any) error {
	return s.enqueue(context.Background(), k.f, k.p, c, args, nil)
}

// openSim opens a simulator for the time of the test.
func openSim(t testing.TB) *Device {
	t.Helper()
	d, err := Open("sim")
	ok(t, err)
	t.Cleanup(func() { ok(t, d.Close()) })
	return d
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fails checks that err has every one of the texts.
func fails(t testing.TB, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", texts)
		return
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("error %q lacks %q", err, text)
		}
	}
}

func upload[T any](t testing.TB, d *Device, v ...T) *Buffer[T] {
	t.Helper()
	b, err := Upload(d, v)
	ok(t, err)
	return b
}

func download[T any](t testing.TB, b *Buffer[T]) []T {
	t.Helper()
	v := make([]T, b.Len())
	ok(t, b.Download(v))
	return v
}

func saxpy(a float32, x, y []float32) {
	if i := dsl.GlobalIdx().X; i < len(y) {
		y[i] += a * x[i]
	}
}

func TestSaxpy(t *testing.T) {
	for _, name := range []string{"sim", "sim:64"} {
		d, err := Open(name)
		ok(t, err)
		k := newTestKernel(t, d, saxpy, "a", "x", "y")
		x, y := upload[float32](t, d, 1, 2, 3, 4, 5), upload[float32](t, d, 1, 1, 1, 1, 1)
		for range 2 {
			ok(t, k.launch(d.Stream(), Linear(5, 2), float32(2), x, y))
		}
		if got, want := download(t, y), []float32{5, 9, 13, 17, 21}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
		ok(t, k.launch(d.Stream(), Linear(0, 256), float32(2), x, y)) // launches nothing
		ok(t, d.Close())
	}
}

func store(x []int32, i int, v int32) { x[i] = v }

func TestPanic(t *testing.T) {
	d := openSim(t)
	s := d.Stream()
	k := newTestKernel(t, d, store)
	x := upload[int32](t, d, 0, 0, 0)
	ok(t, k.launch(s, Config{Block: Dim3{X: 1}}, x, 5, int32(1)))
	err := x.Download(make([]int32, 3))
	var p *KernelPanic
	if !errors.As(err, &p) {
		t.Fatalf("Download after a panic: %v", err)
	}
	if p.Kernel != "launch.kernel" || !p.Runtime || p.Value != "index out of range [5] with length 3" ||
		!strings.HasSuffix(p.Pos.Filename, "sim_test.go") || p.Pos.Line == 0 {
		t.Errorf("%#v", p)
	}
	fails(t, err, "sim_test.go:", "kernel launch.kernel panicked: runtime error: index out of range [5] with length 3",
		"(block {0 0 0}, thread {0 0 0})")
	// Returned once, it is gone, and the device goes on.
	ok(t, s.Sync())
	ok(t, k.launch(s, Config{}, x, 2, int32(9)))
	if got := download(t, x); !slices.Equal(got, []int32{0, 0, 9}) {
		t.Errorf("after the panic: %v", got)
	}
}

// An error that Done has found sticks until a call that waits returns it.
func TestSticky(t *testing.T) {
	d := openSim(t)
	s, err := d.NewStream()
	ok(t, err)
	k := newTestKernel(t, d, store)
	x := upload[int32](t, d, 0, 0, 0)
	ok(t, k.launch(s, Config{}, x, -1, int32(1)))
	for !s.Done() {
	}
	fails(t, s.Err(), "index out of range [-1]")
	fails(t, k.launch(s, Config{}, x, 0, int32(1)), "index out of range [-1]")
	fails(t, x.UploadAsync(s, []int32{1, 2, 3}), "index out of range [-1]")
	_, err = s.Record()
	fails(t, err, "index out of range [-1]")
	fails(t, s.Sync(), "index out of range [-1]")
	ok(t, s.Err())
	if got := download(t, x); !slices.Equal(got, []int32{0, 0, 0}) {
		t.Errorf("a stream with an error did work: %v", got)
	}
	ok(t, s.Close())
}

// A call that is refused leaves the stream as it was.
func TestRefusedIsNotSticky(t *testing.T) {
	d := openSim(t)
	k := newTestKernel(t, d, store)
	x := upload[int32](t, d, 0)
	fails(t, k.launch(d.Stream(), Config{}, x, 0), "have 2 arguments, want 3")
	ok(t, d.Stream().Err())
	ok(t, k.launch(d.Stream(), Config{}, x, 0, int32(3)))
	if got := download(t, x); got[0] != 3 {
		t.Errorf("got %v", got)
	}
}

func TestDeviceSyncReturnsAll(t *testing.T) {
	d := openSim(t)
	k := newTestKernel(t, d, store)
	x := upload[int32](t, d, 0)
	for i := range 2 {
		s, err := d.NewStream()
		ok(t, err)
		ok(t, k.launch(s, Config{}, x, 10+i, int32(1)))
	}
	fails(t, d.Sync(), "[10]", "[11]")
	ok(t, d.Sync())
}

type pair struct{ A, B []float32 }

type scale struct {
	Factor float32
	In     pair
	N      int
}

func dot(v scale, out *float32, none struct{}) {
	for i := range v.N {
		*out += v.Factor * v.In.A[i] * v.In.B[i]
	}
}

func TestStructArguments(t *testing.T) {
	d := openSim(t)
	k := newTestKernel(t, d, dot, "v", "out", "none")
	a, b := upload[float32](t, d, 1, 2, 3), upload[float32](t, d, 4, 5, 6)
	out, err := Alloc[float32](d, 1)
	ok(t, err)
	v := scale{Factor: 2, In: pair{a.Device(), b.Slice(0, 3).Device()}, N: 3}
	ok(t, k.launch(d.Stream(), Config{}, v, out, struct{}{}))
	if got := download(t, out); got[0] != 64 {
		t.Errorf("dot: %v", got)
	}
	v.In.B = make([]float32, 3)
	fails(t, k.launch(d.Stream(), Config{}, v, out, struct{}{}), "argument 1 (v).In.B is not memory of sim")
	v.In.B = b.Device()
	ok(t, b.Close())
	fails(t, k.launch(d.Stream(), Config{}, v, out, struct{}{}), "argument 1 (v).In.B is not memory of sim")
	if b.Device() != nil {
		t.Error("a closed buffer still has an address")
	}
}

func sums(rows [][]int32, out []int32) {
	for i, r := range rows {
		for _, v := range r {
			out[i] += v
		}
	}
}

func TestSlicesOfSlices(t *testing.T) {
	d := openSim(t)
	k := newTestKernel(t, d, sums)
	a, b := upload[int32](t, d, 1, 2, 3), upload[int32](t, d, 10, 20)
	rows := upload(t, d, a.Device(), b.Device(), nil)
	out := upload[int32](t, d, 0, 0, 0)
	ok(t, k.launch(d.Stream(), Config{}, rows, out))
	if got := download(t, out); !slices.Equal(got, []int32{6, 30, 0}) {
		t.Errorf("sums: %v", got)
	}
	_, err := Upload(d, [][]int32{a.Device(), {1, 2}})
	fails(t, err, "element [1] is not memory of sim")
	fails(t, k.launch(d.Stream(), Config{}, [][]int32{{1}}, out),
		"argument 1 (p1) is host memory ([][]int32); upload each p1[i] and then their slices: launch.Upload(dev, [][]int32{row.Device(), ...}), or all of it as one []int32")
	type named struct {
		N   int
		Row [2][]int32
	}
	of := newTestKernel(t, d, func(x []named, p []*int32) {})
	fails(t, of.launch(d.Stream(), Config{}, []named{}, out), "upload it when p1[i].Row[0] is device memory: Device() of a buffer of its own")
	fails(t, of.launch(d.Stream(), Config{}, upload(t, d, named{}), []*int32{new(int32)}), "launch.Upload(dev, []*int32{&b.Device()[0], ...})")
}

// Closed and forgotten events serve again, so that recording them in a loop
// takes no more and more of the driver's.
func TestEventsServeAgain(t *testing.T) {
	d := openSim(t)
	for range 10 {
		e, err := d.Stream().Record()
		ok(t, err)
		ok(t, e.Close())
	}
	if n := len(d.all.events); n != 1 {
		t.Errorf("%d events of the driver, want 1", n)
	}
	func() { _, err := d.Stream().Record(); ok(t, err) }()
	eventually(t, func() bool {
		runtime.GC()
		d.all.Lock()
		defer d.all.Unlock()
		return len(d.all.spareEvents) == 1
	})
}

func TestStreamsAndEvents(t *testing.T) {
	d := openSim(t)
	gate := make(chan struct{})
	wait := newTestKernel(t, d, func(x []int32) { <-gate; x[0] = 1 })
	add := newTestKernel(t, d, func(x []int32) { x[0] += 10 })
	x := upload[int32](t, d, 0)
	s, err := d.NewStream(StreamOptions{NonBlocking: true})
	ok(t, err)
	r, err := d.NewStream(StreamOptions{NonBlocking: true, Priority: -1})
	ok(t, err)
	start, err := s.Record()
	ok(t, err)
	ok(t, wait.launch(s, Config{}, x))
	e, err := s.Record()
	ok(t, err)
	ok(t, r.Wait(e))
	ok(t, add.launch(r, Config{}, x))
	if s.Done() || r.Done() || e.Done() {
		t.Error("done before the kernel is")
	}
	ok(t, start.Sync())
	ok(t, s.Err())
	close(gate)
	ok(t, r.Sync())
	if !e.Done() {
		t.Error("a stream did not wait for the event")
	}
	if took, err := e.Since(start); err != nil || took < 0 {
		t.Errorf("Since: %v, %v", took, err)
	}
	if got := download(t, x); got[0] != 11 {
		t.Errorf("got %v, want [11]", got)
	}
	ok(t, e.Close())
	ok(t, e.Close())
	fails(t, e.Sync(), "event of sim is closed")
	fails(t, r.Wait(e), "event of sim is closed")
	unrecorded, err := d.NewEvent()
	ok(t, err)
	fails(t, unrecorded.Sync(), "not recorded")
	ok(t, s.Close())
	ok(t, s.Close())
	fails(t, add.launch(s, Config{}, x), "stream of sim is closed")
	var none *Stream
	fails(t, none.Sync(), "nil Stream")
	fails(t, add.launch(none, Config{}, x), "nil Stream")
	ok(t, d.Stream().Close()) // the default stream goes on
	ok(t, add.launch(d.Stream(), Config{}, x))
}
