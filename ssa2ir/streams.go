package ssa2ir

// This file finds what a loop loads once beside what it gathers, as vals[k] and cols[k] of
//
//	for k := int(rows[i]) + lane; k < int(rows[i+1]); k += 32 {
//		sum += vals[k] * x[cols[k]]
//	}
//
// Neighbouring elements of x are loaded again by other threads, those of vals are not: where the cache holds on to the
// latter, it loses the former.

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A step by which the next iteration's element lies in another part of memory than this one's. What is between is loaded
// by other threads at the same time.
const (
	streamStep = 32      // elements
	anyStep    = 1 << 20 // that is not known: of a block, a grid, or a row
)

// findStreams finds the loads of streams.
func (f *function) findStreams() map[*ssa.UnOp]bool {
	if f.M.T.StreamLoad == nil || f.in != f.prog.root {
		return nil
	}
	found := map[*ssa.UnOp]bool{}
	all := loopsOf(f.in.fn, f.know)
	for _, l := range all {
		if !l.isInnermost(all) || !l.gathers() {
			continue
		}
		for b := range l.blocks {
			for _, i := range b.Instrs {
				u, ok := i.(*ssa.UnOp)
				if !ok || u.Op != token.MUL || !isInteger(u.Type()) && !isFloat(u.Type()) || sizeof(u.Type()) < 4 {
					continue
				}
				if a, ok := u.X.(*ssa.IndexAddr); ok && isArgument(a.X) {
					by, ok := f.stepOf(l, a.Index, 0)
					found[u] = ok && (by >= streamStep || by <= -streamStep)
				}
			}
		}
	}
	return found
}

// isArgument reports whether a slice is one of the launch's, in global memory.
func isArgument(x ssa.Value) bool {
	switch x := x.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.UnOp:
		_, ok := x.X.(*ssa.FreeVar)
		return ok && x.Op == token.MUL
	case *ssa.Slice:
		return isArgument(x.X)
	}
	return false
}

// stepOf is about how much an integer changes from one iteration of a loop to the next.
func (f *function) stepOf(l *loop, x ssa.Value, deep int) (by int64, ok bool) {
	i, ok := x.(ssa.Instruction)
	if !ok || !l.blocks[i.Block()] {
		return 0, true
	}
	if deep == maxSlope {
		return 0, false
	}
	switch x := x.(type) {
	case *ssa.Phi:
		return f.stepOfVariable(l, x)
	case *ssa.Convert:
		if isInteger(x.X.Type()) {
			return f.stepOf(l, x.X, deep+1)
		}
	case *ssa.BinOp:
		a, ok1 := f.stepOf(l, x.X, deep+1)
		b, ok2 := f.stepOf(l, x.Y, deep+1)
		if !ok1 || !ok2 {
			return 0, false
		}
		switch x.Op {
		case token.ADD:
			return a + b, true
		case token.SUB:
			return a - b, true
		case token.MUL:
			return f.times(a, x.Y) + f.times(b, x.X), true
		case token.SHL:
			k, ok := f.intConst(x.Y)
			return a << (k & 15), ok
		}
	}
	return 0, false
}

// times is a step times a factor.
func (f *function) times(by int64, factor ssa.Value) int64 {
	if k, ok := f.intConst(factor); ok && by != 0 {
		return by * max(min(k, anyStep), -anyStep)
	}
	return min(by, 1) * anyStep
}

// stepOfVariable is that of a variable of the loop's header.
func (f *function) stepOfVariable(l *loop, phi *ssa.Phi) (by int64, ok bool) {
	if phi.Block() != l.header {
		return 0, false
	}
	for i, from := range l.header.Preds {
		if !l.blocks[from] {
			continue
		}
		next, is := phi.Edges[i].(*ssa.BinOp)
		if !is || next.X != phi || next.Op != token.ADD && next.Op != token.SUB {
			return 0, false
		}
		k, known := f.intConst(next.Y)
		if n, is := next.Y.(ssa.Instruction); !known && is && l.blocks[n.Block()] {
			return 0, false
		}
		if !known {
			k = anyStep
		}
		by, ok = k, true
	}
	return by, ok
}
