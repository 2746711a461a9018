package ssa2ir

// This file says which loops that run an unknown number of times are unrolled four times, as
// nvcc does. LLVM unrolls what is shorter, and ptxas does.

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/intrinsics"
)

const (
	// How many SSA instructions such a loop has.
	minMedium, maxMedium = 32, 80
	minOpen              = 12 // likewise, if its end is not known before: then nothing else unrolls it
	checkWeight          = 8  // what the check of an index counts for
)

// isSimple reports whether a loop holds no other loop, is left where it starts only, and calls
// no function of a library of mathematics.
func (l *loop) isSimple(all []*loop) bool {
	if slices.ContainsFunc(all, func(m *loop) bool { return m != l && l.blocks[m.header] }) {
		return false
	}
	for b := range l.blocks {
		for _, s := range b.Succs {
			if !l.blocks[s] && b != l.header {
				return false
			}
		}
		for _, i := range b.Instrs {
			call, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			callee := call.Call.StaticCallee()
			if callee == nil {
				continue
			}
			if row := intrinsics.Lookup(fullName(callee)); row != nil && row.Body {
				return false
			}
		}
	}
	return true
}

// isMedium reports whether a loop is unrolled four times.
func (f *function) isMedium(l *loop) bool {
	size := l.size
	if size < minMedium && (size < minOpen || !l.isOpen()) {
		return false
	}
	for b := range l.blocks {
		for _, i := range b.Instrs {
			if _, ok := i.(*ssa.IndexAddr); ok && !f.opts.NoBounds {
				size += checkWeight
			}
		}
	}
	return size <= maxMedium
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
