package ssa2ir

// This file tells which of several checks failed first, behind one branch for all of them.

import "heddle/internal/target"

// maxBranched is from how many comparisons on they are not told apart by branches.
const maxBranched = 4

// raiseFirst panics with the first of some index checks that fails, of which one does. kept is how many
// are compared ahead of it.
//
// Of many the first is chosen without a branch: ptxas would compute all comparisons of small blocks
// ahead of the one branch, a second time, and hold them in registers.
func (f *function) raiseFirst(all []test, kept int) {
	if kept < maxBranched || !f.M.T.Joins {
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
		this := [3]target.Value{f.raised(indexPanic(t.at.Index.Type()), true), t.idx, t.n}
		if i == len(all)-1 {
			told = this
			continue
		}
		fails := f.ICmp("uge", t.idx, t.n)
		for k := range told {
			told[k] = f.Select(fails, this[k], told[k])
		}
	}
	f.leave(told[0], told[1], told[2])
}
