package cpumath

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// cGamma is math.Gamma, except for what C says of negative whole numbers.
func cGamma(x float64) float64 {
	if x < 0 && math.Trunc(x) == x {
		return math.NaN()
	}
	return math.Gamma(x)
}

func cLgamma(x float64) float64 {
	if math.IsInf(x, -1) {
		return math.Inf(1)
	}
	return lgamma(x)
}

func inverseSqrt(x float64) float64 { return 1 / math.Sqrt(x) }

func pow10(x float64) float64 { return math.Pow(10, x) }

var one = []struct {
	name string
	f32  func(float32) float32
	f64  func(float64) float64
	want func(float64) float64
}{
	{"acos", AcosF32, AcosF64, math.Acos}, {"acosh", AcoshF32, AcoshF64, math.Acosh},
	{"asin", AsinF32, AsinF64, math.Asin}, {"asinh", AsinhF32, AsinhF64, math.Asinh},
	{"atan", AtanF32, AtanF64, math.Atan}, {"atanh", AtanhF32, AtanhF64, math.Atanh},
	{"cbrt", CbrtF32, CbrtF64, math.Cbrt}, {"cos", CosF32, CosF64, math.Cos},
	{"cosh", CoshF32, CoshF64, math.Cosh}, {"erf", ErfF32, ErfF64, math.Erf},
	{"erfc", ErfcF32, ErfcF64, math.Erfc}, {"exp", ExpF32, ExpF64, math.Exp},
	{"exp2", Exp2F32, Exp2F64, math.Exp2}, {"exp10", Exp10F32, Exp10F64, pow10},
	{"expm1", Expm1F32, Expm1F64, math.Expm1}, {"lgamma", LgammaF32, LgammaF64, cLgamma},
	{"log", LogF32, LogF64, math.Log}, {"log10", Log10F32, Log10F64, math.Log10},
	{"log1p", Log1pF32, Log1pF64, math.Log1p}, {"log2", Log2F32, Log2F64, math.Log2},
	{"rsqrt", RsqrtF32, RsqrtF64, inverseSqrt}, {"sin", SinF32, SinF64, math.Sin},
	{"sinh", SinhF32, SinhF64, math.Sinh}, {"tan", TanF32, TanF64, math.Tan},
	{"tanh", TanhF32, TanhF64, math.Tanh}, {"tgamma", TgammaF32, TgammaF64, cGamma},
}

var two = []struct {
	name string
	f32  func(x, y float32) float32
	f64  func(x, y float64) float64
	want func(x, y float64) float64
}{
	{"atan2", Atan2F32, Atan2F64, math.Atan2}, {"fmod", FmodF32, FmodF64, math.Mod},
	{"hypot", HypotF32, HypotF64, math.Hypot}, {"pow", PowF32, PowF64, math.Pow},
	{"remainder", RemainderF32, RemainderF64, math.Remainder},
}

var specials = []float64{
	0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 10, 11, 0x1p-149, 0x1p-126, 0x1p-30, 0x1p30, 0x1p24 - 1, 0x1p24, 0x1p24 + 2,
	0x1p-1074, 0x1p-1022, 0x1p-1000, 0x1p1000, 0x1p52 + 1, 0x1p53 - 1, 0x1p53, 0x1p53 + 2, 0x1p63, 0x1p64, 0x1p70,
	1 - 0x1p-53, 1 + 0x1p-52, 171, 172, 184, 185, 200, 709, 710, 745, 746, 1023, 1024, 1074, 1075, 1100, 308, 309, 323, 324,
	math.MaxFloat32, math.MaxFloat64, math.MaxFloat64 / 2, math.Inf(1), math.NaN(),
}

