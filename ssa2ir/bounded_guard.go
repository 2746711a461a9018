package ssa2ir

// This file finds the checks of a version that are not needed if few numbers are as they should.

import (
	"go/token"
	"go/types"
	"math"
	"math/bits"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// guard adds a check, if the ends of its index are known.
func (b *bounded) guard(e *ender, a *ssa.IndexAddr) bool {
	c, length := b.proof.placeBefore(a), b.proof.length(a.X)
	if length.op != opConst && !length.isVariable() {
		return b.guardInPart(e, a, length)
	}
	if length.op == opConst && length.k > math.MaxInt32 {
		return false
	}
	e.begin()
	defer e.done()
	least := e.least(c)
	index := e.node(a.Index)
	x, per := e.of(index, c, 0), int64(1)
	if n, k := index.part(); k > 1 && (!x.hi.known || len(x.hi.terms) == 0 && x.hi.c >= 1<<30/k) { // that is by what variables are taken to be at most
		if y := e.of(n, c, 0); y.lo.known && y.lo.notNegative(least) {
			index, x, per = n, y, k
		}
	}
	if !x.lo.known || !x.hi.known {
		return false
	}
	low := reach{poly: x.lo.poly, least: least, per: 1}
	size := sizeof(deref(a.Type()))
	top := reach{length: length, poly: x.hi.poly, least: least, per: per, inMemory: length.op != opConst && !length.isShared(), large: e.isLarge(length, size)}
	if length.op == opConst && length.k*per > math.MaxInt32 || low.hopeless(e) || top.hopeless(e) || slices.ContainsFunc(slices.Concat(x.lo.needs, x.hi.needs), func(n need) bool { return !n.met(e, least) }) {
		return false
	}
	if !x.lo.notNegative(least) {
		b.reach(low)
	}
	if top.inMemory && !top.large && size > 0 && size <= 1<<8 && e.machine.Votes {
		b.short[a] = true
		b.elements = max(b.elements, 1<<bits.Len64(uint64(size-1)))
	}
	b.reach(top)
	b.guarded[a] = true
	b.begin[a] = e.sameEarlier(index, x, length, c, b.proof.placeAt(a.Block()))
	b.need(slices.Concat(x.lo.needs, x.hi.needs), least)
	return true
}

// guardInPart is guard for an index of a slice whose length is computed, as of a map of a volume:
//
//	values := maps[k*w*h : (k+1)*w*h]
//	... values[y*w+x]
func (b *bounded) guardInPart(e *ender, a *ssa.IndexAddr, length *node) bool {
	if !length.isOfPart() {
		return false
	}
	c := b.proof.placeBefore(a)
	e.begin()
	defer e.done()
	least := e.least(c)
	x := e.of(e.node(a.Index), c, 0)
	inPart := func(at *place) bool {
		n := e.of(length, at, 0)
		if !x.lo.known || !x.hi.known || !n.lo.known || !x.lo.notNegative(least) {
			return false
		}
		over, ok := n.lo.plus(x.hi.poly, -1)
		over.c--
		return ok && b.inPart(e, over, least, slices.Concat(x.lo.needs, x.hi.needs, n.lo.needs))
	}
	// Behind another index of the part its length is known to be more than that, and is not taken for what it was made of.
	made, isSlice := a.X.(*ssa.Slice)
	if !inPart(c) && (!isSlice || !inPart(b.proof.placeBefore(made))) {
		return false
	}
	b.guarded[a] = true
	return true
}

// hopeless reports whether no launch that makes sense has indices within, or that which e is for does not.
func (r reach) hopeless(e *ender) bool {
	const most = 1 << 22 // elements of a table are said to be no more than 1<<24 or so by their type alone
	over := r.poly
	if e.shortGrid {
		over = over.inBlocks(r.length != nil)
	}
	switch {
	case r.length == nil:
		over, _ = constantPoly(-1).plus(over, -1)
	case r.length.op == opConst:
		over.c -= r.length.k * r.per
	case over.c > most && e.number == nil:
		return true
	default:
		over, _ = over.plus(variablePoly(r.length), -r.per)
	}
	return over.notNegative(r.usual) || e.mayHold != nil && !e.mayHold(r)
}

// isLarge reports whether a slice has 1<<32 bytes or more, rounded up, in the launch that ends are wanted for.
func (e *ender) isLarge(length *node, size int64) bool {
	if e.number == nil || size == 0 {
		return false
	}
	n, ok := e.number(length)
	return ok && n >= float64(int64(1<<32)>>bits.Len64(uint64(size-1)))
}

// usual is least for the launches that make sense: a block is not divided in parts of no threads.
func (r reach) usual(n *node) int64 {
	if (n.op == token.QUO || n.op == token.SHR) && n.x.op == opField && n.x.x.op == opCall {
		if of, _ := n.x.register(); of == target.BlockDim {
			return max(r.least(n), 1)
		}
	}
	return r.least(n)
}

// met reports whether all that is needed is as it should in the launch that e is for, or could be in any.
func (n need) met(e *ender, least leastOf) bool {
	if e.number != nil {
		for _, m := range n.terms {
			x, ok := poly{terms: []mono{{1, m.of}}}.in(e.number)
			if !ok || x < 0 || x > math.MaxInt32-hostMargin {
				return false
			}
		}
	}
	return !n.asked || !(reach{poly: n.poly, least: least, per: 1}).hopeless(e)
}

// sameEarlier reports whether the ends of an index at a place are those at an earlier one, for the same reasons.
func (e *ender) sameEarlier(index *node, x ends, length *node, at, earlier *place) bool {
	later, before := e.least(at), e.least(earlier)
	differs := func(n *node) bool { return later(n) != before(n) }
	anyDiffers := func(p poly) bool {
		return slices.ContainsFunc(p.terms, func(m mono) bool { return slices.ContainsFunc(m.of, differs) })
	}
	same := func(x, y end) bool {
		return x.known && y.known && x.equals(y.poly) && !anyDiffers(x.poly) && slices.EqualFunc(x.needs, y.needs, func(a, b need) bool {
			return a.asked == b.asked && a.equals(b.poly) && !anyDiffers(a.poly)
		})
	}
	y := e.of(index, earlier, 0)
	return same(x.lo, y.lo) && same(x.hi, y.hi) && !differs(length)
}

// guardPart adds what a slice is cut off by: an end that is no further than what is sliced is long. That it may go to the capacity says less, and few programs do.
//
//	row := data[y*w : (y+1)*w]
func (b *bounded) guardPart(e *ender, s *ssa.Slice) bool {
	p, c := b.proof, b.proof.placeBefore(s)
	bound := s.High
	if bound == nil {
		bound = s.Low
	}
	length := p.length(s.X)
	elem := cutElem(s)
	array := length.op == opConst && length.k <= math.MaxInt32
	if elem == nil || bound == nil || s.Max != nil || !array && !length.isVariable() && !length.isOfPart() {
		return false
	}
	e.begin()
	defer e.done()
	least := e.least(c)
	x := e.of(e.node(bound), c, 0)
	if !x.lo.known || !x.hi.known {
		return false
	}
	if !array && !length.isVariable() { // a part of a part
		n := e.of(length, c, 0)
		over, ok := n.lo.plus(x.hi.poly, -1)
		if !ok || !n.lo.known || !x.lo.notNegative(least) || !b.inPart(e, over, least, slices.Concat(x.lo.needs, x.hi.needs, n.lo.needs)) {
			return false
		}
		b.cut[s] = true
		return true
	}
	last, ok := constantPoly(-1).plus(x.hi.poly, 1)
	low, top := reach{poly: x.lo.poly, least: least, per: 1}, reach{length: length, poly: last, least: least, per: 1, inMemory: !array && !length.isShared(), large: !array && e.isLarge(length, sizeof(elem))}
	if !ok || low.hopeless(e) || top.hopeless(e) || slices.ContainsFunc(slices.Concat(x.lo.needs, x.hi.needs), func(n need) bool { return !n.met(e, least) }) {
		return false
	}
	if !x.lo.notNegative(least) {
		b.reach(low)
	}
	b.reach(top)
	b.cut[s] = true
	b.need(slices.Concat(x.lo.needs, x.hi.needs), least)
	return true
}

// cutElem is the type of the elements of what is cut off, a slice or an array; nil of a string.
func cutElem(s *ssa.Slice) types.Type {
	switch t := s.X.Type().Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Pointer:
		if a, ok := t.Elem().Underlying().(*types.Array); ok {
			return a.Elem()
		}
	}
	return nil
}

// cuts reports whether the check of where a slice is cut off is one that the host or the section's beginning has made.
func (f *function) cuts(s *ssa.Slice) bool { return f.bounded != nil && f.bounded.cut[s] }
