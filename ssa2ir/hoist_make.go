package ssa2ir

// This file makes the checks of hoist.go ahead of their loops.

import (
	"cmp"
	"go/constant"
	"go/token"
	"slices"

	"github.com/llir/llvm/ir"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/ops"
	"heddle/internal/target"
)

// makeHoisted makes the checks of the loop that block from leads into.
func (f *function) makeHoisted(from *ssa.BasicBlock) {
	h := f.hoists[from.Succs[0]]
	if h == nil || f.copying != nil || len(from.Succs) > 1 && (f.know.taken(from, from.Succs[1]) || !f.know.taken(from, from.Succs[0])) || h.loop.blocks[from] {
		return
	}
	if f.proof != nil {
		h.first = f.proof.placeOn(from, from.Succs[0])
	}
	if f.opts.NoBounds {
		for _, c := range h.checks {
			f.findLine(h, c)
		}
		h.first = nil
		return
	}
	first := h.first
	for stage := range h.next() {
		h.first = first
		bad, exact := f.failing(h, stage)
		for n, c := range h.checks {
			if h.stages[n] == stage {
				f.hoisted[c] = true
			}
		}
		f.panicOn(h, bad, exact)
	}
}

// failing says that a check of a stage fails. exact says that this is so only where one does.
func (f *function) failing(h *hoist, stage int) (bad target.Value, exact bool) {
	bad, exact = target.Bool(false), true
	var rest []*ssa.IndexAddr
	for n, c := range h.checks {
		if h.stages[n] != stage {
			continue
		}
		fails, sure := f.ends(h, c)
		if fails == nil {
			rest = append(rest, c)
			continue
		}
		bad, exact = f.Bin("or", bad, fails), exact && sure
	}
	h.first = nil
	f.each(h, func(known map[ssa.Value]target.Value) {
		for _, c := range rest {
			bad = f.Bin("or", bad, f.test(h, c, known).bad)
		}
	})
	return bad, exact
}

// panicOn panics with the first check that fails if any does.
func (f *function) panicOn(h *hoist, bad target.Value, exact bool) {
	cold, ok := f.NewBlock(), f.NewBlock()
	if !exact && f.M.T.Votes {
		bad = f.Do(ops.Any, nil, bad)
	}
	f.CondBr(bad, cold, ok)
	f.Cur = cold
	if len(h.checks)*h.times() > maxStraight && h.evenSteps() {
		f.findFirst(h)
	} else {
		f.each(h, func(known map[ssa.Value]target.Value) {
			for _, c := range h.checks {
				f.panicAt(f.test(h, c, known))
			}
		})
	}
	if exact {
		f.Unreachable()
	} else {
		f.Br(ok)
	}
	f.Cur = ok
}

// maxStraight is how many checks are made one after the other to find the first that fails.
const maxStraight = 6

// panicAt panics if a check fails.
func (f *function) panicAt(t test) {
	fail, next := f.NewBlock(), f.NewBlock()
	if t.bad == nil {
		t.bad = f.ICmp("uge", t.idx, t.n)
	}
	f.CondBr(t.bad, fail, next)
	f.Cur = fail
	f.at(t.at)
	f.raise(indexPanic(t.at.Index.Type()), true, t.idx, t.n)
	f.Cur = next
}

// findFirst makes loops like those of the hoist, with nothing in them but the checks, and
// panics with the first that fails.
func (f *function) findFirst(h *hoist) {
	vars := make([]*target.Inst, len(h.runs))
	heads := make([]*ir.Block, len(h.runs))
	known := map[ssa.Value]target.Value{}
	for i, r := range h.runs {
		from := f.Cur
		heads[i] = f.NewBlock()
		f.Br(heads[i])
		f.Cur = heads[i]
		vars[i] = f.Phi(f.llType(r.phi.Type()))
		target.AddIncoming(vars[i], f.scalarConst(r.phi.Type(), r.values[0]), from)
		known[r.phi] = vars[i]
	}
	for _, c := range h.checks {
		f.panicAt(f.test(h, c, known))
	}
	for i, r := range slices.Backward(h.runs) {
		t := r.phi.Type()
		next, done := f.Bin("add", vars[i], f.scalarConst(t, r.step())), f.NewBlock()
		from := f.Cur
		f.CondBr(f.ICmp("eq", vars[i], f.scalarConst(t, r.values[len(r.values)-1])), done, heads[i])
		f.hintAs(r.loop.header, 1)
		target.AddIncoming(vars[i], next, from)
		f.Cur = done
	}
}

