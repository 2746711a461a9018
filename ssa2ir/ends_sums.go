package ssa2ir

// This file finds the ends of what loops add up over a window, and of averages.
//
//	for v := max(y-r, 0); v <= min(y+r, h-1); v++ {         2*r+1 times at most
//		for u := max(x-r, 0); u <= min(x+r, w-1); u++ {
//			if near(u, v) {
//				sum += u                                    (2*r+1)*(2*r+1)*(w-1) at most
//				n++
//			}
//		}
//	}
//	x = sum / n                                             is between 0 and w-1, as u is

import (
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"
)

// summed is between what a loop's variable is that is added to in each iteration of a window.
func (e *ender) summed(n *node, l *loop, c *place, deep int) ends {
	v, ok := n.v.(*ssa.Phi)
	times := e.rounds(l, c, deep)
	if !ok || n.intType != goInt || !times.known {
		return ends{}
	}
	left := maxAdded
	each := e.addedOnEdges(n, n, l, l, true, &left, deep)
	first := e.brought(v, func(b *ssa.BasicBlock) bool { return !l.blocks[b] }, func(x *node, c *place) ends { return e.of(x, c, deep) })
	return e.repeated(first, each, times, e.placeAt(l.header))
}

// repeated is between what first is when each has been added so many times, or fewer.
func (e *ender) repeated(first, each ends, times end, c *place) ends {
	if !each.lo.known || !each.hi.known {
		return ends{}
	}
	each = e.union(each, exactly(constantPoly(0)), c)
	return ends{growing(each.lo, times, first.lo), growing(each.hi, times, first.hi)}
}

// addedTo is between what x, in loop l, is more than the loop's variable n was when the iteration began.
func (e *ender) addedTo(x, n *node, l *loop, c *place, left *int, deep int) ends {
	if *left--; *left < 0 || x.intType != n.intType {
		return ends{}
	}
	switch {
	case x == n:
		return exactly(constantPoly(0))
	case x.op == token.ADD || x.op == token.SUB:
		s, by := e.addedTo(x.x, n, l, c, left, deep), x.y
		if !s.hi.known && x.op == token.ADD {
			s, by = e.addedTo(x.y, n, l, c, left, deep), x.x
		}
		if !s.hi.known {
			return ends{}
		}
		more := e.of(by, c, deep)
		if x.op == token.SUB {
			return ends{sumOf(s.lo, more.hi, -1), sumOf(s.hi, more.lo, -1)}
		}
		return ends{sumOf(s.lo, more.lo, 1), sumOf(s.hi, more.hi, 1)}
	case x.op != opPhi || !l.blocks[x.block] || x.block == l.header:
		return ends{}
	}
	inner := e.loops[x.block]
	first := e.addedOnEdges(x, n, l, inner, false, left, deep)
	if inner == nil || !first.hi.known {
		return first
	}
	return e.repeated(first, e.addedOnEdges(x, x, inner, inner, true, left, deep), e.rounds(inner, c, deep), e.placeAt(inner.header))
}

// addedOnEdges is addedTo for what the edges of a phi node bring: those within a loop, or the others.
func (e *ender) addedOnEdges(x, n *node, l, of *loop, within bool, left *int, deep int) (r ends) {
	v, first := x.v.(*ssa.Phi), true
	for i, from := range v.Block().Preds {
		if (of != nil && of.blocks[from]) != within || !e.know.taken(from, v.Block()) {
			continue
		}
		c := e.placeOn(from, v.Block())
		by := e.addedTo(e.node(v.Edges[i]), n, l, c, left, deep)
		if !first {
			if e.steps && !by.same(r) && !e.isBehindLoop(v.Block()) {
				return ends{} // it is not added to in each round: to take it for that says too little
			}
			by = e.union(r, by, e.placeAt(v.Block()))
		}
		if r, first = by, false; !r.lo.known || !r.hi.known {
			return ends{}
		}
	}
	return r
}

// window is how often a loop goes back to its header at most, if that is a constant or the size of a window.
func (e *ender) window(l *loop, deep int) end {
	var back *ssa.BasicBlock
	for _, from := range l.header.Preds {
		if !l.blocks[from] || !e.know.taken(from, l.header) {
			continue
		}
		if back != nil {
			return end{}
		}
		back = from
	}
	c := e.placeOn(back, l.header)
	for _, n := range e.variables(l) {
		by, ok := e.addedEach(n, l)
		start := e.startOf(n, l)
		if !ok || start == nil || n.intType != goInt || by.lo < 1 || by.hi > maxStride {
			continue
		}
		for _, f := range e.about[n] {
			if f.x != n || f.unequal || !c.passed(f.at) || f.y.block != nil && (l.blocks[f.y.block] || !f.y.isAbove(l.header)) {
				continue
			}
			if most := e.moved(e.apart(f.y, start, c, deep), 1-f.c); most.known {
				return e.met(most, exactly(constantPoly(0)).hi, true, e.least(c))
			}
		}
	}
	return end{}
}

