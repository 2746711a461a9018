package ssa2ir

// This file says how loops are unrolled: as //heddle:unroll asks, and wholly
// where a local array is indexed by the loop's variable. Such an array becomes
// registers only once all its indices are constants; left in memory, it is
// slower than any code size could be. For GPUs short loops over constants are
// unrolled wholly, too: what depends on the loop's variable is known then, shifts, divisors
// and indices of shared memory, and nothing there predicts branches.

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"slices"
	"sort"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/metadata"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/inline"

	"heddle/internal/target"
	"heddle/intrinsics"
)

// Unroll is what is asked of one loop.
type Unroll int

// UnrollEnable is //heddle:unroll without a count: wholly if the number of
// iterations is a constant, else by a factor that LLVM chooses. A positive
// Unroll is a factor.
const (
	unrollAsIs   Unroll = 0
	UnrollEnable Unroll = -1
	unrollWhole  Unroll = -2
	unrollFew    Unroll = -4 // four times, without vectors of iterations
	unrollGather Unroll = -3 // four times, and what comes of it as often as ptxas likes
)

const (
	maxTrips = 1024 // of a loop whose iterations are counted here
	// maxUnrolled is how many SSA instructions a loop over a local array may
	// become; some times as many as a thread has registers.
	maxUnrolled = 8192
	// maxShort is how many SSA instructions a loop over constants may become on a GPU. It is
	// about what nvcc unrolls.
	maxShort = 1024
)

// A loop is a natural loop: one way in, through its header.
type loop struct {
	header *ssa.BasicBlock
	blocks map[*ssa.BasicBlock]bool
	trips  int       // 0 if not constant
	short  bool      // it is unrolled wholly for GPUs
	size   int       // in SSA instructions, of one that may be unrolled some times; else 0
	at     token.Pos // of the statement, if it is one
}

// loopsOf finds the loops of an instance, the smaller first. know has values that are
// known while compiling.
func loopsOf(fn *ssa.Function, know *evaluator) []*loop {
	byHeader := map[*ssa.BasicBlock]*loop{}
	var all []*loop
	for _, latch := range fn.Blocks {
		for _, header := range latch.Succs {
			if !header.Dominates(latch) {
				continue
			}
			l := byHeader[header]
			if l == nil {
				l = &loop{header: header, blocks: map[*ssa.BasicBlock]bool{header: true}}
				byHeader[header] = l
				all = append(all, l)
			}
			l.reach(latch)
		}
	}
	for _, l := range all {
		l.trips = l.countTrips(know)
	}
	sort.SliceStable(all, func(i, j int) bool { return len(all[i].blocks) < len(all[j].blocks) })
	return all
}

// reach adds b and what leads to it.
//
//go:noinline
func (l *loop) reach(b *ssa.BasicBlock) {
	if !l.blocks[b] {
		l.blocks[b] = true
		for _, p := range b.Preds {
			l.reach(p)
		}
	}
}

// countTrips is about how often a loop over constants runs: for i := 0; i < 8; i += 2.
func (l *loop) countTrips(know *evaluator) int {
	for b := range l.blocks {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || l.blocks[b.Succs[0]] && l.blocks[b.Succs[1]] {
			continue
		}
		test, ok := br.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		bound := know.value(test.Y)
		if phi := counter(test.X); bound != nil && bound.Kind() == constant.Int && phi != nil && phi.Block() == l.header {
			if n := trips(phi, test.Op, bound); n > 0 {
				return n
			}
		}
	}
	return 0
}

// counter is the phi behind i or i + 1.
func counter(v ssa.Value) *ssa.Phi {
	if next, ok := v.(*ssa.BinOp); ok {
		v = next.X
	}
	phi, _ := v.(*ssa.Phi)
	return phi
}

