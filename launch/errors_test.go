package launch

import (
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"heddle/internal/abi"
	"heddle/vector"
)

func TestConfigErrors(t *testing.T) {
	d := openSim(t)
	k := newTestKernel(t, d, func() {})
	bound := newTestKernel(t, d, func() {})
	bound.f.obj.MaxThreads, bound.f.maxThreads = 256, 256
	registers := newTestKernel(t, d, func() {})
	registers.f.obj.Res, registers.f.maxThreads = abi.Resources{MaxThreads: 640, VGPR: 96}, 640
	static := newTestKernel(t, d, func() {})
	static.f.obj.Shared, static.f.maxShared = 4096, 60<<10
	tests := []struct {
		k    *testKernel
		c    Config
		want string // "": it is fine
	}{
		{k, Config{}, ""},
		{k, Config{Block: Dim3{X: 32, Y: 32}}, ""},
		{k, Config{Block: Dim3{X: 33, Y: 32}}, "a block of 1056 threads [33 32 1]; the limit of sim is 1024"},
		{k, Config{Block: Dim3{X: 2000}}, "block.X is 2000; the limit of sim is 1024"},
		{k, Config{Block: Dim3{Z: 65}}, "block.Z is 65; the limit of sim is 64"},
		{k, Config{Block: Dim3{Y: -1}}, "block.Y is -1; an axis is at least 1 (0 means 1)"},
		{k, Config{Grid: Dim3{Y: 70000}}, "grid.Y is 70000; the limit of sim is 65535"},
		{k, Config{Grid: Dim3{X: -3}}, "grid.X is -3"},
		{k, Config{Shared: 64 << 10}, ""},
		{k, Config{Shared: 64<<10 + 1}, "65537 bytes of dynamic and 0 of static shared memory; the limit of sim is 65536 a block"},
		{k, Config{Shared: -1}, "Config.Shared is -1 bytes"},
		{static, Config{Shared: 62 << 10}, "63488 bytes of dynamic and 4096 of static"},
		{bound, Config{Block: Dim3{X: 256}}, ""},
		{bound, Config{Block: Dim3{X: 512}}, "a block of 512 threads [512 1 1]; the kernel's launch bound is 256"},
		{registers, Config{Block: Dim3{X: 1024}}, "a block of 1024 threads [1024 1 1]; the kernel, with its 96 registers a thread, can have 640 on sim"},
		{k, Linear(10, 0), "Linear(10, 0): want n >= 0 and block >= 1"},
		{k, Linear(-1, 8), "Linear(-1, 8)"},
		{k, Linear(0, 4096), "block.X is 4096"}, // wrong even where there is nothing to do
		{k, Linear(1<<60, 256), "grid.X is 4503599627370496"},
		{k, Grid2D(4, 4, 2, -1), "Grid2D(4, 4, 2, -1)"},
		{k, Grid2D(0, 5, 8, 8), ""},
	}
	for _, test := range tests {
		err := test.k.launch(d.Stream(), test.c)
		if test.want != "" {
			fails(t, err, "launch.kernel: ", test.want)
		} else if err != nil {
			t.Errorf("%+v: %v", test.c, err)
		}
	}
	ok(t, d.Sync())
}

func TestGrids(t *testing.T) {
	for _, test := range []struct{ got, want Config }{
		{Linear(1, 256), Config{Grid: Dim3{X: 1}, Block: Dim3{X: 256}}},
		{Linear(256, 256), Config{Grid: Dim3{X: 1}, Block: Dim3{X: 256}}},
		{Linear(257, 256), Config{Grid: Dim3{X: 2}, Block: Dim3{X: 256}}},
		{Linear(0, 256), Config{Block: Dim3{X: 256}, empty: true}},
		{Grid2D(17, 9, 8, 4), Config{Grid: Dim3{X: 3, Y: 3}, Block: Dim3{X: 8, Y: 4}}},
		{Linear(int(^uint(0)>>1), 2), Config{Grid: Dim3{X: 1 << 62}, Block: Dim3{X: 2}}},
	} {
		if test.got != test.want {
			t.Errorf("got %+v, want %+v", test.got, test.want)
		}
	}
}

type meters float32

type onePointer struct{ P *float32 }

