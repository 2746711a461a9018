package ssa2ir

// This file makes an int of a float in 32 bits where it does not matter by how much it is beyond these: where it is compared
// with what is not, limited, or used where a comparison says that it is not beyond.
//
//	x := int(dsl.Floor(f))
//	if x >= 0 && x < w { ... in[x] }      x is in 32 bits, no more than 1<<31 - 1 - shortShift
//
//	if x < 0 { x = -x }; if x >= w { x = 2*w-2-x }; min(max(x, 0), w-1)      what is reflected is limited
//
// GPUs have no instruction for 64 bits: an int of a float32 is a dozen of AMD's, and all that is computed of it is twice as long. What
// does not fit an int64 is its least one, as NaN is (floatToInt); that is the least one here, and nothing else is. Less than that is
// the greatest there is: in Go, too, it wraps around.

import (
	"go/token"
	"iter"
	"maps"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// shortInts are the numbers that such an int may be. Most may be increased, or decreased, by constants less than shortShift and fit 32 bits; of those that
// are subtracted from something there are less.
var (
	shortInts = span{math.MinInt32 + shortShift, math.MaxInt32 - shortShift}
	fewShorts = span{-3 << 29, 3 << 29}
)

// shortShift is so much that the greatest int64 that a float64 may be does not wrap around.
const shortShift = 1024

// isShort reports whether v is such an int.
func (f *function) isShort(v ssa.Value) bool {
	c, ok := v.(*ssa.Convert)
	return ok && f.shortInts[c] != span{}
}

// findShortInts finds the conversions, with what they make, and says that to the prover.
func (f *function) findShortInts() map[*ssa.Convert]span {
	if f.proof == nil || f.M.T.SatInt == nil {
		return nil
	}
	all, chosen := map[*ssa.Convert]span{}, map[ssa.Value]bool{}
	for c := range f.wholeParts() {
		if f.isFit(c) {
			continue
		}
		if u := f.usesOf(c); u != nil {
			all[c] = u.ints
			maps.Copy(chosen, u.chosen)
		}
	}
	if len(all) == 0 {
		return nil
	}
	if len(chosen) > 0 {
		f.proof = f.proof.with(chosen)
	}
	for c, ints := range all {
		n := f.proof.node(c)
		n.base = n.base.and(ints)
	}
	f.proof.forget()
	return all
}

// wholeParts are the conversions of floats to int.
func (f *function) wholeParts() iter.Seq[*ssa.Convert] {
	return func(yield func(*ssa.Convert) bool) {
		for _, b := range f.in.fn.Blocks {
			for _, i := range b.Instrs {
				c, ok := i.(*ssa.Convert)
				if !ok || !f.know.live[b] || !isFloat(c.X.Type()) {
					continue
				}
				if t, _ := typeOf(c.Type()); t == goInt && !yield(c) {
					return
				}
			}
		}
	}
}

// usesOf are the uses of a conversion that may be such an int, nil of another one.
func (f *function) usesOf(c *ssa.Convert) *shortUses {
	for _, ints := range []span{int32s, shortInts, fewShorts} {
		u := &shortUses{f: f, single: sizeof(c.X.Type()) == 4, ints: ints, seen: map[ssa.Value]shortKind{}, compared: map[*node]bool{}, chosen: map[ssa.Value]bool{}}
		if ints == int32s && u.rises(c, 0) || ints != int32s && u.fit(c, 0, leastShort) {
			return u
		}
	}
	return nil
}

// mostFewPassed is what few is about.
const mostFewPassed = 1 << 26

// few are the ints among those of b.passed that have to be less than 1<<26 for such ints to be in 32 bits, as the sizes of an image are.
func (f *function) few(b *bounded) (all []*node) {
	if f.M.T.SatInt == nil {
		return nil
	}
	was := f.proof
	defer func() { f.proof = was }()
	var limited *prover
	for c := range f.wholeParts() {
		if limited == nil {
			l := *b
			for _, n := range b.passed {
				if number, ok := f.numbers()(n); n.op != opLen && n.op != opCap && (!ok || math.Abs(number) < mostFewPassed) {
					l.few = append(l.few, n)
				}
			}
			was, limited = f.assuming(b), f.assuming(&l)
		}
		f.proof = was
		if f.usesOf(c) != nil {
			continue
		}
		f.proof = limited
		u := f.usesOf(c)
		for _, n := range b.passed {
			if u != nil && u.compared[limited.adopt(n)] && !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	return all
}

// shortUses goes through what is made of an int.
type shortUses struct {
	f        *function
	single   bool // of float32s: what is added to the greatest does not wrap around
	ints     span // that v may be
	seen     map[ssa.Value]shortKind
	compared map[*node]bool     // which what it is compared with, limited by or added to is made of
	chosen   map[ssa.Value]bool // what a choice makes of it, as what is made of the least one wraps around
}

// A shortKind says what an int that stands for the least one stands for.
type shortKind int

const (
	leastShort  shortKind = iota + 1 // that, or what is more than that: sums may be made of it
	turnedShort                      // what has wrapped around, perhaps: no sums may be made of it
)

// fit reports whether v, which is such an int and up to slack more or less, may be one of 32 bits wherever it is used.
func (u *shortUses) fit(v ssa.Value, slack int64, kind shortKind) bool {
	const most = 96 // values
	if u.seen[v] >= kind {
		return true
	}
	u.seen[v] = kind
	if len(u.seen) > most || slack > u.margin()/2 {
		return false
	}
	for _, i := range *v.Referrers() {
		if !u.fits(v, i, slack, kind) {
			return false
		}
	}
	return true
}

// margin is by how much v may be more or less and fit 32 bits.
func (u *shortUses) margin() int64 { return math.MaxInt32 - u.ints.hi }

// fits is fit for one use.
func (u *shortUses) fits(v ssa.Value, i ssa.Instruction, slack int64, kind shortKind) bool {
	most := u.margin() / 2 // what comes here by another way may be more or less than slack
	inside := span{u.ints.lo + most + 1, u.ints.hi - most - 1}
	switch i := i.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Phi:
		return u.fit(i, slack, kind)
	case *ssa.Call:
		if !isMinMax(i) {
			break
		}
		for _, a := range i.Call.Args {
			if a != v && !u.within(a, i, inside) {
				return false
			}
		}
		return u.fit(i, slack, kind)
	case *ssa.UnOp:
		return u.within(v, i, inside) || u.fitSum(v, i, slack, kind)
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
			return u.within(v, i, inside) || u.adds(v, i, other) || u.fitSum(v, i, slack, kind)
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

// fitSum is fits for what is more or less than v, or subtracts it.
func (u *shortUses) fitSum(v ssa.Value, i ssa.Instruction, slack int64, kind shortKind) bool {
	more, next, chosen, ok := u.summed(v, i)
	if !ok || kind != leastShort {
		return false
	}
	sum := i.(ssa.Value)
	if !u.fit(sum, slack+more, next) {
		return false
	}
	if chosen {
		u.chosen[sum] = true
	}
	return true
}

// summed says how much a sum or difference of v is more or less than that or its negative, what it stands for where v stands for the least one, and whether
// a choice is made of it, as it wraps around there.
func (u *shortUses) summed(v ssa.Value, i ssa.Instruction) (more int64, kind shortKind, chosen, ok bool) {
	op, isBinary := i.(*ssa.BinOp)
	_, direct := v.(*ssa.Convert)
	if !isBinary || op.Op == token.SUB && op.Y == v {
		if u, isUnary := i.(*ssa.UnOp); isUnary && u.Op != token.SUB || isBinary && op.X == v {
			return 0, 0, false, false
		}
		more, chosen, ok = u.turned(i, v)
		return more, turnedShort, chosen, ok
	}
	if k, isConst := u.f.intConst(op.Y); isConst && k > -shortShift && k < shortShift {
		if op.Op == token.SUB {
			k = -k
		}
		if k >= 0 {
			return k, leastShort, false, true
		}
		return -k, turnedShort, true, direct
	}
	other := op.Y
	if other == v {
		other = op.X
	}
	more, kind, ok = u.moved(op, v, other)
	return more, kind, false, ok
}

// adds reports whether a use is a sum of such an int and another value that is an index and no more.
func (u *shortUses) adds(v ssa.Value, i *ssa.BinOp, other ssa.Value) bool {
	_, direct := v.(*ssa.Convert)
	_, isConst := u.f.intConst(other)
	return direct && !isConst && i.Op == token.ADD && other != v && u.within(other, i, span{0, u.ints.hi - u.margin()}) && u.indexes(i, 1)
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
			if i.Index == sum && p.spanAt(p.length(i.X), p.placeBefore(i)).hi <= u.ints.hi-shortShift {
				continue
			}
		case *ssa.BinOp:
			k, ok := u.f.intConst(i.Y)
			if ok && constants > 0 && i.Op == token.ADD && i.X == sum && k >= 0 && k < shortShift && u.indexes(i, constants-1) {
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
	return u.spanOf(v, at).within(s)
}

// spanOf is what a value may be before an instruction.
func (u *shortUses) spanOf(v ssa.Value, at ssa.Instruction) span {
	u.compare(u.f.proof.node(v))
	return u.f.proof.spanBefore(v, at)
}

func (u *shortUses) compare(n *node) {
	if n == nil || u.compared[n] {
		return
	}
	u.compared[n] = true
	u.compare(n.x)
	u.compare(n.y)
}

// shortInt is such an int of x, which was y before it was rounded.
//
//	t1 = convert int <- float32 (t0)   ->   select (fcmp olt (fabs %y), 0x1p63), (max (min (saturated %t0), hi), lo+1), lo
//
// Of what is known not to be below least, only that is looked at which is too large. (Without checks LLVM leaves the choice of an index out, but not that of a minimum.)
func (f *function) shortInt(x, y target.Value, ints span, least float64) target.Value {
	n := f.M.T.SatInt(f.Builder, x)
	if ints != int32s {
		n = f.Intrinsic("llvm.smin.i32", target.I32, n, target.Int(target.I32, ints.hi))
	}
	if least > float64(ints.lo) && !f.opts.NoBounds && f.M.T.LongInt64 {
		return f.Select(f.FCmp("olt", y, target.Float(y.Type(), 0x1p63)), n, target.Int(target.I32, ints.lo))
	}
	if ints != int32s {
		n = f.Intrinsic("llvm.smax.i32", target.I32, n, target.Int(target.I32, ints.lo+1))
	}
	return f.Select(f.fitsSigned(y, 64), n, target.Int(target.I32, ints.lo))
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
	ints := f.shortInts[op.X.(*ssa.Convert)]
	return f.Select(f.ICmp("eq", x, target.Int(target.I64, ints.lo)), target.Int(target.I64, ints.hi), x)
}

// moved reports whether v+c or v-c may be made of v, which is such an int, without a wrap around that matters, how much more or less it is then, and what
// it stands for: the least one with something added is still less than all that it is compared with.
func (u *shortUses) moved(op *ssa.BinOp, v, other ssa.Value) (more int64, kind shortKind, ok bool) {
	const far = 1 << 62
	if other == v || op.Op == token.SUB && other != op.Y {
		return 0, 0, false
	}
	c, s := u.spanOf(other, op), u.f.proof.spanBefore(v, op)
	if most := u.margin() / 2; c.lo < -most || c.hi > most {
		return 0, 0, false
	}
	if op.Op == token.SUB {
		c = span{-c.hi, -c.lo}
	}
	if c.lo >= 0 {
		return c.hi + 1, leastShort, u.single || s.hi < far
	}
	return -c.lo + 1, turnedShort, c.hi <= 0 && s.lo > -far && u.isMore(v, s)
}

// isMore reports whether v, which is in s, is not the least one, nor made of that.
func (u *shortUses) isMore(v ssa.Value, s span) bool {
	_, direct := v.(*ssa.Convert)
	return s.lo >= 0 || direct && s.lo > u.ints.lo
}

// turned reports whether -v or c-v may be made of v, which is such an int, and how much more or less it may be then. Where v may be the least one, it
// is known what comes of that: c is not negative, or always is.
func (u *shortUses) turned(i ssa.Instruction, v ssa.Value) (more int64, chosen, ok bool) {
	c := span{}
	if op, is := i.(*ssa.BinOp); is {
		c = u.spanOf(op.X, op)
	}
	if most := u.margin() / 2; c.lo < -most || c.hi > most {
		return 0, false, false
	}
	more = max(c.hi, -c.lo) + 1
	if u.isMore(v, u.f.proof.spanBefore(v, i)) {
		return more, false, true
	}
	if _, direct := v.(*ssa.Convert); direct {
		return more, true, c.lo >= 0 || c.hi < 0
	}
	sum, is := v.(*ssa.BinOp)
	if !is || sum.Op != token.ADD || c != (span{}) {
		return 0, false, false
	}
	_, direct := sum.X.(*ssa.Convert)
	k, isConst := u.f.intConst(sum.Y)
	return more, false, direct && isConst && k > 0
}

// turn is r, which is -v or c-v, for such an int v, which is x: of the least one that wraps around.
func (f *function) turn(i ssa.Instruction, v ssa.Value, x, r target.Value) target.Value {
	if !f.isShort(v) || !f.proof.chosen[i.(ssa.Value)] {
		return r
	}
	ints := f.shortInts[v.(*ssa.Convert)]
	least := ints.lo
	if op, is := i.(*ssa.BinOp); is && f.proof.spanBefore(op.X, op).hi < 0 {
		least = ints.hi
	}
	return f.Select(f.ICmp("eq", x, target.Int(target.I64, ints.lo)), target.Int(target.I64, least), r)
}

// withoutSign is an index that is such an int, and known not to be negative: it is widened as sums of it are then.
func (f *function) withoutSign(a *ssa.IndexAddr, idx target.Value) target.Value {
	if !f.isShort(a.Index) || !f.M.T.Narrow || !f.proof.spanBefore(a.Index, a).within(span{0, math.MaxInt32}) {
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
	ints := f.shortInts[v]
	return f.proof != nil && ints != span{} && f.proof.spanBefore(v, at).within(span{ints.lo + 2, ints.hi - 1})
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
