package ssa2ir

// This file says which loops that run an unknown number of times are unrolled four times, as
// nvcc does. LLVM unrolls what is shorter, and ptxas does.

import (
	"go/constant"
	"go/token"
	"iter"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/intrinsics"
)

const (
	// How many SSA instructions such a loop has.
	minMedium, maxMedium = 28, 64
	maxReading           = 130 // likewise, if it stores nothing: with stores, as of a stencil that goes through planes, it takes longer
	minOpen              = 12  // likewise, if its end is not known before: then nothing else unrolls it
	checkWeight          = 8   // what the check of an index counts for
)

// isSimple reports whether a loop holds no other loop, is left in one place only, where it starts or, as for i := range n
// does, where it begins again, and calls no function of a library of mathematics.
func (l *loop) isSimple(all []*loop) bool {
	exits := 0
	for b := range l.blocks {
		for _, s := range b.Succs {
			if l.blocks[s] {
				continue
			}
			if exits++; exits > 1 || b != l.header && !slices.Contains(b.Succs, l.header) {
				return false
			}
		}
	}
	return l.isInnermost(all) && !callsLibrary(maps.Keys(l.blocks), 0)
}

// isInnermost reports whether a loop holds no other loop.
func (l *loop) isInnermost(all []*loop) bool {
	return !slices.ContainsFunc(all, func(m *loop) bool { return m != l && l.blocks[m.header] })
}

// callsLibrary reports whether blocks call a function of a library of mathematics, themselves or by another function.
func callsLibrary(blocks iter.Seq[*ssa.BasicBlock], depth int) bool {
	const deepest = 4
	for b := range blocks {
		for _, i := range b.Instrs {
			call, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			callee := call.Call.StaticCallee()
			if callee == nil {
				continue
			}
			if row := intrinsics.Lookup(fullName(callee)); row != nil {
				if row.Body {
					return true
				}
			} else if depth < deepest && callsLibrary(slices.Values(callee.Blocks), depth+1) {
				return true
			}
		}
	}
	return false
}

// isMedium reports whether a loop is unrolled four times.
func (f *function) isMedium(l *loop) bool {
	size := l.size
	if size < minMedium && (size < minOpen || !l.isOpen()) {
		return false
	}
	checks, left := 0, false
	for b := range l.blocks {
		for _, i := range b.Instrs {
			if a, ok := i.(*ssa.IndexAddr); ok && !f.opts.NoBounds {
				checks++
				left = left || !f.passes(a, a.Index, a.X)
			}
		}
	}
	if left { // without any, it is the loop that it is without bounds
		size += checks * checkWeight
	}
	return size <= maxMedium || size <= maxReading && !l.writes()
}

// writes reports whether a loop stores to memory, or calls what may.
func (l *loop) writes() bool {
	for b := range l.blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Store:
				if localOf(i.Addr) == nil {
					return true
				}
			case *ssa.Call:
				callee := i.Call.StaticCallee()
				if _, ok := i.Call.Value.(*ssa.Builtin); ok || callee != nil && (intrinsics.Lookup(fullName(callee)) != nil || callee.Signature.Results().Len() > 0) {
					continue
				}
				return true
			}
		}
	}
	return false
}

// strides reports whether a loop's variable begins with what is no constant and goes on by a constant above 1, as
// one over what a warp's lanes share, and does not wrap around: LLVM finds it too dear to compute how often such a loop runs, unless it is
// given a count.
func (f *function) strides(l *loop) bool {
	for _, i := range l.header.Instrs {
		phi, ok := i.(*ssa.Phi)
		if !ok {
			break
		}
		known, ends := false, false
		for _, e := range phi.Edges {
			if _, isConst := e.(*ssa.Const); isConst {
				known = true
			}
			if next, ok := e.(*ssa.BinOp); ok && next.Op == token.ADD && next.X == phi && f.proof != nil && isInteger(phi.Type()) {
				if c := f.know.value(next.Y); c != nil {
					by, _ := constant.Int64Val(c)
					ends = by > 1 && !f.proof.wraps(next, next)
				}
			}
		}
		if !known && ends {
			return true
		}
	}
	return false
}

// gathers reports whether a loop loads what a loaded index says, as of x[cols[k]], and stores nothing: then each load waits
// for another, and the more iterations are under way, the better.
func (l *loop) gathers() bool {
	return l.onlyReads(func(at *ssa.IndexAddr) bool { return l.loaded(at.Index) && isLoaded(at) })
}

