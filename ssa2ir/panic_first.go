package ssa2ir

// This file tells which of several checks failed first, behind one branch for all of them.

import "heddle/internal/target"

const maxBranched = 4

// raiseFirst panics with the first of some index checks that fails. One of them does.
//
// Where a function has one place for all panics (target.PanicGeometry), what that is told
// is chosen without a branch, and the comparisons are made again, of indices that LLVM does not know
// to be the same: else each of them would be computed ahead of the branch, too.
func (f *function) raiseFirst(all []test, kept int) {
	if kept < maxBranched || f.M.T.PanicGeometry == nil || f.M.T.Panic != nil {
		for i, t := range all {
			if i < len(all)-1 {
				f.panicAt(t)
				continue
			}
			f.at(t.at)
			f.raise(indexPanic(t.at.Index.Type()), true, t.idx, t.n)
		}
		return
	}
	var told [3]target.Value
	for i := len(all) - 1; i >= 0; i-- {
		t := all[i]
		f.at(t.at)
		idx := t.idx
		this := [3]target.Value{f.raised(indexPanic(t.at.Index.Type()), true), idx, t.n}
		if i == len(all)-1 {
			told = this
			continue
		}
		fails := f.ICmp("uge", idx, t.n)
		for k := range told {
			told[k] = f.Select(fails, this[k], told[k])
		}
	}
	f.leave(told[0], told[1], told[2])
}
