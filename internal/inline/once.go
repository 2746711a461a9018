package inline

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file runs a loop once of which each iteration computes the same:
//
//	for range rep {                 if 0 < rep {
//		e = old - delta*(p+q)   ->          e = old - delta*(p+q)
//	}                               }
//
// Nothing in it stores, loads or waits, and nothing that it computes is used by the next iteration but its count.

// once makes one iteration of such loops, and reports whether there were any. pure says which calls only compute. The
// dominator tree is made after it.
func once(fn *ssa.Function, pure func(call *ssa.Call) bool) (found bool) {
	for _, b := range fn.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || b.Succs[0] == b.Succs[1] || !b.Succs[0].Dominates(b) || !repeats(b.Succs[0], b, branch, pure) {
			continue
		}
		jumpTo(branch, 1)
		found = true
	}
	if found {
		joinSame(fn)
	}
	return found
}

// repeats reports whether a loop, which goes from its header to an end that leads back, does the same each time.
func repeats(header, end *ssa.BasicBlock, branch *ssa.If, pure func(call *ssa.Call) bool) bool {
	blocks := map[*ssa.BasicBlock]bool{header: true}
	for work := []*ssa.BasicBlock{end}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !blocks[b] {
			blocks[b] = true
			work = append(work, b.Preds...)
		}
	}
	for b := range blocks {
		for k, s := range b.Succs {
			if blocks[s] == (b == end && k == 1) || s == header && b != end { // another way out, or back
				return false
			}
		}
		for _, i := range b.Instrs {
			if !computes(i, pure) {
				return false
			}
		}
	}
	return countsAlone(header, branch, blocks)
}

// computes reports whether an instruction does nothing but compute, which is the same wherever its operands are, or panics.
func computes(i ssa.Instruction, pure func(call *ssa.Call) bool) bool {
	switch i := i.(type) {
	case *ssa.UnOp:
		return i.Op != token.MUL && i.Op != token.ARROW
	case *ssa.Call:
		return pure(i)
	case *ssa.Phi, *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.Field, *ssa.Index, *ssa.Extract, *ssa.If, *ssa.Jump, *ssa.DebugRef:
		return true
	}
	return false
}

// countsAlone reports whether all that an iteration leaves to the next is a count, which nothing but the loop's test looks at.
func countsAlone(header *ssa.BasicBlock, branch *ssa.If, blocks map[*ssa.BasicBlock]bool) bool {
	test, ok := branch.Cond.(*ssa.BinOp)
	if !ok || test.Op != token.LSS || !onlyUsedBy(test, branch) {
		return false
	}
	if i, ok := test.Y.(ssa.Instruction); ok && blocks[i.Block()] {
		return false
	}
	next, ok := test.X.(*ssa.BinOp)
	if !ok || next.Op != token.ADD {
		return false
	}
	count, ok := next.X.(*ssa.Phi)
	if !ok || count.Block() != header || !isOne(next.Y) || !onlyUsedBy(count, next) || !onlyUsedBy(next, count, test) {
		return false
	}
	for _, i := range header.Instrs {
		if phi, ok := i.(*ssa.Phi); ok && phi != count && !onlyUsedBy(phi) {
			return false
		}
	}
	return true
}

// isOne reports whether v is the constant 1.
func isOne(v ssa.Value) bool {
	n, ok := intOf(v)
	return ok && n == 1
}

// onlyUsedBy reports whether no other instructions use a value.
func onlyUsedBy(v ssa.Value, by ...ssa.Instruction) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(i ssa.Instruction) bool {
		_, info := i.(*ssa.DebugRef)
		return !info && !slices.Contains(by, i)
	})
}
