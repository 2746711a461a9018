package rand

import "math/bits"

// Threefry is a family of ciphers without their security: 20 rounds of additions, rotations and
// exclusive ors (Salmon and others, 2011; ROCRAND_RNG_PSEUDO_THREEFRY*). Its names say how many words of how
// many bits a block has. It multiplies nothing, and is fast where multiplications are slow.

// Threefry2x32 draws blocks of two words of 32 bits. A subsequence has 2^33 words only, and there are 2^32
// of them: the upper half of the counter. The zero value is that of seed 0.
type Threefry2x32 struct {
	seed uint64
	sub  uint32
	out  [2]uint32 // the block of word n, where n is not its first
	n    uint64
}

// NewThreefry2x32 returns the generator of a seed, which is the key, at word offset of a subsequence. The low 33 bits of offset
// and the low 32 of subsequence count.
func NewThreefry2x32(seed, subsequence, offset uint64) Threefry2x32 {
	g := Threefry2x32{seed: seed, sub: uint32(subsequence)}
	g.Skip(offset)
	return g
}

// Threefry2x32Block is the function that Threefry2x32 calls for each block (threefry2x32 of Random123).
func Threefry2x32Block(counter, key [2]uint32) [2]uint32 {
	r := [8]int{13, 15, 26, 6, 17, 29, 16, 24}
	k := [3]uint32{key[0], key[1], 0x1bd11bda ^ key[0] ^ key[1]}
	x, y := counter[0]+k[0], counter[1]+k[1]
	//heddle:unroll
	for i := range 20 {
		x += y
		y = bits.RotateLeft32(y, r[i%8]) ^ x
		if i%4 == 3 {
			s := i/4 + 1
			x += k[s%3]
			y += k[(s+1)%3] + uint32(s)
		}
	}
	return [2]uint32{x, y}
}

func (g *Threefry2x32) block(n uint64) [2]uint32 {
	return Threefry2x32Block([2]uint32{uint32(n >> 1), g.sub}, [2]uint32{uint32(g.seed), uint32(g.seed >> 32)})
}

// Uint32 returns the next word.
func (g *Threefry2x32) Uint32() uint32 {
	k := g.n & 1
	if k == 0 {
		g.out = g.block(g.n)
	}
	g.n++
	if k == 0 {
		return g.out[0]
	}
	return g.out[1]
}

// Uint64 returns the next two words, the low one first.
func (g *Threefry2x32) Uint64() uint64 { return pair(g) }

// Skip moves over n words.
func (g *Threefry2x32) Skip(n uint64) {
	g.n += n
	if g.n&1 != 0 {
		g.out = g.block(g.n)
	}
}

// Jump moves over n subsequences, to the same word there.
func (g *Threefry2x32) Jump(n uint64) {
	g.sub += uint32(n)
	g.Skip(0)
}

func (g *Threefry2x32) align()        { g.n &^= 7 }
func (g *Threefry2x32) phase() int    { return int(g.n & 7) }
func (g *Threefry2x32) blocked() bool { return true }

// Threefry4x32 draws blocks of four words of 32 bits. The zero value is that of seed 0.
type Threefry4x32 struct {
	seed, sub uint64
	out       [4]uint32 // the block of word n, where n is not its first
	n         uint64
}

// NewThreefry4x32 returns the generator of a seed at word offset of a subsequence. The counter is (block, subsequence),
// the key (seed, 0).
func NewThreefry4x32(seed, subsequence, offset uint64) Threefry4x32 {
	g := Threefry4x32{seed: seed, sub: subsequence}
	g.Skip(offset)
	return g
}

// Threefry4x32Block is the function that Threefry4x32 calls for each block (threefry4x32 of Random123).
func Threefry4x32Block(counter, key [4]uint32) [4]uint32 {
	r := [8]int{10, 11, 13, 23, 6, 17, 25, 18}
	q := [8]int{26, 21, 27, 5, 20, 11, 10, 20}
	k := [5]uint32{key[0], key[1], key[2], key[3], 0x1bd11bda ^ key[0] ^ key[1] ^ key[2] ^ key[3]}
	a, b, c, d := counter[0]+k[0], counter[1]+k[1], counter[2]+k[2], counter[3]+k[3]
	//heddle:unroll
	for i := range 20 {
		a, c = a+b, c+d
		b, d = bits.RotateLeft32(b, r[i%8])^a, bits.RotateLeft32(d, q[i%8])^c
		b, d = d, b // the next round's pairs are a with d and c with b
		if i%4 == 3 {
			s := i/4 + 1
			a, b, c, d = a+k[s%5], b+k[(s+1)%5], c+k[(s+2)%5], d+k[(s+3)%5]+uint32(s)
		}
	}
	return [4]uint32{a, b, c, d}
}

func (g *Threefry4x32) block(n uint64) [4]uint32 {
	c := [4]uint32{uint32(n >> 2), uint32(n >> 34), uint32(g.sub), uint32(g.sub >> 32)}
	return Threefry4x32Block(c, [4]uint32{uint32(g.seed), uint32(g.seed >> 32)})
}

// Uint32 returns the next word.
func (g *Threefry4x32) Uint32() uint32 {
	k := g.n & 3
	if k == 0 {
		g.out = g.block(g.n)
	}
	g.n++
	return pick4(&g.out, k)
}

// Uint64 returns the next two words, the low one first.
func (g *Threefry4x32) Uint64() uint64 { return pair(g) }

// Skip moves over n words.
func (g *Threefry4x32) Skip(n uint64) {
	g.n += n
	if g.n&3 != 0 {
		g.out = g.block(g.n)
	}
}

// Jump moves over n subsequences, to the same word there.
func (g *Threefry4x32) Jump(n uint64) {
	g.sub += n
	g.Skip(0)
}

func (g *Threefry4x32) align()        { g.n &^= 7 }
func (g *Threefry4x32) phase() int    { return int(g.n & 7) }
func (g *Threefry4x32) blocked() bool { return true }
