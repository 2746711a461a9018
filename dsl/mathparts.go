package dsl

import "math"

// This file takes floats apart, puts them together, and rounds them to integers.

// Signbit reports whether the sign of x is set, also that of a zero or NaN (HIP signbit).
func Signbit[T Float](x T) bool {
	if single[T]() {
		return int32(math.Float32bits(float32(x))) < 0
	}
	return int64(math.Float64bits(float64(x))) < 0
}

// IsFinite reports whether x is neither an infinity nor NaN (HIP isfinite).
func IsFinite[T Float](x T) bool { return x-x == 0 }

// NaN returns a NaN (HIP nanf, nan).
func NaN[T Float]() T { return T(math.NaN()) }

// Fdim returns x - y, or 0 where x is not above y; NaN if either is (HIP fdimf, fdim).
func Fdim[T Float](x, y T) T {
	if x <= y {
		return 0
	}
	return T(x - y)
}

// Fdivide returns x / y (HIP fdividef, fdivide). [FastDivide] is faster.
func Fdivide[T Float](x, y T) T { return x / y }

// Frexp splits x into a fraction from 1/2 to 1 and a power of two: x = frac * 2^exp. Of zeros,
// infinities and NaN it returns x and 0 (HIP frexpf, frexp).
func Frexp[T Float](x T) (frac T, exp int) {
	if single[T]() {
		b := math.Float32bits(float32(x))
		n := int(b >> 23 & 0xff)
		if n == 0 { // subnormal, or 0
			b = math.Float32bits(float32(x) * (1 << 24))
			n = int(b>>23&0xff) - 24
		}
		if x == 0 || x-x != 0 {
			return x, 0
		}
		return T(math.Float32frombits(b&^(0xff<<23) | 126<<23)), n - 126
	}
	f, n := math.Frexp(float64(x))
	return T(f), n
}

// Ldexp returns x * 2^n, rounded once (HIP ldexpf, ldexp).
func Ldexp[T Float](x T, n int) T {
	if single[T]() {
		// Two factors suffice: what three would reach is 0 or infinite. In float64 they are exact.
		n = min(max(n, -1000), 1000)
		half := n >> 1
		return T(float32(float64(x) * power2(half) * power2(n-half)))
	}
	return T(math.Ldexp(float64(x), n))
}

// power2 is 2^n, which is a normal number.
func power2(n int) float64 { return math.Float64frombits(uint64(n+1023) << 52) }

// Scalbn returns x * 2^n, as [Ldexp] does (HIP scalbnf, scalbn).
func Scalbn[T Float](x T, n int) T { return Ldexp(x, n) }

// Scalbln returns x * 2^n, as [Ldexp] does (HIP scalblnf, scalbln).
func Scalbln[T Float](x T, n int64) T { return Ldexp(x, int(n)) }

// Logb returns the exponent of x as a float, that of the power of two at or below |x|: -Inf for
// 0, +Inf for infinities, NaN for NaN (HIP logbf, logb).
func Logb[T Float](x T) T {
	switch {
	case x == 0:
		return T(math.Inf(-1))
	case x-x != 0:
		return x * x
	}
	_, n := Frexp(x)
	return T(n - 1)
}

// Ilogb returns the exponent of x, that of the power of two at or below |x|: the least int32 for
// 0 and NaN, the greatest for infinities (HIP ilogbf, ilogb).
func Ilogb[T Float](x T) int {
	switch {
	case x == 0 || x != x:
		return math.MinInt32
	case x-x != 0:
		return math.MaxInt32
	}
	_, n := Frexp(x)
	return n - 1
}

// Modf splits x into an integral number and the rest, both with the sign of x; of an infinity
// the rest is 0 (HIP modff, modf, whose result is the rest).
func Modf[T Float](x T) (whole, rest T) {
	whole = Trunc(x)
	rest = T(x - whole)
	if IsInf(x) {
		rest = 0
	}
	return whole, Copysign(rest, x)
}

// Nextafter returns the float after x in the direction of y: y if the two are equal, NaN if either is
// (HIP nextafterf, nextafter).
func Nextafter[T Float](x, y T) T {
	switch {
	case x != x || y != y:
		return T(x + y)
	case x == y:
		return y
	}
	away := (y > x) == (x > 0) // from 0, which is the only way there is from a 0
	if single[T]() {
		b := math.Float32bits(float32(x))
		switch {
		case x == 0:
			return T(math.Float32frombits(math.Float32bits(float32(y))&(1<<31) | 1))
		case away:
			b++
		default:
			b--
		}
		return T(math.Float32frombits(b))
	}
	b := math.Float64bits(float64(x))
	switch {
	case x == 0:
		return T(math.Float64frombits(math.Float64bits(float64(y))&(1<<63) | 1))
	case away:
		b++
	default:
		b--
	}
	return T(math.Float64frombits(b))
}

// Nearbyint returns the integer nearest to x, an even one if two are, as [Rint] does (HIP
// nearbyintf, nearbyint).
func Nearbyint[T Float](x T) T { return Rint(x) }

// Lrint returns the integer nearest to x, an even one if two are. Beyond an int64 and for NaN it
// returns what Go's int(x) does (HIP lrintf, lrint).
func Lrint[T Float](x T) int { return int(Rint(x)) }

// Llrint is [Lrint] as an int64 (HIP llrintf, llrint).
func Llrint[T Float](x T) int64 { return int64(Rint(x)) }

// Lround returns the integer nearest to x, the one away from 0 if two are. Beyond an int64 and for NaN
// it returns what Go's int(x) does (HIP lroundf, lround).
func Lround[T Float](x T) int { return int(Round(x)) }

// Llround is [Lround] as an int64 (HIP llroundf, llround).
func Llround[T Float](x T) int64 { return int64(Round(x)) }

// Remainder returns x - n*y for the integer n nearest to x/y, an even one if two are (HIP
// remainderf, remainder).
func Remainder[T Float](x, y T) T { return T(math.Remainder(float64(x), float64(y))) }

// Remquo returns [Remainder] and the low 3 bits of |n|, with the sign of x/y (HIP remquof, remquo,
// whose quotient may have more bits).
func Remquo[T Float](x, y T) (rest T, quotient int) {
	a, b := math.Abs(float64(x)), math.Abs(float64(y))
	rest = Remainder(x, y)
	if a-a != 0 || !(b > 0) || b-b != 0 { // NaN, or y an infinity, of which x has no part
		return rest, 0
	}
	// What is left of eight times y is exact, and so is what is taken of it.
	n := 0
	if b <= math.MaxFloat64/16 {
		a = math.Mod(a, 8*b)
	}
	for _, k := range [...]int{4, 2, 1} {
		if step := float64(k) * b; a >= step {
			a, n = a-step, n+k
		}
	}
	// a is below b: n is the integer below the quotient.
	if half := a - (b - a); half > 0 || half == 0 && n&1 != 0 {
		n++
	}
	n &= 7
	if Signbit(x) != Signbit(y) {
		n = -n
	}
	return rest, n
}
