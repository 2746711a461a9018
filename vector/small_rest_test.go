package vector

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
)

// A more16 has the methods of numbers of 16 bits that number16 has not.
type more16[T any] interface {
	number16[T]
	MinNaN(T) T
	MaxNaN(T) T
	Saturate() T
	Each(func(float32) float32) T
	OfRounded(float32, Rounding) T
	NotEqual(T) bool
	EqualOrNaN(T) bool
	LessOrNaN(T) bool
	LessEqualOrNaN(T) bool
	GreaterOrNaN(T) bool
	GreaterEqualOrNaN(T) bool
}

// All 65,536 are as large as they are between 0 and 1, and no NaN is left.
func testSaturate[T more16[T]](t *testing.T, f *format, of func(uint16) T) {
	var zero T
	one := zero.Of(1).Bits()
	for i := range 1 << 16 {
		b := uint16(i)
		want := b
		switch x := f.value(b); {
		case x != x, x <= 0:
			want = 0
		case x > 1:
			want = one
		}
		if got := of(b).Saturate().Bits(); got != want {
			t.Fatalf("%#04x becomes %#04x, want %#04x", b, got, want)
		}
	}
}

func TestSaturate(t *testing.T) {
	testSaturate(t, half16, HalfFromBits)
	testSaturate(t, brain16, BFloat16FromBits)
}

func testUnordered[T more16[T]](t *testing.T, f *format, of func(uint16) T) {
	all := f.sample(300)
	for _, a := range all {
		for _, b := range all {
			x, y := of(a), of(b)
			u, v := f.value(a), f.value(b)
			nan := u != u || v != v
			got := []bool{x.NotEqual(y), x.EqualOrNaN(y), x.LessOrNaN(y), x.LessEqualOrNaN(y), x.GreaterOrNaN(y), x.GreaterEqualOrNaN(y)}
			want := []bool{u != v, u == v || nan, u < v || nan, u <= v || nan, u > v || nan, u >= v || nan}
			if !slices.Equal(got, want) {
				t.Fatalf("%v and %v compare as %v, want %v", u, v, got, want)
			}
			lo, hi := math.Min(u, v), math.Max(u, v) // which know NaNs and the signs of zeros
			for _, r := range []struct {
				name string
				got  T
				want float64
			}{{"MinNaN", x.MinNaN(y), lo}, {"MaxNaN", x.MaxNaN(y), hi}} {
				if nan {
					r.want = math.NaN()
				}
				if g := f.value(r.got.Bits()); math.Float64bits(g) != math.Float64bits(r.want) && !(g != g && r.want != r.want) {
					t.Fatalf("%s(%v, %v) is %v, want %v", r.name, u, v, g, r.want)
				}
			}
		}
	}
}

func TestUnordered(t *testing.T) {
	testUnordered(t, half16, HalfFromBits)
	testUnordered(t, brain16, BFloat16FromBits)
}

func testOfRounded[T more16[T]](t *testing.T, f *format) {
	var zero T
	modes := map[Rounding]int{RoundNearestEven: nearest, RoundDown: down, RoundUp: up, RoundTowardZero: zero16}
	for _, a := range f.sample(2000) {
		x := f.value(a) * 1.003
		if w := float32(x); float64(w) != float64(w) || w == 0 || math.IsInf(float64(w), 0) {
			continue
		}
		for mode, as := range modes {
			if got, want := zero.OfRounded(float32(x), mode).Bits(), f.round(exact(float64(float32(x))), as); got != want {
				t.Fatalf("%v by mode %d is %#04x, want %#04x", float32(x), mode, got, want)
			}
		}
	}
	if got := zero.Of(3).Each(func(x float32) float32 { return x / 7 }).Bits(); got != zero.Of(3.0/7).Bits() {
		t.Errorf("Each: %#04x", got)
	}
}

const zero16 = zero

func TestOfRounded(t *testing.T) {
	testOfRounded[Half](t, half16)
	testOfRounded[BFloat16](t, brain16)
}

