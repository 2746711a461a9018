package ssa2ir

// This file makes groups of iterations without checks. LLVM and NVIDIA's compiler leave a load behind the branches of the
// iterations before it:
//
//	for k := range n {
//		q := pos[list[k]]              // of four iterations at once
//		if far(p, q) {
//			continue
//		}
//		...
//	}
//
// With FastMath, NVIDIA's compiler makes what is behind a branch so short that a group of gathers takes longer (lennard_jones
// of internal/tests/bench: 1.19 of nvcc's time, and 1.07 without).

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// chooseLoads is choose where there are no checks: it finds what is to be loaded for a group.
func (v *version) chooseLoads() bool {
	f := v.f
	if !v.mayGroup() || v.alters {
		return false
	}
	if v.count = v.countOf(); v.count == nil {
		return false
	}
	v.findLines()
	if v.findSecond(); v.exits && v.second == nil || v.second == nil && !v.isBranched() {
		return false
	}
	for _, b := range v.blocks {
		for _, i := range b.Instrs {
			a, ok := i.(*ssa.IndexAddr)
			if !ok || !v.hasLength(a.X) {
				continue
			}
			switch g := (&guarded{at: a}); {
			case v.isAhead(g):
				v.ahead = append(v.ahead, g)
			case v.everyTime(b) && !f.opts.FastMath || v.rounds(a.Index, 0):
				v.group = append(v.group, g)
			}
		}
	}
	if len(v.group) > maxGuarded || !v.grouped() || !v.inStep() {
		return false
	}
	v.findLoads()
	v.ahead = nil
	return v.gathers()
}

// rounds reports whether an index is made of a float, which takes fewer instructions ahead of a group (guard.shorten).
func (v *version) rounds(x ssa.Value, deep int) bool {
	i, ok := x.(ssa.Instruction)
	if !ok || !v.loop.blocks[i.Block()] || deep == maxEarly {
		return false
	}
	switch x := x.(type) {
	case *ssa.Convert:
		return isFloat(x.X.Type()) || v.rounds(x.X, deep+1)
	case *ssa.BinOp:
		return v.rounds(x.X, deep+1) || v.rounds(x.Y, deep+1)
	}
	return false
}

// gathers reports whether the loop loads an index.
func (v *version) gathers() bool {
	return slices.ContainsFunc(v.group, func(g *guarded) bool { return v.loop.loaded(g.at.Index) })
}

// isBranched reports whether an iteration has branches, beside the loop's test.
func (v *version) isBranched() bool {
	branches := 0
	for _, b := range v.blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
			branches++
		}
	}
	return branches > 1
}

// loadStaying loads, on AMD's GPUs, what is the same in all iterations ahead of the loop, where LLVM does not as a check comes before it: an element of an
// array, of which lanes that run no iteration load the first.
//
//	for _, other := range used {
//		if table.columns[other] < table.columns[slot] { before++ }
//	}
func (g *guard) loadStaying() {
	f := g.f
	for _, c := range g.ahead {
		p, isPointer := c.at.X.Type().Underlying().(*types.Pointer)
		if !f.M.T.Votes || !c.behind || !c.slope.constant() || c.slope.c != 0 || g.alters || !isPointer || !g.isThere(c.at.X) {
			continue
		}
		idx := f.IntCast(g.value(c.at.Index), target.I64, isSigned(c.at.Index.Type()))
		if g.runs != nil {
			idx = f.Select(g.runs, idx, target.Int(target.I64, 0))
		}
		at := f.elementOf(p.Elem().Underlying(), c.at.X, g.value(c.at.X), idx)
		for _, r := range *c.at.Referrers() {
			if u, ok := r.(*ssa.UnOp); ok && u.Op == token.MUL && g.loads[u] == nil {
				g.loads[u] = f.loadFrom(u, at)
			}
		}
	}
}

// isThere reports whether an address leads to memory that there is ahead of the loop, which is not local: a field of what is known to be there.
func (g *guard) isThere(x ssa.Value) bool {
	for {
		a, ok := x.(*ssa.FieldAddr)
		if !ok {
			break
		}
		x = a.X
	}
	if i, ok := x.(ssa.Instruction); ok && g.loop.blocks[i.Block()] {
		return false
	}
	return g.f.in.nonNil(x) && localRoot(x) == nil
}
