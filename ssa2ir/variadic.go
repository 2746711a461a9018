package ssa2ir

// This file is about calls of functions with a last parameter ...any. go/ssa stores what
// is passed, as interfaces, into an array, and passes a slice of it. Where the function's
// row says so, none of that is made, and the row gets the values.

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// operands are the arguments of a call as the callee's row gets them.
func (cl *callee) operands(com *ssa.CallCommon) []ssa.Value {
	if !cl.row.Variadic {
		return com.Args
	}
	return append(com.Args[:len(com.Args)-1:len(com.Args)-1], spread(com)...)
}

// spread are the values that were written for the last parameter, ...any; nil if it got a
// slice.
func spread(com *ssa.CallCommon) []ssa.Value {
	last := com.Args[len(com.Args)-1]
	if k, ok := last.(*ssa.Const); ok && k.Value == nil {
		return []ssa.Value{}
	}
	if variadicUse(last) == nil {
		return nil
	}
	array := last.(*ssa.Slice).X.(*ssa.Alloc)
	all := make([]ssa.Value, deref(array.Type()).Underlying().(*types.Array).Len())
	for _, r := range *array.Referrers() {
		at, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		i, _ := constant.Int64Val(at.Index.(*ssa.Const).Value)
		for _, r := range *at.Referrers() {
			if st, ok := r.(*ssa.Store); ok {
				all[i] = st.Val
				if mk, ok := st.Val.(*ssa.MakeInterface); ok {
					all[i] = mk.X
				}
			}
		}
	}
	return all
}

// spreads reports whether an instruction only puts arguments into the slice for such a call.
func (in *instance) spreads(i ssa.Instruction) bool {
	var v ssa.Value
	switch i := i.(type) {
	case *ssa.Alloc:
		v = i
	case *ssa.IndexAddr:
		v = i
	case *ssa.Slice:
		v = i
	case *ssa.Store:
		v = i.Addr
	default:
		return false
	}
	call := variadicUse(v)
	if call == nil {
		return false
	}
	cl := in.calls[call]
	return cl != nil && cl.row != nil && cl.row.Variadic
}

// constantOf is the value of a constant, nil if v is none.
func constantOf(v ssa.Value) constant.Value {
	if k, ok := v.(*ssa.Const); ok {
		return k.Value
	}
	return nil
}
