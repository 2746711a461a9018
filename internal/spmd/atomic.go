package spmd

import (
	"fmt"

	"heddle/internal/spmd/divergence"

	"heddle/internal/lazy"
	"heddle/internal/spmd/ll"
)

// atomic does atomic operations lane by lane. Shared memory needs no lock: the
// block runs in one thread of the host.
func (e *emitter) atomic(i *ll.Inst) {
	p := i.Args[0]
	shared := divergence.IsShared(p)
	if e.n > 1 && i.Op == "atomicrmw" && (e.reducedAtomic(i, shared) || e.togetherAtomic(i)) {
		return
	}
	t := i.Typ
	if len(e.Users(i)) == 0 {
		t = nil
	}
	each := func(args []string) string {
		if i.Op == "cmpxchg" {
			t := i.Args[1].Type().Text
			return e.let("cmpxchg ptr %s, %s %s, %s %s %s", args[0], t, args[1], t, args[2], i.Ordering)
		}
		return e.rmw(i, shared, args[0], args[1])
	}
	if e.n == 1 {
		args := make([]string, len(i.Args))
		for n, x := range i.Args {
			args[n] = e.get(x)
		}
		if r := each(args); t != nil {
			e.set(i, r)
		}
		return
	}
	if r := e.perLane(t, i.Args, shared, each); t != nil {
		e.set(i, r)
	}
}

// plainRMW are the operations on memory that nobody else touches.
var plainRMW = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{"add": "add", "sub": "sub", "and": "and", "or": "or", "xor": "xor", "fadd": "fadd", "fsub": "fsub"}
}}

// rmw is one lane's operation; it returns the value before.
func (e *emitter) rmw(i *ll.Inst, shared bool, p, x string) string {
	t := i.Typ.Text
	op := plainRMW.Get()[i.Pred]
	if !shared && (op == "fadd" || op == "fsub") {
		return e.floatRMW(i, op, p, x)
	}
	if !shared || op == "" && i.Pred != "xchg" {
		return e.let("atomicrmw %s ptr %s, %s %s %s", i.Pred, p, t, x, i.Ordering)
	}
	old := e.let("load %s, ptr %s", t, p)
	if op != "" {
		x = e.let("%s %s %s, %s", op, t, old, x)
	}
	e.line("store %s %s, ptr %s", t, x, p)
	return old
}

// floatRMW is rmw for floats, which takes a loop in every instruction set. LLVM
// would write it too, but up to release 19 wrongly for arm64: there it does not
// see that a store failed (https://github.com/llvm/llvm-project/issues/150988).
func (e *emitter) floatRMW(i *ll.Inst, op, p, x string) string {
	t, bits := i.Typ.Text, fmt.Sprintf("i%d", 8*i.Typ.Size())
	name, next := e.fresh("rmw"), e.fresh("%v")
	first := e.let("load atomic %s, ptr %s monotonic, align %d", bits, p, i.Typ.Size())
	e.line("br label %%%s.first", name)
	e.label(name + ".first")
	e.line("br label %%%s.try", name)
	e.label(name + ".try")
	was := e.let("phi %s [ %s, %%%s.first ], [ %s, %%%s.try ]", bits, first, name, next, name)
	old := e.let("bitcast %s %s to %s", bits, was, t)
	sum := e.let("%s %s %s, %s", op, t, old, x)
	tried := e.let("cmpxchg ptr %s, %s %s, %s %s %s monotonic", p, bits, was, bits, e.let("bitcast %s %s to %s", t, sum, bits), i.Ordering)
	e.line("%s = extractvalue { %s, i1 } %s, 0", next, bits, tried)
	e.line("br i1 %s, label %%%s.done, label %%%s.try", e.let("extractvalue { %s, i1 } %s, 1", bits, tried), name, name)
	e.label(name + ".done")
	return old
}

// reducing are the operations whose operands can be combined first, with LLVM's
// reduction and the value that changes nothing.
func reducing(op string) (reduce, neutral string, ok bool) {
	switch op {
	case "add", "or", "xor":
		return op, "0", true
	case "and":
		return op, "-1", true
	}
	return "", "", false
}

// reducedAtomic is an operation of all lanes on one address whose result nobody
// uses: they are combined and done at once.
func (e *emitter) reducedAtomic(i *ll.Inst, shared bool) bool {
	reduce, neutral, ok := reducing(i.Pred)
	if !ok || e.ShapeOf(i.Args[0]).Kind != divergence.Uniform || len(e.Users(i)) > 0 || i.Typ.Kind != ll.Int {
		return false
	}
	t := e.vec(i.Typ)
	x := e.vector(i.Args[1])
	if m := e.mask(); !e.isFull(m) {
		x = e.let("select %s %s, %s %s, %s %s", e.maskType(), m, t, x, t, e.splatText(i.Typ.Text, neutral))
	}
	f := e.declare(fmt.Sprintf("%s @llvm.vector.reduce.%s.%s(%s)", i.Typ.Text, reduce, memSuffix(e.n, i.Typ), t))
	e.rmw(i, shared, e.get(i.Args[0]), e.let("call %s %s(%s %s)", i.Typ.Text, f, t, x))
	return true
}
