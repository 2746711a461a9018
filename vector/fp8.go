package vector

import "math"

// A Rounding says which of its two neighbours a number becomes that a narrower type does
// not have.
type Rounding uint8

const (
	RoundNearestEven Rounding = iota // the nearer, of two as near the one with an even last bit
	RoundTowardZero                  // the one nearer to zero
	RoundDown                        // the lesser
	RoundUp                          // the greater
)

// A Saturation says what numbers become that are too large for an 8-bit float when they
// are rounded (HIP's __hip_saturation_t).
type Saturation uint8

const (
	// SatFinite makes them the largest number, infinities too (HIP's __HIP_SATFINITE; there
	// an infinity that comes in stays one, or is a NaN).
	SatFinite Saturation = iota
	// NoSat makes them infinite, and a NaN in formats without infinities (HIP's __HIP_NOSAT).
	NoSat
)

// An fp8 is an 8-bit format: a sign, exponent and fraction.
type fp8 struct {
	fraction, bias int
	top            uint32 // bits of the largest number
	over           uint32 // what is beyond it: an infinity, or a NaN
	fnuz           bool   // finite numbers and one NaN, 0x80, which has the bits of a negative zero
}

// round is the bits of x in format f.
func (f fp8) round(x float32, mode Rounding, sat Saturation) uint8 {
	b := math.Float32bits(x)
	sign, nan := b>>24&0x80, b>>24&0x80|0x7f
	if f.fnuz {
		nan = 0x80
	}
	b &= 1<<31 - 1
	if b > 0xff<<23 {
		return uint8(nan)
	}
	// |x| is n * 2^(exp-150)
	exp, n := int(b>>23), b&(1<<23-1)
	if exp > 0 {
		n |= 1 << 23
	} else {
		exp = 1
	}
	e := max(exp-127, 1-f.bias) // of the result, below the least one without a leading 1
	drop := min(e+127-exp+23-f.fraction, 25)
	q, rest, half := n>>drop, n&(1<<drop-1), uint32(1)<<(drop-1)
	away := false // from zero, of the two neighbours
	switch mode {
	case RoundNearestEven:
		away = rest > half || rest == half && q&1 != 0
	case RoundDown:
		away = sign != 0
	case RoundUp:
		away = sign == 0
	}
	if away && rest != 0 {
		q++
	}
	r := uint32(e+f.bias-1)<<f.fraction + q
	switch {
	case r <= f.top:
	case sat == SatFinite, !away && mode != RoundNearestEven && b < 0xff<<23:
		r = f.top
	default:
		r = f.over
	}
	if f.fnuz && r&0x7f == 0 { // a zero, or the NaN
		return uint8(r)
	}
	return uint8(sign | r)
}

// float32 is the number of bits in format f; NaNs are the caller's.
func (f fp8) float32(bits uint8) float32 {
	sign, b := uint32(bits)>>7<<31, uint32(bits)&0x7f
	exp, frac := b>>f.fraction, b&(1<<f.fraction-1)
	if exp == 0 {
		return math.Float32frombits(sign | math.Float32bits(float32(frac)*math.Float32frombits(uint32(128-f.bias-f.fraction)<<23)))
	}
	return math.Float32frombits(sign | (b+uint32(127-f.bias)<<f.fraction)<<(23-f.fraction))
}
