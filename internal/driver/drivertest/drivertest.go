// Package drivertest tests a driver by its contract alone, so that
// every vendor runs the same tests. It carries the kernels it needs as data.
package drivertest

import (
	"context"
	_ "embed"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
)

//go:embed kernels.ptx
var ptx []byte

// Kernel returns one of the kernels in PTX, all of one dimension:
//
//	saxpy(a float32, x, y []float32)   y[i] += a * x[i]
//	at(x []float32, i int)             x[i] = 7, panics if i is out of range
//	reverse(x []int32)                 by way of dynamic shared memory, one block
//	spin(cycles int64)                 takes at least that long
//	stray()                            writes to address 64, which is no memory
func Kernel(name string) *abi.Object {
	slice := func(n string) abi.Param {
		return abi.Param{Name: n, Class: abi.Slice, Size: 24, Align: 8}
	}
	params := map[string][]abi.Param{
		"saxpy":   {{Name: "a", Class: abi.Scalar, Size: 4, Align: 4}, slice("x"), slice("y")},
		"at":      {slice("x"), {Name: "i", Class: abi.Scalar, Size: 8, Align: 8}},
		"reverse": {slice("x")},
		"spin":    {{Name: "cycles", Class: abi.Scalar, Size: 8, Align: 8}},
		"stray":   {},
	}
	list, ok := params[name]
	if !ok {
		panic("drivertest: no kernel " + name)
	}
	o := &abi.Object{Kind: abi.PTX, Arch: "sm_75", WarpSize: 32, Kernel: name, Name: "test." + name, Code: ptx}
	for _, p := range list {
		o.Sig.Add(p)
	}
	switch name {
	case "at":
		o.Sites = []abi.Site{{
			File: "test.go", Line: 12, Col: 7, Func: "test.at",
			Format: "index out of range [%d] with length %d", Runtime: true,
		}}
	case "reverse":
		o.Dynamic = true
	}
	return o
}

// Slice is a slice as a kernel's argument block holds it.
type Slice struct {
	Ptr      driver.Ptr
	Len, Cap int
}

// Args is a kernel's argument block, of values that fit the kernel's own
// parameters without padding or with it written out.
func Args[T any](v *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v))
}

// Saxpy, At and the other types are the argument blocks of the kernels.
type (
	Saxpy struct {
		A    float32
		_    int32
		X, Y Slice
	}
	At struct {
		X Slice
		I int
	}
	Reverse struct{ X Slice }
	Spin    struct{ Cycles int64 }
)

// bench is a device under test with a stream.
type bench struct {
	*testing.T
	dev     driver.Device
	s       driver.Stream
	objects func(name string) *abi.Object
}

// ok fails the test at once if err is not nil.
func (b *bench) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// upload returns device memory with a copy of v.
func upload[T any](b *bench, v []T) Slice {
	b.Helper()
	n := len(v) * int(unsafe.Sizeof(v[0]))
	p, err := b.dev.Alloc(n)
	b.ok(err)
	b.Cleanup(func() { b.ok(b.dev.Free(p)) })
	b.ok(b.s.CopyIn(p, unsafe.Pointer(&v[0]), n))
	return Slice{p, len(v), len(v)}
}

// download waits for the stream and returns what s holds.
func download[T any](b *bench, s Slice) []T {
	b.Helper()
	v := make([]T, s.Len)
	b.ok(b.s.CopyOut(unsafe.Pointer(&v[0]), s.Ptr, s.Len*int(unsafe.Sizeof(v[0]))))
	b.ok(b.s.Sync())
	return v
}

func (b *bench) load(name string) driver.Function {
	b.Helper()
	f, err := b.dev.Load(b.objects(name))
	b.ok(err)
	b.Cleanup(func() { b.ok(f.Close()) })
	return f
}

func (b *bench) launch(f driver.Function, grid, block, shared int, args []byte) {
	b.Helper()
	c := &driver.Config{Grid: driver.Dim{grid, 1, 1}, Block: driver.Dim{block, 1, 1}, Shared: shared}
	b.ok(b.s.Launch(f, c, args, nil))
}

