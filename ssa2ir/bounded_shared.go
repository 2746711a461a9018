package ssa2ir

// This file has the host see to it that indices are within dynamic shared memory, whose size is part of a launch, and within parts of slices.
//
//	a := dsl.DynamicShared[float32]()
//	b := a[n:]                        n + x <= size/4, for b[x]

import (
	"go/token"
	"go/types"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/module"
	"heddle/internal/ops"
)

// isDynamic reports whether a value is dynamic shared memory.
func (in *instance) isDynamic(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	callee := in.calls[c]
	return callee != nil && callee.row != nil && callee.row.Space == ops.DynamicShared
}

// maxShared is more bytes of dynamic shared memory than any device has.
const maxShared = 1 << 30

// dynamicLength is the length of dynamic shared memory as a slice: how often an element fits in it.
func (b *nodes) dynamicLength(c *ssa.Call) *node {
	s, ok := c.Type().Underlying().(*types.Slice)
	if !ok {
		return nil
	}
	size := sizeof(s.Elem())
	if size == 0 {
		return b.constant(0)
	}
	bytes := b.intern(nodeKey{op: opCall, name: dynamicShared, intType: goInt}, span{0, maxShared})
	return b.binary(token.QUO, goInt, bytes, b.constant(size))
}

const dynamicShared = module.DSL + ".DynamicShared"

// isSharedSize reports whether a node is how many bytes of dynamic shared memory a launch has.
func (n *node) isSharedSize() bool { return n.op == opCall && n.name == dynamicShared }

// isShared reports whether a node is the length of dynamic shared memory.
func (n *node) isShared() bool { return n.op == token.QUO && n.x.isSharedSize() }

// isWhole reports whether a node is the length of what is passed, or of dynamic shared memory.
func (n *node) isWhole() bool { return n.isShared() || n.op == opLen && n.isVariable() }

// isOfPart reports whether a node is the length of a part of a slice, as far as such are computed.
func (n *node) isOfPart() bool {
	return n.intType == goInt && (n.op == token.MUL || n.op == token.ADD || n.op == token.SUB)
}

// whole is a length as a polynomial.
func (b *bounded) whole(length *node) poly {
	if length.op == opConst {
		return constantPoly(length.k)
	}
	return variablePoly(length)
}

// inPart asks that an end is no more than one of the length of a part:
//
//	b := a[n:]
//	... b[x]      n + x < len(a), for x < len(b)
//
// What the length of all lacks there is added to the end. last is the greatest that is in range, so that over is not negative if it is.
func (b *bounded) inPart(e *ender, over poly, least leastOf, needs []need) bool {
	if slices.ContainsFunc(needs, func(n need) bool { return !n.met(e, least) }) {
		return false
	}
	if over.notNegative(least) {
		b.need(needs, least)
		return true
	}
	k := slices.IndexFunc(over.terms, func(m mono) bool { return m.k == 1 && len(m.of) == 1 && m.of[0].isWhole() })
	if !b.host || k < 0 && (over.c < 0 || over.c >= math.MaxInt32) {
		return false
	}
	length := b.proof.constant(over.c + 1) // a part of an array: as many as are left where nothing else is taken away
	if k >= 0 {
		length = over.terms[k].of[0]
	}
	last, ok := b.whole(length).plus(over, -1)
	last.c--
	r := reach{length: length, poly: last, least: least, per: 1, inMemory: k >= 0 && !length.isShared(), large: k >= 0}
	if !ok || r.hopeless(e) {
		return false
	}
	b.reach(r)
	b.need(needs, least)
	return true
}
