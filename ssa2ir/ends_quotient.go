package ssa2ir

// This file finds the ends of what a mask leaves, of products for which something is asked, and of quotients. The host computes these: it divides numbers of the launch.
//
//	if i >= len(out) { return }
//	n := i/(w*h)                     n is no more than (len(out)-1) / (w*h)

import (
	"go/token"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// quotient is between what n is, x / y. The host sees to it that y is 1 at least.
func (e *ender) quotient(n *node, c *place, deep int) ends {
	x, y := e.of(n.x, c, deep), e.of(n.y, c, deep)
	if !e.shortGrid || n.intType != goInt || !x.lo.known || !x.hi.known || !y.isOne() || len(y.hi.terms) == 0 && y.hi.c < 1 {
		return ends{}
	}
	// The host computes with the greatest number of a block: that has to be the greatest quotient.
	falls := func(m mono) bool { return m.k < 0 && slices.ContainsFunc(m.of, (*node).ofBlock) }
	differs := func(m mono) bool { return slices.ContainsFunc(m.of, (*node).ofBlock) }
	if slices.ContainsFunc(x.hi.terms, falls) || slices.ContainsFunc(y.hi.terms, differs) {
		return ends{}
	}
	least := e.least(c)
	var needs []need
	asked := func(p poly, ok bool) bool {
		if ok && !p.notNegative(least) {
			needs = append(needs, need{p, true})
		}
		return ok
	}
	if !asked(y.hi.plus(constantPoly(-1), 1)) || !asked(x.hi.poly, true) {
		return ends{}
	}
	far := e.passedQuotient(x.hi.poly, y.hi.poly)
	hi := knownEnd(variablePoly(far), true, needs, x.hi.needs, y.hi.needs)
	switch {
	case x.isOne():
		return ends{hi, hi}
	case x.lo.notNegative(least):
		return ends{knownEnd(constantPoly(0), true), hi}
	}
	return ends{}
}

// masked is between what n is, x & y: no more than one of them that is not negative. The host sees to that of
// one that is the same in all threads, such as n-1.
func (e *ender) masked(n *node, c *place, deep int) (r ends) {
	if n.x.op == opConst || n.y.op == opConst {
		return r // it is known how far n goes
	}
	least := e.least(c)
	for _, x := range []ends{e.of(n.x, c, deep), e.of(n.y, c, deep)} {
		if !x.lo.known || !x.hi.known || !x.isOne() && !x.lo.notNegative(least) {
			continue
		}
		needs := x.lo.needs
		if !x.lo.notNegative(least) {
			needs = append(slices.Clone(needs), need{x.lo.poly, true})
		}
		r.lo = knownEnd(constantPoly(0), true, needs)
		r.hi = e.better(r.hi, knownEnd(x.hi.poly, true, needs, x.hi.needs), true, least)
	}
	return r
}

// isOne reports whether both ends are the same number.
func (x ends) isOne() bool {
	return x.lo.known && x.hi.known && x.hi.equals(x.lo.poly)
}

// product is between what a product is whose factors may be negative for all that is known: the host sees to it that they are not, as in
//
//	m := (y+first-1) * w     first-1 is no less than 0
func (e *ender) product(n *node, c *place, deep int) ends {
	x, y := e.of(n.x, c, deep), e.of(n.y, c, deep)
	if !x.lo.known || !x.hi.known || !y.lo.known || !y.hi.known {
		return ends{}
	}
	needs, least := slices.Concat(x.lo.needs, x.hi.needs, y.lo.needs, y.hi.needs), e.least(c)
	for _, f := range []end{x.lo, y.lo} {
		if f.notNegative(least) {
			continue
		}
		asked := need{f.poly, true}
		if !asked.met(e, least) {
			return ends{}
		}
		needs = append(needs, asked)
	}
	lo, ok := x.lo.times(y.lo.poly)
	hi, ok2 := x.hi.times(y.hi.poly)
	return ends{knownEnd(lo, ok, needs), knownEnd(hi, ok2, needs)}
}

// part is x and k if n is x/k with a constant k; nil if it is another node.
func (n *node) part() (of *node, k int64) {
	const most = 1 << 16
	switch {
	case n.intType != goInt || n.op != token.QUO && n.op != token.SHR || n.y.op != opConst || n.y.k <= 0 || n.y.k > most:
	case n.op == token.QUO:
		return n.x, n.y.k
	case n.y.k <= 16:
		return n.x, 1 << n.y.k
	}
	return nil, 0
}

// passedQuotient is the node of a quotient of two polynomials.
func (e *ender) passedQuotient(x, y poly) *node {
	return e.intern(nodeKey{op: opQuotient, x: e.nodeOf(x), y: e.nodeOf(y), intType: goInt}, goInt.full())
}

// nodeOf is the node of a polynomial's value.
func (e *ender) nodeOf(p poly) *node {
	sum := e.constant(p.c)
	for _, m := range p.terms {
		all := m.of[0]
		for _, n := range m.of[1:] {
			all = e.binary(token.MUL, goInt, all, n)
		}
		if m.k != 1 {
			all = e.binary(token.MUL, goInt, e.constant(m.k), all)
		}
		if sum.op == opConst && sum.k == 0 {
			sum = all
			continue
		}
		sum = e.binary(token.ADD, goInt, sum, all)
	}
	return sum
}

// findDivisors has the host see to it that what the kernel divides by is from 1 to 1<<31-1, where it is computed of what is passed.
func (b *bounded) findDivisors(e *ender, in *instance) {
	if !b.host {
		return
	}
	for _, block := range in.fn.DomPreorder() {
		for _, i := range block.Instrs {
			op, ok := i.(*ssa.BinOp)
			if !ok || !b.know.live[block] || op.Op != token.QUO && op.Op != token.REM || !isInteger(op.Type()) {
				continue
			}
			if n := e.node(op.Y); n.intType == goInt && !n.isVariable() && n.op != opConst {
				b.divisor(e, n, e.placeBefore(op))
			}
		}
	}
}

func (b *bounded) divisor(e *ender, n *node, c *place) {
	e.begin()
	defer e.done()
	least := e.least(c)
	x := e.of(n, c, 0)
	low, ok := x.hi.plus(constantPoly(-1), 1)
	if !x.isOne() || len(x.hi.terms) == 0 || !ok {
		return
	}
	// It is to be 1 at least wherever it is computed, and not just behind the branch that leads to this quotient.
	anywhere := func(n *node) int64 { return max(n.base.lo, 0) }
	some := reach{poly: low, least: anywhere, per: 1}
	far := reach{length: b.proof.constant(math.MaxInt32), poly: x.hi.poly, least: least, per: 1, holds: true}
	if some.hopeless(e) || far.hopeless(e) || slices.ContainsFunc(x.hi.needs, func(n need) bool { return !n.met(e, least) }) {
		return
	}
	if !low.notNegative(anywhere) {
		b.reach(some)
	}
	b.reach(far)
	b.need(x.hi.needs, least)
	b.divisors = append(b.divisors, x.hi.poly)
}

// divides reports whether a node is one of b.divisors.
func (b *bounded) divides(e *ender, n *node, c *place) bool {
	if len(b.divisors) == 0 {
		return false
	}
	e.begin()
	defer e.done()
	x := e.of(n, c, 0)
	return x.isOne() && slices.ContainsFunc(b.divisors, x.hi.equals)
}
