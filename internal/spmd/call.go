package spmd

import (
	"fmt"
	"slices"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/lazy"
	"heddle/internal/ops"
	"heddle/internal/spmd/ll"
)

// dropped are intrinsics that only advise.
var dropped = []string{"llvm.assume", "llvm.lifetime.", "llvm.experimental.noalias.scope.decl", "llvm.donothing", "llvm.invariant.", "llvm.dbg."}

//go:noinline
func isDropped(callee string) bool {
	return slices.ContainsFunc(dropped, func(prefix string) bool { return strings.HasPrefix(callee, prefix) })
}

// isForeign reports whether a function is one of the C library, or what else lanes call
// one after the other.
func (v *vectorizer) isForeign(callee string) bool {
	if f := v.mod.Func(callee); f != nil && len(f.Blocks) > 0 || isDropped(callee) || divergence.IsElementwise(callee) || v.isMem(callee) {
		return false
	}
	return calls.Get()[callee] == nil
}

// calls are the functions of the scalar code's vocabulary.
var calls lazy.Value[map[string]func(e *emitter, i *ll.Inst)]

func init() {
	calls.Make = func() map[string]func(e *emitter, i *ll.Inst) {
		all := map[string]func(e *emitter, i *ll.Inst){
			"heddle.lane": func(e *emitter, i *ll.Inst) {
				switch {
				case e.n == e.WarpSize, e.n > e.WarpSize && e.Rows: // that of lane 0
					e.set(i, "0")
					return
				case e.n > e.WarpSize: // gangs begin with a warp
					t := e.vec(i.Typ)
					e.set(i, e.let("and %s %s, %s", t, e.iotaText("i32", 1), e.splatText("i32", fmt.Sprint(e.WarpSize-1))))
					return
				}
				e.set(i, e.let("and i32 %%lin, %d", e.WarpSize-1))
			},
			"heddle.warp": func(e *emitter, i *ll.Inst) {
				if e.n <= e.WarpSize || e.Rows { // all lanes are in one, or it is that of lane 0
					e.set(i, e.let("udiv i32 %%lin, %d", e.WarpSize))
					return
				}
				t := e.vec(i.Typ)
				lanes := e.let("add %s %s, %s", t, e.splat(i.Typ, "%lin"), e.iotaText("i32", 1))
				e.set(i, e.let("udiv %s %s, %s", t, lanes, e.splatText("i32", fmt.Sprint(e.WarpSize))))
			},
			"heddle.shared.size": func(e *emitter, i *ll.Inst) { e.set(i, "%dynsize") },
			"heddle.shared": func(e *emitter, i *ll.Inst) {
				e.set(i, e.let("getelementptr inbounds i8, ptr %%shared, %s", e.scalar(i.Args[0])))
			},
			"heddle.print.sink": func(e *emitter, i *ll.Inst) {
				e.set(i, e.let("load ptr, ptr %s", e.let("getelementptr i8, ptr %%launch, i64 80")))
			},
			"heddle.dynamic":       func(e *emitter, i *ll.Inst) { e.set(i, "%dynamic") },
			"heddle.barrier":       (*emitter).barrier,
			"heddle.barrier.count": (*emitter).barrier,
			"heddle.warp.barrier": func(e *emitter, i *ll.Inst) {
				e.line(`fence syncscope("singlethread") seq_cst`)
			},
			"heddle.ballot": (*emitter).ballot,
			"heddle.panic":  (*emitter).panics,
			"heddle.clock": func(e *emitter, i *ll.Inst) {
				e.set(i, e.let("call i64 %s()", e.declare("i64 @llvm.readcyclecounter()")))
			},
			"heddle.wallclock": (*emitter).wallClock,
			ops.Estimate:       (*emitter).estimate,
		}
		for _, kind := range []string{"idx", "up", "down", "xor"} {
			all["heddle.shuffle."+kind] = (*emitter).shuffle
		}
		for _, axis := range []string{"x", "y", "z"} {
			for _, what := range []string{"block", "dim", "grid"} {
				name := "%" + what + "." + axis
				all["heddle."+what+"."+axis] = func(e *emitter, i *ll.Inst) { e.set(i, name) }
			}
			all["heddle.thread."+axis] = func(e *emitter, i *ll.Inst) {
				name := "%thread." + axis
				if !e.Rows {
					name += ".v"
				}
				e.set(i, name)
			}
		}
		return all
	}
}

