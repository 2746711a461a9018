package ssa2ir

// This file finds slices that have less than 1<<31 elements in all launches of which the condition holds, as the host sees to that. On NVIDIA's
// GPUs the code generator is told, and computes addresses from others (codegen/ptxwrap.go).

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// shortAttr says of a slice's address that there are less than 1<<31 elements behind it, and how many bytes each has.
const shortAttr = `"heddle.short"="%d"`

// fewerPassed are the slices that are passed and have less than 1<<31 elements, by the place of their pointers in the argument block. What is made
// of one may have as many as its capacity; where that may be more, or where a slice may come to what is not seen here, it is none of them.
func (f *function) fewerPassed(b *bounded) map[int]bool {
	if !f.M.T.TellsShort {
		return nil
	}
	h, p, all, fits := &hostSteps{f: f}, f.newProver(), map[int]bool{}, map[int]bool{}
	for _, n := range b.passed {
		if n.op != opLen && n.op != opCap {
			continue
		}
		if offset, _, ok := h.argument(n.x); ok {
			all[int(offset)] = true
			fits[int(offset)] = fits[int(offset)] || n.op == opCap
		}
	}
	for _, block := range f.in.fn.Blocks {
		for _, i := range block.Instrs {
			switch i := i.(type) {
			case *ssa.MakeClosure:
				return nil
			case ssa.CallInstruction:
				if mayTakeSlices(i.Common()) {
					return nil
				}
			case *ssa.Slice:
				if _, isSlice := i.X.Type().Underlying().(*types.Slice); !isSlice || i.High == nil {
					continue
				}
				n := p.capacity(rootSlice(i))
				if n == nil || n.op != opCap {
					return nil
				}
				if offset, _, ok := h.argument(n.x); !ok {
					return nil
				} else if !fits[int(offset)] {
					delete(all, int(offset))
				}
			}
		}
	}
	return all
}

// mayTakeSlices reports whether a call may make a slice of what it is passed, which is no builtin but those of package unsafe.
func mayTakeSlices(c *ssa.CallCommon) bool {
	if b, isBuiltin := c.Value.(*ssa.Builtin); isBuiltin {
		return b.Name() == "Slice"
	}
	if c.IsInvoke() || c.StaticCallee() == nil {
		return true
	}
	for _, a := range c.Args {
		t := a.Type().Underlying()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem().Underlying()
		}
		if _, ok := t.(*types.Basic); !ok {
			return true
		}
	}
	return false
}
