package rand

import "math/bits"

// Threefry2x64 draws blocks of two numbers of 64 bits: four words, of each number the low one first. The zero value is that of
// seed 0.
type Threefry2x64 struct {
	seed, sub uint64
	n         uint64
	out       [2]uint64 // the block of word n, where n is not its first
}

// NewThreefry2x64 returns the generator of a seed at word offset of a subsequence. The counter is (block, subsequence),
// the key (seed, 0).
func NewThreefry2x64(seed, subsequence, offset uint64) Threefry2x64 {
	g := Threefry2x64{seed: seed, sub: subsequence}
	g.Skip(offset)
	return g
}

// Threefry2x64Block is the function that Threefry2x64 calls for each block (threefry2x64 of Random123).
func Threefry2x64Block(counter, key [2]uint64) [2]uint64 {
	r := [8]int{16, 42, 12, 31, 16, 32, 24, 21}
	k := [3]uint64{key[0], key[1], 0x1bd11bdaa9fc1a22 ^ key[0] ^ key[1]}
	x, y := counter[0]+k[0], counter[1]+k[1]
	//heddle:unroll
	for i := range 20 {
		x += y
		y = bits.RotateLeft64(y, r[i%8]) ^ x
		if i%4 == 3 {
			s := i/4 + 1
			x += k[s%3]
			y += k[(s+1)%3] + uint64(s)
		}
	}
	return [2]uint64{x, y}
}

func (g *Threefry2x64) block(n uint64) [2]uint64 {
	return Threefry2x64Block([2]uint64{n >> 2, g.sub}, [2]uint64{g.seed})
}

// Uint32 returns the next word.
func (g *Threefry2x64) Uint32() uint32 {
	k := g.n & 3
	if k == 0 {
		g.out = g.block(g.n)
	}
	g.n++
	v := g.out[0]
	if k&2 != 0 {
		v = g.out[1]
	}
	return uint32(v >> (k & 1 * 32))
}

// Uint64 returns the next two words, the low one first.
func (g *Threefry2x64) Uint64() uint64 { return pair(g) }

// Skip moves over n words.
func (g *Threefry2x64) Skip(n uint64) {
	g.n += n
	if g.n&3 != 0 {
		g.out = g.block(g.n)
	}
}

// Jump moves over n subsequences, to the same word there.
func (g *Threefry2x64) Jump(n uint64) {
	g.sub += n
	g.Skip(0)
}

func (g *Threefry2x64) align()        { g.n &^= 7 }
func (g *Threefry2x64) phase() int    { return int(g.n & 7) }
func (g *Threefry2x64) blocked() bool { return true }

// Threefry4x64 draws blocks of four numbers of 64 bits: eight words, of each number the low one first. The zero value is that
// of seed 0.
type Threefry4x64 struct {
	seed, sub uint64
	out       [4]uint64 // the block of word n, where n is not its first
	n         uint64
}

// NewThreefry4x64 returns the generator of a seed at word offset of a subsequence. The counter is (block, subsequence, 0, 0),
// the key (seed, 0, 0, 0).
func NewThreefry4x64(seed, subsequence, offset uint64) Threefry4x64 {
	g := Threefry4x64{seed: seed, sub: subsequence}
	g.Skip(offset)
	return g
}

// Threefry4x64Block is the function that Threefry4x64 calls for each block (threefry4x64 of Random123).
func Threefry4x64Block(counter, key [4]uint64) [4]uint64 {
	r := [8]int{14, 52, 23, 5, 25, 46, 58, 32}
	q := [8]int{16, 57, 40, 37, 33, 12, 22, 32}
	k := [5]uint64{key[0], key[1], key[2], key[3], 0x1bd11bdaa9fc1a22 ^ key[0] ^ key[1] ^ key[2] ^ key[3]}
	a, b, c, d := counter[0]+k[0], counter[1]+k[1], counter[2]+k[2], counter[3]+k[3]
	//heddle:unroll
	for i := range 20 {
		a, c = a+b, c+d
		b, d = bits.RotateLeft64(b, r[i%8])^a, bits.RotateLeft64(d, q[i%8])^c
		b, d = d, b // the next round's pairs are a with d and c with b
		if i%4 == 3 {
			s := i/4 + 1
			a, b, c, d = a+k[s%5], b+k[(s+1)%5], c+k[(s+2)%5], d+k[(s+3)%5]+uint64(s)
		}
	}
	return [4]uint64{a, b, c, d}
}

func (g *Threefry4x64) block(n uint64) [4]uint64 {
	return Threefry4x64Block([4]uint64{n >> 3, g.sub}, [4]uint64{g.seed})
}

// Uint32 returns the next word.
func (g *Threefry4x64) Uint32() uint32 {
	k := g.n & 7
	if k == 0 {
		g.out = g.block(g.n)
	}
	g.n++
	lo, hi := g.out[0], g.out[2]
	if k&2 != 0 {
		lo, hi = g.out[1], g.out[3]
	}
	if k&4 != 0 {
		lo = hi
	}
	return uint32(lo >> (k & 1 * 32))
}

// Uint64 returns the next two words, the low one first.
func (g *Threefry4x64) Uint64() uint64 { return pair(g) }

// Skip moves over n words.
func (g *Threefry4x64) Skip(n uint64) {
	g.n += n
	if g.n&7 != 0 {
		g.out = g.block(g.n)
	}
}

// Jump moves over n subsequences, to the same word there.
func (g *Threefry4x64) Jump(n uint64) {
	g.sub += n
	g.Skip(0)
}

func (g *Threefry4x64) align()        { g.n &^= 7 }
func (g *Threefry4x64) phase() int    { return int(g.n & 7) }
func (g *Threefry4x64) blocked() bool { return true }
