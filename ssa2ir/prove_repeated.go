package ssa2ir

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// addRepeated adds what a loop asks of its variables before each iteration, where it does so at its end, and before the first one:
//
//	for i := range n { ... }        if 0 < n { i := 0; do { ... i++ } while i < n }        i < n in all of it
func (p *prover) addRepeated(c *place, b *ssa.BasicBlock) {
	if !isLoopHeader(b) {
		return
	}
	for _, i := range b.Instrs {
		v, ok := i.(*ssa.Phi)
		if !ok {
			break
		}
		if _, ok := typeOf(v.Type()); !ok {
			continue
		}
		var bound ssa.Value
		by, below := int64(0), true
		for i, from := range b.Preds {
			if !p.know.taken(from, b) {
				continue
			}
			y, k, isBelow := edgeBound(from, b, v.Edges[i])
			if y == nil || bound != nil && (y != bound || isBelow != below) {
				bound = nil
				break
			}
			if bound == nil || k < by {
				by = k
			}
			bound, below = y, isBelow
		}
		if bound == nil || !p.node(bound).isAbove(b) {
			continue
		}
		x, y := p.node(v), p.node(bound)
		if !below {
			x, y = y, x
		}
		p.addOrder(c, x, y, by)
	}
}

// edgeBound is what x is compared with on an edge between two blocks: x + by <= bound if below, else bound + by <= x. It is nil
// where x is not.
func edgeBound(from, to *ssa.BasicBlock, x ssa.Value) (bound ssa.Value, by int64, below bool) {
	br, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] == from.Succs[1] {
		return nil, 0, false
	}
	cmp, ok := br.Cond.(*ssa.BinOp)
	if !ok {
		return nil, 0, false
	}
	op := cmp.Op
	if from.Succs[0] != to {
		op = opposite[op]
	}
	below = op == token.LSS || op == token.LEQ
	if op == token.LSS || op == token.GTR {
		by = 1
	}
	switch {
	case !below && op != token.GTR && op != token.GEQ:
	case isSame(cmp.X, x):
		return cmp.Y, by, below
	case isSame(cmp.Y, x):
		return cmp.X, by, !below
	}
	return nil, 0, false
}

// isSame reports whether two values are one, or constants that are equal.
func isSame(x, y ssa.Value) bool {
	a, ok1 := x.(*ssa.Const)
	b, ok2 := y.(*ssa.Const)
	if !ok1 || !ok2 {
		return x == y
	}
	return a.Value != nil && b.Value != nil && a.Value.Kind() == constant.Int && b.Value.Kind() == constant.Int && constant.Compare(a.Value, token.EQL, b.Value)
}
