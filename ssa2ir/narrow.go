package ssa2ir

// This file computes with 32 bits where an int is known to need no more, as indices of local
// and shared arrays are. GPUs have no registers of 64 bits: each operation of an int is two
// or more, and each value is held in two.
//
//	t2 = t0 + t1   ->   %1 = trunc i64 %t0 to i32
//	                    %2 = trunc i64 %t1 to i32
//	                    %3 = add nuw nsw i32 %1, %2
//	                    %t2 = zext i32 %3 to i64
//
// LLVM compares what is widened from 32 bits in 32 bits.

import (
	"go/constant"
	"go/token"
	"math"
	"slices"

	"github.com/llir/llvm/ir"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/lazy"
	"heddle/internal/target"
)

// The numbers of 32 bits.
var (
	int32s  = span{math.MinInt32, math.MaxInt32}
	uint32s = span{0, math.MaxUint32}
)

// A narrowing is how an operator of 64 bits is made with 32.
type narrowing struct {
	name string // LLVM's
	// whole: the operands need to fit, not the result alone. Else the result's low bits are
	// made of the operands' low bits.
	whole bool
	flags bool // it may be said not to wrap around
}

var narrowings = lazy.Value[map[token.Token]narrowing]{Make: func() map[token.Token]narrowing {
	return map[token.Token]narrowing{
		token.ADD: {name: "add", flags: true}, token.SUB: {name: "sub", flags: true},
		token.MUL: {name: "mul", flags: true}, token.SHL: {name: "shl", flags: true},
		token.AND: {name: "and"}, token.OR: {name: "or"}, token.XOR: {name: "xor"},
		token.SHR: {name: "ashr", whole: true}, token.QUO: {name: "udiv", whole: true}, token.REM: {name: "urem", whole: true},
	}
}}

// narrow makes an operator of 64 bits with 32, nil if it may need more.
func (f *function) narrow(op *ssa.BinOp, x, y target.Value) target.Value {
	t, ok := typeOf(op.Type())
	if f.proof == nil || !f.M.T.Narrow || !ok || t.bits != 64 || narrowings.Get()[op.Op].name == "" {
		return nil
	}
	at := ssa.Instruction(op)
	if f.anchor != nil {
		at = f.anchor
	}
	if w := f.wrapping[op]; w != nil {
		return f.narrowed(op, t, x, y, w.spans, false)
	}
	all := f.proof.spansOf(op, at)
	if r := f.narrowed(op, t, x, y, all, true); r != nil {
		return r
	}
	if op.Op == token.QUO || op.Op == token.REM {
		return f.shortDivision(op, t, x, y, all[0], all[1])
	}
	if signed := all[0].lo < 0 || all[1].lo < 0; f.M.T.Votes && op.Op == token.MUL && signed && all[0].within(int32s) && all[1].within(int32s) {
		return f.Bin("mul nsw", f.extended(x), f.extended(y))
	}
	return nil
}

// shortCompare compares what needs 32 bits, nil of what may need more.
//
//	t2 = t0 < t1   ->   %t2 = icmp ult i32 (trunc i64 %t0 to i32), (trunc i64 %t1 to i32)
func (f *function) shortCompare(op *ssa.BinOp, x, y target.Value) target.Value {
	if r := f.risenCompare(op, y); r != nil {
		return r
	}
	t, ok := typeOf(op.X.Type())
	if f.bounded == nil || f.proof == nil || !f.M.T.Narrow || !ok || t.bits != 64 {
		return nil
	}
	a, b := f.proof.spanBefore(op.X, op), f.proof.spanBefore(op.Y, op)
	s := a.or(b)
	if !s.within(int32s) {
		return f.clampedCompare(op, x, y, a, b)
	}
	if down := f.downCompare(op, x, y, b); down != nil {
		return down
	}
	how := 0
	if s.lo >= 0 {
		how = 1 // LLVM knows more of these, and does not see that they have no sign
	}
	return f.windowTest(op, x, f.ICmp(predicates.Get()[op.Op][how], f.IntCast(x, target.I32, true), f.IntCast(y, target.I32, true)))
}

