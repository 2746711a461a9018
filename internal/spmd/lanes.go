package spmd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file writes what is done lane by lane: loops over the active lanes, and,
// where a function has very many of them, calls of functions that do it. LLVM's
// passes take more than linear time in the loops and branches of a function.

const (
	// maxUnrolled is up to how many lanes' accesses stand one after the other in a
	// function, each behind a branch; where there are more, gathers and scatters are calls.
	// So are divisions where there are more lanes'.
	maxUnrolled = 1024
	// maxLaneLoops is up to how many loops over lanes a function has; where there are
	// more, they are calls.
	maxLaneLoops = 32
)

// laneLoops counts the instructions that a loop over the lanes is written for.
func (e *emitter) laneLoops() (n int) {
	varies := func(i *ll.Inst, args int) bool {
		return slices.ContainsFunc(i.Args[:args], func(x ll.Value) bool { return e.ShapeOf(x).Kind != divergence.Uniform })
	}
	for _, b := range e.Order {
		for _, i := range b.Insts {
			loop := false
			switch i.Op {
			case "atomicrmw", "cmpxchg":
				loop = true
			case "frem":
				loop = e.ShapeOf(i).Kind == divergence.Varying
			case "load":
				loop = i.Ordering != "" && varies(i, 1)
			case "store":
				loop = i.Ordering != "" && varies(i, 2)
			case "call":
				loop = e.isMem(i.Callee) && varies(i, 3) || e.isForeign(i.Callee) && (i.Typ.Kind == ll.Void || e.ShapeOf(i).Kind == divergence.Varying)
			}
			if loop {
				n++
			}
		}
	}
	return n
}

// isDividedByLane reports whether an instruction is a division that no processor has for
// vectors, nor doubles can be taken for.
func isDividedByLane(a *divergence.Analysis, i *ll.Inst) bool {
	switch i.Op {
	case "udiv", "sdiv", "urem", "srem":
		return i.Typ.Bits > 32 && a.ShapeOf(i).Kind == divergence.Varying && divergence.Constant(i.Args[1]) == nil
	}
	return false
}

// laneDivisions counts such divisions.
func laneDivisions(a *divergence.Analysis) (n int) {
	for _, b := range a.Order {
		for _, i := range b.Insts {
			if isDividedByLane(a, i) {
				n++
			}
		}
	}
	return n
}

// divideLanes is such a division, i, of vectors: by a call of a function where there are
// very many, for LLVM makes a branch around a shorter division for each lane.
func (e *emitter) divideLanes(i *ll.Inst, x, y string) string {
	if !e.divideCalls {
		return e.let("%s %s %s, %s", i.Op, e.vec(i.Typ), x, y)
	}
	return e.callPart(i.Typ, []laneOperand{{typ: i.Typ, text: x}, {typ: i.Typ, text: y}}, func() string {
		return e.let("%s %s %%a0, %%a1", i.Op, e.vec(i.Typ))
	})
}

// A laneOperand is what is used lane by lane: a vector, or one value for all lanes.
type laneOperand struct {
	typ  *ll.Type // a lane's
	text string
	all  bool // one value for all lanes
}

// typeOfOperand is the type of its text.
func (v *vectorizer) typeOfOperand(o laneOperand) string {
	if o.all {
		return o.typ.Text
	}
	return v.vec(o.typ)
}

// laneCall is perLane by a call of a function. Constants are part of its text.
func (e *emitter) laneCall(t *ll.Type, args []ll.Value, do func(args []string) string) string {
	scalars := make([]string, len(args)) // a lane's
	var operands []laneOperand
	var of []int // of which of args each is
	for n, x := range args {
		c, isConst := x.(*ll.Const)
		switch {
		case isConst:
			scalars[n] = c.Text
			continue
		case e.ShapeOf(x).Kind == divergence.Uniform:
			operands = append(operands, laneOperand{x.Type(), e.get(x), true})
		default:
			operands = append(operands, laneOperand{x.Type(), e.vector(x), false})
		}
		of = append(of, n)
	}
	return e.callPart(t, operands, func() string {
		slots := make([]string, len(operands))
		for k, o := range operands {
			if !o.all {
				slots[k] = e.lanesSlot(o.typ, fmt.Sprintf("%%a%d", k))
			}
		}
		out := ""
		if t != nil {
			out = e.slot(e.vec(t))
		}
		e.activeLanes("%lanes", "each", func(lane string) {
			for k, o := range operands {
				scalars[of[k]] = fmt.Sprintf("%%a%d", k)
				if !o.all {
					scalars[of[k]] = e.laneLoad(o.typ, slots[k], lane)
				}
			}
			if r := do(slices.Clone(scalars)); t != nil {
				e.laneStore(t, r, out, lane)
			}
		})
		e.label("each.done")
		if t == nil {
			return ""
		}
		return e.let("load %s, ptr %s", e.vec(t), out)
	})
}

