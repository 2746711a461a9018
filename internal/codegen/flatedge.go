package codegen

import (
	"fmt"
	"slices"
	"strings"
)

// This file makes choices of a short branch that compares floats where the place where its ways meet has others that lead there, as the last of
// several questions. LLVM does so if it is integers that are compared.
//
//	b: %c = fcmp ogt float %far, %d                      b: %c = fcmp ogt float %far, %d
//	   br i1 %c, label %e, label %j                         %heddle.flat.1 = select i1 %c, float %d, float %far
//	e: br label %j                                          br label %j
//	j: %v = phi [ %d, %e ], [ %far, %b ], [ %x, %a ]  ->  j: %v = phi [ %heddle.flat.1, %b ], [ %x, %a ]

// An edge is such a branch: of a block to another one with a few instructions, and of both to a third.
type edge struct{ from, arm, join *flowBlock }

// edgeAt is the edge that begins at a block, nil if there is none.
func (f *flattener) edgeAt(b *flowBlock) *edge {
	if f.how.edges == 0 || !f.isPlainBranch(b) || f.values[b.cond] == nil || !strings.HasPrefix(f.values[b.cond].text, "fcmp ") {
		return nil
	}
	for k, arm := range b.succs {
		e := &edge{b, arm, b.succs[1-k]}
		if len(arm.preds) != 1 || len(arm.succs) != 1 || arm.succs[0] != e.join || e.join == b || e.join == arm || len(e.join.preds) < 3 || f.labelOf(arm) == "" || f.panics(e.join) {
			continue
		}
		f.arms, f.inner = 0, nil
		if !f.cheap(arm) {
			continue
		}
		from, by := f.incomingOf(e.join, b), f.incomingOf(e.join, arm)
		bits := false // of which ptxas makes numbers
		for n, name := range f.phisOf(e.join) {
			if typ, _, _ := f.values[name].phi(); from[n] != by[n] {
				f.arms++
				bits = bits || typ == "i1"
			}
		}
		if f.arms <= f.how.edges && !bits {
			return e
		}
	}
	return nil
}

// joinEdge makes choices of an edge.
func (f *flattener) joinEdge(e *edge) {
	loc := debugLoc.Get().FindString(f.lines[e.from.end])
	out := f.instructions(e.arm)
	from, by := f.incomingOf(e.join, e.from), f.incomingOf(e.join, e.arm)
	for n, name := range f.phisOf(e.join) {
		typ, in, _ := f.values[name].phi()
		value := from[n]
		if by[n] != from[n] {
			x, y := by[n], from[n]
			if e.from.succs[0] == e.join {
				x, y = y, x
			}
			value = f.fresh()
			out = append(out, fmt.Sprintf("  %s = select i1 %s, %s %s, %s %s%s", value, e.from.cond, typ, x, typ, y, loc))
		}
		var ways []string
		for _, w := range in {
			switch w[1] {
			case f.labelOf(e.arm):
				continue
			case f.labelOf(e.from):
				w[0] = value
			}
			ways = append(ways, fmt.Sprintf("[ %s, %s ]", w[0], w[1]))
		}
		f.lines[f.values[name].line] = fmt.Sprintf("  %s = phi %s %s", name, typ, strings.Join(ways, ", "))
	}
	out = append(out, "  br label "+f.labelOf(e.join)+loc)
	for n := e.arm.begin - 1; n <= e.arm.end; n++ {
		f.lines[n] = ""
	}
	f.lines[e.from.end] = strings.Join(slices.Clip(out), "\n")
}
