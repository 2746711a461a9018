package spmd

import (
	"fmt"
	"slices"
	"strings"

	"heddle/internal/spmd/ll"
)

// This file writes memory accesses: one of a uniform address is a scalar one,
// consecutive addresses are a vector's, the rest gathers and scatters.

// inMemory refuses a type whose values in memory have bits that are not theirs,
// as an i1 or an i24 has: bytes and elements would not lie at the same places. The
// code of one thread has none (ssa2ir's memType).
func inMemory(t *ll.Type) {
	switch t.Kind {
	case ll.Int:
		if t.Bits != 8*t.Size() {
			panic(fmt.Sprintf("spmd: a value of type %s in memory, where it takes %d bits", t, 8*t.Size()))
		}
	case ll.Array:
		inMemory(t.Elem)
	case ll.Struct:
		for _, elem := range t.Elems {
			inMemory(elem)
		}
	}
}

// memoryTypes checks the types that an instruction accesses or addresses memory by.
func memoryTypes(i *ll.Inst) {
	switch i.Op {
	case "load", "atomicrmw":
		inMemory(i.Typ)
	case "store":
		inMemory(i.Args[0].Type())
	case "cmpxchg":
		inMemory(i.Args[1].Type())
	case "alloca", "getelementptr":
		inMemory(i.Elem)
	}
}

// alloca gives each lane its own variable.
func (e *emitter) alloca(i *ll.Inst) {
	p := e.private[i]
	name := e.fresh("%a")
	fmt.Fprintf(&e.allocas, "  %s = alloca [%d x i8], align %d\n", name, p.size*e.n, max(p.align, 64))
	e.stack += int64(p.size*e.n + 64)
	e.set(i, name)
}

func (e *emitter) load(i *ll.Inst) {
	p := i.Args[0]
	if e.shapeOf(i).kind != varying {
		e.set(i, e.let("load %s%s, %s%s", atomicWord(i), i.Typ.Text, e.scalar(p), order(i)))
		return
	}
	if e.shapeOf(p).kind == uniform { // the analysis left it varying
		x := e.let("load %s%s, %s%s", atomicWord(i), i.Typ.Text, e.scalar(p), order(i))
		e.set(i, e.splat(i.Typ, x))
		return
	}
	if i.Ordering != "" {
		e.set(i, e.perLane(i.Typ, i.Args, false, func(args []string) string {
			return e.let("load atomic %s, ptr %s%s", i.Typ.Text, args[0], order(i))
		}))
		return
	}
	e.set(i, e.loadFrom(i.Typ, e.addressOf(p), i.Align))
}

func atomicWord(i *ll.Inst) string {
	s := ""
	if i.Ordering != "" {
		s = "atomic "
	}
	if i.Volatile {
		s += "volatile "
	}
	return s
}

func order(i *ll.Inst) string {
	s := ""
	if i.Ordering != "" {
		s = " " + i.Ordering
	}
	if i.Align > 0 {
		s += fmt.Sprintf(", align %d", i.Align)
	}
	return s
}

// A place is where lanes access memory: consecutive, or a vector of addresses.
type place struct {
	base   string // of lane 0
	stride int64  // bytes; 0: vec
	vec    string
	// ptr is the address of which this is off bytes further, if the lanes' differ by constants
	// other than the size of an element.
	ptr    ll.Value
	off    int
	shared bool
}

func (e *emitter) addressOf(p ll.Value) place {
	s := e.shapeOf(p)
	switch s.kind {
	case linear:
		return place{base: e.get(p), stride: s.stride, ptr: p, shared: isShared(p)}
	case patterned:
		return place{vec: e.vector(p), ptr: p, shared: isShared(p)}
	}
	if s.rows {
		return place{vec: e.vector(p), ptr: p}
	}
	return place{vec: e.vector(p)}
}

// plus is the place n bytes further.
func (e *emitter) plus(p place, n int) place {
	switch {
	case n == 0:
		return p
	case p.stride != 0:
		p.base = e.let("getelementptr i8, ptr %s, i64 %d", p.base, n)
	default:
		p.vec = e.let("getelementptr i8, <%d x ptr> %s, i64 %d", e.n, p.vec, n)
	}
	p.off += n
	return p
}

// addresses is the place as a vector of pointers.
func (e *emitter) addresses(p place) string {
	if p.vec != "" {
		return p.vec
	}
	return e.let("getelementptr i8, ptr %s, %s", p.base, e.iota("i32", p.stride))
}

