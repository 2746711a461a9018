package ssa2ir

// This file has the host see to it that what a kernel computes on the way to its indices fits 32 bits, where no index tells that.
//
//	x0 := 2*x - 1; x1 := min(x0+3, w); x0 = max(x0, 0)     2*(ow-1)+2 is no more than 1<<31-2, where x < ow

import (
	"go/token"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// How many such ends are asked for, as each makes a launch longer; and how many if there are sums among them that a loop adds up.
const (
	maxInts      = 8
	maxAddedInts = 16
)

// findInts asks for the ends of integers that may need more than 32 bits, for all that is known.
func (b *bounded) findInts(in *instance) {
	for _, block := range in.fn.DomPreorder() {
		if !b.know.live[block] {
			continue
		}
		for _, i := range block.Instrs {
			op, ok := i.(*ssa.BinOp)
			if !ok || op.Op != token.ADD && op.Op != token.SUB && op.Op != token.MUL && op.Op != token.SHL {
				continue
			}
			if t, _ := typeOf(op.Type()); t != goInt {
				continue
			}
			n, c := b.proof.node(op), b.proof.placeBefore(op)
			if n.op == opConst || b.proof.spanAt(n, c).within(int32s) {
				continue
			}
			for _, e := range b.enders {
				if b.hold(e, n, c) {
					break
				}
			}
		}
	}
}

// hold asks for the ends of an integer, if they are known and may be as they should.
func (b *bounded) hold(e *ender, n *node, c *place) bool {
	e.begin()
	defer e.done()
	x, least := e.of(n, c, 0), e.least(c)
	all, ok := b.beyond(x, least)
	needs := slices.Concat(x.lo.needs, x.hi.needs)
	most := maxInts
	if n.op == token.ADD && (n.x.op == opPhi || n.y.op == opPhi) {
		most = maxAddedInts
	}
	if !ok || b.held+len(all) > most || slices.ContainsFunc(all, func(r reach) bool { return r.hopeless(e) }) ||
		slices.ContainsFunc(needs, func(n need) bool { return !n.met(e, least) }) {
		return false
	}
	b.held += len(all)
	for _, r := range all {
		b.reach(r)
	}
	b.need(needs, least)
	return true
}

// fits reports whether all that is asked for says that an integer fits 32 bits.
func (b *bounded) fits(n *node, c *place) bool {
	return b.held > 0 && slices.ContainsFunc(b.enders, func(e *ender) bool {
		e.begin()
		defer e.done()
		x, least := e.of(n, c, 0), e.least(c)
		all, ok := b.beyond(x, least)
		return ok && len(all) == 0 && b.coversAll(slices.Concat(x.lo.needs, x.hi.needs), least)
	})
}

// beyond is how far an integer goes below 0, and above, where nothing that is asked for goes as far; false if that is not known.
func (b *bounded) beyond(x ends, least leastOf) (all []reach, ok bool) {
	if !x.lo.known || !x.hi.known {
		return nil, false
	}
	below, ok := poly{}.plus(x.lo.poly, -1)
	for _, p := range []poly{below.positive(), x.hi.positive()} {
		r := reach{length: b.proof.constant(b.most()), poly: p, least: least, per: 1, holds: true}
		if !constantPoly(0).atLeast(p, least) && !slices.ContainsFunc(b.reaches, func(o reach) bool { return o.covers(r) }) {
			all = append(all, r)
		}
	}
	return all, ok
}

// most is what no index is above, nor what is asked for.
func (b *bounded) most() int64 {
	if b.host {
		return math.MaxInt32 - hostMargin
	}
	return math.MaxInt32
}

// covers reports whether what goes as far as r is below 1<<31 by what o asks for.
func (o reach) covers(r reach) bool {
	return (o.inMemory || o.holds || o.length != nil && o.length.isShared()) && o.atLeast(r.poly, r.least)
}
