package cpumath

import (
	"flag"
	"math"
	"testing"
)

var long = flag.Bool("long", false, "try every float32")

// ulp32 is how far got is from want, in units of the last place of float32.
func ulp32(got float32, want float64) float64 {
	rounded := float32(want)
	switch {
	case math.IsNaN(want) || math.IsNaN(float64(got)):
		if math.IsNaN(want) && math.IsNaN(float64(got)) {
			return 0
		}
		return math.Inf(1)
	case got == rounded:
		if got == 0 && math.Signbit(float64(got)) != math.Signbit(want) {
			return math.Inf(1)
		}
		if math.IsInf(float64(got), 0) {
			return 0
		}
	case math.IsInf(float64(rounded), 0):
		rounded = float32(math.Copysign(math.MaxFloat32, want))
		if got != rounded {
			return math.Inf(1)
		}
		return 1
	case math.IsInf(float64(got), 0):
		return math.Abs(want-math.Copysign(0x1p128, float64(got))) * 0x1p-104
	}
	exp := max(math.Ilogb(want)-23, -149)
	if want == 0 {
		exp = -149
	}
	return math.Abs(float64(got)-want) * math.Ldexp(1, -exp)
}

// A worst is the largest error met, and where.
type worst struct {
	ulps float64
	x, y float64
	got  float64
}

func (w *worst) add(ulps, x, y, got float64) {
	if ulps > w.ulps || math.IsNaN(ulps) {
		*w = worst{ulps, x, y, got}
	}
}

var unary32 = []struct {
	name  string
	f     func(float32) float32
	want  func(float64) float64
	bound float64
}{
	{"exp", ExpF32, math.Exp, 1},
	{"exp2", Exp2F32, math.Exp2, 1.2},
	{"exp10", Exp10F32, func(x float64) float64 { return math.Pow(10, x) }, 1.3},
	{"expm1", Expm1F32, math.Expm1, 1.3},
	{"log", LogF32, math.Log, 1},
	{"log2", Log2F32, math.Log2, 1.45},
	{"log10", Log10F32, math.Log10, 1.4},
	{"log1p", Log1pF32, math.Log1p, 1},
	{"sin", SinF32, math.Sin, 1.9},
	{"cos", CosF32, math.Cos, 1.9},
	{"tan", TanF32, math.Tan, 3},
	{"sinh", SinhF32, math.Sinh, 2},
	{"cosh", CoshF32, math.Cosh, 2},
	{"tanh", TanhF32, math.Tanh, 1.5},
	{"erf", ErfF32, math.Erf, 1.5},
	{"acos", AcosF32, math.Acos, 0.501},
	{"asin", AsinF32, math.Asin, 0.501},
	{"atan", AtanF32, math.Atan, 0.501},
	{"acosh", AcoshF32, math.Acosh, 0.501},
	{"asinh", AsinhF32, math.Asinh, 0.501},
	{"atanh", AtanhF32, math.Atanh, 0.501},
	{"cbrt", CbrtF32, math.Cbrt, 0.501},
	{"erfc", ErfcF32, math.Erfc, 0.501},
	{"rsqrt", RsqrtF32, func(x float64) float64 { return 1 / math.Sqrt(x) }, 1.9},
}

func lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}

func TestUnary32(t *testing.T) {
	step := uint64(1009)
	if *long {
		step = 1
	}
	for _, c := range unary32 {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var w worst
			for b := uint64(0); b < 1<<32; b += step {
				x := math.Float32frombits(uint32(b))
				w.add(ulp32(c.f(x), c.want(float64(x))), float64(x), 0, float64(c.f(x)))
			}
			for _, x := range edges32 {
				w.add(ulp32(c.f(x), c.want(float64(x))), float64(x), 0, float64(c.f(x)))
			}
			t.Logf("%s: %.3f ulp at %g: %g", c.name, w.ulps, w.x, w.got)
			if !(w.ulps <= c.bound) {
				t.Errorf("%.3f ulp at %g (%#x), at most %g; is %g, want %g", w.ulps, w.x, math.Float32bits(float32(w.x)), c.bound, w.got, c.want(w.x))
			}
		})
	}
}