// memType is a type's form in memory.
func memSuffix(n int, t *ll.Type) string {
	switch t.Kind {
	case ll.Ptr:
		return fmt.Sprintf("v%dp0", n)
	case ll.Float:
		if t.Text == "bfloat" {
			return fmt.Sprintf("v%dbf16", n)
		}
		return fmt.Sprintf("v%df%d", n, t.Bits)
	}
	return fmt.Sprintf("v%di%d", n, t.Bits)
}

// loadFrom reads a t in each active lane.
func (e *emitter) loadFrom(t *ll.Type, p place, align int) string {
	if parts := e.elems(t); parts != nil {
		out := "poison"
		for n, elem := range parts {
			off := t.Offset(n)
			x := e.loadFrom(elem, e.plus(p, off), lowerAlign(align, off))
			out = e.let("insertvalue %s %s, %s %s, %d", e.vec(t), out, e.vec(elem), x, n)
		}
		return out
	}
	v, m := e.vec(t), e.mask()
	size := t.Size()
	align = alignment(align, t)
	switch {
	case p.stride == int64(size) && e.isFull(m):
		return e.let("load %s, ptr %s, align %d", v, p.base, align)
	case p.stride == int64(size):
		f := e.declare(fmt.Sprintf("%s @llvm.masked.load.%s.p0(ptr, i32 immarg, %s, %s)", v, memSuffix(e.n, t), e.maskType(), v))
		return e.let("call %s %s(ptr %s, i32 %d, %s %s, %s poison)", v, f, p.base, align, e.maskType(), m, v)
	}
	if x := e.loadRows(t, p, align, m); x != "" {
		return x
	}
	if e.isFull(m) {
		if x := e.loadChunks(t, p, align); x != "" {
			return x
		}
	}
	ptrs := e.addresses(p)
	if e.eachLane && !gathers(e.o.ISA, t) {
		return e.gatherEach(t, ptrs, align, m)
	}
	f := e.declare(fmt.Sprintf("%s @llvm.masked.gather.%s.v%dp0(<%d x ptr>, i32 immarg, %s, %s)", v, memSuffix(e.n, t), e.n, e.n, e.maskType(), v))
	return e.let("call %s %s(<%d x ptr> %s, i32 %d, %s %s, %s poison)", v, f, e.n, ptrs, align, e.maskType(), m, v)
}

func alignment(align int, t *ll.Type) int {
	if align == 0 {
		return t.Align()
	}
	return align
}

// lowerAlign is what remains of an alignment at an offset.
func lowerAlign(align, off int) int {
	for align > 1 && off%align != 0 {
		align /= 2
	}
	return align
}

func (e *emitter) store(i *ll.Inst) {
	x, p := i.Args[0], i.Args[1]
	if e.shapeOf(p).kind == uniform {
		v := ""
		if e.shapeOf(x).kind == uniform || e.shapeOf(x).kind == unknown {
			v = e.get(x)
		} else { // the last lane's stays
			v = e.lastLane(x)
		}
		word := "store "
		e.line("%s%s%s %s, %s%s", word, atomicWord(i), x.Type().Text, v, e.scalar(p), order(i))
		return
	}
	if i.Ordering != "" {
		e.perLane(nil, i.Args, false, func(args []string) string {
			e.line("store atomic %s %s, ptr %s%s", x.Type().Text, args[0], args[1], order(i))
			return ""
		})
		return
	}
	if !e.storeRecord(i) {
		e.storeTo(x.Type(), e.vector(x), e.addressOf(p), i.Align)
	}
}

// lastLane is the last active lane's value of a varying or linear v.
func (e *emitter) lastLane(v ll.Value) string {
	x := e.vector(v)
	m := e.mask()
	if e.isFull(m) {
		return e.pick(v.Type(), x, fmt.Sprint(e.n-1))
	}
	f := e.declare(fmt.Sprintf("i%d @llvm.ctlz.i%d(i%d, i1 immarg)", e.n, e.n, e.n))
	zeros := e.let("call i%d %s(i%d %s, i1 true)", e.n, f, e.n, e.bits(m))
	lane := e.let("sub i%d %d, %s", e.n, e.n-1, zeros)
	return e.pick(v.Type(), x, e.widenLane(lane))
}

