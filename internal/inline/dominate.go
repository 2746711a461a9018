package inline

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/dom"
)

// ReversePostorder are the function's blocks that can be reached from its first. A block stands ahead of those that it
// leads to, but by a loop.
func ReversePostorder(fn *ssa.Function) []*ssa.BasicBlock {
	var order []*ssa.BasicBlock
	seen := make([]bool, len(fn.Blocks))
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		seen[b.Index] = true
		for _, s := range b.Succs {
			if !seen[s.Index] {
				visit(s)
			}
		}
		order = append(order, b)
	}
	visit(fn.Blocks[0])
	slices.Reverse(order)
	return order
}

// dominate makes the dominator tree of a function all of whose blocks are reached.
func dominate(fn *ssa.Function) {
	order := ReversePostorder(fn)
	at := make([]int, len(fn.Blocks))
	for i, b := range order {
		at[b.Index] = i
	}
	idom := dom.Immediate(len(order), func(block int, have func(pred int)) {
		for _, p := range order[block].Preds {
			have(at[p.Index])
		}
	})
	children := make([][]*ssa.BasicBlock, len(order))
	for i, b := range order[1:] {
		d := idom[i+1]
		children[d] = append(children[d], b)
	}
	var pre, post int32
	var number func(b, above *ssa.BasicBlock)
	number = func(b, above *ssa.BasicBlock) {
		mine := pre
		pre++
		below := children[at[b.Index]]
		for _, c := range below {
			number(c, b)
		}
		place(b, above, below, mine, post)
		post++
	}
	number(order[0], nil)
}