// phiSteps is a phi's first constant and what makes the next of one; nil if it
// does not go from a constant by constant steps. The step is nil where it ends. Several
// ways may lead back: that of continue, and of a branch at the end.
func phiSteps(phi *ssa.Phi) (first constant.Value, step func(constant.Value) constant.Value) {
	var next *ssa.BinOp
	for _, e := range phi.Edges {
		switch e := e.(type) {
		case *ssa.Const:
			if first != nil {
				return nil, nil
			}
			first = e.Value
		case *ssa.BinOp:
			if next != nil && e != next {
				return nil, nil
			}
			next = e
		default:
			return nil, nil
		}
	}
	if sizeof(phi.Type()) < 4 || first == nil || first.Kind() != constant.Int || next == nil || next.X != phi {
		return nil, nil
	}
	by, ok := next.Y.(*ssa.Const)
	if !ok || by.Value == nil {
		return nil, nil
	}
	return first, func(at constant.Value) constant.Value {
		switch next.Op {
		case token.ADD, token.SUB, token.MUL:
			at = constant.BinaryOp(at, next.Op, by.Value)
		case token.QUO:
			if constant.Sign(by.Value) == 0 {
				return nil
			}
			at = constant.BinaryOp(at, token.QUO_ASSIGN, by.Value)
		default:
			return nil
		}
		if n, exact := constant.Int64Val(at); !exact || int64(int32(n)) != n || n < 0 && !isSigned(phi.Type()) {
			return nil // it may overflow
		}
		return at
	}
}

// trips counts the values a phi takes while the comparison with bound holds.
func trips(phi *ssa.Phi, op token.Token, bound constant.Value) int {
	at, step := phiSteps(phi)
	if at == nil || predicates.Get()[op] == [3]string{} {
		return 0
	}
	for n := 0; n <= maxTrips && at != nil; n++ {
		if !constant.Compare(at, op, bound) {
			return n
		}
		at = step(at)
	}
	return 0
}

// planUnroll decides for every loop of the instance, by its header.
func (c *checker) planUnroll() {
	loops := loopsOf(c.in.fn, c.in.evaluator(nil, map[*instance]*evaluator{}))
	if len(loops) == 0 {
		return
	}
	c.in.unroll = c.askedUnroll(loops)
	c.in.directed = len(c.in.unroll) > 0
	c.in.loops = map[*ssa.BasicBlock]*loop{}
	for _, l := range loops {
		c.in.loops[l.header] = l
		if c.in.unroll[l.header] != unrollAsIs {
			continue
		}
		size := l.measure(loops)
		if l.trips <= 1 {
			if l.trips == 0 && l.isSimple(loops) {
				l.size = size
			}
			continue
		}
		l.short = size <= maxShort
		if l.indexesLocal(anyVariable) && size <= maxUnrolled {
			c.in.unroll[l.header] = unrollWhole
		}
	}
}

// measure is how many instructions the loop becomes when it is unrolled with all
// the loops over constants that it holds.
func (l *loop) measure(all []*loop) int {
	n := 0
	for b := range l.blocks {
		times := 1
		for _, m := range all {
			if m.blocks[b] && l.blocks[m.header] {
				times *= max(1, m.trips)
			}
		}
		n += times * weight(b, 0)
	}
	return n
}

// weight is how many instructions a block becomes, with the bodies of functions that it calls.
func weight(b *ssa.BasicBlock, depth int) int {
	const deepest = 4
	n := len(b.Instrs) // that of what has a row counts as one: whether it has a body depends on the machine
	for _, i := range b.Instrs {
		call, ok := i.(*ssa.Call)
		if !ok || depth == deepest {
			continue
		}
		if callee := call.Call.StaticCallee(); callee != nil && intrinsics.Lookup(fullName(callee)) == nil {
			for _, c := range callee.Blocks {
				n += weight(c, depth+1)
			}
		}
	}
	return n
}