// each makes something in each iteration, in the order of the program, given the loops' variables.
func (f *function) each(h *hoist, body func(known map[ssa.Value]target.Value)) {
	at := make([]int, len(h.runs))
	for {
		known := map[ssa.Value]target.Value{}
		for i, r := range h.runs {
			known[r.phi] = f.scalarConst(r.phi.Type(), r.values[at[i]])
		}
		body(known)
		i := len(at) - 1
		for i >= 0 && at[i] == len(h.runs[i].values)-1 {
			at[i] = 0
			i--
		}
		if i < 0 {
			return
		}
		at[i]++
	}
}

// ends makes one check, of the least and the greatest index that all iterations come to: the
// index is a straight line of each variable. exact says that it fails only where one of the
// iterations' checks does. It is nil if the index is no such line.
func (f *function) ends(h *hoist, c *ssa.IndexAddr) (fails target.Value, exact bool) {
	slopes, varying := f.slopes(h, c)
	if slopes == nil {
		return nil, false
	}
	exact = true
	known := f.firsts(h)
	line := f.beginLine(h, c, known)
	least, most := line.begin, line.begin
	n := f.lengthOf(c.X)
	fails = target.Bool(false)
	above := false // the index is never negative
	for i, r := range h.runs {
		first, _ := constant.Int64Val(r.values[0])
		last, _ := constant.Int64Val(r.values[len(r.values)-1])
		by := f.addStep(line, h, r, slopes[i], known)
		change := f.Bin("mul", by, target.Int(target.I64, last-first))
		switch s := slopes[i]; {
		case !s.constant():
			// Taken to rise, as steps of rows and planes do; else each check is made by itself.
			exact = false
			if row, limit := f.rowLimit(f.proof, c, s); row != nil && varying == 1 {
				fails, above = f.Bin("or", fails, f.isBeyond(row, f.early(row, h, known), limit)), true
			} else {
				fails = f.Bin("or", fails, f.ICmp("uge", by, target.Int(target.I64, maxScale)))
			}
			if first > last {
				least = f.Bin("add", least, change)
			} else {
				most = f.Bin("add", most, change)
			}
		case s.c*(last-first) < 0:
			least = f.Bin("add", least, change)
		default:
			most = f.Bin("add", most, change)
		}
	}
	if varying > 0 && f.takesLine(c) {
		f.lines[c] = line
	}
	if above {
		return f.Bin("or", fails, f.ICmp("uge", most, n)), exact
	}
	return f.Bin("or", fails, f.outside(least, most, n)), exact
}

// slopes are how the index of a check goes by each of the loops' variables, and how many of them are not constant. They are nil
// if it is no straight line.
func (f *function) slopes(h *hoist, c *ssa.IndexAddr) (all []slope, varying int) {
	if f.proof == nil {
		return nil, 0
	}
	for _, r := range h.runs {
		t := &tangent{f: f, exact: true, phi: func(x *ssa.Phi) (slope, bool) {
			if x == r.phi {
				return slope{c: 1}, true
			}
			if o, ok := h.others[x]; ok {
				return o.by, true
			}
			return slope{}, h.is(x)
		},
			fixed: func(x ssa.Value) bool { return h.fixed(x) }}
		s, ok := t.of(c.Index, 0)
		if !ok || s.constant() && (s.c > steep || s.c < -steep) || !inSteps(r.values) {
			return nil, 0
		}
		all = append(all, s)
		if !s.constant() {
			varying++
		}
	}
	return all, varying
}

