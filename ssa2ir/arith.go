package ssa2ir

// This file implements the operators, with Go's meaning where LLVM's differs:
// division by zero and of the most negative number, shifts past the width,
// NaN in comparisons.

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/llir/llvm/ir"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/lazy"
	"heddle/internal/target"
)

// intOps are the integer operators that LLVM has as they are.
var intOps = lazy.Value[map[token.Token]string]{Make: func() map[token.Token]string {
	return map[token.Token]string{
		token.ADD: "add", token.SUB: "sub", token.MUL: "mul",
		token.AND: "and", token.OR: "or", token.XOR: "xor",
	}
}}

var floatOps = lazy.Value[map[token.Token]string]{Make: func() map[token.Token]string {
	return map[token.Token]string{token.ADD: "fadd", token.SUB: "fsub", token.MUL: "fmul", token.QUO: "fdiv"}
}}

// predicates are the comparisons: {signed, unsigned, float}. Comparisons with
// NaN are false, except !=.
var predicates = lazy.Value[map[token.Token][3]string]{Make: func() map[token.Token][3]string {
	return map[token.Token][3]string{
		token.EQL: {"eq", "eq", "oeq"}, token.NEQ: {"ne", "ne", "une"},
		token.LSS: {"slt", "ult", "olt"}, token.LEQ: {"sle", "ule", "ole"},
		token.GTR: {"sgt", "ugt", "ogt"}, token.GEQ: {"sge", "uge", "oge"},
	}
}}

// t1 = t0 + 1:int   ->   %t1 = add i64 %t0, 1
func lowerBinOp(f *function, i ssa.Instruction) {
	op := i.(*ssa.BinOp)
	if v := f.in.decided(op); v != nil {
		f.set(op, f.scalarConst(op.Type(), v))
		return
	}
	if fn := comparedFunc(op); fn != nil {
		f.set(op, f.ICmp(predicates.Get()[op.Op][0], f.number(f.value(fn), f.in.resolve(fn)), target.Int(target.I64, 0)))
		return
	}
	if v := f.together(op); v != nil {
		f.set(op, f.value(v))
		return
	}
	x, y := f.value(op.X), f.value(op.Y)
	t := op.X.Type()
	defer f.noteExact(op, x, y)
	if _, ok := predicates.Get()[op.Op]; ok {
		if c := f.shortCompare(op, x, y); c != nil {
			f.set(op, c)
			return
		}
		f.set(op, f.compare(op.Op, t, x, y))
		return
	}
	if f.isShort(op.X) {
		x = f.lessThanLeast(op, x)
	}
	if op.Op == token.SUB && f.isShort(op.Y) {
		f.set(op, f.turn(op, op.Y, y, f.Bin("sub", x, y)))
		return
	}
	if s := f.splitSum(op, x); s != nil {
		f.set(op, f.split(s))
		return
	}
	if r := f.shortSum(op, x, y); r != nil {
		f.set(op, r)
		return
	}
	know := f.about(op)
	f.checkDivisor(op, y, &know)
	if r := f.narrow(op, x, y); r != nil {
		f.set(op, r)
		return
	}
	f.staysBehind(op)
	f.set(op, f.arithKnowing(op.Op, t, op.Y.Type(), x, y, know))
}

func (f *function) arith(op token.Token, t, yt types.Type, x, y target.Value) target.Value {
	return f.arithKnowing(op, t, yt, x, y, operands{})
}

// arithKnowing is an operator with what is known of its operands.
func (f *function) arithKnowing(op token.Token, t, yt types.Type, x, y target.Value, know operands) target.Value {
	switch {
	case isFloat(t):
		return f.FBin(floatOps.Get()[op], x, y)
	case isComplex(t):
		return f.complexOp(op, x, y)
	}
	if name := intOps.Get()[op]; name != "" {
		return f.Bin(name+know.flags, x, y)
	}
	switch op {
	case token.AND_NOT:
		return f.Bin("and", x, f.Bin("xor", y, target.Int(y.Type(), -1)))
	case token.QUO, token.REM:
		return f.divide(op, isSigned(t), x, y, know)
	case token.SHL, token.SHR:
		return f.shift(op, isSigned(t), isSigned(yt), x, y, know)
	}
	panic(&bug{f.prog.plan.pos(f.pos), fmt.Sprintf("operator %s on %s", op, t)})
}

