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

// A hoist is a loop, or some within each other, whose checks are made before it.
type hoist struct {
	loop   *loop                  // the outermost
	runs   []*constantRun         // the outermost first
	checks []*ssa.IndexAddr       // in the innermost, in order
	stages []int                  // of the checks: how many branches come before
	loads  func(u *ssa.UnOp) bool // reports whether a value can be loaded ahead of the loop
	first  *place                 // ahead of the loop, while values of the first iterations are made
	others map[*ssa.Phi]stepping  // variables that go by steps of their own, of one loop that counts by 1
}

// A stepping is how a variable goes that is not the one that the loop counts by.
type stepping struct {
	begin ssa.Value
	by    slope // by the loop's variable
}

// A constantRun is a loop that runs a constant number of times.
type constantRun struct {
	loop   *loop
	phi    *ssa.Phi         // the loop's variable
	values []constant.Value // its value in each iteration
	atEnd  bool             // the test comes after the body, not before
}

// findHoists returns the hoists of the function, by loop header.
func (f *function) findHoists() map[*ssa.BasicBlock]*hoist {
	found := map[*ssa.BasicBlock]*hoist{}
	// Without checks there are only lines to find, and NVIDIA's compiler does better with products: a 27-point
	// stencil takes 1.02 of nvcc's time, and 1.16 with lines.
	if f.opts.NoBounds && !f.M.T.Votes {
		return found
	}
	all := loopsOf(f.in.fn, f.know)
	done := map[*loop]bool{}
	for _, l := range slices.Backward(all) {
		h := &hoist{loop: l}
		if done[l] || !h.nest(all, f.know) {
			continue
		}
		f.findOthers(h)
		if !f.collect(h) || len(h.checks) == 0 || len(h.checks)*h.times() > maxHoisted {
			continue
		}
		found[l.header] = h
		for _, r := range h.runs {
			done[r.loop] = true
		}
	}
	return found
}

// nest finds the loops within the outermost, of which each holds but one, and reports whether
// all run a constant number of times.
func (h *hoist) nest(all []*loop, know *evaluator) bool {
	for _, l := range slices.Backward(all) { // the larger first
		if l != h.loop && !h.loop.blocks[l.header] {
			continue
		}
		if n := len(h.runs); n > 0 && !h.runs[n-1].loop.blocks[l.header] {
			return false
		}
		r := &constantRun{loop: l}
		if l.trips <= 1 || !r.count(know) {
			return false
		}
		h.runs = append(h.runs, r)
	}
	return true
}

// times is how often the innermost body is run.
func (h *hoist) times() int {
	n := 1
	for _, r := range h.runs {
		n = min(n*len(r.values), maxHoisted+1)
	}
	return n
}

// inner is the loop with the checks.
func (h *hoist) inner() *constantRun { return h.runs[len(h.runs)-1] }

// is reports whether v is the variable of one of the loops.
func (h *hoist) is(v ssa.Value) bool {
	return slices.ContainsFunc(h.runs, func(r *constantRun) bool { return r.phi == v })
}

