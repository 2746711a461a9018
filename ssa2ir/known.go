package ssa2ir

// This file asks the prover what the lowering wants to know.

import (
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"
)

// prove makes the function's prover. Without checks it is there for what needs 32 bits only.
func (f *function) prove() {
	if f.opts.NoBounds && !f.M.T.Narrow {
		return
	}
	if f.bounded != nil {
		f.proof, f.compact = f.bounded.proof, f.bounded.compact
		return
	}
	f.proof, f.wrapping = f.newProver(), f.findWrapped()
	f.proof.wrapping = f.wrapping
	f.compact = f.findAlways()
}

// passes reports whether the check of an index of x needs no code here: it was made before,
// or cannot fail.
func (f *function) passes(at ssa.Instruction, index, x ssa.Value) bool {
	if a, ok := at.(*ssa.IndexAddr); ok && (f.hoisted[a] || f.bounded != nil && f.bounded.guarded[a]) {
		return true
	}
	if a, ok := at.(*ssa.IndexAddr); ok && f.bounded != nil && f.bounded.host && f.bounded.proved[a] {
		return true // the prover may find less once it knows that more integers need 32 bits: its steps are limited
	}
	p := f.proof
	return p != nil && p.inRange(p.node(index), p.length(x), at)
}

// within reports whether a bound of s is known to be at most another, nil for the length
// or capacity of what is sliced.
func (f *function) within(s *ssa.Slice, bound, most ssa.Value) bool {
	p := f.proof
	switch {
	case p == nil:
		return false
	case most != nil:
		return p.ordered(p.node(bound), p.node(most), s)
	}
	return f.cuts(s) || p.ordered(p.node(bound), p.capacity(s.X), s)
}

// lowWithin is within for the low bound.
func (f *function) lowWithin(s *ssa.Slice) bool {
	p := f.proof
	switch {
	case p == nil:
		return false
	case s.High != nil:
		return p.ordered(p.node(s.Low), p.node(s.High), s) || p.rowEnds(p.node(s.Low), p.node(s.High), s)
	}
	return f.cuts(s) || p.ordered(p.node(s.Low), p.length(s.X), s)
}

// rowEnds reports whether lo and hi are products with one number, as those of a row are, k*w and (k+1)*w, and 0 <= lo <= hi holds before an instruction.
func (p *prover) rowEnds(lo, hi *node, at ssa.Instruction) bool {
	if lo.op != token.MUL || hi.op != token.MUL || lo.intType != goInt || hi.intType != goInt {
		return false
	}
	for _, a := range [2][2]*node{{lo.x, lo.y}, {lo.y, lo.x}} {
		for _, b := range [2][2]*node{{hi.x, hi.y}, {hi.y, hi.x}} {
			if a[0] == b[0] && p.shown(p.constant(0), a[0], 0, at) && p.ordered(a[1], b[1], at) && p.isKept(hi, at) {
				return true
			}
		}
	}
	return false
}

// isKept is keeps before an instruction.
func (p *prover) isKept(n *node, at ssa.Instruction) bool {
	p.begin()
	defer p.done()
	return p.keeps(n, p.placeBefore(at))
}

// isCut reports whether p knows that a slice is not cut off behind what it is of.
func (p *prover) isCut(s *ssa.Slice) bool {
	if s.High != nil {
		return p.ordered(p.node(s.High), p.capacity(s.X), s)
	}
	return s.Low == nil || p.ordered(p.node(s.Low), p.length(s.X), s)
}

// long reports whether a slice is known to have n elements or more.
func (f *function) long(c *ssa.SliceToArrayPointer, n int64) bool {
	p := f.proof
	return p != nil && p.ordered(p.constant(n), p.length(c.X), c)
}

// operands is what is known of an operator of integers.
type operands struct {
	flags                                                string // of LLVM: it does not wrap around
	nonZero, positive, notMinusOne, nonNegative, inWidth bool   // of y; positive: x is not negative, either
}

// about is what is known of an operator.
func (f *function) about(op *ssa.BinOp) (know operands) {
	t, ok := typeOf(op.Type())
	if f.proof == nil || !ok {
		return know
	}
	p := f.proof
	at := ssa.Instruction(op)
	if f.anchor != nil {
		at = f.anchor
	}
	switch op.Op {
	case token.ADD, token.SUB, token.MUL, token.SHL:
		_, isConst := op.Y.(*ssa.Const)
		if t.bits >= 32 && (op.Op != token.SHL || isConst) && !p.wraps(op, at) {
			know.flags = " nsw"
			if !t.signed {
				know.flags = " nuw"
			} else if p.spanBefore(op.X, at).lo >= 0 && p.spanBefore(op.Y, at).lo >= 0 && op.Op != token.SUB {
				know.flags = " nuw nsw"
			}
		}
	}
	switch op.Op {
	case token.QUO, token.REM:
		x, y := p.spanBefore(op.X, at), p.spanBefore(op.Y, at)
		know.nonZero = y.lo > 0 || y.hi < 0
		know.notMinusOne = y.lo > -1 || y.hi < -1 || x.lo > math.MinInt64>>(64-t.bits)
		know.positive = x.lo >= 0 && y.lo >= 0 && t.signed
	case token.SHL, token.SHR:
		if yt, ok := typeOf(op.Y.Type()); ok {
			y := p.spanBefore(op.Y, at)
			know.nonNegative = y.lo >= 0
			know.inWidth = y.lo >= 0 && y.hi < int64(t.bits) && !yt.endless(y)
		}
	}
	return know
}
