package ssa2ir

// This file makes an int of a float in 32 bits where it is limited, at once, by an int of as many:
//
//	y = max(y, 0)                     %n = smin i32 (saturated %y), %h1
//	y0 := min(int(y), h-1)       ->   select (fcmp olt %y, 0x1p63), (zext %n), -1<<63
//	y1 := min(y0+1, h-1)              select (the same), (zext (smin i32 (add %n, 1), %h1)), -1<<63 + 1
//	ay := y - float32(y0)             select (the same), (sitofp i32 %n), -0x1p63
//
// What does not fit an int64 is its least one (floatToInt), and stays that, or that and what is added. So each of these
// has two parts, the number of 32 bits and a constant, and nobody need say what it is used for, as for those of shortint.go. The
// float must not be far below 0: what is limited from above only would need more than 32 bits there.

import (
	"go/constant"
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/module"
	"heddle/internal/target"
)

// A splitInt is an int that is made of a float.
type splitInt struct {
	fits  target.Value // the float fits an int64
	n     target.Value // the int then, in 32 bits
	span  span         // what n may be
	least int64        // the int if the float does not fit
}

// mostSplit is how far a constant leads that is added to such an int, all in all.
const mostSplit = 1 << 16

// splitFloat is an int of a float that need not be computed in 64 bits, as min limits it: nil of another.
func (f *function) splitFloat(c *ssa.Convert) *splitInt {
	if t, _ := typeOf(c.Type()); t != goInt || !f.M.T.LongInt64 || f.M.T.SatInt == nil || f.proof == nil || !isFloat(c.X.Type()) {
		return nil
	}
	least := leastFloat(c.X, 0)
	if !(least > math.MinInt32) {
		return nil
	}
	limited := false
	for _, r := range *c.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Call:
			if !isMinMax(r) || f.limit(r, c) == nil {
				return nil
			}
			limited = true
		default:
			return nil
		}
	}
	if !limited {
		return nil
	}
	x := f.value(c.X)
	fits := f.FCmp("olt", f.unrounded(c.X), target.Float(x.Type(), 0x1p63))
	return &splitInt{fits, f.M.T.SatInt(f.Builder, x), span{int64(math.Floor(least)), math.MaxInt32}, math.MinInt64}
}

// limit is by what min limits v from above, which is an int of 32 bits; nil of anything else, and where nothing is known, as in a loop's guard.
func (f *function) limit(c *ssa.Call, v ssa.Value) ssa.Value {
	args := c.Call.Args
	if f.proof == nil || c.Call.Value.Name() != "min" || len(args) != 2 || args[0] == args[1] {
		return nil
	}
	other := args[0]
	if other == v {
		other = args[1]
	}
	if !f.proof.spanBefore(other, c).within(int32s) {
		return nil
	}
	return other
}

// split is the value of such an int, of which the parts are known.
func (f *function) split(s *splitInt) target.Value {
	x := f.Select(s.fits, f.IntCast(s.n, target.I64, s.span.lo < 0), target.Int(target.I64, s.least))
	f.splits[x] = s
	return x
}

// splitMin is a min of such an int, and nil of anything else.
func (f *function) splitMin(c *ssa.Call) *splitInt {
	for _, v := range c.Call.Args {
		s := f.splits[f.vals[v]]
		if s == nil || c.Call.Value.Name() != "min" {
			continue
		}
		other := f.limit(c, v)
		if other == nil {
			return nil
		}
		n := f.Intrinsic("llvm.smin.i32", target.I32, s.n, f.IntCast(f.value(other), target.I32, true))
		most := f.proof.spanBefore(other, c)
		return &splitInt{s.fits, n, span{min(s.span.lo, most.lo), min(s.span.hi, most.hi)}, s.least}
	}
	return nil
}

// splitSum is the sum of such an int and a constant, and nil of anything else.
func (f *function) splitSum(op *ssa.BinOp, x target.Value) *splitInt {
	s := f.splits[x]
	k, ok := f.intConst(op.Y)
	if s == nil || !ok || op.Op != token.ADD || k < 0 || k > mostSplit || s.least+k > math.MinInt64+mostSplit || s.span.hi+k > math.MaxInt32 {
		return nil
	}
	return &splitInt{s.fits, f.Bin("add nsw", s.n, target.Int(target.I32, k)), span{s.span.lo + k, s.span.hi + k}, s.least + k}
}

// splitToFloat is a float of such an int, and nil of anything else.
func (f *function) splitToFloat(c *ssa.Convert) target.Value {
	s := f.splits[f.vals[c.X]]
	if s == nil || !isFloat(c.Type()) {
		return nil
	}
	t, least := f.llType(c.Type()), float64(s.least)
	if sizeof(c.Type()) == 4 {
		least = float64(float32(s.least))
	}
	return f.Select(s.fits, f.Cast("sitofp", s.n, t), target.Float(t, least))
}

// leastFloat is a number that a float is not below, if it is a number; the least there is if none is known. If it is 0 or more, the
// float is not -0.
func leastFloat(v ssa.Value, deep int) float64 {
	none := math.Inf(-1)
	if deep > 4 {
		return none
	}
	switch v := v.(type) {
	case *ssa.Const:
		k, _ := constant.Float64Val(constant.ToFloat(v.Value))
		return k
	case *ssa.Convert:
		if t, ok := typeOf(v.X.Type()); ok && !isFloat(v.X.Type()) {
			return float64(t.full().lo)
		}
		return leastFloat(v.X, deep+1)
	case *ssa.BinOp:
		if x, y := leastFloat(v.X, deep+1), leastFloat(v.Y, deep+1); x >= 0 && y >= 0 && (v.Op == token.ADD || v.Op == token.MUL || v.Op == token.QUO) {
			return 0
		}
	case *ssa.Call:
		return leastCalled(v, deep+1)
	}
	return none
}

// leastCalled is leastFloat of what a call returns.
func leastCalled(c *ssa.Call, deep int) float64 {
	if isMinMax(c) {
		least := leastFloat(c.Call.Args[0], deep)
		for _, a := range c.Call.Args[1:] {
			if k := leastFloat(a, deep); (k > least) == (c.Call.Value.Name() == "max") {
				least = k
			}
		}
		return least
	}
	if f := c.Call.StaticCallee(); f != nil {
		if o := f.Origin(); o != nil {
			f = o
		}
		switch name := fullName(f); {
		case name == "math.Abs", name == module.DSL+".Abs":
			return 0
		case name == "math.Sqrt", name == module.DSL+".Sqrt":
			if leastFloat(c.Call.Args[0], deep) < 0 {
				return -1 // of -0 it is that
			}
			return 0
		case roundings.Get()[name]:
			return math.Floor(leastFloat(c.Call.Args[0], deep))
		}
	}
	return math.Inf(-1)
}
