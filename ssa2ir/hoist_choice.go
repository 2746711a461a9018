package ssa2ir

// This file has values that an if chooses computed ahead of a loop, for the checks of hoist.go:
//
//	k := x + i
//	if k < 0 {             select(x+i < 0, -(x+i), x+i)
//		k = -k
//	}

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A choice is a phi node of two branches of an if.
type choice struct {
	cond, yes, no ssa.Value
}

// choiceOf is what a phi node chooses, if it is where the two branches of an if meet.
func choiceOf(v *ssa.Phi) (c choice, ok bool) {
	b := v.Block()
	up := b.Idom()
	if len(v.Edges) != 2 || up == nil {
		return c, false
	}
	br, ok := up.Instrs[len(up.Instrs)-1].(*ssa.If)
	if !ok || up.Succs[0] == up.Succs[1] {
		return c, false
	}
	var sides [2]ssa.Value
	for i, from := range b.Preds {
		for k, s := range up.Succs {
			if from == up && s == b || from != up && len(s.Preds) == 1 && s.Dominates(from) {
				sides[k] = v.Edges[i]
			}
		}
	}
	return choice{br.Cond, sides[0], sides[1]}, sides[0] != nil && sides[1] != nil
}

// choosesEarly reports whether what a phi node of the loop chooses can be computed before the loop.
func (in *instance) choosesEarly(v *ssa.Phi, h *hoist) bool {
	c, ok := choiceOf(v)
	return ok && isInteger(v.Type()) && in.early(c.cond, h) && in.early(c.yes, h) && in.early(c.no, h)
}

// comparesEarly reports whether a comparison of integers can be made before the loop.
func (in *instance) comparesEarly(v *ssa.BinOp, h *hoist) bool {
	switch v.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return isInteger(v.X.Type()) && in.early(v.X, h) && in.early(v.Y, h)
	}
	return false
}
