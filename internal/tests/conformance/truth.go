package conformance

import (
	"math"
	"math/big"
	"sync"
)

// This file computes functions of float64 to several hundred bits, with series
// as old as the functions: the standard library's are themselves some units of
// the last place off, and wrong for a few denormals.

// precision is the bits that results keep, ample for rounding to 53.
const precision = 320

type bigFloat = *big.Float

func newBig(prec uint) bigFloat { return new(big.Float).SetPrec(prec) }

func integer64(prec uint, n int64) bigFloat { return newBig(prec).SetInt64(n) }

// at is x with more precision to compute in.
func at(x bigFloat, prec uint) bigFloat { return newBig(prec).Set(x) }

func add(x, y bigFloat) bigFloat { return newBig(max(x.Prec(), y.Prec())).Add(x, y) }
func sub(x, y bigFloat) bigFloat { return newBig(max(x.Prec(), y.Prec())).Sub(x, y) }
func mul(x, y bigFloat) bigFloat { return newBig(max(x.Prec(), y.Prec())).Mul(x, y) }
func quo(x, y bigFloat) bigFloat { return newBig(max(x.Prec(), y.Prec())).Quo(x, y) }
func sqrt(x bigFloat) bigFloat   { return newBig(x.Prec()).Sqrt(x) }

// scaled is x * 2^n.
func scaled(x bigFloat, n int) bigFloat { return newBig(x.Prec()).SetMantExp(x, n) }

// negligible reports whether adding x to something near 1 changes nothing.
func negligible(x bigFloat) bool { return x.Sign() == 0 || x.MantExp(nil) < -int(x.Prec()) }

// tiny is how many more bits it takes to see x beside 1.
func tiny(x bigFloat) uint { return uint(max(0, -x.MantExp(nil))) }

// large is how many bits x has before its point.
func large(x bigFloat) uint { return uint(max(0, x.MantExp(nil))) }

// constants are computed once for each precision.
var constants sync.Map

func constant(name string, prec uint, f func(prec uint) bigFloat) bigFloat {
	type key struct {
		name string
		prec uint
	}
	if v, ok := constants.Load(key{name, prec}); ok {
		return v.(bigFloat)
	}
	v := newBig(prec).Set(f(prec + 32))
	constants.Store(key{name, prec}, v)
	return v
}

// pi is Machin's 16 atan(1/5) - 4 atan(1/239).
func pi(prec uint) bigFloat {
	return constant("pi", prec, func(prec uint) bigFloat {
		inverse := func(n int64) bigFloat { return atanSeries(quo(integer64(prec, 1), integer64(prec, n))) }
		return sub(scaled(inverse(5), 4), scaled(inverse(239), 2))
	})
}

// ln2 is 2 atanh(1/3).
func ln2(prec uint) bigFloat {
	return constant("ln2", prec, func(prec uint) bigFloat {
		x := quo(integer64(prec, 1), integer64(prec, 3))
		sum, power, square := newBig(prec), x, mul(x, x)
		for n := int64(1); !negligible(power); n += 2 {
			sum = add(sum, quo(power, integer64(prec, n)))
			power = mul(power, square)
		}
		return scaled(sum, 1)
	})
}

func atanSeries(x bigFloat) bigFloat {
	sum, power, square := newBig(x.Prec()), x, mul(x, x)
	for n := int64(1); !negligible(power); n += 2 {
		term := quo(power, integer64(x.Prec(), n))
		if n%4 == 3 {
			term.Neg(term)
		}
		sum = add(sum, term)
		power = mul(power, square)
	}
	return sum
}

// nearest is the integer nearest to x, for |x| below 2^1100.
func nearest(x bigFloat) *big.Int {
	half := big.NewFloat(0.5)
	if x.Sign() < 0 {
		half.Neg(half)
	}
	n, _ := add(x, half).Int(nil)
	return n
}

func bigExp(x bigFloat) bigFloat {
	prec := x.Prec() + large(x) + 32
	x = at(x, prec)
	k := nearest(quo(x, ln2(prec)))
	r := sub(x, mul(newBig(prec).SetInt(k), ln2(prec)))
	const halvings = 8
	r = scaled(r, -halvings)
	sum, term := integer64(prec, 1), integer64(prec, 1)
	for n := int64(1); !negligible(term); n++ {
		term = quo(mul(term, r), integer64(prec, n))
		sum = add(sum, term)
	}
	for range halvings {
		sum = mul(sum, sum)
	}
	return scaled(sum, int(k.Int64()))
}

