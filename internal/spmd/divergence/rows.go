package divergence

import (
	"heddle/internal/lazy"
	"heddle/internal/spmd/ll"
)

// TileRow is the length of a tile's rows.
const TileRow = 16

// RowStride is by how much values grow from lane to lane within each row of a tile,
// and whether that is so.
func (a *Analysis) RowStride(s Shape) (stride int64, ok bool) {
	switch {
	case a.Tile == 0 || s.Kind == Unknown || s.Kind == Varying && !s.Rows:
		return 0, false
	case s.Kind != Patterned:
		return s.Stride, true
	}
	offs := a.Offsets(s)
	stride = offs[1] - offs[0]
	for l := range offs {
		if row := l / TileRow * TileRow; offs[l]-offs[row] != int64(l-row)*stride {
			return 0, false
		}
	}
	return stride, true
}

func inRows(stride int64) Shape { return Shape{Kind: Varying, Rows: true, Stride: stride} }

// rowOps are the operations that keep values linear within rows, given the operands' strides.
var rowOps = lazy.Value[map[string]func(x, y int64, i *ll.Inst) (int64, bool)]{Make: func() map[string]func(x, y int64, i *ll.Inst) (int64, bool) {
	return map[string]func(x, y int64, i *ll.Inst) (int64, bool){
		"add": func(x, y int64, _ *ll.Inst) (int64, bool) { return x + y, true },
		"sub": func(x, y int64, _ *ll.Inst) (int64, bool) { return x - y, true },
		"mul": func(x, y int64, i *ll.Inst) (int64, bool) {
			if c := Constant(i.Args[1]); c != nil && *c >= 0 && *c < maxOffset && x >= 0 && x < 1<<20 {
				return x * *c, true
			}
			return 0, x == 0 && y == 0
		},
		"shl": func(x, y int64, i *ll.Inst) (int64, bool) {
			if c := Constant(i.Args[1]); c != nil && *c >= 0 && *c < 30 && x >= 0 && x < 1<<20 {
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
func (a *Analysis) rowShape(i *ll.Inst) Shape {
	if i.Op == "getelementptr" {
		return a.rowAddress(i)
	}
	f := rowOps.Get()[i.Op]
	if a.Tile == 0 || f == nil || i.Typ.Kind != ll.Int || i.Typ.Bits < 8 {
		return IsVarying
	}
	var strides [2]int64
	for n, x := range i.Args {
		s, ok := a.RowStride(a.ShapeOf(x))
		if !ok {
			return IsVarying
		}
		strides[n] = s
	}
	if s, ok := f(strides[0], strides[1], i); ok && s < maxOffset && s > -maxOffset {
		return inRows(s)
	}
	return IsVarying
}

func (a *Analysis) rowAddress(i *ll.Inst) Shape {
	sum, ok := a.RowStride(a.ShapeOf(i.Args[0]))
	if !ok || a.Scale(i.Args[0]) != 1 {
		return IsVarying
	}
	for _, t := range GepTerms(i) {
		if t.Index == nil {
			continue
		}
		s, ok := a.RowStride(a.ShapeOf(t.Index))
		if !ok || s != 0 && t.Index.Type().Bits < 64 {
			return IsVarying
		}
		sum += s * t.Offset
	}
	if sum > maxOffset || sum < -maxOffset {
		return IsVarying
	}
	return inRows(sum)
}

// RowInst is v if rowHead can compute it from its operands.
func RowInst(v ll.Value) (*ll.Inst, bool) {
	i, ok := v.(*ll.Inst)
	return i, ok && (i.Op == "getelementptr" || rowOps.Get()[i.Op] != nil)
}

// rowLeaves are the values that rowHead computes v from.
func (a *Analysis) rowLeaves(v ll.Value) []ll.Value {
	i, ok := RowInst(v)
	if !ok || a.ShapeOf(v).Kind != Varying || !a.ShapeOf(v).Rows {
		return []ll.Value{v}
	}
	var out []ll.Value
	for _, x := range i.Args {
		out = append(out, a.rowLeaves(x)...)
	}
	return out
}