// divide checks for zero and steps around the overflow of MinInt / -1, which
// Go defines (the quotient is MinInt, the remainder 0) and LLVM does not.
func (f *function) divide(op token.Token, signed bool, x, y target.Value, know operands) target.Value {
	t := y.Type()
	f.panicIfZero(y, know)
	n, isConst := target.IntConst(y)
	names := [2]string{"udiv", "urem"}
	if signed {
		names = [2]string{"sdiv", "srem"}
	}
	name := names[0]
	if op == token.REM {
		name = names[1]
	}
	if !signed {
		return f.Bin(name, x, y)
	}
	if know.positive { // it costs less
		return f.Bin("u"+name[1:], x, y)
	}
	if isConst && n != -1 || know.notMinusOne {
		return f.Bin(name, x, y)
	}
	minusOne := f.ICmp("eq", y, target.Int(t, -1))
	q := f.Bin(name, x, f.Select(minusOne, target.Int(t, 1), y))
	if op == token.REM {
		return q // x % 1 == 0 == x % -1
	}
	return f.Select(minusOne, f.Bin("sub", target.Int(t, 0), x), q)
}

// panicIfZero checks a divisor.
func (f *function) panicIfZero(y target.Value, know operands) {
	if _, isConst := target.IntConst(y); !isConst && !know.nonZero {
		f.panicIf(f.ICmp("eq", y, target.Int(y.Type(), 0)), "integer divide by zero")
	}
}

// checkDivisor makes the check of a division's operator that may be made with fewer bits, and notes that.
func (f *function) checkDivisor(op *ssa.BinOp, y target.Value, know *operands) {
	if (op.Op == token.QUO || op.Op == token.REM) && isInteger(op.Type()) {
		f.panicIfZero(y, *know)
		know.nonZero = true
	}
}

// shift gives 0, or the sign, past the width; a negative count panics.
func (f *function) shift(op token.Token, signed, countSigned bool, x, n target.Value, know operands) target.Value {
	t := x.Type()
	width := int64(target.Bits(t))
	name := "shl"
	if op == token.SHR {
		name = "lshr"
		if signed {
			name = "ashr"
		}
	}
	if c, ok := target.IntConst(n); ok {
		switch {
		case c < width && c >= 0:
			return f.Bin(name+know.flags, x, target.Int(t, c))
		case name == "ashr":
			return f.Bin(name, x, target.Int(t, width-1))
		}
		return target.Int(t, 0)
	}
	if know.inWidth {
		return f.Bin(name+know.flags, x, f.IntCast(n, t, false))
	}
	if countSigned && !know.nonNegative {
		f.panicIf(f.ICmp("slt", n, target.Int(n.Type(), 0)), "negative shift amount")
	}
	inside := f.ICmp("ult", n, target.Int(n.Type(), width))
	amount := f.IntCast(n, t, false)
	if name == "ashr" {
		return f.Bin(name, x, f.Select(inside, amount, target.Int(t, width-1)))
	}
	return f.Select(inside, f.Bin(name, x, amount), target.Int(t, 0))
}

// compare is a comparison of any comparable type.
func (f *function) compare(op token.Token, t types.Type, x, y target.Value) target.Value {
	if op == token.NEQ && (isAggregate(t) || isString(t)) {
		return f.not(f.compare(token.EQL, t, x, y))
	}
	p := predicates.Get()[op]
	if opaque(t) != nil {
		return f.ICmp(p[1], f.bits(t, x), f.bits(t, y))
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case isFloat(t):
			return f.FCmp(p[2], x, y)
		case isComplex(t):
			return f.Bin("and", f.FCmp("oeq", f.Elem(x, 0), f.Elem(y, 0)), f.FCmp("oeq", f.Elem(x, 1), f.Elem(y, 1)))
		case isString(t):
			return f.compareStrings(op, x, y)
		case isSigned(t) && isInteger(t):
			return f.ICmp(p[0], x, y)
		}
	case *types.Struct:
		return f.allEqual(u.NumFields(), func(i int) (types.Type, target.Value, target.Value) {
			if u.Field(i).Name() == "_" {
				return nil, nil, nil
			}
			return u.Field(i).Type(), f.part(t, x, i), f.part(t, y, i)
		})
	case *types.Array:
		if u.Len() > maxScalars {
			return f.arraysEqual(u, f.placed(x).(*memory), f.placed(y).(*memory))
		}
		return f.allEqual(int(u.Len()), func(i int) (types.Type, target.Value, target.Value) {
			return u.Elem(), f.part(t, x, i), f.part(t, y, i)
		})
	case *types.Slice: // with nil
		return f.ICmp(p[1], f.Elem(x, 0), f.Elem(y, 0))
	}
	return f.ICmp(p[1], x, y)
}

