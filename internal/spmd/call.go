package spmd

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"heddle/internal/lazy"
	"heddle/internal/spmd/ll"
)

// elementwise are LLVM's intrinsics that work on vectors lane by lane, with how
// many of their operands, from the first, are vectors.
var elementwise = lazy.Value[map[string]int]{Make: func() map[string]int {
	return map[string]int{
		"llvm.fma": 3, "llvm.fmuladd": 3, "llvm.sqrt": 1, "llvm.fabs": 1, "llvm.copysign": 2,
		"llvm.floor": 1, "llvm.ceil": 1, "llvm.trunc": 1, "llvm.rint": 1, "llvm.nearbyint": 1, "llvm.round": 1, "llvm.roundeven": 1,
		"llvm.minnum": 2, "llvm.maxnum": 2, "llvm.minimum": 2, "llvm.maximum": 2,
		"llvm.smin": 2, "llvm.smax": 2, "llvm.umin": 2, "llvm.umax": 2, "llvm.abs": 1,
		"llvm.ctpop": 1, "llvm.ctlz": 1, "llvm.cttz": 1, "llvm.bswap": 1, "llvm.bitreverse": 1, "llvm.fshl": 3, "llvm.fshr": 3,
		"llvm.uadd.sat": 2, "llvm.sadd.sat": 2, "llvm.usub.sat": 2, "llvm.ssub.sat": 2,
		"llvm.uadd.with.overflow": 2, "llvm.sadd.with.overflow": 2, "llvm.usub.with.overflow": 2, "llvm.ssub.with.overflow": 2,
		"llvm.umul.with.overflow": 2, "llvm.smul.with.overflow": 2, "llvm.is.fpclass": 1, "llvm.canonicalize": 1,
	}
}}

// dropped are intrinsics that only advise.
var dropped = []string{"llvm.assume", "llvm.lifetime.", "llvm.experimental.noalias.scope.decl", "llvm.donothing", "llvm.invariant.", "llvm.dbg."}

//go:noinline
func isDropped(callee string) bool {
	return slices.ContainsFunc(dropped, func(prefix string) bool { return strings.HasPrefix(callee, prefix) })
}

