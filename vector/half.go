package vector

import "math"

// A Half is a number of 16 bits, IEEE 754's binary16 (HIP's __half): a sign, 5 bits
// of exponent, 10 of fraction. Methods round their results to the nearest, of two as near the
// even one, and are exact to the last bit on every device; which NaN a result is, none says. Two
// are equal by == where their bits are; [Half.Equal] compares numbers.
type Half struct{ bits uint16 }

// MakeHalf is the Half nearest to x, of two as near the even one (HIP's __float2half):
// an infinity from 65520 on. The bits of a NaN are any NaN's.
func MakeHalf(x float32) Half {
	b := math.Float32bits(x)
	sign := uint16(b >> 16 & 0x8000)
	b &= 1<<31 - 1
	switch {
	case b > 0xff<<23: // NaN
		return Half{sign | 0x7e00}
	case b >= (127+16)<<23: // 65536: infinite
		return Half{sign | 0x7c00}
	case b < (127-14)<<23: // below 2^-14, where the last bit is 2^-24
		// Adding 0.5 moves that bit to the last of a float32, which rounds.
		return Half{sign | uint16(math.Float32bits(math.Float32frombits(b)+0.5)-math.Float32bits(0.5))}
	}
	b += 0xfff + b>>13&1 // to nearest even in the 13 bits that go
	return Half{sign | uint16((b-(127-15)<<23)>>13)}
}

// Float32 is h, exactly (HIP's __half2float).
func (h Half) Float32() float32 {
	sign, exp, frac := uint32(h.bits)>>15<<31, uint32(h.bits)>>10&31, uint32(h.bits)&1023
	switch exp {
	case 0: // the fraction counts 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(frac)*(1.0/(1<<24))))
	case 31:
		return math.Float32frombits(sign | 0xff<<23 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

// roundToOdd is x in float32 so that rounding it to fewer bits gives what rounding x does:
// where x is between two numbers, the one whose last bit is 1.
func roundToOdd(x float64) float32 {
	f := float32(x)
	if back := float64(f); back != x && x == x {
		b := math.Float32bits(f)
		if math.Abs(back) > math.Abs(x) {
			b--
		}
		return math.Float32frombits(b | 1)
	}
	return f
}
