package inline

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file unrolls short loops that run a few times, which is known while compiling, and that have indices which are loaded. Their
// checks are then made together, and what a later loop loads again is known:
//
//	for k, atom := range torsion.Atoms {       p[0], p[1] = places[torsion.Atoms[0]], places[torsion.Atoms[1]]
//		p[k] = places[atom]               ->
//	}

const (
	maxTrips    = 8   // of such a loop
	maxUnrolled = 500 // instructions that it becomes
	maxLocal    = 64  // bytes of a variable of an iteration
	maxLoaded   = 9   // indices, once more for the test that ends it
)

// unroll unrolls loops, the inner ones first, and reports whether there were any.
func unroll(fn *ssa.Function, sites *Sites, wanted func(l *loop) bool) (any bool) {
	again := func() bool {
		for _, header := range slices.Backward(ReversePostorder(fn)) {
			if l := loopAt(header); l != nil && l.size()*l.trips <= maxUnrolled && wanted(l) {
				(&unroller{fn: fn, loop: l, sites: sites}).unroll()
				dominate(fn)
				return true
			}
		}
		return false
	}
	for again() {
		any = true
	}
	return any
}

// An unroller copies a loop, once for each iteration.
type unroller struct {
	fn *ssa.Function
	*loop
	sites *Sites
	added []*ssa.BasicBlock
}

// A turn is the copy of an iteration.
type turn struct {
	n      int
	vals   map[ssa.Value]ssa.Value
	blocks map[*ssa.BasicBlock]*ssa.BasicBlock
}

func (t *turn) value(v ssa.Value) ssa.Value {
	if x := t.vals[v]; x != nil {
		return x
	}
	return v
}

// unroll puts the copies in the loop's place.
func (u *unroller) unroll() {
	order := slices.DeleteFunc(ReversePostorder(u.fn), func(b *ssa.BasicBlock) bool { return !u.blocks[b] })
	entry := slices.IndexFunc(u.header.Preds, func(b *ssa.BasicBlock) bool { return !u.blocks[b] })
	from, before := u.header.Preds[entry], (*turn)(nil)
	var last *turn
	for n := range u.trips {
		t := &turn{n, map[ssa.Value]ssa.Value{}, map[*ssa.BasicBlock]*ssa.BasicBlock{}}
		for _, b := range u.taken(n, order) {
			c := &ssa.BasicBlock{Comment: b.Comment}
			set(c, "parent", u.fn)
			if s := u.sites.Block[b]; s != nil {
				u.sites.Block[c] = s
			}
			t.blocks[b] = c
			u.added = append(u.added, c)
		}
		for _, b := range order {
			if t.blocks[b] != nil {
				u.copy(b, t, before, entry)
			}
		}
		if before != nil {
			u.join(before, t)
		} else {
			from.Succs[slices.Index(from.Succs, u.header)] = t.blocks[u.header]
			t.blocks[u.header].Preds = []*ssa.BasicBlock{from}
		}
		before, last = t, t
	}
	u.leave(last, order)
	at := slices.Index(u.fn.Blocks, u.header)
	u.fn.Blocks = slices.Insert(u.fn.Blocks, at, u.added...)
	u.fn.Blocks = slices.DeleteFunc(u.fn.Blocks, func(b *ssa.BasicBlock) bool { return u.blocks[b] })
	for i, b := range u.fn.Blocks {
		b.Index = i
	}
	for _, b := range u.added {
		for _, i := range b.Instrs {
			refer(i)
		}
	}
	for b := range u.blocks {
		for _, i := range b.Instrs {
			unrefer(i)
		}
	}
	u.fn.Locals = slices.DeleteFunc(u.fn.Locals, func(a *ssa.Alloc) bool { return u.blocks[a.Block()] })
}

// join has an iteration's blocks lead to others of it, and to the next one.
func (u *unroller) join(t, next *turn) {
	for b, c := range t.blocks {
		for _, s := range b.Succs {
			switch {
			case s == u.header:
				c.Succs = append(c.Succs, next.blocks[s])
			case u.blocks[s]:
				c.Succs = append(c.Succs, t.blocks[s])
			}
		}
	}
}

// taken are the blocks that iteration n comes to.
func (u *unroller) taken(n int, order []*ssa.BasicBlock) []*ssa.BasicBlock {
	goes, _ := u.goesOn(n)
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		if seen[b] || b == u.exit && !goes {
			seen[b] = true
			return
		}
		seen[b] = true
		for _, s := range b.Succs {
			if u.blocks[s] && s != u.header {
				visit(s)
			}
		}
	}
	visit(u.header)
	return slices.DeleteFunc(slices.Clone(order), func(b *ssa.BasicBlock) bool { return !seen[b] })
}

