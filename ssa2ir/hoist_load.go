package ssa2ir

// This file loads indices ahead of the loops of hoist.go:
//
//	for k := range 32 {
//		sum += row[query[k]]
//	}
//
// A loaded index is an element that is in range by what is known where an iteration begins, or
// by checks that are made ahead of the loop, too. Those are made before the load, so that there
// is more than one branch: a stage of the hoist is the checks of one.

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

const maxStages = 3

// loadStage is the stage in which a value can be loaded ahead of the loop. ok is false if it cannot.
func (f *function) loadStage(h *hoist, u *ssa.UnOp) (stage int, ok bool) {
	if !h.everyTime(u.Block()) || !h.loop.leavesMemory(u.X) {
		return 0, false
	}
	begin := h.inner().body().Instrs[0]
	for v := u.X; ; {
		switch a := v.(type) {
		case *ssa.FieldAddr:
			v = a.X
			continue
		case *ssa.IndexAddr:
			if !h.loop.blocks[a.Block()] {
				return stage, true
			}
			if !f.in.early(a.Index, h) || !f.in.earlyLength(a.X, h) {
				return 0, false
			}
			if p := f.proof; p == nil || !p.inRange(p.node(a.Index), p.length(a.X), begin) {
				stage = h.next()
			}
			if _, ok := a.X.Type().Underlying().(*types.Slice); ok {
				return stage, stage < maxStages
			}
			v = a.X
			continue
		}
		i, ok := v.(ssa.Instruction)
		return stage, (!ok || !h.loop.blocks[i.Block()]) && f.in.nonNil(v) && stage < maxStages
	}
}

// next is the stage after all checks that were found so far.
func (h *hoist) next() (stage int) {
	for _, s := range h.stages {
		stage = max(stage, s+1)
	}
	return stage
}

// body is the first block of an iteration.
func (r *constantRun) body() *ssa.BasicBlock {
	if h := r.loop.header; !r.atEnd {
		for _, s := range h.Succs {
			if r.loop.blocks[s] {
				return s
			}
		}
	}
	return r.loop.header
}

// leavesMemory reports whether the loop does not change what an address points to: it stores to local variables alone that
// are reached by name, and to none that the address is of.
func (l *loop) leavesMemory(address ssa.Value) bool {
	root := variableOf(address)
	for b := range l.blocks {
		for _, i := range b.Instrs {
			s, ok := i.(*ssa.Store)
			if !ok {
				continue
			}
			if to := variableOf(s.Addr); to == nil || to == root || !onlyNamed(to) {
				return false
			}
		}
	}
	return true
}

// earlyAddress is the address of a value of the loop, before it.
func (f *function) earlyAddress(v ssa.Value, h *hoist, known map[ssa.Value]target.Value) target.Value {
	switch a := v.(type) {
	case *ssa.FieldAddr:
		return f.field(deref(a.X.Type()), f.earlyAddress(a.X, h, known), a.Field)
	case *ssa.IndexAddr:
		if !h.loop.blocks[a.Block()] {
			break
		}
		idx := f.IntCast(f.early(a.Index, h, known), target.I64, isSigned(a.Index.Type()))
		switch u := a.X.Type().Underlying().(type) {
		case *types.Slice:
			return f.GEP(f.memType(u.Elem()), f.Elem(f.value(a.X), 0), idx)
		case *types.Pointer:
			return f.elementOf(u.Elem().Underlying().(*types.Array), a.X, f.earlyAddress(a.X, h, known), idx)
		}
	}
	return f.value(v)
}