// agrees is whether values are equal where one of them is special, and
// otherwise whether they differ little.
func agrees(got, want, tolerance float64) bool {
	if math.IsNaN(want) || math.IsNaN(got) {
		return math.IsNaN(want) && math.IsNaN(got)
	}
	if want == 0 || math.IsInf(want, 0) || got == 0 || math.IsInf(got, 0) {
		return math.Float64bits(got) == math.Float64bits(want) ||
			math.Abs(got-want) <= 0x1p-1074*8 && want != 0
	}
	return math.Abs(got-want) <= tolerance*math.Abs(want)+0x1p-1074*8
}

// wrong is where package math is, on some machine or everywhere: logarithms of
// subnormal numbers, hyperbolic functions that overflow too early, atan2 where the
// quotient underflows.
func wrong(name string, x, y float64) bool {
	switch name {
	case "log", "log10", "log2", "lgamma":
		return x != 0 && math.Abs(x) < 0x1p-1022 || x == 1+0x1p-52
	case "cosh", "sinh":
		return math.Abs(x) == 710
	case "atan2":
		return x < 0 && y < 0 && x/y == 0
	case "pow":
		return x != 0 && math.Abs(x) < 0x1p-1022
	}
	return false
}

// TestSpecials compares special values, with their signs, to those of package math.
func TestSpecials(t *testing.T) {
	for _, c := range one {
		for _, a := range specials {
			for _, x := range []float64{a, -a} {
				if got, want := c.f64(x), c.want(x); !agrees(got, want, 1e-13) && !wrong(c.name, x, 0) {
					t.Errorf("%s(%g) = %g, want %g", c.name, x, got, want)
				}
				y := float32(x)
				if got, want := c.f32(y), float32(c.want(float64(y))); !agrees(float64(got), float64(want), 1e-6) &&
					math.Abs(float64(got-want)) > 0x1p-148 {
					t.Errorf("%s(float32(%g)) = %g, want %g", c.name, x, got, want)
				}
			}
		}
	}
	for _, c := range two {
		for _, a := range specials {
			for _, b := range specials {
				for i := range 4 {
					x, y := a, b
					if i&1 != 0 {
						x = -x
					}
					if i&2 != 0 {
						y = -y
					}
					if got, want := c.f64(x, y), c.want(x, y); !agrees(got, want, 1e-6) && !wrong(c.name, x, y) {
						t.Errorf("%s(%g, %g) = %g, want %g", c.name, x, y, got, want)
					}
					p, q := float32(x), float32(y)
					if got, want := c.f32(p, q), float32(c.want(float64(p), float64(q))); !wrong(c.name, float64(p), float64(q)) && !agrees(float64(got), float64(want), 1e-6) &&
						math.Abs(float64(got-want)) > 0x1p-148 {
						t.Errorf("%s(float32(%g), float32(%g)) = %g, want %g", c.name, x, y, got, want)
					}
				}
			}
		}
	}
}

func bigPow(x, y float64) num { return bigExp(mul(of(y), bigLog(of(x)))) }

func TestPow64(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var w worst
	try := func(x, y float64) {
		if l := y * math.Log2(x); l < 1100 && l > -1200 {
			w.add(ulp64(PowF64(x, y), bigPow(x, y)), x, y, PowF64(x, y))
		}
	}
	n := 600
	if *long {
		n = 50000
	}
	for range n {
		x := all.at(r)
		try(x, r.NormFloat64())
		if l := math.Log2(x); l != 0 {
			try(x, (r.Float64()*2200-1100)/l)
		}
		x = 0.5 + 1.5*r.Float64()
		try(x, (r.Float64()*2200-1100)/math.Log2(x))
		x = 1 + r.NormFloat64()*math.Exp2(-50*r.Float64())/8
		if x > 0 {
			try(x, (r.Float64()*2200-1100)/math.Log2(x))
		}
	}
	t.Logf("pow: %.3f ulp at %g, %g: %g", w.ulps, w.x, w.y, w.got)
	if !(w.ulps <= 1) {
		t.Errorf("pow: %.3f ulp at %g, %g: is %g", w.ulps, w.x, w.y, w.got)
	}
}