// copy copies a block of an iteration. entry is the edge of the header by which the loop is entered.
func (u *unroller) copy(b *ssa.BasicBlock, t, before *turn, entry int) {
	c := t.blocks[b]
	goes, _ := u.goesOn(t.n)
	if b == u.header {
		if before != nil {
			for _, p := range b.Preds {
				if q := before.blocks[p]; q != nil && u.blocks[p] {
					c.Preds = append(c.Preds, q)
				}
			}
		}
	} else {
		for _, p := range b.Preds {
			if q := t.blocks[p]; q != nil && (p != u.exit || goes) {
				c.Preds = append(c.Preds, q)
			}
		}
	}
	for _, i := range b.Instrs {
		switch i := i.(type) {
		case *ssa.Phi:
			if b == u.header {
				u.begin(i, c, t, before, entry)
			} else {
				u.phi(i, c, b, t, func(p *ssa.BasicBlock) bool { return t.blocks[p] != nil && (p != u.exit || goes) })
			}
			continue
		case *ssa.If:
			if b == u.exit {
				u.add(c, &ssa.Jump{}, i)
				continue
			}
		}
		n := cloned(u.fn, i)
		for _, v := range n.Operands(nil) {
			if *v != nil {
				*v = t.value(*v)
			}
		}
		if v, ok := n.(ssa.Value); ok {
			*v.Referrers() = nil
			t.vals[i.(ssa.Value)] = v
		}
		if op, ok := n.(*ssa.BinOp); ok {
			if k := folded(op); k != nil {
				t.vals[i.(ssa.Value)] = k
				continue
			}
		}
		u.add(c, n, i)
	}
}

// folded is a sum or product of small constants, nil of others.
func folded(op *ssa.BinOp) *ssa.Const {
	x, ok := intOf(op.X)
	y, ok2 := intOf(op.Y)
	b, isBasic := op.Type().Underlying().(*types.Basic)
	if !ok || !ok2 || !isBasic || b.Kind() != types.Int || op.Op != token.ADD && op.Op != token.SUB && op.Op != token.MUL {
		return nil
	}
	return ssa.NewConst(constant.BinaryOp(constant.MakeInt64(x), op.Op, constant.MakeInt64(y)), op.Type())
}

// add adds a copy of an instruction.
func (u *unroller) add(b *ssa.BasicBlock, n, of ssa.Instruction) {
	set(n, "block", b)
	b.Instrs = append(b.Instrs, n)
	if s := u.sites.Of[of]; s != nil {
		u.sites.Of[n] = s
	}
}

// begin is what a variable of the loop is in an iteration.
func (u *unroller) begin(phi *ssa.Phi, c *ssa.BasicBlock, t, before *turn, entry int) {
	switch {
	case phi == u.counter:
		t.vals[phi] = ssa.NewConst(constant.MakeInt64(u.first+int64(t.n)*u.by), phi.Type())
	case before == nil:
		t.vals[phi] = phi.Edges[entry]
	default:
		u.phi(phi, c, u.header, before, func(p *ssa.BasicBlock) bool { return u.blocks[p] && before.blocks[p] != nil })
		t.vals[phi] = before.vals[nil]
		delete(before.vals, nil)
	}
}

// phi copies a phi for the edges that there are; values are those of the turn that the edges come from.
func (u *unroller) phi(phi *ssa.Phi, c, b *ssa.BasicBlock, from *turn, there func(p *ssa.BasicBlock) bool) {
	n := copied(phi)
	n.Edges = nil
	*n.Referrers() = nil
	for k, p := range b.Preds {
		if there(p) {
			n.Edges = append(n.Edges, from.value(phi.Edges[k]))
		}
	}
	key := ssa.Value(phi)
	if b == u.header {
		key = nil // of the next turn
	}
	if len(n.Edges) == 1 {
		from.vals[key] = n.Edges[0]
		return
	}
	from.vals[key] = n
	u.add(c, n, phi)
}

// leave has what is behind the loop come from the last iteration.
func (u *unroller) leave(last *turn, order []*ssa.BasicBlock) {
	var to *ssa.BasicBlock
	for _, s := range u.exit.Succs {
		if !u.blocks[s] {
			to = s
		}
	}
	for b, c := range last.blocks {
		for _, s := range b.Succs {
			if q := last.blocks[s]; q != nil && s != u.header && b != u.exit {
				c.Succs = append(c.Succs, q)
			}
		}
	}
	last.blocks[u.exit].Succs = []*ssa.BasicBlock{to}
	to.Preds[slices.Index(to.Preds, u.exit)] = last.blocks[u.exit]
	for _, b := range order {
		for _, i := range b.Instrs {
			if v, ok := i.(ssa.Value); ok && v.Referrers() != nil {
				u.replaceBehind(v, last)
			}
		}
	}
}

// replaceBehind has what is behind the loop refer to the last iteration's value.
func (u *unroller) replaceBehind(v ssa.Value, last *turn) {
	for _, i := range slices.Clone(*v.Referrers()) {
		if u.blocks[i.Block()] {
			continue
		}
		by := last.value(v)
		for _, o := range i.Operands(nil) {
			if *o == v {
				*o = by
				if r := referrers(by); r != nil {
					*r = append(*r, i)
				}
			}
		}
	}
}
