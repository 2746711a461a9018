package ssa2ir

// This file finds between which ends the integers are that package-level tables have, variables that never change.
//
//	var steps = [4][2]int{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}
//	...
//	u := x + steps[k][0]        // x-1 to x+1

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

const (
	unknownIndex = -1 // of an index that is not known
	maxTablePath = 16 // loads, elements, fields and copies that lead to a variable: a local variable may be a copy of itself
)

// A tablePlace is a place in a package-level variable: the indices and fields that lead there.
type tablePlace struct {
	of   *ssa.Global
	path []int64
	zero bool // it may be zero instead
}

func (t *tablePlace) then(i int64) *tablePlace {
	return &tablePlace{t.of, append(t.path[:len(t.path):len(t.path)], i), t.zero}
}

// tabled is an integer that is read from such a variable, nil of others.
func (b *nodes) tabled(v ssa.Value, t intType) *node {
	if b.env != nil || b.in.plan == nil {
		return nil
	}
	at := b.tablePlace(v, maxTablePath)
	if at == nil {
		return nil
	}
	s, ok := b.tableSpan(at)
	if !ok || !s.within(t.full()) {
		return nil
	}
	return b.intern(nodeKey{op: opAtom, v: v, intType: t}, s)
}

// tablePlace is where a value is from, or what an address is of; nil if that is no package-level variable.
func (b *nodes) tablePlace(v ssa.Value, deep int) *tablePlace {
	if deep--; deep < 0 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Global:
		return &tablePlace{of: v}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return b.tablePlace(v.X, deep)
		}
	case *ssa.Alloc:
		return b.copyOfTable(v, deep)
	case *ssa.IndexAddr:
		return b.tableElement(v.X, v.Index, deep)
	case *ssa.Index:
		return b.tableElement(v.X, v.Index, deep)
	case *ssa.FieldAddr:
		if of := b.tablePlace(v.X, deep); of != nil {
			return of.then(int64(v.Field))
		}
	case *ssa.Field:
		if of := b.tablePlace(v.X, deep); of != nil {
			return of.then(int64(v.Field))
		}
	}
	return nil
}

func (b *nodes) tableElement(x, index ssa.Value, deep int) *tablePlace {
	of := b.tablePlace(x, deep)
	if of == nil {
		return nil
	}
	if n := b.known(index); n != nil {
		return of.then(n.k)
	}
	return of.then(unknownIndex)
}

// copyOfTable is what a local variable holds that is written at one place, as a whole, and before that is zero.
func (b *nodes) copyOfTable(a *ssa.Alloc, deep int) *tablePlace {
	var from ssa.Value
	isCopy := onlyRead(a, func(s *ssa.Store) bool {
		first := from == nil && s.Addr == a && s.Val != a
		from = s.Val
		return first
	})
	if !isCopy {
		return nil
	}
	switch from.(type) {
	case *ssa.UnOp, *ssa.Index:
		if of := b.tablePlace(from, deep); of != nil {
			return &tablePlace{of.of, of.path, true}
		}
	}
	return nil
}

// onlyRead reports whether all that is done with what an address is of is to load it, or a part of it, and what stored allows.
func onlyRead(addr ssa.Value, stored func(s *ssa.Store) bool) bool {
	for _, r := range *addr.Referrers() {
		ok := false
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
			ok = true
		case *ssa.IndexAddr:
			ok = onlyRead(r, stored)
		case *ssa.FieldAddr:
			ok = onlyRead(r, stored)
		case *ssa.Store:
			ok = stored(r)
		}
		if !ok {
			return false
		}
	}
	return true
}

// tableSpan is the span of the integers at a place; false if there are none there, or they are not known.
func (p *prover) tableSpan(at *tablePlace) (span, bool) {
	key := fmt.Sprint(at.of.String(), at.path, at.zero)
	if s, ok := p.tables[key]; ok {
		return s, s != span{1, 0}
	}
	s := span{1, 0}
	if e, info, err := p.in.plan.k.table(at.of); err == nil {
		r := tableReader{info: info}
		if r.read(e, deref(at.of.Type()), at.path) && r.any {
			s = r.span
			if at.zero {
				s = s.or(span{0, 0})
			}
		}
	}
	if p.tables == nil {
		p.tables = map[string]span{}
	}
	p.tables[key] = s
	return s, s != span{1, 0}
}

// A tableReader goes through a variable's initialiser.
type tableReader struct {
	info *types.Info
	span span
	any  bool
}

func (r *tableReader) add(n int64) bool {
	if !r.any {
		r.span, r.any = span{n, n}, true
	}
	r.span = r.span.or(span{n, n})
	return true
}

// read adds what lies at a path in what e says, nil for zero. It is false if that is not known.
func (r *tableReader) read(e ast.Expr, t types.Type, path []int64) bool {
	if e != nil {
		e = ast.Unparen(e)
	}
	if len(path) == 0 {
		if _, ok := typeOf(t); !ok {
			return false
		}
		if e == nil {
			return r.add(0)
		}
		v := r.info.Types[e].Value
		if v == nil {
			return false
		}
		n, exact := constant.Int64Val(constant.ToInt(v))
		return exact && r.add(n)
	}
	lit, ok := e.(*ast.CompositeLit)
	if e != nil && !ok {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return r.elements(lit, u.Elem(), u.Len(), path)
	case *types.Slice:
		return lit != nil && r.elements(lit, u.Elem(), literalLen(lit, r.info), path)
	case *types.Struct:
		return r.fields(lit, u, path)
	}
	return false
}

// elements is read for an array's or a slice's elements, of which there are n.
func (r *tableReader) elements(lit *ast.CompositeLit, elem types.Type, n int64, path []int64) bool {
	all := path[0] == unknownIndex
	found := int64(0)
	if lit != nil {
		for i, e := range literalElems(lit, r.info) {
			if !all && i != path[0] {
				continue
			}
			if !r.read(e, elem, path[1:]) {
				return false
			}
			found++
		}
	}
	if all && found < n || !all && found == 0 {
		return r.read(nil, elem, path[1:])
	}
	return true
}

// fields is read for a structure.
func (r *tableReader) fields(lit *ast.CompositeLit, t *types.Struct, path []int64) bool {
	f := t.Field(int(path[0]))
	if lit != nil {
		for i, e := range literalFields(lit, t) {
			if int64(i) == path[0] {
				return r.read(e, f.Type(), path[1:])
			}
		}
	}
	return r.read(nil, f.Type(), path[1:])
}
