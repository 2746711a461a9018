package typed

import (
	"math"
	"reflect"
	"runtime"
	"testing"
	"unsafe"
)

type keeper struct {
	Head
	frame *Frame
	got   []byte
	do    func()
}

func makeFunc[F any](do func()) (F, *keeper) {
	k := &keeper{frame: NewFrame(reflect.TypeFor[F]()), do: do}
	k.got = make([]byte, k.frame.size)
	k.Init(func(h *Head, regs *Regs, stack unsafe.Pointer) {
		k := (*keeper)(unsafe.Pointer(h))
		if k.do != nil {
			k.do()
		}
		k.frame.Copy(k.got, Words{regs, stack})
	})
	return *(*F)(unsafe.Pointer(&k)), k
}

func TestWorks(t *testing.T) {
	if (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") != Works() {
		t.Error("works:", Works())
	}
	if !Works() {
		t.Skip("there is no stub for", runtime.GOARCH)
	}
}

// grow makes the stack larger than it was.
//
//go:noinline
func grow(n int) int {
	var room [256]byte
	room[n%256] = 1
	if n == 0 {
		return int(room[0])
	}
	return grow(n-1) + int(room[1])
}

// TestRandom calls functions of random types with random arguments, while the collector runs
// and the stack moves.
func TestRandom(t *testing.T) {
	if !Works() {
		t.Skip("there is no stub for", runtime.GOARCH)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		type args struct {
			A, B, C, D []float32
			N          int
			F          float64
			G          [3]int16
			H          bool
			I          struct {
				X float32
				Y []int8
			}
			P *int
		}
		f, k := makeFunc[func(a, b, c, d []float32, n int, f float64, g [3]int16, h bool, i struct {
			X float32
			Y []int8
		}, p *int)](func() {
			runtime.GC()
			grow(2000)
		})
		for i := range 20 {
			w := args{make([]float32, i), make([]float32, 1, i+2), nil, make([]float32, 5), -i, math.Pi * float64(i), [3]int16{1, -2, 3}, i%2 == 0, struct {
				X float32
				Y []int8
			}{float32(i), make([]int8, 2*i)}, new(int)}
			f(w.A, w.B, w.C, w.D, w.N, w.F, w.G, w.H, w.I, w.P)
			want := unsafe.Slice((*byte)(unsafe.Pointer(&w)), unsafe.Sizeof(w))
			for j := range k.got {
				if k.got[j] != want[j] && !padding(reflect.TypeFor[args](), j) {
					t.Errorf("byte %d: %x, want %x", j, k.got[j], want[j])
				}
			}
			runtime.KeepAlive(w)
		}
	}()
	<-done
}

// padding reports whether a byte of a struct is between its fields.
func padding(t reflect.Type, at int) bool {
	for f := range t.Fields() {
		if o := at - int(f.Offset); o >= 0 && o < int(f.Type.Size()) {
			return f.Type.Kind() == reflect.Struct && padding(f.Type, o)
		}
	}
	return true
}

func TestForeign(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[func(string)](), reflect.TypeFor[func(int, []any, any)](), reflect.TypeFor[func(struct{ f func() })]()} {
		if NewFrame(typ) != nil {
			t.Error(typ, "has a frame")
		}
	}
}

func TestAllocs(t *testing.T) {
	if !Works() {
		t.Skip("there is no stub for", runtime.GOARCH)
	}
	f, k := makeFunc[func(float32, []float32, []float32)](nil)
	x := make([]float32, 4)
	if n := testing.AllocsPerRun(100, func() { f(2, x, x) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if *(*float32)(unsafe.Pointer(&k.got[0])) != 2 {
		t.Error(k.got)
	}
}

func BenchmarkCall(b *testing.B) {
	f, _ := makeFunc[func(float32, []float32, []float32)](nil)
	x := make([]float32, 4)
	for b.Loop() {
		f(2, x, x)
	}
}

func BenchmarkMakeFunc(b *testing.B) {
	f := reflect.MakeFunc(reflect.TypeFor[func(float32, []float32, []float32)](), func([]reflect.Value) []reflect.Value { return nil }).
		Interface().(func(float32, []float32, []float32))
	x := make([]float32, 4)
	b.ReportAllocs()
	for b.Loop() {
		f(2, x, x)
	}
}