// bigLog refines the logarithm of the mantissa: each step triples the bits that are right.
func bigLog(x bigFloat) bigFloat {
	prec := x.Prec() + 32
	m := newBig(prec)
	e := x.MantExp(m)
	m.SetPrec(prec)
	guess, _ := m.Float64()
	y := newBig(prec).SetFloat64(math.Log(guess))
	for bits := uint(40); bits < prec; bits *= 3 {
		p := bigExp(y)
		y = add(y, scaled(quo(sub(m, p), add(m, p)), 1))
	}
	return add(y, mul(integer64(prec, int64(e)), ln2(prec)))
}

func bigSincos(x bigFloat) (sin, cos bigFloat) {
	prec := x.Prec() + large(x) + tiny(x) + 64
	x = at(x, prec)
	half := scaled(pi(prec), -1)
	n := nearest(quo(x, half))
	r := sub(x, mul(newBig(prec).SetInt(n), half))
	sin, cos = newBig(prec), newBig(prec)
	term := integer64(prec, 1)
	for k := int64(0); !negligible(term) || k < 4; k++ {
		into := &cos
		if k%2 == 1 {
			into = &sin
		}
		if k%4 < 2 {
			*into = add(*into, term)
		} else {
			*into = sub(*into, term)
		}
		term = quo(mul(term, r), integer64(prec, k+1))
	}
	switch new(big.Int).And(n, big.NewInt(3)).Int64() {
	case 1:
		return cos, sin.Neg(sin)
	case 2:
		return sin.Neg(sin), cos.Neg(cos)
	case 3:
		return cos.Neg(cos), sin
	}
	return sin, cos
}

func bigAtan(x bigFloat) bigFloat {
	one := integer64(x.Prec(), 1)
	if x.Sign() < 0 {
		r := bigAtan(newBig(x.Prec()).Neg(x))
		return r.Neg(r)
	}
	if x.Cmp(one) > 0 {
		return sub(scaled(pi(x.Prec()), -1), bigAtan(quo(one, x)))
	}
	const halvings = 4
	for range halvings {
		x = quo(x, add(one, sqrt(add(one, mul(x, x)))))
	}
	return scaled(atanSeries(at(x, x.Prec()+tiny(x))), halvings)
}

// bigErf is the series about 0, with the bits that its terms cancel.
func bigErf(x bigFloat) bigFloat {
	f, _ := x.Float64()
	if math.Abs(f) > 40 {
		return integer64(x.Prec(), int64(x.Sign()))
	}
	prec := x.Prec() + uint(5*f*f) + tiny(x) + 64
	x = at(x, prec)
	square := mul(x, x)
	sum, power := newBig(prec), x
	for n := int64(0); power.Sign() != 0 && (power.MantExp(nil) > -int(prec) || float64(n) < f*f); n++ {
		sum = add(sum, quo(power, integer64(prec, 2*n+1)))
		power = quo(mul(power, square), integer64(prec, n+1))
		power.Neg(power)
	}
	return scaled(quo(sum, sqrt(pi(prec))), 1)
}

// bernoulli are the numbers B(0), B(2), ... B(2*40).
var bernoulli = sync.OnceValue(func() []*big.Rat {
	const n = 80
	all := []*big.Rat{big.NewRat(1, 1)}
	for m := int64(1); m <= n; m++ {
		sum := new(big.Rat)
		for k := range m {
			c := new(big.Rat).SetInt(new(big.Int).Binomial(m+1, k))
			sum.Add(sum, c.Mul(c, all[k]))
		}
		sum.Neg(sum)
		all = append(all, sum.Mul(sum, big.NewRat(1, m+1)))
	}
	var even []*big.Rat
	for m := 0; m <= n; m += 2 {
		even = append(even, all[m])
	}
	return even
})

// stirling is log(Gamma(z)) for z of 80 or more.
func stirling(z bigFloat) bigFloat {
	prec := z.Prec()
	half := big.NewFloat(0.5)
	sum := sub(mul(sub(z, half), bigLog(z)), z)
	sum = add(sum, scaled(bigLog(scaled(pi(prec), 1)), -1))
	power, square := quo(integer64(prec, 1), z), mul(z, z)
	for k, b := range bernoulli()[1:] {
		n := int64(k+1) * 2
		sum = add(sum, quo(mul(newBig(prec).SetRat(b), power), integer64(prec, n*(n-1))))
		power = quo(power, square)
	}
	return sum
}

// bigGamma is log|Gamma(x)|, or Gamma(x): shifted up to where Stirling's series is good.
func bigGamma(x bigFloat, log bool) bigFloat {
	prec := x.Prec() + tiny(x) + 64
	z, product, one := at(x, prec), integer64(prec, 1), integer64(prec, 1)
	for z.Cmp(integer64(prec, 80)) < 0 {
		product = mul(product, z)
		z = add(z, one)
	}
	l := stirling(z)
	if log {
		return sub(l, bigLog(newBig(prec).Abs(product)))
	}
	return quo(bigExp(l), product)
}
