package conformance

import (
	"math/bits"

	"heddle/dsl"
)

// Bit functions: dsl's and package math/bits'.

type dslBitsOut[T dsl.Unsigned] struct {
	Popc, Clz, Ctz, Ffs int
	Brev, Mulhi         T
}

type dslBits[T dsl.Unsigned] struct{}

func (dslBits[T]) Do(in pair[T], out *dslBitsOut[T]) {
	x := in.X
	out.Popc, out.Clz, out.Ctz, out.Ffs = dsl.Popc(x), dsl.Clz(x), dsl.Ctz(x), dsl.Ffs(x)
	out.Brev, out.Mulhi = dsl.Brev(x), dsl.Mulhi(x, in.Y)
}

type mulhiOps[T int32 | int64 | int] struct{}

func (mulhiOps[T]) Do(in pair[T], out *T) { *out = dsl.Mulhi(in.X, in.Y) }

type stdBitsOut struct {
	Ones, Lead, Trail, Len           [5]int
	Rev8                             uint8
	Rev16, Bytes16                   uint16
	Rev32, Bytes32, Rot32            uint32
	Rev64, Bytes64, Rot64            uint64
	Rot8                             uint8
	Rot16                            uint16
	Sum, Carry, Diff, Borrow, Hi, Lo uint64
	Sum32, Carry32, Hi32, Lo32       uint32
	Uint                             uint
}

type stdBits struct{}

func (stdBits) Do(in pair[uint64], out *stdBitsOut) {
	x, y := in.X, in.Y
	out.Ones = [5]int{bits.OnesCount8(uint8(x)), bits.OnesCount16(uint16(x)), bits.OnesCount32(uint32(x)), bits.OnesCount64(x), bits.OnesCount(uint(x))}
	out.Lead = [5]int{bits.LeadingZeros8(uint8(x)), bits.LeadingZeros16(uint16(x)), bits.LeadingZeros32(uint32(x)), bits.LeadingZeros64(x), bits.LeadingZeros(uint(x))}
	out.Trail = [5]int{bits.TrailingZeros8(uint8(x)), bits.TrailingZeros16(uint16(x)), bits.TrailingZeros32(uint32(x)), bits.TrailingZeros64(x), bits.TrailingZeros(uint(x))}
	out.Len = [5]int{bits.Len8(uint8(x)), bits.Len16(uint16(x)), bits.Len32(uint32(x)), bits.Len64(x), bits.Len(uint(x))}
	out.Rev8, out.Rev16, out.Rev32, out.Rev64 = bits.Reverse8(uint8(x)), bits.Reverse16(uint16(x)), bits.Reverse32(uint32(x)), bits.Reverse64(x)
	out.Bytes16, out.Bytes32, out.Bytes64 = bits.ReverseBytes16(uint16(x)), bits.ReverseBytes32(uint32(x)), bits.ReverseBytes64(x)
	k := int(int8(y))
	out.Rot8, out.Rot16, out.Rot32, out.Rot64 = bits.RotateLeft8(uint8(x), k), bits.RotateLeft16(uint16(x), k), bits.RotateLeft32(uint32(x), k), bits.RotateLeft64(x, k)
	out.Sum, out.Carry = bits.Add64(x, y, x&1)
	out.Diff, out.Borrow = bits.Sub64(x, y, y&1)
	out.Hi, out.Lo = bits.Mul64(x, y)
	out.Sum32, out.Carry32 = bits.Add32(uint32(x), uint32(y), 1)
	out.Hi32, out.Lo32 = bits.Mul32(uint32(x), uint32(y))
	out.Uint = bits.Reverse(uint(x)) ^ bits.ReverseBytes(uint(y)) ^ bits.RotateLeft(uint(x), k)
}

// wideDivision is compiled from Go's sources.
type wideDivision struct{}

func (wideDivision) Do(in pair[uint64], out *[3]uint64) {
	hi, lo := bits.Mul64(in.X, in.Y)
	if in.Y > hi {
		out[0], out[1] = bits.Div64(hi, lo, in.Y)
	}
	if in.Y != 0 {
		out[2] = bits.Rem64(in.X, in.X, in.Y)
	}
}

// halfOnes are disjunctions of numbers of which a half is all ones.
type halfOnes struct{}