func TestArgumentErrors(t *testing.T) {
	d, other := openSim(t), openSim(t)
	k := newTestKernel(t, d, func(a float32, x []float32, p *int32, v vector.Dim3, o onePointer) {}, "a", "x", "p", "v", "o")
	x, p := upload[float32](t, d, 1), upload[int32](t, d, 1)
	closed := upload[float32](t, d, 1)
	ok(t, closed.Close())
	closing := upload[float32](t, d, 1) // as Close leaves it before the device has forgotten it
	part := closing.Device()
	closing.header.own.b.freed.Store(true)
	defer closing.header.own.b.freed.Store(false)
	var none *Buffer[float32]
	good := []any{float32(1), x, p, vector.Dim3{}, onePointer{}}
	tests := []struct {
		n    int // which argument to replace
		with any
		want string
	}{
		{0, float32(2), ""},
		{0, 2.0, "argument 1 (a): have float64, want float32; write float32(2)"},
		{0, 3, "argument 1 (a): have int, want float32; write float32(3)"},
		{0, meters(3), "argument 1 (a): have launch.meters, want float32; write float32(3)"},
		{0, "3", "argument 1 (a): have string, want float32"},
		{0, nil, "argument 1 (a) is nil, want float32"},
		{0, x, "argument 1 (a): have *launch.Buffer[float32], want float32"},
		{1, x.Slice(0, 0), ""},
		{1, []float32{1}, "argument 2 (x) is host memory ([]float32); upload it: launch.Upload(dev, x)"},
		{1, []float64{1}, "argument 2 (x) is host memory ([]float64), want *launch.Buffer[float32]"},
		{1, &[]float32{1}, "argument 2 (x) is host memory (*[]float32); upload it: launch.Upload(dev, *x)"},
		{1, &[3]float32{}, "argument 2 (x) is host memory (*[3]float32); upload it: launch.Upload(dev, x[:])"},
		{1, [3]float32{}, "argument 2 (x) is host memory ([3]float32); upload it: launch.Upload(dev, x[:])"},
		{1, p, "argument 2 (x): have *launch.Buffer[int32], want *launch.Buffer[float32]"},
		{1, none, "argument 2 (x): nil Buffer"},
		{1, new(Buffer[float32]), "argument 2 (x): zero Buffer"},
		{1, nil, "argument 2 (x) is nil, want *launch.Buffer[float32]"},
		{1, closed, "argument 2 (x): buffer of 1 float32 (allocated at sim_test.go:"},
		{1, x.Slice(0, 2), "argument 2 (x): slice [0:2] of a buffer of 1 float32"},
		{1, upload[float32](t, other, 1), " is on sim, the launch on another opening of sim"},
		{1, 7, "argument 2 (x): have int, want *launch.Buffer[float32]"},
		{1, embedded{1, x}, ""}, // a Buffer by another name
		{1, x.Device(), ""},
		{1, p.Slice(0, 1).Device(), "argument 2 (x): have []int32, want *launch.Buffer[float32]"},
		{1, x.Device()[:0], ""},
		{1, []float32(nil), ""},
		{1, floats(x.Device()), ""},
		{1, closed.Device(), ""},
		{1, part, "argument 2 (x) is memory of a buffer of 1 float32 (allocated at sim_test.go:"},
		{1, unsafe.Slice(&x.Device()[0], 3), "argument 2 (x) reaches 8 bytes past the end of its buffer of 1 float32 (allocated at sim_test.go:"},
		{1, upload[float32](t, other, 1).Device(), "argument 2 (x) is memory of sim, the launch on another opening of sim; copy it: launch.Upload(dev, x)"},
		{2, &p.Device()[0], ""},
		{2, (*int32)(nil), ""},
		{2, (*int32)(unsafe.Pointer(&x.Device()[:1][0])), ""}, // memory of the device all the same
		{2, &upload[int32](t, other, 1).Device()[0], "argument 3 (p) is memory of sim, the launch on another opening of sim"},
		{2, new(int32), "argument 3 (p) is host memory (*int32); upload it: launch.Upload(dev, []int32{*p})"},
		{2, p.Slice(0, 0), "argument 3 (p): the buffer is empty"},
		{3, struct{ X, Y, Z int }{}, "argument 4 (v): have struct { X int; Y int; Z int }, want vector.Dim3"},
		{4, onePointer{&x.Device()[0]}, ""},
		{4, onePointer{new(float32)}, "argument 5 (o).P is not memory of sim"},
	}
	for _, test := range tests {
		args := slices.Clone(good)
		args[test.n] = test.with
		err := k.launch(d.Stream(), Config{}, args...)
		if test.want != "" {
			fails(t, err, "launch.kernel: ", test.want)
		} else if err != nil {
			t.Errorf("argument %d = %v: %v", test.n+1, test.with, err)
		}
	}
	fails(t, k.launch(d.Stream(), Config{}), "have 0 arguments, want 5: (a float32, x *launch.Buffer[float32], p *launch.Buffer[int32], v vector.Dim3, o launch.onePointer)")
	fails(t, k.launch(other.Stream(), Config{}, good...), "the kernel is loaded on sim, the stream is on another opening of sim")
	byValue := func(b any) any { return reflect.ValueOf(b).Elem().Interface() } // go vet knows that one must not
	fails(t, k.launch(d.Stream(), Config{}, float32(1), byValue(x), p, vector.Dim3{}, onePointer{}), "pass the pointer")
	ok(t, d.Sync())
}