func (e *emitter) call(i *ll.Inst) {
	if isDropped(i.Callee) {
		return
	}
	if f := calls.Get()[i.Callee]; f != nil {
		f(e, i)
		return
	}
	base, _ := divergence.IntrinsicBase(i.Callee)
	switch f := e.mod.Func(i.Callee); {
	case f != nil && len(f.Blocks) > 0:
		e.callGang(i, f)
	case divergence.IsElementwise(i.Callee):
		e.elementwise(i, base)
	case e.isMem(i.Callee):
		e.memory(i)
	case i.Callee == "" || strings.HasPrefix(i.Callee, "llvm.") && e.ShapeOf(i).Kind == divergence.Varying && i.Typ.Kind == ll.Void:
		panic(fmt.Sprintf("spmd: @%s: call of %q", e.F.Name, i.Callee))
	default:
		e.callEach(i)
	}
}

// elementwise calls an intrinsic on vectors.
func (e *emitter) elementwise(i *ll.Inst, base string) {
	if e.ShapeOf(i).Kind != divergence.Varying {
		e.callScalar(i)
		return
	}
	if base == "llvm.round" {
		e.round(i)
		return
	}
	vectors := divergence.Elementwise.Get()[base]
	t := i.Args[0].Type()
	args, types := make([]string, len(i.Args)), make([]string, len(i.Args))
	for n, x := range i.Args {
		if n < vectors {
			args[n], types[n] = e.typedVector(x), e.vec(x.Type())
		} else {
			args[n], types[n] = e.scalar(x), x.Type().Text
			if _, isConst := x.(*ll.Const); isConst {
				types[n] += " immarg"
			}
		}
	}
	f := e.declare(fmt.Sprintf("%s @%s.%s(%s)", e.vec(i.Typ), base, memSuffix(e.n, t), strings.Join(types, ", ")))
	e.set(i, e.let("call %s%s %s(%s)", e.flags(i), e.vec(i.Typ), f, strings.Join(args, ", ")))
}

// round rounds halves away from zero: processors have no instruction for it.
// The greatest number below a half keeps what is just below a half from
// being rounded up.
func (e *emitter) round(i *ll.Inst) {
	t := e.vec(i.Typ)
	x := e.vector(i.Args[0])
	half := e.splatText(i.Typ.Text, map[int]string{32: "0x3FDFFFFFE0000000", 64: "0x3FDFFFFFFFFFFFFF"}[i.Typ.Bits])
	suffix := memSuffix(e.n, i.Typ)
	copysign := e.declare(fmt.Sprintf("%s @llvm.copysign.%s(%s, %s)", t, suffix, t, t))
	trunc := e.declare(fmt.Sprintf("%s @llvm.trunc.%s(%s)", t, suffix, t))
	h := e.let("call %s %s(%s %s, %s %s)", t, copysign, t, half, t, x)
	e.set(i, e.let("call %s %s(%s %s)", t, trunc, t, e.let("fadd %s %s, %s", t, x, h)))
}

// callScalar calls a function once, for all lanes.
func (e *emitter) callScalar(i *ll.Inst) {
	args, types := make([]string, len(i.Args)), make([]string, len(i.Args))
	for n, x := range i.Args {
		args[n], types[n] = e.scalar(x), x.Type().Text
	}
	f := e.declare(fmt.Sprintf("%s @%s(%s)", i.Typ.Text, quoted(i.Callee), strings.Join(types, ", ")))
	text := fmt.Sprintf("call %s%s %s(%s)", e.flags(i), i.Typ.Text, f, strings.Join(args, ", "))
	if i.Typ.Kind == ll.Void {
		e.line("%s", text)
	} else {
		e.set(i, e.let("%s", text))
	}
}

// callEach calls a function of the C library for each active lane.
func (e *emitter) callEach(i *ll.Inst) {
	if e.ShapeOf(i).Kind != divergence.Varying && i.Typ.Kind != ll.Void {
		e.callScalar(i)
		return
	}
	types := make([]string, len(i.Args))
	for n, x := range i.Args {
		types[n] = x.Type().Text
	}
	f := e.declare(fmt.Sprintf("%s @%s(%s)", i.Typ.Text, quoted(i.Callee), strings.Join(types, ", ")))
	t := i.Typ
	if t.Kind == ll.Void {
		t = nil
	}
	r := e.perLane(t, i.Args, false, func(args []string) string {
		for n := range args {
			args[n] = types[n] + " " + args[n]
		}
		call := fmt.Sprintf("call %s %s(%s)", i.Typ.Text, f, strings.Join(args, ", "))
		if t == nil {
			e.line("%s", call)
			return ""
		}
		return e.let("%s", call)
	})
	if t != nil {
		e.set(i, r)
	}
}

// callGang calls a function of the module for the active lanes.
func (e *emitter) callGang(i *ll.Inst, f *ll.Func) {
	if e.n == 1 {
		e.callOne(i, f)
		return
	}
	args := e.environment(false)
	args = append(args, e.maskType()+" "+e.mask())
	for _, x := range i.Args {
		args = append(args, e.typedVector(x))
	}
	call := fmt.Sprintf("call %s %s(%s)", e.vec(i.Typ), e.gang(f), strings.Join(args, ", "))
	if i.Typ.Kind == ll.Void {
		e.line("%s", call)
		return
	}
	r := e.let("%s", call)
	if e.ShapeOf(i).Kind != divergence.Varying {
		panic("spmd: the result of a call is not varying")
	}
	e.set(i, r)
}

