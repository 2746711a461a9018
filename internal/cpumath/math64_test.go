package cpumath

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// ulp64 is how far got is from want, in units of the last place of float64.
func ulp64(got float64, want num) float64 {
	rounded, _ := want.Float64()
	if math.IsInf(rounded, 0) {
		if got == rounded {
			return 0
		}
	}
	if math.IsNaN(got) {
		return math.Inf(1)
	}
	exp := -1074
	if want.Sign() != 0 {
		exp = max(want.MantExp(nil)-53, -1074)
	}
	g := new(big.Float).SetPrec(300)
	if math.IsInf(got, 0) {
		g.SetMantExp(big.NewFloat(math.Copysign(1, got)), 1024)
	} else {
		g.SetFloat64(got)
	}
	d := new(big.Float).SetPrec(300).Sub(g, want)
	f, _ := d.SetMantExp(d, -exp).Float64()
	return math.Abs(f)
}

// A span is where arguments are taken from: log says evenly by their logarithms.
type span struct {
	lo, hi float64
	log    bool
}

var all = span{0x1p-1074, math.MaxFloat64, true}

func (s span) at(r *rand.Rand) float64 {
	if s.log {
		l, h := math.Log2(s.lo), math.Log2(s.hi)
		return min(max(math.Exp2(l+(h-l)*r.Float64())*(1+r.Float64()*0x1p-20), s.lo), s.hi)
	}
	return s.lo + (s.hi-s.lo)*r.Float64()
}

// both also takes the arguments' negatives.
var unary64 = []struct {
	name  string
	f     func(float64) float64
	want  func(num) num
	both  bool
	bound float64
	spans []span
}{
	{"exp", ExpF64, bigExp, true, 1, []span{{0, 1, false}, {0, 746, false}, {690, 746, false}, {0x1p-60, 1, true}}},
	{"exp2", Exp2F64, func(x num) num { return bigExp(mul(x, bigLn2())) }, true, 1, []span{{0, 1, false}, {0, 1080, false}, {0x1p-60, 1, true}}},
	{"exp10", Exp10F64, func(x num) num { return bigExp(mul(x, bigLog(of(10)))) }, true, 1, []span{{0, 1, false}, {0, 325, false}, {0x1p-60, 1, true}}},
	{"expm1", Expm1F64, bigExpm1, true, 1.2, []span{{0, 1, false}, {0, 720, false}, {0x1p-1074, 1, true}}},
	{"log", LogF64, bigLog, false, 1, []span{all, {0.5, 2, false}, {0.99, 1.01, false}, {0x1p-1074, 0x1p-1020, true}}},
	{"log2", Log2F64, func(x num) num { return quo(bigLog(x), bigLn2()) }, false, 1, []span{all, {0.5, 2, false}, {0.99, 1.01, false}}},
	{"log10", Log10F64, func(x num) num { return quo(bigLog(x), bigLog(of(10))) }, false, 1, []span{all, {0.5, 2, false}, {0.99, 1.01, false}}},
	{"log1p", Log1pF64, bigLog1p, false, 1.2, []span{all, {-0.9999999, 2, false}, {-0.3, 0.5, false}}},
	{"sin", SinF64, func(x num) num { return bigSin(x, 0) }, true, 1.6, []span{{0, 10, false}, {0, 1000, false}, {0, 1e6, false}, all}},
	{"cos", CosF64, func(x num) num { return bigSin(x, 1) }, true, 1.6, []span{{0, 10, false}, {0, 1000, false}, {0, 1e6, false}, all}},
	{"tan", TanF64, func(x num) num { return quo(bigSin(x, 0), bigSin(x, 1)) }, true, 2.4, []span{{0, 10, false}, {0, 1000, false}, {0, 1e6, false}, all}},
	{"atan", AtanF64, bigAtan, true, 1.5, []span{{0, 2, false}, {0, 10, false}, all}},
	{"asin", AsinF64, bigAsin, true, 1.5, []span{{0, 1, false}, {0.45, 0.55, false}, {0x1p-1074, 1, true}}},
	{"acos", AcosF64, func(x num) num { return sub(ldexp(bigPi(), -1), bigAsin(x)) }, true, 1.5, []span{{0, 1, false}, {0.45, 0.55, false}, {0.999, 1, false}}},
	{"sinh", SinhF64, func(x num) num { return bigSinh(x) }, true, 1.5, []span{{0, 3, false}, {0, 711, false}, {0x1p-1074, 1, true}}},
	{"cosh", CoshF64, func(x num) num { return ldexp(add(bigExp(x), bigExp(neg(x))), -1) }, true, 1, []span{{0, 3, false}, {0, 711, false}, {0x1p-100, 1, true}}},
	{"tanh", TanhF64, func(x num) num { return quo(bigSinh(x), sqrt(add(of(1), mul(bigSinh(x), bigSinh(x))))) }, true, 1.6, []span{{0, 3, false}, {0, 30, false}, {0x1p-400, 1, true}}},
	{"asinh", AsinhF64, func(x num) num {
		z := mul(x, x)
		return bigLog1p(add(x, quo(z, add(of(1), sqrt(add(of(1), z))))))
	}, false, 2.5, []span{{0, 3, false}, all}},
	{"acosh", AcoshF64, func(x num) num { t := sub(x, of(1)); return bigLog1p(add(t, sqrt(mul(t, add(t, of(2)))))) }, false, 2.5, []span{{1, 3, false}, {1, 1.01, false}, {1, math.MaxFloat64, true}}},
	{"atanh", AtanhF64, func(x num) num { return ldexp(bigLog1p(quo(ldexp(x, 1), sub(of(1), x))), -1) }, false, 2.4, []span{{0, 0.999999, false}, {0x1p-1074, 1, true}}},
	{"cbrt", CbrtF64, bigCbrt, true, 0.8, []span{{1, 8, false}, all}},
	{"rsqrt", RsqrtF64, func(x num) num { return sqrt(quo(of(1), x)) }, false, 0.9, []span{{1, 4, false}, all}},
	{"erf", ErfF64, bigErf, false, 1.5, []span{{0, 2, false}, {0, 6, false}, {0x1p-1074, 1, true}}},
	{"erfc", ErfcF64, bigErfc, false, 4.4, []span{{-2, 2, false}, {0, 10, false}, {10, 27.2, false}}},
	{"lgamma", LgammaF64, bigLgamma, false, 4.4, []span{{0, 3, false}, {0, 20, false}, {0x1p-1000, 0x1p1000, true}, {0.99, 1.01, false}, {1.99, 2.01, false}}},
	{"tgamma", TgammaF64, func(x num) num { return bigExp(bigLgamma(x)) }, false, 10, []span{{0, 3, false}, {0, 13, false}, {12, 171.6, false}}},
	{"tgamma of negatives", func(x float64) float64 { return math.Abs(TgammaF64(-x)) }, func(x num) num {
		r := mul(reflected(x), bigExp(neg(bigLgamma(x))))
		return r.Abs(r)
	}, false, 10, []span{{0.001, 3, false}, {0, 13, false}, {12, 170, false}, {170, 185, false}}},
}