// Run tests dev. kernels says whether the device runs the PTX ones.
func Run(t *testing.T, dev driver.Device, kernels bool) {
	if !kernels {
		RunWith(t, dev, nil)
		return
	}
	RunWith(t, dev, Kernel)
	t.Run("invalid", func(t *testing.T) { testInvalid(&bench{T: t, dev: dev}) })
}

// RunWith tests dev with the kernels that Kernel describes in a form that dev
// takes, or without kernels where objects is nil.
func RunWith(t *testing.T, dev driver.Device, objects func(name string) *abi.Object) {
	tests := []struct {
		name    string
		kernels bool
		run     func(*bench)
	}{
		{"info", false, testInfo},
		{"memory", false, testMemory},
		{"pinned", false, testPinned},
		{"events", false, testEvents},
		{"foreign", false, testForeign},
		{"saxpy", true, testSaxpy},
		{"shared", true, testShared},
		{"streams", true, testStreams},
		{"timing", true, testTiming},
		{"context", true, testContext},
		{"panic", true, testPanic},
	}
	for _, test := range tests {
		if test.kernels && objects == nil {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			s, err := dev.NewStream(driver.StreamOptions{})
			if err != nil {
				t.Fatal(err)
			}
			test.run(&bench{t, dev, s, objects})
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Vendor tests what a vendor says with its devices and without: a probe's
// problem always has a fix, and what cannot be opened is an error.
func Vendor(t *testing.T, v driver.Vendor) {
	p := v.Probe()
	t.Logf("%+v", p)
	if p.Problem == "" && (len(p.Devices) == 0 || p.Library == "" || p.Version == "") {
		t.Error("no problem, but nothing found")
	}
	if (p.Problem == "") != (p.Fix == "") {
		t.Error("a problem without a fix, or the other way round")
	}
	for id, want := range map[string]string{"x": ":x", "-1": ":-1", "99": ""} {
		d, err := v.Open(id)
		if err == nil {
			t.Errorf("Open(%q) = %v", id, d)
		} else if !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), v.Name()) {
			t.Errorf("Open(%q): %v", id, err)
		}
	}
}

func testInfo(b *bench) {
	i := b.dev.Info()
	b.Logf("%+v", *i)
	if i.Name == "" || i.Product == "" || i.MaxThreads < 64 || i.WarpSize < 32 || i.Memory < 1<<20 ||
		i.MaxGrid[0] < 1<<16 || i.MaxBlock[0] < 64 || i.SharedPerBlock < 16<<10 ||
		i.SharedPerBlockMax < i.SharedPerBlock || i.ComputeUnits < 1 {
		b.Errorf("implausible: %+v", *i)
	}
}

func testMemory(b *bench) {
	in := make([]int32, 1000)
	for i := range in {
		in[i] = int32(i * i)
	}
	x, y := upload(b, in), upload(b, make([]int32, len(in)))
	if uintptr(x.Ptr)%256 != 0 {
		b.Errorf("address %v is not aligned to 256", x.Ptr)
	}
	b.ok(b.s.Copy(y.Ptr, x.Ptr, 4*len(in)))
	b.ok(b.s.Fill(unsafe.Add(y.Ptr, 4*10), 0xff, 4*2))
	want := slices.Clone(in)
	want[10], want[11] = -1, -1
	if got := download[int32](b, y); !slices.Equal(got, want) {
		b.Errorf("copy and fill: got %v", got[:20])
	}
	if done, err := b.s.Done(); !done || err != nil {
		b.Errorf("Done after Sync: %v, %v", done, err)
	}
	if _, err := b.dev.Alloc(math.MaxInt / 2); err == nil {
		b.Error("an impossible allocation succeeded")
	} else {
		b.Log(err)
	}
}

func testPinned(b *bench) {
	const n = 1 << 16
	p, err := b.dev.AllocHost(n)
	b.ok(err)
	defer func() { b.ok(b.dev.FreeHost(p)) }()
	host := unsafe.Slice((*byte)(p), n)
	for i := range host {
		host[i] = byte(i)
	}
	x := upload(b, make([]byte, n))
	b.ok(b.s.CopyIn(x.Ptr, p, n))
	if got := download[byte](b, x); !slices.Equal(got, host) {
		b.Error("page-locked memory did not arrive")
	}
}

func testEvents(b *bench) {
	e, err := b.dev.NewEvent()
	b.ok(err)
	f, err := b.dev.NewEvent()
	b.ok(err)
	b.ok(b.s.Record(e))
	x := upload(b, make([]byte, 1<<20))
	b.ok(b.s.Fill(x.Ptr, 1, x.Len))
	b.ok(b.s.Record(f))
	b.ok(f.Sync())
	if done, err := e.Done(); !done || err != nil {
		b.Errorf("an event before one that is done: %v, %v", done, err)
	}
	if d, err := f.Since(e); err != nil || d < 0 || d > time.Minute {
		b.Errorf("Since: %v, %v", d, err)
	}
	other, err := b.dev.NewStream(driver.StreamOptions{NonBlocking: true, Priority: -1})
	b.ok(err)
	b.ok(other.Wait(f))
	b.ok(other.Sync())
	b.ok(other.Close())
	b.ok(e.Close())
	b.ok(f.Close())
}

// foreign is a device's object of no vendor.
type foreign struct {
	driver.Event
	driver.Function
}

func (foreign) Close() error        { return nil }
func (foreign) Object() *abi.Object { return &abi.Object{Name: "foreign"} }

func testForeign(b *bench) {
	if err := b.s.Record(foreign{}); err == nil {
		b.Error("recorded an event of another vendor")
	}
	if err := b.s.Launch(foreign{}, &driver.Config{}, nil, nil); err == nil {
		b.Error("launched a function of another vendor")
	}
	if _, err := b.dev.Load(&abi.Object{Kind: abi.Native, Name: "test.native"}); err == nil {
		b.Error("loaded the code of another machine")
	}
}

func testSaxpy(b *bench) {
	const n = 10000
	x, y, want := make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i), 1
		want[i] = 2*x[i] + 1
	}
	f := b.load("saxpy")
	r := f.Object().Res
	b.Logf("resources: %+v", r)
	if f.Object().Kind == abi.PTX && (r.VGPR < 1 || r.MaxThreads < 32) {
		b.Errorf("resources of saxpy: %+v", r)
	}
	args := Saxpy{A: 2, X: upload(b, x), Y: upload(b, y)}
	b.launch(f, (n+255)/256, 256, 0, Args(&args))
	if got := download[float32](b, args.Y); !slices.Equal(got, want) {
		b.Errorf("saxpy: got %v...", got[:8])
	}
	if p := f.TakePanic(); p != nil {
		b.Errorf("a kernel that cannot panic has: %+v", *p)
	}
}

