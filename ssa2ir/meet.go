package ssa2ir

// This file has two ways of a branch that store what they load meet in a block of their own, where others come to the next one, too:
//
//	if tid == 0 {
//		if first { tile[0] = in[n-1] } else { tile[0] = in[i-1] }
//	}
//
// go/ssa has all three ways lead to what follows. LLVM makes one load and one store of two, of what the two ways choose, only where nothing else comes to a
// block. One such way is short enough for ptxas to do without a branch, so that the loads of several borders are under way at once.

import (
	"github.com/llir/llvm/ir"
	"golang.org/x/tools/go/ssa"
)

// A meeting is where two ways of a branch meet: the branch's block, and what the ways lead to.
type meeting struct {
	from *ssa.BasicBlock
	to   *ir.Block
}

// meet is the block that leads to one that a block leads to, for the two ways that meet there; to if there is no such block.
func (f *function) meet(b *ssa.BasicBlock, to *ir.Block) *ir.Block {
	if f.M.T.Stays == nil || !f.meetsAlike(b) {
		return to
	}
	m := meeting{b.Preds[0], to}
	if f.meetings[m] == nil {
		if f.meetings == nil {
			f.meetings = map[meeting]*ir.Block{}
		}
		at := f.NewBlock()
		f.meetings[m] = at
		was := f.Cur
		f.Cur = at
		f.M.T.Stays(f.Builder)
		f.Br(to)
		f.Cur = was
	}
	return f.meetings[m]
}

// meetsAlike reports whether b is one of two ways of a branch that end with the store of what they load, and lead to a block that others lead to, without phis.
func (f *function) meetsAlike(b *ssa.BasicBlock) bool {
	if len(b.Preds) != 1 || len(b.Succs) != 1 || len(b.Succs[0].Preds) < 3 || b.Succs[0].Dominates(b) {
		return false
	}
	if _, isPhi := b.Succs[0].Instrs[0].(*ssa.Phi); isPhi {
		return false
	}
	up := b.Preds[0]
	if len(up.Succs) != 2 || up.Succs[0] == up.Succs[1] {
		return false
	}
	for _, way := range up.Succs {
		if len(way.Preds) != 1 || len(way.Succs) != 1 || way.Succs[0] != b.Succs[0] || !f.know.live[way] || !f.makes(way) || !storesLoaded(way) {
			return false
		}
	}
	return f.makes(b.Succs[0])
}

// storesLoaded reports whether a block ends with the store of what it loads.
func storesLoaded(b *ssa.BasicBlock) bool {
	for i := len(b.Instrs) - 2; i >= 0; i-- {
		switch i := b.Instrs[i].(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.Store:
			load, ok := i.Val.(*ssa.UnOp)
			return ok && load.Block() == b
		}
		return false
	}
	return false
}