func (halfOnes) Do(in pair[uint64], out *[10]uint64) {
	x, y := in.X, in.Y
	upper, lower := ^uint64(uint32(y)), ^(y << 32)
	out[0] = x | upper
	out[1] = x | lower
	most := y | ^uint64(7)
	out[2], out[3] = x|most, most
	few := int64(-5)
	if x&1 == 0 {
		few = -1
	}
	out[4] = y | uint64(few)
	if y > 100 {
		out[5] = x | uint64(few) // in another block
	}
	out[6], out[7] = x/upper, uint64(int64(x)/int64(upper))
	out[8] = (x | y) | ^uint64(255)
	out[9] = (y | ^uint64(255)) &^ uint64(int16(x))
	// The arithmetic shift of 16 bits, in 32.
	out[9] ^= uint64(^uint32(uint16(int16(x) >> 8)))
}

// shortDivision divides numbers of 32 bits by such of 64.
type shortDivision struct{}

func (shortDivision) Do(in pair[int64], out *[8]int64) {
	x, y := int64(int32(in.X)>>1), in.Y
	u, v := uint64(uint32(in.X)), uint64(in.Y)
	least, part := int64(int32(in.X)), int64(int32(in.Y))
	if y != 0 {
		out[0], out[1] = x/y, x%y
		out[2], out[3] = int64(u/v), int64(u%v)
	}
	if part != 0 {
		out[4], out[5] = x/part, x%part
		out[6], out[7] = least/part, least%part
	}
}

type words4 struct{ A, B, C, D uint32 }

// carryOps add and subtract numbers of two words, and ask for the carry of the second
// addition of the upper words alone.
type carryOps struct{}

func (carryOps) Do(in words4, out *[12]uint64) {
	lo := in.A + in.B
	var c uint32
	if lo < in.A {
		c = 1
	}
	s := in.C + in.D
	t := s + c
	out[0], out[1] = uint64(lo), uint64(t)
	if t < s {
		out[2] = 1
	}
	d := in.A - in.B
	var b uint32
	if in.A < in.B {
		b = 1
	}
	s = in.C - in.D
	t = s - b
	out[3], out[4] = uint64(d), uint64(t)
	if s < b {
		out[5] = 1
	}
	r, o := bits.Add32(in.C+in.D, 0, c)
	out[6], out[7] = uint64(r), uint64(o)
	r, o = bits.Sub32(in.C-in.D, 0, b)
	out[8], out[9] = uint64(r), uint64(o)
	w := uint64(in.C)<<32 | uint64(in.A)
	x := uint64(in.D)<<32 | uint64(in.B)
	var g uint64
	if w+x < w {
		g = 1
	}
	y := w + ^x
	if y+g < y {
		out[10] = 1
	}
	out[11] = y + g
}

// someWords are words whose sums are now and then all ones.
func someWords(n int) []words4 {
	return filled(n, func(i int) words4 {
		x := uint32(i)
		w := words4{x * 2654435761, x*x*77 - x, x * 0x9e3779b9, x*0x85ebca6b + 1}
		if i%3 == 0 {
			w.D = -w.C - x&1
		}
		if i%4 == 1 {
			w.D = w.C
		}
		return w
	})
}

func bitsCases() []Case {
	row := "integer functions; the standard math/bits"
	return []Case{
		onEach("bits/dsl/uint32", row, each[dslBits[uint32]], pairs(integers[uint32]())),
		onEach("bits/dsl/uint64", row, each[dslBits[uint64]], pairs(integers[uint64]())),
		onEach("bits/dsl/uint", row, each[dslBits[uint]], pairs(integers[uint]())),
		onEach("bits/mulhi/int32", row, each[mulhiOps[int32]], pairs(integers[int32]())),
		onEach("bits/mulhi/int64", row, each[mulhiOps[int64]], pairs(integers[int64]())),
		onEach("bits/mulhi/int", row, each[mulhiOps[int]], pairs(integers[int]())),
		onEach("bits/carry", row, each[carryOps], someWords(200)),
		onEach("bits/words", row, each[longOps], someWords(200)),
		onEach("bits/std", row, each[stdBits], pairs(integers[uint64]())),
		onEach("bits/half-ones", row, each[halfOnes], pairs(integers[uint64]())),
		onEach("bits/short-division", row, each[shortDivision], pairs(integers[int64]())),
		onEach("bits/division", row, each[wideDivision], pairs(integers[uint64]())).std(),
	}
}
