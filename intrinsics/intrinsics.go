// Package intrinsics maps the Go functions a kernel may call to LLVM IR: one
// table, one row per function, in the vocabulary of package target. No row
// names a target.
//
// A function with no row, or whose row declines, is lowered from its Go body:
// that is how the mathematics falls back where no device library is at hand.
package intrinsics

import (
	"go/types"

	"heddle/internal/target"
)

// A Call is one call of a function with a row.
type Call struct {
	B *target.Builder
	// Args are the lowered arguments, ArgTypes their Go types (instantiated).
	Args     []target.Value
	ArgTypes []types.Type
	// TypeArgs are the type arguments of a generic function: T of Shared[T].
	TypeArgs []types.Type
	// Result is the Go result type, nil for none, a *types.Tuple for several
	// (the row then returns a target.Agg of them).
	Result types.Type
	// Site is a name unique to the call's place in the source, the same for
	// every inlined or instantiated copy: static shared memory is named by it.
	Site string
	// Lower gives the LLVM type of a Go type, Size its size and alignment in bytes.
	Lower func(types.Type) target.Type
	Size  func(types.Type) (size, align int64)
	// UsesDynamicShared records that the kernel asks for dynamic shared memory.
	UsesDynamicShared func()
	// PanicIf panics with a text, in which %d, %u and %x stand for the two args, unless
	// the kernel has no checks. Nil where nothing is checked.
	PanicIf func(bad target.Value, format string, args ...target.Value)
}

// A Row lowers calls of one function. It returns the result, or Void for a
// function without one; nil declines: the Go body is lowered instead.
type Row func(c *Call) target.Value

// None is what a row of a function without results returns.
var None target.Value = &target.Const{Typ: target.Void}

// Lookup is the row of a function by its full name ("heddle/dsl.Shfl",
// "math.Sin"; for a generic function the name without type arguments), or nil.
func Lookup(name string) Row { return table.Get()[name] }

// Always reports whether the function has a row that never declines: its Go
// body is not needed.
func Always(name string) bool { return always.Get()[name] != nil }
