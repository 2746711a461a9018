package ssa2ir

// This file makes the check of a small block that is run on a condition ahead of the branch to it:
//
//	if lane == 0 {             br (lane == 0 && warp >= 8), panic, ok
//		counts[warp] = n       ok: if lane == 0 { counts[warp] = n }
//	}
//
// The block is then one that lanes need not part for, and a check that is the same in each iteration of
// a loop around it is made once.

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

const maxSmall = 12 // SSA instructions of such a block

// checkAhead makes the check of a small block that a branch may lead to, if it has one, ahead of the branch.
func (f *function) checkAhead(br *ssa.If) {
	if f.opts.NoBounds || !f.M.T.Joins || f.proof == nil {
		return
	}
	if f.checkWays(br) {
		return
	}
	b := br.Block()
	for k, s := range b.Succs {
		if !f.know.taken(b, s) || len(s.Preds) != 1 || len(s.Succs) != 1 || s.Succs[0] != b.Succs[1-k] || len(s.Instrs) > maxSmall {
			continue
		}
		a := f.onlyCheck(s)
		if a == nil {
			continue
		}
		cond := f.value(br.Cond)
		if k == 1 {
			cond = f.not(cond)
		}
		f.raiseAhead(br, a, cond)
	}
}

// onlyCheck is the check of a block in which nothing else can panic and which touches only local and shared
// memory, if there is one and it can be made ahead of the block.
func (f *function) onlyCheck(b *ssa.BasicBlock) (check *ssa.IndexAddr) {
	s := scope{function: f}
	for _, i := range b.Instrs {
		if a, ok := i.(*ssa.IndexAddr); ok && !f.passes(a, a.Index, a.X) {
			if check != nil || f.in.mayBeNil(a.X) || !s.early(a.Index, 0) || !s.early(a.X, 0) {
				return nil
			}
			check = a
			continue
		}
		switch i := i.(type) {
		case *ssa.UnOp:
			if i.Op == token.MUL && !f.in.diesWithBlock(i.X) {
				return nil
			}
		case *ssa.Store:
			if !f.in.diesWithBlock(i.Addr) {
				return nil
			}
			s.stores(i)
		}
		if !f.in.harmless(i, nil) && !f.in.computes(i) {
			return nil
		}
	}
	return check
}

// raiseAhead panics ahead of a branch where the branch would lead to a check that fails.
func (f *function) raiseAhead(br *ssa.If, a *ssa.IndexAddr, cond target.Value) {
	back, anchor := f.comeBack(), f.anchor
	f.anchor = br
	f.moveUp(a.X)
	f.moveUp(a.Index)
	f.anchor = anchor
	idx, n := f.index(a.Index), f.lengthOf(a.X)
	ok := f.failsAt(f.Select(cond, f.ICmp("uge", idx, n), target.Bool(false)))
	f.at(a)
	f.raise(indexPanic(a.Index.Type()), true, idx, n)
	f.Cur = ok
	back()
	f.hoisted[a] = true
}
