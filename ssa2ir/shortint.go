package ssa2ir

// This file makes an int of a float in 32 bits where it does not matter by how much it is beyond these: where it is compared
// with what is not, limited, or used where a comparison says that it is not beyond.
//
//	x := int(dsl.Floor(f))
//	if x >= 0 && x < w { ... in[x] }      x is in 32 bits, no more than 1<<31 - 1 - shortMargin
//
// GPUs have no instruction for 64 bits: an int of a float32 is a dozen of AMD's, and all that is computed of it is twice as long. What
// does not fit an int64 is its least one, as NaN is (floatToInt); that is the least one here, and nothing else is. Less than that is
// the greatest there is: in Go, too, it wraps around.

import (
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// shortMargin is by how much such an int may still be increased, or decreased, and fit 32 bits.
const shortMargin = 1024

// shortInts are the numbers that such an int may be.
var shortInts = span{math.MinInt32 + shortMargin, math.MaxInt32 - shortMargin}

// findShortInts finds the conversions, and says to the prover what they make.
func (f *function) findShortInts() map[*ssa.Convert]bool {
	if f.proof == nil || f.M.T.SatInt == nil {
		return nil
	}
	var all map[*ssa.Convert]bool
	for _, b := range f.in.fn.Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(*ssa.Convert)
			if !ok || !f.know.live[b] || !isFloat(c.X.Type()) {
				continue
			}
			if t, _ := typeOf(c.Type()); t != goInt {
				continue
			}
			if u := (shortUses{f: f, seen: map[ssa.Value]bool{}}); u.fit(c, 0) {
				if all == nil {
					all = map[*ssa.Convert]bool{}
				}
				all[c] = !u.lessens
			}
		}
	}
	for c, never := range all {
		if never { // else a difference may wrap around, for all that the prover knows
			n := f.proof.node(c)
			n.base = n.base.and(shortInts)
		}
		all[c] = true
	}
	if all != nil {
		f.proof.forget()
	}
	return all
}

// shortUses goes through what is made of an int.
type shortUses struct {
	f       *function
	seen    map[ssa.Value]bool
	lessens bool // something is subtracted
}

// fit reports whether v, which is such an int and up to slack more or less, may be one of 32 bits wherever it is used.
func (u *shortUses) fit(v ssa.Value, slack int64) bool {
	const most = 24 // values
	if u.seen[v] {
		return true
	}
	u.seen[v] = true
	if len(u.seen) > most || slack > shortMargin/2 {
		return false
	}
	for _, i := range *v.Referrers() {
		if !u.fits(v, i, slack) {
			return false
		}
	}
	return true
}

// fits is fit for one use.
func (u *shortUses) fits(v ssa.Value, i ssa.Instruction, slack int64) bool {
	inside := span{shortInts.lo + slack + 1, shortInts.hi - slack - 1}
	switch i := i.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Phi:
		return u.fit(i, slack)
	case *ssa.Call:
		if !isMinMax(i) {
			break
		}
		for _, a := range i.Call.Args {
			if a != v && !u.within(a, i, inside) {
				return false
			}
		}
		return u.fit(i, slack)
	case *ssa.BinOp:
		other := i.Y
		if other == v {
			other = i.X
		}
		switch i.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			if other != v && u.within(other, i, inside) {
				return true
			}
		case token.ADD, token.SUB:
			k, ok := u.f.intConst(other)
			if i.Op == token.SUB {
				k = -k
			}
			_, direct := v.(*ssa.Convert)
			if ok && other == i.Y && k > -shortMargin && k < shortMargin && (k >= 0 || direct) && u.fit(i, slack+max(k, -k)) {
				u.lessens = u.lessens || k < 0
				return true
			}
			if !ok && i.Op == token.ADD && direct && other != v && u.within(other, i, span{0, math.MaxInt32 - 2*shortMargin}) && u.indexes(i, 1) {
				return true
			}
		}
	case *ssa.Convert:
		if _, is := v.(*ssa.Convert); is && isFloat(i.Type()) {
			return true // it is made of the float: lowerConvert
		}
	case *ssa.IndexAddr:
		p := u.f.proof
		if isShortSum(v) && i.Index == v && p.spanAt(p.length(i.X), p.placeBefore(i)).within(inside) {
			return true // what fails says what it is: exactArgs
		}
	}
	return u.within(v, i, inside)
}

