package spmd

import (
	"fmt"
	"slices"

	"heddle/internal/spmd/divergence"

	"heddle/internal/lazy"
	"heddle/internal/spmd/ll"
)

// This file compares linear values, such as a thread's index, with what all
// lanes share, such as a length: mostly all lanes agree, which a comparison of
// scalars can tell.

// orders are the comparisons by order: what holds if they do not, and whether
// it is the last lane whose value fails first, where values grow from lane to lane.
var orders = lazy.Value[map[string]ordering]{Make: func() map[string]ordering {
	return map[string]ordering{
		"ult": {"uge", true}, "ule": {"ugt", true}, "slt": {"sge", true}, "sle": {"sgt", true},
		"uge": {"ult", false}, "ugt": {"ule", false}, "sge": {"slt", false}, "sgt": {"sle", false},
	}
}}

type ordering struct {
	inverse string
	last    bool
}

// swapped are the comparisons with their operands exchanged.
var swapped = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{"ult": "ugt", "ule": "uge", "slt": "sgt", "sle": "sge", "ugt": "ult", "uge": "ule", "sgt": "slt", "sge": "sle"}
}}

// span is by how much the largest of the lanes' values of x exceeds lane 0's,
// 0 if that is not constant, not the least, or more than its type can hold.
func (e *emitter) span(x ll.Value) int64 {
	s, t := e.ShapeOf(x), x.Type()
	if stride, ok := e.RowStride(s); s.Kind == divergence.Varying && ok && t.Kind == ll.Int && stride >= 0 && t.Bits == 64 {
		return max(1, stride*(divergence.TileRow-1)) // within a row
	}
	if s.Kind != divergence.Linear && s.Kind != divergence.Patterned || t.Kind != ll.Int || s.Stride < 0 || s.Stride > 1<<40 {
		return 0
	}
	offs := e.Offsets(s)
	if slices.Min(offs) < 0 {
		return 0
	}
	span := slices.Max(offs)
	if t.Bits < 64 && span >= 1<<(t.Bits-1) {
		return 0
	}
	return span
}

// allHold is an i1 that tells that a linear x compares so with a uniform y in
// all lanes; it may be false though they do. It is empty for other operands.
func (e *emitter) allHold(pred string, x, y ll.Value) string {
	span := e.span(x)
	if span == 0 || orders.Get()[pred].inverse == "" || e.ShapeOf(y).Kind != divergence.Uniform {
		return ""
	}
	if e.ShapeOf(x).Kind == divergence.Varying { // linear within rows
		if all := e.allBetween(pred, x, y, span); all != "" {
			return all
		}
		all := "true"
		for _, head := range e.rowHeads(x) {
			all = e.let("and i1 %s, %s", all, e.allFrom(pred, x.Type().Text, head, e.get(y), span))
		}
		return all
	}
	return e.allFrom(pred, x.Type().Text, e.get(x), e.get(y), span)
}

// allFrom is allHold for values of which the least is base, and the largest span more.
func (e *emitter) allFrom(pred, typ, base, bound string, span int64) string {
	if pred == "ult" || pred == "slt" { // what is below bound-span cannot wrap
		f := e.declare(fmt.Sprintf("%s @llvm.%csub.sat.%s(%s, %s)", typ, pred[0], typ, typ, typ))
		limit := e.let("call %s %s(%s %s, %s %d)", typ, f, typ, bound, typ, span)
		return e.let("icmp %s %s %s, %s", pred, typ, base, limit)
	}
	last := e.let("add %s %s, %d", typ, base, span)
	grows := e.let("icmp %cge %s %s, %s", pred[0], typ, last, base) // it does not wrap
	first := base
	if orders.Get()[pred].last {
		first = last
	}
	return e.let("and i1 %s, %s", grows, e.let("icmp %s %s %s, %s", pred, typ, first, bound))
}

// firstIsLikely is what a branch has that nearly always goes the first way: LLVM then keeps
// values in registers on that way, whatever the other one needs. Comparisons have it in gangs that are whole blocks alone: in
// others a set of Mandelbrot took 1.28 times as long with AVX2.
const firstIsLikely = ", !prof !3"

// compareTogether compares lane by lane only where the lanes may differ.
func (e *emitter) compareTogether(i *ll.Inst) bool {
	pred, x, y := i.Pred, i.Args[0], i.Args[1]
	if e.span(x) == 0 {
		pred, x, y = swapped.Get()[pred], y, x
	}
	if orders.Get()[pred].inverse == "" || e.span(x) == 0 || e.onlyChecked(i) {
		return false
	}
	likely, is := pred, "true"
	if !orders.Get()[pred].last { // indices are below lengths
		likely, is = orders.Get()[pred].inverse, "false"
	}
	all := e.allHold(likely, x, y)
	if all == "" {
		return false
	}
	all = e.let("freeze i1 %s", all) // a select may guard an undefined bound
	slot, name := e.slot(e.maskType()), e.fresh("c")
	e.line("store %s %s, ptr %s", e.maskType(), e.splatText("i1", is), slot)
	e.line("br i1 %s, label %%%s.done, label %%%s.each%s", all, name, name, pick(e.isWhole, firstIsLikely, ""))
	own, vecs, masks := e.own, e.vecs, e.masks
	e.own, e.vecs, e.masks = cloned(own), cloned(vecs), cloned(masks)
	e.label(name + ".each")
	e.line("store %s %s, ptr %s", e.maskType(), e.compareEach(i), slot)
	e.line("br label %%%s.done", name)
	e.own, e.vecs, e.masks = own, vecs, masks
	e.label(name + ".done")
	e.set(i, e.let("load %s, ptr %s", e.maskType(), slot))
	return true
}

// onlyChecked reports whether only checks want a comparison, which look at its operands.
func (e *emitter) onlyChecked(i *ll.Inst) bool {
	return !slices.ContainsFunc(e.Users(i), func(u *ll.Inst) bool {
		_, check := e.IsCheck(u.Block)
		return u.Op != "br" || !check
	})
}

// compareOne tells which lane has one value: that of a linear value with stride 1.
func (e *emitter) compareOne(i *ll.Inst) bool {
	x, y := i.Args[0], i.Args[1]
	if e.ShapeOf(x).Kind == divergence.Uniform {
		x, y = y, x
	}
	s, t := e.ShapeOf(x), x.Type()
	if i.Pred != "eq" && i.Pred != "ne" || s.Kind != divergence.Linear || s.Stride != 1 || e.isWhole || t.Kind != ll.Int || t.Bits < 8 || e.ShapeOf(y).Kind != divergence.Uniform {
		return false
	}
	lane := e.let("sub %s %s, %s", t.Text, e.get(y), e.get(x))
	here := e.let("icmp ult %s %s, %d", t.Text, lane, e.n)
	bits := fmt.Sprintf("i%d", e.n)
	switch {
	case t.Bits < e.n:
		lane = e.let("zext %s %s to %s", t.Text, lane, bits)
	case t.Bits > e.n:
		lane = e.let("trunc %s %s to %s", t.Text, lane, bits)
	}
	lane = e.let("select i1 %s, %s %s, %s 0", here, bits, lane, bits)
	one := e.let("shl %s %s, %s", bits, e.let("zext i1 %s to %s", here, bits), lane)
	if i.Pred == "ne" {
		one = e.let("xor %s %s, -1", bits, one)
	}
	e.set(i, e.let("bitcast %s %s to %s", bits, one, e.maskType()))
	return true
}