// isForeign reports whether a function is one of the C library, or what else lanes call
// one after the other.
func (v *vectorizer) isForeign(callee string) bool {
	if f := v.mod.Func(callee); f != nil && len(f.Blocks) > 0 || isDropped(callee) || isElementwise(callee) || v.isMem(callee) {
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
				case e.n == e.warpSize: // that of lane 0
					e.set(i, "0")
					return
				case e.n > e.warpSize: // gangs begin with a warp
					t := e.vec(i.Typ)
					e.set(i, e.let("and %s %s, %s", t, e.iotaText("i32", 1), e.splatText("i32", fmt.Sprint(e.warpSize-1))))
					return
				}
				e.set(i, e.let("and i32 %%lin, %d", e.warpSize-1))
			},
			"heddle.shared.size": func(e *emitter, i *ll.Inst) { e.set(i, "%dynsize") },
			"heddle.shared": func(e *emitter, i *ll.Inst) {
				e.set(i, e.let("getelementptr inbounds i8, ptr %%shared, %s", e.scalar(i.Args[0])))
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
				if !e.rows {
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
	base, _ := intrinsicBase(i.Callee)
	switch f := e.mod.Func(i.Callee); {
	case f != nil && len(f.Blocks) > 0:
		e.callGang(i, f)
	case isElementwise(i.Callee):
		e.elementwise(i, base)
	case e.isMem(i.Callee):
		e.memory(i)
	case i.Callee == "" || strings.HasPrefix(i.Callee, "llvm.") && e.shapeOf(i).kind == varying && i.Typ.Kind == ll.Void:
		panic(fmt.Sprintf("spmd: @%s: call of %q", e.f.Name, i.Callee))
	default:
		e.callEach(i)
	}
}

// elementwise calls an intrinsic on vectors.
func (e *emitter) elementwise(i *ll.Inst, base string) {
	if e.shapeOf(i).kind != varying {
		e.callScalar(i)
		return
	}
	if base == "llvm.round" {
		e.round(i)
		return
	}
	vectors := elementwise.Get()[base]
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
	if e.shapeOf(i).kind != varying && i.Typ.Kind != ll.Void {
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

func (v *vectorizer) isMem(callee string) bool {
	return strings.HasPrefix(callee, "llvm.memcpy.") || strings.HasPrefix(callee, "llvm.memset.") || strings.HasPrefix(callee, "llvm.memmove.")
}

// memory copies or fills memory.
func (e *emitter) memory(i *ll.Inst) {
	if g, h := e.grainAt(i.Args[0]), e.grainAt(i.Args[1]); copiedBytes(i) > 0 && g+h > 0 {
		e.copyGrains(i, g, h)
		return
	}
	if root, ok := i.Args[0].(*ll.Inst); ok && root.Op == "alloca" && e.private[root].grain > 0 {
		e.fill(i, root)
		return
	}
	same := true
	for _, x := range i.Args[:3] {
		same = same && e.shapeOf(x).kind == uniform
	}
	if same {
		e.callScalar(i)
		return
	}
	types := make([]string, len(i.Args))
	for n, x := range i.Args {
		types[n] = x.Type().Text
	}
	types[3] += " immarg"
	f := e.declare(fmt.Sprintf("void @%s(%s)", i.Callee, strings.Join(types, ", ")))
	e.perLane(nil, i.Args, false, func(args []string) string {
		for n := range args {
			args[n] = i.Args[n].Type().Text + " " + args[n]
		}
		e.line("call void %s(%s)", f, strings.Join(args, ", "))
		return ""
	})
}

// fill fills a private array whose grains lie side by side, all of it. Lanes that
// are not active keep theirs.
func (e *emitter) fill(i, root *ll.Inst) {
	if e.maskRoot(e.block) == e.order[0] && e.shapeOf(i.Args[1]).kind == uniform { // all lanes that use it
		n := int64(root.Elem.Size()) * int64(e.n)
		f := e.declare("void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)")
		e.line("call void %s(ptr %s, %s, i64 %d, i1 false)", f, e.get(root), e.scalar(i.Args[1]), n)
		return
	}
	grain := e.private[root].grain
	t := intType(8 * grain)
	val := e.vector(i.Args[1]) // a byte
	if grain > 1 {
		ones, _ := new(big.Int).SetString(strings.Repeat("01", grain), 16)
		val = e.let("zext %s %s to %s", e.vec(i.Args[1].Type()), val, e.vec(t))
		val = e.let("mul %s %s, %s", e.vec(t), val, e.splatText(t.Text, ones.String()))
	}
	to := e.addressOf(root)
	e.pieces(int64(root.Elem.Size()), grain, func(at string) {
		e.storeTo(t, val, e.piece(to, at, grain), grain)
	})
}

// pieces writes a loop over the pieces, of a size, of some bytes.
func (e *emitter) pieces(bytes int64, size int, each func(at string)) {
	count, name := e.slot("i64"), e.fresh("piece")
	e.mask() // it is read here, once
	e.line("store i64 0, ptr %s", count)
	e.line("br label %%%s", name)
	e.label(name)
	at := e.let("load i64, ptr %s", count)
	each(at)
	next := e.let("add i64 %s, %d", at, size)
	e.line("store i64 %s, ptr %s", next, count)
	e.line("br i1 %s, label %%%s, label %%%s.done", e.let("icmp ult i64 %s, %d", next, bytes), name, name)
	e.label(name + ".done")
}

// copyGrains copies between private arrays, of which at least one has its grains
// side by side (dst and src bytes, 0 for none), in a loop over pieces of the smaller
// grain.
func (e *emitter) copyGrains(i *ll.Inst, dst, src int) {
	size := min(dst, src)
	if size == 0 {
		size = max(dst, src)
	}
	t := intType(8 * size)
	to, from := e.addressOf(i.Args[0]), e.addressOf(i.Args[1])
	align := func(grain int) int {
		if grain == 0 {
			return 1
		}
		return size
	}
	e.pieces(int64(copiedBytes(i)), size, func(at string) {
		e.storeTo(t, e.loadFrom(t, e.piece(from, at, src), align(src)), e.piece(to, at, dst), align(dst))
	})
}

// piece is the place at bytes behind another, a number known at run time, where
// grains (0: none) of the lanes lie side by side.
func (e *emitter) piece(p place, at string, grain int) place {
	if grain > 0 {
		within := e.let("and i64 %s, %d", at, grain-1)
		before := e.let("mul i64 %s, %d", e.let("sub i64 %s, %s", at, within), e.n)
		at = e.let("add i64 %s, %s", before, within)
	}
	if p.vec != "" {
		p.vec = e.let("getelementptr i8, <%d x ptr> %s, i64 %s", e.n, p.vec, at)
	} else {
		p.base = e.let("getelementptr i8, ptr %s, i64 %s", p.base, at)
	}
	p.ptr = nil // its neighbours are not known
	return p
}

// callGang calls a function of the module for the active lanes.
func (e *emitter) callGang(i *ll.Inst, f *ll.Func) {
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
	if e.shapeOf(i).kind != varying {
		panic("spmd: the result of a call is not varying")
	}
	e.set(i, r)
}

// environment is what every function of a gang gets, with types: as parameters
// and as arguments, for both have the same names.
func (e *emitter) environment(rows bool) []string {
	env := environment(e.n, rows)
	if !rows && e.rows { // make vectors of what is known of the row
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
	full := "%full"
	if e.rows {
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

// ballot has a bit for each active lane whose operand holds.
func (e *emitter) ballot(i *ll.Inst) {
	e.set(i, e.wide(e.both(e.mask(), e.vector(i.Args[0]), true)))
}

// panics ends the launch with the first active lane's values.
func (e *emitter) panics(i *ll.Inst) {
	lane := e.firstLane(e.bits(e.mask()))
	of := func(v ll.Value) string {
		if e.one(v) {
			return e.get(v)
		}
		return e.pick(v.Type(), e.vector(v), lane)
	}
	e.fail(of(i.Args[0]), of(i.Args[1]), of(i.Args[2]), lane)
}

// firstLane is the number, an i32, of the first lane in bits.
func (e *emitter) firstLane(bits string) string {
	f := e.declare(fmt.Sprintf("i%d @llvm.cttz.i%d(i%d, i1 immarg)", e.n, e.n, e.n))
	return e.widenLane(e.let("call i%d %s(i%d %s, i1 false)", e.n, f, e.n, bits))
}

// fail ends the launch for a lane.
func (e *emitter) fail(site, x, y, lane string) {
	var at [3]string
	v := fmt.Sprintf("<%d x i32>", e.n)
	for n, axis := range []string{"x", "y", "z"} {
		switch {
		case e.tile > 0 && n == 0:
			at[n] = e.let("urem i32 %s, %d", lane, tileRow)
		case e.tile > 0 && n == 1:
			at[n] = e.let("add i32 %%thread.y, %s", e.let("udiv i32 %s, %d", lane, tileRow))
		case !e.rows:
			at[n] = e.let("extractelement %s %%thread.%s.v, i32 %s", v, axis, lane)
		case n == 0:
			at[n] = e.let("add i32 %%thread.x, %s", lane)
		default:
			at[n] = "%thread." + axis
		}
	}
	e.line("call void @heddle.fail(ptr %%launch, ptr %%worker, i32 %s, i64 %s, i64 %s, i32 %s, i32 %s, i32 %s, i32 %%block.x, i32 %%block.y, i32 %%block.z)",
		site, x, y, at[0], at[1], at[2])
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

// shuffle moves i32 values between lanes.
func (e *emitter) shuffle(i *ll.Inst) {
	x, arg, width := i.Args[0], i.Args[1], i.Args[2]
	if e.one(x) {
		e.set(i, e.operand(i, x)) // the same everywhere
		return
	}
	t := e.vec(i.Typ)
	v := e.let("freeze %s %s", t, e.vector(x)) // of lanes that are not active
	if e.shapeOf(i).kind == uniform {          // one lane's value
		lane := e.let("trunc i64 %s to i32", e.get(arg))
		lane = e.let("and i32 %s, %d", lane, e.warpSize-1)
		e.set(i, e.let("extractelement %s %s, i32 %s", t, v, lane))
		return
	}
	if n, w := constant(arg), constant(width); n != nil && w != nil {
		e.set(i, e.permute(t, v, sources(i.Callee, e.n, *n, *w)))
		return
	}
	slot := e.slot(t)
	e.line("store %s %s, ptr %s", t, v, slot)
	src := e.sourceLanes(i.Callee, e.vector(arg), e.vector(width))
	p := e.let("getelementptr i32, ptr %s, <%d x i32> %s", slot, e.n, src)
	f := e.declare(fmt.Sprintf("%s @llvm.masked.gather.v%di32.v%dp0(<%d x ptr>, i32 immarg, %s, %s)", t, e.n, e.n, e.n, e.maskType(), t))
	e.set(i, e.let("call %s %s(<%d x ptr> %s, i32 4, %s %s, %s poison)", t, f, e.n, p, e.maskType(), e.fullMask(), t))
}

// permute is a shufflevector.
func (e *emitter) permute(t, v string, from []int) string {
	var b strings.Builder
	for _, l := range from {
		fmt.Fprintf(&b, ", i32 %d", l)
	}
	return e.let("shufflevector %s %s, %s poison, <%d x i32> <%s>", t, v, t, e.n, b.String()[2:])
}

// sources are the lanes that each lane reads, as package simt has it.
func sources(callee string, lanes int, arg, width int64) []int {
	from := make([]int, lanes)
	for l := range from {
		lane := int64(l)
		base := lane &^ (width - 1)
		src := lane
		switch strings.TrimPrefix(callee, "heddle.shuffle.") {
		case "idx":
			src = base | arg&(width-1)
		case "up":
			if arg >= 0 && arg <= lane-base {
				src = lane - arg
			}
		case "down":
			if arg >= 0 && arg < base+width-lane {
				src = lane + arg
			}
		case "xor":
			if s := lane ^ arg; s >= 0 && s < base+width {
				src = s
			}
		}
		from[l] = int(src)
	}
	return from
}

// sourceLanes is sources for what is known only at run time, as a vector of i32.
func (e *emitter) sourceLanes(callee, arg, width string) string {
	t := fmt.Sprintf("<%d x i64>", e.n)
	lane := e.iotaText("i64", 1)
	bin := func(op, x, y string) string { return e.let("%s %s %s, %s", op, t, x, y) }
	below := bin("sub", width, e.splatText("i64", "1"))
	inside := bin("and", lane, below)
	base := bin("sub", lane, inside)
	cmp := func(pred, x, y string) string { return e.let("icmp %s %s %s, %s", pred, t, x, y) }
	own := func(ok, src string) string {
		return e.let("select %s %s, %s %s, %s %s", e.maskType(), ok, t, src, t, lane)
	}
	src := ""
	switch strings.TrimPrefix(callee, "heddle.shuffle.") {
	case "idx":
		src = bin("or", base, bin("and", arg, below))
	case "up":
		src = own(cmp("ule", arg, inside), bin("sub", lane, arg))
	case "down":
		src = own(cmp("ult", arg, bin("sub", width, inside)), bin("add", lane, arg))
	case "xor":
		s := bin("xor", lane, arg)
		src = own(cmp("ult", s, bin("add", base, width)), s)
	}
	return e.let("trunc %s %s to <%d x i32>", t, src, e.n)
}
