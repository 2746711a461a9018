// Package intrinsics knows the Go functions a kernel may call that are more than their
// bodies: one table, one row per function. A row has what all parts of the compiler, and
// vet, go by (facts, as package ops names them), what it asks of the user's code and of
// the machine, and the code it becomes, in the vocabulary of package target. No row names
// a target.
//
// The package is at the top level to be read: programs import package dsl, and what is
// exported here may change at any time.
//
// A function with no row, or whose row declines, is lowered from its Go body:
// that is how the mathematics falls back where no device library is at hand.
package intrinsics

import (
	"go/constant"
	"go/types"

	"heddle/internal/abi"
	"heddle/internal/ops"
	"heddle/internal/target"
)

// A Call is one call of a function with a row.
type Call struct {
	B *target.Builder
	// Args are the lowered arguments, ArgTypes their Go types (instantiated).
	Args     []target.Value
	ArgTypes []types.Type
	// Consts are the values of the arguments that are constants, nil for others. Those that
	// are strings have no lowered argument.
	Consts []constant.Value
	// TypeArgs are the type arguments of a generic function: T of Shared[T].
	TypeArgs []types.Type
	// Site is a name unique to the call's place in the source, the same for
	// every inlined or instantiated copy: static shared memory is named by it.
	Site string
	// Pos is that place for people: "kernel.go:12:3".
	Pos string
	// Lower gives the LLVM type of a Go type, Size its size and alignment in bytes.
	Lower func(types.Type) target.Type
	Size  func(types.Type) (size, align int64)
	// UsesShared records a variable of so many bytes in static shared memory.
	UsesShared func(size int64)
	// UsesDynamicShared records that the kernel asks for dynamic shared memory.
	UsesDynamicShared func()
	// PanicIf panics with a text, in which %d, %u and %x stand for the two args, unless
	// the kernel has no checks. Nil where nothing is checked.
	PanicIf func(bad target.Value, format string, args ...target.Value)
	// Print prints the words (i64) of p's arguments.
	Print func(p abi.Print, words []target.Value)
}

// A Lowering makes the code of a call. It returns the result, a target.Agg of several,
// None for a function without one; nil declines: the Go body is lowered instead.
type Lowering func(c *Call) target.Value

// None is what the lowering of a function without results returns.
var None = target.None

// A Row is what is known of one function.
type Row struct {
	// Facts are those of its calls. A row without an effect is refused by a test.
	ops.Facts
	// Variadic: the last parameter is ...any. What is passed for it is written out in the
	// call, and each of these is an argument of its own, of its own type.
	Variadic bool
	// Const are the arguments, from 0, that must be constants.
	Const []int
	// Check judges a call with the other errors of the user's code: a message says what
	// is wrong, a hint what to do. May be nil.
	Check func(s *Site) (msg, hint string)
	// Needs is what the function needs of a machine that lacks it ("matrix cores"),
	// "" if the machine has it. May be nil.
	Needs func(m *target.Machine) string
	// Instead is what a user does on a machine that lacks it, of functions that only heddle's own
	// packages call: the error is at the kernel, and not at their line. "" of others.
	Instead string
	// Known is the result of a function without arguments, where it depends on the machine
	// alone: it is a constant while compiling, and branches on it are none. May be nil.
	Known func(m *target.Machine) constant.Value
	// Lower makes the code. It is nil if the Go body always serves, or Known is not.
	Lower Lowering
	// Body: Lower may decline, and the Go body serves then.
	Body bool
}

// A Site is a call as the user wrote it.
type Site struct {
	// ArgTypes are the Go types of the arguments (instantiated), TypeArgs the type arguments.
	ArgTypes, TypeArgs []types.Type
	// Consts are the values of the arguments that are constants, nil for others.
	Consts []constant.Value
}

// Lookup is the row of a function by its full name ("heddle/dsl.Shfl",
// "math.Sin"; for a generic function the name without type arguments), or nil.
func Lookup(name string) *Row { return table.Get()[name] }

// Always reports whether the function has a row that never declines: its Go
// body is not needed.
func Always(name string) bool {
	r := Lookup(name)
	return r != nil && !r.Body
}