// bitsOf are the bits of a number of 16 bits, of all NaNs the same; of another value itself.
func bitsOf(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case Half:
		if x.IsNaN() {
			return "NaN"
		}
	case BFloat16:
		if x.IsNaN() {
			return "NaN"
		}
	}
	return v.Interface()
}

// Every method of a vector does with each component what the number's method of that name does.
func TestEveryVectorMethod(t *testing.T) {
	h, b := half16.sample(40), brain16.sample(40)
	pick := func(s []uint16, i, n int) []uint16 {
		x := make([]uint16, 4)
		for k := range x {
			x[k] = s[(i*(2*n+3)+k*(i/5+7)+n)%len(s)]
		}
		return x
	}
	half := func(b uint16) reflect.Value { return reflect.ValueOf(HalfFromBits(b)) }
	brain := func(b uint16) reflect.Value { return reflect.ValueOf(BFloat16FromBits(b)) }
	for _, v := range []struct {
		make   any
		one    func(uint16) reflect.Value
		sample []uint16
	}{{MakeHalf2, half, h}, {MakeHalf4, half, h}, {MakeBFloat162, brain, b}, {MakeBFloat164, brain, b}} {
		maker := reflect.ValueOf(v.make)
		width, typ := maker.Type().NumIn(), maker.Type().Out(0)
		methods := 0
		for m := range typ.Methods() {
			scalar, ok := maker.Type().In(0).MethodByName(m.Name)
			if !ok || m.Name == "Bits" || m.Name == "Each" {
				continue
			}
			methods++
			for i := range 150 {
				var parts [3][]reflect.Value
				for n := range parts {
					for _, bits := range pick(v.sample, i, n)[:width] {
						parts[n] = append(parts[n], v.one(bits))
					}
				}
				var args []reflect.Value
				for n := range m.Type.NumIn() {
					args = append(args, maker.Call(parts[n])[0])
				}
				got := m.Func.Call(args)[0]
				for k := range width {
					var each []reflect.Value
					for n := range args {
						each = append(each, parts[n][k])
					}
					want, is := scalar.Func.Call(each)[0], reflect.Value{}
					if got.Kind() == reflect.Array {
						is = got.Index(k)
					} else {
						is = got.MethodByName("XYZW"[k : k+1]).Call(nil)[0]
					}
					if bitsOf(is) != bitsOf(want) {
						t.Fatalf("%v.%s: component %d of %v is %v, want %v", typ, m.Name, k, parts, is, want)
					}
				}
			}
		}
		if methods < 30 {
			t.Errorf("%v: %d methods", typ, methods)
		}
	}
}

func TestVectorMakers(t *testing.T) {
	for n := range 16 {
		b := [4]bool{n&1 != 0, n&2 != 0, n&4 != 0, n&8 != 0}
		one := map[bool]float32{true: 1}
		want := MakeFloat4(one[b[0]], one[b[1]], one[b[2]], one[b[3]])
		two := [2]bool{b[0], b[1]}
		if Half4FromBools(b) != Half4Of(want) || BFloat164FromBools(b) != BFloat164Of(want) ||
			Half2FromBools(two).Float2() != MakeFloat2(want.X, want.Y) || BFloat162FromBools(two).Float2() != MakeFloat2(want.X, want.Y) {
			t.Error(b)
		}
	}
	h, x := MakeHalf(3), MakeBFloat16(5)
	if SplatHalf2(h) != MakeHalf2(h, h) || SplatHalf4(h) != MakeHalf4(h, h, h, h) || SplatBFloat162(x) != MakeBFloat162(x, x) || SplatBFloat164(x) != MakeBFloat164(x, x, x, x) {
		t.Error("splat")
	}
	double := func(x float32) float32 { return 2 * x }
	if got, want := fmt.Sprint(MakeHalf4(h, h.Neg(), h, h).Each(double).Float4()), fmt.Sprint(MakeFloat4(6, -6, 6, 6)); got != want {
		t.Error(got, want)
	}
}
