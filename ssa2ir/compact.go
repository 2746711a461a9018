package ssa2ir

// This file makes local arrays of ints that are held in 32 bits, as what they hold is known to need no more: anywhere (contents.go), or
// in the first version of a section (bounded_array.go). They take half of a thread's registers or memory.

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// findAlways finds the arrays that need 32 bits whatever the kernel is given, and has the prover know what they hold.
func (f *function) findAlways() map[*ssa.Alloc]span {
	if !f.M.T.Narrow {
		return nil
	}
	arrays := f.in.intArrays(f.know)
	if len(arrays) == 0 {
		return nil
	}
	f.newProver().findContents(arrays, nil)
	all := map[*ssa.Alloc]span{}
	for _, c := range arrays {
		s, ok := c.constant()
		if !ok || c.whole {
			continue
		}
		all[c.array] = s
		for _, v := range c.loads {
			n := f.proof.node(v)
			n.base = n.base.and(s)
		}
	}
	return all
}

// compactRoot is the array held in 32 bits that v points into, nil if it is anything else.
func (f *function) compactRoot(v ssa.Value) *ssa.Alloc {
	if len(f.compact) == 0 {
		return nil
	}
	for {
		switch x := v.(type) {
		case *ssa.IndexAddr:
			v = x.X
			continue
		case *ssa.Alloc:
			if _, ok := f.compact[x]; ok {
				return x
			}
		}
		return nil
	}
}

// compactType is the type of such an array, or of a part of it.
func compactType(t types.Type) target.Type {
	if a, ok := t.Underlying().(*types.Array); ok {
		return target.Array(a.Len(), compactType(a.Elem()))
	}
	return target.I32
}

// makeCompact makes such an array, of zeros.
func (f *function) makeCompact(a *ssa.Alloc) {
	t := deref(a.Type())
	p := f.slot(compactType(t))
	if !f.beginsAnyhow(a) {
		f.memset(p, target.Int(target.I64, sizeof(t)/2), 4)
	}
	f.set(a, p)
}

// elementOf is the address of an element of an array that v points to.
func (f *function) elementOf(arr types.Type, v ssa.Value, p, i target.Value) target.Value {
	if f.compactRoot(v) != nil {
		return f.GEP(compactType(arr), p, target.Int(target.I64, 0), i)
	}
	return f.element(arr, p, i)
}

// loadFrom is f.load for the operand of an instruction.
func (f *function) loadFrom(u *ssa.UnOp, p target.Value) target.Value {
	a := f.compactRoot(u.X)
	if a == nil {
		if v := f.loadTogether(u, p); v != nil {
			return v
		}
		return f.load(u.Type(), p)
	}
	return f.IntCast(f.Load(target.I32, p, 4), target.I64, f.compact[a].lo < 0)
}

// storeAt is f.store for the operands of an instruction.
func (f *function) storeAt(s *ssa.Store) {
	if a, fields := f.fewAt(s.Addr); a != nil {
		f.storeFew(s, a, fields)
		return
	}
	v, p := f.value(s.Val), f.value(s.Addr)
	if f.compactRoot(s.Addr) == nil {
		f.store(s.Val.Type(), v, p)
		return
	}
	f.Store(f.IntCast(v, target.I32, true), p, 4)
}
