package conformance

import "math/bits"

// longOps compute with numbers of four words, as those of curves: sums, differences and products, of which the carries go from word to word.
type longOps struct{}

type longNumber [4]uint64

type longOut struct {
	Sum, Difference, Product, Upper, Squared longNumber
	Carry, Borrow, More                      uint64
	Counted                                  longNumber
}

func (a longNumber) plus(b longNumber) (sum longNumber, carry uint64) {
	for i := range a {
		sum[i], carry = bits.Add64(a[i], b[i], carry)
	}
	return sum, carry
}

func (a longNumber) minus(b longNumber) (out longNumber, borrow uint64) {
	for i := range a {
		out[i], borrow = bits.Sub64(a[i], b[i], borrow)
	}
	return out, borrow
}

// multiplied is x*y+a+b in two words.
func multiplied(x, y, a, b uint64) (high, low uint64) {
	high, low = bits.Mul64(x, y)
	low, carry := bits.Add64(low, a, 0)
	high += carry
	low, carry = bits.Add64(low, b, 0)
	return high + carry, low
}

func (a longNumber) times(b longNumber) (high, low longNumber) {
	var all [8]uint64
	for i, x := range a {
		var carry uint64
		for j, y := range b {
			carry, all[i+j] = multiplied(x, y, all[i+j], carry)
		}
		all[i+4] = carry
	}
	return longNumber(all[4:]), longNumber(all[:4])
}

func (longOps) Do(in words4, out *longOut) {
	w := func(x, y uint32) uint64 { return uint64(x)<<32 | uint64(y) }
	a := longNumber{w(in.A, in.B), w(in.C, in.D), -w(in.C, in.D), w(in.B, in.B)}
	b := longNumber{w(in.C, in.A), ^w(in.C, in.D), w(in.C, in.D), ^w(in.B, in.A)}
	out.Sum, out.Carry = a.plus(b)
	out.Difference, out.Borrow = a.minus(b)
	out.Upper, out.Product = a.times(b)
	_, out.Squared = a.times(a)
	if _, borrow := out.Squared.minus(b); borrow == 0 {
		out.More = 1
	}
	carry := uint64(in.D)
	for i, x := range out.Upper { // what is carried is a word
		out.Counted[i], carry = bits.Add64(x, carry, 0)
	}
}
