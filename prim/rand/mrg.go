package rand

// MRG32k3a is L'Ecuyer's sum of two linear recurrences of order three (L'Ecuyer: Good Parameters and
// Implementations for Combined Multiple Recursive Random Number Generators, 1999; CURAND_RNG_PSEUDO_MRG32K3A,
// ROCRAND_RNG_PSEUDO_MRG32K3A). Its words are the numbers below 2^32 - 209, each as likely: the 209 words above never come, so
// what is made of it has a bias of 5e-8. Use [NewMRG32k3a]: the zero value is no generator.
type MRG32k3a struct {
	x, y [3]uint32
}

const (
	mrgM1, mrgC1 = 1<<32 - mrgC1, 209
	mrgM2, mrgC2 = 1<<32 - mrgC2, 22853
)

// NewMRG32k3a returns the generator of a seed at word offset of a subsequence (curand_init). Seed 0 is
// the state of six 12345 of L'Ecuyer's RngStreams, whose subsequences of 2^76 words are the substreams. A word w is
// the number (w+1)/(2^32-208) there, and w+1, scaled to 32 bits, in cuRAND.
func NewMRG32k3a(seed, subsequence, offset uint64) MRG32k3a {
	g := MRG32k3a{[3]uint32{12345, 12345, 12345}, [3]uint32{12345, 12345, 12345}}
	if seed != 0 {
		a, b := 12345*uint64(uint32(seed)^0x55555555), 12345*uint64(uint32(seed>>32)^0xaaaaaaaa)
		g.x = [3]uint32{fold(a, mrgC1), fold(b, mrgC1), fold(a, mrgC1)}
		g.y = [3]uint32{fold(b, mrgC2), fold(a, mrgC2), fold(b, mrgC2)}
	}
	g.Jump(subsequence)
	g.Skip(offset)
	return g
}

// fold is p modulo 2^32 - c.
func fold(p, c uint64) uint32 {
	p = p>>32*c + p&(1<<32-1)
	p = p>>32*c + p&(1<<32-1) // below twice the modulus
	if p >= 1<<32-c {
		p -= 1<<32 - c
	}
	return uint32(p)
}

func nextX(x [3]uint32) [3]uint32 {
	return [3]uint32{x[1], x[2], fold(1403580*uint64(x[1])+810728*uint64(mrgM1-x[0]), mrgC1)}
}

func nextY(y [3]uint32) [3]uint32 {
	return [3]uint32{y[1], y[2], fold(527612*uint64(y[2])+1370589*uint64(mrgM2-y[0]), mrgC2)}
}

// Uint32 returns the next word, which is below 2^32 - 209.
func (g *MRG32k3a) Uint32() uint32 {
	g.x, g.y = nextX(g.x), nextY(g.y)
	z := g.x[2] - g.y[2]
	if g.x[2] <= g.y[2] {
		z += mrgM1
	}
	return z - 1
}

// Uint64 returns the next two words, the low one first.
func (g *MRG32k3a) Uint64() uint64 { return pair(g) }

// Skip moves over n words (skipahead).
func (g *MRG32k3a) Skip(n uint64) { g.move(false, n) }

// Jump moves over n subsequences (skipahead_subsequence).
func (g *MRG32k3a) Jump(n uint64) { g.move(true, n) }

// move applies the powers of the two recurrences that the bits of n say. The power of a recurrence of order three is a
// polynomial of degree two of it.
func (g *MRG32k3a) move(jump bool, n uint64) {
	for at := 0; n != 0; at, n = at+1, n>>1 {
		if n&1 == 0 {
			continue
		}
		x1, y1 := nextX(g.x), nextY(g.y)
		x2, y2 := nextX(x1), nextY(y1)
		powers := mrgSkips[at]
		if jump {
			powers = mrgJumps[at]
		}
		p, q := powers[0], powers[1]
		for i := range 3 {
			x1[i] = fold(uint64(fold(uint64(p[0])*uint64(g.x[i]), mrgC1))+uint64(fold(uint64(p[1])*uint64(x1[i]), mrgC1))+uint64(fold(uint64(p[2])*uint64(x2[i]), mrgC1)), mrgC1)
			y1[i] = fold(uint64(fold(uint64(q[0])*uint64(g.y[i]), mrgC2))+uint64(fold(uint64(q[1])*uint64(y1[i]), mrgC2))+uint64(fold(uint64(q[2])*uint64(y2[i]), mrgC2)), mrgC2)
		}
		g.x, g.y = x1, y1
	}
}

func (g *MRG32k3a) align()        {}
func (g *MRG32k3a) phase() int    { return 0 }
func (g *MRG32k3a) blocked() bool { return false }
