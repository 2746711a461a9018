package intrinsics

import (
	"fmt"
	"go/constant"
	"go/types"
	"maps"

	"heddle/internal/lazy"
	"heddle/internal/module"
	"heddle/internal/ops"
	"heddle/internal/target"
)

// table is every row, by the function's full name. A file holds the rows of one
// family.
var table = lazy.Value[map[string]*Row]{Make: func() map[string]*Row {
	all := map[string]*Row{}
	for name, r := range merge(
		geometryRows(), sharedRows(), syncRows(), warpRows(), togetherRows(), copyRows(), atomicRows(), atomicMethods(), libraryRows(),
		mathRows(), wholeRows(), roundIntRows(), stdMathRows(), integerRows(), packedRows(), bitsRows(), bufferRows(), symbolRows(), halfRows(), textureRows(), asmRows(), printRows(),
	) {
		all[name] = &r
	}
	return all
}}

//go:noinline
func merge(families ...map[string]Row) map[string]Row {
	all := map[string]Row{}
	for _, f := range families {
		for name := range f {
			if _, ok := all[name]; ok {
				panic("intrinsics: two rows for " + name)
			}
		}
		maps.Copy(all, f)
	}
	return all
}

// rows are functions that have the same facts.
//
//go:noinline
func rows(facts ops.Facts, lower map[string]Lowering) map[string]Row {
	all := map[string]Row{}
	for name, l := range lower {
		all[name] = Row{Facts: facts, Lower: l}
	}
	return all
}

// withBodies says that the functions' Go bodies serve where the rows decline.
func withBodies(all map[string]Row) map[string]Row {
	for name, r := range all {
		r.Body = true
		all[name] = r
	}
	return all
}

// known is a function whose result the machine alone decides.
func known(of func(m *target.Machine) constant.Value) Row {
	return Row{Facts: same(ops.Grid), Known: of}
}

// operation is an operation of the machine, with the call's arguments.
func operation(op string) Lowering {
	return func(c *Call) target.Value { return c.B.Do(op, c.Args...) }
}

// ofArgs are the facts of a function that computes its result from its arguments alone.
var ofArgs = ops.Facts{Effect: ops.Pure, OfArgs: true}

// same are the facts of a function whose result is the same for all of those threads.
func same(over ops.Extent) ops.Facts { return ops.Facts{Effect: ops.Pure, Result: over} }

// The packages whose functions have rows.
const (
	dsl    = module.DSL + "."
	goMath = "math."
	goBits = "math/bits."
)

// goInt is an unsigned i32 as a Go int.
func goInt(b *target.Builder, v target.Value) target.Value {
	return b.Cast("zext", v, target.I64)
}

// int64s shortens the constants of Go's int.
func int64s(n int64) target.Value { return target.Int(target.I64, n) }

// floatBits is 32 or 64 for LLVM's float and double, 0 for other types.
func floatBits(t target.Type) int {
	switch {
	case t.Equal(target.F32):
		return 32
	case t.Equal(target.F64):
		return 64
	}
	return 0
}

// suffix is how LLVM's overloaded intrinsics name a type: i32, f64.
func suffix(t target.Type) string {
	if n := floatBits(t); n > 0 {
		return fmt.Sprintf(".f%d", n)
	}
	return fmt.Sprintf(".i%d", target.Bits(t))
}

// asInt is a float's bits as an integer; integers stay.
func asInt(b *target.Builder, v target.Value) target.Value {
	switch floatBits(v.Type()) {
	case 32:
		return b.Cast("bitcast", v, target.I32)
	case 64:
		return b.Cast("bitcast", v, target.I64)
	}
	return v
}

func isUnsigned(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsUnsigned != 0
}
