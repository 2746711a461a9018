package ssa2ir

import "go/token"

// This file finds the ends of what is made of bits, as where a thread's number is permuted: the host computes them.
//
//	at := t&^31 | (t<<1|t>>4&1)&31      t&^31 is (t/32)*32 at most, and what is not negative is no more by | than by +

// cleared is between what n is, x &^ k: no more than x, and where k is one less than a power of two, of steps of that.
func (e *ender) cleared(n *node, c *place, deep int) ends {
	x := e.of(n.x, c, deep)
	if n.intType != goInt || !x.lo.known || !x.hi.known || !x.lo.notNegative(e.least(c)) {
		return ends{}
	}
	r := ends{knownEnd(constantPoly(0), true), x.hi}
	if k := n.y.k; n.y.op == opConst && k > 0 && k < maxFactor && k&(k+1) == 0 {
		steps := e.of(e.binary(token.QUO, goInt, n.x, e.constant(k+1)), c, deep).hi
		if steps.known {
			if p, ok := steps.times(constantPoly(k + 1)); ok {
				r.hi = knownEnd(p, true, steps.needs)
			}
		}
	}
	return r
}

// either is between what n is, x | y or x ^ y: no more than their sum.
func (e *ender) either(n *node, c *place, deep int) ends {
	x, y, least := e.of(n.x, c, deep), e.of(n.y, c, deep), e.least(c)
	if n.intType != goInt || !x.lo.known || !x.hi.known || !y.lo.known || !y.hi.known || !x.lo.notNegative(least) || !y.lo.notNegative(least) {
		return ends{}
	}
	p, ok := x.hi.plus(y.hi.poly, 1)
	return ends{knownEnd(constantPoly(0), true), knownEnd(p, ok, x.lo.needs, x.hi.needs, y.lo.needs, y.hi.needs)}
}
