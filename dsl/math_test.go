package dsl_test

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"heddle/dsl"
)

// same reports whether two floats are equal, NaN to NaN and with their sign.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

var specials = []float64{0, math.Copysign(0, -1), 0.5, -0.5, 1, -1, 1.5, 2.5, -2.5, 3.75, 10, -7.25, 0.1,
	1e-30, 1e30, math.Inf(1), math.Inf(-1), math.NaN()}

type unary struct {
	name string
	f32  func(float32) float32
	f64  func(float64) float64
	want func(float64) float64
}

// of makes a unary; a call lets the compiler infer dsl's type arguments.
func of(name string, f32 func(float32) float32, f64, want func(float64) float64) unary {
	return unary{name, f32, f64, want}
}

type binary struct {
	name string
	f32  func(a, b float32) float32
	f64  func(a, b float64) float64
	want func(a, b float64) float64
}

func ofTwo(name string, f32 func(a, b float32) float32, f64, want func(a, b float64) float64) binary {
	return binary{name, f32, f64, want}
}

// Every function of one argument gives what package math gives, rounded once to float32.
func TestMathOfOne(t *testing.T) {
	sin := func(x float64) float64 { s, _ := dsl.Sincos(x); return s }
	sin32 := func(x float32) float32 { s, _ := dsl.Sincos(x); return s }
	cos := func(x float64) float64 { _, c := dsl.Sincos(x); return c }
	cos32 := func(x float32) float32 { _, c := dsl.Sincos(x); return c }
	for _, c := range []unary{
		of("Acos", dsl.Acos, dsl.Acos, math.Acos),
		of("Acosh", dsl.Acosh, dsl.Acosh, math.Acosh),
		of("Asin", dsl.Asin, dsl.Asin, math.Asin),
		of("Asinh", dsl.Asinh, dsl.Asinh, math.Asinh),
		of("Atan", dsl.Atan, dsl.Atan, math.Atan),
		of("Atanh", dsl.Atanh, dsl.Atanh, math.Atanh),
		of("Cbrt", dsl.Cbrt, dsl.Cbrt, math.Cbrt),
		of("Ceil", dsl.Ceil, dsl.Ceil, math.Ceil),
		of("Cos", dsl.Cos, dsl.Cos, math.Cos),
		of("Cosh", dsl.Cosh, dsl.Cosh, math.Cosh),
		of("Erf", dsl.Erf, dsl.Erf, math.Erf),
		of("Erfc", dsl.Erfc, dsl.Erfc, math.Erfc),
		of("Exp", dsl.Exp, dsl.Exp, math.Exp),
		of("Exp2", dsl.Exp2, dsl.Exp2, math.Exp2),
		of("Expm1", dsl.Expm1, dsl.Expm1, math.Expm1),
		of("Floor", dsl.Floor, dsl.Floor, math.Floor),
		of("Gamma", dsl.Gamma, dsl.Gamma, math.Gamma),
		of("Log", dsl.Log, dsl.Log, math.Log),
		of("Log1p", dsl.Log1p, dsl.Log1p, math.Log1p),
		of("Round", dsl.Round, dsl.Round, math.Round),
		of("Sin", dsl.Sin, dsl.Sin, math.Sin),
		of("Sinh", dsl.Sinh, dsl.Sinh, math.Sinh),
		of("Sqrt", dsl.Sqrt, dsl.Sqrt, math.Sqrt),
		of("Tan", dsl.Tan, dsl.Tan, math.Tan),
		of("Tanh", dsl.Tanh, dsl.Tanh, math.Tanh),
		of("Trunc", dsl.Trunc, dsl.Trunc, math.Trunc),
		of("Abs", dsl.Abs, dsl.Abs, math.Abs),
		of("Rint", dsl.Rint, dsl.Rint, math.RoundToEven),
		of("Exp10", dsl.Exp10, dsl.Exp10, func(x float64) float64 { return math.Pow(10, x) }),
		of("Lgamma", dsl.Lgamma, dsl.Lgamma, func(x float64) float64 { l, _ := math.Lgamma(x); return l }),
		of("Rsqrt", dsl.Rsqrt, dsl.Rsqrt, func(x float64) float64 { return 1 / math.Sqrt(x) }),
		{"Sincos", sin32, sin, math.Sin}, {"Sincos", cos32, cos, math.Cos},
	} {
		for _, x := range specials {
			if got, want := c.f64(x), c.want(x); !same(got, want) {
				t.Errorf("%s(%v) = %v, want %v", c.name, x, got, want)
			}
			want := float32(c.want(float64(float32(x))))
			if got := c.f32(float32(x)); !same(float64(got), float64(want)) {
				t.Errorf("%s(float32(%v)) = %v, want %v", c.name, x, got, want)
			}
		}
	}
}

// Log2 and Log10 are as good as package math's, and better near 1.
func TestLogs(t *testing.T) {
	near := func(a, b float64) bool { return same(a, b) || math.Abs(a-b) <= 4e-16*math.Abs(b) }
	for _, x := range append(specials, 8, 1<<20, 1.0/1024) {
		if got, want := dsl.Log2(x), math.Log2(x); !near(got, want) {
			t.Errorf("Log2(%v) = %v, want %v", x, got, want)
		}
		if got, want := dsl.Log10(x), math.Log10(x); !near(got, want) {
			t.Errorf("Log10(%v) = %v, want %v", x, got, want)
		}
	}
	const x = 1 + 0x1p-20
	if got := dsl.Log2(x); !near(got, 1.375860550841138e-06) {
		t.Errorf("Log2(%v) = %v", x, got)
	}
	if got := dsl.Log10(x); !near(got, 4.141752956539506e-07) {
		t.Errorf("Log10(%v) = %v", x, got)
	}
	if got := dsl.Log2(float32(8)); got != 3 {
		t.Errorf("Log2(float32(8)) = %v", got)
	}
}

