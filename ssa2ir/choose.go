package ssa2ir

// This file keeps local arrays of few elements in registers where an index is not known while compiling: LLVM keeps them in
// memory then, since a register has no address, and each access waits for it. All elements are looked at instead.
//
//	t1 = &t0[i]; t2 = *t1    ->   %t2 = select i == 1, element 1, element 0

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

const (
	maxFew      = 4  // elements of such an array
	maxFewBytes = 16 // of each
)

// choosesElement reports whether an element of a local array is chosen by its index.
func (f *function) choosesElement(a *ssa.IndexAddr) bool {
	if f.M.T.Chooses == 0 || !isFewElements(a) || f.becomesConstant(a) || f.compactRoot(a.X) != nil {
		return false
	}
	root := localOf(a.X)
	if root == nil || sizeof(deref(root.Type())) > f.M.T.Chooses {
		return false
	}
	few, ok := f.chooses[root]
	if !ok {
		few = f.onlyAccessed(root, true)
		if f.chooses == nil {
			f.chooses = map[*ssa.Alloc]bool{}
		}
		f.chooses[root] = few
	}
	return few
}

// isFewElements reports whether an address is that of one of few small elements of an array, its index no constant.
func isFewElements(a *ssa.IndexAddr) bool {
	p, ok := a.X.Type().Underlying().(*types.Pointer)
	if _, isConst := a.Index.(*ssa.Const); !ok || isConst {
		return false
	}
	arr := p.Elem().Underlying().(*types.Array)
	return arr.Len() > 1 && arr.Len() <= maxFew && sizeof(arr.Elem()) <= maxFewBytes && !holdsFuncs(arr.Elem()) && !isBig(arr.Elem()) && arrayElem(arr.Elem()) == nil
}

// onlyAccessed reports whether what v points to is only loaded and stored, in parts or as a whole. indexed: v is not within an
// element of an array whose index is no constant.
func (f *function) onlyAccessed(v ssa.Value, indexed bool) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if r.Addr != v {
				return false
			}
		case *ssa.FieldAddr:
			if !f.onlyAccessed(r, indexed) {
				return false
			}
		case *ssa.IndexAddr:
			constant := f.know.value(r.Index) != nil || f.becomesConstant(r)
			if !constant && (!indexed || !isFewElements(r)) || !f.onlyAccessed(r, indexed && constant) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// becomesConstant reports whether an index is made of nothing but what counts in loops that are unrolled wholly, and constants.
func (f *function) becomesConstant(a *ssa.IndexAddr) bool { return f.counted(a.Index, a.Block(), 0) }

// counted is becomesConstant for a value that a block uses.
func (f *function) counted(v ssa.Value, at *ssa.BasicBlock, depth int) bool {
	const deepest = 8
	if f.know.value(v) != nil {
		return true
	}
	if depth > deepest {
		return false
	}
	switch v := v.(type) {
	case *ssa.Phi:
		l := f.in.loops[v.Block()]
		return l != nil && l.trips > 0 && l.blocks[at] && f.unrolling(v.Block()) == unrollWhole
	case *ssa.BinOp:
		return f.counted(v.X, at, depth+1) && f.counted(v.Y, at, depth+1)
	case *ssa.Convert:
		return f.counted(v.X, at, depth+1)
	}
	return false
}

// fewAt is the element that an address lies in, where it is chosen by its index, and the way there; nil if it is another address.
func (f *function) fewAt(addr ssa.Value) (a *ssa.IndexAddr, fields []*ssa.FieldAddr) {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			fields = append(fields, x)
			addr = x.X
			continue
		case *ssa.IndexAddr:
			if f.fewIndex[x] != nil {
				return x, fields
			}
		}
		return nil, nil
	}
}

// inEach calls yield with the address of each element, or of a field of each, and with whether the index is that element's.
func (f *function) inEach(a *ssa.IndexAddr, fields []*ssa.FieldAddr, yield func(p, is target.Value)) {
	arr := deref(a.X.Type()).Underlying().(*types.Array)
	x, idx := f.value(a.X), f.fewIndex[a]
	for k := range arr.Len() {
		p := f.elementOf(arr, a.X, x, target.Int(target.I64, k))
		for n := len(fields) - 1; n >= 0; n-- {
			p = f.field(deref(fields[n].X.Type()), p, fields[n].Field)
		}
		yield(p, f.ICmp("eq", idx, target.Int(target.I64, k)))
	}
}

// loadFew loads from an element that is chosen by its index.
func (f *function) loadFew(u *ssa.UnOp, a *ssa.IndexAddr, fields []*ssa.FieldAddr) (v target.Value) {
	f.inEach(a, fields, func(p, is target.Value) {
		one := f.load(u.Type(), p)
		if v == nil { // what is not another element is this one
			v = one
			return
		}
		v = f.either(is, one, v)
	})
	return v
}

// storeFew stores to such an element.
func (f *function) storeFew(s *ssa.Store, a *ssa.IndexAddr, fields []*ssa.FieldAddr) {
	v := f.value(s.Val)
	f.inEach(a, fields, func(p, is target.Value) {
		f.store(s.Val.Type(), f.either(is, v, f.load(s.Val.Type(), p)), p)
	})
}

// either is x if is, else y, which was loaded.
func (f *function) either(is, x, y target.Value) target.Value {
	all, ok := y.(*target.Agg)
	if !ok {
		return f.Select(is, x, y)
	}
	a := &target.Agg{Typ: all.Typ}
	for i := range all.Elems {
		a.Elems = append(a.Elems, f.either(is, f.Elem(x, i), all.Elems[i]))
	}
	return a
}
