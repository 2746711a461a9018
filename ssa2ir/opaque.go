package ssa2ir

// This file implements named types whose values are one LLVM value of a type that the
// machine decides, whatever Go declares (package intrinsics has their table).

import (
	"go/types"

	"heddle/internal/target"
	"heddle/intrinsics"
)

// lookupType is intrinsics.TypeOf; tests put types of their own before it.
var lookupType = intrinsics.TypeOf

// opaque is what is known of a named type that is one value, nil for any other type.
func opaque(t types.Type) *intrinsics.Type {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	return lookupType(n.Obj().Pkg().Path(), n.Obj().Name())
}

// opaqueType is the LLVM type of one.
func (y *layout) opaqueType(o *intrinsics.Type, t types.Type) target.Type {
	if y.machine == nil {
		return target.Struct()
	}
	var args []types.Type
	for a := range types.Unalias(t).(*types.Named).TypeArgs().Types() {
		args = append(args, a)
	}
	return o.LLVM(y.machine, args)
}

// inRegisters reports whether values of t cannot lie in memory.
func inRegisters(t types.Type) bool {
	o := opaque(t)
	return o != nil && !o.InMemory
}

// unpassable is unsupported for what a launch passes.
func unpassable(t types.Type) (why, hint string) {
	if inRegisters(t) {
		return typeName(t), "make it in the kernel: it lies in registers only"
	}
	return unsupportedOutside(t)
}

// stayInRegisters is what to do about a value that cannot lie in memory.
const stayInRegisters = "keep it in a local variable, and pass it to functions by value: it lies in registers only"

// typeName is a type's name as the user's file has it.
func typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// changeOpaque changes between a type that is one value and one of its Go declaration.
func (f *function) changeOpaque(v target.Value, from, to types.Type) target.Value {
	switch {
	case opaque(from) == opaque(to):
		return v
	case opaque(from) != nil:
		return f.changeOpaque(target.NewAgg(f.bits(from, v)), to.Underlying(), to)
	}
	if lt := f.llType(to); !lt.Equal(f.Elem(v, 0).Type()) {
		return f.Cast("bitcast", f.Elem(v, 0), lt)
	}
	return f.Elem(v, 0)
}

// bits are a value's bits as an integer: the field of its Go declaration.
func (f *function) bits(t types.Type, v target.Value) target.Value {
	as := wordOf.Get()[sizeof(t)]
	if v.Type().Equal(as) {
		return v
	}
	return f.Cast("bitcast", v, as)
}
