package ssa2ir

// This file finds which values of a kernel are the same for all threads of a block that come to them together, and which are not:
// what the launch passes is, and the block's index, what is computed of these, and what is loaded where such a value says.
// A variable that is assigned where threads went another way than others is not, nor is outside a loop what
// was made in it, if threads leave the loop one after another.

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/dom"
	"heddle/internal/inline"
	"heddle/internal/ops"
)

// A uniformity knows that of a kernel's values.
type uniformity struct {
	in      *instance
	loads   bool                     // what is loaded at one address is the same
	returns map[*ssa.BasicBlock]bool // blocks from which a way leads to the end of the kernel; threads on others do not come back
	behind  map[*ssa.BasicBlock]*ssa.BasicBlock
	parted  []*loop // which threads leave one after another
	differs map[ssa.Value]bool
	work    []ssa.Value
}

// newUniformity is that of the kernel's own function, nil if it has ways into the midst of a loop. Of a warp that loads by one instruction
// for all its lanes, lockstep, what is loaded at one address is always the same.
func (prog *Program) newUniformity(lockstep bool) *uniformity {
	u := &uniformity{in: prog.root, loads: lockstep || prog.meetsAtBarriers(), returns: map[*ssa.BasicBlock]bool{}, differs: map[ssa.Value]bool{}}
	order, at := inline.ReversePostorder(u.in.fn), map[*ssa.BasicBlock]int{}
	for i, b := range order {
		at[b] = i
	}
	for _, b := range order {
		if slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return at[s] <= at[b] && !s.Dominates(b) }) {
			return nil
		}
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			u.comesFrom(b)
		}
	}
	u.postdominate()
	for _, b := range order {
		for _, i := range b.Instrs {
			if v, ok := i.(ssa.Value); ok && !u.follows(i) {
				u.differ(v)
			}
		}
	}
	for len(u.work) > 0 {
		v := u.work[len(u.work)-1]
		u.work = u.work[:len(u.work)-1]
		for _, i := range *v.Referrers() {
			u.uses(i)
		}
	}
	return u
}

// meetsAtBarriers reports whether threads of the program tell each other by nothing but barriers what they have stored. Then all threads that
// come together to a load at one address get the same, as no barrier comes between.
func (prog *Program) meetsAtBarriers() bool {
	for _, in := range prog.plan.insts {
		for _, call := range in.calls {
			for _, c := range call.each() {
				if c.row == nil && c.inst == nil || c.row != nil && !meetsAtBarriers(c.row.Facts, c.row.Variadic) {
					return false
				}
			}
		}
	}
	return true
}

// meetsAtBarriers: an operation of any number of arguments is inline assembly, which may do anything.
func meetsAtBarriers(f ops.Facts, variadic bool) bool {
	return !f.Atomic && (f.Effect == ops.Pure || f.Effect == ops.Reads || f.Effect == ops.Orders && !variadic && (f.Together == ops.Warp || f.Together == ops.Block))
}

// comesFrom notes a block that leads to the kernel's end, and those that lead to it.
func (u *uniformity) comesFrom(b *ssa.BasicBlock) {
	if !u.returns[b] {
		u.returns[b] = true
		for _, p := range b.Preds {
			u.comesFrom(p)
		}
	}
}

// postdominate finds for each block where all ways from it come first; nothing if that is the kernel's end.
func (u *uniformity) postdominate() {
	var order []*ssa.BasicBlock // backwards, in postorder
	at := map[*ssa.BasicBlock]int{}
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		at[b] = 0
		for _, p := range b.Preds {
			if _, seen := at[p]; !seen {
				visit(p)
			}
		}
		order = append(order, b)
	}
	for b := range u.returns {
		if _, seen := at[b]; !seen && len(b.Succs) == 0 {
			visit(b)
		}
	}
	slices.Reverse(order)
	for i, b := range order {
		at[b] = i + 1 // 0 is the end
	}
	idom := dom.Immediate(len(order)+1, func(n int, have func(int)) {
		b := order[n-1]
		if len(b.Succs) == 0 {
			have(0)
		}
		for _, s := range b.Succs {
			if u.returns[s] {
				have(at[s])
			}
		}
	})
	u.behind = map[*ssa.BasicBlock]*ssa.BasicBlock{}
	for i, b := range order {
		if d := idom[i+1]; d > 0 {
			u.behind[b] = order[d-1]
		}
	}
}

