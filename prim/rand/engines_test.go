package rand

import (
	"math/big"
	"slices"
	"testing"
)

// The known answers of Random123 (tests/kat_vectors): counters and keys of zeros, of ones, and of the digits of pi.
func TestKnownAnswers(t *testing.T) {
	all := ^uint32(0)
	all64 := ^uint64(0)
	p := [8]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89}
	q := [8]uint64{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89, 0x452821e638d01377, 0xbe5466cf34e90c6c, 0xbe5466cf34e90c6c, 0xc0ac29b7c97c50dd}
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"philox4x32 0", Philox4x32([4]uint32{}, [2]uint32{}), [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{"philox4x32 1", Philox4x32([4]uint32{all, all, all, all}, [2]uint32{all, all}), [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{"philox4x32 pi", Philox4x32([4]uint32(p[:4]), [2]uint32(p[4:6])), [4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
		{"threefry2x32 0", Threefry2x32Block([2]uint32{}, [2]uint32{}), [2]uint32{0x6b200159, 0x99ba4efe}},
		{"threefry2x32 1", Threefry2x32Block([2]uint32{all, all}, [2]uint32{all, all}), [2]uint32{0x1cb996fc, 0xbb002be7}},
		{"threefry2x32 pi", Threefry2x32Block([2]uint32(p[:2]), [2]uint32(p[2:4])), [2]uint32{0xc4923a9c, 0x483df7a0}},
		{"threefry4x32 0", Threefry4x32Block([4]uint32{}, [4]uint32{}), [4]uint32{0x9c6ca96a, 0xe17eae66, 0xfc10ecd4, 0x5256a7d8}},
		{"threefry4x32 1", Threefry4x32Block([4]uint32{all, all, all, all}, [4]uint32{all, all, all, all}), [4]uint32{0x2a881696, 0x57012287, 0xf6c7446e, 0xa16a6732}},
		{"threefry4x32 pi", Threefry4x32Block([4]uint32(p[:4]), [4]uint32(p[4:])), [4]uint32{0x59cd1dbb, 0xb8879579, 0x86b5d00c, 0xac8b6d84}},
		{"threefry2x64 0", Threefry2x64Block([2]uint64{}, [2]uint64{}), [2]uint64{0xc2b6e3a8c2c69865, 0x6f81ed42f350084d}},
		{"threefry2x64 1", Threefry2x64Block([2]uint64{all64, all64}, [2]uint64{all64, all64}), [2]uint64{0xe02cb7c4d95d277a, 0xd06633d0893b8b68}},
		{"threefry2x64 pi", Threefry2x64Block([2]uint64(q[:2]), [2]uint64(q[2:4])), [2]uint64{0x263c7d30bb0f0af1, 0x56be8361d3311526}},
		{"threefry4x64 0", Threefry4x64Block([4]uint64{}, [4]uint64{}), [4]uint64{0x09218ebde6c85537, 0x55941f5266d86105, 0x4bd25e16282434dc, 0xee29ec846bd2e40b}},
		{"threefry4x64 1", Threefry4x64Block([4]uint64{all64, all64, all64, all64}, [4]uint64{all64, all64, all64, all64}), [4]uint64{0x29c24097942bba1b, 0x0371bbfb0f6f4e11, 0x3c231ffa33f83a1c, 0xcd29113fde32d168}},
		{"threefry4x64 pi", Threefry4x64Block([4]uint64(q[:4]), [4]uint64(q[4:])), [4]uint64{0xa7e8fde591651bd9, 0xbaafd0c30138319b, 0x84a5c1a729e685b9, 0x901d406ccebc1ba4}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %x, want %x", c.name, c.got, c.want)
		}
	}
}

// What L'Ecuyer's RngStreams gives from its initial seed, of the first stream, of its second substream and of two other seeds.
func TestMRG32k3aPublished(t *testing.T) {
	uniform := func(g *MRG32k3a) float64 { return float64(uint64(g.Uint32())+1) * (1 / (mrgM1 + 1.0)) }
	check := func(what string, g MRG32k3a, want ...float64) {
		t.Helper()
		for i, w := range want {
			if got := uniform(&g); got-w > 1e-15 || w-got > 1e-15 {
				t.Errorf("%s: number %d is %.17g, want %.17g", what, i, got, w)
			}
		}
	}
	check("first", NewMRG32k3a(0, 0, 0), 0.12701112204657714, 0.3185275653967945, 0.3091860155832701, 0.8258468629271136, 0.2216299157820229, 0.5333953879182788)
	check("number 1000", NewMRG32k3a(0, 0, 999), 0.98607848680213228)
	check("number 100000", NewMRG32k3a(0, 0, 99999), 0.69628910995743587)
	check("number 1000000", NewMRG32k3a(0, 0, 999999), 0.37578835621568801)
	check("substream", NewMRG32k3a(0, 1, 0), 0.07939898979733463, 0.4803395047575741, 0.8583222470551328)
	stream := NewMRG32k3a(0, 0, 0)
	stream.Jump(1 << 51) // streams are 2^127 apart
	if want := (MRG32k3a{[3]uint32{3692455944, 1366884236, 2968912127}, [3]uint32{335948734, 4161675175, 475798818}}); stream != want {
		t.Errorf("the second stream begins with %v, want %v", stream, want)
	}
	check("ones", MRG32k3a{[3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}}, 0.0003395772237870988, 0.55588071598279964, 0.014204660652803588)
}

// an engine with its moves, for tables.
type mover interface {
	Source
	Skip(n uint64)
	Jump(n uint64)
}

func movers(seed, sub, offset uint64) map[string]mover {
	p, a, b := NewPhilox(seed, sub, offset), NewThreefry2x32(seed, sub, offset), NewThreefry4x32(seed, sub, offset)
	c, d := NewThreefry2x64(seed, sub, offset), NewThreefry4x64(seed, sub, offset)
	x, m := NewXORWOW(seed, sub, offset), NewMRG32k3a(seed, sub, offset)
	return map[string]mover{"Philox": &p, "Threefry2x32": &a, "Threefry4x32": &b, "Threefry2x64": &c, "Threefry4x64": &d, "XORWOW": &x, "MRG32k3a": &m}
}

func draws(g Source, n int) []uint32 {
	v := make([]uint32, n)
	for i := range v {
		v[i] = g.Uint32()
	}
	return v
}

// Skip, the offset and drawing come to the same words, from any word on; Jump and the subsequence too.
func TestMoves(t *testing.T) {
	const seed = 0x123456789abcdef
	for name, g := range movers(seed, 5, 0) {
		words := draws(g, 400)
		for from := range 20 {
			for _, n := range []int{0, 1, 2, 3, 5, 8, 15, 16, 17, 100, 255, 256, 300} {
				h := movers(seed, 5, uint64(from))[name]
				h.Uint32()
				h.Skip(uint64(n))
				if got, want := draws(h, 20), words[from+1+n:from+n+21]; !slices.Equal(got, want) {
					t.Fatalf("%s: from %d over %d: %x, want %x", name, from, n, got, want)
				}
			}
		}
		h := movers(seed, 2, 7)[name]
		h.Uint32()
		h.Jump(3)
		if got := draws(h, 20); !slices.Equal(got, words[8:28]) {
			t.Errorf("%s: Jump does not come to the same word of the subsequence", name)
		}
		h = movers(seed, 5, 3)[name]
		for i := 3; i < 101; i += 2 {
			if got, want := h.Uint64(), uint64(words[i])|uint64(words[i+1])<<32; got != want {
				t.Fatalf("%s: Uint64 at %d is %x, want %x", name, i, got, want)
			}
		}
	}
}

// The generators' words are the functions' blocks, counted as the documentation says.
func TestCounters(t *testing.T) {
	const seed, sub = 0x0123456789abcdef, 0xfedcba9876543210
	const lo, hi = uint32(seed & 0xffffffff), uint32(seed >> 32)
	const sublo, subhi = uint32(sub & 0xffffffff), uint32(sub >> 32)
	at := uint64(0x3_2100_0001) // of a block: counters of more than 32 bits
	split := func(v ...uint64) (w []uint32) {
		for _, x := range v {
			w = append(w, uint32(x), uint32(x>>32))
		}
		return w
	}
	b4 := Philox4x32([4]uint32{uint32(at), uint32(at >> 32), sublo, subhi}, [2]uint32{lo, hi})
	t4 := Threefry4x32Block([4]uint32{uint32(at), uint32(at >> 32), sublo, subhi}, [4]uint32{lo, hi})
	t2 := Threefry2x32Block([2]uint32{uint32(at), sublo}, [2]uint32{lo, hi})
	l2 := Threefry2x64Block([2]uint64{at, sub}, [2]uint64{seed})
	l4 := Threefry4x64Block([4]uint64{at, sub}, [4]uint64{seed})
	for name, want := range map[string][]uint32{"Philox": b4[:], "Threefry4x32": t4[:], "Threefry2x32": t2[:], "Threefry2x64": split(l2[:]...), "Threefry4x64": split(l4[:]...)} {
		g := movers(seed, sub, at*uint64(len(want)))[name]
		if got := draws(g, len(want)); !slices.Equal(got, want) {
			t.Errorf("%s: %x, want %x", name, got, want)
		}
	}
}

// matrix is a linear map over 160 bits: row i, of which the product with a vector has bit i.
type matrix []*big.Int

func (m matrix) apply(v *big.Int) *big.Int {
	r := new(big.Int)
	for i, row := range m {
		r.SetBit(r, i, parity(new(big.Int).And(row, v)))
	}
	return r
}

func parity(x *big.Int) (p uint) {
	for i := range x.BitLen() {
		p ^= x.Bit(i)
	}
	return p
}

func (m matrix) square() matrix {
	r := make(matrix, len(m))
	for i, row := range m {
		r[i] = new(big.Int)
		for j := range m {
			if row.Bit(j) != 0 {
				r[i].Xor(r[i], m[j])
			}
		}
	}
	return r
}

// XORWOW's moves are powers of the matrix of its step, squared here bit by bit.
func TestXORWOWMatrix(t *testing.T) {
	step := make(matrix, 160)
	bit := func(i, j int) *big.Int { return new(big.Int).SetBit(new(big.Int), 32*i+j, 1) }
	for j := range 32 {
		for i := range 4 {
			step[32*i+j] = bit(i+1, j) // v0 = v1 and so on
		}
		row := bit(4, j) // v4 ^ v4<<4 ^ t ^ t<<1, t = v0 ^ v0>>2
		xor := func(x *big.Int) { row = new(big.Int).Xor(row, x) }
		if j >= 4 {
			xor(bit(4, j-4))
		}
		for k := range 2 {
			if j-k >= 0 {
				xor(bit(0, j-k))
				if j-k+2 < 32 {
					xor(bit(0, j-k+2))
				}
			}
		}
		step[128+j] = row
	}
	pack := func(v [5]uint32) *big.Int {
		x := new(big.Int)
		for i := 4; i >= 0; i-- {
			x.Lsh(x, 32).Or(x, big.NewInt(int64(v[i])))
		}
		return x
	}
	start := NewXORWOW(77, 0, 0)
	seen := 0
	power := step
	for k := range 67 + 64 { // power is the step's 2^k-th
		g := start
		switch {
		case k < 64:
			g.Skip(1 << k)
		case k >= 67:
			g.Jump(1 << (k - 67))
		}
		if k < 64 || k >= 67 {
			seen++
			if pack(g.v).Cmp(power.apply(pack(start.v))) != 0 {
				t.Fatalf("2^%d steps are not the matrix's power", k)
			}
			if d := start.d + 362437*uint32(uint64(1)<<k); g.d != d && k < 64 || k >= 67 && g.d != start.d {
				t.Fatalf("2^%d steps leave d = %d", k, g.d)
			}
		}
		power = power.square()
	}
	if seen != 128 {
		t.Fatal(seen)
	}
	g, h := start, start // the digits of the table
	g.Skip(0xfedcba9876543210)
	for k := range 64 {
		if uint64(0xfedcba9876543210)>>k&1 != 0 {
			h.Skip(1 << k)
		}
	}
	if g != h {
		t.Error("Skip by all digits is not Skip by all bits")
	}
}

// XORWOW as Marsaglia prints it, from his start.
func TestXORWOWStep(t *testing.T) {
	x, y, z, w, v, d := uint32(123456789), uint32(362436069), uint32(521288629), uint32(88675123), uint32(5783321), uint32(6615241)
	g := XORWOW{d, [5]uint32{x, y, z, w, v}}
	for i := range 1000 {
		s := x ^ x>>2
		x, y, z, w = y, z, w, v
		v = v ^ v<<4 ^ (s ^ s<<1)
		d += 362437
		if got := g.Uint32(); got != d+v {
			t.Fatalf("word %d is %d, want %d", i, got, d+v)
		}
	}
}

// MRG32k3a's moves are powers of matrices modulo the primes, by math/big.
func TestMRG32k3aMatrix(t *testing.T) {
	n := func(x int64) *big.Int { return big.NewInt(x) }
	type mat [3][3]*big.Int
	mod := [2]*big.Int{n(4294967087), n(4294944443)}
	power := [2]mat{
		{{n(0), n(1), n(0)}, {n(0), n(0), n(1)}, {n(-810728), n(1403580), n(0)}},
		{{n(0), n(1), n(0)}, {n(0), n(0), n(1)}, {n(-1370589), n(0), n(527612)}},
	}
	start := NewMRG32k3a(99, 0, 0)
	apply := func(m mat, v [3]uint32, p *big.Int) (r [3]uint32) {
		for i := range 3 {
			s := n(0)
			for j := range 3 {
				s.Add(s, new(big.Int).Mul(m[i][j], n(int64(v[j]))))
			}
			r[i] = uint32(s.Mod(s, p).Uint64())
		}
		return r
	}
	for k := range 76 + 64 {
		g := start
		switch {
		case k < 64:
			g.Skip(1 << k)
		case k >= 76:
			g.Jump(1 << (k - 76))
		}
		if want := (MRG32k3a{apply(power[0], start.x, mod[0]), apply(power[1], start.y, mod[1])}); g != want && (k < 64 || k >= 76) {
			t.Fatalf("2^%d steps: %v, want %v", k, g, want)
		}
		for c := range 2 {
			var sq mat
			for i := range 3 {
				for j := range 3 {
					sq[i][j] = n(0)
					for l := range 3 {
						sq[i][j].Add(sq[i][j], new(big.Int).Mul(power[c][i][l], power[c][l][j]))
					}
					sq[i][j].Mod(sq[i][j], mod[c])
				}
			}
			power[c] = sq
		}
	}
}

// An integer is rejected exactly where the 2^64 words do not divide evenly: with words of 4 bits, of which all are tried.
func TestWithin(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 7, 1 << 31, 1<<32 - 1, 1<<63 + 1, 1<<64 - 1} {
		reject := -n % n // 2^64 mod n
		for _, c := range []struct {
			x  uint64
			ok bool
		}{{0, reject == 0}, {1<<64 - 1, true}} {
			if got, ok := within(c.x, n); ok != c.ok || ok && got >= n {
				t.Errorf("within(%d, %d) is %d, %v", c.x, n, got, ok)
			}
		}
	}
	// The same rule with 8 bits: each result comes equally often.
	for n := uint32(1); n < 256; n++ {
		count := map[uint32]int{}
		for x := range uint32(256) {
			hi, lo := x*n>>8, x*n&255
			if lo >= n || lo >= (256-n)%n {
				count[hi]++
			}
		}
		for r := range n {
			if count[r] != int(256/n) {
				t.Fatalf("%d of %d comes %d times", r, n, count[r])
			}
		}
	}
}
