package ssa2ir

// This file moves bounds checks out of loops that run a constant number of
// times, so that LLVM can unroll such a loop into loads that are all under way
// at once. With a check between each use and the next load they would wait for
// one another:
//
//	for j := 0; j < 32; j += 8 {
//		tile[t.Y+j][t.X] = in[(y+j)*n+x]
//	}
//
// The checks of all iterations come first; if one fails, the first of them, in
// the order of the program, is the panic. That is allowed only where nobody
// could tell: the loop has no way out but its end, writes to nothing but local
// and shared memory, which die with the block, and can panic for no other reason.

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

const maxHoisted = 64 // checks, in all iterations of a loop

// A hoist is a loop whose checks are made before it.
type hoist struct {
	loop   *loop
	phi    *ssa.Phi         // the loop's variable
	values []constant.Value // its value in each iteration
	atEnd  bool             // the test comes after the body, not before
	checks []*ssa.IndexAddr // in order
}

// findHoists returns the hoists of the function, by loop header.
func (f *function) findHoists() map[*ssa.BasicBlock]*hoist {
	found := map[*ssa.BasicBlock]*hoist{}
	if f.opts.NoBounds {
		return found
	}
	all := loopsOf(f.in.fn, f.know)
	for _, l := range all {
		innermost := !slices.ContainsFunc(all, func(m *loop) bool { return m != l && l.blocks[m.header] })
		if h := (&hoist{loop: l}); innermost && l.trips > 1 && h.count(f.know) && f.collect(h) && len(h.checks) > 0 && len(h.checks)*len(h.values) <= maxHoisted {
			found[l.header] = h
		}
	}
	return found
}

// count finds the loop's variable and its values, if there is one way out and
// whole iterations only.
func (h *hoist) count(know *evaluator) bool {
	l := h.loop
	var exit *ssa.If
	var latch *ssa.BasicBlock
	for b := range l.blocks {
		for _, s := range b.Succs {
			if s == l.header {
				latch = b
			}
			if l.blocks[s] {
				continue
			}
			br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
			if !ok || exit != nil {
				return false
			}
			exit = br
		}
	}
	if exit == nil || exit.Block() != l.header && exit.Block() != latch {
		return false
	}
	test, ok := exit.Cond.(*ssa.BinOp)
	if !ok || !l.blocks[exit.Block().Succs[0]] {
		return false
	}
	if h.phi = counter(test.X); h.phi == nil || h.phi.Block() != l.header {
		return false
	}
	h.atEnd = exit.Block() == latch && (latch != l.header || len(l.blocks) == 1)
	return h.iterate(test, know)
}

// iterate follows the variable from its first value to the last.
func (h *hoist) iterate(test *ssa.BinOp, know *evaluator) bool {
	bound := know.value(test.Y)
	at, step := phiSteps(h.phi)
	if bound == nil || bound.Kind() != constant.Int || at == nil || test.X != h.phi && !slices.Contains(h.phi.Edges, test.X) {
		return false
	}
	for len(h.values) <= maxHoisted {
		next := step(at)
		tested := at
		if test.X != h.phi {
			tested = next
		}
		if next == nil {
			return false
		}
		goes := constant.Compare(tested, test.Op, bound)
		if goes || h.atEnd {
			h.values = append(h.values, at)
		}
		if !goes {
			return len(h.values) > 1
		}
		at = next
	}
	return false
}

// collect lists the checks, and reports whether nothing speaks against making
// them early.
func (f *function) collect(h *hoist) bool {
	l := h.loop
	for _, b := range f.in.fn.DomPreorder() {
		if !l.blocks[b] {
			continue
		}
		for _, i := range b.Instrs {
			if a, ok := i.(*ssa.IndexAddr); ok && !f.passes(a, a.Index, a.X) {
				everyTime := !slices.ContainsFunc(l.header.Preds, func(p *ssa.BasicBlock) bool { return l.blocks[p] && !b.Dominates(p) })
				onlyWithin := b != l.header || h.atEnd
				if !everyTime || !onlyWithin || !f.in.early(a.Index, h) || !f.in.earlyLength(a.X, h) {
					return false
				}
				h.checks = append(h.checks, a)
			}
			if !f.in.harmless(i, l) {
				return false
			}
		}
	}
	return true
}