// widenLane makes an i32 of a lane's number.
func (e *emitter) widenLane(lane string) string {
	switch {
	case e.n < 32:
		return e.let("zext i%d %s to i32", e.n, lane)
	case e.n > 32:
		return e.let("trunc i%d %s to i32", e.n, lane)
	}
	return lane
}

// pick is one lane's value.
func (e *emitter) pick(t *ll.Type, x, lane string) string {
	if parts := e.elems(t); parts != nil {
		out := "poison"
		for n, elem := range parts {
			y := e.let("extractvalue %s %s, %d", e.vec(t), x, n)
			out = e.let("insertvalue %s %s, %s %s, %d", t.Text, out, elem.Text, e.pick(elem, y, lane), n)
		}
		return out
	}
	return e.let("extractelement %s %s, i32 %s", e.vec(t), x, lane)
}

// storeTo writes x in each active lane.
func (e *emitter) storeTo(t *ll.Type, x string, p place, align int) {
	if parts := e.elems(t); parts != nil {
		for n, elem := range parts {
			off := t.Offset(n)
			e.storeTo(elem, e.let("extractvalue %s %s, %d", e.vec(t), x, n), e.plus(p, off), lowerAlign(align, off))
		}
		return
	}
	v, m := e.vec(t), e.mask()
	align = alignment(align, t)
	switch {
	case p.stride == int64(t.Size()) && e.isFull(m):
		e.line("store %s %s, ptr %s, align %d", v, x, p.base, align)
	case p.stride == int64(t.Size()):
		f := e.declare(fmt.Sprintf("void @llvm.masked.store.%s.p0(%s, ptr, i32 immarg, %s)", memSuffix(e.n, t), v, e.maskType()))
		e.line("call void %s(%s %s, ptr %s, i32 %d, %s %s)", f, v, x, p.base, align, e.maskType(), m)
	case e.storeRows(t, x, p, align, m):
	case e.storeChunks(t, x, p, align, m):
	default:
		ptrs := e.addresses(p)
		if e.eachLane && !gathers(e.o.ISA, t) {
			e.scatterEach(t, x, ptrs, align, m)
			return
		}
		f := e.declare(fmt.Sprintf("void @llvm.masked.scatter.%s.v%dp0(%s, <%d x ptr>, i32 immarg, %s)", memSuffix(e.n, t), e.n, v, e.n, e.maskType()))
		e.line("call void %s(%s %s, <%d x ptr> %s, i32 %d, %s %s)", f, v, x, e.n, ptrs, align, e.maskType(), m)
	}
}

// gatherEach is a gather as a loop: LLVM writes one out for each lane where the
// processor has none, and of many that makes more code than it compiles in
// reasonable time.
func (e *emitter) gatherEach(t *ll.Type, ptrs string, align int, mask string) string {
	from, to := e.vectorScratch("ptr", "from"), e.vectorScratch(t.Text, "to")
	e.line("store volatile <%d x ptr> %s, ptr %s", e.n, ptrs, from)
	name := e.fresh("lanes")
	e.activeLanes(e.bits(mask), name, func(lane string) {
		p := e.let("load volatile ptr, ptr %s", e.let("getelementptr ptr, ptr %s, i32 %s", from, lane))
		x := e.let("load %s, ptr %s, align %d", t.Text, p, align)
		e.line("store volatile %s %s, ptr %s", t.Text, x, e.let("getelementptr %s, ptr %s, i32 %s", t.Text, to, lane))
	})
	e.label(name + ".done")
	return e.let("load volatile %s, ptr %s", e.vec(t), to)
}

// scatterEach is a scatter as a loop.
func (e *emitter) scatterEach(t *ll.Type, x, ptrs string, align int, mask string) {
	from, what := e.vectorScratch("ptr", "from"), e.vectorScratch(t.Text, "what")
	e.line("store volatile <%d x ptr> %s, ptr %s", e.n, ptrs, from)
	e.line("store volatile %s %s, ptr %s", e.vec(t), x, what)
	name := e.fresh("lanes")
	e.activeLanes(e.bits(mask), name, func(lane string) {
		p := e.let("load volatile ptr, ptr %s", e.let("getelementptr ptr, ptr %s, i32 %s", from, lane))
		y := e.let("load volatile %s, ptr %s", t.Text, e.let("getelementptr %s, ptr %s, i32 %s", t.Text, what, lane))
		e.line("store %s %s, ptr %s, align %d", t.Text, y, p, align)
	})
	e.label(name + ".done")
}

