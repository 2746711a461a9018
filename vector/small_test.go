package vector

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"
	"testing"
)

// This file holds numbers of 16 bits to a second implementation: all finite ones in a sorted
// list of exact values, among which the nearest is looked up.

// A number16 is Half or BFloat16.
type number16[T any] interface {
	comparable
	Bits() uint16
	Float32() float32
	Float64() float64
	Of(float32) T
	IsNaN() bool
	IsInf() bool
	Add(T) T
	Sub(T) T
	Mul(T) T
	Div(T) T
	Fma(T, T) T
	Neg() T
	Abs() T
	Min(T) T
	Max(T) T
	Sqrt() T
	Rcp() T
	Rsqrt() T
	Floor() T
	Ceil() T
	Trunc() T
	Rint() T
	Equal(T) bool
	Less(T) bool
	LessEqual(T) bool
	Greater(T) bool
	GreaterEqual(T) bool
}

// A format is the second implementation of a number of 16 bits.
type format struct {
	exp, frac int       // bits
	values    []float64 // of the finite ones with a sign of 0, by their bits
}

func newFormat(exp, frac int) *format {
	f := &format{exp: exp, frac: frac}
	bias := 1<<(exp-1) - 1
	for b := range (1<<exp - 1) << frac {
		e, m := b>>frac, b&(1<<frac-1)
		if e > 0 {
			m |= 1 << frac
		} else {
			e = 1
		}
		f.values = append(f.values, math.Ldexp(float64(m), e-bias-frac))
	}
	return f
}

var half16, brain16 = newFormat(5, 10), newFormat(8, 7)

func (f *format) inf() uint16 { return uint16(len(f.values)) }

// value is the number with these bits.
func (f *format) value(b uint16) float64 {
	sign := 1.0
	if b>>15 != 0 {
		sign = -1
	}
	switch m := b & 0x7fff; {
	case m > f.inf():
		return math.NaN()
	case m == f.inf():
		return math.Inf(int(sign))
	default:
		return math.Copysign(f.values[m], sign)
	}
}

// Ways to round.
const (
	nearest = iota
	down
	up
	zero
)

// round is the number for an exact value that is not zero.
func (f *format) round(x *big.Float, mode int) uint16 {
	sign, abs := uint16(0), new(big.Float).Abs(x)
	if x.Signbit() {
		sign = 0x8000
	}
	at := func(i int) *big.Float {
		if i >= len(f.values) { // as if the exponent went on
			return new(big.Float).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(1)<<(f.exp-1)))
		}
		return big.NewFloat(f.values[i])
	}
	above := sort.Search(len(f.values), func(i int) bool { return big.NewFloat(f.values[i]).Cmp(abs) >= 0 })
	if above < len(f.values) && at(above).Cmp(abs) == 0 {
		return sign | uint16(above)
	}
	below := above - 1
	switch {
	case mode == zero, mode == down && sign == 0, mode == up && sign != 0:
		return sign | uint16(below)
	case mode != nearest:
		return sign | uint16(above)
	}
	middle := new(big.Float).SetPrec(500).Add(at(below), at(above))
	middle.Quo(middle, big.NewFloat(2))
	if c := abs.Cmp(middle); c < 0 || c == 0 && below%2 == 0 {
		return sign | uint16(below)
	}
	return sign | uint16(above)
}

func exact(x float64) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(x) }

// binary is what an operation of two numbers must give; quotients and roots have more bits
// than any middle of two numbers has.
func (f *format) binary(op string, a, b, c float64) uint16 {
	var special float64
	switch op {
	case "+":
		special = a + b
	case "-":
		special = a - b
	case "*":
		special = a * b
	case "/":
		special = a / b
	case "fma":
		special = math.FMA(a, b, c)
	}
	if special != special {
		return 0x7fff
	}
	finite := !math.IsInf(a, 0) && !math.IsInf(b, 0) && !math.IsInf(c, 0) && (op != "/" || b != 0)
	if !finite {
		if math.IsInf(special, 0) {
			return uint16(math.Float64bits(special)>>48&0x8000) | f.inf()
		}
		return uint16(math.Float64bits(special) >> 48 & 0x8000) // a quotient of 0
	}
	z := new(big.Float).SetPrec(2000)
	switch op {
	case "+":
		z.Add(exact(a), exact(b))
	case "-":
		z.Sub(exact(a), exact(b))
	case "*":
		z.Mul(exact(a), exact(b))
	case "/":
		z.Quo(exact(a), exact(b))
	case "fma":
		z.Add(z.Mul(exact(a), exact(b)), exact(c))
	}
	if z.Sign() == 0 {
		return uint16(math.Float64bits(special) >> 48 & 0x8000)
	}
	return f.round(z, nearest)
}

