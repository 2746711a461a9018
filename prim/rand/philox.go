package rand

// Philox is Philox4x32-10: ten rounds of multiplications that turn a counter of 128 bits and a key
// of 64 into four words (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3, 2011;
// CURAND_RNG_PSEUDO_PHILOX4_32_10, ROCRAND_RNG_PSEUDO_PHILOX4_32_10). The zero value is that of seed 0.
type Philox struct {
	seed, sub uint64
	n         uint64    // of the next word
	out       [4]uint32 // the block of word n, where n is not its first
}

// NewPhilox returns the generator of a seed at word offset of a subsequence (curand_init). Its words are those of
// the counters (i, subsequence) under the key seed, i from 0 on.
func NewPhilox(seed, subsequence, offset uint64) Philox {
	g := Philox{seed: seed, sub: subsequence}
	g.Skip(offset)
	return g
}

// Philox4x32 is the function that Philox calls for each four words: a block of the counter and
// key, lowest word first.
func Philox4x32(counter [4]uint32, key [2]uint32) [4]uint32 {
	c0, c1, c2, c3, k0, k1 := counter[0], counter[1], counter[2], counter[3], key[0], key[1]
	//heddle:unroll
	for range 10 {
		p0, p1 := uint64(c0)*0xd2511f53, uint64(c2)*0xcd9e8d57
		c0, c1, c2, c3 = uint32(p1>>32)^c1^k0, uint32(p1), uint32(p0>>32)^c3^k1, uint32(p0)
		k0, k1 = k0+0x9e3779b9, k1+0xbb67ae85
	}
	return [4]uint32{c0, c1, c2, c3}
}

func (g *Philox) block(n uint64) [4]uint32 {
	c := [4]uint32{uint32(n >> 2), uint32(n >> 34), uint32(g.sub), uint32(g.sub >> 32)}
	return Philox4x32(c, [2]uint32{uint32(g.seed), uint32(g.seed >> 32)})
}

// Uint32 returns the next word (curand).
func (g *Philox) Uint32() uint32 {
	k := g.n & 3
	if k == 0 {
		g.out = g.block(g.n)
	}
	g.n++
	return pick4(&g.out, k)
}

// Uint64 returns the next two words, the low one first.
func (g *Philox) Uint64() uint64 { return pair(g) }

// Skip moves over n words (skipahead).
func (g *Philox) Skip(n uint64) {
	g.n += n
	if g.n&3 != 0 {
		g.out = g.block(g.n)
	}
}

// Jump moves over n subsequences, to the same word there (skipahead_sequence).
func (g *Philox) Jump(n uint64) {
	g.sub += n
	g.Skip(0)
}

func (g *Philox) align()        { g.n &^= 7 }
func (g *Philox) phase() int    { return int(g.n & 7) }
func (g *Philox) blocked() bool { return true }

// pick4 is w[k] without an address that is computed: registers have none.
func pick4(w *[4]uint32, k uint64) uint32 {
	lo, hi := w[0], w[2]
	if k&1 != 0 {
		lo, hi = w[1], w[3]
	}
	if k&2 != 0 {
		return hi
	}
	return lo
}

// pair is the next two words of g.
func pair[P interface{ Uint32() uint32 }](g P) uint64 {
	lo := g.Uint32()
	return uint64(g.Uint32())<<32 | uint64(lo)
}
