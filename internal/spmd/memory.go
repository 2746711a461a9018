package spmd

import (
	"fmt"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file writes memory accesses: one of a uniform address is a scalar one,
// consecutive addresses are a vector's, the rest gathers and scatters.

// inMemory refuses a type whose values in memory have bits that are not theirs,
// as an i1 has: bytes and elements would not lie at the same places. The code of one
// thread has none (ssa2ir's memType).
func inMemory(t *ll.Type) {
	switch t.Kind {
	case ll.Int:
		if packed(t) && oddParts(t) == nil {
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
	p := e.Private[i]
	name := e.fresh("%a")
	fmt.Fprintf(&e.allocas, "  %s = alloca [%d x i8], align %d\n", name, p.Size*e.n, max(p.Align, 64))
	e.stack += int64(p.Size*e.n + 64)
	e.set(i, name)
}

func (e *emitter) load(i *ll.Inst) {
	p := i.Args[0]
	if e.ShapeOf(i).Kind != divergence.Varying {
		e.set(i, e.let("load %s%s, %s%s", atomicWord(i), i.Typ.Text, e.scalar(p), order(i)))
		return
	}
	if e.ShapeOf(p).Kind == divergence.Uniform { // the analysis left it varying
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

//go:noinline
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
	s := e.ShapeOf(p)
	switch s.Kind {
	case divergence.Linear:
		return place{base: e.get(p), stride: s.Stride, ptr: p, shared: divergence.IsShared(p)}
	case divergence.Patterned:
		return place{vec: e.vector(p), ptr: p, shared: divergence.IsShared(p)}
	}
	if s.Rows {
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
	return e.let("getelementptr i8, ptr %s, %s", p.base, e.offsetVector(e.Offsets(divergence.Shape{Kind: divergence.Linear, Stride: p.stride})))
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
	if e.elems(t) != nil {
		return e.aggregate(t, e.vec, func(n int, elem *ll.Type) string {
			off := t.Offset(n)
			return e.loadFrom(elem, e.plus(p, off), lowerAlign(align, off))
		})
	}
	align = alignment(align, t)
	if parts := oddParts(t); parts != nil {
		return e.loadOdd(t, parts, p, align)
	}
	v, m := e.vec(t), e.mask()
	size := t.Size()
	switch {
	case p.stride == int64(size) && e.isFull(m):
		e.readAhead(p, e.n*size)
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
	if e.gatherCalls && !gathers(e.o.ISA, t) {
		return e.gatherCall(t, ptrs, align)
	}
	return e.gather(t, ptrs, align, m)
}

// gather writes a gather's instruction.
func (e *emitter) gather(t *ll.Type, ptrs string, align int, mask string) string {
	v := e.vec(t)
	f := e.declare(fmt.Sprintf("%s @llvm.masked.gather.%s.v%dp0(<%d x ptr>, i32 immarg, %s, %s)", v, memSuffix(e.n, t), e.n, e.n, e.maskType(), v))
	return e.let("call %s %s(<%d x ptr> %s, i32 %d, %s %s, %s poison)", v, f, e.n, ptrs, align, e.maskType(), mask, v)
}

func alignment(align int, t *ll.Type) int {
	if align == 0 {
		return t.Align()
	}
	return align
}

// lowerAlign is what remains of an alignment at an offset.
//
//go:noinline
func lowerAlign(align, off int) int {
	for align > 1 && off%align != 0 {
		align /= 2
	}
	return align
}

func (e *emitter) store(i *ll.Inst) {
	x, p := i.Args[0], i.Args[1]
	if e.ShapeOf(p).Kind == divergence.Uniform {
		v := ""
		if e.ShapeOf(x).Kind == divergence.Uniform || e.ShapeOf(x).Kind == divergence.Unknown {
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
	if e.elems(t) != nil {
		return e.aggregate(t, scalarForm, func(n int, elem *ll.Type) string {
			return e.pick(elem, e.let("extractvalue %s %s, %d", e.vec(t), x, n), lane)
		})
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
	align = alignment(align, t)
	if parts := oddParts(t); parts != nil {
		e.storeOdd(t, parts, x, p, align)
		return
	}
	v, m := e.vec(t), e.mask()
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
		if e.gatherCalls && !gathers(e.o.ISA, t) {
			e.scatterCall(t, x, ptrs, align)
			return
		}
		e.scatter(t, x, ptrs, align, m)
	}
}

// scatter writes a scatter's instruction.
func (e *emitter) scatter(t *ll.Type, x, ptrs string, align int, mask string) {
	v := e.vec(t)
	f := e.declare(fmt.Sprintf("void @llvm.masked.scatter.%s.v%dp0(%s, <%d x ptr>, i32 immarg, %s)", memSuffix(e.n, t), e.n, v, e.n, e.maskType()))
	e.line("call void %s(%s %s, <%d x ptr> %s, i32 %d, %s %s)", f, v, x, e.n, ptrs, align, e.maskType(), mask)
}