func isAggregate(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return isComplex(t)
}

// part is field or element i of an aggregate in any form.
func (f *function) part(t types.Type, v target.Value, i int) target.Value {
	if opaque(t) != nil {
		return f.bits(t, v)
	}
	m, ok := f.placed(v).(*memory)
	if !ok {
		return f.Elem(v, i)
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		return f.view(st.Field(i).Type(), f.field(t, m.addr, i))
	}
	return f.view(t.Underlying().(*types.Array).Elem(), f.element(t, m.addr, target.Int(target.I64, int64(i))))
}

// view is a part of a value in memory, which does not change: a large part needs no copy.
func (f *function) view(t types.Type, p target.Value) target.Value {
	if isBig(t) {
		return f.large(t, p)
	}
	return f.load(t, p)
}

// allEqual compares pairs of parts, of a type that is nil where there is nothing to
// compare. After each maxScalars scalars it goes on only where all have been equal:
// thousands of comparisons in one block would cost LLVM more than linear time.
func (f *function) allEqual(n int, pair func(i int) (types.Type, target.Value, target.Value)) target.Value {
	var all target.Value = target.Bool(true)
	var end *ir.Block
	var unequal []*ir.Block // those that lead to end
	scalars := int64(0)
	for i := range n {
		if scalars >= maxScalars {
			if end == nil {
				end = f.NewBlock()
			}
			next := f.NewBlock()
			unequal = append(unequal, f.Cur)
			f.CondBr(all, next, end)
			f.Cur, scalars, all = next, 0, target.Bool(true)
		}
		t, x, y := pair(i)
		if t == nil {
			continue
		}
		all = f.Bin("and", all, f.compare(token.EQL, t, x, y))
		scalars += scalarsTo(t, maxScalars)
	}
	if end == nil {
		return all
	}
	last := f.Cur
	f.Br(end)
	f.Cur = end
	same := f.Phi(target.I1)
	for _, b := range unequal {
		target.AddIncoming(same, target.Bool(false), b)
	}
	target.AddIncoming(same, all, last)
	return same
}

// arraysEqual compares large arrays in a loop, over all of their elements: a
// thread that would leave it early waits for its neighbours.
func (f *function) arraysEqual(a *types.Array, x, y *memory) target.Value {
	before, loop, next := f.Cur, f.NewBlock(), f.NewBlock()
	f.Br(loop)
	f.Cur = loop
	i, all := f.Phi(target.I64), f.Phi(target.I1)
	at := func(m *memory) target.Value { return f.view(a.Elem(), f.element(a, m.addr, i)) }
	same := f.Bin("and", all, f.compare(token.EQL, a.Elem(), at(x), at(y)))
	i1 := f.Bin("add", i, target.Int(target.I64, 1))
	target.AddIncoming(i, target.Int(target.I64, 0), before)
	target.AddIncoming(i, i1, f.Cur)
	target.AddIncoming(all, target.Bool(true), before)
	target.AddIncoming(all, same, f.Cur)
	f.CondBr(f.ICmp("ult", i1, target.Int(target.I64, a.Len())), loop, next)
	f.Cur = next
	return same
}

func (f *function) not(x target.Value) target.Value { return f.Bin("xor", x, target.Bool(true)) }

// t1 = -t0   ->   %t1 = sub i64 0, %t0
func lowerUnOp(f *function, i ssa.Instruction) {
	u := i.(*ssa.UnOp)
	if u.Op == token.MUL {
		f.lowerLoad(u)
		return
	}
	x := f.value(u.X)
	switch {
	case u.Op == token.NOT:
		f.set(u, f.not(x))
	case u.Op == token.XOR:
		f.set(u, f.Bin("xor", x, target.Int(x.Type(), -1)))
	case isFloat(u.Type()):
		f.set(u, f.FNeg(x))
	case isComplex(u.Type()):
		f.set(u, &target.Agg{Typ: x.Type(), Elems: []target.Value{f.FNeg(f.Elem(x, 0)), f.FNeg(f.Elem(x, 1))}})
	default:
		f.set(u, f.turn(u, u.X, x, f.Bin("sub", target.Int(x.Type(), 0), x)))
	}
}

