package ssa2ir

// This file finds the ends of sums in which a number and a quotient of it go against each other, as where columns are taken
// out of order:
//
//	2*t - 191*(t/96)     is 2*(t%96) + t/96, of a t that is not negative
//
// Taken each by itself, the ends of both say little.

import (
	"go/token"
)

const maxParts = 6 // of a sum

// A share is a node of a sum and its factor.
type share struct {
	of *node
	k  int64
}

// A total is the sum of its shares and a constant.
type total struct {
	shares []share
	c      int64
}

// add adds k times a node; false if that is beyond the limits.
func (t *total) add(n *node, k int64, deep int) bool {
	if k > maxFactor || k < -maxFactor || deep == maxParts {
		return false
	}
	if n.op == opConst {
		t.c += k * n.k
		return n.k <= maxFactor && n.k >= -maxFactor
	}
	if n.intType == goInt {
		switch {
		case n.op == token.ADD:
			return t.add(n.x, k, deep+1) && t.add(n.y, k, deep+1)
		case n.op == token.SUB:
			return t.add(n.x, k, deep+1) && t.add(n.y, -k, deep+1)
		case n.op == token.MUL && n.y.op == opConst && n.y.k <= maxFactor && n.y.k >= -maxFactor:
			return t.add(n.x, k*n.y.k, deep+1)
		case n.op == token.MUL && n.x.op == opConst && n.x.k <= maxFactor && n.x.k >= -maxFactor:
			return t.add(n.y, k*n.x.k, deep+1)
		case n.op == token.SHL && n.y.op == opConst && n.y.k >= 0 && n.y.k <= 16:
			return t.add(n.x, k<<n.y.k, deep+1)
		}
	}
	for i := range t.shares {
		if t.shares[i].of == n {
			t.shares[i].k += k
			return true
		}
	}
	t.shares = append(t.shares, share{n, k})
	return len(t.shares) <= maxParts
}

// opposed are a number of the sum and its quotient by a constant, where their factors have different signs.
func (t *total) opposed() (number, quotient int, by int64) {
	for q, s := range t.shares {
		of, k := s.of.part()
		for x, r := range t.shares {
			if of != nil && r.of == of && k > 1 && (r.k > 0) != (s.k > 0) && r.k != 0 && s.k != 0 {
				return x, q, k
			}
		}
	}
	return 0, 0, 0
}

// opposing is between what a sum is of which parts go against each other; not known of others.
func (e *ender) opposing(n *node, c *place, deep int) (r ends) {
	if n.op != token.ADD && n.op != token.SUB {
		return r
	}
	t := &total{}
	if !t.add(n, 1, 0) {
		return r
	}
	x, q, by := t.opposed()
	if by == 0 {
		return r
	}
	if of := e.of(t.shares[x].of, c, deep); !of.lo.known || !of.lo.notNegative(e.least(c)) {
		return r
	}
	factor := t.shares[x].k
	t.shares[q].k += factor * by
	rest := ends{knownEnd(constantPoly(0), true), knownEnd(constantPoly(by-1), true)}
	sum := ends{knownEnd(constantPoly(t.c), true), knownEnd(constantPoly(t.c), true)}
	for i, s := range t.shares {
		part := rest
		if i != x {
			part = e.of(s.of, c, deep)
		}
		if s.k < 0 {
			part.lo, part.hi = part.hi, part.lo
		}
		sum = ends{sum.lo.and(part.lo, s.k), sum.hi.and(part.hi, s.k)}
	}
	return sum
}

// and is the end of a sum to which k times another is added.
func (x end) and(y end, k int64) end {
	if k == 0 {
		return x
	}
	if !x.known || !y.known {
		return end{}
	}
	p, ok := constantPoly(k).times(y.poly)
	if !ok {
		return end{}
	}
	p, ok = x.plus(p, 1)
	return knownEnd(p, ok, x.needs, y.needs)
}