// embedded holds a Buffer where a launch does not expect one.
type embedded struct {
	N int
	*Buffer[float32]
}

func TestSignatureOf(t *testing.T) {
	type v struct {
		N int32
		A [2][]float32
		P *int64
	}
	in := slices.Collect(reflect.TypeFor[func(bool, []int32, int16, v, struct{}, *float64)]().Ins())
	sig, err := signatureOf(in, []string{"b", "x"})
	ok(t, err)
	want := []abi.Param{
		{Name: "b", Type: "bool", Class: abi.Scalar, Size: 1, Align: 1},
		{Name: "x", Type: "[]int32", Class: abi.Slice, Offset: 8, Size: 24, Align: 8, Elem: "int32", ElemSize: 4},
		{Name: "p3", Type: "int16", Class: abi.Scalar, Offset: 32, Size: 2, Align: 2},
		{Name: "p4", Type: "launch.v", Class: abi.Aggregate, Offset: 40, Size: 64, Align: 8, Pointers: []int{8, 32, 56}},
		{Name: "p5", Type: "struct {}", Class: abi.Zero, Align: 1},
		{Name: "p6", Type: "*float64", Class: abi.Pointer, Offset: 104, Size: 8, Align: 8, Elem: "float64", ElemSize: 8},
	}
	for i := range want {
		if !reflect.DeepEqual(sig.Params[i], want[i]) {
			t.Errorf("got %+v, want %+v", sig.Params[i], want[i])
		}
	}
	if sig.Size != 112 {
		t.Errorf("size %d, want 112", sig.Size)
	}
	if got := fieldAt(in[3], 32); got != ".A[1]" {
		t.Errorf("fieldAt: %q", got)
	}
	_, err = signatureOf([]reflect.Type{reflect.TypeFor[[]struct{ S string }]()}, []string{"x"})
	fails(t, err, "parameter x: x[i].S has type string")
	_, err = signatureOf([]reflect.Type{reflect.TypeFor[chan int]()}, []string{"c"})
	fails(t, err, "parameter c has type chan int")
	_, err = newPlan(sig, in[1:])
	fails(t, err, "6 parameters, the function 5")
	in[0] = reflect.TypeFor[int]()
	_, err = newPlan(sig, in)
	fails(t, err, "parameter b: 1 bytes of class scalar in the signature, 8 of scalar as int")
}

// The block that a launch passes holds each argument at its offset, and the
// captured variables behind them.
func TestPack(t *testing.T) {
	d := openSim(t)
	fn := reflect.TypeFor[func(int8, []int32, *int32, onePointer, complex64)]()
	sig, err := signatureOf(slices.Collect(fn.Ins()), nil)
	ok(t, err)
	sig.Add(abi.Param{Name: "n", Class: abi.Scalar, Size: 2, Align: 2, Capture: true})
	sig.Add(abi.Param{Name: "t", Class: abi.Slice, Size: 24, Align: 8, Capture: true, Pos: "t.go:1:2"})
	p := newTestPlan(t, sig, fn)
	x, f := upload[int32](t, d, 1, 2, 3), upload[float32](t, d, 1)
	n, table := int16(-2), x.Slice(1, 3).Device()
	args := []any{int8(-1), x.Slice(1, 2), x, onePointer{&f.Device()[0]}, complex64(1 + 2i)}
	captures := []unsafe.Pointer{unsafe.Pointer(&n), unsafe.Pointer(&table)}
	type block struct {
		A        int8
		X        slice
		P, One   unsafe.Pointer
		C        complex64
		N        int16
		Captured []int32
	}
	dst := make([]byte, sig.Size)
	s := d.Stream()
	ok(t, p.pack(dst, s, args, captures))
	got := *(*block)(unsafe.Pointer(&dst[0]))
	want := block{
		-1, slice{unsafe.Add(x.header.ptr, 4), 1, 2}, x.header.ptr, f.header.ptr, 1 + 2i, -2, table,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	table = make([]int32, 2)
	fails(t, p.pack(dst, s, args, captures), "captured variable t (t.go:1:2) is not memory of sim")
	table = nil
	if n := testing.AllocsPerRun(100, func() {
		// Each argument anew, as a caller of Launch writes them.
		a, c := int8(len(dst)), complex(float32(len(args)), 1)
		if err := p.pack(dst, s, []any{a, x, x, onePointer{}, c}, captures); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("packing allocates %v times", n)
	}
}

type floats []float32
