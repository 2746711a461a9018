package ssa2ir

// This file implements conversions between strings and slices of their bytes and runes.
// A device has no heap: the bytes of a constant become a local array, and a string of
// bytes is these bytes, while it is compared.

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/inline"
	"heddle/internal/target"
)

// madeOf is the constant whose bytes or runes a conversion makes a slice of.
func madeOf(v *ssa.Convert) (s string, ok bool) {
	if _, isSlice := v.Type().Underlying().(*types.Slice); !isSlice || !isString(v.X.Type()) {
		return "", false
	}
	k, ok := v.X.(*ssa.Const)
	if !ok || k.Value == nil {
		return "", false
	}
	return constant.StringVal(k.Value), true
}

func isMade(v *ssa.Convert) bool {
	s, ok := madeOf(v)
	return ok && int64(len(s)) <= maxPrivate/4
}

// compared reports whether a string that is made of bytes is only compared, ranged over
// or passed to what reads it, before anything can write to the bytes; written, that something can is all that is wrong.
func compared(v *ssa.Convert) (ok, written bool) {
	s, ok := v.X.Type().Underlying().(*types.Slice)
	if !ok || !isKind(s.Elem(), types.IsInteger) || sizeof(s.Elem()) != 1 {
		return false, false
	}
	steps := 10_000
	uses := map[*ssa.BasicBlock]ssa.Instruction{} // the last of each block
	used := func(r ssa.Instruction) {
		if last := uses[r.Block()]; last == nil || inline.Before(last, r) {
			uses[r.Block()] = r
		}
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.BinOp:
			used(r)
		case *ssa.Range:
			for _, next := range *r.Referrers() {
				used(next)
			}
		case *ssa.Call:
			if !readsOnly(r.Call.StaticCallee(), &steps) {
				return false, false
			}
			used(r)
		default:
			return false, false
		}
	}
	after := reachable(v.Block(), v.Block())
	after[v.Block()] = true
	for b := range after {
		last, until := uses[b], reachable(b, v.Block())
		for use := range uses {
			if use != v.Block() && until[use] {
				last = b.Instrs[len(b.Instrs)-1]
			}
		}
		for _, i := range b.Instrs {
			if last != nil && mayWrite(i, &steps) && inline.Before(i, last) && (b != v.Block() || inline.Before(v, i)) {
				return false, true
			}
		}
	}
	return true, false
}

// mayWrite reports whether an instruction may write to memory; steps are those that are
// left to find out.
func mayWrite(i ssa.Instruction, steps *int) bool {
	switch i := i.(type) {
	case *ssa.Store:
		return true
	case *ssa.Call:
		if b, ok := i.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "copy" || b.Name() == "append" || b.Name() == "clear"
		}
		return !readsOnly(i.Call.StaticCallee(), steps)
	}
	return false
}

// readsOnly reports whether a function writes to no memory, and keeps no address.
func readsOnly(fn *ssa.Function, steps *int) bool {
	if fn == nil || fn.Blocks == nil || pointerResult(fn.Signature.Results()) {
		return false
	}
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if *steps--; *steps < 0 || mayWrite(i, steps) {
				return false
			}
		}
	}
	return true
}

// t1 = convert []byte <- string ("abc":string)   ->   a slot with its bytes
func (f *function) elemsOf(to types.Type, s string) target.Value {
	elem := elemOf(to)
	var elems []*target.Const
	if sizeof(elem) == 1 {
		for i := range len(s) {
			elems = append(elems, target.Int(target.I8, int64(s[i])))
		}
	} else {
		for _, r := range s {
			elems = append(elems, target.Int(target.I32, int64(r)))
		}
	}
	n := int64(len(elems))
	arr := target.Array(max(n, 1), f.memType(elem))
	p := f.slot(arr)
	if n > 0 {
		g := f.readOnly("heddle_elems_"+hashName(elem.String()+s), arr, alignof(elem), joinConst(arr, "[", "]", elems, nil))
		f.memcpy(p, f.Generic(g), n*sizeof(elem), alignof(elem))
	}
	return &target.Agg{Typ: f.slice, Elems: []target.Value{p, target.Int(target.I64, n), target.Int(target.I64, n)}}
}