// environment is what every function of a gang gets, with types: as parameters
// and as arguments, for both have the same names.
func (e *emitter) environment(rows bool) []string {
	env := environment(e.n, rows)
	if !rows && e.Rows { // make vectors of what is known of the row
		at := len(env) - 3
		i32 := intType(32)
		v := e.vec(i32)
		env[at] = v + " " + e.let("add %s %s, %s", v, e.splat(i32, "%thread.x"), e.iotaText("i32", 1))
		env[at+1] = v + " " + e.splat(i32, "%thread.y")
		env[at+2] = v + " " + e.splat(i32, "%thread.z")
	}
	return env
}

func (e *emitter) wide(mask string) string {
	b := e.bits(mask)
	if e.n == 64 {
		return b
	}
	return e.let("zext i%d %s to i64", e.n, b)
}

// barrier waits for the block's other warps. The lanes of a warp arrive together, or it is an error.
func (e *emitter) barrier(i *ll.Inst) {
	e.barriers = true
	if e.isWhole {
		e.barrierOfOne(i)
		return
	}
	full := "%full"
	if e.Rows {
		full = fmt.Sprint(allOnes(e.n))
	}
	mask := e.wide(e.mask())
	if i.Callee == "heddle.barrier.count" {
		pred := e.wide(e.vector(i.Args[0]))
		e.set(i, e.let("call i32 @heddle.count(ptr %%launch, ptr %%worker, %s, i64 %s, i64 %s, i64 %s)", e.scalar(i.Args[1]), mask, full, pred))
		return
	}
	e.line("call void @heddle.wait(ptr %%launch, ptr %%worker, %s, i64 %s, i64 %s)", e.scalar(i.Args[0]), mask, full)
}

// estimates are x86's estimates of 1 / sqrt(x), by lanes: their errors are below 1.5 / 4096 (RSQRTPS)
// and 1 / 16384 (VRSQRT14PS).
var estimates = lazy.Value[map[int][2]string]{Make: func() map[int][2]string {
	return map[int][2]string{4: {"llvm.x86.sse.rsqrt.ps", ""}, 8: {"llvm.x86.avx.rsqrt.ps.256", ""},
		16: {"llvm.x86.avx512.rsqrt14.ps.512", ", <16 x float> zeroinitializer, i16 -1"}}
}}

// Estimate is ops.Estimate; false if processors have no instruction for it.
func Estimate(isa string) (callee string, ok bool) {
	return ops.Estimate, strings.HasPrefix(isa, "x86-64")
}

// estimate is ops.Estimate.
func (e *emitter) estimate(i *ll.Inst) {
	if e.ShapeOf(i).Kind != divergence.Varying {
		x := e.let("insertelement <4 x float> poison, %s, i64 0", e.scalar(i.Args[0]))
		e.set(i, e.let("extractelement <4 x float> %s, i64 0", e.estimateOf(4, x)))
		return
	}
	width := min(e.n, registersOf(e.o.ISA).bytes/4)
	var parts []string
	for k := range e.n / width {
		parts = append(parts, e.estimateOf(width, e.part(i.Typ, e.vector(i.Args[0]), k, width)))
	}
	e.set(i, e.concat("float", width, parts))
}

// estimateOf is the estimate of as many floats as a register has.
func (e *emitter) estimateOf(lanes int, x string) string {
	name, more := estimates.Get()[lanes][0], estimates.Get()[lanes][1]
	v := fmt.Sprintf("<%d x float>", lanes)
	types := strings.NewReplacer(" zeroinitializer", "", " -1", "").Replace(more)
	return e.let("call %s %s(%s %s%s)", v, e.declare(fmt.Sprintf("%s @%s(%s%s)", v, name, v, types)), v, x, more)
}

// ballot has a bit for each active lane whose operand holds.
func (e *emitter) ballot(i *ll.Inst) {
	e.set(i, e.wide(e.both(e.mask(), e.vector(i.Args[0]), true)))
}

// wallClock reads the C library's monotonic clock, in nanoseconds.
func (e *emitter) wallClock(i *ll.Inst) {
	f := e.declare("i32 @clock_gettime(i32, ptr)")
	t := e.slot("{ i64, i64 }")
	e.line("call i32 %s(i32 1, ptr %s)", f, t)
	sec := e.let("load i64, ptr %s", t)
	nano := e.let("load i64, ptr %s", e.let("getelementptr i8, ptr %s, i64 8", t))
	e.set(i, e.let("add i64 %s, %s", e.let("mul i64 %s, 1000000000", sec), nano))
}
