package ssa2ir

// This file makes the checks of several conditional blocks that follow each other with one branch, ahead of them: those of the corners of a
// sample, of which each is loaded where it is in the picture.
//
//	if y >= 0 && x >= 0 { v00 = in[y*w+x] }         br (y >= 0 && x >= 0 && y*w+x >= n || y >= 0 && x+1 < w && y*w+x+1 >= n), cold, ok
//	if y >= 0 && x+1 < w { v01 = in[y*w+x+1] }      ok: as it was, without checks
//
// Then lanes need not part for the loads, and these do not wait for branches. Which check fails first is told in the cold path, in the
// order of the program: what the checks are of that are not come to is 0, of 1.

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

const (
	maxWays     = 24 // blocks that are looked at
	maxWayTests = 8  // checks
)

// A wayTest is a check on some conditions.
type wayTest struct {
	at *ssa.IndexAddr
	on []wayCond
}

// A wayCond is what a branch asks on the way to a check.
type wayCond struct {
	br    *ssa.If
	truth bool
}

// ways finds the checks that can be made ahead of a branch.
type ways struct {
	scope
	up   *ssa.BasicBlock // its branch and this one are one, see both; nil: it has none
	seen []*ssa.BasicBlock
	on   map[*ssa.BasicBlock][]wayCond
	all  []wayTest
}

// checkWays makes the checks of conditional blocks ahead of the first branch to one, and reports whether there are several.
func (f *function) checkWays(br *ssa.If) bool {
	b := br.Block()
	w := &ways{scope: scope{function: f, begin: br}, on: map[*ssa.BasicBlock][]wayCond{b: nil}, seen: []*ssa.BasicBlock{b}}
	if len(b.Preds) == 1 && f.both[b.Preds[0]] == b {
		w.up = b.Preds[0]
		up := w.up.Instrs[len(w.up.Instrs)-1].(*ssa.If)
		w.on[b] = []wayCond{{up, up.Block().Succs[0] == b}}
		w.seen = append(w.seen, w.up)
	}
	for from := b; from != nil && len(w.all) < maxWayTests; {
		from = w.region(from)
	}
	if len(w.all) < 2 {
		return false
	}
	f.raiseWays(br, w.all)
	return true
}

// region adds the checks of the blocks that a block's branch may lead to, up to where their ways meet again, and of the block where
// they do if it is another such one, which is returned. If anything else may be seen to happen in them there are none.
func (w *ways) region(from *ssa.BasicBlock) *ssa.BasicBlock {
	before := len(w.all)
	fails := func() *ssa.BasicBlock {
		w.all = w.all[:before]
		return nil
	}
	w.seen = append(w.seen, from)
	if !w.branches(from) {
		return nil
	}
	pending := slices.Clone(from.Succs)
	for {
		i := slices.IndexFunc(pending, func(s *ssa.BasicBlock) bool { return len(s.Preds) == 1 && !w.isSeen(s) })
		if i < 0 {
			break
		}
		s := pending[i]
		w.on[s] = w.condsOn(s.Preds[0], s)
		if len(w.seen) == maxWays || !w.add(s) || len(s.Succs) == 0 || len(s.Succs) == 2 && !w.branches(s) {
			return fails()
		}
		w.seen = append(w.seen, s)
		pending = append(slices.Delete(pending, i, i+1), s.Succs...)
	}
	meet := pending[0]
	isOther := func(s *ssa.BasicBlock) bool { return s != meet }
	isNew := func(p *ssa.BasicBlock) bool { return !w.isSeen(p) }
	if slices.ContainsFunc(pending, isOther) || w.isSeen(meet) || slices.ContainsFunc(meet.Preds, isNew) {
		return fails()
	}
	if w.on[meet] = w.on[from]; slices.Contains(meet.Preds, w.up) {
		w.on[meet] = nil
	}
	if len(meet.Succs) != 2 || !w.add(meet) {
		return nil
	}
	return meet
}

func (w *ways) isSeen(b *ssa.BasicBlock) bool { return slices.Contains(w.seen, b) }

// branches reports whether it is known ahead which way a block's branch goes.
func (w *ways) branches(b *ssa.BasicBlock) bool {
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	return ok && b.Succs[0] != b.Succs[1] && w.know.taken(b, b.Succs[0]) && w.know.taken(b, b.Succs[1]) && w.early(br.Cond, 0)
}

// condsOn are the conditions on which an edge is taken.
func (w *ways) condsOn(from, to *ssa.BasicBlock) []wayCond {
	on := slices.Clone(w.on[from])
	if br, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If); ok {
		on = append(on, wayCond{br, from.Succs[0] == to})
	}
	return on
}

// add adds the checks of a block; false if it does what could be seen to happen, or has one that cannot be made ahead.
func (w *ways) add(b *ssa.BasicBlock) bool {
	f, before := w.function, len(w.all)
	for _, i := range b.Instrs {
		if _, ok := i.(*ssa.Store); ok || len(b.Instrs) > 4*maxSmall {
			w.all = w.all[:before]
			return false
		}
		if a, ok := i.(*ssa.IndexAddr); ok && !f.passes(a, a.Index, a.X) {
			if len(w.all) == maxWayTests || f.hoisted[a] || f.isShort(a.Index) || f.in.mayBeNil(a.X) || !w.early(a.Index, 0) || !w.early(a.X, 0) {
				w.all = w.all[:before]
				return false
			}
			w.all = append(w.all, wayTest{a, w.on[b]})
			continue
		}
		if !f.in.harmless(i, nil) && !f.in.computes(i) {
			w.all = w.all[:before]
			return false
		}
	}
	return true
}

// raiseWays panics ahead of a branch where one of the checks fails that it leads to.
func (f *function) raiseWays(br *ssa.If, all []wayTest) {
	back, anchor := f.comeBack(), f.anchor
	f.anchor = br
	for _, t := range all {
		for _, c := range t.on {
			f.moveUp(c.br.Cond)
		}
		f.moveUp(t.at.X)
		f.moveUp(t.at.Index)
	}
	f.anchor = anchor
	back()
	var bad target.Value
	var tests []test
	for _, t := range all {
		idx, n := f.index(t.at.Index), f.lengthOf(t.at.X)
		fails := f.notBelow(t.at, br, idx, n)
		if on := f.allOf(t.on); on != nil { // not an and: what is known where it holds may make poison of the rest where it does not
			fails = f.Select(on, fails, target.Bool(false))
			idx, n = f.Select(on, idx, target.Int(idx.Type(), 0)), f.Select(on, n, target.Int(n.Type(), 1))
		}
		if bad != nil {
			fails = f.Bin("or", bad, fails)
		}
		bad = fails
		tests = append(tests, test{at: t.at, idx: idx, n: n})
		f.hoisted[t.at] = true
	}
	ok := f.failsAt(bad)
	f.raiseFirst(tests, maxBranched)
	f.Cur = ok
	back()
}

// allOf is whether all conditions hold, nil of none.
func (f *function) allOf(on []wayCond) (all target.Value) {
	for _, c := range on {
		v := f.value(c.br.Cond)
		if !c.truth {
			v = f.not(v)
		}
		if all == nil {
			all = v
			continue
		}
		all = f.Select(all, v, target.Bool(false))
	}
	return all
}
