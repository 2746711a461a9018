package ssa2ir

// This file makes one branch of a loop's two conditions, where it is the branch that costs:
//
//	for n < limit && x*x+y*y < 4 { ... }   ->   both are computed, and one branch asks for n < limit & x*x+y*y < 4
//
// The second is computed where the first does not hold, too, so that it has to be a few instructions which can do no harm.

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

const maxBoth = 6 // instructions of the second condition

// findBoth returns the blocks with such second conditions, by the loop's header.
func (f *function) findBoth() map[*ssa.BasicBlock]*ssa.BasicBlock {
	found := map[*ssa.BasicBlock]*ssa.BasicBlock{}
	if !f.M.T.Joins {
		return found
	}
	for _, l := range loopsOf(f.in.fn, f.know) {
		if b := l.secondTest(); b != nil && f.doubles[l.header] == nil && f.hoists[l.header] == nil && !f.isCopied(b) && f.asksBoth(l.header, b) {
			found[l.header] = b
		}
	}
	return found
}

// isCopied reports whether a block is one of a loop of which there are two versions, or whose checks are made ahead.
func (f *function) isCopied(b *ssa.BasicBlock) bool {
	for _, v := range f.doubles {
		if v.loop.blocks[b] {
			return true
		}
	}
	for _, h := range f.hoists {
		if h.loop.blocks[b] {
			return true
		}
	}
	return false
}

// secondTest is the block that the header's test leads to if it has another test, which leads to the same exit.
func (l *loop) secondTest() *ssa.BasicBlock {
	h := l.header
	if len(h.Succs) != 2 || !l.blocks[h.Succs[0]] || l.blocks[h.Succs[1]] {
		return nil
	}
	b := h.Succs[0]
	if len(b.Preds) != 1 || len(b.Succs) != 2 || b.Succs[1] != h.Succs[1] || !l.blocks[b.Succs[0]] || b.Succs[0] == b {
		return nil
	}
	return b
}

// asksBoth reports whether all ways are taken, the second test's instructions may be run in vain, and the exit's variables do not
// tell by which way it came.
func (f *function) asksBoth(h, b *ssa.BasicBlock) bool {
	if len(b.Instrs) > maxBoth+1 {
		return false
	}
	for _, from := range []*ssa.BasicBlock{h, b} {
		if !f.know.taken(from, from.Succs[0]) || !f.know.taken(from, from.Succs[1]) {
			return false
		}
	}
	for _, i := range b.Instrs[:len(b.Instrs)-1] {
		switch i := i.(type) {
		case *ssa.BinOp:
			if i.Op == token.QUO || i.Op == token.REM || i.Op == token.SHL || i.Op == token.SHR || !isInteger(i.X.Type()) && !isFloat(i.X.Type()) {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	exit := h.Succs[1]
	for _, i := range exit.Instrs {
		phi, ok := i.(*ssa.Phi)
		if !ok {
			break
		}
		if phi.Edges[slices.Index(exit.Preds, h)] != phi.Edges[slices.Index(exit.Preds, b)] {
			return false
		}
	}
	return true
}
