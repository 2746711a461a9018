package spmd

import (
	"fmt"
	"strings"

	"heddle/internal/lazy"
	"heddle/internal/spmd/ll"
)

// This file implements tiles: gangs of several rows of a block whose rows are
// short, as two-dimensional ones mostly are. A value that is linear within each
// row, such as an index row*n + column, is kept as a vector; but it is enough to
// look at each row's first lane to know them all.

// tileRow is the length of a tile's rows.
const tileRow = 16

// rowStride is by how much values grow from lane to lane within each row of a tile,
// and whether that is so.
func (a *analysis) rowStride(s shape) (stride int64, ok bool) {
	switch {
	case a.tile == 0 || s.kind == unknown || s.kind == varying && !s.rows:
		return 0, false
	case s.kind != patterned:
		return s.stride, true
	}
	offs := a.offsets(s)
	stride = offs[1] - offs[0]
	for l := range offs {
		if row := l / tileRow * tileRow; offs[l]-offs[row] != int64(l-row)*stride {
			return 0, false
		}
	}
	return stride, true
}

func inRows(stride int64) shape { return shape{kind: varying, rows: true, stride: stride} }

// rowOps are the operations that keep values linear within rows, given the operands' strides.
var rowOps = lazy.Value[map[string]func(x, y int64, i *ll.Inst) (int64, bool)]{Make: func() map[string]func(x, y int64, i *ll.Inst) (int64, bool) {
	return map[string]func(x, y int64, i *ll.Inst) (int64, bool){
		"add": func(x, y int64, _ *ll.Inst) (int64, bool) { return x + y, true },
		"sub": func(x, y int64, _ *ll.Inst) (int64, bool) { return x - y, true },
		"mul": func(x, y int64, i *ll.Inst) (int64, bool) {
			if c := constant(i.Args[1]); c != nil && *c >= 0 && *c < maxOffset && x >= 0 && x < 1<<20 {
				return x * *c, true
			}
			return 0, x == 0 && y == 0
		},
		"shl": func(x, y int64, i *ll.Inst) (int64, bool) {
			if c := constant(i.Args[1]); c != nil && *c >= 0 && *c < 30 && x >= 0 && x < 1<<20 {
				return x << *c, true
			}
			return 0, x == 0 && y == 0
		},
		"or": func(x, y int64, i *ll.Inst) (int64, bool) { return 0, x == 0 && y == 0 },
		"and": func(x, y int64, i *ll.Inst) (int64, bool) {
			return 0, x == 0 && y == 0
		},
		"xor":  func(x, y int64, i *ll.Inst) (int64, bool) { return 0, x == 0 && y == 0 },
		"lshr": func(x, y int64, i *ll.Inst) (int64, bool) { return 0, x == 0 && y == 0 },
		"zext": func(x, _ int64, _ *ll.Inst) (int64, bool) { return 0, x == 0 },
		"sext": func(x, _ int64, _ *ll.Inst) (int64, bool) { return 0, x == 0 },
	}
}}

// rowShape is the shape of an operation that varies, but may be linear within rows.
func (a *analysis) rowShape(i *ll.Inst) shape {
	if i.Op == "getelementptr" {
		return a.rowAddress(i)
	}
	f := rowOps.Get()[i.Op]
	if a.tile == 0 || f == nil || i.Typ.Kind != ll.Int || i.Typ.Bits < 8 {
		return isVarying
	}
	var strides [2]int64
	for n, x := range i.Args {
		s, ok := a.rowStride(a.shapeOf(x))
		if !ok {
			return isVarying
		}
		strides[n] = s
	}
	if s, ok := f(strides[0], strides[1], i); ok && s < maxOffset && s > -maxOffset {
		return inRows(s)
	}
	return isVarying
}

func (a *analysis) rowAddress(i *ll.Inst) shape {
	sum, ok := a.rowStride(a.shapeOf(i.Args[0]))
	if !ok || a.scale(i.Args[0]) != 1 {
		return isVarying
	}
	for _, t := range gepTerms(i) {
		if t.index == nil {
			continue
		}
		s, ok := a.rowStride(a.shapeOf(t.index))
		if !ok || s != 0 && t.index.Type().Bits < 64 {
			return isVarying
		}
		sum += s * t.offset
	}
	if sum > maxOffset || sum < -maxOffset {
		return isVarying
	}
	return inRows(sum)
}

// rowPlace is the address of each row's first lane, and the stride within rows.
type rowPlace struct {
	bases  []string
	stride int64
}

