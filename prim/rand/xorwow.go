package rand

// XORWOW is Marsaglia's generator of that name: a shift register of 160 bits and a counter, added (Marsaglia:
// Xorshift RNGs, 2003; CURAND_RNG_PSEUDO_XORWOW, ROCRAND_RNG_PSEUDO_XORWOW). It takes the fewest operations a
// word, and Skip takes many. Use [NewXORWOW]: the zero value is no generator, its register never changes.
type XORWOW struct {
	d uint32
	v [5]uint32
}

// NewXORWOW returns the generator of a seed at word offset of a subsequence (curand_init). The seed is scrambled as
// cuRAND does.
func NewXORWOW(seed, subsequence, offset uint64) XORWOW {
	s0, s1 := uint32(seed)^0xaad26b49, uint32(seed>>32)^0xf7dcefdd
	t0, t1 := 1099087573*s0, 2591861531*s1
	g := XORWOW{
		d: 6615241 + t1 + t0,
		v: [5]uint32{123456789 + t0, 362436069 ^ t0, 521288629 + t1, 88675123 ^ t1, 5783321 + t0},
	}
	g.Jump(subsequence)
	g.Skip(offset)
	return g
}

// Uint32 returns the next word (curand).
func (g *XORWOW) Uint32() uint32 {
	g.v = step(g.v)
	g.d += 362437
	return g.v[4] + g.d
}

// step is the register's next state.
func step(v [5]uint32) [5]uint32 {
	t := v[0] ^ v[0]>>2
	return [5]uint32{v[1], v[2], v[3], v[4], v[4] ^ v[4]<<4 ^ t ^ t<<1}
}

// Uint64 returns the next two words, the low one first.
func (g *XORWOW) Uint64() uint64 { return pair(g) }

// Skip moves over n words (skipahead).
func (g *XORWOW) Skip(n uint64) {
	g.d += 362437 * uint32(n)
	for at := 0; n != 0; at, n = at+15, n>>4 {
		if digit := int(n & 15); digit != 0 {
			g.v = polynomial(xorwowSkips[at+digit-1], g.v)
		}
	}
}

// Jump moves over n subsequences (skipahead_sequence).
func (g *XORWOW) Jump(n uint64) { // 2^67 steps leave d as it was
	for at := 0; n != 0; at, n = at+1, n>>1 {
		if n&1 != 0 {
			g.v = polynomial(xorwowJumps[at], g.v)
		}
	}
}

// polynomial is p of the step, a linear map over the bits, applied to v: the sum of those of its powers whose
// coefficients are 1. The map's n-th power is x^n modulo its characteristic polynomial.
func polynomial(p [5]uint32, v [5]uint32) [5]uint32 {
	var sum [5]uint32
	for _, w := range p {
		for range 32 {
			mask := -(w & 1)
			sum[0] ^= v[0] & mask
			sum[1] ^= v[1] & mask
			sum[2] ^= v[2] & mask
			sum[3] ^= v[3] & mask
			sum[4] ^= v[4] & mask
			v = step(v)
			w >>= 1
		}
	}
	return sum
}

func (g *XORWOW) align()        {}
func (g *XORWOW) phase() int    { return 0 }
func (g *XORWOW) blocked() bool { return false }