// indexes reports whether a sum of such an int and what is not negative, and up to so many constants, is an index and no more. If it is not
// negative, the int fits, or is so large that the sum is no index in Go, either.
func (u *shortUses) indexes(sum *ssa.BinOp, constants int) bool {
	for _, i := range *sum.Referrers() {
		switch i := i.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.IndexAddr:
			p := u.f.proof
			if i.Index == sum && p.spanAt(p.length(i.X), p.placeBefore(i)).hi <= shortInts.hi-shortMargin {
				continue
			}
		case *ssa.BinOp:
			k, ok := u.f.intConst(i.Y)
			if ok && constants > 0 && i.Op == token.ADD && i.X == sum && k >= 0 && k < shortMargin && u.indexes(i, constants-1) {
				continue
			}
		}
		return false
	}
	return true
}

// within reports whether a value is known to be within s before an instruction; of a phi's that is where it comes from.
func (u *shortUses) within(v ssa.Value, at ssa.Instruction, s span) bool {
	if _, isPhi := at.(*ssa.Phi); isPhi {
		return false
	}
	return u.f.proof.spanBefore(v, at).within(s)
}

// shortInt is such an int of x, which was y before it was rounded.
//
//	t1 = convert int <- float32 (t0)   ->   select (fcmp olt (fabs %y), 0x1p63), (max (min (saturated %t0), hi), lo+1), lo
func (f *function) shortInt(x, y target.Value) target.Value {
	n := f.Intrinsic("llvm.smin.i32", target.I32, f.M.T.SatInt(f.Builder, x), target.Int(target.I32, shortInts.hi))
	n = f.Intrinsic("llvm.smax.i32", target.I32, n, target.Int(target.I32, shortInts.lo+1))
	return f.Select(f.fitsSigned(y, 64), n, target.Int(target.I32, shortInts.lo))
}

// lessThanLeast is x, which is such an int, for a sum: what makes the greatest of the least one, if something is subtracted. Where the sum is
// used that is known to be within 32 bits, x is not the least one.
func (f *function) lessThanLeast(op *ssa.BinOp, x target.Value) target.Value {
	k, ok := f.intConst(op.Y)
	if op.Op == token.SUB {
		k = -k
	}
	if !ok || k >= 0 || op.Op != token.ADD && op.Op != token.SUB {
		return x
	}
	return f.Select(f.ICmp("eq", x, target.Int(target.I64, shortInts.lo)), target.Int(target.I64, shortInts.hi), x)
}

// withoutSign is an index that is such an int, and known not to be negative: it is widened as sums of it are then.
func (f *function) withoutSign(a *ssa.IndexAddr, idx target.Value) target.Value {
	if c, ok := a.Index.(*ssa.Convert); !ok || !f.shortInts[c] || !f.M.T.Narrow || !f.proof.spanBefore(c, a).within(span{0, math.MaxInt32}) {
		return idx
	}
	short := f.IntCast(f.IntCast(idx, target.I32, false), target.I64, false)
	if exact := f.exactArgs[idx]; exact != nil {
		f.exactArgs[short] = exact
	}
	return short
}

// fitsShort reports whether v is such an int and known to be none of those that stand for what does not fit.
func (f *function) fitsShort(v *ssa.Convert, at ssa.Instruction) bool {
	return f.shortInts[v] && f.proof.spanBefore(v, at).within(span{shortInts.lo + 2, shortInts.hi - 1})
}

// isShortSum reports whether v is such an int, or a sum or difference of one and a constant: then it is known what it is where it does not fit.
func isShortSum(v ssa.Value) bool {
	if op, ok := v.(*ssa.BinOp); ok && (op.Op == token.ADD || op.Op == token.SUB) {
		if _, ok := op.Y.(*ssa.Const); ok {
			v = op.X
		}
	}
	_, ok := v.(*ssa.Convert)
	return ok
}

// noteExact notes what an operator makes of an int of which it is known what it is where it does not fit.
func (f *function) noteExact(op *ssa.BinOp, x, y target.Value) {
	if v := f.vals[op]; v != nil {
		f.exactSum(op, x, y, v)
	}
}

// exactSum is noteExact for a sum or difference of x and y, which is v.
func (f *function) exactSum(op *ssa.BinOp, x, y, v target.Value) {
	how := "add"
	switch {
	case f.exactArgs[x] == nil && f.exactArgs[y] == nil:
		return
	case op.Op == token.SUB:
		how = "sub"
	case op.Op != token.ADD:
		return
	}
	a, b := f.exact(x), f.exact(y)
	f.exactArgs[v] = func() target.Value { return f.Bin(how, a(), b()) }
}

// exact computes what a value is, also where it stands for what does not fit.
func (f *function) exact(x target.Value) func() target.Value {
	if e := f.exactArgs[x]; e != nil {
		return e
	}
	return func() target.Value { return x }
}