// edges32 are special values, and numbers around them.
var edges32 = func() []float32 {
	var all []float32
	for _, x := range []float32{0, 1e-45, 0x1p-126, 0x1p-24, 0.5, 2.0 / 3, 1, 4.0 / 3, math.Pi / 4, math.Pi / 2, math.Pi, 2, 3000, 87, 88, 88.7228, 103, 103.9, 104, 126, 127, 128, 149, 150, 38, 37.9, 44.9, 45.2, 1 << 23, 1 << 24, math.MaxFloat32} {
		b := math.Float32bits(x)
		for d := -20; d <= 20; d++ {
			y := math.Float32frombits(b + uint32(d))
			all = append(all, y, -y)
		}
	}
	for n := 1; n < 4000; n++ {
		b := math.Float32bits(float32(float64(n) * math.Pi / 2))
		for d := -2; d <= 2; d++ {
			y := math.Float32frombits(b + uint32(d))
			all = append(all, y, -y)
		}
	}
	inf := float32(math.Inf(1))
	return append(all, inf, -inf, float32(math.NaN()))
}()

func TestPow32(t *testing.T) {
	var w worst
	try := func(x, y float32) {
		got := PowF32(x, y)
		w.add(ulp32(got, math.Pow(float64(x), float64(y))), float64(x), float64(y), float64(got))
	}
	for b := uint64(0); b < 1<<32; b += 400009 {
		x := math.Float32frombits(uint32(b))
		for c := uint64(b % 7919); c < 1<<32; c += 7919 * 401 {
			try(x, math.Float32frombits(uint32(c)))
		}
		if l := math.Log2(math.Abs(float64(x))); l != 0 {
			for r := -160.0; r < 140; r += 0.37 {
				try(abs32(x), float32(r/l))
			}
		}
	}
	xs := []float32{0, 1, 2, 3, 0.5, 1.5, -1, 0x1p-149, 0x1p-126, math.MaxFloat32, float32(math.Inf(1)), float32(math.NaN()), 1 << 23, 1<<24 - 1, 1 << 24, 8388609.5, 4194303.5, 0.99999994, 1.0000001, 33, 127, 128, 149}
	for _, x := range xs {
		for _, y := range xs {
			try(x, y)
			try(-x, y)
			try(x, -y)
			try(-x, -y)
		}
	}
	t.Logf("%.3f ulp at %g, %g: %g", w.ulps, w.x, w.y, w.got)
	if !(w.ulps <= 1.3) {
		t.Errorf("%.3f ulp at %g, %g: is %g, want %g", w.ulps, w.x, w.y, w.got, math.Pow(w.x, w.y))
	}
}

// TestGamma32 is apart: the references are not good beside the functions' zeros.
func TestGamma32(t *testing.T) {
	var g, l worst
	for b := uint64(0); b < 1<<32; b += 10007 {
		x := math.Float32frombits(uint32(b))
		y := float64(x)
		if y > 0 && y < 0.5 || y < 0 && y > -0.001 { // Go's are less accurate there
			continue
		}
		if !math.IsInf(y, -1) {
			g.add(ulp32(TgammaF32(x), math.Gamma(y)), y, 0, float64(TgammaF32(x)))
		}
		if want := lgamma(y); !(math.Abs(want) < 1) && !math.IsInf(y, 0) {
			l.add(ulp32(LgammaF32(x), want), y, 0, float64(LgammaF32(x)))
		}
	}
	t.Logf("tgamma: %.3f ulp at %g: %g; lgamma: %.3f ulp at %g: %g", g.ulps, g.x, g.got, l.ulps, l.x, l.got)
	if !(g.ulps < 0.51 && l.ulps < 0.51) {
		t.Errorf("want tgamma(%g) = %g, lgamma(%g) = %g", g.x, math.Gamma(g.x), l.x, lgamma(l.x))
	}
}
