package ssa2ir

// This file knows what a quotient and a remainder make together:
//
//	row, col := i/w, i%w
//	in[row*w+col]           is in[i]
//	in[row*w+west[col]]     row*w is no more than i, if that is not negative

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// whole is the x of (x / k) * k, nil of others. It is no more than x, without signs.
func (n *node) whole() (x, k *node) {
	if n.op != token.MUL {
		return nil, nil
	}
	for _, m := range [2][2]*node{{n.x, n.y}, {n.y, n.x}} {
		if q := m[0]; q.op == token.QUO && q.y == m[1] && q.intType == n.intType {
			return q.x, q.y
		}
	}
	return nil, nil
}

// together is the x of x/k*k + x%k, nil of others. That does not wrap around.
func (n *node) together() *node {
	if n.op != token.ADD {
		return nil
	}
	for _, m := range [2][2]*node{{n.x, n.y}, {n.y, n.x}} {
		x, k := m[0].whole()
		if r := m[1]; x != nil && r.op == token.REM && r.x == x && r.y == k && r.intType == m[0].intType {
			return x
		}
	}
	return nil
}

// together is the value that a sum makes of its quotient and remainder, nil of other sums.
func (f *function) together(op *ssa.BinOp) ssa.Value {
	if t, ok := typeOf(op.Type()); op.Op != token.ADD || f.proof == nil || !ok || t != goInt {
		return nil
	}
	if of := f.proof.node(op).together(); of != nil {
		for _, v := range []ssa.Value{op.X, op.Y} {
			if r, ok := v.(*ssa.BinOp); ok && r.Op == token.REM && f.proof.node(r.X) == of {
				return r.X
			}
		}
	}
	return nil
}