func testShared(b *bench) {
	f := b.load("reverse")
	x := make([]int32, 256)
	for i := range x {
		x[i] = int32(i)
	}
	i := b.dev.Info()
	for _, shared := range []int{4 * len(x), i.SharedPerBlock, i.SharedPerBlockMax} {
		args := Reverse{upload(b, x)}
		b.launch(f, 1, len(x), shared, Args(&args))
		got := download[int32](b, args.X)
		slices.Reverse(got)
		if !slices.Equal(got, x) {
			b.Errorf("reverse with %d bytes of shared memory: got %v", shared, got)
		}
	}
	c := &driver.Config{Grid: driver.Dim{1, 1, 1}, Block: driver.Dim{256, 1, 1}, Shared: i.SharedPerBlockMax + 1}
	args := Reverse{upload(b, x)}
	err := b.s.Launch(f, c, Args(&args), nil)
	if e := new(driver.Error); err == nil || errors.As(err, &e) && e.Lost {
		b.Errorf("a byte too much of shared memory: %v", err)
	}
}

// cycles of spin that take about 20 to 100 ms on any GPU.
const cycles = 50_000_000

func testStreams(b *bench) {
	f := b.load("spin")
	args := Spin{cycles}
	b.launch(f, 1, 1, 0, Args(&args))
	if done, err := b.s.Done(); done || err != nil {
		b.Errorf("Done right after a long kernel's launch: %v, %v", done, err)
	}
	other, err := b.dev.NewStream(driver.StreamOptions{NonBlocking: true})
	b.ok(err)
	defer func() { b.ok(other.Close()) }()
	b.ok(other.Sync())
	if done, err := b.s.Done(); done || err != nil {
		b.Errorf("another stream waited for this one: %v, %v", done, err)
	}
	e, err := b.dev.NewEvent()
	b.ok(err)
	b.ok(b.s.Record(e))
	b.ok(other.Wait(e))
	b.ok(other.Sync())
	if done, err := e.Done(); !done || err != nil {
		b.Errorf("a stream did not wait for an event: %v, %v", done, err)
	}
	b.ok(e.Close())
}

