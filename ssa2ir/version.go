package ssa2ir

// This file and those named version_*.go make two versions of a loop that has checks: one
// without those that can be made for many iterations at once, and the loop as it was, for
// when one of them would fail. LLVM unrolls the first; of the second, loads wait for each check.
//
//	for k := a; k < b; k++ {           if a..b-1 are indices of vals and cols {
//		sum += vals[k] * x[cols[k]]        for ; b-k >= 4 && cols[k..k+3] are indices of x; k += 4 {
//	}                                          sum += ... four times, without a check
//	                                       }
//	                                       for ; k < b; k++ { only the check of x's index }
//	                                   } else {
//	                                       for ; k < b; k++ { all checks }
//	                                   }
//
// Checks whose index is a straight line of the loop's variable are made ahead of the loop,
// for its first and last iteration, or for as many as there may be of a loop through a number's bits. The others are made for
// a group of iterations, where their indices can be computed before the group. Where one of them fails, the loop goes on
// with its checks in place, and panics where the program does. So nothing is lost if that was an
// index that the loop would not have come to.
//
// On AMD's GPUs (target.Votes) each branch where lanes may part costs several scalar instructions,
// and a second version that some lanes run after the others would cost more than the checks. There
// a wave takes the loop as it was if a comparison ahead fails in any lane, and checks are made
// for groups where all lanes have as many iterations.
//
//	version.go        which loops
//	version_pays.go   which of them where lanes vote
//	affine.go         how they count, and what is a straight line
//	version_early.go  what can be computed before its time
//	version_guard.go  the checks ahead
//	version_make.go   the versions
//	version_second.go loops with two tests
//	version_sums.go   sums of the first in 32 bits

import (
	"go/types"
	"slices"

	"github.com/llir/llvm/ir"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/inline"
	"heddle/internal/target"
)

const (
	maxVersion = 240 // SSA instructions of a loop that has two versions
	maxGrouped = 90  // and of one whose iterations are grouped
	maxGuarded = 24  // checks
	grouped    = 4   // iterations
)

// A version is a loop of which there are two.
type version struct {
	f      *function
	loop   *loop
	header *ssa.BasicBlock
	tests  *ssa.BasicBlock   // has the loop's test: the header, or the only way back
	atEnd  bool              // the test comes after an iteration, not before
	lines  map[*ssa.Phi]bool // of the header: their next values can be computed ahead
	blocks []*ssa.BasicBlock // those that are run, in the order of dominance
	phis   []*ssa.Phi        // of the header
	count  *count            // nil if it does not count
	trips  int64             // then how often it runs at most; 0 if that is not known
	ahead  []*guarded        // checks that are made ahead of the loop
	group  []*guarded        // checks that are made for a group of iterations
	loaded []*ssa.UnOp       // what is loaded ahead of a group
	sums   *summing          // what the first version adds up in 32 bits; nil if it is nothing
	size   int               // SSA instructions
	exits  bool              // there are ways out but that of the test
	second *second           // the other test, if there is no other way out; nil if it is none
	writes bool              // it cannot be begun again in the middle of an iteration
	alters bool              // what it loads may change
	whole  bool              // the first version is unrolled wholly

	slow   *ir.Block      // leads to the loop as it was
	into   []target.Value // phis there, of the loop's variables
	after  *ir.Block      // where both versions end; nil if there are other ways out: then only the second ends
	outs   []ssa.Value    // what is used behind the loop
	met    []target.Value // phis of that
	adding bool           // a copy is being made that adds up in 32 bits
	copy   *copied        // of the body that is being made
}

// A guarded check is made before its time.
type guarded struct {
	at    *ssa.IndexAddr
	slope slope // by the loop's variable, of those that are made ahead
	when  []condition
	// straight: it goes by steps of one size. Within a group, the least index is then checked for all.
	straight bool
	by       int64 // the step; also of those made ahead of a loop that does not count
	spare    bool  // another one of the group says enough
	behind   bool  // checks come before it that are not made ahead
	reach    int64 // how far ahead of its index spare ones' are
}

// A condition holds where a block is run.
type condition struct {
	v     ssa.Value
	truth bool
}

// A copied body is one iteration without some of its checks.
type copied struct {
	latch  *ir.Block
	verify *ir.Block // ends the loop where its sums are to be looked at; may be nil
	sure   bool      // the loop's test is known to hold
}

// findVersions returns the loops of which there will be two versions, by header.
func (f *function) findVersions() map[*ssa.BasicBlock]*version {
	found := map[*ssa.BasicBlock]*version{}
	if !f.M.T.Versions {
		return found
	}
	choose := (*version).choose
	if f.opts.NoBounds {
		choose = (*version).chooseLoads
	}
	all := f.proof.all
	for _, l := range all {
		if slices.ContainsFunc(all, func(m *loop) bool { return m != l && l.blocks[m.header] }) || f.hoists[l.header] != nil {
			continue
		}
		u := f.unrolling(l.header)
		twice := u == unrollWhole && f.in.unroll[l.header] == unrollAsIs && f.testsTwice(l)
		if u == 1 || u == unrollWhole && !f.M.T.Votes && !twice {
			continue
		}
		v := &version{f: f, loop: l, header: l.header, whole: u == unrollWhole && !twice}
		if v.shaped() && choose(v) && (!twice || len(v.group) > 0) {
			found[l.header] = v
		}
	}
	return found
}

