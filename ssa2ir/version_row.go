package ssa2ir

// This file checks, for a group of iterations, indices in rows whose numbers are integers of 32 bits in memory, as those of sparse matrices and
// embeddings. A row below 0 is taken for one of 1<<31 or more, whose elements no slice of less than 1<<31 has: the loop then goes on as it was,
// and finds out. So one multiplication of 32 bits is enough, and an index that passes has 32 bits.
//
//	dense[int(rows[e])*cols + j]   ->   %p = add (mul (zext i32 %row to i64), %cols), %j
//	                                    fails if %p >> 32 is not 0, for all of a group, or (trunc i64 %p to i32) is not below the length
//
// The same holds of a row that is a sum of such an integer and another number, as long as it is from -1<<31 to 1<<32-1, and of what is added:
//
//	image[(y+int(dy[k]))*w + x + int(dx[k])]   ->   %p = add (mul (zext (add i32 %y, %dy) to i64), %w), (zext (add i32 %x, %dx) to i64)
//
// And of a sum of such an integer and another one the lower half is enough:
//
//	dense[int(first[e])+j]   ->   fails if (add i32 %first, %j) is not below the length

import (
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// rowOf is what an index in a row is made of: row*by, and what is added to that. Without a row it is another one.
func rowOf(index ssa.Value, deep int) (row, by ssa.Value, plus []ssa.Value) {
	const deepest = 3
	op, ok := index.(*ssa.BinOp)
	if !ok || deep > deepest || op.Op != token.ADD && op.Op != token.MUL {
		return nil, nil, nil
	}
	for _, x := range [][2]ssa.Value{{op.X, op.Y}, {op.Y, op.X}} {
		if op.Op == token.MUL {
			if isOfShort(x[0], 0) {
				return x[0], x[1], nil
			}
		} else if row, by, plus := rowOf(x[0], deep+1); row != nil {
			return row, by, append(plus, x[1])
		}
	}
	return nil, nil, nil
}

// isOfShort reports whether a value is an integer of 32 bits, or a sum with one.
func isOfShort(v ssa.Value, deep int) bool {
	const deepest = 3
	switch v := v.(type) {
	case *ssa.Convert:
		return isInteger(v.X.Type()) && sizeof(v.X.Type()) <= 4
	case *ssa.BinOp:
		return (v.Op == token.ADD || v.Op == token.SUB) && deep < deepest && (isOfShort(v.X, deep+1) || isOfShort(v.Y, deep+1))
	}
	return false
}

// rowBeyond is whether such an index is not below n, nil for others. Where it needs more than 32 bits is noted in g.high.
func (g *guard) rowBeyond(a *ssa.IndexAddr, n target.Value) target.Value {
	f, p := g.f, g.proof
	row, by, plus := rowOf(a.Index, 0)
	if t, _ := typeOf(a.Index.Type()); t != goInt || p == nil || !f.M.T.Narrow || f.vals[a.Index] != nil {
		return nil
	}
	if row == nil {
		if index := g.lowSum(a); index != nil {
			return f.ICmp("uge", index, f.IntCast(n, target.I32, false))
		}
		return nil
	}
	// The index may be used elsewhere, too: what is known of its parts has to hold where it is computed.
	i, positive, low := a.Index.(ssa.Instruction), span{0, math.MaxInt32}, span{math.MinInt32, math.MaxUint32}
	if !p.spanBefore(by, i).within(span{1, math.MaxInt32}) || !p.spanBefore(row, i).within(low) || !p.spanAt(p.length(a.X), p.placeBefore(a)).within(positive) {
		return nil
	}
	rest, ok := g.rest(plus, i)
	if !ok {
		return nil
	}
	x := f.MulAdd(g.low(row), g.low(by), rest)
	if g.high != nil {
		g.high = f.Bin("or", g.high, x)
	} else {
		g.high = x
	}
	index := f.low(x, false)
	f.set(a.Index, f.IntCast(index, target.I64, false))
	g.made[i] = f.vals[a.Index]
	return f.ICmp("uge", index, f.IntCast(n, target.I32, false))
}

// lowSum is the lower half of an index that is a sum with an integer of 32 bits, which is the index if that is in range; nil of others.
func (g *guard) lowSum(a *ssa.IndexAddr) target.Value {
	f, p := g.f, g.proof
	i, ok := a.Index.(*ssa.BinOp)
	if !ok || !isOfShort(i, 0) || p == nil || !f.M.T.Narrow || f.vals[i] != nil {
		return nil
	}
	if !p.spanBefore(i, i).within(span{math.MinInt32, math.MaxUint32}) || !p.spanAt(p.length(a.X), p.placeBefore(a)).within(span{0, math.MaxInt32}) {
		return nil
	}
	index := g.low(i)
	f.set(i, f.IntCast(index, target.I64, false))
	g.made[i] = f.vals[i]
	return index
}

// rest is the sum of what is added to a row, where its lower half is enough.
func (g *guard) rest(plus []ssa.Value, at ssa.Instruction) (target.Value, bool) {
	f, all := g.f, span{}
	for _, v := range plus {
		s := g.proof.spanBefore(v, at)
		if !s.within(span{-1 << 33, 1 << 33}) {
			return nil, false
		}
		all = span{all.lo + s.lo, all.hi + s.hi}
	}
	switch {
	case len(plus) == 0:
		return target.Int(target.I64, 0), true
	case len(plus) == 1 && all.within(span{0, math.MaxInt32}):
		return g.wide(plus[0]), true
	case !all.within(span{math.MinInt32, math.MaxUint32}):
		return nil, false
	}
	sum := g.low(plus[0])
	for _, v := range plus[1:] {
		sum = f.Bin("add", sum, g.low(v))
	}
	return f.IntCast(sum, target.I64, false), true
}

// low is the lower half of an integer, of a sum with one of 32 bits computed of those of its operands.
func (g *guard) low(v ssa.Value) target.Value {
	f := g.f
	switch op := v.(type) {
	case *ssa.BinOp:
		if f.vals[v] == nil && isOfShort(v, 0) {
			return f.Bin(narrowings.Get()[op.Op].name, g.low(op.X), g.low(op.Y))
		}
	case *ssa.Convert:
		if isOfShort(v, 0) {
			return f.IntCast(g.value(op.X), target.I32, isSigned(op.X.Type()))
		}
	}
	return f.IntCast(g.value(v), target.I32, isSigned(v.Type()))
}
