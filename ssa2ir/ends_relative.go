package ssa2ir

// This file finds the ends of sums of a loop's variable and of what it begins with or ends at: how far it has gone.
//
//	for iy := y - r; iy < y+r+1; iy++ {
//		... mask[iy-y+r]                     iy-y+r is between 0 and 2*r
//	}
//
// Taken each by itself, the ends of both say little.

import "go/token"

// relative is between what a sum is of a loop's variable and of numbers that fall out of it where the variable is what bounds it.
func (e *ender) relative(n *node, c *place, deep int) (r ends) {
	if n.op != token.ADD && n.op != token.SUB || n.intType != goInt {
		return r
	}
	t := &total{}
	if !t.add(n, 1, 0) {
		return r
	}
	for i, s := range t.shares {
		l := e.loops[s.of.block]
		if s.of.op != opPhi || l == nil || s.k != 1 && s.k != -1 || !t.mayFallOut(i) {
			continue
		}
		// Nothing on the way wraps around.
		all, by := &total{}, int64(1)
		if n.op == token.SUB {
			by = -1
		}
		if !e.sum(all, n.x, 1, c, deep) || !e.sum(all, n.y, by, c, deep) {
			return r
		}
		up, down := e.boundsOf(s.of, l, c)
		if s.k < 0 {
			up, down = down, up
		}
		r.hi = e.without(all, s, up, true, c, deep)
		r.lo = e.without(all, s, down, false, c, deep)
		break
	}
	return r
}

// mayFallOut reports whether another share of a sum than that of a loop's variable is no variable of the launch.
func (t *total) mayFallOut(variable int) bool {
	for i, s := range t.shares {
		if i != variable && s.k != 0 && s.of.op != opConst && !s.of.isVariable() {
			return true
		}
	}
	return false
}

// A boundBy is a bound: the sum of a node and a constant.
type boundBy struct {
	of *node
	c  int64
}

// boundsOf are what a loop's variable is at most and at least, at a place: by what it was compared with, and by what it begins with.
func (e *ender) boundsOf(n *node, l *loop, c *place) (up, down []boundBy) {
	for _, f := range e.about[n] {
		switch {
		case !c.passed(f.at) || f.unequal:
		case f.x == n:
			for _, y := range choices(f.y, opMin, nil) {
				up = append(up, boundBy{y, -f.c})
			}
		default:
			for _, x := range choices(f.x, opMax, nil) {
				down = append(down, boundBy{x, f.c})
			}
		}
	}
	start := e.startOf(n, l)
	if start == nil {
		return up, down
	}
	switch e.direction(n) {
	case 1:
		for _, x := range choices(start, opMax, nil) {
			down = append(down, boundBy{x, 0})
		}
	case -1:
		for _, y := range choices(start, opMin, nil) {
			up = append(up, boundBy{y, 0})
		}
	}
	return up, down
}

// without is an end of a sum in which one of some bounds stands for a loop's variable, if what is no variable of the launch falls out then.
func (e *ender) without(sum *total, variable share, bounds []boundBy, up bool, c *place, deep int) end {
	for _, b := range bounds {
		t := &total{c: sum.c + variable.k*b.c}
		for _, s := range sum.shares {
			if s.of != variable.of {
				t.shares = append(t.shares, s)
			}
		}
		if !e.sum(t, b.of, variable.k, c, deep) {
			continue
		}
		r, fell := exactly(constantPoly(t.c)).hi, false
		for _, s := range t.shares {
			x := e.of(s.of, c, deep)
			of := x.hi
			if up != (s.k > 0) {
				of = x.lo
			}
			fell = fell || s.k == 0 && !s.of.isVariable()
			r = r.and(of, s.k)
			r.needs = append(r.needs, x.hi.needs...)
		}
		if fell && r.known {
			return r
		}
	}
	return end{}
}