// indexesLocal reports whether the loop's variable is an index of a local array, of those that count.
func (l *loop) indexesLocal(counts func(*ssa.Alloc) bool) bool {
	for b := range l.blocks {
		for _, i := range b.Instrs {
			switch a := i.(type) {
			case *ssa.IndexAddr:
				if root := localOf(a.X); root != nil && l.follows(a.Index) && counts(root) {
					return true
				}
			case *ssa.Index: // of a copy, as that which a range over an array has
				if u, ok := a.X.(*ssa.UnOp); ok && u.Op == token.MUL && l.follows(a.Index) {
					if root := localOf(u.X); root != nil && counts(root) {
						return true
					}
				}
			}
		}
	}
	return false
}

func anyVariable(*ssa.Alloc) bool { return true }

// localOf is the local variable that v points into, nil if it is none.
func localOf(v ssa.Value) *ssa.Alloc {
	for {
		switch x := v.(type) {
		case *ssa.Alloc:
			return x
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Slice:
			v = x.X
		default:
			return nil
		}
	}
}

// follows reports whether v is computed from a phi of the loop's header, or is one of several values that are, as a switch chooses.
func (l *loop) follows(v ssa.Value) bool {
	phi, ok := v.(*ssa.Phi)
	if !ok || phi.Block() == l.header || !l.blocks[phi.Block()] {
		return l.varies(v, 0)
	}
	return !slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool { return !l.varies(e, 0) })
}

// varies reports whether v is computed from a phi of the loop's header.
func (l *loop) varies(v ssa.Value, depth int) bool {
	const deepest = 8
	if depth > deepest {
		return false
	}
	switch v := v.(type) {
	case *ssa.Phi:
		return v.Block() == l.header
	case *ssa.BinOp:
		return l.varies(v.X, depth+1) || l.varies(v.Y, depth+1)
	case *ssa.Convert:
		return l.varies(v.X, depth+1)
	}
	return false
}

// askedUnroll reads the directives above the function's loops. A loop of the
// SSA form is that statement, of those not yet taken, which holds all its
// instructions most tightly.
func (c *checker) askedUnroll(loops []*loop) map[*ssa.BasicBlock]Unroll {
	asked := map[*ssa.BasicBlock]Unroll{}
	root := c.in.fn.Syntax()
	if root == nil {
		return asked
	}
	stmts, directives := c.loopsIn(root, true)
	parts := map[*inline.Site]*directedPart{}
	for _, l := range loops {
		if s := c.in.sites.Block[l.header]; s != nil {
			if u := c.askedAt(l, s, parts); u != unrollAsIs {
				asked[l.header] = u
			}
			continue
		}
		if i := slices.IndexFunc(stmts, func(n ast.Node) bool { return l.within(n, c.in.sites) }); i >= 0 {
			l.at = stmts[i].Pos()
			if u := directives[stmts[i]]; u != unrollAsIs {
				asked[l.header] = u
			}
			stmts = slices.Delete(stmts, i, i+1)
		}
	}
	return asked
}

// hint tells LLVM, at the jump from one block back to a loop's header, how to
// unroll the loop, and where in the source it is.
func (f *function) hint(from *ssa.BasicBlock) {
	for _, to := range from.Succs {
		if f.to(from, to) == f.toBlock(from, to) && f.hintBack(from, to) {
			return
		}
	}
}

// hintBack is hint for one of the ways from a block, and reports whether it leads back.
func (f *function) hintBack(from, to *ssa.BasicBlock) bool {
	u := f.unrolling(to)
	if f.doubles[to] != nil {
		u = 1
	}
	if u == unrollAsIs && !f.M.T.LoopSites || !to.Dominates(from) || !f.know.taken(from, to) {
		return false
	}
	if f.hints[to] == nil {
		f.hints[to] = f.loopMetadata(to, u)
	}
	at := &metadata.Attachment{Name: "llvm.loop", Node: f.hints[to]}
	back := f.Cur
	if l := f.latches[to]; l != nil {
		back = l.end
		if slices.ContainsFunc(l.end.Term.(*ir.TermBr).Metadata, func(a *metadata.Attachment) bool { return a.Name == at.Name }) {
			return true
		}
	}
	attach(back, at)
	return true
}

