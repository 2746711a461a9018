package ssa2ir

// This file checks, for a group of iterations, indices in rows whose numbers are integers of 32 bits in memory, as those of sparse matrices and
// embeddings. A row below 0 is taken for one of 1<<31 or more, whose elements no slice of less than 1<<31 has: the loop then goes on as it was,
// and finds out. So one multiplication of 32 bits is enough, and an index that passes has 32 bits.
//
//	dense[int(rows[e])*cols + j]   ->   %p = add (mul (zext i32 %row to i64), %cols), %j
//	                                    fails if %p >> 32 is not 0, for all of a group, or (trunc i64 %p to i32) is not below the length

import (
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// rowOf is what an index in a row is made of: row*by + plus, which may be nil.
func rowOf(index ssa.Value) (row *ssa.Convert, by, plus ssa.Value) {
	op, ok := index.(*ssa.BinOp)
	if !ok {
		return nil, nil, nil
	}
	switch op.Op {
	case token.ADD:
		for _, x := range [][2]ssa.Value{{op.X, op.Y}, {op.Y, op.X}} {
			if m, ok := x[0].(*ssa.BinOp); ok && m.Op == token.MUL {
				if row, by, _ := rowOf(m); row != nil {
					return row, by, x[1]
				}
			}
		}
	case token.MUL:
		for _, x := range [][2]ssa.Value{{op.X, op.Y}, {op.Y, op.X}} {
			if c, ok := x[0].(*ssa.Convert); ok && isInteger(c.X.Type()) && sizeof(c.X.Type()) <= 4 {
				return c, x[1], nil
			}
		}
	}
	return nil, nil, nil
}

// rowBeyond is whether such an index is not below n, nil for others. Where it needs more than 32 bits is noted in g.high.
func (g *guard) rowBeyond(a *ssa.IndexAddr, n target.Value) target.Value {
	f, p := g.f, g.proof
	row, by, plus := rowOf(a.Index)
	if t, _ := typeOf(a.Index.Type()); row == nil || t != goInt || p == nil || !f.M.T.Narrow || f.vals[a.Index] != nil {
		return nil
	}
	// The index may be used elsewhere, too: what is known of its parts has to hold where it is computed.
	i, positive := a.Index.(ssa.Instruction), span{0, math.MaxInt32}
	if !p.spanBefore(by, i).within(span{1, math.MaxInt32}) || plus != nil && !p.spanBefore(plus, i).within(positive) || !p.spanAt(p.length(a.X), p.placeBefore(a)).within(positive) {
		return nil
	}
	short := func(x ssa.Value) target.Value { return f.IntCast(g.value(x), target.I32, isSigned(x.Type())) }
	rest := target.Value(target.Int(target.I64, 0))
	if plus != nil {
		rest = g.wide(plus)
	}
	x := f.MulAdd(short(row.X), short(by), rest)
	if g.high != nil {
		g.high = f.Bin("or", g.high, x)
	} else {
		g.high = x
	}
	low := f.low(x, false)
	f.set(a.Index, f.IntCast(low, target.I64, false))
	g.made[i] = f.vals[a.Index]
	return f.ICmp("uge", low, f.IntCast(n, target.I32, false))
}