func bigAsin(x num) num {
	return bigAtan(quo(x, sqrt(mul(sub(of(1), x), add(of(1), x)))))
}

func bigSinh(x num) num {
	if x.Sign() < 0 {
		return neg(bigSinh(neg(x)))
	}
	e := bigExpm1(x)
	return ldexp(add(e, quo(e, add(e, of(1)))), -1)
}

func bigCbrt(x num) num {
	f, _ := x.Float64()
	y := of(math.Cbrt(f))
	for range 4 {
		y = quo(add(ldexp(y, 1), quo(x, mul(y, y))), of(3))
	}
	return y
}

func TestUnary64(t *testing.T) {
	count := 400
	if *long {
		count = 20000
	}
	for _, c := range unary64 {
		r := rand.New(rand.NewPCG(1, 2))
		var w worst
		try := func(x float64) {
			if x == 0 {
				return
			}
			w.add(ulp64(c.f(x), c.want(of(x))), x, 0, c.f(x))
		}
		for _, s := range c.spans {
			for range count {
				x := s.at(r)
				try(x)
				if c.both {
					try(-x)
				}
			}
			for n := range 5 {
				try(math.Float64frombits(math.Float64bits(s.hi) - uint64(n+1)))
				if s.lo != 0 {
					try(math.Float64frombits(math.Float64bits(s.lo) + uint64(n+1)))
				}
			}
		}
		if c.name == "sin" || c.name == "cos" || c.name == "tan" {
			for n := 1.0; n < 0x1p50; n *= 1.03 { // beside their zeros
				x := math.Round(n) * (math.Pi / 2)
				for d := range uint64(3) {
					try(math.Float64frombits(math.Float64bits(x) + d - 1))
				}
			}
			try(6381956970095103 * 0x1p797) // the nearest of all to a multiple of pi/2
		}
		t.Logf("%s: %.3f ulp at %g: %g", c.name, w.ulps, w.x, w.got)
		if !(w.ulps <= c.bound) {
			want, _ := c.want(of(w.x)).Float64()
			t.Errorf("%s: %.3f ulp at %g (%#x), at most %g: is %g, want %g", c.name, w.ulps, w.x, math.Float64bits(w.x), c.bound, w.got, want)
		}
	}
}
