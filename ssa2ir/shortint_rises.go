package ssa2ir

// This file has an int of a float need no limits of its own in 32 bits, where nothing is made of it but what is more by constants. The instruction that converts
// makes the greatest int32 of what does not fit, and what is more than that has 64 bits: it is compared by the int that it is made of.
//
//	d := int(x); if d >= 0 && d+1 < w { ... row[d+1] }      d+1 < w is d < w-1

import (
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// rises reports whether v, which is such an int or more than that by a constant, may be one of all int32s.
func (u *shortUses) rises(v ssa.Value, slack int64) bool {
	u.seen[v] = leastShort
	for _, i := range *v.Referrers() {
		a, isIndex := i.(*ssa.IndexAddr)
		isIndex = isIndex && a.Index == v
		// Other uses of what has 64 bits would have these, too.
		if !u.mayRise(v, i, slack) && (slack > 0 && !isIndex || !u.within(v, i, u.inside())) {
			return false
		}
	}
	return true
}

// inside is what is far enough from the ends of the int32s.
func (u *shortUses) inside() span {
	return span{math.MinInt32 + shortShift, math.MaxInt32 - shortShift}
}

// mayRise is rises for one use.
func (u *shortUses) mayRise(v ssa.Value, i ssa.Instruction, slack int64) bool {
	switch i := i.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Call:
		if slack > 0 || !isMinMax(i) {
			return false
		}
		limited := false
		for _, a := range i.Call.Args {
			if a != v && !u.within(a, i, u.inside()) {
				return false
			}
			limited = limited || a != v
		}
		return limited && u.rises(i, 0)
	case *ssa.BinOp:
		k, isConst := u.f.intConst(i.Y)
		switch i.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			return i.X == v && i.Y != v && u.within(i.Y, i, u.inside())
		case token.ADD:
			_, direct := v.(*ssa.Convert)
			return direct && i.X == v && isConst && k >= 0 && k < shortShift && u.rises(i, k)
		}
	case *ssa.Convert: // which is made of the float; one that is limited may be an int64 that is less than all int32s
		_, direct := v.(*ssa.Convert)
		return slack == 0 && direct && isFloat(i.Type())
	case *ssa.IndexAddr:
		return slack == 0 && i.Index == v && isShortSum(v) && u.f.proof.spanAt(u.f.proof.length(i.X), u.f.proof.placeBefore(i)).within(u.inside())
	}
	return false
}

// risenCompare is a comparison with a sum of such an int and a constant, nil if it is another one.
func (f *function) risenCompare(op *ssa.BinOp, y target.Value) target.Value {
	sum, ok := op.X.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD || f.proof == nil {
		return nil
	}
	c, ok := sum.X.(*ssa.Convert)
	k, isConst := f.intConst(sum.Y)
	u := &shortUses{f: f, compared: map[*node]bool{}}
	if !ok || !isConst || k < 0 || k >= shortShift || f.shortInts[c] != int32s || !u.within(op.Y, op, u.inside()) {
		return nil
	}
	less := f.Bin("sub nsw", f.IntCast(y, target.I32, true), target.Int(target.I32, k))
	return f.ICmp(predicates.Get()[op.Op][0], f.IntCast(f.value(c), target.I32, true), less)
}
