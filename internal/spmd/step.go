package spmd

import (
	"strconv"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file finds by how much the rows of a tile differ. An index row*n + column is n more in each row:
// then the first row and n tell all rows, and the first and the last one that all are in range.

// rowStep is by how much a value, or an address in bytes, grows from row to row, modulo its type's numbers: a number
// or the text of a scalar. It is empty where rows do not differ by the same.
func (e *emitter) rowStep(v ll.Value) string {
	if s := e.ShapeOf(v); s.Kind != divergence.Varying {
		return constantStep(e.Offsets(s))
	}
	i, ok := divergence.RowInst(v)
	if !ok {
		return ""
	}
	if i.Op == "getelementptr" {
		return e.addressStep(i)
	}
	var steps [2]string
	flat := true
	for n, x := range i.Args {
		if steps[n] = e.rowStep(x); steps[n] == "" {
			return ""
		}
		flat = flat && steps[n] == "0"
	}
	t := i.Typ.Text
	switch {
	case flat:
		return "0"
	case i.Op == "add", i.Op == "or" && i.Has("disjoint"):
		return e.sumOfSteps(t, "add", steps[0], steps[1])
	case i.Op == "sub":
		return e.sumOfSteps(t, "sub", steps[0], steps[1])
	case i.Op == "mul" && steps[1] == "0":
		return e.let("mul %s %s, %s", t, steps[0], e.rowHead(i.Args[1], 0))
	case i.Op == "mul" && steps[0] == "0":
		return e.let("mul %s %s, %s", t, steps[1], e.rowHead(i.Args[0], 0))
	case i.Op == "shl" && divergence.Constant(i.Args[1]) != nil:
		return e.let("shl %s %s, %s", t, steps[0], e.get(i.Args[1]))
	}
	return ""
}

// constantStep is the step of values that exceed lane 0's by offs.
func constantStep(offs []int64) string {
	if len(offs) <= divergence.TileRow {
		return ""
	}
	step := offs[divergence.TileRow]
	for l := range offs {
		if r := l / divergence.TileRow; offs[r*divergence.TileRow] != int64(r)*step {
			return ""
		}
	}
	return strconv.FormatInt(step, 10)
}

func (e *emitter) sumOfSteps(t, op, x, y string) string {
	switch {
	case y == "0":
		return x
	case x == "0" && op == "add":
		return y
	}
	return e.let("%s %s %s, %s", op, t, x, y)
}

// addressStep is rowStep of an address.
func (e *emitter) addressStep(i *ll.Inst) string {
	sum := e.rowStep(i.Args[0])
	for _, t := range divergence.GepTerms(i) {
		if t.Index == nil || sum == "" {
			continue
		}
		switch step := e.rowStep(t.Index); {
		case step == "" || step != "0" && t.Index.Type().Bits != 64:
			return ""
		case step != "0":
			sum = e.sumOfSteps("i64", "add", sum, e.let("mul i64 %s, %d", step, t.Offset))
		}
	}
	return sum
}

// stepped is a row's value.
func (e *emitter) stepped(t *ll.Type, first, step string, row int) string {
	switch {
	case row == 0 || step == "0":
		return first
	case t.Kind == ll.Ptr:
		return e.let("getelementptr i8, ptr %s, i64 %s", first, e.let("mul i64 %s, %d", step, row))
	}
	return e.let("add %s %s, %s", t.Text, first, e.let("mul %s %s, %d", t.Text, step, row))
}

// allBetween is an i1 that tells that the values of a tile's rows are below y, by the first and the last one:
// y is no negative number, and the step is so small that no row between can have gone past the numbers' end and come back.
func (e *emitter) allBetween(pred string, x, y ll.Value, span int64) string {
	if pred != "ult" || x.Type().Bits != 64 {
		return ""
	}
	step := e.rowStep(x)
	if step == "" {
		return ""
	}
	first := e.rowHead(x, 0)
	f := e.declare("i64 @llvm.usub.sat.i64(i64, i64)")
	limit := e.let("call i64 %s(i64 %s, i64 %d)", f, e.get(y), span)
	all := e.let("icmp sgt i64 %s, -1", limit)
	const most = 1 << 57
	for _, is := range []string{
		e.let("icmp ult i64 %s, %d", e.let("add i64 %s, %d", step, most), 2*most),
		e.let("icmp ult i64 %s, %s", first, limit),
		e.let("icmp ult i64 %s, %s", e.stepped(x.Type(), first, step, e.n/divergence.TileRow-1), limit),
	} {
		all = e.let("and i1 %s, %s", all, is)
	}
	return all
}