// vectorScratch is the slot of a vector for a part in such a loop. All have the same one.
func (e *emitter) vectorScratch(elem, part string) string {
	key := elem + " " + part
	if e.scratch[key] == "" {
		e.scratch[key] = e.slot(fmt.Sprintf("<%d x %s>", e.n, elem))
	}
	return e.scratch[key]
}

// perLane does something for each active lane, one after the other, and
// collects results of type t (nil: none). Arguments are handed over as scalars.
// What is short may be written out for the case that all lanes are active.
func (e *emitter) perLane(t *ll.Type, args []ll.Value, short bool, do func(args []string) string) string {
	fixed, slots := make([]string, len(args)), make([]string, len(args))
	for n, x := range args {
		if e.shapeOf(x).kind == uniform {
			fixed[n] = e.get(x)
			continue
		}
		v := x
		if at, narrow := e.narrowIndex(x); narrow != nil {
			v = narrow.Args[0]
			for k, a := range x.(*ll.Inst).Args { // the others are read here, for all lanes
				if k != at {
					e.get(a)
				}
			}
		}
		slots[n] = e.slot(e.vec(v.Type()))
		e.line("store volatile %s %s, ptr %s", e.vec(v.Type()), e.vector(v), slots[n]) // memory is the fastest way from a vector
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
		e.line("br i1 %s, label %%%s.all, label %%%s.some", e.let("icmp eq i%d %s, -1", e.n, bits), name, name)
		e.label(name + ".all")
		for l := range e.n {
			lane(fmt.Sprint(l))
		}
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

// narrowIndex finds in an address the one operand that varies, if it is the extension
// of a narrower integer: each lane's address takes less room as that.
func (e *emitter) narrowIndex(x ll.Value) (at int, narrow *ll.Inst) {
	i, ok := x.(*ll.Inst)
	if !ok || i.Op != "getelementptr" || i.Block != e.block || e.shapeOf(i).kind != varying || e.scale(i.Args[0]) != 1 {
		return 0, nil
	}
	for n, a := range i.Args {
		if e.shapeOf(a).kind == uniform {
			continue
		}
		z, ok := a.(*ll.Inst)
		if !ok || narrow != nil || z.Op != "zext" || z.Block != e.block || e.shapeOf(z).kind != varying || z.Args[0].Type().Bits%8 != 0 {
			return 0, nil
		}
		at, narrow = n, z
	}
	return at, narrow
}

// narrowAddress is a lane's address i, whose operand at extends what the slot holds.
func (e *emitter) narrowAddress(i *ll.Inst, at int, narrow *ll.Inst, slot, lane string) string {
	from := narrow.Args[0].Type()
	x := e.let("zext %s %s to %s", from.Text, e.laneLoad(from, slot, lane), narrow.Typ.Text)
	args := make([]string, len(i.Args))
	for n, a := range i.Args {
		if n == at {
			args[n] = narrow.Typ.Text + " " + x
		} else {
			args[n] = e.scalar(a)
		}
	}
	return e.let("getelementptr %s, %s", i.Elem.Text, strings.Join(args, ", "))
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

// laneLoad reads one lane of a vector in a slot.
func (e *emitter) laneLoad(t *ll.Type, slot, lane string) string {
	if parts := e.elems(t); parts != nil {
		out := "poison"
		for n, elem := range parts {
			p := e.let("getelementptr %s, ptr %s, i32 0, i32 %d", e.vec(t), slot, n)
			out = e.let("insertvalue %s %s, %s %s, %d", t.Text, out, elem.Text, e.laneLoad(elem, p, lane), n)
		}
		return out
	}
	if t.Kind == ll.Int && t.Bits%8 != 0 {
		x := e.let("load %s, ptr %s", e.vec(t), slot)
		return e.let("extractelement %s %s, i32 %s", e.vec(t), x, lane)
	}
	return e.let("load volatile %s, ptr %s", t.Text, e.let("getelementptr %s, ptr %s, i32 %s", t.Text, slot, lane))
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
	if t.Kind == ll.Int && t.Bits%8 != 0 {
		v := e.let("load %s, ptr %s", e.vec(t), slot)
		e.line("store %s %s, ptr %s", e.vec(t), e.let("insertelement %s %s, %s %s, i32 %s", e.vec(t), v, t.Text, x, lane), slot)
		return
	}
	e.line("store %s %s, ptr %s", t.Text, x, e.let("getelementptr %s, ptr %s, i32 %s", t.Text, slot, lane))
}