// reads reports whether a loop loads elements of slices, and stores nothing.
func (l *loop) reads() bool {
	return l.onlyReads(func(at *ssa.IndexAddr) bool { return localOf(at) == nil })
}

// onlyReads reports whether a loop stores nothing, and has an element that is wanted.
func (l *loop) onlyReads(wanted func(at *ssa.IndexAddr) bool) (found bool) {
	for b := range l.blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Store:
				return false
			case *ssa.IndexAddr:
				found = found || wanted(i)
			}
		}
	}
	return found
}

// isLoaded reports whether what an address points to is loaded.
func isLoaded(at *ssa.IndexAddr) bool {
	return slices.ContainsFunc(*at.Referrers(), func(i ssa.Instruction) bool { u, ok := i.(*ssa.UnOp); return ok && u.Op == token.MUL })
}

// loaded reports whether a value is one that the loop loads, perhaps converted or added to another one.
func (l *loop) loaded(v ssa.Value) bool {
	i, ok := v.(ssa.Instruction)
	if !ok || !l.blocks[i.Block()] {
		return false
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		return v.Op == token.MUL
	case *ssa.Convert:
		return l.loaded(v.X)
	case *ssa.ChangeType:
		return l.loaded(v.X)
	case *ssa.BinOp:
		return l.loaded(v.X) || l.loaded(v.Y)
	}
	return false
}

// isOpen reports whether nothing tells before the loop how often it runs, as of
// for x != 0 { x >>= 1 }, and it calls nothing, barriers for one.
func (l *loop) isOpen() bool {
	for b := range l.blocks {
		for _, i := range b.Instrs {
			if _, ok := i.(*ssa.Call); ok {
				return false
			}
		}
	}
	br, ok := l.header.Instrs[len(l.header.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	test, ok := br.Cond.(*ssa.BinOp)
	return ok && !l.counts(test.X) && !l.counts(test.Y)
}

// counts reports whether v is a variable of the loop that goes on by sums.
func (l *loop) counts(v ssa.Value) bool {
	phi := counter(v)
	if phi == nil || phi.Block() != l.header {
		return false
	}
	return slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool {
		next, ok := e.(*ssa.BinOp)
		return ok && (next.Op == token.ADD || next.Op == token.SUB) && (next.X == phi || next.Y == phi)
	})
}

// mostFew is how often a loop of few iterations runs at most: LLVM unrolls by eight, which is
// then not reached or, over the warps of an AMD block at warp size 64, hardly ever.
func (f *function) mostFew() int64 {
	if f.M.T.WarpSize == 64 {
		return 16
	}
	return 7
}

// isFew reports whether a loop has few iterations, though it is not known how many, as one over a
// block's warps.
func (f *function) isFew(l *loop) bool {
	p := f.proof
	if p == nil {
		return false
	}
	l = p.loops[l.header]
	size, exits := 0, 0
	for b := range l.blocks {
		size += len(b.Instrs)
		for _, s := range b.Succs {
			if !l.blocks[s] {
				exits++
			}
		}
	}
	if size >= minMedium || exits != 1 || !l.isInnermost(p.all) || callsLibrary(maps.Keys(l.blocks), 0) || f.followsCount(l) {
		return false
	}
	p.begin()
	defer p.done()
	n, ok := p.repeats(nil, l)
	return ok && n > 1 && n <= f.mostFew() && p.walkOf(l) == nil
}

// followsCount reports whether how often a loop runs is counted by one around it that runs a constant number of times, which it begins or ends with: once
// LLVM has unrolled that wholly, it knows how often this one runs, and unrolls it wholly, too.
func (f *function) followsCount(l *loop) bool {
	for b := range l.blocks {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || l.blocks[b.Succs[0]] && l.blocks[b.Succs[1]] {
			continue
		}
		test, ok := br.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		if f.isCount(test.Y, l) {
			return true
		}
		if phi := counter(test.X); phi != nil && phi.Block() == l.header {
			for i, from := range phi.Block().Preds {
				if !l.blocks[from] && f.isCount(phi.Edges[i], l) {
					return true
				}
			}
		}
	}
	return false
}

// isCount reports whether a value is the variable of a loop that runs a constant number of times, other than l, or by a constant more or less.
func (f *function) isCount(v ssa.Value, l *loop) bool {
	phi := counter(v)
	if phi == nil || phi.Block() == l.header {
		return false
	}
	around := f.in.loops[phi.Block()]
	return around != nil && around.trips > 0
}
