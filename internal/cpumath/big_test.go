package cpumath

import (
	"math"
	"math/big"
)

// This file is the reference: elementary functions by their series, with big
// numbers of prec bits.

type num = *big.Float

var prec uint = 160

func newNum() num            { return new(big.Float).SetPrec(prec) }
func of(x float64) num       { return newNum().SetFloat64(x) }
func add(a, b num) num       { return newNum().Add(a, b) }
func sub(a, b num) num       { return newNum().Sub(a, b) }
func mul(a, b num) num       { return newNum().Mul(a, b) }
func quo(a, b num) num       { return newNum().Quo(a, b) }
func sqrt(a num) num         { return newNum().Sqrt(a) }
func neg(a num) num          { return newNum().Neg(a) }
func ldexp(a num, n int) num { return newNum().SetMantExp(a, n) }

// series sums terms until they no longer matter; next makes term n from term n-1.
func series(first num, next func(term num, n int64) num) num {
	s, t := newNum().Set(first), first
	for n := int64(1); ; n++ {
		t = next(t, n)
		if t.Sign() == 0 || t.MantExp(nil) < s.MantExp(nil)-int(prec)-4 {
			return s
		}
		s = add(s, t)
	}
}

func constant(f func() num) func() num {
	known := map[uint]num{}
	return func() num {
		if known[prec] == nil {
			p := prec
			prec += 64
			v := f()
			prec = p
			known[prec] = newNum().Set(v)
		}
		return known[prec]
	}
}

var bigLn2 = constant(func() num { return ldexp(atanhSeries(quo(of(1), of(3))), 1) })

// Machin's formula
var bigPi = constant(func() num {
	a := func(n float64) num {
		x := quo(of(1), of(n))
		z := neg(mul(x, x))
		p := x
		return series(x, func(_ num, n int64) num { p = mul(p, z); return quo(p, of(float64(2*n+1))) })
	}
	return sub(mul(of(16), a(5)), mul(of(4), a(239)))
})

func atanhSeries(x num) num {
	z := mul(x, x)
	p := x
	return series(x, func(_ num, n int64) num { p = mul(p, z); return quo(p, of(float64(2*n+1))) })
}

func bigExp(x num) num {
	q, _ := quo(x, bigLn2()).Float64()
	n := int(math.RoundToEven(q))
	r := ldexp(sub(x, mul(of(float64(n)), bigLn2())), -8)
	s := series(of(1), func(t num, n int64) num { return quo(mul(t, r), of(float64(n))) })
	for range 8 {
		s = mul(s, s)
	}
	return ldexp(s, n)
}

// bigExpm1 keeps the relative precision of small results.
func bigExpm1(x num) num {
	if x.Sign() != 0 && x.MantExp(nil) < -3 {
		return series(x, func(t num, n int64) num { return quo(mul(t, x), of(float64(n+1))) })
	}
	return sub(bigExp(x), of(1))
}

func bigLog(x num) num {
	m := newNum()
	k := x.MantExp(m)
	if m.Cmp(of(0.7)) < 0 {
		m, k = ldexp(m, 1), k-1
	}
	s := atanhSeries(quo(sub(m, of(1)), add(m, of(1))))
	return add(ldexp(s, 1), mul(of(float64(k)), bigLn2()))
}

// bigLog1p keeps the relative precision of small results.
func bigLog1p(x num) num {
	if x.Sign() != 0 && x.MantExp(nil) < -3 {
		return ldexp(atanhSeries(quo(x, add(of(2), x))), 1)
	}
	return bigLog(add(of(1), x))
}

// bigSin is sin(x + n pi/2).
func bigSin(x num, n int64) num {
	p := prec
	if e := x.MantExp(nil); e > 0 {
		prec += uint(e) + 80
	}
	prec += 80
	half := ldexp(bigPi(), -1)
	q, _ := add(quo(x, half), of(math.Copysign(0.5, float64(x.Sign())))).Int(nil)
	r := sub(x, mul(newNum().SetInt(q), half))
	prec = p
	r = newNum().Set(r)
	z := neg(mul(r, r))
	n += new(big.Int).And(q, big.NewInt(3)).Int64()
	first, odd := r, int64(1)
	if n&1 != 0 {
		first, odd = of(1), 0
	}
	if first.Sign() == 0 {
		return first
	}
	s := series(first, func(t num, n int64) num { return quo(mul(t, z), of(float64((2*n+odd)*(2*n+odd-1)))) })
	if n&2 != 0 {
		s = neg(s)
	}
	return s
}

func bigAtan(x num) num {
	if x.Sign() == 0 {
		return x
	}
	for range 4 {
		x = quo(x, add(of(1), sqrt(add(of(1), mul(x, x)))))
	}
	z := neg(mul(x, x))
	p := x
	s := series(x, func(_ num, n int64) num { p = mul(p, z); return quo(p, of(float64(2*n+1))) })
	return ldexp(s, 4)
}

func bigErf(x num) num {
	if x.Sign() == 0 {
		return x
	}
	p := prec
	f, _ := x.Float64()
	prec += uint(f * f * 3)
	z := neg(mul(x, x))
	t := x
	s := series(x, func(_ num, n int64) num {
		t = quo(mul(t, z), of(float64(n)))
		return quo(t, of(float64(2*n+1)))
	})
	s = quo(ldexp(s, 1), sqrt(bigPi()))
	prec = p
	return s
}

func bigErfc(x num) num {
	p := prec
	f, _ := x.Float64()
	prec += uint(f*f*3) + 60
	r := sub(of(1), bigErf(x))
	prec = p
	return r
}

var bernoulli = func() []num {
	var b []*big.Rat
	var all []num
	for m := int64(0); m <= 60; m++ {
		s := new(big.Rat)
		for k := int64(0); k < m; k++ {
			s.Add(s, new(big.Rat).Mul(new(big.Rat).SetInt(new(big.Int).Binomial(m+1, k)), b[k]))
		}
		s.Quo(s, big.NewRat(-m-1, 1))
		if m == 0 {
			s.SetInt64(1)
		}
		b = append(b, s)
		if m >= 2 && m%2 == 0 {
			all = append(all, new(big.Float).SetPrec(400).SetRat(s))
		}
	}
	return all
}()

// bigLgamma is log(Gamma(x)) for x > 0, by Stirling's series above 60.
func bigLgamma(x num) num {
	down := of(1)
	for x.Cmp(of(60)) < 0 {
		down = mul(down, x)
		x = add(x, of(1))
	}
	s := sub(mul(sub(x, of(0.5)), bigLog(x)), x)
	s = add(s, ldexp(bigLog(ldexp(bigPi(), 1)), -1))
	p, z := quo(of(1), x), quo(of(1), mul(x, x))
	for i, b := range bernoulli {
		n := float64(2 * (i + 1))
		s = add(s, quo(mul(b, p), of(n*(n-1))))
		p = mul(p, z)
	}
	return sub(s, bigLog(down))
}

// reflected is pi / (x sin(pi x)), up to its sign.
func reflected(x num) num {
	return quo(bigPi(), mul(x, bigSin(mul(x, bigPi()), 0)))
}