// startOf is what a loop's variable begins with, nil if that is one of several.
func (p *prover) startOf(n *node, l *loop) (start *node) {
	v := n.v.(*ssa.Phi)
	for i, from := range v.Block().Preds {
		if l.blocks[from] || !p.know.taken(from, v.Block()) {
			continue
		}
		if start != nil {
			return nil
		}
		start = p.node(v.Edges[i])
	}
	return start
}

// apart is by how much x is more than y at most, where both are constants, or what is no variable of the launch falls out of their difference.
func (e *ender) apart(x, y *node, c *place, deep int) end {
	for _, a := range choices(x, opMin, nil) {
		for _, b := range choices(y, opMax, nil) {
			t := &total{}
			if !e.sum(t, a, 1, c, deep) || !e.sum(t, b, -1, c, deep) {
				continue
			}
			isWindow, r := len(t.shares) == 0, exactly(constantPoly(t.c)).hi
			for _, s := range t.shares {
				x := e.of(s.of, c, deep)
				of := x.hi
				if s.k < 0 {
					of = x.lo
				}
				isWindow = isWindow || s.k == 0 && !s.of.isVariable()
				r = r.and(of, s.k)
				r.needs = append(r.needs, x.hi.needs...)
			}
			if isWindow && r.known {
				return r
			}
		}
	}
	return end{}
}

// choices are what x, the least or the greatest of several, is one of.
func choices(x *node, op token.Token, all []*node) []*node {
	if x.op != op {
		return append(all, x)
	}
	return choices(x.y, op, choices(x.x, op, all))
}

// sum adds k times a node, of which the ends are known, so that sums do not wrap around.
func (e *ender) sum(t *total, n *node, k int64, c *place, deep int) bool {
	if x := e.of(n, c, deep); !x.lo.known || !x.hi.known {
		return false
	}
	if n.op != token.ADD && n.op != token.SUB || n.intType != goInt {
		return t.add(n, k, maxParts-1)
	}
	by := k
	if n.op == token.SUB {
		by = -k
	}
	return e.sum(t, n.x, k, c, deep) && e.sum(t, n.y, by, c, deep)
}

// mean is between what n is, a sum by how many numbers were added up. Neither wraps around: each number, and how often one is added, is below 1<<31.
func (e *ender) mean(n *node, c *place, deep int) (r ends, ok bool) {
	if n.x.op != opPhi || n.y.op != opPhi || n.x.intType != goInt || n.y.intType != goInt {
		return ends{}, false
	}
	a := e.averaging()
	if !a.adds(n.x.v, n.y.v) || len(a.sums) != 1 {
		return ends{}, false
	}
	add := a.sums[0]
	at := e.placeBefore(add)
	r = e.of(e.node(add.Y), at, deep)
	times := exactly(constantPoly(1)).hi
	g := &grower{ender: e}
	for _, l := range e.around(add.Block()) {
		if a.over[l.header] {
			times = productOf(times, g.iterations(l, at))
		}
	}
	if !r.lo.known || !r.hi.known || !times.known || times.magnitude()*max(r.lo.magnitude(), r.hi.magnitude()) >= math.MaxInt64 {
		return ends{}, false
	}
	e.meant = true
	return ends{knownEnd(r.lo.poly, true, r.lo.needs, times.needs), knownEnd(r.hi.poly, true, r.hi.needs, times.needs)}, true
}

// magnitude is more than p or its negative is, where its products are below 1<<31.
func (p poly) magnitude() float64 {
	sum := math.Abs(float64(p.c))
	for _, m := range p.terms {
		sum += math.Abs(float64(m.k)) * (1 << 31)
	}
	return sum + 1
}

// phi is joined, or between what a variable is that is added to. What depends on a variable that is an average becomes known with it.
func (e *ender) phi(n *node, c *place, deep int) ends {
	before, asked := e.meant, len(e.order)
	e.meant = false
	r := e.joined(n, deep)
	if e.meant && r.lo.known && r.hi.known {
		for _, key := range e.order[asked:] {
			delete(e.asked, key)
		}
		e.order = e.order[:asked]
	}
	e.meant = e.meant || before
	if l := e.loops[n.block]; l != nil && (!r.lo.known || !r.hi.known) {
		x := e.summed(n, l, c, deep)
		if !r.lo.known {
			r.lo = x.lo
		}
		if !r.hi.known {
			r.hi = x.hi
		}
	}
	return r
}
