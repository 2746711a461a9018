package ssa2ir

// This file implements strings, which on a device are constants and slices of
// them: comparison, and iteration by rune.

import (
	"go/constant"
	"go/token"
	"strconv"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// compareStrings compares the bytes, then the lengths.
func (f *function) compareStrings(op token.Token, x, y target.Value) target.Value {
	c := f.Builder.Call(f.stringCompare(), f.Elem(x, 0), f.Elem(x, 1), f.Elem(y, 0), f.Elem(y, 1))
	return f.ICmp(predicates.Get()[op][0], c, target.Int(target.I64, 0))
}

// stringCompare makes heddle_strcmp(p, n, q, m): negative, zero or positive.
func (l *lowerer) stringCompare() *ir.Func {
	const name = "heddle_strcmp"
	for _, fn := range l.m.LL.Funcs {
		if fn.Name() == name {
			return fn
		}
	}
	p, n := ir.NewParam("p", l.ptr), ir.NewParam("n", target.I64)
	q, m := ir.NewParam("q", l.ptr), ir.NewParam("m", target.I64)
	fn := l.m.LL.NewFunc(name, target.I64, p, n, q, m)
	fn.Linkage = enum.LinkageInternal
	fn.FuncAttrs = append(fn.FuncAttrs, target.Attr("nounwind"))
	b := &target.Builder{M: l.m, F: fn}
	entry, loop, body, next, done := b.NewBlock(), b.NewBlock(), b.NewBlock(), b.NewBlock(), b.NewBlock()
	b.Cur = entry
	short := b.Select(b.ICmp("slt", n, m), n, m)
	b.Br(loop)
	b.Cur = loop
	i := b.Phi(target.I64)
	b.CondBr(b.ICmp("slt", i, short), body, done)
	b.Cur = body
	at := func(s target.Value) target.Value {
		return b.Cast("zext", b.Load(target.I8, b.GEP(target.I8, s, i), 1), target.I64)
	}
	d := b.Bin("sub", at(p), at(q))
	b.CondBr(b.ICmp("eq", d, target.Int(target.I64, 0)), next, done)
	b.Cur = next
	i1 := b.Bin("add", i, target.Int(target.I64, 1))
	b.Br(loop)
	target.AddIncoming(i, target.Int(target.I64, 0), entry)
	target.AddIncoming(i, i1, next)
	b.Cur = done
	r := b.Phi(target.I64)
	b.Cur = loop
	lengths := b.Bin("sub", n, m)
	target.AddIncoming(r, lengths, loop)
	target.AddIncoming(r, d, body)
	b.Cur = done
	b.Ret(r)
	return fn
}

// t0 = range "hello":string   ->   a counter over the tables of its runes
func lowerRange(f *function, i ssa.Instruction) {
	r := i.(*ssa.Range)
	slot := f.slot(target.I64)
	f.Store(target.Int(target.I64, 0), slot, 8)
	f.set(r, slot)
}

// t1 = next t0   ->   {more, index, rune} from the tables
func lowerNext(f *function, i ssa.Instruction) {
	n := i.(*ssa.Next)
	r := n.Iter.(*ssa.Range)
	text, ok := r.X.(*ssa.Const)
	if !ok {
		f.nextRune(n, f.value(r.X), f.value(r))
		return
	}
	s := constant.StringVal(text.Value)
	var at, runes []*target.Const
	for i, c := range s {
		at = append(at, target.Int(target.I64, int64(i)))
		runes = append(runes, target.Int(target.I32, int64(c)))
	}
	count := int64(len(runes))
	at, runes = append(at, target.Int(target.I64, 0)), append(runes, target.Int(target.I32, 0))
	look := func(kind string, t target.Type, elems []*target.Const, idx target.Value) target.Value {
		arr := target.Array(count+1, t)
		g := f.readOnly("heddle_"+kind+"_"+hashName(s)+"_"+strconv.Itoa(int(count)), arr, 8, joinConst(arr, "[", "]", elems, nil))
		return f.Load(t, f.GEP(arr, f.Generic(g), target.Int(target.I64, 0), idx), target.Bits(t)/8)
	}
	slot := f.value(r)
	k := f.Load(target.I64, slot, 8)
	more := f.ICmp("slt", k, target.Int(target.I64, count))
	f.Store(f.Select(more, f.Bin("add", k, target.Int(target.I64, 1)), k), slot, 8)
	f.set(n, target.NewAgg(more, look("at", target.I64, at, k), look("runes", target.I32, runes, k)))
}

// nextRune is lowerNext for a string that is not constant: slot holds where its next rune is.
func (f *function) nextRune(n *ssa.Next, s, slot target.Value) {
	k := f.Load(target.I64, slot, 8)
	r := f.Builder.Call(f.decodeRune(), f.Elem(s, 0), f.Elem(s, 1), k)
	f.Store(f.Bin("add", k, f.Bin("and", r, target.Int(target.I64, 7))), slot, 8)
	f.set(n, target.NewAgg(f.ICmp("slt", k, f.Elem(s, 1)), k, f.Cast("trunc", f.Bin("lshr", r, target.Int(target.I64, 3)), target.I32)))
}

// decodeRune makes heddle_rune(p, n, k): the rune at p[k] times 8 and its length, 0 where
// k is n. What is no UTF-8 is one byte, as Go has it.
func (l *lowerer) decodeRune() *ir.Func {
	const name = "heddle_rune"
	for _, fn := range l.m.LL.Funcs {
		if fn.Name() == name {
			return fn
		}
	}
	p, n, k := ir.NewParam("p", l.ptr), ir.NewParam("n", target.I64), ir.NewParam("k", target.I64)
	fn := l.m.LL.NewFunc(name, target.I64, p, n, k)
	fn.Linkage = enum.LinkageInternal
	fn.FuncAttrs = append(fn.FuncAttrs, target.Attr("nounwind"))
	b := &target.Builder{M: l.m, F: fn}
	num := func(x int64) target.Value { return target.Int(target.I64, x) }
	at := func(i int64) target.Value {
		return b.Cast("zext", b.Load(target.I8, b.GEP(target.I8, p, b.Bin("add", k, num(i))), 1), target.I64)
	}
	result := func(r target.Value, size int64) {
		b.Ret(b.Bin("or", b.Bin("shl", r, num(3)), num(size)))
	}
	is := func(x target.Value, c, yes int64, no target.Value) target.Value {
		return b.Select(b.ICmp("eq", x, num(c)), num(yes), no)
	}
	next := func(cond target.Value, no *ir.Block) {
		yes := b.NewBlock()
		b.CondBr(cond, yes, no)
		b.Cur = yes
	}
	b.Cur = b.NewBlock()
	none, bad, several := b.NewBlock(), b.NewBlock(), b.NewBlock()
	next(b.ICmp("slt", k, n), none)
	r := at(0)
	next(b.ICmp("ult", r, num(0x80)), several)
	result(r, 1)

	b.Cur = several // more is how many bytes follow
	from := func(x int64) target.Value { return b.Cast("zext", b.ICmp("uge", r, num(x)), target.I64) }
	more := b.Bin("add", b.Bin("add", from(0xC2), from(0xE0)), from(0xF0))
	valid := b.Bin("and", b.ICmp("ult", b.Bin("sub", r, num(0xC2)), num(0xF5-0xC2)), b.ICmp("slt", more, b.Bin("sub", n, k)))
	low := is(r, 0xE0, 0xA0, is(r, 0xF0, 0x90, num(0x80)))  // no longer than need be
	high := is(r, 0xED, 0x9F, is(r, 0xF4, 0x8F, num(0xBF))) // no surrogate, none behind the last
	v := b.Bin("and", r, b.Bin("lshr", num(0x3F), more))
	next(valid, bad)
	for i := int64(1); i <= 3; i++ {
		c := at(i)
		next(b.ICmp("ule", b.Bin("sub", c, low), b.Bin("sub", high, low)), bad)
		v = b.Bin("or", b.Bin("shl", v, num(6)), b.Bin("and", c, num(0x3F)))
		low, high = num(0x80), num(0xBF)
		if i < 3 {
			end := b.NewBlock()
			next(b.ICmp("ugt", more, num(i)), end)
			on := b.Cur
			b.Cur = end
			result(v, i+1)
			b.Cur = on
		}
	}
	result(v, 4)
	b.Cur = bad
	result(num(0xFFFD), 1)
	b.Cur = none
	b.Ret(num(0))
	return fn
}

// t2 = t0[t1]   ->   byte of a string
func lowerLookup(f *function, i ssa.Instruction) {
	l := i.(*ssa.Lookup)
	f.set(l, f.indexValue(l, l.X, l.Index, l.Type()))
}