// early reports whether a value of the loop can be computed before it.
func (in *instance) early(v ssa.Value, h *hoist) bool {
	i, ok := v.(ssa.Instruction)
	if !ok || !h.loop.blocks[i.Block()] || v == h.phi {
		return true
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		return isInteger(v.Type()) && intOps.Get()[v.Op] != "" && in.early(v.X, h) && in.early(v.Y, h) ||
			(v.Op == token.QUO || v.Op == token.REM) && isNonZero(v.Y) && isInteger(v.Type()) && in.early(v.X, h)
	case *ssa.Convert:
		return isInteger(v.Type()) && isInteger(v.X.Type()) && in.early(v.X, h)
	case *ssa.Call: // min, max
		return isMinMax(v) && isInteger(v.Type()) && !slices.ContainsFunc(v.Call.Args, func(a ssa.Value) bool { return !in.early(a, h) })
	case *ssa.UnOp: // a field of a local variable that the loop leaves alone
		root := localRoot(v.X)
		return v.Op == token.MUL && isInteger(v.Type()) && root != nil && h.loop.leavesAlone(root)
	}
	return false
}

// earlyLength reports whether the length of what is indexed is known before the loop.
func (in *instance) earlyLength(v ssa.Value, h *hoist) bool {
	if _, ok := v.Type().Underlying().(*types.Pointer); ok {
		return in.nonNil(v) // of an array
	}
	i, ok := v.(ssa.Instruction)
	return !ok || !h.loop.blocks[i.Block()]
}

func isNonZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && constant.Sign(c.Value) != 0
}

// localRoot is the local variable that v is a field of, nil for anything else.
func localRoot(v ssa.Value) *ssa.Alloc {
	for {
		switch x := v.(type) {
		case *ssa.Alloc:
			return x
		case *ssa.FieldAddr:
			v = x.X
		default:
			return nil
		}
	}
}

