package cpumath

import "math"

// Adding round32 or round64 to a small number rounds it to an integer, which
// then stands in the lowest bits of the sum; subtracting it again leaves that
// integer. Numbers up to 2^22 or 2^51 are small.
const (
	round32 = 0x1.8p23
	round64 = 0x1.8p52
)

// Bits of a sign and of an infinity.
const (
	sign32             = 1 << 31
	sign64             = 1 << 63
	inf32              = 0x7f800000
	inf64              = 0x7ff << 52
	least32, normals32 = 0x00800000, 0x7f000000 // the least normal number's bits, and how many positive normal ones there are
	least64, normals64 = 1 << 52, 0x7fe << 52
)

func abs32(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ sign32) }

func infinity32() float32 { return math.Float32frombits(inf32) }
func infinity64() float64 { return math.Float64frombits(inf64) }
func nan32() float32      { return math.Float32frombits(inf32 | 1<<22) }
func nan64() float64      { return math.Float64frombits(inf64 | 1<<51) }

// signed32 is the magnitude of x with the sign of s.
func signed32(x, s float32) float32 {
	return math.Float32frombits(math.Float32bits(x)&^sign32 | math.Float32bits(s)&sign32)
}

func signed64(x, s float64) float64 {
	return math.Float64frombits(math.Float64bits(x)&^sign64 | math.Float64bits(s)&sign64)
}

// power32 is 2^n for n from -126 to 127.
func power32(n int32) float32 { return math.Float32frombits(uint32(n+127) << 23) }

// power64 is 2^n for n from -1022 to 1023.
func power64(n int32) float64 { return math.Float64frombits(uint64(n+1023) << 52) }

// scale32 is y 2^n for n from -252 to 254, rounded once.
func scale32(y float32, n int32) float32 {
	h := n >> 1
	return y * power32(h) * power32(n-h)
}

// scale64 is y 2^n for n from -2044 to 2046, rounded once.
func scale64(y float64, n int32) float64 {
	h := n >> 1
	return y * power64(h) * power64(n-h)
}

// top is x without its 27 lowest bits: the product of two such numbers is exact,
// so that it does not matter whether an addition is fused with it.
func top(x float64) float64 {
	return math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1))
}

// sum is a + b as the rounded sum and its error.
func sum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

// fastSum is sum where a is 0 or |a| >= |b|.
func fastSum(a, b float64) (s, e float64) {
	s = a + b
	return s, b - (s - a)
}

// product is a b as a number and a small rest, to twice the precision.
func product(a, b float64) (p, e float64) {
	ah, bh := top(a), top(b)
	al, bl := a-ah, b-bh
	// all but the last product are exact
	return fastSum(ah*bh, ah*bl+al*bh+al*bl)
}
