package ssa2ir

// This file implements indices: of slices, arrays and strings.

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/target"
)

// t2 = &t0[t1]   ->   bounds check; %t2 = getelementptr inbounds T, ptr %t0, i64 %t1
func lowerIndexAddr(f *function, i ssa.Instruction) {
	a := i.(*ssa.IndexAddr)
	x, idx := f.value(a.X), f.keptApart(a.Index, f.lineIndex(a))
	if exact := f.exactArgs[f.vals[a.Index]]; exact != nil {
		f.exactArgs[idx] = exact
	}
	if s := f.steps[a.Index]; s != nil && idx == s.wide && f.Cur != s.in {
		idx = f.IntCast(s.narrow, target.I64, s.signed)
	}
	idx = f.withoutSign(a, idx)
	passes := f.passes(a, a.Index, a.X)
	switch u := a.X.Type().Underlying().(type) {
	case *types.Slice:
		if !passes && !f.joined(a) {
			f.panicIf(f.notBelow(a, a, idx, f.Elem(x, 1)), indexPanic(a.Index.Type()), idx, f.Elem(x, 1))
			if !f.M.T.Votes && f.comparesLow(a, a) {
				idx = f.IntCast(f.lowIndex(a, idx), target.I64, false)
			}
		}
		if f.bounded != nil && f.M.T.Votes && f.bounded.short[a] {
			f.set(a, f.shortElement(a, idx, sizeof(u.Elem())))
			break
		}
		if near, more := f.near(a, sizeof(u.Elem())); more != nil {
			f.set(a, f.farther(f.farther(f.Elem(x, 0), f.Bin("mul", near, target.Int(target.I64, sizeof(u.Elem())))), more))
			break
		}
		switch {
		case f.isWithin(a):
			idx = f.IntCast(f.lowIndex(a, idx), target.I64, false)
		case f.isShortened(a):
			idx = f.IntCast(f.IntCast(idx, target.I32, false), target.I64, false)
		}
		f.set(a, f.GEP(f.memType(u.Elem()), f.Elem(x, 0), idx))
	case *types.Pointer:
		arr := u.Elem().Underlying().(*types.Array)
		f.checkNil(a.X)
		if !passes && !f.joined(a) {
			f.checkIndex(idx, target.Int(target.I64, arr.Len()), a.Index.Type())
		}
		if f.choosesElement(a) {
			if f.fewIndex == nil {
				f.fewIndex = map[*ssa.IndexAddr]target.Value{}
			}
			f.fewIndex[a] = idx
		}
		f.set(a, f.elementOf(arr, a.X, x, idx))
	}
}

// shortElement is the address of an element that lies less than 1<<32 bytes behind the first. AMD's loads and stores add
// 32 bits to an address themselves, if all lanes have that, and a constant. What differs by a constant is one load.
func (f *function) shortElement(a *ssa.IndexAddr, idx target.Value, size int64) target.Value {
	near, more := f.near(a, size)
	if more != nil {
		idx = near
	}
	if more == nil || f.bounded.based[a] {
		idx = f.sameIndex(a, idx)
	}
	base, before := f.begin(a)
	n := f.IntCast(idx, target.I32, false)
	if before != nil {
		n = f.Bin("add nuw", before, n)
	}
	offset := f.IntCast(f.Bin("mul nuw", n, target.Int(target.I32, size)), target.I64, false)
	if more == nil {
		return f.GEP(target.I8, base, offset)
	}
	return f.farther(f.farther(base, offset), more)
}

