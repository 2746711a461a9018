package ssa2ir

// This file implements func values. One that is a value of its own is the tuple of its
// bindings, and of a choice its number before the tuples of all that it may be. In a field
// or an element it is a word of Go's size: nil is zero, a function without bindings its
// number, which is odd, and one with bindings the address of its number and these. It is an
// integer: LLVM takes an odd pointer that meets the address of a local variable for one, too,
// and a GPU's addresses of these are not what they are in generic form.

import (
	"go/types"

	lltypes "github.com/llir/llvm/ir/types"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// funcType is the type of a func value's run-time part.
func (y *layout) funcType(v *funcVal) target.Type {
	if v == nil {
		return target.Struct()
	}
	var ts []target.Type
	if v.chosen() {
		ts = append(ts, target.I64)
		for _, a := range v.among {
			ts = append(ts, y.funcType(a))
		}
	}
	for _, b := range v.binds {
		ts = append(ts, y.bindType(b))
	}
	return target.Struct(ts...)
}

// recordType is what the word of a func value with bindings leads to.
func (f *function) recordType(v *funcVal) target.Type {
	return target.Struct(target.I64, f.inMemory(f.funcType(v)))
}

// number is the number of a func value.
func (f *function) number(v target.Value, fv *funcVal) target.Value {
	if fv.chosen() {
		return f.Elem(v, 0)
	}
	return target.Int(target.I64, f.prog.plan.number(fv))
}

// bindingsOf are those of a func value where it is a certain one of those that it may be.
func (f *function) bindingsOf(v target.Value, fv, one *funcVal) target.Value {
	if !fv.chosen() {
		if fv.key() == one.key() {
			return v
		}
		return f.zeroFunc(f.funcType(one))
	}
	for i, a := range fv.among {
		if a.key() == one.key() {
			return f.Elem(v, 1+i)
		}
	}
	return f.zeroFunc(f.funcType(one))
}

// zeroFunc is what stands for the bindings of a func that is not held.
func (f *function) zeroFunc(t target.Type) target.Value {
	switch t := t.(type) {
	case *bigType:
		return f.placed(f.large(t.goT, nil))
	case *lltypes.StructType:
		a := &target.Agg{Typ: t}
		for _, ft := range t.Fields {
			a.Elems = append(a.Elems, f.zeroFunc(ft))
		}
		return a
	}
	return target.Zero(t)
}

// convertFunc makes a func value one of those that another may be: more, or fewer where more is
// known.
func (f *function) convertFunc(v target.Value, from, to *funcVal) target.Value {
	if from.key() == to.key() {
		return v
	}
	if !from.within(to) && !to.within(from) {
		panic(&bug{f.prog.plan.pos(f.pos), "a func value is none of those that it may be"})
	}
	if !to.chosen() {
		return f.bindingsOf(v, from, to)
	}
	a := &target.Agg{Typ: f.funcType(to), Elems: []target.Value{f.number(v, from)}}
	for _, one := range to.among {
		a.Elems = append(a.Elems, f.bindingsOf(v, from, one))
	}
	return a
}

// funcAs is the func value v as what is known to be held by another.
func (f *function) funcAs(v ssa.Value, to *funcVal) target.Value {
	return f.convertFunc(f.value(v), f.in.resolve(v), to)
}

// word is a func value as a field or an element holds it.
func (f *function) word(v target.Value, fv *funcVal) target.Value {
	number := f.number(v, fv)
	w := number
	for _, one := range fv.all() {
		if len(one.binds) == 0 {
			continue
		}
		t := f.recordType(one)
		record := f.slot(t)
		f.Store(target.Int(target.I64, f.prog.plan.number(one)), f.Field(t, record, 0), 8)
		f.storeRaw(f.bindingsOf(v, fv, one), f.Field(t, record, 1))
		address := f.Cast("ptrtoint", record, target.I64)
		if !fv.chosen() {
			return address
		}
		w = f.Select(f.isFunc(number, one), address, w)
	}
	return w
}

func (f *function) isFunc(number target.Value, one *funcVal) target.Value {
	return f.ICmp("eq", number, target.Int(target.I64, f.prog.plan.number(one)))
}

// fromWord is the func value of a word. What it may hold says what the word may be. Where
// it may be no address none is followed: a record of zeros stands for it.
func (f *function) fromWord(w target.Value, fv *funcVal) target.Value {
	if !fv.chosen() {
		if len(fv.binds) == 0 {
			return target.NewAgg()
		}
		return f.loadRaw(f.funcType(fv), f.Field(f.recordType(fv), f.Cast("inttoptr", w, f.ptr), 1))
	}
	number, address := w, target.Value(nil)
	if fv.captures() {
		address = f.Cast("inttoptr", w, f.ptr)
		number = f.numberIn(w, address, fv)
	}
	a := &target.Agg{Typ: f.funcType(fv), Elems: []target.Value{number}}
	for _, one := range fv.among {
		if len(one.binds) == 0 {
			a.Elems = append(a.Elems, f.zeroFunc(f.funcType(one)))
			continue
		}
		record := f.Select(f.isFunc(number, one), address, f.zeroRecord(one))
		a.Elems = append(a.Elems, f.loadRaw(f.funcType(one), f.Field(f.recordType(one), record, 1)))
	}
	return a
}

// numberIn is the number in a word that may be an address: one that is not odd, and not nil.
func (f *function) numberIn(w, address target.Value, fv *funcVal) target.Value {
	odd := f.Cast("trunc", w, target.I1)
	is := f.Bin("or", odd, f.ICmp("eq", w, target.Int(target.I64, 0)))
	zero := f.zeroRecord(fv.all()[0])
	return f.Select(is, w, f.Load(target.I64, f.Select(is, zero, address), 8))
}

// zeroRecord is the address of a record of zeros.
func (f *function) zeroRecord(fv *funcVal) target.Value {
	t := f.recordType(fv)
	zero := f.slot(t)
	f.Store(target.Int(target.I64, 0), f.Field(t, zero, 0), 8)
	f.storeRaw(f.zeroFunc(f.funcType(fv)), f.Field(t, zero, 1))
	return zero
}

// setPart sets a part of a value, or what is loaded from a field or an element: of a func
// its word.
func (f *function) setPart(v ssa.Value, x target.Value) {
	if isFunc(v.Type()) {
		x = f.fromWord(x, f.in.resolve(v))
	}
	f.set(v, x)
}

// chosenCall is a call of one of several functions.
//
//	t1 = t0(x)   ->   a branch for each that t0 may be, and a phi of the results
func (f *function) chosenCall(c *ssa.Call, all *callee) target.Value {
	fv := all.fun
	v := f.funcAs(c.Call.Value, fv)
	number := f.number(v, fv)
	if fv.nilable {
		f.panicIf(f.ICmp("eq", number, target.Int(target.I64, 0)), "invalid memory address or nil pointer dereference")
	}
	if len(all.among) == 0 { // it is nil
		return f.zeroResults(c.Call.Signature().Results())
	}
	next := f.NewBlock()
	var rs []returned
	for i, one := range all.among {
		not := f.Cur // of the last one, which needs no test
		if i < len(all.among)-1 {
			is := f.NewBlock()
			not = f.NewBlock()
			f.CondBr(f.isFunc(number, one.fun), is, not)
			f.Cur = is
		}
		rs = append(rs, f.oneOf(c, one, f.Elem(v, 1+i)))
		f.Br(next)
		f.Cur = not
	}
	f.Cur = next
	return f.resultOf(rs)
}

// oneOf is the call of one of several functions, with its results in the form that the call's
// have.
func (f *function) oneOf(c *ssa.Call, one *callee, bindings target.Value) returned {
	v := f.callOne(c, one, bindings)
	results := c.Call.Signature().Results()
	r := returned{}
	for i := range results.Len() {
		x := v
		if results.Len() > 1 {
			x = f.Elem(v, i)
		}
		if isFunc(results.At(i).Type()) {
			x = f.convertFunc(x, one.resultAt(i), f.in.resultAt(c, resultPath{i, ""}))
		}
		r.vals = append(r.vals, x)
	}
	r.from = f.Cur
	return r
}

// resultAt is the func that a callee returns as result i.
func (cl *callee) resultAt(i int) *funcVal { return cl.inst.returned(i, "") }

// returned is what an instance's result i holds.
func (in *instance) returned(i int, p way) *funcVal {
	h := &holders{plan: in.plan, in: in, seen: map[visit]bool{}}
	h.returned(in, i, p)
	return h.value()
}

// zeroResults are results of a call that does not return.
func (f *function) zeroResults(results *types.Tuple) target.Value {
	zero := func(t types.Type) target.Value {
		if isFunc(t) {
			return target.NewAgg()
		}
		return f.zero(t)
	}
	if results.Len() == 1 {
		return zero(results.At(0).Type())
	}
	a := target.NewAgg()
	for v := range results.Variables() {
		a.Elems = append(a.Elems, zero(v.Type()))
	}
	return a
}

// capturedParts writes the funcs in a captured variable: what the launch passed there are
// addresses of the host's.
func (f *function) capturedParts(c *Capture, slot target.Value, take func() target.Value) {
	for _, p := range c.Parts {
		word := target.Value(target.Zero(target.I64))
		if p.Func != nil {
			binds := f.captured(p.Func, take)
			for i := range binds {
				binds[i] = f.placed(binds[i])
			}
			fv := &funcVal{fn: p.Func.Fn, binds: f.prog.plan.captureBindings(p.Func)}
			word = f.word(target.NewAgg(binds...), fv)
		}
		f.Store(word, f.GEP(target.I8, slot, target.Int(target.I64, p.At)), 8)
	}
}