// agree compares results by their bits; NaNs are alike.
func (f *format) agree(got, want uint16) bool {
	return got == want || got&0x7fff > f.inf() && want&0x7fff > f.inf()
}

func testUnary[T number16[T]](t *testing.T, f *format, of func(uint16) T, narrow [4]func(float32) T, from64 func(float64) T) {
	bad := 0
	check := func(what string, in any, got, want uint16) {
		if !f.agree(got, want) {
			if bad++; bad < 20 {
				t.Errorf("%s(%v) is %#04x, want %#04x", what, in, got, want)
			}
		}
	}
	for i := range 1 << 16 {
		h := of(uint16(i))
		x := f.value(uint16(i))
		if got := h.Float64(); got != x && (got == got || x == x) || math.Signbit(got) != (i >= 1<<15) && x == x {
			t.Fatalf("%#04x is %v, want %v", i, got, x)
		}
		if h.IsNaN() != (x != x) || h.IsInf() != math.IsInf(x, 0) || h.Bits() != uint16(i) {
			t.Fatalf("%#04x: IsNaN %t, IsInf %t", i, h.IsNaN(), h.IsInf())
		}
		check("Neg", x, h.Neg().Bits(), uint16(i)^0x8000)
		check("Abs", x, h.Abs().Bits(), uint16(i)&0x7fff)
		check("round trip", x, narrow[nearest](h.Float32()).Bits(), uint16(i))
		check("round trip", x, from64(h.Float64()).Bits(), uint16(i))
		if x != x || math.IsInf(x, 0) || x == 0 {
			continue
		}
		for _, r := range []struct {
			name string
			got  T
			want float64
		}{{"Floor", h.Floor(), math.Floor(x)}, {"Ceil", h.Ceil(), math.Ceil(x)}, {"Trunc", h.Trunc(), math.Trunc(x)}, {"Rint", h.Rint(), math.RoundToEven(x)}} {
			if r.got.Float64() != r.want || math.Signbit(r.got.Float64()) != math.Signbit(r.want) {
				t.Errorf("%s(%v) is %v, want %v", r.name, x, r.got.Float64(), r.want)
			}
		}
		check("Rcp", x, h.Rcp().Bits(), f.binary("/", 1, x, 0))
		if x > 0 && i%5 == 0 {
			root := new(big.Float).SetPrec(400).Sqrt(exact(x))
			check("Sqrt", x, h.Sqrt().Bits(), f.round(root, nearest))
			check("Rsqrt", x, h.Rsqrt().Bits(), f.round(new(big.Float).SetPrec(400).Quo(exact(1), root), nearest))
		}
		// What is between this number and the next, in float32 and float64.
		if uint16(i)&0x7fff+1 > f.inf() {
			continue
		}
		y := f.value(uint16(i) + 1)
		if math.IsInf(y, 0) {
			y = 2*x - f.value(uint16(i)-1)
		}
		for _, v := range []float64{(x + y) / 2, math.Nextafter((x+y)/2, x), math.Nextafter((x+y)/2, y), x + (y-x)/16, y - (y-x)/16} {
			if i%3 == 0 {
				check("of float64", v, from64(v).Bits(), f.round(exact(v), nearest))
			}
			w := float32(v)
			if float64(w) == x || float64(w) == y || w == 0 || math.IsInf(float64(w), 0) {
				continue
			}
			if i%3 == 0 {
				for mode, make := range narrow {
					check(fmt.Sprint("of float32, mode ", mode), w, make(w).Bits(), f.round(exact(float64(w)), mode))
				}
			}
		}
	}
}

func TestHalfUnary(t *testing.T) {
	testUnary(t, half16, HalfFromBits, [4]func(float32) Half{MakeHalf, MakeHalfRd, MakeHalfRu, MakeHalfRz}, HalfOf64)
}

func TestBFloat16Unary(t *testing.T) {
	testUnary(t, brain16, BFloat16FromBits, [4]func(float32) BFloat16{MakeBFloat16, MakeBFloat16Rd, MakeBFloat16Ru, MakeBFloat16Rz}, BFloat16Of64)
}