func (f *function) complexOp(op token.Token, x, y target.Value) target.Value {
	a, b, c, d := f.Elem(x, 0), f.Elem(x, 1), f.Elem(y, 0), f.Elem(y, 1)
	make2 := func(re, im target.Value) target.Value {
		return &target.Agg{Typ: x.Type(), Elems: []target.Value{re, im}}
	}
	switch op {
	case token.ADD, token.SUB:
		return make2(f.FBin(floatOps.Get()[op], a, c), f.FBin(floatOps.Get()[op], b, d))
	case token.MUL:
		return make2(f.FBin("fsub", f.FBin("fmul", a, c), f.FBin("fmul", b, d)),
			f.FBin("fadd", f.FBin("fmul", a, d), f.FBin("fmul", b, c)))
	}
	if a.Type().Equal(target.F64) {
		return make2(f.complexQuo(a, b, c, d))
	}
	wide := func(v target.Value) target.Value { return f.Cast("fpext", v, target.F64) }
	re, im := f.complexQuo(wide(a), wide(b), wide(c), wide(d))
	return make2(f.Cast("fptrunc", re, target.F32), f.Cast("fptrunc", im, target.F32))
}

// complexQuo is (a+bi)/(c+di) as Go's run time divides: Smith's method
// (R. L. Smith, Algorithm 116, 1962), then C99 Annex G's cases for infinities
// and zeros where it gave NaN. It contracts nothing, so that it is the same
// everywhere.
func (f *function) complexQuo(a, b, c, d target.Value) (re, im target.Value) {
	defer func(s string) { f.FMF = s }(f.FMF)
	f.FMF = ""
	op := f.FBin
	abs := func(x target.Value) target.Value { return f.Intrinsic("llvm.fabs.f64", target.F64, x) }
	// with |c| >= |d|: r = d/c; ((a + b r) + (b - a r)i) / (c + d r); else the same with c, d swapped
	first := f.FCmp("oge", abs(c), abs(d))
	p, q := f.Select(first, c, d), f.Select(first, d, c)
	ratio := op("fdiv", q, p)
	denom := op("fadd", p, op("fmul", ratio, q))
	ar, br := op("fmul", a, ratio), op("fmul", b, ratio)
	re = op("fdiv", f.Select(first, op("fadd", a, br), op("fadd", ar, b)), denom)
	im = op("fdiv", f.Select(first, op("fsub", b, ar), op("fsub", br, a)), denom)

	isNaN, isInf := f.isNaN, f.isInf
	finite := func(x target.Value) target.Value { return f.not(f.Bin("or", isNaN(x), isInf(x))) }
	and := func(x, y target.Value) target.Value { return f.Bin("and", x, y) }
	or := func(x, y target.Value) target.Value { return f.Bin("or", x, y) }
	sign := func(m, s target.Value) target.Value { return f.Intrinsic("llvm.copysign.f64", target.F64, m, s) }
	zero, one := target.Float(target.F64, 0), target.Float(target.F64, 1)
	unit := func(x target.Value) target.Value { return sign(f.Select(isInf(x), one, zero), x) }

	bad := and(isNaN(re), isNaN(im))
	byZero := and(and(f.FCmp("oeq", c, zero), f.FCmp("oeq", d, zero)), or(f.not(isNaN(a)), f.not(isNaN(b))))
	infNum := and(and(or(isInf(a), isInf(b)), finite(c)), finite(d))
	infDen := and(and(or(isInf(c), isInf(d)), finite(a)), finite(b))
	cInf := sign(infinity, c)
	ua, ub, uc, ud := unit(a), unit(b), unit(c), unit(d)
	dot := func(x, y, u, v target.Value) target.Value { return op("fadd", op("fmul", x, u), op("fmul", y, v)) }
	cross := func(x, y, u, v target.Value) target.Value { return op("fsub", op("fmul", y, u), op("fmul", x, v)) }
	pick := func(v, z, n, d2 target.Value) target.Value {
		fix := f.Select(byZero, z, f.Select(infNum, n, f.Select(infDen, d2, v)))
		return f.Select(bad, fix, v)
	}
	return pick(re, op("fmul", cInf, a), op("fmul", infinity, dot(ua, ub, c, d)), op("fmul", zero, dot(a, b, uc, ud))),
		pick(im, op("fmul", cInf, b), op("fmul", infinity, cross(ua, ub, c, d)), op("fmul", zero, cross(a, b, uc, ud)))
}

var infinity = &target.Const{Typ: target.F64, Text: "0x7FF0000000000000"}

//go:noinline
func (f *function) isNaN(x target.Value) target.Value { return f.FCmp("uno", x, x) }

//go:noinline
func (f *function) isInf(x target.Value) target.Value {
	return f.FCmp("oeq", f.Intrinsic("llvm.fabs.f64", target.F64, x), infinity)
}
