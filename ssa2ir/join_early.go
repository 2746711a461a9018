package ssa2ir

// This file says what of a run of checks can be computed where the run begins.

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A scope says what can be computed at the beginning of a run.
type scope struct {
	*function
	begin  ssa.Instruction // where it begins; nil: nothing can be loaded there
	stored []ssa.Value     // the variables that have been stored to since
}

// stores notes that something is stored.
func (s *scope) stores(i *ssa.Store) { s.stored = append(s.stored, addressRoot(i.Addr)) }

// still reports whether what an address points to has not been stored to since: nothing has, or all that has is in local or shared variables, as
// this is, and they are others.
func (s *scope) still(address ssa.Value) bool {
	root := addressRoot(address)
	for _, other := range s.stored {
		if root == other || root.Pos() == other.Pos() || !s.in.isVariable(root) || !s.in.isVariable(other) {
			return false // of one position is what copies of a function share
		}
	}
	return true
}

// isVariable reports whether v is the address of a local variable, or of a shared one of a size that is known.
func (in *instance) isVariable(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc:
		return true
	case *ssa.Call:
		_, isPointer := v.Type().Underlying().(*types.Pointer)
		return isPointer && in.facts(v).Shared()
	}
	return false
}

const maxEarly = 24 // how deep a value is looked into

// early reports whether a value is there, or can be computed, where the run begins.
func (s *scope) early(v ssa.Value, deep int) bool {
	i, ok := v.(ssa.Instruction)
	if !ok || s.vals[v] != nil {
		return true
	}
	u, ok := v.(*ssa.UnOp)
	isLoad := ok && u.Op == token.MUL
	switch {
	case deep == maxEarly, isLoad && !s.still(u.X):
		return false
	case isLoad && localRoot(u.X) == nil:
		return !isBig(u.Type()) && s.loads(u.X, deep+1)
	case !s.in.computes(i):
		return false
	}
	for _, o := range i.Operands(nil) {
		if *o != nil && !s.early(*o, deep+1) {
			return false
		}
	}
	return true
}

// loads reports whether what an address points to can be loaded where the run begins: what is indexed is there, and
// the index is in range for all that is known there.
func (s *scope) loads(address ssa.Value, deep int) bool {
	if deep >= maxEarly || s.begin == nil {
		return false
	}
	switch a := address.(type) {
	case *ssa.Call:
		return s.vals[a] != nil && s.in.isVariable(a)
	case *ssa.FieldAddr:
		return s.loads(a.X, deep+1)
	case *ssa.IndexAddr:
		if s.vals[a] != nil {
			return true
		}
		if !s.early(a.Index, deep+1) || !s.inRange(a) {
			return false
		}
		if _, ok := a.X.Type().Underlying().(*types.Slice); ok {
			return s.early(a.X, deep+1)
		}
		return s.loads(a.X, deep+1)
	}
	return false
}

// inRange reports whether an index is in range where the run begins, whatever its checks are of.
func (s *scope) inRange(a *ssa.IndexAddr) bool {
	if s.bounded != nil && s.bounded.begin[a] && a.Block() == s.begin.Block() {
		return true
	}
	p := s.proof
	return p != nil && p.inRange(p.node(a.Index), p.length(a.X), s.begin)
}
