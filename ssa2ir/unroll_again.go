package ssa2ir

// This file says which loops are not unrolled because their number of iterations is dear to compute: their variable goes on by what is no constant, so that
// it is a quotient, and a loop around them begins or ends them elsewhere each time, so that it is computed anew.
//
//	for v := 1; v <= half; v++ {
//		for u := tx - ends[v]; u <= ends[v]; u += dsl.BlockDim().X { ... }      runs once for most
//	}

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// dividesAgain reports whether that is so of a loop.
func (f *function) dividesAgain(l *loop) bool {
	br, ok := l.header.Instrs[len(l.header.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	test, ok := br.Cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	phi, bound := counter(test.X), test.Y
	if phi == nil || phi.Block() != l.header {
		phi, bound = counter(test.Y), test.X
	}
	around := f.around(l)
	if phi == nil || phi.Block() != l.header || around == nil {
		return false
	}
	quotient, again := false, f.changesIn(bound, around, 0)
	for i, e := range phi.Edges {
		if !l.blocks[l.header.Preds[i]] {
			again = again || f.changesIn(e, around, 0)
			continue
		}
		next, ok := e.(*ssa.BinOp)
		quotient = quotient || ok && (next.Op == token.ADD || next.Op == token.SUB) && f.know.value(next.Y) == nil && f.know.value(next.X) == nil
	}
	return quotient && again
}

// around is the innermost loop around another one, nil if there is none.
func (f *function) around(l *loop) (found *loop) {
	for _, o := range f.in.loops {
		if o != l && o.blocks[l.header] && (found == nil || found.blocks[o.header]) {
			found = o
		}
	}
	return found
}

// changesIn reports whether a value may be another one in each iteration of a loop.
func (f *function) changesIn(v ssa.Value, l *loop, deep int) bool {
	const deepest = 8
	i, ok := v.(ssa.Instruction)
	if !ok || !l.blocks[i.Block()] {
		return false
	}
	if deep == deepest {
		return true
	}
	switch i := i.(type) {
	case *ssa.Call:
		if !f.in.facts(i).OfArgs && !f.in.facts(i).Free() {
			return true
		}
	case *ssa.UnOp:
		if i.Op == token.MUL {
			return true
		}
	case *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.Field, *ssa.Extract:
	default:
		return true
	}
	for _, o := range i.Operands(nil) {
		if *o != nil && f.changesIn(*o, l, deep+1) {
			return true
		}
	}
	return false
}
