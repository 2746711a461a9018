package ssa2ir

// This file says what of a loop can be computed before its time.

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/inline"
)

// invariant reports whether a value is the same in all iterations, and can be computed ahead
// of the loop.
func (v *version) invariant(x ssa.Value, deep int) bool {
	i, ok := x.(ssa.Instruction)
	if !ok || !v.loop.blocks[i.Block()] {
		return true
	}
	if _, ok := v.f.intConst(x); ok {
		return true
	}
	return v.early(x, deep, func(ssa.Value) bool { return false }, func(u *ssa.UnOp) bool {
		return v.begins(u) && v.keeps(u.X) && v.address(u.X, deep)
	})
}

// begins reports whether the first iteration comes to a load, if it comes to its end. Another
// thread may be at what is not loaded by this one.
func (v *version) begins(u *ssa.UnOp) bool {
	return localRoot(u.X) != nil || v.everyTime(u.Block()) && (!v.exits || u.Block() == v.header)
}

// keeps reports whether the loop does not change what an address points to.
func (v *version) keeps(x ssa.Value) bool {
	if root := localRoot(x); root != nil {
		return v.loop.leavesAlone(root)
	}
	return !v.alters
}

// address reports whether an address is the same in all iterations.
func (v *version) address(x ssa.Value, deep int) bool {
	i, ok := x.(ssa.Instruction)
	if !ok || !v.loop.blocks[i.Block()] {
		return v.f.in.nonNil(x)
	}
	switch x := x.(type) {
	case *ssa.FieldAddr:
		return v.address(x.X, deep)
	case *ssa.IndexAddr:
		return v.fixed(x.X) && v.invariant(x.Index, deep+1)
	}
	return false
}

// fixed reports whether what is indexed is known ahead of the loop.
func (v *version) fixed(x ssa.Value) bool {
	if _, ok := x.Type().Underlying().(*types.Pointer); ok {
		i, ok := x.(ssa.Instruction)
		return v.f.in.nonNil(x) && (!ok || !v.loop.blocks[i.Block()])
	}
	i, ok := x.(ssa.Instruction)
	return !ok || !v.loop.blocks[i.Block()]
}

// hasLength reports whether the length of what is indexed is known ahead of the loop.
func (v *version) hasLength(x ssa.Value) bool {
	if _, ok := x.Type().Underlying().(*types.Pointer); ok {
		return v.f.in.nonNil(x) // of an array
	}
	return v.fixed(x)
}

// early reports whether a value can be computed from those of which known says that they are
// there, and from what loads says can be loaded.
func (v *version) early(x ssa.Value, deep int, known func(ssa.Value) bool, loads func(*ssa.UnOp) bool) bool {
	i, ok := x.(ssa.Instruction)
	if !ok || !v.loop.blocks[i.Block()] || known(x) {
		return true
	}
	if deep == maxEarly {
		return false
	}
	switch x := x.(type) {
	case *ssa.UnOp:
		if x.Op == token.MUL {
			if s := v.stored(x); s != nil {
				return v.early(s.Val, deep+1, known, loads)
			}
			return loads(x)
		}
	case *ssa.BinOp:
		if !v.f.in.harmless(x, nil) {
			return false
		}
	case *ssa.Convert, *ssa.ChangeType, *ssa.Field, *ssa.Extract:
	case *ssa.Call:
		if !v.f.in.computes(x) {
			return false
		}
	default:
		return false
	}
	if isBig(x.Type()) || isFunc(x.Type()) {
		return false
	}
	for _, o := range i.Operands(nil) {
		if *o != nil && !v.early(*o, deep+1, known, loads) {
			return false
		}
	}
	return true
}

// stored is the one store, in the same iteration, of what is loaded from a local variable.
func (v *version) stored(u *ssa.UnOp) *ssa.Store {
	root := localRoot(u.X)
	if root == nil || !v.loop.blocks[root.Block()] {
		return nil
	}
	var all []inline.Part
	if !inline.Stores(root, nil, &all) || len(all) != 1 || len(all[0].Path) != 0 || !inline.Before(all[0].Store, u) ||
		isBig(all[0].Store.Val.Type()) || opaque(all[0].Store.Val.Type()) != nil {
		return nil
	}
	return all[0].Store
}