// testContext waits for a kernel no longer than a context lasts: then it is either
// ended or goes on, and in time the stream is as good as new.
func testContext(b *bench) {
	f := b.load("spin")
	args := Spin{cycles}
	b.launch(f, 1, 1, 0, Args(&args))
	enough := errors.New("enough")
	ctx, cancel := context.WithTimeoutCause(b.Context(), time.Millisecond, enough)
	defer cancel()
	var stopped *driver.Stopped
	if err := b.s.SyncContext(ctx); !errors.As(err, &stopped) || !errors.Is(err, enough) {
		b.Errorf("a kernel that takes longer than the context lasts: %v", err)
	}
	b.ok(b.s.Sync())
	b.launch(f, 1, 1, 0, Args(&args))
	b.ok(b.s.SyncContext(b.Context()))
	e, err := b.dev.NewEvent()
	b.ok(err)
	b.ok(b.s.Record(e))
	b.ok(e.SyncContext(b.Context()))
	b.ok(e.Close())
}

func testTiming(b *bench) {
	f := b.load("spin")
	args := Spin{cycles}
	start, err := b.dev.NewEvent()
	b.ok(err)
	end, err := b.dev.NewEvent()
	b.ok(err)
	b.ok(b.s.Record(start))
	b.launch(f, 1, 1, 0, Args(&args))
	b.ok(b.s.Record(end))
	if done, err := end.Done(); done || err != nil {
		b.Errorf("the event is done before the kernel is: %v, %v", done, err)
	}
	b.ok(end.Sync())
	took, err := end.Since(start)
	b.ok(err)
	b.Logf("spin of %d cycles: %v", cycles, took)
	if took < 5*time.Millisecond || took > 10*time.Second {
		b.Errorf("spin took %v", took)
	}
	b.ok(start.Close())
	b.ok(end.Close())
}

func testPanic(b *bench) {
	f, quiet := b.load("at"), b.load("at")
	x := upload(b, make([]float32, 3))
	for _, i := range []int{5, -1} {
		args := At{x, i}
		b.launch(f, 4, 64, 0, Args(&args))
		b.ok(b.s.Sync()) // the device is as good as new
		r := f.TakePanic()
		if r == nil {
			b.Fatalf("at(%d) left no record", i)
		}
		if r.Site != 0 || r.Args != [2]uint64{uint64(i), 3} || r.Block[0] > 3 || r.Thread[0] > 63 {
			b.Errorf("at(%d): %+v", i, *r)
		}
		if f.TakePanic() != nil {
			b.Error("the record came twice")
		}
	}
	args := At{x, 2}
	b.launch(f, 1, 1, 0, Args(&args))
	if got := download[float32](b, x); !slices.Equal(got, []float32{0, 0, 7}) {
		b.Errorf("after the panics: %v", got)
	}
	if f.TakePanic() != nil || quiet.TakePanic() != nil {
		b.Error("a panic out of nowhere")
	}
}

func testInvalid(b *bench) {
	bad := Kernel("saxpy")
	bad.Code = []byte(".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry saxpy() { nonsense; }\n")
	_, err := b.dev.Load(bad)
	b.Log(err)
	if e := new(driver.Error); !errors.As(err, &e) || !strings.Contains(err.Error(), "line 4") {
		b.Errorf("no word of the assembler's: %v", err)
	}
	bad = Kernel("saxpy")
	bad.Kernel = "absent"
	if _, err := b.dev.Load(bad); err == nil || !strings.Contains(err.Error(), "absent") {
		b.Errorf("a kernel that the module lacks: %v", err)
	}
}