// clampedCompare is the test of a loop whose variable needs 32 bits and has no sign, and whose bound may need more: that is made to fit
// ahead of the loop. LLVM knows how often such a loop runs, and does not where a number of 32 bits is compared with one of 64. It is nil of other tests.
//
//	t2 = t0 < t1   ->   %t2 = icmp ult i32 (trunc i64 %t0 to i32), (trunc i64 (smax i64 %t1, 0) to i32)
func (f *function) clampedCompare(op *ssa.BinOp, x, y target.Value, a, b span) target.Value {
	around := f.proof.around(op.Block())
	if op.Op != token.LSS || !f.M.T.UnrollsMedium || len(around) == 0 || !a.within(uint32s) || b.hi > math.MaxUint32 {
		return nil
	}
	if i, ok := op.Y.(ssa.Instruction); ok && around[len(around)-1].blocks[i.Block()] {
		return nil
	}
	most := f.Intrinsic("llvm.smax.i64", target.I64, y, target.Int(target.I64, 0))
	return f.ICmp("ult", f.IntCast(x, target.I32, false), f.IntCast(most, target.I32, false))
}

// downCompare is the test of a loop that counts down to what is computed ahead of it. It is one with signs, and the bound is above the least number, which LLVM is
// told by a maximum: else it does not know how often the loop runs, as the variable could go around below a bound of 0. It is nil of other tests.
//
//	t2 = t0 >= t1   ->   %t2 = icmp sge i32 (trunc i64 %t0 to i32), (smax i32 (trunc i64 %t1 to i32), -1<<31 + 1)
func (f *function) downCompare(op *ssa.BinOp, x, y target.Value, b span) target.Value {
	phi := counter(op.X)
	around := f.proof.around(op.Block())
	if op.Op != token.GEQ || !f.M.T.UnrollsMedium || phi == nil || len(around) == 0 || phi.Block() != around[len(around)-1].header || b.lo == math.MinInt32 {
		return nil
	}
	if i, ok := op.Y.(ssa.Instruction); !ok || around[len(around)-1].blocks[i.Block()] {
		return nil // a constant LLVM knows
	}
	if !slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool { return isStepDown(e, phi) }) {
		return nil
	}
	bound := f.Intrinsic("llvm.smax.i32", target.I32, f.IntCast(y, target.I32, true), target.Int(target.I32, math.MinInt32+1))
	return f.ICmp("sge", f.IntCast(x, target.I32, true), bound)
}

// isStepDown reports whether v is a loop's variable less a constant.
func isStepDown(v ssa.Value, phi *ssa.Phi) bool {
	next, ok := v.(*ssa.BinOp)
	if !ok || next.X != phi || next.Op != token.SUB && next.Op != token.ADD {
		return false
	}
	c, ok := next.Y.(*ssa.Const)
	return ok && c.Value != nil && (c.Int64() > 0) == (next.Op == token.SUB)
}

// shortDivision divides what has 32 bits by what has as many, or may have more and is the same for all threads. It is not 0. Else it is nil.
//
//	t2 = t0 / t1   ->   %fits = icmp eq i64 %t1, (sext (trunc i64 %t1 to i32))
//	                    %q = sdiv i32 (trunc i64 %t0 to i32), (select %fits, trunc i64 %t1 to i32, 1)
//	                    %t2 = select %fits, sext i32 %q to i64, 0
func (f *function) shortDivision(op *ssa.BinOp, t intType, x, y target.Value, a, b span) target.Value {
	signed := t.signed && (a.lo < 0 || b.lo < 0)
	limits := uint32s
	if signed {
		limits = span{math.MinInt32 + 1, math.MaxInt32} // so that a quotient by -1 fits, too
	}
	if !a.within(limits) {
		return nil
	}
	short := f.IntCast(y, target.I32, signed)
	fits, by := target.Value(nil), short
	if !b.within(int32s) && (signed || !b.within(uint32s)) {
		if !f.proof.node(op.Y).isPassed() {
			return nil // LLVM may know more of it, as by a check
		}
		fits = f.ICmp("eq", y, f.IntCast(short, target.I64, signed))
		by = f.Select(fits, short, target.Int(target.I32, 1))
	}
	q := f.IntCast(f.divide32(op.Op, signed, a.lo >= 0, f.IntCast(x, target.I32, signed), by), target.I64, signed)
	switch {
	case fits == nil:
		return q
	case op.Op == token.QUO:
		return f.Select(fits, q, target.Int(target.I64, 0))
	}
	return f.Select(fits, q, x) // the remainder by what is more
}

// isPassed reports whether a node is what the launch passes, or made of that.
func (n *node) isPassed() bool {
	switch n.op {
	case token.ADD, token.SUB, token.MUL:
		return n.x.isPassed() && n.y.isPassed()
	case opConst:
		return true
	}
	return n.isCommon()
}

