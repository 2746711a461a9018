package inline

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file removes ways that are never taken, as of a function that was called with a constant, or that asks a type argument
// what it stands for:
//
//	func (No) Checked() bool { return false }
//
//	if c.Checked() && last == end {        the loop's variable is last + stride,
//		last -= 2 * stride             ->  and no phi of that and of what is never made
//	}

// prune removes branches on constants, the blocks that nothing leads to then, and phis with one value. The dominator tree is made after it.
func prune(fn *ssa.Function) {
	for again := true; again; {
		again = false
		for _, b := range fn.Blocks {
			again = decide(b) || again
		}
		if again {
			dropUnreached(fn)
			joinSame(fn)
		}
	}
}

// decide makes a branch on a constant a jump, and reports whether it did.
func decide(b *ssa.BasicBlock) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || b.Succs[0] == b.Succs[1] {
		return false
	}
	holds, known := truth(branch.Cond)
	if !known {
		return false
	}
	way := 1
	if holds {
		way = 0
	}
	jumpTo(branch, way)
	return true
}

// jumpTo makes a branch a jump, one of its ways.
func jumpTo(branch *ssa.If, way int) {
	b := branch.Block()
	to, not := b.Succs[way], b.Succs[1-way]
	unrefer(branch)
	jump := &ssa.Jump{}
	set(jump, "block", b)
	b.Instrs[len(b.Instrs)-1] = jump
	b.Succs = []*ssa.BasicBlock{to}
	leaveOut(not, b)
}

// truth is a condition that is a constant, or a comparison of two.
func truth(cond ssa.Value) (holds, known bool) {
	of := func(v ssa.Value) constant.Value {
		if c, ok := v.(*ssa.Const); ok && c.Value != nil && (c.Value.Kind() == constant.Bool || c.Value.Kind() == constant.Int) {
			return c.Value
		}
		return nil
	}
	switch c := cond.(type) {
	case *ssa.UnOp:
		holds, known = truth(c.X)
		return !holds, known && c.Op == token.NOT
	case *ssa.BinOp:
		x, y := of(c.X), of(c.Y)
		if x == nil || y == nil || x.Kind() != y.Kind() {
			return false, false
		}
		return constant.Compare(x, c.Op, y), true
	}
	k := of(cond)
	return k != nil && k.Kind() == constant.Bool && constant.BoolVal(k), k != nil && k.Kind() == constant.Bool
}

// leaveOut takes a block from those that lead to another.
func leaveOut(to, from *ssa.BasicBlock) {
	k := slices.Index(to.Preds, from)
	to.Preds = slices.Delete(to.Preds, k, k+1)
	for _, i := range to.Instrs {
		phi, ok := i.(*ssa.Phi)
		if !ok {
			return
		}
		unrefer(phi)
		phi.Edges = slices.Delete(phi.Edges, k, k+1)
		refer(phi)
	}
}

// dropUnreached removes the blocks that nothing leads to.
func dropUnreached(fn *ssa.Function) {
	reached := map[*ssa.BasicBlock]bool{}
	for _, b := range ReversePostorder(fn) {
		reached[b] = true
	}
	for _, b := range fn.Blocks {
		if reached[b] {
			continue
		}
		for _, s := range b.Succs {
			if reached[s] {
				leaveOut(s, b)
			}
		}
		for _, i := range b.Instrs {
			unrefer(i)
		}
	}
	fn.Blocks = slices.DeleteFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return !reached[b] })
	fn.Locals = slices.DeleteFunc(fn.Locals, func(a *ssa.Alloc) bool { return !reached[a.Block()] })
	for i, b := range fn.Blocks {
		b.Index = i
	}
}

// joinSame has what a phi always is in the phi's place.
func joinSame(fn *ssa.Function) {
	for again := true; again; {
		again = false
		for _, b := range fn.Blocks {
			b.Instrs = slices.DeleteFunc(b.Instrs, func(i ssa.Instruction) bool {
				phi, ok := i.(*ssa.Phi)
				if !ok {
					return false
				}
				x := onlyEdge(phi)
				if x == nil {
					return false
				}
				unrefer(phi)
				replace(phi, x)
				again = true
				return true
			})
		}
	}
}

// onlyEdge is the value that all edges of a phi bring, nil if they differ.
func onlyEdge(phi *ssa.Phi) (x ssa.Value) {
	for _, e := range phi.Edges {
		switch {
		case e == ssa.Value(phi):
		case x == nil:
			x = e
		case x != e && !isSameConst(x, e):
			return nil
		}
	}
	return x
}
