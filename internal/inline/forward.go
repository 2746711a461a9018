package inline

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file replaces what is read from a local variable, or from a field of one, by what was stored there, where one store alone
// writes that and comes before:
//
//	t0 = local Matrix                  t0 = local Matrix
//	t1 = &t0.Data                      t1 = &t0.Data
//	*t1 = in                           *t1 = in
//	t2 = *t0                     ->
//	t3 = t2.Data [#0]
//	t4 = &t3[i]                        t4 = &in[i]
//
// The elements of an array in it are parts likewise, where constants index it and none is stored alone.

// A Part is a store to a local variable, or to what a path of fields leads to in it.
type Part struct {
	Path  []int
	Store *ssa.Store
}

// Stores lists the stores to what v points to; false if it may be written in another way.
func Stores(v ssa.Value, path []int, all *[]Part) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != v {
				return false
			}
			*all = append(*all, Part{path, r})
		case *ssa.FieldAddr:
			if !Stores(r, append(slices.Clip(path), r.Field), all) {
				return false
			}
		case *ssa.IndexAddr:
			if !onlyLoaded(r) {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// onlyLoaded reports whether nothing is done with the element of a local array that v points to but to load it, or parts of it.
func onlyLoaded(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr:
			if !onlyLoaded(r.(ssa.Value)) {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// Element is which element of an array, or of what points to one, an index is, if that is a constant.
func Element(x, index ssa.Value) (n int, ok bool) {
	t := x.Type().Underlying()
	if p, isPointer := t.(*types.Pointer); isPointer {
		t = p.Elem().Underlying()
	}
	a, isArray := t.(*types.Array)
	c, isConst := index.(*ssa.Const)
	if !isArray || !isConst {
		return 0, false
	}
	k, exact := constant.Int64Val(constant.ToInt(c.Value))
	return int(k), exact && 0 <= k && k < a.Len() && k <= maxElements
}

// maxElements is the last element of an array that is a part.
const maxElements = 63

// Writer is the one of all stores to a variable that writes what a path leads to in it, if it comes before what loads that; else nil.
func Writer(all []Part, path []int, load ssa.Instruction) *Part {
	var one *Part
	for i, p := range all {
		n := min(len(p.Path), len(path))
		if !slices.Equal(p.Path[:n], path[:n]) {
			continue
		}
		if one != nil || len(p.Path) > len(path) {
			return nil
		}
		one = &all[i]
	}
	if one == nil || !Before(one.Store, load) {
		return nil
	}
	return one
}

// forward replaces loads until there are no more that can be.
func forward(fn *ssa.Function, of map[ssa.Instruction]*Site) {
	for again := true; again; {
		again = false
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if a, ok := i.(*ssa.Alloc); ok && (&variable{of: of}).forward(a) {
					again = true
				}
			}
		}
	}
}

// A variable is a local one all of whose uses are known.
type variable struct {
	of     map[ssa.Instruction]*Site
	stores []Part
	loads  []load
}

// A load is one of what a path of fields leads to.
type load struct {
	path []int
	at   *ssa.UnOp
}

// forward replaces the loads of a variable, and reports whether there were any.
func (v *variable) forward(a *ssa.Alloc) (any bool) {
	if !Stores(a, nil, &v.stores) {
		return false
	}
	v.findLoads(a, nil)
	for _, l := range v.loads {
		if len(*l.at.Referrers()) == 0 {
			continue
		}
		if val := v.stored(l.path, l.at); val != nil {
			replace(l.at, val)
			any = true
			continue
		}
		for _, r := range slices.Clone(*l.at.Referrers()) { // of all, one field
			f, ok := r.(*ssa.Field)
			if !ok || len(*f.Referrers()) == 0 {
				continue
			}
			if val := v.stored(append(slices.Clip(l.path), f.Field), l.at); val != nil {
				replace(f, val)
				any = true
			}
		}
	}
	return any
}

// findLoads lists the loads of what x points to.
func (v *variable) findLoads(x ssa.Value, path []int) {
	for _, r := range *x.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			v.loads = append(v.loads, load{path, r})
		case *ssa.FieldAddr:
			v.findLoads(r, append(slices.Clip(path), r.Field))
		case *ssa.IndexAddr:
			if n, ok := Element(r.X, r.Index); ok {
				v.findLoads(r, append(slices.Clip(path), n))
			}
		}
	}
}

// stored is what is known to be in a part where it is loaded, nil if that is not known.
func (v *variable) stored(path []int, at *ssa.UnOp) ssa.Value {
	one := Writer(v.stores, path, at)
	if one == nil {
		return nil
	}
	val := one.Store.Val
	for _, i := range path[len(one.Path):] {
		val = v.field(val, i, at)
	}
	return val
}

// field is a field or an element of a value, made ahead of an instruction.
func (v *variable) field(x ssa.Value, i int, at ssa.Instruction) ssa.Value {
	var f interface {
		ssa.Value
		ssa.Instruction
	}
	if a, ok := x.Type().Underlying().(*types.Array); ok {
		f = &ssa.Index{X: x, Index: ssa.NewConst(constant.MakeInt64(int64(i)), types.Typ[types.Int])}
		set(f, "typ", a.Elem())
	} else {
		f = &ssa.Field{X: x, Field: i}
		set(f, "typ", fieldOf(x.Type(), i))
	}
	set(f, "block", at.Block())
	b := at.Block()
	b.Instrs = slices.Insert(b.Instrs, slices.Index(b.Instrs, at), ssa.Instruction(f))
	if s := v.of[at]; s != nil {
		v.of[f] = s
	}
	refer(f)
	return f
}