// divide32 is a quotient or a remainder of 32 bits. Where x is not negative, signs are those of y.
func (f *function) divide32(op token.Token, signed, rises bool, x, y target.Value) target.Value {
	name := map[token.Token]string{token.QUO: "div", token.REM: "rem"}[op]
	switch {
	case !signed:
		return f.Bin("u"+name, x, y)
	case !rises:
		return f.Bin("s"+name, x, y)
	}
	q := f.Bin("u"+name, x, f.Intrinsic("llvm.abs.i32", target.I32, y, target.Bool(false)))
	if op == token.REM {
		return q
	}
	return f.Select(f.ICmp("slt", y, target.Int(target.I32, 0)), f.Bin("sub", target.Int(target.I32, 0), q), q)
}

// extended is a number of 32 bits as one of 64, by its sign: AMD's GPUs multiply two such and add to them in one operation, and LLVM does not
// find that where one was extended without.
func (f *function) extended(x target.Value) target.Value {
	return f.IntCast(f.IntCast(x, target.I32, true), target.I64, true)
}

// spansOf are what an operator's operands and its result may be.
func (p *prover) spansOf(op *ssa.BinOp, at ssa.Instruction) [3]span {
	return [3]span{p.spanBefore(op.X, at), p.spanBefore(op.Y, at), p.spanBefore(op, at)}
}

// narrowed is narrow, given what the operands and the result may be. sure says that nothing else is possible.
func (f *function) narrowed(op *ssa.BinOp, t intType, x, y target.Value, all [3]span, sure bool) target.Value {
	how, signed, ok := f.narrowing(op, t, all, sure)
	if !ok {
		return nil
	}
	n := f.Bin(how, f.IntCast(x, target.I32, true), f.IntCast(y, target.I32, true))
	signed = signed || f.signs(op, all)
	wide := f.IntCast(n, target.I64, signed)
	if f.M.T.UnrollsMedium && f.stepsHeader(op) {
		if f.steps == nil {
			f.steps = map[ssa.Value]*step{}
		}
		f.steps[op] = &step{n, wide, signed, f.Cur}
	}
	return wide
}

// A step is the next value of a loop's variable, which the loop's start computes in 32 bits and compares: it is widened in each block that uses
// it. Else LLVM has two variables, of 32 and of 64 bits, and release 17 does not see that both count.
type step struct {
	narrow, wide target.Value
	signed       bool
	in           *ir.Block
}

// stepsHeader reports whether op is the next value of a variable, and the loop ends by its comparison there.
func (f *function) stepsHeader(op *ssa.BinOp) bool {
	phi, ok := op.X.(*ssa.Phi)
	if !ok || phi.Block() != op.Block() || f.in.loops[op.Block()] == nil {
		return false
	}
	br, ok := op.Block().Instrs[len(op.Block().Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	test, ok := br.Cond.(*ssa.BinOp)
	return ok && test.X == op
}

// signs reports whether what needs 31 bits is widened with its sign, as it is a number and one near 0 that makes an index. Of a[i-1]
// LLVM then makes an address and a constant, for which NVIDIA's loads have room.
func (f *function) signs(op *ssa.BinOp, all [3]span) bool {
	near := span{-maxApart, maxApart}
	return f.bounded != nil && f.M.T.Low != nil && all[2].within(int32s) && (op.Op == token.ADD || op.Op == token.SUB) &&
		(all[0].within(near) || all[1].within(near)) && makesIndex(op, 3, token.ADD, token.SUB)
}

// makesIndex reports whether a number is an index, or an operand of one, through at most so many of some operators.
func makesIndex(op *ssa.BinOp, steps int, through ...token.Token) bool {
	return slices.ContainsFunc(*op.Referrers(), func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.IndexAddr:
			return i.Index == op
		case *ssa.BinOp:
			return steps > 0 && slices.Contains(through, i.Op) && makesIndex(i, steps-1, through...)
		}
		return false
	})
}

// narrowing is LLVM's operator of 32 bits for narrowed, and whether its result is signed; false if there is none.
func (f *function) narrowing(op *ssa.BinOp, t intType, all [3]span, sure bool) (name string, signed, ok bool) {
	a, b, r := all[0], all[1], all[2]
	how := narrowings.Get()[op.Op]
	if op.Op == token.SHL || op.Op == token.SHR {
		if _, isConst := op.Y.(*ssa.Const); !isConst || b.lo < 0 || b.hi > 31 {
			return "", false, false
		}
	}
	s, exact := spanOf(op.Op, t, t, a, b)
	if exact {
		r = r.and(s)
	}
	fits, unsigned := r.within(int32s), r.within(uint32s)
	if !fits && !unsigned {
		return "", false, false
	}
	fits, unsigned = fits && a.within(int32s) && b.within(int32s), unsigned && a.within(uint32s) && b.within(uint32s)
	switch {
	case how.whole && !unsigned && (!fits || op.Op != token.SHR):
		return "", false, false
	case op.Op == token.SHR && unsigned:
		how.name = "lshr"
	case how.flags && exact && sure:
		if unsigned {
			how.name += " nuw"
		}
		if fits {
			how.name += " nsw"
		}
	}
	return how.name, r.lo < 0, true
}