// shaped reports whether the loop is one that can be copied.
func (v *version) shaped() bool {
	f, l := v.f, v.loop
	for _, b := range f.in.fn.DomPreorder() {
		if l.blocks[b] && f.know.live[b] {
			v.blocks = append(v.blocks, b)
			v.size += weight(b, 0)
		}
	}
	if len(v.blocks) == 0 || v.blocks[0] != v.header || v.size > maxVersion {
		return false
	}
	if v.tests = v.testBlock(); v.tests == nil {
		return false
	}
	v.atEnd = v.tests != v.header || slices.Contains(v.header.Succs, v.header)
	for _, b := range v.blocks {
		for _, i := range b.Instrs {
			if x, ok := i.(ssa.Value); !v.copies(i) || ok && v.isUsedBehind(x) && !f.passesOn(x.Type()) {
				return false
			}
		}
		for _, s := range b.Succs {
			if l.blocks[s] || !f.know.taken(b, s) {
				continue
			}
			v.exits = v.exits || b != v.tests
		}
	}
	return !v.exits || !v.writes && !v.atEnd
}

// testBlock is the block with the loop's test.
func (v *version) testBlock() *ssa.BasicBlock {
	tests := func(b *ssa.BasicBlock) bool {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		return ok && v.loop.blocks[b.Succs[0]] != v.loop.blocks[b.Succs[1]] && v.f.know.taken(b, br.Block().Succs[0]) && v.f.know.taken(b, b.Succs[1])
	}
	if tests(v.header) {
		return v.header
	}
	var latch *ssa.BasicBlock
	for _, b := range v.header.Preds {
		if v.loop.blocks[b] && v.f.know.taken(b, v.header) {
			if latch != nil {
				return nil
			}
			latch = b
		}
	}
	if latch == nil || !tests(latch) {
		return nil
	}
	return latch
}

// copies reports whether an instruction may be made several times, and notes what it does.
func (v *version) copies(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Phi:
		if i.Block() == v.header {
			v.phis = append(v.phis, i)
		}
		return v.f.passesOn(i.Type())
	case *ssa.Store:
		root := localRoot(i.Addr)
		if root == nil || !v.loop.blocks[root.Block()] {
			v.writes = true
		}
		if root == nil || !onlyHere(root) {
			v.alters = true
		}
		return true
	case *ssa.IndexAddr:
		_, known := v.f.intConst(i.Index)
		return known || localOf(i.X) == nil
	case *ssa.Call:
		if _, ok := i.Call.Value.(*ssa.Builtin); ok {
			return v.f.in.harmless(i, nil)
		}
		return v.f.in.computes(i)
	case *ssa.Index: // of a local array, which the second version would keep in memory
		_, known := v.f.intConst(i.Index)
		return known || !v.whole
	case *ssa.BinOp, *ssa.UnOp, *ssa.Convert, *ssa.ChangeType, *ssa.Field, *ssa.FieldAddr, *ssa.Extract, *ssa.Alloc,
		*ssa.DebugRef, *ssa.If, *ssa.Jump:
		return true
	}
	return false
}

// onlyHere reports whether nothing but loads and stores in sight touch a local variable.
func onlyHere(a *ssa.Alloc) bool {
	var all []inline.Part
	return inline.Stores(a, nil, &all)
}

// choose decides which checks are made early, and reports whether that is worth the code.
func (v *version) choose() bool {
	f := v.f
	if v.count = v.countOf(); v.count == nil {
		v.trips = v.bitTrips()
	}
	v.findLines()
	left := 0
	for _, b := range v.blocks {
		for _, i := range b.Instrs {
			a, ok := i.(*ssa.IndexAddr)
			if !ok || f.passes(a, a.Index, a.X) {
				continue
			}
			switch g := (&guarded{at: a, behind: left+len(v.group) > 0}); {
			case !v.hasLength(a.X):
				left++
			case v.isAhead(g):
				v.ahead = append(v.ahead, g)
			default:
				v.group = append(v.group, g)
			}
		}
	}
	v.findSecond()
	if !v.mayGroup() || v.exits && v.second == nil || v.callsLong() || !v.grouped() || !v.inStep() {
		left += len(v.group)
		v.group = nil
	}
	if len(v.group) > 0 && v.count != nil {
		v.findLoads()
	}
	if v.count == nil && left > 0 {
		return false
	}
	n := len(v.ahead) + len(v.group)
	if n == 0 || n > maxGuarded || left > n || f.M.T.Votes && !v.pays(left) {
		return false
	}
	v.findSums()
	return true
}

// everyTime reports whether a block is run in each iteration that comes to its end.
func (v *version) everyTime(b *ssa.BasicBlock) bool {
	for _, p := range v.header.Preds {
		if v.loop.blocks[p] && v.f.know.taken(p, v.header) && !b.Dominates(p) {
			return false
		}
	}
	return true
}

// isUsedBehind reports whether a value of the loop is used behind it.
func (v *version) isUsedBehind(x ssa.Value) bool {
	return x.Referrers() != nil && slices.ContainsFunc(*x.Referrers(), func(r ssa.Instruction) bool { return !v.loop.blocks[r.Block()] })
}

// passesOn reports whether values of a type can go through phis that are made here.
func (f *function) passesOn(t types.Type) bool {
	_, isTuple := t.(*types.Tuple)
	return !isTuple && !isBig(t) && !isFunc(t) && !pointsToFunc(t)
}