// leavesAlone reports whether no instruction of the loop can change a variable:
// all its uses are in sight, and those in the loop read.
func (l *loop) leavesAlone(v ssa.Value) bool {
	if a, ok := v.(*ssa.Alloc); ok && l.blocks[a.Block()] {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if !l.leavesAlone(r) {
				return false
			}
		case *ssa.Store:
			if r.Addr != v || l.blocks[r.Block()] {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// harmless reports whether a check may be made before instruction i rather than after it.
func (in *instance) harmless(i ssa.Instruction, l *loop) bool {
	switch i := i.(type) {
	case *ssa.Store:
		return in.diesWithBlock(i.Addr)
	case *ssa.Call:
		if b, ok := i.Call.Value.(*ssa.Builtin); ok {
			return slices.Contains([]string{"len", "cap", "min", "max", "real", "imag", "complex"}, b.Name())
		}
		return in.facts(i).Free()
	case *ssa.UnOp:
		return i.Op != token.MUL || in.nonNil(i.X)
	case *ssa.FieldAddr:
		return in.nonNil(i.X)
	case *ssa.BinOp:
		switch i.Op {
		case token.QUO, token.REM:
			return !isInteger(i.Type()) || isNonZero(i.Y)
		case token.SHL, token.SHR:
			_, ok := i.Y.(*ssa.Const)
			return ok || !isSigned(i.Y.Type())
		}
		return true
	case *ssa.IndexAddr, *ssa.Phi, *ssa.Jump, *ssa.If, *ssa.Convert, *ssa.ChangeType, *ssa.Field, *ssa.Extract, *ssa.DebugRef, *ssa.Alloc:
		return true
	}
	return false
}

// diesWithBlock reports whether v points into local or shared memory.
func (in *instance) diesWithBlock(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.Alloc:
			return true
		case *ssa.Call:
			return in.facts(x).Shared()
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		default:
			return false
		}
	}
}

// A test is one hoisted check in one iteration.
type test struct {
	at          *ssa.IndexAddr
	bad, idx, n target.Value
}

// makeHoisted makes the checks of the loop that block from leads into.
func (f *function) makeHoisted(from *ssa.BasicBlock) {
	h := f.hoists[from.Succs[0]]
	if h == nil || len(from.Succs) > 1 && (f.know.taken(from, from.Succs[1]) || !f.know.taken(from, from.Succs[0])) || h.loop.blocks[from] {
		return
	}
	var tests []test
	var bad target.Value = target.Bool(false)
	for _, v := range h.values {
		known := map[ssa.Value]target.Value{h.phi: f.scalarConst(h.phi.Type(), v)}
		for _, c := range h.checks {
			f.at(c)
			t := test{at: c, idx: f.IntCast(f.early(c.Index, h, known), target.I64, isSigned(c.Index.Type()))}
			if p, ok := c.X.Type().Underlying().(*types.Pointer); ok {
				t.n = target.Int(target.I64, p.Elem().Underlying().(*types.Array).Len())
			} else {
				t.n = f.Elem(f.value(c.X), 1)
			}
			t.bad = f.ICmp("uge", t.idx, t.n)
			bad = f.Bin("or", bad, t.bad)
			tests = append(tests, t)
			f.hoisted[c] = true
		}
	}
	cold, ok := f.NewBlock(), f.NewBlock()
	f.CondBr(bad, cold, ok)
	f.Cur = cold
	for _, t := range tests {
		fail, next := f.NewBlock(), f.NewBlock()
		f.CondBr(t.bad, fail, next)
		f.Cur = fail
		f.at(t.at)
		f.raise(indexPanic(t.at.Index.Type()), true, t.idx, t.n)
		f.Cur = next
	}
	f.Unreachable()
	f.Cur = ok
}

// at sets the position of what is made next.
func (f *function) at(i ssa.Instruction) {
	if p := i.Pos(); p.IsValid() {
		f.pos = p
		f.Loc = f.location(p)
	}
}

// early computes a value of the loop before it; known has those of this iteration.
func (f *function) early(v ssa.Value, h *hoist, known map[ssa.Value]target.Value) target.Value {
	if x := known[v]; x != nil {
		return x
	}
	i, ok := v.(ssa.Instruction)
	if !ok || !h.loop.blocks[i.Block()] {
		return f.value(v)
	}
	var x target.Value
	switch v := v.(type) {
	case *ssa.BinOp:
		x = f.arith(v.Op, v.X.Type(), v.Y.Type(), f.early(v.X, h, known), f.early(v.Y, h, known))
	case *ssa.Convert:
		x = f.convert(f.early(v.X, h, known), v.X.Type(), v.Type())
	case *ssa.Call:
		for _, a := range v.Call.Args {
			y := f.early(a, h, known)
			if x != nil {
				y = f.pick(v, x, y)
			}
			x = y
		}
	case *ssa.UnOp:
		x = f.load(v.Type(), f.earlyAddress(v.X))
	}
	known[v] = x
	return x
}

func isMinMax(c *ssa.Call) bool {
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && (b.Name() == "min" || b.Name() == "max")
}

// pick is the one of two integers that c, a call of min or max, takes.
func (f *function) pick(c *ssa.Call, x, y target.Value) target.Value {
	op := token.LSS
	if c.Call.Value.Name() == "max" {
		op = token.GTR
	}
	return f.Select(f.compare(op, c.Type(), x, y), x, y)
}

func (f *function) earlyAddress(v ssa.Value) target.Value {
	if a, ok := v.(*ssa.FieldAddr); ok {
		return f.field(deref(a.X.Type()), f.earlyAddress(a.X), a.Field)
	}
	return f.value(v)
}