// gatherCall is a gather by a call of a function: LLVM writes one out for each lane where
// the processor has none, and of many that makes more code than it compiles in reasonable time.
func (e *emitter) gatherCall(t *ll.Type, ptrs string, align int) string {
	return e.callPart(t, []laneOperand{{typ: pointer, text: ptrs}}, func() string {
		return e.gather(t, "%a0", align, e.let("bitcast i%d %%lanes to %s", e.n, e.maskType()))
	})
}

// scatterCall is a scatter by a call of a function.
func (e *emitter) scatterCall(t *ll.Type, x, ptrs string, align int) {
	e.callPart(nil, []laneOperand{{typ: t, text: x}, {typ: pointer, text: ptrs}}, func() string {
		e.scatter(t, "%a0", "%a1", align, e.let("bitcast i%d %%lanes to %s", e.n, e.maskType()))
		return ""
	})
}

var pointer = &ll.Type{Kind: ll.Ptr, Text: "ptr"}

// callPart calls a function whose parameters are the active lanes, %lanes, and the
// operands, %a0 and so on. write writes its body, and returns its result, of type t in
// each lane (nil: none). Functions of the same text are one.
func (e *emitter) callPart(t *ll.Type, operands []laneOperand, write func() string) string {
	ret := "void"
	if t != nil {
		ret = e.vec(t)
	}
	params, args := []string{fmt.Sprintf("i%d %%lanes", e.n)}, []string{fmt.Sprintf("i%d %s", e.n, e.bits(e.mask()))}
	for n, o := range operands {
		params = append(params, fmt.Sprintf("%s %%a%d", e.typeOfOperand(o), n))
		args = append(args, e.typeOfOperand(o)+" "+o.text)
	}
	caller := e.text
	e.text = &text{}
	if r := write(); t == nil {
		e.line("ret void")
	} else {
		e.line("ret %s %s", ret, r)
	}
	part := e.text.function("("+strings.Join(params, ", ")+") noinline nounwind", "")
	e.text = caller
	name := e.lanesFuncs[ret+part]
	if name == "" {
		name = fmt.Sprintf("@heddle.lanes.%d", len(e.lanesFuncs))
		e.lanesFuncs[ret+part] = name
		e.funcs.WriteString("define internal " + ret + " " + name + part)
	}
	call := fmt.Sprintf("call %s %s(%s)", ret, name, strings.Join(args, ", "))
	if t == nil {
		e.line("%s", call)
		return ""
	}
	return e.let("%s", call)
}

// perLane does something for each active lane, one after the other, and
// collects results of type t (nil: none). Arguments are handed over as scalars.
// What is short may be written out for the case that all lanes are active.
func (e *emitter) perLane(t *ll.Type, args []ll.Value, short bool, do func(args []string) string) string {
	if e.laneCalls {
		return e.laneCall(t, args, do)
	}
	fixed, slots := make([]string, len(args)), make([]string, len(args))
	for n, x := range args {
		if e.ShapeOf(x).Kind == divergence.Uniform {
			fixed[n] = e.get(x)
			continue
		}
		at, narrow := e.narrowIndex(x)
		if narrow == nil {
			slots[n] = e.lanesSlot(x.Type(), e.vector(x))
			continue
		}
		for k, a := range x.(*ll.Inst).Args { // the others are read here, for all lanes
			if k != at {
				e.get(a)
			}
		}
		slots[n] = e.partSlot(e.partOf(narrow.Args[0]))
	}
	out := ""
	if t != nil {
		out = e.slot(e.vec(t))
	}
	lane := func(lane string) {
		scalars := slices.Clone(fixed)
		for n, x := range args {
			if at, narrow := e.narrowIndex(x); narrow != nil {
				scalars[n] = e.narrowAddress(x.(*ll.Inst), at, narrow, slots[n], lane)
			} else if slots[n] != "" {
				scalars[n] = e.laneLoad(x.Type(), slots[n], lane)
			}
		}
		if r := do(scalars); t != nil {
			e.laneStore(t, r, out, lane)
		}
	}
	m, name := e.mask(), e.fresh("lanes")
	bits := e.bits(m)
	if short {
		e.line("br i1 %s, label %%%s.all, label %%%s.some%s", e.let("icmp eq i%d %s, -1", e.n, bits), name, name, firstIsLikely)
		e.label(name + ".all")
		e.pairs = map[string]string{}
		for l := range e.n {
			lane(fmt.Sprint(l))
		}
		e.pairs = nil
		e.line("br label %%%s.done", name)
		e.label(name + ".some")
	}
	if !short || !e.isFull(m) {
		e.activeLanes(bits, name, lane)
	} else {
		e.line("unreachable")
	}
	e.label(name + ".done")
	if t == nil {
		return ""
	}
	return e.let("load %s, ptr %s", e.vec(t), out)
}

