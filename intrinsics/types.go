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
		{module.Vector, "Half"}: {LLVM: half, InMemory: true},
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

func genericPointer(m *target.Machine, _ []types.Type) target.Type { return target.Ptr(m.Generic) }