// sample is every number at an edge, and others.
func (f *format) sample(n int) (all []uint16) {
	edges := []uint16{0, 1, 2, 1 << f.frac, 1<<f.frac - 1, 1<<f.frac + 1, f.inf() - 1, f.inf(), f.inf() + 1, 0x7fff, uint16(1<<(f.exp-1)-1) << f.frac, uint16(1<<(f.exp-1)-1)<<f.frac | 1}
	for _, e := range edges {
		all = append(all, e, e|0x8000)
	}
	for i := range n {
		all = append(all, uint16(i*40503+i>>3*7))
	}
	return all
}

func testBinary[T number16[T]](t *testing.T, f *format, of func(uint16) T) {
	all := f.sample(180)
	bad := 0
	for i, a := range all {
		for j, b := range all {
			x, y := of(a), of(b)
			u, v := f.value(a), f.value(b)
			c := all[(i*7+j*13)%len(all)]
			if j%3 == 0 { // where a product and c are about as large
				c = x.Mul(y).Neg().Bits() ^ uint16(j&7)
			}
			for _, r := range []struct {
				name string
				got  T
				want uint16
			}{
				{"+", x.Add(y), f.binary("+", u, v, 0)}, {"-", x.Sub(y), f.binary("-", u, v, 0)},
				{"*", x.Mul(y), f.binary("*", u, v, 0)}, {"/", x.Div(y), f.binary("/", u, v, 0)},
				{"fma", x.Fma(y, of(c)), f.binary("fma", u, v, f.value(c))},
			} {
				if !f.agree(r.got.Bits(), r.want) {
					if bad++; bad < 20 {
						t.Errorf("%v %s %v (%v) is %#04x, want %#04x", u, r.name, v, f.value(c), r.got.Bits(), r.want)
					}
				}
			}
			less := u < v || u == v && math.Signbit(u) && !math.Signbit(v)
			lo, hi := a, b
			if v < u || u == v && !less {
				lo, hi = b, a
			}
			switch {
			case u != u:
				lo, hi = b, b
			case v != v:
				lo, hi = a, a
			}
			if got := x.Min(y).Bits(); !f.agree(got, lo) {
				t.Errorf("Min(%v, %v) is %#04x", u, v, got)
			}
			if got := x.Max(y).Bits(); !f.agree(got, hi) {
				t.Errorf("Max(%v, %v) is %#04x", u, v, got)
			}
			if got, want := []bool{x.Equal(y), x.Less(y), x.LessEqual(y), x.Greater(y), x.GreaterEqual(y)}, []bool{u == v, u < v, u <= v, u > v, u >= v}; !slices.Equal(got, want) {
				t.Errorf("%v and %v compare as %v", u, v, got)
			}
		}
	}
}

func TestHalfBinary(t *testing.T)     { testBinary(t, half16, HalfFromBits) }
func TestBFloat16Binary(t *testing.T) { testBinary(t, brain16, BFloat16FromBits) }

// Vectors are their numbers.
func TestSmallVectors(t *testing.T) {
	for i, b := range half16.sample(200) {
		h := [4]Half{HalfFromBits(b), HalfFromBits(b * 7), HalfFromBits(uint16(i * 999)), HalfFromBits(^b)}
		two, four := MakeHalf2(h[0], h[1]), MakeHalf4(h[0], h[1], h[2], h[3])
		if two.X() != h[0] || two.Y() != h[1] || four.Z() != h[2] || four.W() != h[3] || Half2FromBits(two.Bits()) != two || Half4FromBits(four.Bits()) != four {
			t.Fatal(h, two, four)
		}
		if got, want := two.Fma(two, two).Y(), h[1].Fma(h[1], h[1]); !half16.agree(got.Bits(), want.Bits()) {
			t.Errorf("%v: %v, want %v", h, got, want)
		}
		if got, want := four.Add(four.Neg()).W(), h[3].Sub(h[3]); !half16.agree(got.Bits(), want.Bits()) {
			t.Errorf("%v: %v, want %v", h, got, want)
		}
		if f := two.Float2(); Half2Of(f) != two && !h[0].IsNaN() && !h[1].IsNaN() {
			t.Errorf("%v by way of %v", two, f)
		}
		g := [2]BFloat16{BFloat16FromBits(b), BFloat16FromBits(b * 7)}
		if pair := MakeBFloat162(g[0], g[1]); pair.Less(MakeBFloat162(g[1], g[0])) != [2]bool{g[0].Less(g[1]), g[1].Less(g[0])} {
			t.Errorf("%v", pair)
		}
	}
}
