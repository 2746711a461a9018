package inline

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file removes branches that choose nothing, as are left where a helper's result is known from before:
//
//	0: if c goto 1 else 2                0: jump 2
//	1: jump 2                     ->
//	2: ...

// collapse removes branches both of whose ways lead to one block, with nothing on them. It leaves the dominator tree as it was.
func collapse(fn *ssa.Function) (any bool) {
	gone := map[*ssa.BasicBlock]bool{}
	for again := true; again; {
		again = false
		for _, b := range fn.Blocks {
			if !gone[b] && joins(b, gone) {
				again, any = true, true
			}
		}
	}
	fn.Blocks = slices.DeleteFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return gone[b] })
	for i, b := range fn.Blocks {
		b.Index = i
	}
	return any
}

// joins makes a branch that chooses nothing a jump, and reports whether it did. What only it leads to is gone.
func joins(b *ssa.BasicBlock, gone map[*ssa.BasicBlock]bool) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	x, y := passed(b.Succs[0]), passed(b.Succs[1])
	to := x
	if y == b.Succs[0] { // one way leads through the other's first block
		to = y
	} else if x != y && x != b.Succs[1] {
		return false
	}
	if to == b {
		return false
	}
	if _, phi := to.Instrs[0].(*ssa.Phi); phi {
		return false
	}
	for _, s := range b.Succs {
		at := s
		if s != to {
			gone[s] = true
			at = to
			to.Preds = slices.DeleteFunc(to.Preds, func(p *ssa.BasicBlock) bool { return p == s })
		} else {
			i := slices.Index(at.Preds, b)
			at.Preds = slices.Delete(at.Preds, i, i+1)
		}
	}
	unrefer(branch)
	jump := &ssa.Jump{}
	set(jump, "block", b)
	b.Instrs[len(b.Instrs)-1] = jump
	b.Succs = []*ssa.BasicBlock{to}
	to.Preds = append(to.Preds, b)
	return true
}

// passed is where a block leads that has nothing in it but a jump and is reached by one way; else the block.
func passed(b *ssa.BasicBlock) *ssa.BasicBlock {
	if _, jump := b.Instrs[0].(*ssa.Jump); jump && len(b.Preds) == 1 {
		return b.Succs[0]
	}
	return b
}

// merge makes one block of those that follow each other with nothing in between, and reports whether there were any. It leaves the
// dominator tree as it was.
func merge(fn *ssa.Function) (any bool) {
	gone := map[*ssa.BasicBlock]bool{}
	for _, b := range fn.Blocks {
		for !gone[b] {
			if _, jump := b.Instrs[len(b.Instrs)-1].(*ssa.Jump); !jump {
				break
			}
			next := b.Succs[0]
			if len(next.Preds) != 1 || next == b {
				break
			}
			b.Instrs = b.Instrs[:len(b.Instrs)-1]
			for _, i := range next.Instrs {
				if phi, ok := i.(*ssa.Phi); ok {
					replace(phi, phi.Edges[0])
					unrefer(phi)
					continue
				}
				set(i, "block", b)
				b.Instrs = append(b.Instrs, i)
			}
			b.Succs = next.Succs
			for _, s := range b.Succs {
				for k, p := range s.Preds {
					if p == next {
						s.Preds[k] = b
					}
				}
			}
			gone[next], any = true, true
		}
	}
	fn.Blocks = slices.DeleteFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return gone[b] })
	for i, b := range fn.Blocks {
		b.Index = i
	}
	return any
}
