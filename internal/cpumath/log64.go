package cpumath

import "math"

// reduceLog64 splits a positive number's bits into 2^k (1 + f), with 1 + f from
// sqrt(1/2) to sqrt(2).
func reduceLog64(bits uint64) (f, k float64) {
	e := exponentLog64(bits)
	return math.Float64frombits(bits-uint64(uint32(e))<<52) - 1, float64(e)
}

// exponentLog64 is the k of reduceLog64.
func exponentLog64(bits uint64) int32 {
	const half = 0x3fe6a09e667f3bcd // sqrt(1/2)
	return int32((bits-half)>>32) >> 20
}

// normal64 are the bits of a positive number, those of a subnormal one with an
// exponent field below 1.
func normal64(x float64) uint64 {
	b := math.Float64bits(x)
	if b < least64 {
		b = math.Float64bits(x*0x1p52) - 52<<52
	}
	return b
}

// edgeLog64 is what a logarithm is for x, given what it is of finite positive
// numbers.
func edgeLog64(x, y float64) float64 {
	if x == 0 {
		y = -infinity64()
	}
	if x < 0 {
		y = nan64()
	}
	if !(x <= math.MaxFloat64) { // infinity, NaN
		y = x
	}
	return y
}

// unusualLog64 reports whether x is not a positive normal number.
func unusualLog64(x float64) bool { return math.Float64bits(x)-least64 >= normals64 }

// log1p64 is log(1 + f) = f - h + r with h = f^2 / 2, for 1 + f from sqrt(1/2) to sqrt(2).
func log1p64(f float64) (h, r float64) {
	s := f / (2 + f)
	z := s * s
	p := 0.14798657831965156
	p = p*z + 0.1531379961575702
	p = p*z + 0.1818357334203365
	p = p*z + 0.22222198415344613
	p = p*z + 0.2857142874376972
	p = p*z + 0.3999999999940918
	p = p*z + 0.6666666666666735
	h = 0.5 * f * f
	return h, s * (h + z*p)
}

func log64(bits uint64) float64 {
	f, k := reduceLog64(bits)
	h, r := log1p64(f)
	return k*ln2Hi64 - ((h - (r + k*ln2Lo64)) - f)
}

// LogF64 is the natural logarithm of a float64.
func LogF64(x float64) float64 {
	y := log64(math.Float64bits(x))
	if unusualLog64(x) {
		y = edgeLog64(x, log64(normal64(x)))
	}
	return y
}

// Log1pF64 is log(1 + x) of a float64.
func Log1pF64(x float64) float64 {
	u := 1 + x
	// what rounding took: exact, whichever is the larger
	c := x - (u - 1)
	if x > 1 {
		c = 1 - (u - x)
	}
	f, k := reduceLog64(math.Float64bits(u))
	c *= power64(-exponentLog64(math.Float64bits(u)))
	if k == 0 {
		f, c = x, 0
	}
	h, r := log1p64(f)
	y := k*ln2Hi64 - ((h - (r + (k*ln2Lo64 + (c - c*f)))) - f)
	if !(x > -1 && x <= 0x1p1000) { // c's scale is subnormal from 2^1023
		y = edgeLog64(u, log64(normal64(u)))
	}
	if x == 0 {
		y = x
	}
	return y
}

// logTo64 is the logarithm to a base: k unit + log(1 + f) scale, where the units
// and scales come in two parts, the first ones with few bits.
func logTo64(bits uint64, unit, unitLo, scale, scaleLo float64) float64 {
	f, k := reduceLog64(bits)
	h, r := log1p64(f)
	d, e := fastSum(f, -h)
	hi := top(d)
	lo := (d - hi) + (e + r)
	s, t := fastSum(k*unit, hi*scale)
	return s + (t + (lo*scale + (hi+lo)*scaleLo + k*unitLo))
}

func binary64(bits uint64) float64 {
	return logTo64(bits, 1, 0, 1.4426950216293335, 1.9259629911266175e-08)
}

func decimal64(bits uint64) float64 {
	return logTo64(bits, 0.30102999566383914, 1.42050232272661e-13, 0.4342944771051407, 4.798111141615973e-09)
}

// Log2F64 is the binary logarithm of a float64.
func Log2F64(x float64) float64 {
	y := binary64(math.Float64bits(x))
	if unusualLog64(x) {
		y = edgeLog64(x, binary64(normal64(x)))
	}
	return y
}

// Log10F64 is the decimal logarithm of a float64.
func Log10F64(x float64) float64 {
	y := decimal64(math.Float64bits(x))
	if unusualLog64(x) {
		y = edgeLog64(x, decimal64(normal64(x)))
	}
	return y
}