// A holding is how a phi of 64 bits is held.
type holding uint8

const (
	asItIs holding = iota
	inUint32
	inInt32
)

// held says how a phi is held: in 32 bits where it needs no more. Loops that count then do so in
// 32 bits, and LLVM knows how often they run.
//
//	t2 = phi [0: t0, 1: t1]   ->   %1 = phi i32 [ %t0 in 32 bits, %b0 ], [ %t1 in 32 bits, %b1 ]
//	                               %t2 = zext i32 %1 to i64
func (f *function) held(v *ssa.Phi) holding {
	t, ok := typeOf(v.Type())
	if !ok || t.bits != 64 || !f.M.T.Narrow {
		return asItIs
	}
	if h, ok := f.holdings[v]; ok || f.proof == nil {
		return h
	}
	at := firstBehindPhis(v.Block())
	h := holdingOf(f.proof.spanBefore(v, at))
	if w := f.wrapping[v]; w != nil {
		h = holdingOf(w.spans[2])
	}
	f.holdings[v] = h
	return h
}

func holdingOf(s span) holding {
	switch {
	case s.within(uint32s):
		return inUint32
	case s.within(int32s):
		return inInt32
	}
	return asItIs
}

func firstBehindPhis(b *ssa.BasicBlock) ssa.Instruction {
	for _, i := range b.Instrs {
		if _, ok := i.(*ssa.Phi); !ok {
			return i
		}
	}
	return nil
}

// phiType is the type of a phi in LLVM IR.
func (f *function) phiType(v *ssa.Phi) target.Type {
	if f.held(v) != asItIs {
		return target.I32
	}
	return f.valueType(v)
}

// setPhi gives a phi the value of one of phiType, or of its own type.
func (f *function) setPhi(v *ssa.Phi, x target.Value) {
	if h := f.held(v); h != asItIs {
		x = f.IntCast(x, target.I64, h == inInt32)
	}
	f.set(v, x)
}

// incoming is a value as one that a phi of type t takes.
func (f *function) incoming(v target.Value, t target.Type) target.Value {
	if v = f.Flat(v); v.Type().Equal(target.I64) && t.Equal(target.I32) {
		return f.IntCast(v, t, true)
	}
	return v
}

// narrowEarly is narrow for an operator of the first iterations of loops, made ahead of them.
func (f *function) narrowEarly(op *ssa.BinOp, h *hoist, x, y target.Value) target.Value {
	if h.first == nil || !f.M.T.Narrow || narrowings.Get()[op.Op].name == "" {
		return nil
	}
	t, _ := typeOf(op.Type())
	if w := f.wrapping[op]; w != nil {
		return f.narrowed(op, t, x, y, w.spans, false)
	}
	p := f.proof
	a, b, r := p.first(op.X, h), p.first(op.Y, h), p.first(op, h)
	if a == nil || b == nil || r == nil || t != goInt {
		return nil
	}
	p.begin()
	defer p.done()
	return f.narrowed(op, t, x, y, [3]span{p.spanAt(a, h.first), p.spanAt(b, h.first), p.spanAt(r, h.first)}, true)
}

// first is the node of a value in the first iterations of loops, nil if it is not known.
func (p *prover) first(v ssa.Value, h *hoist) *node {
	for _, r := range h.runs {
		if r.phi == v {
			k, ok := constant.Int64Val(r.values[0])
			if t, isInt := typeOf(v.Type()); !ok || !isInt || t != goInt {
				return nil
			}
			return p.constant(k)
		}
	}
	if h.fixed(v) {
		return p.node(v)
	}
	op, ok := v.(*ssa.BinOp)
	if !ok || p.wrapping[v] != nil {
		return nil
	}
	t, ok := typeOf(op.Type())
	x, y := p.first(op.X, h), p.first(op.Y, h)
	if !ok || t != goInt || x == nil || y == nil {
		return nil
	}
	return p.binary(op.Op, t, x, y)
}