// activeLanes is a loop over the lanes in bits, which leads to name.done.
func (e *emitter) activeLanes(bits, name string, do func(lane string)) {
	left := e.slot(fmt.Sprintf("i%d", e.n))
	e.line("store i%d %s, ptr %s", e.n, bits, left)
	e.line("br label %%%s", name)
	e.label(name)
	rest := e.let("load i%d, ptr %s", e.n, left)
	more := e.let("icmp ne i%d %s, 0", e.n, rest)
	e.line("br i1 %s, label %%%s.do, label %%%s.done", more, name, name)
	e.label(name + ".do")
	f := e.declare(fmt.Sprintf("i%d @llvm.cttz.i%d(i%d, i1 immarg)", e.n, e.n, e.n))
	lane := e.let("call i%d %s(i%d %s, i1 true)", e.n, f, e.n, rest)
	do(e.widenLane(lane))
	e.line("store i%d %s, ptr %s", e.n, e.let("and i%d %s, %s", e.n, rest, e.let("sub i%d %s, 1", e.n, rest)), left)
	e.line("br label %%%s", name)
}

// forwarded is the longest store, in bytes, of which processors hand parts to later loads
// without delay: of 64 bytes, Intel's take twice the time.
const forwarded = 32

// lanesSlot puts a vector into a slot to be read lane by lane: memory is the fastest way there.
func (e *emitter) lanesSlot(t *ll.Type, v string) string {
	slot := e.slot(e.vec(t))
	if e.elems(t) != nil || packed(t) || e.n*t.Size() <= forwarded {
		e.line("store volatile %s %s, ptr %s", e.vec(t), v, slot)
		return slot
	}
	n := forwarded / t.Size()
	for first := 0; first < e.n; first += n {
		part := e.let("shufflevector %s %s, %s poison, <%d x i32> %s", e.vec(t), v, e.vec(t), n, laneNumbers(first, n))
		p := e.let("getelementptr %s, ptr %s, i32 %d", t.Text, slot, first)
		e.line("store volatile <%d x %s> %s, ptr %s", n, t.Text, part, p)
	}
	return slot
}

// laneLoad reads one lane of a vector in a slot. Of lanes that are read in their order, it
// reads two of four bytes at once.
func (e *emitter) laneLoad(t *ll.Type, slot, lane string) string {
	if e.elems(t) != nil {
		pairs := e.pairs
		e.pairs = nil
		defer func() { e.pairs = pairs }()
		return e.aggregate(t, scalarForm, func(n int, elem *ll.Type) string {
			return e.laneLoad(elem, e.let("getelementptr %s, ptr %s, i32 0, i32 %d", e.vec(t), slot, n), lane)
		})
	}
	if packed(t) {
		x := e.let("load %s, ptr %s", e.vec(t), slot)
		return e.let("extractelement %s %s, i32 %s", e.vec(t), x, lane)
	}
	if l, err := strconv.Atoi(lane); err == nil && e.pairs != nil && t.Size() == 4 {
		return e.laneOfPair(t, slot, l)
	}
	return e.let("load volatile %s, ptr %s", t.Text, e.let("getelementptr %s, ptr %s, i32 %s", t.Text, slot, lane))
}

// laneOfPair reads a lane of four bytes: an even one together with the next.
func (e *emitter) laneOfPair(t *ll.Type, slot string, lane int) string {
	pair := e.pairs[slot]
	if lane%2 == 0 {
		pair = e.let("load volatile i64, ptr %s", e.let("getelementptr i32, ptr %s, i32 %d", slot, lane))
		e.pairs[slot] = pair
	} else {
		pair = e.let("lshr i64 %s, 32", pair)
	}
	return e.let("bitcast i32 %s to %s", e.let("trunc i64 %s to i32", pair), t.Text)
}

// laneStore writes one lane of a vector in a slot.
func (e *emitter) laneStore(t *ll.Type, x, slot, lane string) {
	if parts := e.elems(t); parts != nil {
		for n, elem := range parts {
			p := e.let("getelementptr %s, ptr %s, i32 0, i32 %d", e.vec(t), slot, n)
			e.laneStore(elem, e.let("extractvalue %s %s, %d", t.Text, x, n), p, lane)
		}
		return
	}
	if packed(t) {
		v := e.let("load %s, ptr %s", e.vec(t), slot)
		e.line("store %s %s, ptr %s", e.vec(t), e.let("insertelement %s %s, %s %s, i32 %s", e.vec(t), v, t.Text, x, lane), slot)
		return
	}
	e.line("store %s %s, ptr %s", t.Text, x, e.let("getelementptr %s, ptr %s, i32 %s", t.Text, slot, lane))
}
