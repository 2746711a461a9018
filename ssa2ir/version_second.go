package ssa2ir

// This file takes both tests of a loop as one where it takes iterations by groups: an iteration is part of a group if the tests hold of the
// group's last one.
//
//	for k := 0; k < 32 && j+k < n; k++ { ... }   ->   for ; 32-k > 3 && j+k+3 < n; k += 4 { four iterations }
//
// LLVM unrolls no such loop: it finds it too dear to compute how often it runs.

import (
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// A second test is made behind the header, of what goes up by steps of one size, and does not wrap around in a group.
type second struct {
	block *ssa.BasicBlock
	test  *ssa.BinOp
	by    int64 // the step
}

// testsTwice reports whether groups are made of a loop with two tests that are made at once. LLVM does not unroll it wholly, even if one of them
// tells how often it runs at most.
func (f *function) testsTwice(l *loop) bool {
	b := l.secondTest()
	return b != nil && f.M.T.Groups && f.M.T.Joins && f.asksBoth(l.header, b)
}

// findSecond finds the loop's second test, if there is no way out but it and the first one.
func (v *version) findSecond() {
	if v.atEnd || v.writes || v.count == nil || v.count.by != 1 || !v.f.testsTwice(v.loop) {
		return
	}
	b := v.loop.secondTest()
	for _, c := range v.blocks {
		for _, s := range c.Succs {
			if c != v.tests && c != b && !v.loop.blocks[s] && v.f.know.taken(c, s) {
				return
			}
		}
	}
	br := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	test, ok := br.Cond.(*ssa.BinOp)
	if !ok || test.Op != token.LSS && test.Op != token.LEQ || !isInteger(test.X.Type()) || endsAt64(test.X.Type()) {
		return
	}
	s, ok := v.slopeOf(test.X, true)
	if !ok || !s.constant() || s.c < 0 || s.c > steep || !v.ofGroup(test.X, 0) || !v.invariant(test.Y, 0) {
		return
	}
	if v.f.proof.spanBefore(test.X, br).hi <= math.MaxInt64>>1 {
		v.second = &second{b, test, s.c}
	}
}

// isTest reports whether a block has a test that is made for a group.
func (v *version) isTest(b *ssa.BasicBlock) bool {
	return b == v.tests || v.second != nil && b == v.second.block
}

// isSureAt reports whether a block has a test that is known to hold in the copy that is being made.
func (v *version) isSureAt(b *ssa.BasicBlock) bool { return v.copy.sure && v.isTest(b) }

// makeSecond checks that the second test will hold for a group of iterations.
func (g *guard) makeSecond() {
	t := g.second
	if t == nil {
		return
	}
	last := g.f.Bin("add", g.wide(t.test.X), target.Int(target.I64, t.by*int64(g.steps-1)))
	g.holds(g.f.ICmp(predicates.Get()[t.test.Op][0], last, g.wide(t.test.Y)))
}
