package spmd

import (
	"fmt"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file knows the test whether a float32 is a positive normal number, by which functions such as logarithms and roots
// tell what they do apart. AVX-512 has an instruction for it, where else there are two and a number more; and numbers that are none are rare.

// usual takes apart a comparison of a float's bits. yes tells whether it holds for positive normal numbers and no
// others, or for all others.
func usual(cond ll.Value) (x *ll.Inst, yes, ok bool) {
	i, is := cond.(*ll.Inst)
	if !is || i.Op != "icmp" || i.Pred != "ult" && i.Pred != "ugt" {
		return nil, false, false
	}
	sum, is := i.Args[0].(*ll.Inst)
	limit := divergence.Constant(i.Args[1])
	if !is || sum.Op != "add" || limit == nil || sum.Typ.Bits != 32 {
		return nil, false, false
	}
	more := divergence.Constant(sum.Args[1])
	bits, is := sum.Args[0].(*ll.Inst)
	if !is || more == nil || bits.Op != "bitcast" || bits.Args[0].Type().Text != "float" {
		return nil, false, false
	}
	const least, past = 0x00800000, 0x7f800000 // the least of them, and what follows the greatest
	from, to := -uint32(*more), uint32(*limit)-uint32(*more)
	if i.Pred == "ugt" {
		from, to = to+1, from
	}
	yes = from == least && to == past
	return bits, yes, yes || from == past && to == least
}

// compareUsual is such a comparison by AVX-512's instruction.
func (e *emitter) compareUsual(i *ll.Inst) bool {
	bits, yes, ok := usual(i)
	const width = 16
	if !ok || bits.Block != e.block || e.o.ISA != "x86-64-v4" || e.n%width != 0 {
		return false
	}
	x, t := e.vector(bits.Args[0]), bits.Args[0].Type()
	const others = 255 // all classes that the instruction knows: zeros, subnormal and negative numbers, infinities, NaN
	f := e.declare("<16 x i1> @llvm.x86.avx512.fpclass.ps.512(<16 x float>, i32 immarg)")
	var parts []string
	for k := range e.n / width {
		parts = append(parts, e.let("call <16 x i1> %s(<16 x float> %s, i32 %d)", f, e.part(t, x, k, width), others))
	}
	is := e.concat("i1", width, parts)
	if yes {
		is = e.let("xor %s %s, %s", e.maskType(), is, e.fullMask())
	}
	e.set(i, is)
	return true
}

// isRare reports whether lanes rarely come to a block: those whose numbers are no positive normal ones. With AVX2 it was no gain.
func (e *emitter) isRare(b *ll.Block) bool {
	if len(b.Preds) != 1 || e.o.ISA != "x86-64-v4" {
		return false
	}
	t := b.Preds[0].Term()
	if t.Op != "br" || len(t.Args) == 0 || t.Blocks[0] == t.Blocks[1] {
		return false
	}
	_, yes, ok := usual(t.Args[0])
	return ok && t.Blocks[pick(yes, 1, 0)] == b
}

// firstIsRare is what a branch has that rarely goes the first way.
const firstIsRare = ", !prof !4"

// likelyIR are the weights of branches.
func likelyIR() string {
	return fmt.Sprintf("!3 = !{!\"branch_weights\", i32 %d, i32 1}\n!4 = !{!\"branch_weights\", i32 1, i32 %d}\n", likely, likely)
}

// likely is how much more often a branch goes the one way than the other.
const likely = 2000
