package amdemu

import "math"

// unhalf is the value of a binary16 float; every one is a float32.
func unhalf(h uint16) float32 {
	sign, exponent, fraction := uint32(h)&0x8000<<16, uint32(h)>>10&0x1f, uint32(h)&0x3ff
	switch exponent {
	case 0: // zero and denormals: multiples of 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

// half is x rounded once to binary16, to nearest even.
func half(x float32) uint16 { return half64(float64(x)) }

// half64 is x rounded once to binary16, to nearest even. NaNs stay NaNs and
// become quiet.
func half64(x float64) uint16 {
	h, rest := cutHalf(x)
	switch {
	case rest > 1<<63, rest == 1<<63 && h&1 != 0:
		return h + 1 // a carry goes to the exponent, and from the largest number to infinity
	}
	return h
}

// halfRTZ is x rounded to binary16 towards zero; numbers out of range become the
// largest ones.
func halfRTZ(x float64) uint16 {
	h, _ := cutHalf(x)
	if h&0x7fff == 0x7c00 && !math.IsInf(x, 0) {
		h--
	}
	return h
}

// cutHalf is x cut to binary16, and what was cut off as a fraction of the last
// place, times 2^64 (inexact bits below that are kept in its lowest one). A number
// out of range gives infinity.
func cutHalf(x float64) (h uint16, rest uint64) {
	b := math.Float64bits(x)
	sign := uint16(b>>48) & 0x8000
	exponent := int(b>>52&0x7ff) - 1023
	fraction := b & (1<<52 - 1)
	switch {
	case x != x:
		return sign | 0x7e00 | uint16(fraction>>42), 0
	case exponent > 15:
		return sign | 0x7c00, 0
	case exponent >= -14:
		return sign | uint16(exponent+15)<<10 | uint16(fraction>>42), fraction << 22
	case exponent >= -25: // denormals, and what may round to the least one
		fraction |= 1 << 52
		cut := uint(42 - 14 - exponent)
		return sign | uint16(fraction>>cut), fraction << (64 - cut)
	case b<<1 != 0:
		return sign, 1
	}
	return sign, 0
}
