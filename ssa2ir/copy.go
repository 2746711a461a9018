package ssa2ir

// This file copies a small local array, or to one, element by element where LLVM would keep the array in memory, or in memory
// that a block shares, as a copy of a length that is not known needs its address.
//
//	copy(out, key[:])   ->   v0..v7 = key's elements; if len(out) >= 8 { out[0..7] = v0..v7 } else { as many as there is room for }
//
// All elements are loaded before one is stored: the two may overlap.

import (
	"go/types"

	"github.com/llir/llvm/ir"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// maxCopied is how many elements are copied so.
const maxCopied = 16

// builtinCopy copies as many elements as both have.
func builtinCopy(f *function, c *ssa.Call) target.Value {
	dst, src := f.value(c.Call.Args[0]), f.value(c.Call.Args[1])
	n, m := f.Elem(dst, 1), f.Elem(src, 1)
	all := f.Select(f.ICmp("slt", n, m), n, m)
	e := elements{f, elemOf(c.Call.Args[0].Type()), f.Elem(dst, 0), f.Elem(src, 0)}
	room, have := e.few(c.Call.Args[0], n), e.few(c.Call.Args[1], m)
	switch {
	case room == 0 && have == 0:
		f.move(e.dst, e.src, all, e.typ)
	case room > 0 && (have == 0 || room <= have):
		e.fill(room, m)
	default:
		e.take(have, n)
	}
	return all
}

// elements are those of a copy.
type elements struct {
	*function
	typ      types.Type
	dst, src target.Value
}

// few is how many elements there are in a part of a local array, whose length is n; 0 if that is not known or they are many.
func (e *elements) few(v ssa.Value, n target.Value) int {
	b, basic := e.typ.Underlying().(*types.Basic)
	k, known := target.IntConst(n)
	if !e.M.T.UnrollsShort || !basic || b.Info()&(types.IsNumeric|types.IsBoolean) == 0 || b.Info()&types.IsComplex != 0 ||
		!known || k > maxCopied || localOf(v) == nil {
		return 0
	}
	return int(k)
}

func (e *elements) at(p target.Value, i int) target.Value {
	return e.GEP(e.memType(e.typ), p, target.Int(target.I64, int64(i)))
}

// loads are some of p's elements.
func (e *elements) loads(p target.Value, n int) (all []target.Value) {
	for i := range n {
		all = append(all, e.load(e.typ, e.at(p, i)))
	}
	return all
}

func (e *elements) stores(all []target.Value) {
	for i, v := range all {
		e.store(e.typ, v, e.at(e.dst, i))
	}
}

// atLeast reports whether n, a length, is known to be k or more.
func atLeast(n target.Value, k int) bool {
	have, known := target.IntConst(n)
	return known && have >= int64(k)
}

// take copies from k elements of a local array to n others, or less.
func (e *elements) take(k int, n target.Value) {
	all := e.loads(e.src, k)
	if atLeast(n, k) {
		e.stores(all)
		return
	}
	whole, some, done := e.NewBlock(), e.NewBlock(), e.NewBlock()
	e.CondBr(e.ICmp("sge", n, target.Int(target.I64, int64(k))), whole, some)
	e.Cur = whole
	e.stores(all)
	e.Br(done)
	e.Cur = some
	for i, v := range all[:k-1] {
		one := e.NewBlock()
		e.CondBr(e.ICmp("sgt", n, target.Int(target.I64, int64(i))), one, done)
		e.Cur = one
		e.store(e.typ, v, e.at(e.dst, i))
	}
	e.Br(done)
	e.Cur = done
}

// fill copies to k elements of a local array from n others, or less: what is not copied is stored again.
func (e *elements) fill(k int, n target.Value) {
	if atLeast(n, k) {
		e.stores(e.loads(e.src, k))
		return
	}
	was := e.loads(e.dst, k)
	whole, some, done := e.NewBlock(), e.NewBlock(), e.NewBlock()
	e.CondBr(e.ICmp("sge", n, target.Int(target.I64, int64(k))), whole, some)
	e.Cur = whole
	ways := []*ir.Block{e.Cur}
	from := [][]target.Value{e.loads(e.src, k)}
	e.Br(done)
	e.Cur = some
	for i := range k - 1 {
		one := e.NewBlock()
		ways, from = append(ways, e.Cur), append(from, append([]target.Value(nil), was...))
		e.CondBr(e.ICmp("sgt", n, target.Int(target.I64, int64(i))), one, done)
		e.Cur = one
		was[i] = e.load(e.typ, e.at(e.src, i))
	}
	ways, from = append(ways, e.Cur), append(from, was)
	e.Br(done)
	e.Cur = done
	all := make([]target.Value, k)
	for i := range all {
		phi := e.Phi(was[i].Type())
		for w, b := range ways {
			target.AddIncoming(phi, from[w][i], b)
		}
		all[i] = phi
	}
	e.stores(all)
}