// unrolling is how a loop is unrolled, by its header.
func (f *function) unrolling(header *ssa.BasicBlock) Unroll {
	u, l := f.in.unroll[header], f.in.loops[header]
	switch {
	case f.other != nil && f.other.uses(l): // its arrays would take the registers of both versions
		return 1
	case u != unrollAsIs || l == nil:
		return u
	case f.windows[header] > 0:
		return f.windows[header]
	case l.short && f.M.T.UnrollsShort:
		return unrollWhole
	case f.M.T.Votes && f.isFew(l):
		return unrollFew
	case f.M.T.UnrollsMedium && f.dividesAgain(l):
		return 1
	case f.M.T.UnrollsMedium && f.isMedium(l):
		if l.reads() {
			return unrollGather
		}
		return 4
	case f.M.T.UnrollsMedium && l.size >= minOpen && l.size < minMedium && l.gathers():
		return unrollGather
	case f.M.T.UnrollsMedium && l.size > 0 && l.size < minMedium && f.strides(l):
		return 8
	}
	return u
}

// loopMetadata is a loop's identity, a node whose first operand is itself,
// with what there is to say of it.
func (f *function) loopMetadata(header *ssa.BasicBlock, u Unroll) *metadata.Tuple {
	var all []metadata.Field
	text := func(s string) metadata.Field { return &metadata.String{Value: s} }
	switch u {
	case unrollAsIs:
	case unrollWhole:
		all = append(all, f.M.Tuple("unroll full", text("llvm.loop.unroll.full")))
	case UnrollEnable:
		all = append(all, f.M.Tuple("unroll enable", text("llvm.loop.unroll.enable")))
	case 1:
		all = append(all, f.M.Tuple("unroll disable", text("llvm.loop.unroll.disable")))
	case unrollFew: // LLVM would make vectors of two iterations, and eight times that
		all = append(all, f.M.Tuple("unroll 4", text("llvm.loop.unroll.count"), target.Int(target.I32, 4)),
			f.M.Tuple("no vectors", text("llvm.loop.vectorize.enable"), target.Bool(false)))
	case unrollGather: // without the second, LLVM says that the loop is not to be unrolled again
		all = append(all, f.M.Tuple("unroll 4", text("llvm.loop.unroll.count"), target.Int(target.I32, 4)),
			f.M.Tuple("unroll followup", text("llvm.loop.unroll.followup_unrolled"), f.M.Tuple("unroll again", text("heddle.unrolled"))),
			f.M.Tuple("unroll rest", text("llvm.loop.unroll.followup_remainder"), f.M.Tuple("unroll enable", text("llvm.loop.unroll.enable"))))
	default:
		all = append(all, f.M.Tuple(fmt.Sprint("unroll ", int(u)), text("llvm.loop.unroll.count"), target.Int(target.I32, int64(u))))
	}
	if f.M.T.LoopSites {
		all = append(all, f.M.Tuple("", text("heddle.site"), f.loopSite(header)))
	}
	id := f.M.Tuple("")
	id.Distinct = true
	id.Fields = append([]metadata.Field{id}, all...)
	return id
}

// loopSite is the place of a loop's statement in the table of sites; of a loop
// that is none, of its first instruction.
func (f *function) loopSite(header *ssa.BasicBlock) *target.Const {
	defer f.comeBack()()
	if f.inlined != nil {
		f.goInto(f.in.sites.Block[header])
	}
	if l := f.in.loops[header]; l != nil && l.at.IsValid() {
		f.pos = l.at
	} else {
		for _, i := range header.Instrs {
			if i.Pos().IsValid() {
				f.pos = i.Pos()
				break
			}
		}
	}
	return f.anySite("")
}
