package ssa2ir

// This file finds the ends of what goes around: of an index that has gone beyond a row, and begins again with it.

import "go/token"

// wrapped is x, between what n is on an edge to a phi node, or no more than w-1 where n is a number that is w or more, less w. Nobody takes w away
// once where w or more would be left: the host sees to it that it is not, as in
//
//	k := i + d
//	if k >= w { k -= w }     w-1, if i + d - w <= w-1
func (e *ender) wrapped(n *node, c *place, x ends) ends {
	if n.op != token.SUB || n.intType != goInt || !e.shortGrid || !x.lo.known || !x.hi.known || x.lo.c != 0 || len(x.lo.terms) > 0 {
		return x
	}
	w := e.of(n.y, c, maxEnds-1)
	if !w.isOne() || len(w.hi.terms) == 0 {
		return x
	}
	last := e.moved(w.hi, -1)
	more, ok := last.plus(x.hi.poly, -1)
	if !last.known || !ok || more.notNegative(e.least(c)) || !e.holds(more) {
		return x
	}
	return ends{x.lo, knownEnd(last.poly, true, last.needs, x.hi.needs, []need{{more, true}})}
}

// holds reports whether p is 0 or more in the launch that the ends are for. It is true where no launch is known.
func (e *ender) holds(p poly) bool {
	if e.number == nil {
		return true
	}
	n, ok := p.inBlocks(false).in(e.number)
	return ok && n >= 0
}

// greater is what the greater of a constant and another end is at most: that one, which the host sees to, as in
//
//	if k >= w { k -= w }     w-1, of w-1 and 3, if 3 <= w-1
func (e *ender) greater(x, y end, least leastOf) (end, bool) {
	if len(x.terms) == 0 {
		x, y = y, x
	}
	more, ok := x.plus(y.poly, -1)
	if len(x.terms) == 0 || len(y.terms) > 0 || !ok || more.notNegative(least) || !e.holds(more) {
		return end{}, false
	}
	return knownEnd(x.poly, true, x.needs, y.needs, []need{{more, true}}), true
}
