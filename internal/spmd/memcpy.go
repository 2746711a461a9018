package spmd

import (
	"fmt"
	"math/big"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file copies and fills memory, private arrays whose lanes' elements lie side by
// side among it.

func (v *vectorizer) isMem(callee string) bool {
	return strings.HasPrefix(callee, "llvm.memcpy.") || strings.HasPrefix(callee, "llvm.memset.") || strings.HasPrefix(callee, "llvm.memmove.")
}

// memory copies or fills memory.
func (e *emitter) memory(i *ll.Inst) {
	if g, h := e.GrainAt(i.Args[0]), e.GrainAt(i.Args[1]); divergence.CopiedBytes(i) > 0 && g+h > 0 {
		e.copyGrains(i, g, h)
		return
	}
	if root, ok := i.Args[0].(*ll.Inst); ok && root.Op == "alloca" && e.Private[root].Grain > 0 {
		e.fill(i, root)
		return
	}
	same := true
	for _, x := range i.Args[:3] {
		same = same && e.ShapeOf(x).Kind == divergence.Uniform
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
	if e.maskRoot(e.block) == e.Order[0] && e.ShapeOf(i.Args[1]).Kind == divergence.Uniform { // all lanes that use it
		n := int64(root.Elem.Size()) * int64(e.n)
		f := e.declare("void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)")
		e.line("call void %s(ptr %s, %s, i64 %d, i1 false)", f, e.get(root), e.scalar(i.Args[1]), n)
		return
	}
	grain := e.Private[root].Grain
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
	e.pieces(int64(divergence.CopiedBytes(i)), size, func(at string) {
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
