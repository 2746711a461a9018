package ssa2ir

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"io"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/inline"
	"heddle/internal/ops"
)

// A Kernel is what the compiler is given: a function in SSA form and what its
// surroundings add to it.
type Kernel struct {
	// Name is the kernel's name for people: "main.Saxpy".
	Name string
	Fn   *ssa.Function
	// Captures are the captured variables, parallel to Fn.FreeVars.
	Captures []Capture
	// Receiver says that Fn.Params[0] is bound (a method value): it is passed
	// like a captured variable.
	Receiver bool
	// ReceiverValue makes the bound receiver a constant, as Capture.Value does.
	ReceiverValue *Value
	Fset          *token.FileSet
	// Init returns the initialiser of a package-level variable that is never
	// written after it, and the type information to evaluate it; nil if the
	// variable may change. May be nil.
	Init func(*ssa.Global) (ast.Expr, *types.Info)
	// Writer is where a variable of which Init knows nothing is written, not valid if
	// that is not known. May be nil.
	Writer func(*ssa.Global) token.Pos
	// NoBody says why a function without SSA blocks has none, and what to do. May be nil.
	NoBody func(*ssa.Function) (why, hint string)
	// Directives are those above a function that the kernel calls. May be nil.
	Directives func(*ssa.Function) []Directive
	// Unroll is the directive //heddle:unroll above the loop at a position: 0 if
	// there is none, or what is wrong with it. May be nil.
	Unroll func(loop token.Pos) (u Unroll, problem string)
	Bounds LaunchBounds
	// NoAlias promises that no two slices or pointers among the arguments, and in these, overlap.
	NoAlias bool
	// Partial says that only a part of the program is at hand: functions without
	// blocks, and captured funcs whose value is not known, are taken to be good.
	// The checked program cannot be lowered.
	Partial bool
	// Specialized says of a partial program that captured variables may become
	// constants, which are not known; others' strings do in any case.
	Specialized bool
	sites       *inline.Sites // what has been made part of Fn
}

// LaunchBounds are //heddle:launchbounds: HIP's __launch_bounds__.
type LaunchBounds struct {
	MaxThreads int // threads a block, 0 for no bound
	MinBlocks  int // blocks (CUDA) or warps per execution unit (HIP)
}

// A Capture is one captured variable.
type Capture struct {
	Name string
	Type types.Type // of the variable
	// Func is the function that a captured func variable holds; nil for others.
	Func *Kernel
	// Parts are all funcs in a variable that is a struct or an array.
	Parts []Part
	// Value makes the variable a constant; nil: it is passed at each launch.
	Value *Value
}

// A Part is a func in a captured variable.
type Part struct {
	At   int64   // its offset
	Func *Kernel // the function that it holds, nil for nil
}

// Options change what the generated code means. The zero value is Go's semantics.
type Options struct {
	// NoBounds drops the checks for index, slice bounds, nil and division by zero.
	NoBounds bool
	// Conditional allows code that takes for granted what a launch can tell (Result.Condition). Whoever launches it sees to it.
	Conditional bool
	// Launch, if not nil, is one that the condition is to hold of, and that says which of what can be known is worth knowing.
	Launch *abi.Launch
	noBank bool // no constants in the bank, which tables need
	// FastMath allows reassociation, reciprocals and approximations, and assumes
	// that no NaN and no infinity occurs.
	FastMath bool
	// FastAtomics allows floating-point atomics in hardware that ignores the
	// rounding and denormal modes and works on coarse-grained memory only
	// (HIP's -munsafe-fp-atomics).
	FastAtomics bool
}

// A Program is a kernel that passed the check. It can be lowered for any
// number of machines.
type Program struct {
	Kernel *Kernel
	Sig    abi.Signature
	root   *instance
	plan   *planner
}

// CallsDynamicShared reports whether the kernel asks for dynamic shared memory.
func (prog *Program) CallsDynamicShared() bool {
	for _, in := range prog.plan.insts {
		for _, call := range in.calls {
			for _, c := range call.each() {
				if c.row != nil && c.row.Space == ops.DynamicShared {
					return true
				}
			}
		}
	}
	return false
}

// A Result is a lowered kernel.
type Result struct {
	// IR is the module's text; Symbol its entry.
	IR     []byte
	Symbol string
	Sites  []abi.Site
	Frames []abi.Frame
	Prints []abi.Print
	// Symbols are the device variables that it names, Atomics the places of atomic accesses.
	Symbols []abi.Symbol
	Atomics []abi.Place
	// Condition is what a launch has to see to, nil for nothing.
	Condition abi.Condition
	// Files are the source files by the names that the module has for them.
	Files map[string]string
	// Shared reports the use of shared memory, static or dynamic, by the kernel or by
	// an operation of the machine; Dynamic that of dynamic shared memory.
	Shared, Dynamic bool
	// Largest is the largest variable in static shared memory.
	Largest abi.Shared
	reached []*ssa.Function
}

// WriteSSA writes the SSA form of every function the kernel reaches on its machine.
func (res *Result) WriteSSA(w io.Writer) {
	for _, fn := range res.reached {
		var b bytes.Buffer // WriteFunction takes no other writer
		ssa.WriteFunction(&b, fn)
		b.WriteByte('\n')
		_, _ = w.Write(b.Bytes())
	}
}

// reached are the functions of instances, callers first.
func (prog *Program) reached() (all []*ssa.Function) {
	seen := map[*instance]bool{}
	var visit func(in *instance)
	visit = func(in *instance) {
		if seen[in] {
			return
		}
		seen[in] = true
		all = append(all, in.fn)
		for _, c := range in.order {
			visit(c)
		}
	}
	visit(prog.root)
	return all
}
