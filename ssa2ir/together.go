package ssa2ir

// This file has GPUs load a struct of two or four numbers by one instruction, as C++ does a float2. LLVM would load a
// field behind the branch that alone uses it, each time that a thread comes there.
//
//	t2 = *t1   ->   %v = load <2 x float>, ptr %t1, align 4
//	                %t2.0 = extractelement <2 x float> %v, i32 0
//	                %t2.1 = extractelement <2 x float> %v, i32 1

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/target"
)

// loadTogether loads an element of a slice by one instruction; nil if it is no struct of two or four numbers.
func (f *function) loadTogether(u *ssa.UnOp, p target.Value) target.Value {
	st, ok := u.Type().Underlying().(*types.Struct)
	at, isElem := u.X.(*ssa.IndexAddr)
	if !ok || !isElem || f.M.T.Kind == abi.Native || opaque(u.Type()) != nil || isBig(u.Type()) {
		return nil
	}
	n, size := st.NumFields(), sizeof(u.Type())
	if _, slice := at.X.Type().Underlying().(*types.Slice); !slice || n != 2 && n != 4 || size != 8 && size != 16 || size/int64(n) < 4 {
		return nil
	}
	elem := f.llType(st.Field(0).Type())
	for field := range st.Fields() {
		if b, ok := field.Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsNumeric == 0 || b.Info()&types.IsComplex != 0 || !f.llType(field.Type()).Equal(elem) {
			return nil
		}
	}
	all := f.Load(target.Vector(uint64(n), elem), p, alignof(u.Type()))
	a := &target.Agg{Typ: f.llType(u.Type())}
	for i := range n {
		a.Elems = append(a.Elems, f.Emit(elem, "extractelement ", target.T(all), ", ", target.T(target.Int(target.I32, int64(i)))))
	}
	return a
}