// isAhead reports whether a check can be made ahead of the loop for all iterations.
func (v *version) isAhead(g *guarded) bool {
	if v.trips > 0 {
		by, ok := v.straight(g.at.Index, 0)
		g.by = by
		return ok && g.at.Block() != v.tests && v.ofGroup(g.at.Index, 0)
	}
	if v.count == nil || !v.atEnd && g.at.Block() == v.tests && !v.invariant(g.at.Index, 0) {
		return false
	}
	s, ok := v.slopeOf(g.at.Index, v.everyTime(g.at.Block()))
	g.slope = s
	return ok && (!s.constant() || s.c <= steep && s.c >= -steep)
}

// grouped reports whether the checks that are left can be made for a group of iterations.
func (v *version) grouped() bool {
	if len(v.group) == 0 {
		return false
	}
	for _, g := range v.group {
		if !v.atEnd && g.at.Block() == v.tests || !v.ofGroup(g.at.Index, 0) {
			return false
		}
		if g.by, g.straight = v.straight(g.at.Index, 0); !g.straight {
			g.when = v.conditions(g.at.Block())
		}
	}
	v.joinGroup()
	return true
}

// mayGroup reports whether iterations are short enough to be grouped, and no option of the program says how often they are copied.
func (v *version) mayGroup() bool {
	return v.f.M.T.Groups && v.size <= maxGrouped && v.f.in.unroll[v.header] == unrollAsIs
}

// inStep reports whether all lanes of a warp run the loop equally often, where they vote. Else one that has few iterations left would keep
// the others from their groups.
func (v *version) inStep() bool {
	f := v.f
	if !f.M.T.Votes {
		return true
	}
	if v.count == nil || f.in != f.prog.root {
		return false
	}
	u := f.prog.newUniformity(true)
	return u != nil && u.returns[v.header] && u.same(v.count.phi, v.header) && u.same(v.count.test.Y, v.header)
}

// joinGroup marks the checks of a group that others are made for: of one block and one slice, with
// indices that differ by constants.
func (v *version) joinGroup() {
	p := v.f.proof
	for k, first := range v.group {
		if first.spare || first.straight || first.reach > 0 {
			continue
		}
		var same []*guarded
		var run []joint
		for _, g := range v.group[k:] {
			if !g.spare && !g.straight && g.at.Block() == first.at.Block() && g.at.X == first.at.X {
				same = append(same, g)
				run = append(run, joint{index: p.node(g.at.Index), length: p.length(g.at.X)})
			}
		}
		p.reaches(run, first.at)
		for i, j := range run {
			same[i].spare, same[i].reach = j.spare, j.reach
		}
	}
}

// straight is the step by which an index goes from one iteration to the next, if that is small
// and of one size: within a group, all are in range if the first is, and the last.
func (v *version) straight(x ssa.Value, deep int) (by int64, ok bool) {
	if v.invariant(x, 0) {
		return 0, true
	}
	if deep == maxSlope || sizeof(x.Type()) != 8 || v.f.wrapping[x] != nil {
		return 0, false
	}
	switch x := x.(type) {
	case *ssa.Phi:
		next, ok := v.back(x).(*ssa.BinOp)
		if !ok || x.Block() != v.header || next.X != x || next.Op != token.ADD && next.Op != token.SUB {
			return 0, false
		}
		k, ok := v.f.intConst(next.Y)
		if next.Op == token.SUB {
			k = -k
		}
		return k, ok && k <= steep && k >= -steep
	case *ssa.Convert:
		if isInteger(x.X.Type()) {
			return v.straight(x.X, deep+1)
		}
	case *ssa.BinOp:
		a, ok1 := v.straight(x.X, deep+1)
		b, ok2 := v.straight(x.Y, deep+1)
		switch x.Op {
		case token.ADD:
			return a + b, ok1 && ok2
		case token.SUB:
			return a - b, ok1 && ok2
		}
	}
	return 0, false
}