// follows reports whether a value is the same where its operands are.
func (u *uniformity) follows(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Phi, *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.Field, *ssa.FieldAddr, *ssa.Index, *ssa.IndexAddr, *ssa.Slice, *ssa.Extract:
		return true
	case *ssa.UnOp:
		return u.loads || i.Op != token.MUL
	case *ssa.Call:
		if b, ok := i.Call.Value.(*ssa.Builtin); ok {
			return slices.Contains([]string{"len", "cap", "min", "max"}, b.Name())
		}
		facts := u.in.facts(i)
		return facts.Effect == ops.Pure && facts.OfArgs || facts.Result >= ops.Block
	}
	return false
}

// differ notes a value that differs.
func (u *uniformity) differ(v ssa.Value) {
	if !u.differs[v] && v.Referrers() != nil {
		u.differs[v] = true
		u.work = append(u.work, v)
	}
}

// uses follows a value that differs to what uses it.
func (u *uniformity) uses(i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.If:
		u.part(i.Block())
	case *ssa.Call:
		if u.in.facts(i).Result < ops.Block {
			u.differ(i)
		}
	case ssa.Value:
		u.differ(i)
	}
}

// part follows the threads that a branch parts to where they meet.
func (u *uniformity) part(b *ssa.BasicBlock) {
	if !u.returns[b.Succs[0]] || !u.returns[b.Succs[1]] || b.Succs[0] == b.Succs[1] {
		return
	}
	end := u.behind[b]
	one, other := u.reach(b.Succs[0], end), u.reach(b.Succs[1], end)
	for at := range one {
		if !other[at] {
			continue
		}
		for _, i := range at.Instrs {
			phi, ok := i.(*ssa.Phi)
			if !ok {
				break
			}
			var all []ssa.Value
			for k, p := range at.Preds {
				if p == b || one[p] || other[p] {
					all = append(all, phi.Edges[k])
				}
			}
			if len(slices.Compact(all)) > 1 { // else it is the same on all ways
				u.differ(phi)
			}
		}
	}
	for _, l := range u.in.loops {
		if l.blocks[b] && !l.blocks[end] && !slices.Contains(u.parted, l) {
			u.parted = append(u.parted, l)
			u.leave(l)
		}
	}
}

// reach are the blocks that ways from one come to, up to where they end.
func (u *uniformity) reach(from, end *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		if seen[b] || !u.returns[b] {
			return
		}
		seen[b] = true
		if b != end {
			for _, s := range b.Succs {
				visit(s)
			}
		}
	}
	visit(from)
	return seen
}

// leave follows what is made in a loop that threads leave one after another to what uses it outside.
func (u *uniformity) leave(l *loop) {
	for b := range l.blocks {
		for _, i := range b.Instrs {
			v, ok := i.(ssa.Value)
			if !ok || v.Referrers() == nil {
				continue
			}
			for _, r := range *v.Referrers() {
				if !l.blocks[r.Block()] {
					u.uses(r)
				}
			}
		}
	}
}

// same reports whether a value is the same for all threads that come together to a block.
func (u *uniformity) same(v ssa.Value, at *ssa.BasicBlock) bool {
	i, ok := v.(ssa.Instruction)
	return !u.differs[v] && (!ok || !slices.ContainsFunc(u.parted, func(l *loop) bool { return l.blocks[i.Block()] && !l.blocks[at] }))
}
