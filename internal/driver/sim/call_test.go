package sim

import (
	"fmt"
	"reflect"
	"testing"
)

type vec struct{ X, Y, Z, W float32 }

type mixed struct {
	A uint8
	B float64
	C []int16
	D [1]complex64
	E struct{ _ [0]int }
	F *int
}

// TestCaller calls functions of many types in both ways and compares the arguments that arrive.
func TestCaller(t *testing.T) {
	if !registersWork.Get() {
		t.Log("the calling convention is not the one expected: only reflection is tested")
	}
	n := 5
	var got []any
	take := func(args ...any) { got = args }
	big := [3]int{1, 2, 3}
	for _, c := range []struct {
		fn        any
		args      []any
		registers bool
	}{
		{func() { take() }, nil, true},
		{func(a float32, x, y []float32) { take(a, x, y) }, []any{float32(2), []float32{1, 2}, make([]float32, 3, 9)}, true},
		{func(a bool, b int8, c uint16, d int32, e uintptr) { take(a, b, c, d, e) }, []any{true, int8(-1), uint16(65535), int32(-7), uintptr(9)}, true},
		{func(a vec, b float64, p *int) { take(a, b, p) }, []any{vec{1, 2, 3, 4}, -0.5, &n}, true},
		{func(a mixed, s string) { take(a, s) }, []any{mixed{A: 200, B: 1e300, C: []int16{7}, D: [1]complex64{3 + 4i}, F: &n}, "text"}, true},
		{func(a complex128, b struct{}, c any) { take(a, b, c) }, []any{1 - 2i, struct{}{}, any(3)}, true},
		{func(a [2]int) { take(a) }, []any{[2]int{1, 2}}, false},
		{func(a, b, c, d []int) { take(a, b, c, d) }, []any{big[:1], big[:2], big[1:], []int(nil)}, false},
		{func(a, b, c, d vec) { take(a, b, c, d) }, []any{vec{1, 2, 3, 4}, vec{X: 5}, vec{Y: 6}, vec{W: 7}}, false},
		{func(a [0]int, b func(), m map[int]int) { take(a, b == nil, m) }, []any{[0]int{}, (func())(nil), map[int]int{1: 2}}, true},
	} {
		t.Run(fmt.Sprintf("%T", c.fn), func(t *testing.T) {
			fn, in := reflect.ValueOf(c.fn), []reflect.Value{}
			for _, a := range c.args {
				in = append(in, reflect.ValueOf(a))
			}
			fn.Call(in)
			want := got
			got = nil
			caller(fn, in)()
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			if direct := inRegisters(fn, in) != nil; registersWork.Get() && direct != c.registers {
				t.Errorf("in registers: %v, want %v", direct, c.registers)
			}
		})
	}
}

func BenchmarkCaller(b *testing.B) {
	x := make([]float32, 10)
	fn := reflect.ValueOf(func(a float32, x, y []float32) { y[3] += a * x[3] })
	in := []reflect.Value{reflect.ValueOf(float32(2)), reflect.ValueOf(x), reflect.ValueOf(x)}
	b.Run("registers", func(b *testing.B) {
		call := caller(fn, in)
		for b.Loop() {
			call()
		}
	})
	b.Run("reflection", func(b *testing.B) {
		for b.Loop() {
			fn.Call(in)
		}
	})
}