// firsts are the loops' variables in the first iterations.
func (f *function) firsts(h *hoist) map[ssa.Value]target.Value {
	known := map[ssa.Value]target.Value{}
	for _, r := range h.runs {
		known[r.phi] = f.scalarConst(r.phi.Type(), r.values[0])
	}
	return known
}

// A line is an index as the sum of what it begins with and steps of the loops' variables, some of which the program does not name:
// rows and planes. In loops that are unrolled each index is then the one before it and a step, where it was a product.
type line struct {
	begin target.Value
	by    []target.Value
	phis  []*ssa.Phi
	first []int64
}

// beginLine makes what a line begins with, given the loops' variables in the first iterations.
func (f *function) beginLine(h *hoist, c *ssa.IndexAddr, known map[ssa.Value]target.Value) *line {
	return &line{begin: f.IntCast(f.early(c.Index, h, known), target.I64, isSigned(c.Index.Type()))}
}

// addStep makes the step by a loop's variable, adds it to a line and returns it.
func (f *function) addStep(l *line, h *hoist, r *constantRun, s slope, known map[ssa.Value]target.Value) target.Value {
	by := f.slopeValue(s, func(x ssa.Value) target.Value { return f.early(x, h, known) })
	first, _ := constant.Int64Val(r.values[0])
	l.by, l.phis, l.first = append(l.by, by), append(l.phis, r.phi), append(l.first, first)
	return by
}

// takesLine reports whether the index of a check is computed by its line, if it has one.
func (f *function) takesLine(c *ssa.IndexAddr) bool {
	return sizeof(c.Index.Type()) == 8 && f.M.T.Narrow
}

// findLine finds the line of an index that is not checked. It needs nothing of what is indexed, which the loop may have to
// find first: an element of an array of slices.
func (f *function) findLine(h *hoist, c *ssa.IndexAddr) {
	slopes, varying := f.slopes(h, c)
	if varying == 0 || !f.takesLine(c) {
		return
	}
	known := f.firsts(h)
	l := f.beginLine(h, c, known)
	for i, r := range h.runs {
		f.addStep(l, h, r, slopes[i], known)
	}
	f.lines[c] = l
}

// lineIndex is the index of a check, by its line if that is known.
func (f *function) lineIndex(a *ssa.IndexAddr) target.Value {
	l := f.lines[a]
	if l == nil {
		return f.index(a.Index)
	}
	x := l.begin
	for i, phi := range l.phis {
		steps := f.Bin("sub", f.index(phi), target.Int(target.I64, l.first[i]))
		x = f.Bin("add", x, f.Bin("mul", steps, l.by[i]))
	}
	return x
}

// outside says that not both ends of a range are indices, where the way from the least to the most is short and does
// not lead down. An index that is less than the most one and not negative is in range, too.
func (f *function) outside(least, most, n target.Value) target.Value {
	if least == most {
		return f.ICmp("uge", least, n)
	}
	return f.Bin("or", f.ICmp("slt", least, target.Int(target.I64, 0)), f.ICmp("uge", most, n))
}

// inSteps reports whether values differ by little from each other. Between the first and the
// last, none lies outside.
func inSteps(values []constant.Value) bool {
	const far = 1 << 20
	var all []int64
	for _, v := range values {
		k, ok := constant.Int64Val(v)
		if !ok || k > far || k < -far {
			return false
		}
		all = append(all, k)
	}
	return slices.IsSorted(all) || slices.IsSortedFunc(all, func(a, b int64) int { return cmp.Compare(b, a) })
}

// evenSteps reports whether each variable goes by steps of one size.
func (h *hoist) evenSteps() bool {
	for _, r := range h.runs {
		for i := 2; i < len(r.values); i++ {
			if constant.Compare(constant.BinaryOp(r.values[i], token.SUB, r.values[i-1]), token.NEQ, r.step()) {
				return false
			}
		}
	}
	return true
}
