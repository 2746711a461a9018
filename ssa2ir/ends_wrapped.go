package ssa2ir

// This file finds the ends of what goes around: of an index that has gone beyond a row, and begins again with it.

import (
	"go/token"
	"slices"
)

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
//
// Of two others it is the one that is the greater in the launch that the ends are for, as in
//
//	stop := start + size
//	if block == blocks-1 { stop = n }     n, of n and start+size, if start+size <= n
func (e *ender) greater(x, y end, least leastOf) (end, bool) {
	switch {
	case len(x.terms) == 0 && len(y.terms) == 0:
		return end{}, false
	case len(x.terms) == 0:
		x, y = y, x
	case len(y.terms) > 0 && e.number == nil:
		return end{}, false
	}
	for _, pair := range [][2]end{{x, y}, {y, x}} {
		more, ok := pair[0].plus(pair[1].poly, -1)
		if (len(pair[0].terms) > 0 || e.number != nil) && ok && !more.notNegative(least) && e.holds(more) {
			return knownEnd(pair[0].poly, true, x.needs, y.needs, []need{{more, true}}), true
		}
	}
	return end{}, false
}

// inBlock is x, the ends of what an edge to a phi node brings, where the edge says which block it is taken in, as in
//
//	if block == blocks-1 { last = n - size*block }     n - size*(blocks-1)
func (e *ender) inBlock(x ends, c *place, deep int) ends {
	if x.hi.known && x.hi.hasBlock() {
		x.hi = e.notBefore(x.hi, c, deep)
	}
	if x.lo.known && x.lo.hasBlock() {
		x.lo = e.notBefore(x.lo, c, deep)
	}
	return x
}

// hasBlock reports whether there is a block's place in a polynomial.
func (p poly) hasBlock() bool {
	return slices.ContainsFunc(p.terms, func(m mono) bool { return slices.ContainsFunc(m.of, (*node).ofBlock) })
}

// notBefore is an end in which the places of blocks are what a place says that they are.
func (e *ender) notBefore(x end, c *place, deep int) end {
	for _, m := range x.terms {
		for _, n := range m.of {
			if !n.ofBlock() || n.op != opField {
				continue
			}
			is := e.byFacts(n, c, ends{}, deep)
			if !is.isOne() || is.lo.hasBlock() {
				continue
			}
			if r, ok := x.replaced(n, is.lo.poly); ok {
				return e.notBefore(knownEnd(r, true, x.needs, is.lo.needs, is.hi.needs), c, deep)
			}
		}
	}
	return x
}

// replaced is p with a polynomial in place of a node.
func (p poly) replaced(n *node, by poly) (all poly, ok bool) {
	all, ok = constantPoly(p.c), true
	for _, m := range p.terms {
		part := constantPoly(m.k)
		for _, f := range m.of {
			factor := variablePoly(f)
			if f == n {
				factor = by
			}
			var fits bool
			part, fits = part.times(factor)
			ok = ok && fits
		}
		var fits bool
		all, fits = all.plus(part, 1)
		ok = ok && fits
	}
	return all, ok
}
