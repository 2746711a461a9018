package cpumath

import "math"

// turns are the bits of 1/(2 pi), after 64 zeros.
var turns = [...]uint64{
	0, 0x28be60db9391054a, 0x7f09d5f47d4d3770, 0x36d8a5664f10e410, 0x7f9458eaf7aef158,
	0x6dc91b8e909374b8, 0x01924bba82746487, 0x3f877ac72c4a69cf, 0xba208d7d4baed121, 0x3a671c09ad17df90,
	0x4e64758e60d4ce7d, 0x272117e2ef7e4a0e, 0xc7fe25fff7816603, 0xfbcbc462d6829b47, 0xdb4d9fb3c9f2c26d,
	0xd3d18fd9a797fa8b, 0x5d49eeb1faf97c5e, 0xcf41ce7de294a4ba, 0x9afed7ec47e35742, 0x1580cc11bf1edaea,
	0xfc33ef0826bd0d87,
}

// multiply64 is the product of two numbers, in two words.
func multiply64(a, b uint64) (hi, lo uint64) {
	const low = 1<<32 - 1
	a0, a1, b0, b1 := a&low, a>>32, b&low, b>>32
	mid := a1*b0 + a0*b0>>32
	mid2 := a0*b1 + mid&low
	return a1*b1 + mid>>32 + mid2>>32, a * b
}

// window is the word of turns that begins at a bit.
func window(bit uint64) uint64 {
	i, s := bit>>6&31, bit&63
	if i > 19 { // only of infinities and NaNs
		i = 19
	}
	return turns[i]<<s | turns[i+1]>>1>>(63-s)
}

// reduceHuge is x modulo quarter turns, for x >= 2^-30: x is n quarter turns and
// hi + lo, at most half of one, where n is in the two lowest bits; NaN for an
// infinity. It is Payne and Hanek's method: of the product with 1/(2 pi) only the
// bits that matter are formed.
func reduceHuge(x float64) (hi, lo float64, n uint64) {
	b := math.Float64bits(x) &^ sign64
	m := b&(1<<52-1) | 1<<52
	bit := b>>52 - 1075 + 64 // x = m 2^(bit-64)
	// f0, f1 are the fraction of a turn
	_, f0 := multiply64(m, window(bit))
	h1, f1 := multiply64(m, window(bit+64))
	h2, _ := multiply64(m, window(bit+128))
	f1 += h2
	f0 += h1
	if f1 < h2 {
		f0++
	}
	n = (f0 + 1<<61) >> 62
	f0 -= n << 62
	negative := f0 >> 63
	if negative != 0 {
		f0, f1 = ^f0, ^f1 // less the last bit
	}
	const low = 1<<32 - 1
	s, e := fastSum(float64(uint32(f0>>32))*0x1p-32, float64(uint32(f0&low))*0x1p-64)
	s, d := fastSum(s, float64(uint32(f1>>32))*0x1p-96)
	s, e = fastSum(s, e+d+float64(uint32(f1&low))*0x1p-128)
	// times 2 pi
	hi, lo = product(s, 6.283185307179586)
	hi, lo = fastSum(hi, lo+s*2.4492935982947064e-16+e*6.283185307179586)
	if negative != 0 {
		hi, lo = -hi, -lo
	}
	if b >= inf64 {
		hi = nan64()
	}
	return hi, lo, n
}
