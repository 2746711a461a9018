package amdemu

import (
	"math"
	"math/big"
)

// This file has the steps of a correctly rounded division, and the reciprocals,
// roots and transcendental functions it and others begin with.
//
// The sequence for n/d is: v_div_scale of both, v_rcp, Newton steps by v_fma,
// v_div_fmas and v_div_fixup. Where a step would overflow or meet denormals,
// v_div_scale moves n, d or both by a power of two (2^64 or 2^128), and sets VCC where
// only one was moved, for v_div_fmas to move the quotient back.

// division is those rows.
var division = table{
	"v_div_scale_f32":        {"f32,mask f32 f32 f32", divScale32},
	"v_div_scale_f64":        {"f64,mask f64 f64 f64", divScale64},
	"v_div_fmas_f32":         {"f32 f32 f32 f32 vcc", divFmas32},
	"v_div_fmas_f64":         {"f64 f64 f64 f64 vcc", divFmas64},
	"v_div_fixup_f32":        {"f32 f32 f32 f32", fixup(format32, func(a, b uint32) int { return exponent32(a) - exponent32(b) }, -150)},
	"v_div_fixup_f64":        {"f64 f64 f64 f64", fixup(format64, func(a, b uint64) int { return exponent64(a) - exponent64(b) }, -1075)},
	"v_div_fixup_f16":        {"f16 f16 f16 f16", fixup(format16, nil, 0)},
	"v_div_fixup_legacy_f16": {"f16 f16 f16 f16", fixup(format16, nil, 0)},
}

// exponent32 and exponent64 are those of numbers as if they had leading ones:
// of 1.0, 0; of denormals below the normals'.
func exponent32(a uint32) int { return int(int32(exponentOf(float64(f32of(a))))) - 1 }
func exponent64(a uint64) int { return int(int32(exponentOf(f64of(a)))) - 1 }

// A scaling is what v_div_scale does to one of its sources.
type scaling struct {
	numerator, denominator int // powers of two
	flag                   bool
}

// divScaling chooses by the exponents of n/d. least is that of the format's smallest
// normal number; near, tiny and step are the document's constants. Where the document
// asks whether a quotient is a denormal, the difference of exponents decides, so that
// what only might be one counts: tests of RDNA3 find 2^-126/1 among them.
func divScaling(n, d, least, near, tiny, step int) scaling {
	inverseTiny, quotientTiny := -d <= least, n-d <= least
	switch {
	case n-d >= near:
		return scaling{0, step, true}
	case d < least:
		return scaling{step, step, false}
	case inverseTiny && quotientTiny:
		return scaling{0, -step, true}
	case inverseTiny:
		return scaling{-step, -step, false}
	case quotientTiny:
		return scaling{step, 0, true}
	case n <= tiny:
		return scaling{step, step, false}
	}
	return scaling{}
}

// pick is by how much the source x is moved, being n, d or (never by compilers)
// neither.
func (s scaling) pick(isN, isD bool) int {
	switch {
	case isD:
		return s.denominator
	case isN:
		return s.numerator
	case s.numerator == s.denominator:
		return s.numerator
	}
	return 0
}

// divScale32 returns x, the numerator n or the denominator d, scaled.
func divScale32(x, d, n uint32) (uint32, bool) {
	switch {
	case format32.zero(n) || format32.zero(d):
		return format32.inf | format32.quiet, true
	case n&format32.inf == format32.inf || d&format32.inf == format32.inf: // v_div_fixup knows
		return ldexp32(x, 0), false
	}
	s := divScaling(exponent32(n), exponent32(d), -126, 96, 23-127, 64)
	return ldexp32(x, uint32(s.pick(x == n, x == d))), s.flag
}

func divScale64(x, d, n uint64) (uint64, bool) {
	switch {
	case format64.zero(n) || format64.zero(d):
		return format64.inf | format64.quiet, true
	case n&format64.inf == format64.inf || d&format64.inf == format64.inf:
		return ldexp64(x, 0), false
	}
	s := divScaling(exponent64(n), exponent64(d), -1022, 768, 53-1023, 128)
	return ldexp64(x, uint64(s.pick(x == n, x == d))), s.flag
}

// divFmas32 is a*b + c, moved back by 2^64: up if the quotient c is large, down if it
// is small (the document has 2^32 up always), and rounded once.
func divFmas32(a, b, c, moved uint64) uint64 {
	x, y, z := uint32(a), uint32(b), uint32(c)
	if moved == 0 || z&format32.inf == format32.inf {
		return uint64(fma32(x, y, z))
	}
	product, addend := float64(f32of(x))*float64(f32of(y)), float64(f32of(z))
	sum := product + addend
	if sum != sum {
		return uint64(nan32(x, y, z))
	}
	return uint64(bits32(float32(toOdd(product, addend, sum) * backBy(exponent32(z), 64))))
}

func divFmas64(a, b, c, moved uint64) uint64 {
	if moved == 0 || c&format64.inf == format64.inf {
		return fma64(a, b, c)
	}
	back := backBy(exponent64(c), 128)
	sum := math.FMA(f64of(a), f64of(b), f64of(c))
	if scaled := sum * back; sum != sum || math.Abs(scaled) >= 0x1p-1021 {
		return orNaN64(scaled, a, b, c)
	}
	// A denormal: exactly, then rounded once. All are finite here.
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(4400).SetFloat64(x) }
	v := exact(f64of(a))
	v.Mul(v, exact(f64of(b))).Add(v, exact(f64of(c)))
	if v.Sign() == 0 {
		return bits64(sum)
	}
	x, _ := v.Mul(v, exact(back)).Float64()
	return bits64(x)
}

func orNaN64(x float64, a, b, c uint64) uint64 {
	if x != x {
		return nan64(a, b, c)
	}
	return bits64(x)
}

func backBy(exponent, step int) float64 {
	if exponent > 0 {
		return math.Ldexp(1, step)
	}
	return math.Ldexp(1, -step)
}

// fixup makes v_div_fixup: the quotient q of n/d, or what IEEE 754 says of special
// operands. difference is that of exponents, under the limit results are
// zero; nil in f16, which has neither.
func fixup[W uint32 | uint64](f format[W], difference func(n, d W) int, limit int) func(q, d, n W) W {
	return func(q, d, n W) W {
		sign := (d ^ n) & f.sign
		switch {
		case f.nan(n):
			return n | f.quiet
		case f.nan(d):
			return d | f.quiet
		case f.zero(d) && f.zero(n), f.infinite(d) && f.infinite(n):
			return f.sign | f.inf | f.quiet
		case f.zero(d) || f.infinite(n):
			return sign | f.inf
		case f.infinite(d) || f.zero(n):
			return sign
		case difference != nil && difference(n, d) < limit:
			return sign // the documents' UNDERFLOW: to nearest, zero
		case f.nan(q): // of finite numbers: it overflowed on the way
			return sign | f.inf
		}
		return sign | q&^f.sign
	}
}
