package ssa2ir

// This file finds the nodes of lengths, and of what is read from variables that hold one
// value wherever they are read.

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/inline"
)

// maxBytes is more than any address space has: a slice of elements that have a size is no
// longer.
const maxBytes = 1 << 56

// lengthNode is the length of a string, a slice, an array or what points to one; nil if a
// called function does more than compute.
func (b *nodes) lengthNode(v ssa.Value) *node {
	switch u := v.Type().Underlying().(type) {
	case *types.Array:
		return b.constant(u.Len())
	case *types.Pointer:
		return b.constant(u.Elem().Underlying().(*types.Array).Len())
	}
	switch x := v.(type) {
	case *ssa.Slice:
		if b.env != nil {
			return nil
		}
		if x.High == nil && x.Low == nil {
			return b.lengthNode(x.X)
		}
		hi := b.lengthOrBound(x.X, x.High)
		if x.Low == nil {
			return hi
		}
		return b.difference(hi, b.get(x.Low))
	case *ssa.ChangeType:
		return b.lengthNode(x.X)
	case *ssa.Call:
		if n := b.sharedLength(x); n != nil {
			return n
		}
	}
	return b.ofSlice(opLen, v)
}

// difference is x - y, two bounds of a slice. Modulo 1<<64 it is what the sums and products in them come to, and so it is that itself if that is
// one number or a product, as of x[i*n : (i+1)*n] and x[i*w*h : (i+1)*w*h].
func (b *nodes) difference(x, y *node) *node {
	if x == nil || y == nil {
		return nil
	}
	p, ok1 := expanded(x, 0)
	q, ok2 := expanded(y, 0)
	if d, ok := p.plus(q, -1); ok1 && ok2 && ok {
		switch {
		case len(d.terms) == 0:
			return b.constant(d.c)
		case len(d.terms) > 1 || d.terms[0].k != 1 || slices.ContainsFunc(d.terms[0].of, func(n *node) bool { return n.intType != goInt }):
		case d.c == 0 && len(d.terms[0].of) > 1:
			n := d.terms[0].of[0]
			for _, m := range d.terms[0].of[1:] {
				n = b.binary(token.MUL, goInt, n, m)
			}
			return n
		case len(d.terms[0].of) > 1:
		case d.c == 0:
			return d.terms[0].of[0]
		default:
			return b.binary(token.ADD, goInt, d.terms[0].of[0], b.constant(d.c))
		}
	}
	return b.binary(token.SUB, goInt, x, y)
}

// maxExpanded is how deep sums of products are looked into.
const maxExpanded = 8

// expanded is an int as a sum of products, modulo 1<<64; false if that is beyond the limits of polynomials.
func expanded(n *node, deep int) (poly, bool) {
	switch {
	case n.op == opConst:
		p := constantPoly(n.k)
		return p, p.fits()
	case deep == maxExpanded || n.intType != goInt:
	case n.op == token.ADD || n.op == token.SUB || n.op == token.MUL:
		x, ok1 := expanded(n.x, deep+1)
		y, ok2 := expanded(n.y, deep+1)
		var p poly
		ok := false
		switch n.op {
		case token.ADD:
			p, ok = x.plus(y, 1)
		case token.SUB:
			p, ok = x.plus(y, -1)
		default:
			p, ok = x.times(y)
		}
		if ok1 && ok2 && ok {
			return p, true
		}
	}
	return variablePoly(n), true
}

func (b *nodes) lengthOrBound(x, bound ssa.Value) *node {
	if bound != nil {
		return b.get(bound)
	}
	return b.lengthNode(x)
}

// capNode is likewise a capacity.
func (b *nodes) capNode(v ssa.Value) *node {
	switch v.Type().Underlying().(type) {
	case *types.Array, *types.Pointer:
		return b.lengthNode(v)
	}
	switch x := v.(type) {
	case *ssa.Slice:
		if b.env != nil {
			return nil
		}
		most := b.capNode
		if isString(x.X.Type()) {
			most = b.lengthNode
		}
		hi := most(x.X)
		if x.Max != nil {
			hi = b.get(x.Max)
		}
		if x.Low == nil {
			return hi
		}
		return b.binary(token.SUB, goInt, hi, b.get(x.Low))
	case *ssa.Call:
		if n := b.sharedLength(x); n != nil {
			return n
		}
	}
	return b.ofSlice(opCap, v)
}

// sharedLength is the length of a dsl.SharedSlice, or of dynamic shared memory, nil of anything else.
func (b *nodes) sharedLength(c *ssa.Call) *node {
	callee := b.in.calls[c]
	if b.in.isDynamic(c) {
		return b.dynamicLength(c)
	}
	if callee == nil || callee.row == nil || !callee.row.Shared() || !slices.Equal(callee.row.Const, []int{0}) || len(c.Call.Args) != 1 {
		return nil
	}
	n := b.get(c.Call.Args[0])
	if n == nil || n.op != opConst {
		return nil
	}
	return n
}

// ofSlice is the length or capacity of a slice or string that is not made here.
func (b *nodes) ofSlice(op token.Token, v ssa.Value) *node {
	x := b.get(v)
	if x == nil {
		return nil
	}
	most := int64(maxBytes)
	if s, ok := v.Type().Underlying().(*types.Slice); ok && sizeof(s.Elem()) == 0 {
		most = goInt.full().hi
	}
	return b.intern(nodeKey{op: op, x: x, intType: goInt}, span{0, most})
}

// load is what is read from an address, nil if that may change.
func (b *nodes) load(addr ssa.Value, at *ssa.UnOp) *node {
	var path []int
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			path = append([]int{a.Field}, path...)
			addr = a.X
			continue
		case *ssa.Alloc:
			return b.local(a, path, at)
		case *ssa.FreeVar:
			if b.env == nil && b.in.captured(a) {
				return b.fields(b.intern(loadKey(a), loadBase(a)), deref(a.Type()), path)
			}
		}
		return nil
	}
}

// loadKey is the node of what a captured variable holds, which does not change.
func loadKey(a *ssa.FreeVar) nodeKey {
	t, _ := typeOf(deref(a.Type()))
	return nodeKey{op: opAtom, v: a, name: "*", intType: t}
}

func loadBase(a *ssa.FreeVar) span {
	if t, ok := typeOf(deref(a.Type())); ok {
		return t.full()
	}
	return span{}
}

// fields follows a path into a structure of type t.
func (b *nodes) fields(n *node, t types.Type, path []int) *node {
	for _, i := range path {
		if n == nil || opaque(t) != nil {
			return nil
		}
		t = t.Underlying().(*types.Struct).Field(i).Type()
		n = b.field(n, i, t)
	}
	return n
}

// local is what a local variable holds, at a path of fields in it, if one store alone
// writes that, and comes before.
func (b *nodes) local(a *ssa.Alloc, path []int, at *ssa.UnOp) *node {
	var all []inline.Part
	if !inline.Stores(a, nil, &all) {
		return nil
	}
	one := inline.Writer(all, path, at)
	if one == nil || isBig(one.Store.Val.Type()) {
		return nil
	}
	return b.fields(b.get(one.Store.Val), one.Store.Val.Type(), path[len(one.Path):])
}
