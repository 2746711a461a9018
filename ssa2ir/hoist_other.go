package ssa2ir

// This file has hoist.go follow variables that go by steps of their own, as a place in a column does:
//
//	for i := 0; i < 8; i++ {
//		at += stride
//		tile[i] = in[at]
//	}

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// findOthers finds the variables of a hoist's one loop, which counts by 1, that go by steps that it leaves alone.
func (f *function) findOthers(h *hoist) {
	r := h.runs[0]
	sign, ok := constant.Int64Val(r.step())
	if len(h.runs) > 1 || !ok || sign != 1 && sign != -1 || !h.evenSteps() {
		return
	}
	fixed := func(x ssa.Value) bool { i, ok := x.(ssa.Instruction); return !ok || !h.loop.blocks[i.Block()] }
	h.others = map[*ssa.Phi]stepping{}
	for _, i := range r.loop.header.Instrs {
		phi, ok := i.(*ssa.Phi)
		if !ok {
			return
		}
		begin, next := f.edges(phi, r.loop)
		if phi == r.phi || begin == nil || next == nil {
			continue
		}
		if by, ok := f.goesBy(phi, next, fixed, sign); ok {
			h.others[phi] = stepping{begin, by}
		}
	}
}

// edges are what a variable of a loop begins with and what it gets in every way back, nil where that differs.
func (f *function) edges(phi *ssa.Phi, l *loop) (begin, next ssa.Value) {
	var brought [2][]ssa.Value
	for i, from := range phi.Block().Preds {
		if !f.know.taken(from, phi.Block()) {
			continue
		}
		k := 0
		if l.blocks[from] {
			k = 1
		}
		brought[k] = append(brought[k], phi.Edges[i])
	}
	one := func(all []ssa.Value) ssa.Value {
		for _, v := range all {
			if v != all[0] {
				return nil
			}
		}
		if len(all) == 0 {
			return nil
		}
		return all[0]
	}
	return one(brought[0]), one(brought[1])
}

// earlyOther computes such a variable ahead of the loop; known has the loop's own.
func (f *function) earlyOther(phi *ssa.Phi, h *hoist, known map[ssa.Value]target.Value) target.Value {
	r, o := h.runs[0], h.others[phi]
	wide := func(x target.Value, of *ssa.Phi) target.Value { return f.IntCast(x, target.I64, isSigned(of.Type())) }
	steps := f.Bin("sub", wide(known[r.phi], r.phi), wide(f.scalarConst(r.phi.Type(), r.values[0]), r.phi))
	by := f.slopeValue(o.by, f.value)
	return f.Bin("add", f.value(o.begin), f.Bin("mul", steps, by))
}
