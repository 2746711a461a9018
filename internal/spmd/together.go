package spmd

import (
	"fmt"
	"strings"

	"heddle/internal/lazy"
	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file does atomic operations of lanes on elements that follow each other: a processor of x86-64 exchanges 16 bytes at
// once, if they are aligned so, for little more than what one lane's operation takes.

// exchanged is how many bytes are exchanged at once.
const exchanged = 16

// together are the operations that are done so, on vectors: instructions, or LLVM's functions.
var together = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"add": "add", "sub": "sub", "and": "and", "or": "or", "xor": "xor", "fadd": "fadd", "fsub": "fsub",
		"max": "llvm.smax", "min": "llvm.smin", "umax": "llvm.umax", "umin": "llvm.umin",
	}
}}

// togetherAtomic is an atomic operation whose result nobody uses, of lanes whose elements follow each other. Where not all lanes
// are active, or the first one's is not aligned, each lane's is done alone.
func (e *emitter) togetherAtomic(i *ll.Inst) bool {
	p, t, op := i.Args[0], i.Args[1].Type(), together.Get()[i.Pred]
	s := e.ShapeOf(p)
	if op == "" || !strings.HasPrefix(e.o.ISA, "x86-64") || len(e.Users(i)) > 0 || divergence.IsShared(p) || e.laneCalls ||
		t.Size() != 4 && t.Size() != 8 || packed(t) || e.n*t.Size()%exchanged != 0 || s.Kind != divergence.Linear || s.Stride != int64(t.Size()) {
		return false
	}
	base, x, mask := e.get(p), e.vector(i.Args[1]), e.mask()
	all := e.let("icmp eq i64 %s, 0", e.let("and i64 %s, %d", e.let("ptrtoint ptr %s to i64", base), exchanged-1))
	if !e.isFull(mask) {
		all = e.let("and i1 %s, %s", all, e.let("icmp eq i%d %s, -1", e.n, e.bits(mask)))
	}
	name := e.fresh("together")
	e.line("br i1 %s, label %%%s.all, label %%%s.each%s", all, name, name, firstIsLikely)
	e.label(name + ".all")
	e.exchangeAll(i, op, base, x, name)
	own, vecs, masks := e.own, e.vecs, e.masks
	e.own, e.vecs, e.masks = cloned(own), cloned(vecs), cloned(masks)
	e.label(name + ".each")
	e.perLane(nil, i.Args, false, func(args []string) string { return e.rmw(i, false, args[0], args[1]) })
	e.line("br label %%%s", name)
	e.own, e.vecs, e.masks = own, vecs, masks
	e.label(name)
	return true
}

// exchangeAll is the loop over the lanes' elements, which goes to name.
func (e *emitter) exchangeAll(i *ll.Inst, op, base, x, name string) {
	t := i.Args[1].Type()
	lanes := exchanged / t.Size()
	vec := fmt.Sprintf("<%d x %s>", lanes, t.Text)
	at, slot := e.slot("i32"), e.slot(e.vec(t))
	e.line("store %s %s, ptr %s", e.vec(t), x, slot)
	e.line("store i32 0, ptr %s", at)
	e.line("br label %%%s.next", name)
	e.label(name + ".next")
	k := e.let("load i32, ptr %s", at)
	p := e.let("getelementptr i8, ptr %s, i32 %s", base, k)
	part := e.let("load %s, ptr %s, align %d", vec, e.let("getelementptr i8, ptr %s, i32 %s", slot, k), exchanged)
	// Both halves need not be of one moment: the exchange tells.
	low := e.let("load atomic i64, ptr %s monotonic, align 8", p)
	high := e.let("load atomic i64, ptr %s monotonic, align 8", e.let("getelementptr i8, ptr %s, i32 8", p))
	first := e.let("or i128 %s, %s", e.let("zext i64 %s to i128", low), e.let("shl i128 %s, 64", e.let("zext i64 %s to i128", high)))
	e.line("br label %%%s.first", name)
	e.label(name + ".first")
	e.line("br label %%%s.try", name)
	e.label(name + ".try")
	seen := e.fresh("%v")
	was := e.let("phi i128 [ %s, %%%s.first ], [ %s, %%%s.try ]", first, name, seen, name)
	old := e.let("bitcast i128 %s to %s", was, vec)
	sum := ""
	if strings.HasPrefix(op, "llvm.") {
		f := e.declare(fmt.Sprintf("%s @%s.%s(%s, %s)", vec, op, memSuffix(lanes, t), vec, vec))
		sum = e.let("call %s %s(%s %s, %s %s)", vec, f, vec, old, vec, part)
	} else {
		sum = e.let("%s %s %s, %s", op, vec, old, part)
	}
	tried := e.let("cmpxchg ptr %s, i128 %s, i128 %s %s monotonic, align %d", p, was, e.let("bitcast %s %s to i128", vec, sum), i.Ordering, exchanged)
	e.line("%s = extractvalue { i128, i1 } %s, 0", seen, tried)
	e.line("br i1 %s, label %%%s.done, label %%%s.try", e.let("extractvalue { i128, i1 } %s, 1", tried), name, name)
	e.label(name + ".done")
	more := e.let("add i32 %s, %d", k, exchanged)
	e.line("store i32 %s, ptr %s", more, at)
	e.line("br i1 %s, label %%%s.next, label %%%s", e.let("icmp ult i32 %s, %d", more, e.n*t.Size()), name, name)
}