func TestMathOfTwo(t *testing.T) {
	for _, c := range []binary{
		ofTwo("Atan2", dsl.Atan2, dsl.Atan2, math.Atan2), ofTwo("Copysign", dsl.Copysign, dsl.Copysign, math.Copysign),
		ofTwo("Hypot", dsl.Hypot, dsl.Hypot, math.Hypot), ofTwo("Mod", dsl.Mod, dsl.Mod, math.Mod), ofTwo("Pow", dsl.Pow, dsl.Pow, math.Pow),
	} {
		for _, x := range specials {
			for _, y := range specials {
				if got, want := c.f64(x, y), c.want(x, y); !same(got, want) {
					t.Errorf("%s(%v, %v) = %v, want %v", c.name, x, y, got, want)
				}
				want := float32(c.want(float64(float32(x)), float64(float32(y))))
				if got := c.f32(float32(x), float32(y)); !same(float64(got), float64(want)) {
					t.Errorf("%s(float32 %v, %v) = %v, want %v", c.name, x, y, got, want)
				}
			}
		}
	}
}

func TestMinMaxSkipNaN(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ x, y, min, max float64 }{
		{1, 2, 1, 2}, {2, 1, 1, 2}, {nan, 1, 1, 1}, {1, nan, 1, 1}, {nan, nan, nan, nan}, {math.Inf(-1), 0, math.Inf(-1), 0},
	} {
		if lo, hi := dsl.Min(c.x, c.y), dsl.Max(c.x, c.y); !same(lo, c.min) || !same(hi, c.max) {
			t.Errorf("Min, Max of %v and %v: %v, %v", c.x, c.y, lo, hi)
		}
	}
	for _, x := range specials {
		if dsl.IsNaN(float32(x)) != (x != x) || dsl.IsInf(float32(x)) != math.IsInf(x, 0) {
			t.Errorf("IsNaN or IsInf of %v", x)
		}
	}
}

// Fma is compared with exact arithmetic on operands chosen to round badly.
func TestFma(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	one := func() float32 {
		return math.Float32frombits(r.Uint32()&^(0xff<<23) | uint32(100+r.IntN(56))<<23)
	}
	for range 100_000 {
		x, y := one(), one()
		z := float32(math.Ldexp(float64(x*y), r.IntN(60)-30))
		if r.IntN(2) == 0 {
			z = one()
		}
		exact := new(big.Float).SetPrec(2000).SetFloat64(float64(x))
		exact.Mul(exact, big.NewFloat(float64(y)))
		exact.Add(exact, big.NewFloat(float64(z)))
		if want, _ := exact.Float32(); dsl.Fma(x, y, z) != want {
			t.Fatalf("Fma(%x, %x, %x) = %x, want %x", x, y, z, dsl.Fma(x, y, z), want)
		}
	}
	for _, x := range specials {
		for _, y := range specials {
			for _, z := range specials {
				want := math.FMA(x, y, z)
				if got := dsl.Fma(x, y, z); !same(got, want) {
					t.Errorf("Fma(%v, %v, %v) = %v, want %v", x, y, z, got, want)
				}
				// Infinities, NaN and zeros are as in float64.
				got := float64(dsl.Fma(float32(x), float32(y), float32(z)))
				if (want-want != 0 || want == 0) && !same(got, want) {
					t.Errorf("Fma(float32 %v, %v, %v) = %v, want %v", x, y, z, got, want)
				}
			}
		}
	}
}

func TestIntegerFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	check := func(what string, got, want any) {
		if got != want {
			t.Errorf("%s = %v, want %v", what, got, want)
		}
	}
	values := []uint64{0, 1, 1 << 31, 1 << 32, 1 << 63, math.MaxUint64}
	for range 200 {
		values = append(values, r.Uint64()>>r.IntN(64))
	}
	for _, x := range values {
		y := values[r.IntN(len(values))]
		a, b := uint32(x), uint32(y)
		check("Popc", dsl.Popc(a), bits.OnesCount32(a))
		check("Popc", dsl.Popc(x), bits.OnesCount64(x))
		check("Clz", dsl.Clz(a), bits.LeadingZeros32(a))
		check("Clz", dsl.Clz(x), bits.LeadingZeros64(x))
		check("Ctz", dsl.Ctz(a), bits.TrailingZeros32(a))
		check("Ctz", dsl.Ctz(x), bits.TrailingZeros64(x))
		check("Ffs", dsl.Ffs(a), (bits.TrailingZeros32(a)+1)%33)
		check("Ffs", dsl.Ffs(x), (bits.TrailingZeros64(x)+1)%65)
		check("Brev", dsl.Brev(a), bits.Reverse32(a))
		check("Brev", dsl.Brev(x), bits.Reverse64(x))
		check("Mulhi", dsl.Mulhi(a, b), uint32(uint64(a)*uint64(b)>>32))
		check("Mulhi", dsl.Mulhi(int32(a), int32(b)), int32(int64(int32(a))*int64(int32(b))>>32))
		hi, _ := bits.Mul64(x, y)
		check("Mulhi", dsl.Mulhi(x, y), hi)
		p := new(big.Int).Mul(big.NewInt(int64(x)), big.NewInt(int64(y)))
		check("Mulhi", dsl.Mulhi(int64(x), int64(y)), p.Rsh(p, 64).Int64())
	}
}