// rowsOf takes an address apart by rows, nil if it cannot be.
func (e *emitter) rowsOf(p ll.Value, off int) *rowPlace {
	s := e.shapeOf(p)
	stride, ok := e.rowStride(s)
	if !ok || s.kind == linear {
		return nil
	}
	r := &rowPlace{stride: stride}
	if s.kind == patterned {
		base, c := e.strip(p)
		offs := e.offsets(s)
		for l := 0; l < e.n; l += tileRow {
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
	for l := 0; l < e.n; l += tileRow {
		heads = append(heads, e.rowHead(v, l))
	}
	return heads
}

func (e *emitter) rowHead(v ll.Value, l int) string {
	t := v.Type().Text
	if s := e.shapeOf(v); s.kind != varying {
		x := e.get(v)
		switch off := e.offsets(s)[l]; {
		case off == 0:
			return x
		case v.Type().Kind == ll.Ptr:
			return e.let("getelementptr i8, ptr %s, i64 %d", x, off)
		default:
			return e.let("add %s %s, %d", t, x, off)
		}
	}
	i, ok := rowInst(v)
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
	case "zext", "sext":
		return e.let("%s %s %s to %s", i.Op, i.Args[0].Type().Text, args[0], t)
	}
	return e.let("%s %s %s, %s", i.Op, t, args[0], args[1])
}

// rowInst is v if rowHead can compute it from its operands.
func rowInst(v ll.Value) (*ll.Inst, bool) {
	i, ok := v.(*ll.Inst)
	return i, ok && (i.Op == "getelementptr" || rowOps.Get()[i.Op] != nil)
}

// rowLeaves are the values that rowHead computes v from.
func (a *analysis) rowLeaves(v ll.Value) []ll.Value {
	i, ok := rowInst(v)
	if !ok || a.shapeOf(v).kind != varying || !a.shapeOf(v).rows {
		return []ll.Value{v}
	}
	var out []ll.Value
	for _, x := range i.Args {
		out = append(out, a.rowLeaves(x)...)
	}
	return out
}

// rowMask is the part of a mask that a row has.
func (e *emitter) rowMask(mask string, row int) string {
	return e.let("shufflevector %s %s, %s poison, <%d x i32> %s", e.maskType(), mask, e.maskType(), tileRow, laneNumbers(row*tileRow, tileRow))
}

// loadRows reads row by row, or returns "" where a gather is better.
func (e *emitter) loadRows(t *ll.Type, p place, align int, mask string) string {
	if e.tile == 0 || p.ptr == nil || t.Kind != ll.Int && t.Kind != ll.Float {
		return ""
	}
	full := e.isFull(mask)
	if stride, ok := e.rowStride(e.shapeOf(p.ptr)); !ok || stride != int64(t.Size()) && !(stride == 0 && full) {
		return ""
	}
	r := e.rowsOf(p.ptr, p.off)
	if r == nil {
		return ""
	}
	row := fmt.Sprintf("<%d x %s>", tileRow, t.Text)
	var parts []string
	for k, base := range r.bases {
		switch {
		case r.stride == 0:
			x := e.let("load %s, ptr %s, align %d", t.Text, base, align)
			one := e.let("insertelement %s poison, %s %s, i64 0", row, t.Text, x)
			parts = append(parts, e.let("shufflevector %s %s, %s poison, <%d x i32> zeroinitializer", row, one, row, tileRow))
		case full:
			parts = append(parts, e.let("load %s, ptr %s, align %d", row, base, align))
		default:
			m := fmt.Sprintf("<%d x i1>", tileRow)
			f := e.declare(fmt.Sprintf("%s @llvm.masked.load.%s.p0(ptr, i32 immarg, %s, %s)", row, memSuffix(tileRow, t), m, row))
			parts = append(parts, e.let("call %s %s(ptr %s, i32 %d, %s %s, %s poison)", row, f, base, align, m, e.rowMask(mask, k), row))
		}
	}
	return e.concat(t.Text, tileRow, parts)
}

// storeRows writes row by row, and reports whether it could.
func (e *emitter) storeRows(t *ll.Type, x string, p place, align int, mask string) bool {
	if e.tile == 0 || p.ptr == nil || t.Kind != ll.Int && t.Kind != ll.Float {
		return false
	}
	if stride, ok := e.rowStride(e.shapeOf(p.ptr)); !ok || stride != int64(t.Size()) {
		return false
	}
	r := e.rowsOf(p.ptr, p.off)
	if r == nil {
		return false
	}
	row, m := fmt.Sprintf("<%d x %s>", tileRow, t.Text), fmt.Sprintf("<%d x i1>", tileRow)
	for k, base := range r.bases {
		part := e.let("shufflevector %s %s, %s poison, <%d x i32> %s", e.vec(t), x, e.vec(t), tileRow, laneNumbers(k*tileRow, tileRow))
		if e.isFull(mask) {
			e.line("store %s %s, ptr %s, align %d", row, part, base, align)
			continue
		}
		f := e.declare(fmt.Sprintf("void @llvm.masked.store.%s.p0(%s, ptr, i32 immarg, %s)", memSuffix(tileRow, t), row, m))
		e.line("call void %s(%s %s, ptr %s, i32 %d, %s %s)", f, row, part, base, align, m, e.rowMask(mask, k))
	}
	return true
}
