package ssa2ir

// This file computes with 32 bits where an int is known to need no more, as indices of local
// and shared arrays are. GPUs have no registers of 64 bits: each operation of an int is two
// or more, and each value is held in two.
//
//	t2 = t0 + t1   ->   %1 = trunc i64 %t0 to i32
//	                    %2 = trunc i64 %t1 to i32
//	                    %3 = add nuw nsw i32 %1, %2
//	                    %t2 = zext i32 %3 to i64

import (
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// int32s are the numbers of 32 bits.
var int32s = span{math.MinInt32, math.MaxInt32}

// narrow makes an operator of 64 bits with 32, nil if it may need more.
func (f *function) narrow(op *ssa.BinOp, x, y target.Value) target.Value {
	t, ok := typeOf(op.Type())
	if f.proof == nil || !f.M.T.Narrow || !ok || t.bits != 64 {
		return nil
	}
	name := ""
	switch op.Op {
	case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR:
		name = intOps.Get()[op.Op]
	case token.SHL:
		name = "shl"
	case token.SHR:
		name = "ashr"
	case token.QUO:
		name = "udiv"
	case token.REM:
		name = "urem"
	default:
		return nil
	}
	at := ssa.Instruction(op)
	if f.anchor != nil {
		at = f.anchor
	}
	p := f.proof
	a, b := p.spanBefore(op.X, at), p.spanBefore(op.Y, at)
	switch op.Op {
	case token.SHL, token.SHR:
		if _, isConst := op.Y.(*ssa.Const); !isConst || b.lo < 0 || b.hi > 31 {
			return nil
		}
	case token.QUO, token.REM:
		if a.lo < 0 || b.lo <= 0 {
			return nil
		}
	}
	if !a.within(int32s) || !b.within(int32s) {
		return nil
	}
	r, ok := spanOf(op.Op, t, t, a, b)
	if s := p.spanBefore(op, at); ok {
		r = r.and(s)
	} else {
		r = s
	}
	if !r.within(int32s) {
		return nil
	}
	switch op.Op {
	case token.ADD, token.MUL, token.SHL:
		if a.lo >= 0 && b.lo >= 0 {
			name += " nuw"
		}
		name += " nsw"
	case token.SUB:
		name += " nsw"
	}
	n := f.Bin(name, f.IntCast(x, target.I32, true), f.IntCast(y, target.I32, true))
	return f.IntCast(n, target.I64, r.lo < 0)
}