// ofGroup reports whether a value can be computed ahead of a group of iterations.
func (v *version) ofGroup(x ssa.Value, deep int) bool {
	return v.early(x, deep,
		func(x ssa.Value) bool { phi, ok := x.(*ssa.Phi); return ok && v.lines[phi] },
		func(u *ssa.UnOp) bool { return v.keeps(u.X) && v.loads(u, u.X, deep) })
}

// findLoads finds what each iteration loads whose address is known, so that all of it is under
// way when the branch on a group's checks waits for their indices.
func (v *version) findLoads() {
	for _, b := range v.blocks {
		for _, i := range b.Instrs {
			if u, ok := i.(*ssa.UnOp); ok && u.Op == token.MUL && !isBig(u.Type()) && opaque(u.Type()) == nil && v.ofGroup(u, 0) {
				v.loaded = append(v.loaded, u)
			}
		}
	}
}

// findLines finds the variables whose values in the next iterations can be computed ahead:
// from each other, without a load.
func (v *version) findLines() {
	v.lines = map[*ssa.Phi]bool{}
	for _, phi := range v.phis {
		v.lines[phi] = v.back(phi) != nil && !isFloat(phi.Type())
	}
	for again := true; again; {
		again = false
		for _, phi := range v.phis {
			if v.lines[phi] && !v.early(v.back(phi), 0, func(x ssa.Value) bool { phi, ok := x.(*ssa.Phi); return ok && v.lines[phi] }, func(*ssa.UnOp) bool { return false }) {
				delete(v.lines, phi)
				again = true
			}
		}
	}
}

// loads reports whether an address is one of memory that there is in each iteration.
func (v *version) loads(at *ssa.UnOp, x ssa.Value, deep int) bool {
	i, ok := x.(ssa.Instruction)
	if !ok || !v.loop.blocks[i.Block()] {
		return v.f.in.nonNil(x)
	}
	switch x := x.(type) {
	case *ssa.FieldAddr:
		return v.loads(at, x.X, deep)
	case *ssa.IndexAddr:
		if v.count == nil || !v.everyTime(at.Block()) || !v.fixed(x.X) || !v.ofGroup(x.Index, deep+1) {
			return false
		}
		if slices.ContainsFunc(v.ahead, func(g *guarded) bool { return g.at == x }) || v.f.opts.NoBounds || v.isSure(x) {
			return true
		}
		p := v.f.proof
		p.begin()
		defer p.done()
		in := p.placeAt(v.header)
		if !v.atEnd {
			in = p.placeOn(v.header, v.stays())
		}
		return p.atMost(p.constant(0), p.node(x.Index), 0, in) && p.atMost(p.node(x.Index), p.length(x.X), 1, in)
	}
	return false
}

// isSure reports whether an index is in range by what is known ahead of the loop, if an iteration comes to its end: the launch sees to it,
// and not a check that the iteration makes before.
func (v *version) isSure(at *ssa.IndexAddr) bool {
	if v.f.bounded == nil || !v.f.bounded.guarded[at] {
		return false
	}
	for _, b := range v.blocks {
		for _, i := range b.Instrs {
			if a, ok := i.(*ssa.IndexAddr); ok && inline.Before(a, at) && !v.f.passes(a, a.Index, a.X) {
				return false
			}
		}
	}
	return true
}

// stays is where the loop's test leads to in the loop.
func (v *version) stays() *ssa.BasicBlock {
	if v.loop.blocks[v.tests.Succs[0]] {
		return v.tests.Succs[0]
	}
	return v.tests.Succs[1]
}

// conditions are some of those under which a block is run, all of which can be computed ahead.
func (v *version) conditions(b *ssa.BasicBlock) (all []condition) {
	for b != v.header {
		up := b.Idom()
		if len(b.Preds) == 1 && b.Preds[0] == up {
			if br, ok := up.Instrs[len(up.Instrs)-1].(*ssa.If); ok && up.Succs[0] != up.Succs[1] && !v.isTest(up) && v.ofGroup(br.Cond, 0) {
				all = append(all, condition{br.Cond, up.Succs[0] == b})
			}
		}
		b = up
	}
	return all
}
