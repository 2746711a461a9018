package vector

import "math"

// A BFloat16 is a number of 16 bits with the exponent of a float32 (HIP's __hip_bfloat16): a
// sign, 8 bits of exponent, 7 of fraction. Methods are as those of [Half].
type BFloat16 struct{ bits uint16 }

// MakeBFloat16 is the BFloat16 nearest to x, of two as near the even one (HIP's
// __float2bfloat16). The bits of a NaN are any NaN's.
func MakeBFloat16(x float32) BFloat16 {
	b := math.Float32bits(x)
	if x != x {
		return BFloat16{uint16(b>>16) | 0x40}
	}
	return BFloat16{uint16((b + 0x7fff + b>>16&1) >> 16)}
}

// Float32 is a, exactly (HIP's __bfloat162float).
func (a BFloat16) Float32() float32 { return math.Float32frombits(uint32(a.bits) << 16) }

// bfloat16Of rounds the product or the quotient of a and b, which is f in float32. Below its
// least normal number f has been rounded where the result is rounded again.
func bfloat16Of(f float32, a, b BFloat16, divided bool) BFloat16 {
	if math.Float32bits(f)&(1<<31-1) >= 1<<23 {
		return MakeBFloat16(f)
	}
	if divided {
		return BFloat16Of64(a.Float64() / b.Float64())
	}
	return BFloat16Of64(a.Float64() * b.Float64())
}

// sumToOdd is p + z rounded to odd, as roundToOdd does: z may be too small for the float64 that
// p is in the middle of.
func sumToOdd(p, z float64) float64 {
	s := p + z
	q := s - p
	rest := (p - (s - q)) + (z - q) // exact: Knuth's sum of two; NaN beyond infinity
	if b := math.Float64bits(s); b&1 == 0 && (rest > 0 || rest < 0) {
		if rest > 0 == (s > 0) {
			return math.Float64frombits(b + 1)
		}
		return math.Float64frombits(b - 1)
	}
	return s
}
