package inline

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file finds which function a call is of: one that is named, a closure, or what a variable holds that closures share and that is given nothing else:
//
//	at := func(i, j int) int { return base + i + ni*j }
//	mu := func(i, j int) float64 { return a[at(i, j)] }

// callee is the function of a call, which may have been passed to the function that is copied, and what its free variables are in the copy.
func (x *expander) callee(c *copying, call *ssa.Call) (fn *ssa.Function, binds []ssa.Value) {
	if call.Call.IsInvoke() {
		return nil, nil
	}
	v := c.value(call.Call.Value)
	for {
		named, ok := v.(*ssa.ChangeType)
		if !ok {
			break
		}
		v = named.X
	}
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		if a, ok := load.X.(*ssa.Alloc); ok && x.cells[a] != nil {
			v = x.cells[a]
		}
	}
	switch v := v.(type) {
	case *ssa.Function:
		return v, nil
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function), v.Bindings
	}
	return nil, nil
}

// noteCell notes what a copy's variable holds once it is given that, of an instruction and its copy.
func (x *expander) noteCell(i, n ssa.Instruction) {
	store, ok := i.(*ssa.Store)
	if !ok {
		return
	}
	from, ok := store.Addr.(*ssa.Alloc)
	if _, isFunc := store.Val.Type().Underlying().(*types.Signature); !ok || !isFunc || store.Block() != from.Block() || !keepsFunc(from, store) || isRead(from, store) {
		return
	}
	if to, ok := n.(*ssa.Store).Addr.(*ssa.Alloc); ok && x.cells != nil {
		x.cells[to] = n.(*ssa.Store).Val
	}
}

// keepsFunc reports whether a variable, or a closure's share in it, is given nothing but what a store does.
func keepsFunc(v ssa.Value, store *ssa.Store) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.Store:
			return i != store
		case *ssa.UnOp:
			return i.Op != token.MUL
		case *ssa.DebugRef:
			return false
		case *ssa.MakeClosure:
			for k, b := range i.Bindings {
				if b == v && !keepsFunc(i.Fn.(*ssa.Function).FreeVars[k], store) {
					return true
				}
			}
			return false
		}
		return true
	})
}

// isRead reports whether a variable may be read, or shared, ahead of a store in its own block.
func isRead(a *ssa.Alloc, store *ssa.Store) bool {
	instrs := a.Block().Instrs
	return slices.ContainsFunc(instrs[:slices.Index(instrs, ssa.Instruction(store))], func(i ssa.Instruction) bool {
		return slices.ContainsFunc(i.Operands(nil), func(v *ssa.Value) bool { return *v == a })
	})
}
