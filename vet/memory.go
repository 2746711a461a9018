package vet

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file tells memory of the host from memory of a device, which have the same
// types: what a Buffer's method Device returns, and parts of that.

// isHost reports whether a slice or a pointer is memory of the host, for certain:
// it is made here. What a parameter is, the package's calls tell; depth is how
// many calls and variables deep to look.
func (v *vetter) isHost(x ssa.Value, depth int) bool {
	return v.hostValue(x, depth, map[ssa.Value]bool{})
}

func (v *vetter) hostValue(x ssa.Value, depth int, seen map[ssa.Value]bool) bool {
	if seen[x] {
		return true // a way round a loop adds nothing
	}
	seen[x] = true
	all := func(vals []ssa.Value) bool {
		return len(vals) > 0 && !slices.ContainsFunc(vals, func(val ssa.Value) bool {
			return val == nil || !v.hostValue(val, depth-1, seen)
		})
	}
	switch x := x.(type) {
	case *ssa.MakeSlice, *ssa.Alloc, *ssa.Global:
		return true
	case *ssa.Slice:
		return v.hostValue(x.X, depth, seen)
	case *ssa.IndexAddr:
		return v.hostValue(x.X, depth, seen)
	case *ssa.FieldAddr:
		return v.hostValue(x.X, depth, seen)
	case *ssa.ChangeType:
		return v.hostValue(x.X, depth, seen)
	case *ssa.Phi:
		return all(x.Edges)
	case *ssa.Parameter:
		return depth > 0 && all(v.passed(x))
	case *ssa.Call:
		return depth > 0 && all(returned(x))
	case *ssa.UnOp:
		if x.Op != token.MUL || depth == 0 {
			return false
		}
		if g, ok := x.X.(*ssa.Global); ok {
			return g.Pkg.Pkg == v.pass.Pkg && !g.Object().Exported() && all(v.stores[g])
		}
		one := onlyValue(x.X)
		return one != nil && v.hostValue(one, depth-1, seen)
	}
	return false
}

// passed are the values that the package's calls give a parameter.
func (v *vetter) passed(p *ssa.Parameter) (vals []ssa.Value) {
	n := slices.Index(p.Parent().Params, p)
	for _, fn := range v.fns {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if call, ok := i.(ssa.CallInstruction); ok && call.Common().StaticCallee() == p.Parent() {
					vals = append(vals, call.Common().Args[n])
				}
			}
		}
	}
	return vals
}

// returned are the values that a call returns: of append, what it appends to; of a
// function with a body here, its results; else none.
func returned(call *ssa.Call) (vals []ssa.Value) {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
		return call.Call.Args[:1]
	}
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Signature.Results().Len() != 1 {
		return nil
	}
	for _, b := range fn.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			vals = append(vals, r.Results[0])
		}
	}
	return vals
}
