package cpumath

import "math"

// reduceLog32 splits a positive number's bits into 2^k (1 + f) with f from -1/3 to 1/3.
func reduceLog32(bits uint32) (f, k float32) {
	e := exponentLog32(bits)
	return math.Float32frombits(bits-uint32(e)<<23) - 1, float32(e)
}

// exponentLog32 is the k of reduceLog32.
func exponentLog32(bits uint32) int32 {
	const third = 0x3f2aaaab // 2/3
	return int32(bits-third) >> 23
}

// normal32 are the bits of a positive number, those of a subnormal one with an
// exponent field below 1.
func normal32(x float32) uint32 {
	b := math.Float32bits(x)
	if b < least32 {
		b = math.Float32bits(x*0x1p23) - 23<<23
	}
	return b
}

// edgeLog32 is what a logarithm is for x, given what it is of finite positive
// numbers.
func edgeLog32(x, y float32) float32 {
	if x == 0 {
		y = -infinity32()
	}
	if x < 0 {
		y = nan32()
	}
	if !(x <= math.MaxFloat32) { // infinity, NaN
		y = x
	}
	return y
}

// unusualLog32 reports whether x is not a positive normal number.
func unusualLog32(x float32) bool { return math.Float32bits(x)-least32 >= normals32 }

// LogF32 is the natural logarithm of a float32.
func LogF32(x float32) float32 {
	y := log32(math.Float32bits(x))
	if unusualLog32(x) {
		y = edgeLog32(x, log32(normal32(x)))
	}
	return y
}

func log32(bits uint32) float32 {
	f, k := reduceLog32(bits)
	return k*ln2Hi32 + (f + (k*ln2Lo32 + log1p32(f)))
}

// log1p32 is log(1 + f) - f for |f| <= 1/3.
func log1p32(f float32) float32 {
	p := float32(-0.128926456)
	p = p*f + 0.139841765
	p = p*f - 0.121840097
	p = p*f + 0.140059203
	p = p*f - 0.166805089
	p = p*f + 0.200104028
	p = p*f - 0.249997973
	p = p*f + 0.333332151
	return f * f * (p*f - 0.5)
}

// Log1pF32 is log(1 + x) of a float32.
func Log1pF32(x float32) float32 {
	u := 1 + x
	// what rounding took: exact, whichever is the larger
	c := x - (u - 1)
	if x > 1 {
		c = 1 - (u - x)
	}
	f, k := reduceLog32(math.Float32bits(u))
	c *= power32(-exponentLog32(math.Float32bits(u)))
	if k == 0 {
		f, c = x, 0
	}
	y := k*ln2Hi32 + (f + (k*ln2Lo32 + (c - c*f) + log1p32(f)))
	if !(x > -1 && x <= 0x1p125) { // c's scale is subnormal from 2^126
		y = edgeLog32(u, log32(normal32(u)))
	}
	if x == 0 {
		y = x
	}
	return y
}

// Log2F32 is the binary logarithm of a float32.
func Log2F32(x float32) float32 {
	y := binary32(math.Float32bits(x))
	if unusualLog32(x) {
		y = edgeLog32(x, binary32(normal32(x)))
	}
	return y
}

func binary32(bits uint32) float32 {
	f, k := reduceLog32(bits)
	p := float32(-0.18783097)
	p = p*f + 0.203237206
	p = p*f - 0.175263032
	p = p*f + 0.201698899
	p = p*f - 0.240699753
	p = p*f + 0.288718313
	p = p*f - 0.360668778
	p = p*f + 0.480895817
	p = p*f - 0.72134757
	p = p*f + 0.442695051
	return (k + f) + f*p
}

// Log10F32 is the decimal logarithm of a float32.
func Log10F32(x float32) float32 {
	y := decimal32(math.Float32bits(x))
	if unusualLog32(x) {
		y = edgeLog32(x, decimal32(normal32(x)))
	}
	return y
}

func decimal32(bits uint32) float32 {
	const hi, lo = 0.301025390625, 4.60503907e-6 // log10 2; hi has 12 bits
	f, k := reduceLog32(bits)
	p := float32(-0.0565427542)
	p = p*f + 0.0611804947
	p = p*f - 0.0527594313
	p = p*f + 0.0607174188
	p = p*f - 0.0724578425
	p = p*f + 0.0869128704
	p = p*f - 0.108572125
	p = p*f + 0.144764066
	p = p*f - 0.217147246
	p = p*f - 0.0657055154
	return k*hi + (0.5*f + (k*lo + f*p))
}
