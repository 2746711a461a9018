package spmd

import (
	"fmt"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file implements tiles: gangs of several rows of a block whose rows are
// short, as two-dimensional ones mostly are. A value that is linear within each
// row, such as an index row*n + column, is kept as a vector; but it is enough to
// look at each row's first lane to know them all.

// rowPlace is the address of each row's first lane, and the stride within rows.
type rowPlace struct {
	bases  []string
	stride int64
}

// rowsOf takes an address apart by rows, nil if it cannot be.
func (e *emitter) rowsOf(p ll.Value, off int) *rowPlace {
	s := e.ShapeOf(p)
	stride, ok := e.RowStride(s)
	if !ok || s.Kind == divergence.Linear {
		return nil
	}
	r := &rowPlace{stride: stride}
	if s.Kind == divergence.Patterned {
		base, c := e.strip(p)
		offs := e.Offsets(s)
		for l := 0; l < e.n; l += divergence.TileRow {
			r.bases = append(r.bases, e.let("getelementptr i8, ptr %s, i64 %d", base, c+int64(off)+offs[l]))
		}
		return r
	}
	for _, x := range e.rowHeads(p) {
		if off != 0 {
			x = e.let("getelementptr i8, ptr %s, i64 %d", x, off)
		}
		r.bases = append(r.bases, x)
	}
	return r
}

// rowHeads are the values of each row's first lane, computed as scalars.
func (e *emitter) rowHeads(v ll.Value) (heads []string) {
	if step := e.rowStep(v); step != "" {
		first := e.rowHead(v, 0)
		for r := range e.n / divergence.TileRow {
			heads = append(heads, e.stepped(v.Type(), first, step, r))
		}
		return heads
	}
	for l := 0; l < e.n; l += divergence.TileRow {
		heads = append(heads, e.rowHead(v, l))
	}
	return heads
}

func (e *emitter) rowHead(v ll.Value, l int) string {
	t := v.Type().Text
	if s := e.ShapeOf(v); s.Kind != divergence.Varying {
		x := e.get(v)
		switch off := e.Offsets(s)[l]; {
		case off == 0:
			return x
		case v.Type().Kind == ll.Ptr:
			return e.let("getelementptr i8, ptr %s, i64 %d", x, off)
		default:
			return e.let("add %s %s, %d", t, x, off)
		}
	}
	i, ok := divergence.RowInst(v)
	if !ok {
		return e.let("extractelement %s %s, i64 %d", e.vec(v.Type()), e.vector(v), l)
	}
	args := make([]string, len(i.Args))
	for n, x := range i.Args {
		args[n] = e.rowHead(x, l)
	}
	switch i.Op {
	case "getelementptr":
		for n, x := range i.Args {
			args[n] = x.Type().Text + " " + args[n]
		}
		return e.let("getelementptr %s, %s", i.Elem.Text, strings.Join(args, ", "))
	case "or":
		if i.Has("disjoint") { // as rowStep has it
			return e.let("add %s %s, %s", t, args[0], args[1])
		}
	case "zext", "sext":
		return e.let("%s %s %s to %s", i.Op, i.Args[0].Type().Text, args[0], t)
	}
	return e.let("%s %s %s, %s", i.Op, t, args[0], args[1])
}

// rowMask is the part of a mask that a row has.
func (e *emitter) rowMask(mask string, row int) string {
	return e.let("shufflevector %s %s, %s poison, <%d x i32> %s", e.maskType(), mask, e.maskType(), divergence.TileRow, laneNumbers(row*divergence.TileRow, divergence.TileRow))
}

// loadRows reads row by row, or returns "" where a gather is better.
func (e *emitter) loadRows(t *ll.Type, p place, align int, mask string) string {
	if e.Tile == 0 || p.ptr == nil || t.Kind != ll.Int && t.Kind != ll.Float {
		return ""
	}
	full := e.isFull(mask)
	if stride, ok := e.RowStride(e.ShapeOf(p.ptr)); !ok || stride != int64(t.Size()) && !(stride == 0 && full) {
		return ""
	}
	r := e.rowsOf(p.ptr, p.off)
	if r == nil {
		return ""
	}
	row := fmt.Sprintf("<%d x %s>", divergence.TileRow, t.Text)
	var parts []string
	for k, base := range r.bases {
		switch {
		case r.stride == 0:
			x := e.let("load %s, ptr %s, align %d", t.Text, base, align)
			one := e.let("insertelement %s poison, %s %s, i64 0", row, t.Text, x)
			parts = append(parts, e.let("shufflevector %s %s, %s poison, <%d x i32> zeroinitializer", row, one, row, divergence.TileRow))
		case full:
			parts = append(parts, e.let("load %s, ptr %s, align %d", row, base, align))
		default:
			m := fmt.Sprintf("<%d x i1>", divergence.TileRow)
			f := e.declare(fmt.Sprintf("%s @llvm.masked.load.%s.p0(ptr, i32 immarg, %s, %s)", row, memSuffix(divergence.TileRow, t), m, row))
			parts = append(parts, e.let("call %s %s(ptr %s, i32 %d, %s %s, %s poison)", row, f, base, align, m, e.rowMask(mask, k), row))
		}
	}
	return e.concat(t.Text, divergence.TileRow, parts)
}

// storeRows writes row by row, and reports whether it could.
func (e *emitter) storeRows(t *ll.Type, x string, p place, align int, mask string) bool {
	if e.Tile == 0 || p.ptr == nil || t.Kind != ll.Int && t.Kind != ll.Float {
		return false
	}
	if stride, ok := e.RowStride(e.ShapeOf(p.ptr)); !ok || stride != int64(t.Size()) {
		return false
	}
	r := e.rowsOf(p.ptr, p.off)
	if r == nil {
		return false
	}
	row, m := fmt.Sprintf("<%d x %s>", divergence.TileRow, t.Text), fmt.Sprintf("<%d x i1>", divergence.TileRow)
	for k, base := range r.bases {
		part := e.let("shufflevector %s %s, %s poison, <%d x i32> %s", e.vec(t), x, e.vec(t), divergence.TileRow, laneNumbers(k*divergence.TileRow, divergence.TileRow))
		if e.isFull(mask) {
			e.line("store %s %s, ptr %s, align %d", row, part, base, align)
			continue
		}
		f := e.declare(fmt.Sprintf("void @llvm.masked.store.%s.p0(%s, ptr, i32 immarg, %s)", memSuffix(divergence.TileRow, t), row, m))
		e.line("call void %s(%s %s, ptr %s, i32 %d, %s %s)", f, row, part, base, align, m, e.rowMask(mask, k))
	}
	return true
}
