package ssa2ir

// This file finds how far variables go that are added to in each round of loops, however many these are: an index that moves with them.
//
//	at := (c*n+b)*h*w + y*w + x
//	for i := 0; i < kh; i++ {
//		for j := 0; j < kw; j++ {
//			out[at] = v                at has been added to i*kw + j times
//			at += n * h * w
//		}
//	}
//
// Data that are added up are not what this is for: what is added is the same on all ways through a loop, and it is asked for where an index goes so far.

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// rounds is how often a loop has gone back to its header at most, where a place is reached.
func (e *ender) rounds(l *loop, c *place, deep int) (most end) {
	if !e.steps {
		return e.window(l, deep)
	}
	tests := e.testsOf(l)
	for _, n := range e.variables(l) {
		by, ok := e.addedEach(n, l)
		start := e.startOf(n, l)
		if !ok || start == nil || n.intType != goInt || by.lo < 1 || by.hi > maxStride {
			continue
		}
		for _, f := range e.about[n] {
			if f.x != n || f.unequal || !slices.Contains(tests, f.at) || f.y.block != nil && (l.blocks[f.y.block] || !f.y.isAbove(l.header)) {
				continue
			}
			last, from := e.of(f.y, c, deep).hi, e.of(start, e.placeAt(l.header), deep).lo
			x := e.moved(sumOf(last, from, -1), -f.c)
			switch {
			case c.passed(f.at): // so n is no more than that now
			case e.repeatsBehind(l, f.at): // it was, each time that the loop went back
				x = e.met(e.moved(x, 1), exactly(constantPoly(0)).hi, true, e.least(c))
			default:
				continue
			}
			most = e.better(most, x, true, e.least(c))
		}
	}
	if !most.known {
		return e.window(l, deep)
	}
	return most
}

// testsOf are the places behind a loop's tests, in it.
func (e *ender) testsOf(l *loop) []*place {
	all := []*place{e.placeAt(l.header)}
	for _, b := range l.header.Parent().Blocks {
		for i, s := range b.Succs {
			if l.blocks[b] && len(b.Succs) == 2 && l.blocks[s] && !l.blocks[b.Succs[1-i]] {
				all = append(all, e.placeOn(b, s))
			}
		}
	}
	return all
}

// repeatsBehind reports whether a loop goes back to its header only from behind a place.
func (e *ender) repeatsBehind(l *loop, at *place) bool {
	return !slices.ContainsFunc(l.header.Preds, func(from *ssa.BasicBlock) bool {
		return l.blocks[from] && e.know.taken(from, l.header) && !e.placeOn(from, l.header).passed(at)
	})
}

// same reports whether the ends of both are the same.
func (x ends) same(y ends) bool {
	return x.lo.known && x.hi.known && y.lo.known && y.hi.known && x.lo.equals(y.lo.poly) && x.hi.equals(y.hi.poly)
}

// isBehindLoop reports whether a block is where a loop ends that may not be run at all: its test is made ahead of it, too.
func (e *ender) isBehindLoop(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Preds, func(from *ssa.BasicBlock) bool {
		return slices.ContainsFunc(e.around(from), func(l *loop) bool { return !l.blocks[b] })
	})
}
