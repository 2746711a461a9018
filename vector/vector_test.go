package vector

import (
	"math"
	"reflect"
	"testing"
	"unsafe"
)

func TestArithmetic(t *testing.T) {
	a, b := MakeFloat4(1, -2, 3, 8), Float4{2, 4, -0.5, 16}
	i, j := MakeInt3(7, -7, math.MinInt32), Int3{2, 2, -1}
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"Add", a.Add(b), Float4{3, 2, 2.5, 24}},
		{"Sub", a.Sub(b), Float4{-1, -6, 3.5, -8}},
		{"Mul", a.Mul(b), Float4{2, -8, -1.5, 128}},
		{"Div", a.Div(b), Float4{0.5, -0.5, -6, 0.5}},
		{"Neg", a.Neg(), Float4{-1, 2, -3, -8}},
		{"integer Div truncates and wraps", i.Div(j), Int3{3, -3, math.MinInt32}},
		{"unsigned Sub wraps", MakeUchar2(1, 5).Sub(Uchar2{2, 5}), Uchar2{255, 0}},
		{"signed Mul wraps", MakeChar1(-128).Mul(Char1{-1}), Char1{-128}},
		{"Longlong is Long", MakeLonglong2(1, 2).Add(Long2{3, 4}), Longlong2{4, 6}},
		{"Double", MakeDouble2(1, 2).Neg(), Double2{-1, -2}},
		{"Longlong converts to itself", MakeDouble2(1.5, -2.5).Long2(), MakeLonglong2(1, -2)},
		{"Dot", a.Dot(b), float32(2 - 8 - 1.5 + 128)},
		{"Count", Dim3{3, 4, 5}.Count(), 60},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

// Components lie in order without gaps, as in HIP.
func TestLayout(t *testing.T) {
	for _, v := range types {
		typ := reflect.TypeOf(v)
		size := typ.Field(0).Type.Size()
		for i := range typ.NumField() {
			if f := typ.Field(i); f.Name != "XYZW"[i:i+1] || f.Offset != uintptr(i)*size || f.Type != typ.Field(0).Type {
				t.Errorf("%v: %+v", typ, f)
			}
		}
		if typ.Size() != size*uintptr(typ.NumField()) {
			t.Errorf("%v has %d bytes", typ, typ.Size())
		}
	}
	if unsafe.Sizeof(Float4{}) != 16 || unsafe.Sizeof(Int1{}) != 4 {
		t.Error("HIP's float4 has 16 bytes and its int1 has 4")
	}
}