// Before reports whether i is run before j whenever j is.
func Before(i, j ssa.Instruction) bool {
	if i.Block() != j.Block() {
		return i.Block().Dominates(j.Block())
	}
	return slices.Index(i.Block().Instrs, i) < slices.Index(j.Block().Instrs, j)
}

// replace has all that refers to a value refer to another.
func replace(old, by ssa.Value) {
	for _, i := range *old.Referrers() {
		for _, v := range i.Operands(nil) {
			if *v == old {
				*v = by
				if r := referrers(by); r != nil {
					*r = append(*r, i)
				}
			}
		}
	}
	*old.Referrers() = nil
}

// drop removes what nothing refers to: loads of local variables, closures, and variables that are only written.
func drop(fn *ssa.Function) {
	for again := true; again; {
		again = false
		dead := map[ssa.Instruction]bool{}
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				unused(i, dead)
			}
		}
		for _, b := range fn.Blocks {
			b.Instrs = slices.DeleteFunc(b.Instrs, func(i ssa.Instruction) bool {
				if dead[i] {
					unrefer(i)
					again = true
				}
				return dead[i]
			})
		}
	}
	fn.Locals = slices.DeleteFunc(fn.Locals, func(a *ssa.Alloc) bool { return !slices.Contains(a.Block().Instrs, ssa.Instruction(a)) })
}

// unused notes an instruction that does nothing, with others that do nothing then.
func unused(i ssa.Instruction, dead map[ssa.Instruction]bool) {
	switch i := i.(type) {
	case *ssa.Alloc:
		if all := (&writes{}); all.of(i) {
			for _, w := range all.list {
				dead[w] = true
			}
			dead[i] = true
		}
	case *ssa.UnOp:
		dead[i] = i.Op == token.MUL && isLocal(i.X) && len(*i.Referrers()) == 0
	case *ssa.BinOp:
		dead[i] = len(*i.Referrers()) == 0 && !mayPanic(i)
	case *ssa.Index:
		_, passes := Element(i.X, i.Index)
		dead[i] = passes && len(*i.Referrers()) == 0
	case *ssa.Field, *ssa.MakeClosure, *ssa.ChangeType, *ssa.Phi:
		dead[i] = len(*i.(ssa.Value).Referrers()) == 0
	case *ssa.FieldAddr:
		dead[i] = dead[i] || isLocal(i) && len(*i.Referrers()) == 0
	case *ssa.IndexAddr:
		_, passes := Element(i.X, i.Index)
		dead[i] = dead[i] || passes && isLocal(i) && len(*i.Referrers()) == 0
	}
}

// mayPanic reports whether an operation has operands that it panics of.
func mayPanic(i *ssa.BinOp) bool {
	switch i.Op {
	case token.QUO, token.REM, token.SHL, token.SHR:
		return true
	case token.EQL, token.NEQ:
		return !isBasic(i.X.Type()) // interfaces of what cannot be compared
	}
	return false
}

func isBasic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// isLocal reports whether an address is that of a local variable or of a part of one.
func isLocal(x ssa.Value) bool {
	for {
		switch a := x.(type) {
		case *ssa.Alloc:
			return true
		case *ssa.FieldAddr:
			x = a.X
		case *ssa.IndexAddr:
			x = a.X
		default:
			return false
		}
	}
}

// writes are the instructions that use a variable that is only written.
type writes struct{ list []ssa.Instruction }

// of reports whether what x points to is only written.
func (w *writes) of(x ssa.Value) bool {
	for _, r := range *x.Referrers() {
		w.list = append(w.list, r)
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val == x {
				return false
			}
		case *ssa.FieldAddr:
			if !w.of(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// unrefer forgets that an instruction refers to its operands.
func unrefer(i ssa.Instruction) {
	for _, v := range i.Operands(nil) {
		if *v == nil {
			continue
		}
		if r := referrers(*v); r != nil {
			*r = slices.DeleteFunc(*r, func(o ssa.Instruction) bool { return o == i })
		}
	}
}

// raise takes the fields of a value, and the elements, where it is made, each once: out of loops.
func raise(fn *ssa.Function) {
	first := map[fieldKey]ssa.Value{}
	for _, b := range fn.DomPreorder() {
		for _, i := range slices.Clone(b.Instrs) {
			key, ok := partKey(i)
			if !ok {
				continue
			}
			if _, isConst := key.x.(*ssa.Const); isConst { // it is made nowhere
				continue
			}
			f := i.(ssa.Value)
			if first[key] != nil {
				replace(f, first[key])
				continue
			}
			first[key] = f
			at := slices.Index(b.Instrs, i)
			b.Instrs = slices.Delete(b.Instrs, at, at+1)
			insertBehind(fn, key.x, i)
			set(i, "pos", token.NoPos)
		}
	}
}

// partKey is what an instruction takes which part of; false if it takes none.
func partKey(i ssa.Instruction) (fieldKey, bool) {
	switch f := i.(type) {
	case *ssa.Field:
		return fieldKey{f.X, f.Field}, true
	case *ssa.Index:
		n, ok := Element(f.X, f.Index)
		return fieldKey{f.X, n}, ok
	}
	return fieldKey{}, false
}

// insertBehind inserts an instruction where x has just been made.
func insertBehind(fn *ssa.Function, x ssa.Value, i ssa.Instruction) {
	b, at := fn.Blocks[0], 0
	if x, ok := x.(ssa.Instruction); ok {
		b = x.Block()
		at = slices.Index(b.Instrs, x) + 1
	}
	for {
		if _, isPhi := b.Instrs[at].(*ssa.Phi); !isPhi {
			break
		}
		at++
	}
	b.Instrs = slices.Insert(b.Instrs, at, i)
	set(i, "block", b)
}