// count finds the loop's variable and its values, if there is one way out and
// whole iterations only.
func (h *constantRun) count(know *evaluator) bool {
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
func (h *constantRun) iterate(test *ssa.BinOp, know *evaluator) bool {
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
// them early. Without checks it lists the indices.
func (f *function) collect(h *hoist) bool {
	l := h.loop
	if f.opts.NoBounds {
		return f.collectIndices(h)
	}
	stage := 0
	h.loads = func(u *ssa.UnOp) bool {
		s, ok := f.loadStage(h, u)
		stage = max(stage, s)
		return ok
	}
	for _, b := range f.in.fn.DomPreorder() {
		if !l.blocks[b] {
			continue
		}
		for _, i := range b.Instrs {
			if a, ok := i.(*ssa.IndexAddr); ok && !f.passes(a, a.Index, a.X) {
				stage = 0
				if !h.everyTime(b) || !f.in.early(a.Index, h) || !f.in.earlyLength(a.X, h) {
					return false
				}
				h.checks, h.stages = append(h.checks, a), append(h.stages, stage)
			}
			if !f.in.harmless(i, l) {
				return false
			}
		}
	}
	return true
}

// collectIndices lists the indices of elements that can be computed early: for their lines only.
func (f *function) collectIndices(h *hoist) bool {
	for _, b := range f.in.fn.DomPreorder() {
		if !h.inner().loop.blocks[b] {
			continue
		}
		for _, i := range b.Instrs {
			if a, ok := i.(*ssa.IndexAddr); ok && h.everyTime(b) && f.in.early(a.Index, h) {
				h.checks = append(h.checks, a)
			}
		}
	}
	return true
}

// everyTime reports whether a block is run once in each iteration of the innermost loop.
func (h *hoist) everyTime(b *ssa.BasicBlock) bool {
	in := h.inner()
	if !in.loop.blocks[b] || b == in.loop.header && !in.atEnd {
		return false
	}
	for i, r := range h.runs { // the loop within is run, as it runs a constant number of times
		if i+1 < len(h.runs) && !r.loop.always(h.runs[i+1].loop.header) {
			return false
		}
	}
	return in.loop.always(b)
}

// always reports whether every way back in the loop leads through a block.
func (l *loop) always(b *ssa.BasicBlock) bool {
	return !slices.ContainsFunc(l.header.Preds, func(p *ssa.BasicBlock) bool { return l.blocks[p] && !b.Dominates(p) })
}

// early reports whether a value of the loop can be computed before it.
func (in *instance) early(v ssa.Value, h *hoist) bool {
	i, ok := v.(ssa.Instruction)
	if !ok || !h.loop.blocks[i.Block()] || h.is(v) {
		return true
	}
	switch v := v.(type) {
	case *ssa.Phi:
		_, ok := h.others[v]
		return ok
	case *ssa.BinOp:
		return isInteger(v.Type()) && intOps.Get()[v.Op] != "" && in.early(v.X, h) && in.early(v.Y, h) ||
			(v.Op == token.QUO || v.Op == token.REM) && isNonZero(v.Y) && isInteger(v.Type()) && in.early(v.X, h)
	case *ssa.Convert:
		return isInteger(v.Type()) && isInteger(v.X.Type()) && in.early(v.X, h)
	case *ssa.Call: // min, max
		return isMinMax(v) && isInteger(v.Type()) && !slices.ContainsFunc(v.Call.Args, func(a ssa.Value) bool { return !in.early(a, h) })
	case *ssa.UnOp:
		if v.Op != token.MUL || !isInteger(v.Type()) {
			return false
		}
		if root := localRoot(v.X); root != nil { // a field of a local variable that the loop leaves alone
			return h.loop.leavesAlone(root)
		}
		return h.loads != nil && h.loads(v)
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
	case *ssa.Index:
		return hasConstantIndex(i)
	case *ssa.IndexAddr, *ssa.Phi, *ssa.Jump, *ssa.If, *ssa.Convert, *ssa.ChangeType, *ssa.Field, *ssa.Extract, *ssa.DebugRef, *ssa.Alloc:
		return true
	}
	return false
}

// hasConstantIndex reports whether an element of an array is one that it has.
func hasConstantIndex(i *ssa.Index) bool {
	_, isConst := i.Index.(*ssa.Const)
	return isConst && !isString(i.X.Type())
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

// step is the difference of a run's first two values.
func (r *constantRun) step() constant.Value {
	return constant.BinaryOp(r.values[1], token.SUB, r.values[0])
}

// test makes a check, given the variables of the loops.
func (f *function) test(h *hoist, c *ssa.IndexAddr, known map[ssa.Value]target.Value) test {
	t := test{at: c, idx: f.IntCast(f.early(c.Index, h, known), target.I64, isSigned(c.Index.Type())), n: f.lengthOf(c.X)}
	t.bad = f.ICmp("uge", t.idx, t.n)
	return t
}

// fixed reports whether a value is made outside the loops, or loaded from a local variable that
// they leave alone.
func (h *hoist) fixed(x ssa.Value) bool {
	i, ok := x.(ssa.Instruction)
	if !ok || !h.loop.blocks[i.Block()] {
		return true
	}
	u, ok := x.(*ssa.UnOp)
	if !ok || u.Op != token.MUL {
		return false
	}
	root := localRoot(u.X)
	return root != nil && h.loop.leavesAlone(root)
}

// at sets the position of what is made next.
func (f *function) at(i ssa.Instruction) {
	f.enter(i)
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
	case *ssa.Phi:
		x = f.earlyOther(v, h, known)
	case *ssa.BinOp:
		a, b := f.early(v.X, h, known), f.early(v.Y, h, known)
		if x = f.narrowEarly(v, h, a, b); x == nil {
			x = f.arith(v.Op, v.X.Type(), v.Y.Type(), a, b)
		}
		f.exactSum(v, a, b, x)
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
		x = f.loadFrom(v, f.earlyAddress(v.X, h, known))
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