// near is an index less a constant, or less what counts in a loop of few iterations, where an address is to be made of these, and how many bytes
// that is; else that is nil.
func (f *function) near(a *ssa.IndexAddr, size int64) (idx, more target.Value) {
	op, ok := a.Index.(*ssa.BinOp)
	if !ok || f.bounded == nil || op.Op != token.ADD && op.Op != token.SUB || !f.bounded.small[op.X] && !f.bounded.based[a] {
		return nil, nil
	}
	sign := int64(1)
	if op.Op == token.SUB {
		sign = -1
	}
	if k, ok := f.intConst(op.Y); ok {
		if k <= -maxApart || k >= maxApart || k == 0 || f.lines[a] != nil {
			return nil, nil
		}
		return f.index(op.X), target.Int(target.I64, sign*k*size)
	}
	if !f.bounded.small[op.X] || !f.countsFew(op.Y) {
		return nil, nil
	}
	return f.index(op.X), f.Bin("mul", f.index(op.Y), target.Int(target.I64, sign*size))
}

// countsFew reports whether a value counts in a loop of few iterations, of which LLVM makes as many copies.
func (f *function) countsFew(v ssa.Value) bool {
	const few = 9 // that of a range over 8 begins at -1
	if op, ok := v.(*ssa.BinOp); ok && (op.Op == token.ADD || op.Op == token.SUB) {
		if _, ok := f.intConst(op.Y); ok {
			v = op.X
		}
	}
	phi, ok := v.(*ssa.Phi)
	if !ok || f.proof == nil { // ahead of a loop
		return false
	}
	l := f.proof.loops[phi.Block()]
	return l != nil && l.trips > 0 && l.trips <= few
}

// farther is an address n bytes behind p, which may lie outside the slice: it is not inbounds.
func (f *function) farther(p, n target.Value) target.Value {
	return f.Emit(p.Type(), "getelementptr i8, ", target.T(p), ", ", target.T(n))
}

const maxApart = 1 << 10 // elements between two that one address leads to

// t2 = t0[t1]   ->   element of an array or byte of a string
func lowerIndex(f *function, i ssa.Instruction) {
	a := i.(*ssa.Index)
	f.setPart(a, f.indexValue(a, a.X, a.Index, a.Type()))
}

func (f *function) indexValue(at ssa.Instruction, xv, iv ssa.Value, elem types.Type) target.Value {
	x, idx := f.value(xv), f.index(iv)
	if isString(xv.Type()) {
		if !f.passes(at, iv, xv) {
			f.checkIndex(idx, f.Elem(x, 1), iv.Type())
		}
		return f.Load(target.I8, f.GEP(target.I8, f.Elem(x, 0), idx), 1)
	}
	arr := xv.Type().Underlying().(*types.Array)
	if !f.passes(at, iv, xv) {
		f.checkIndex(idx, target.Int(target.I64, arr.Len()), iv.Type())
	}
	if n, ok := target.IntConst(idx); ok {
		if _, big := x.(*memory); !big {
			return f.Elem(x, int(n))
		}
	}
	var p target.Value
	if m, ok := f.placed(x).(*memory); ok {
		p = m.addr
	} else {
		p = f.slot(f.memType(arr))
		f.store(xv.Type(), x, p)
	}
	return f.load(elem, f.element(arr, p, idx))
}

// index is an index as i64, whatever its type; a negative one is out of range
// as an unsigned number.
func (f *function) index(v ssa.Value) target.Value {
	return f.IntCast(f.value(v), target.I64, isSigned(v.Type()))
}

// keptApart keeps an index of memory apart from where it was loaded, on AMD. LLVM up to 19, at
// least, makes vectors of small local arrays; an index that is itself an element of such an
// array then leads to memory that it has freed, and it crashes:
//
//	for i := range table { sum += table[table[i]] }
func (f *function) keptApart(v ssa.Value, idx target.Value) target.Value {
	for {
		c, ok := v.(*ssa.Convert)
		if !ok {
			break
		}
		v = c.X
	}
	switch v.(type) {
	case *ssa.Const, *ssa.BinOp, *ssa.Phi:
		return idx
	}
	if f.M.T.Kind != abi.HSACO {
		return idx
	}
	return f.Emit(target.I64, "freeze ", target.T(idx))
}
