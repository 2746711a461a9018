package ssa2ir

// This file makes checks ahead of a loop in 32 bits, on AMD's GPUs, where what is compared needs no more: an index of 32 bits is in range if it is
// below the length as a number without a sign, if that is not above 1<<31.

import (
	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// beyondEnd is whether the index of an access is out of range, which is made at the guard.
func (g *guard) beyondEnd(a *ssa.IndexAddr) target.Value {
	f := g.f
	idx, n := f.index(a.Index), f.lengthOf(a.X)
	if t, ok := typeOf(a.Index.Type()); ok && t.bits <= 32 && g.isOfFew(a) {
		return f.ICmp("uge", f.IntCast(f.value(a.Index), target.I32, t.signed), f.IntCast(n, target.I32, false))
	}
	return f.ICmp("uge", idx, n)
}

// isOfFew is isOfFew of the function, where nothing is known but what is known ahead of the loop.
func (g *guard) isOfFew(a *ssa.IndexAddr) bool {
	p := g.proof
	return g.f.M.T.Votes && g.f.bounded != nil && p != nil && p.spanAt(p.length(a.X), p.placeBefore(g.entry())).within(span{0, 1 << 31})
}

// entry is the last instruction that is always made before the loop.
func (v *version) entry() ssa.Instruction {
	b := v.header.Idom()
	return b.Instrs[len(b.Instrs)-1]
}

// isShort reports whether the loop's variable goes from a number of 32 bits to another one.
func (g *guard) isShort() bool {
	f, p := g.f, g.proof
	if !f.M.T.Votes || f.bounded == nil || p == nil || !p.spanBefore(g.count.test.Y, g.entry()).within(int32s) {
		return false
	}
	for i, from := range g.header.Preds {
		if !g.loop.blocks[from] && f.know.taken(from, g.header) && !p.spanBefore(g.count.phi.Edges[i], from.Instrs[len(from.Instrs)-1]).within(int32s) {
			return false
		}
	}
	return g.count.by > -1<<16 && g.count.by < 1<<16
}

// outside is whether the least or the greatest index of an access is out of range, which is made at the guard.
func (g *guard) outside(c *guarded, least, most, n target.Value) target.Value {
	if bad := g.outsideLow(c, least, most, n); bad != nil {
		return bad
	}
	return g.f.outside(least, most, n)
}

// outsideLow is outside, of the least and the greatest index, where the index is what the loop's test compares and there is a first iteration. It is nil
// where that needs more than 32 bits.
func (g *guard) outsideLow(c *guarded, least, most, n target.Value) target.Value {
	f := g.f
	if !g.isShort() || g.atEnd || g.count.by == 0 || narrowest(c.at.Index) != narrowest(g.count.test.X) || !g.isOfFew(c.at) {
		return nil
	}
	low := func(x target.Value) target.Value { return f.IntCast(x, target.I32, false) }
	return f.Bin("or", f.ICmp("slt", low(least), target.Int(target.I32, 0)), f.ICmp("uge", low(most), low(n)))
}

// narrowest is what a number was before it was extended.
func narrowest(v ssa.Value) ssa.Value {
	for {
		c, ok := v.(*ssa.Convert)
		if !ok || !isInteger(c.X.Type()) || !isInteger(c.Type()) || sizeof(c.X.Type()) > sizeof(c.Type()) || isSigned(c.X.Type()) && !isSigned(c.Type()) {
			return v
		}
		v = c.X
	}
}