// bigAngle is atan2(y, x).
func bigAngle(y, x float64) num {
	a := bigAtan(quo(of(math.Abs(y)), of(math.Abs(x))))
	if x < 0 {
		a = sub(bigPi(), a)
	}
	if y < 0 {
		a = neg(a)
	}
	return a
}

func TestBinary64(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	sign := func() float64 { return float64(r.IntN(2)*2 - 1) }
	for _, c := range []struct {
		name  string
		f     func(x, y float64) float64
		want  func(x, y float64) num
		bound float64
	}{
		{"atan2", Atan2F64, bigAngle, 1.9},
		{"hypot", HypotF64, func(x, y float64) num { return sqrt(add(mul(of(x), of(x)), mul(of(y), of(y)))) }, 1.1},
	} {
		var w worst
		n := 1500
		if *long {
			n = 50000
		}
		for i := range n {
			x := all.at(r) * sign()
			y := x * sign() * math.Exp2(r.NormFloat64())
			if i%2 != 0 {
				y = all.at(r) * sign()
			}
			if x == 0 || y == 0 || math.IsInf(y, 0) {
				continue
			}
			w.add(ulp64(c.f(x, y), c.want(x, y)), x, y, c.f(x, y))
		}
		t.Logf("%s: %.3f ulp at %g, %g: %g", c.name, w.ulps, w.x, w.y, w.got)
		if !(w.ulps <= c.bound) {
			want, _ := c.want(w.x, w.y).Float64()
			t.Errorf("%s: %.3f ulp at %g, %g: is %g, want %g", c.name, w.ulps, w.x, w.y, w.got, want)
		}
	}
}

// TestModulo compares fmod and remainder, which are exact, to integers.
func TestModulo(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 200000 {
		x := math.Float64frombits(r.Uint64())
		y := math.Float64frombits(r.Uint64())
		if i%4 != 0 {
			y = x * math.Exp2(float64(r.IntN(200)-150)) * r.Float64()
		}
		if i%8 == 1 { // whole quotients, and halves
			y = math.Float64frombits(math.Float64bits(y) &^ (1<<32 - 1))
			x = y * float64(r.IntN(1000)) / 2
		}
		if math.IsNaN(x-x) || math.IsNaN(y-y) || y == 0 {
			continue
		}
		if got, want := FmodF64(x, y), math.Mod(x, y); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("fmod(%b, %b) = %b, want %b", x, y, got, want)
		}
		if i%50 == 0 || i%8 == 1 && i%5 == 0 {
			got, want := RemainderF64(x, y), bigRemainder(x, y)
			if math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("remainder(%b, %b) = %b, want %b", x, y, got, want)
			}
		}
		p, q := float32(x), float32(y)
		if got, want := FmodF32(p, q), float32(math.Mod(float64(p), float64(q))); math.Float32bits(got) != math.Float32bits(want) && want == want {
			t.Fatalf("fmod(%b, %b) = %b, want %b", p, q, got, want)
		}
	}
}

// bigRemainder is exact.
func bigRemainder(x, y float64) float64 {
	a, b := whole(math.Abs(x)), whole(math.Abs(y))
	q, m := new(big.Int).QuoRem(a, b, new(big.Int))
	twice := new(big.Int).Lsh(m, 1)
	if c := twice.Cmp(b); c > 0 || c == 0 && q.Bit(0) != 0 {
		m.Sub(m, b)
	}
	f := new(big.Float).SetInt(m)
	r, _ := f.SetMantExp(f, -1074).Float64()
	if r == 0 {
		return math.Copysign(0, x)
	}
	return r * math.Copysign(1, x)
}

// whole is x in units of 2^-1074.
func whole(x float64) *big.Int {
	f := big.NewFloat(x)
	n, _ := f.SetMantExp(f, 1074).Int(nil)
	return n
}
