package intrinsics

import (
	"go/types"

	"heddle/internal/lazy"
	"heddle/internal/module"
	"heddle/internal/target"
)

// A Type is what is known of a named type whose values are one LLVM value, whatever Go
// declares: that is the simulator's. Only functions with rows, and methods of its own
// package, make such values and look into them.
type Type struct {
	// LLVM is its type on a machine; args are the type arguments.
	LLVM func(m *target.Machine, args []types.Type) target.Type
	// InMemory: the bits of a value are those of its Go declaration, a struct of one
	// unsigned integer, on every machine. Such values may lie in variables, elements and
	// fields, and are passed to a kernel, as that struct. Others lie in registers only:
	// they are local variables whose address nobody takes, parameters and results.
	InMemory bool
}

// TypeOf is what is known of a named type of a package, by the package's path; nil for
// a type that is as Go declares it.
func TypeOf(pkg, name string) *Type { return typeTable.Get()[typeKey{pkg, name}] }

type typeKey struct{ pkg, name string }

var typeTable = lazy.Value[map[typeKey]*Type]{Make: func() map[typeKey]*Type {
	return map[typeKey]*Type{
		{module.Vector, "Half"}:      {LLVM: half, InMemory: true},
		{module.Vector, "Half2"}:     {LLVM: integer(target.I32), InMemory: true},
		{module.Vector, "Half4"}:     {LLVM: integer(target.I64), InMemory: true},
		{module.Vector, "BFloat16"}:  {LLVM: integer(target.I16), InMemory: true},
		{module.Vector, "BFloat162"}: {LLVM: integer(target.I32), InMemory: true},
		{module.Vector, "BFloat164"}: {LLVM: integer(target.I64), InMemory: true},
		// Device variables: in a kernel, the address of the device's instance.
		{module.DSL, "Global"}:   {LLVM: genericPointer},
		{module.DSL, "Constant"}: {LLVM: genericPointer},
		{module.DSL, "Managed"}:  {LLVM: genericPointer},
	}
}}

// half is LLVM's half where there are instructions for it, else its bits.
func half(m *target.Machine, _ []types.Type) target.Type {
	if m.Half {
		return target.F16
	}
	return target.I16
}

// integer is a type of the same bits on every machine.
func integer(t target.Type) func(*target.Machine, []types.Type) target.Type {
	return func(*target.Machine, []types.Type) target.Type { return t }
}

func genericPointer(m *target.Machine, _ []types.Type) target.Type { return target.Ptr(m.Generic) }
