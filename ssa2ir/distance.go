package ssa2ir

// This file finds how long words[i*n : (i+1)*n] is. The bounds are computed apart, the one
// in 32 bits where it can be, and LLVM does not find n again in their difference; but a loop over a known
// number of elements is unrolled, and what it indexes stays in registers.

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// A factors is the product of up to two values, in the order in which they were seen first.
type factors [2]ssa.Value

// A wrapSum is a sum of products with factors. It wraps around at 1<<64, as Go's sums of 64 bits do, so that
// it is exact whatever the values are.
type wrapSum map[factors]uint64

const maxWrap = 8 // operations that a bound is taken apart in, one within the other

// distance is high less low, which is 0 if it is nil.
func distance(high, low ssa.Value) wrapSum {
	w := wrapping{map[ssa.Value]int{}, map[operation]ssa.Value{}}
	sum := w.of(high, maxWrap)
	if low != nil {
		sum.add(w.of(low, maxWrap), ^uint64(0))
	}
	return sum
}

// constant is the sum if nothing but a constant is in it.
func (a wrapSum) constant() (n int64, ok bool) {
	n = int64(a[factors{}])
	return n, len(a) == 0 || len(a) == 1 && n != 0
}

// partLength is the length of a part of x from low to high, where that is a constant or one value; nil where it is not.
func (f *function) partLength(high, low ssa.Value) target.Value {
	sum := distance(high, low)
	if n, ok := sum.constant(); ok {
		return target.Int(target.I64, n)
	}
	for p, k := range sum {
		if len(sum) == 1 && p[1] == nil && k == 1 {
			return f.index(p[0])
		}
	}
	return nil
}

// lengthOfPart is what a call computes, if it is len(x[low:high]) and that is a constant.
func lengthOfPart(call *ssa.CallCommon) constant.Value {
	b, ok := call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "len" {
		return nil
	}
	if n, ok := lengthOf(call.Args[0], maxWrap); ok {
		return constant.MakeInt64(n)
	}
	return nil
}

// lengthOf is how long a part is, where that is a constant: a part of an array, or of such a part, need not say where it ends.
func lengthOf(v ssa.Value, deep int) (n int64, ok bool) {
	s, ok := v.(*ssa.Slice)
	if !ok || deep == 0 {
		return 0, false
	}
	if s.High != nil {
		n, ok = distance(s.High, s.Low).constant()
		return n, ok && n >= 0
	}
	if p, isPointer := s.X.Type().Underlying().(*types.Pointer); isPointer {
		n = p.Elem().Underlying().(*types.Array).Len()
	} else if n, ok = lengthOf(s.X, deep-1); !ok {
		return 0, false
	}
	if s.Low == nil {
		return n, true
	}
	low, ok := distance(s.Low, nil).constant()
	return n - low, ok && 0 <= low && low <= n
}

// add adds b, k times.
func (a wrapSum) add(b wrapSum, k uint64) {
	for p, n := range b {
		if a[p] += n * k; a[p] == 0 {
			delete(a, p)
		}
	}
}

// A wrapping takes values apart.
type wrapping struct {
	seen map[ssa.Value]int
	ops  map[operation]ssa.Value // what was seen first that computes this
}

// An operation is what a binary operator computes.
type operation struct {
	op   token.Token
	x, y ssa.Value
}

// alike is what was seen before and computes the same, or v itself.
func (w *wrapping) alike(v ssa.Value) ssa.Value {
	b, ok := v.(*ssa.BinOp)
	if !ok {
		return v
	}
	o := operation{b.Op, b.X, b.Y}
	if c, ok := b.Y.(*ssa.Const); ok && c.Value != nil { // of which there are many
		for p, first := range w.ops {
			if d, ok := p.y.(*ssa.Const); ok && d.Value != nil && p.op == b.Op && p.x == b.X && constant.Compare(c.Value, token.EQL, d.Value) {
				return first
			}
		}
	}
	if w.ops[o] == nil {
		w.ops[o] = v
	}
	return w.ops[o]
}

// of is a value as a sum.
func (w *wrapping) of(v ssa.Value, deep int) wrapSum {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && isInteger(c.Type()) {
		if n, ok := constant.Int64Val(constant.ToInt(c.Value)); ok {
			sum := wrapSum{}
			sum.add(wrapSum{{}: uint64(n)}, 1)
			return sum
		}
	}
	if sum := w.parts(v, deep); sum != nil {
		return sum
	}
	v = w.alike(v)
	if w.seen[v] == 0 {
		w.seen[v] = len(w.seen) + 1
	}
	return wrapSum{{v}: 1}
}

// parts takes a value apart, nil if it is no sum, product or conversion of 64 bits.
func (w *wrapping) parts(v ssa.Value, deep int) wrapSum {
	if deep == 0 || !isWide(v.Type()) {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Convert:
		if isWide(v.X.Type()) {
			return w.of(v.X, deep-1)
		}
	case *ssa.BinOp:
		switch v.Op {
		case token.ADD, token.SUB:
			sum, by := w.of(v.X, deep-1), uint64(1)
			if v.Op == token.SUB {
				by = ^uint64(0)
			}
			sum.add(w.of(v.Y, deep-1), by)
			return sum
		case token.SHL:
			if n := w.of(v.Y, deep-1); len(n) == 1 && n[factors{}] > 0 && n[factors{}] < 64 {
				sum := wrapSum{}
				sum.add(w.of(v.X, deep-1), 1<<n[factors{}])
				return sum
			}
		case token.MUL:
			return w.times(w.of(v.X, deep-1), w.of(v.Y, deep-1))
		}
	}
	return nil
}

// times is a*b, nil where that has products of three values.
func (w *wrapping) times(a, b wrapSum) wrapSum {
	all := wrapSum{}
	for p, n := range a {
		for q, k := range b {
			var both factors
			at := 0
			for _, v := range []ssa.Value{p[0], p[1], q[0], q[1]} {
				if v == nil {
					continue
				}
				if at == len(both) {
					return nil
				}
				both[at] = v
				at++
			}
			if at == 2 && w.seen[both[0]] > w.seen[both[1]] {
				both[0], both[1] = both[1], both[0]
			}
			all.add(wrapSum{both: n * k}, 1)
		}
	}
	return all
}

// isWide reports whether a type is that of integers of 64 bits.
func isWide(t types.Type) bool {
	i, ok := typeOf(t)
	return ok && i.bits == 64
}
