package ssa2ir

// This file takes an aggregate that is passed to a kernel apart. Its parts are parameters like others, at the places where they lie in
// it: what is promised of slices holds of its slices, and its ints may need 32 bits.
//
//	type grid struct { w int; cells []float32 }
//	func K(g grid)   ->   define void @K(i64 %g.w, ptr noalias %g.cells, i64 %g.cells.len, i64 %g.cells.cap)

import (
	"fmt"
	"go/types"
	"iter"

	"github.com/llir/llvm/ir"
	lltypes "github.com/llir/llvm/ir/types"

	"heddle/internal/abi"
	"heddle/internal/target"
)

// isOfParts reports whether an aggregate is passed as its parts: it is not large, and they are numbers, slices and pointers. The first has
// its alignment, so that it lies where LLVM places a parameter.
func isOfParts(t types.Type) bool {
	if isBig(t) || !hasParts(t) {
		return false
	}
	first := 0
	for part := range parts(abi.Param{}, t) {
		if first = part.Align; first > 0 {
			break
		}
	}
	return first == alignof(t)
}

func hasParts(t types.Type) bool {
	if opaque(t) != nil || bufferElem(t) != nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if !hasParts(f.Type()) {
				return false
			}
		}
		return true
	case *types.Array:
		return hasParts(u.Elem())
	case *types.Basic:
		return !isString(t) && u.Kind() != types.UnsafePointer
	case *types.Slice, *types.Pointer:
		return !pointsToFunc(t)
	}
	return false
}

// parts are an aggregate's parts that take memory, in order.
func parts(p abi.Param, t types.Type) iter.Seq2[abi.Param, types.Type] {
	return func(yield func(abi.Param, types.Type) bool) { eachPart(p, t, yield) }
}

func eachPart(p abi.Param, t types.Type, yield func(abi.Param, types.Type) bool) bool {
	at := func(name string, t types.Type, offset int64) bool {
		q := param(p.Name+"."+name, t, nil)
		q.Offset = p.Offset + int(offset)
		return eachPart(q, t, yield)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i, offset := range offsets(u) {
			if !at(u.Field(i).Name(), u.Field(i).Type(), offset) {
				return false
			}
		}
	case *types.Array:
		for i := range u.Len() {
			if !at(fmt.Sprint(i), u.Elem(), i*sizeof(u.Elem())) {
				return false
			}
		}
	default:
		return p.Size == 0 || yield(p, t)
	}
	return true
}

// padding is the sizes of the integers that fill an aggregate's memory behind its last part: LLVM would place the next parameter there.
func padding(p abi.Param, t types.Type) (all []int) {
	end, to := p.Offset, p.Offset+p.Size
	for q := range parts(p, t) {
		end = q.Offset + q.Size
	}
	for n := 1; end < to; n *= 2 {
		if end&n != 0 || end+2*n > to {
			all, end = append(all, n), end+n
		}
	}
	return all
}

// places are where the parameters lie that an aggregate is passed as, from its beginning.
func places(p abi.Param, t types.Type) (at []int) {
	p.Offset = 0
	s := abi.Signature{}
	end := 0
	for q := range parts(p, t) {
		s.Params = append(s.Params, q)
		end = q.Offset + q.Size
	}
	at = s.Places()
	for _, n := range padding(p, t) {
		at, end = append(at, end), end+n
	}
	return at
}

// partParams are the parameters that an aggregate is passed as.
func (l *lowerer) partParams(p abi.Param, t types.Type, noalias bool) (all []*ir.Param) {
	for q, t := range parts(p, t) {
		all = append(all, l.kernelParams(q, t, noalias)...)
	}
	for i, n := range padding(p, t) {
		all = append(all, ir.NewParam(fmt.Sprint(p.Name, ".pad", i), lltypes.NewInt(uint64(8*n))))
	}
	return all
}

// ofParts is the value of an aggregate from the parameters that it is passed as, of which it takes those of its parts.
func (f *function) ofParts(p abi.Param, t types.Type, ps *[]*ir.Param) target.Value {
	part := func(name string, t types.Type, offset int64) target.Value {
		q := param(p.Name+"."+name, t, nil)
		q.Offset = p.Offset + int(offset)
		return f.ofParts(q, t, ps)
	}
	a := &target.Agg{Typ: f.llType(t)}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i, offset := range offsets(u) {
			a.Elems = append(a.Elems, part(u.Field(i).Name(), u.Field(i).Type(), offset))
		}
		for i := len(a.Elems); i < target.NumElems(a.Typ); i++ { // Go's padding
			a.Elems = append(a.Elems, target.Zero(target.ElemType(a.Typ, i)))
		}
		return a
	case *types.Array:
		for i := range u.Len() {
			a.Elems = append(a.Elems, part(fmt.Sprint(i), u.Elem(), i*sizeof(u.Elem())))
		}
		return a
	}
	n := len(f.kernelParams(p, t, false))
	x := f.argument(p, t, (*ps)[:n])
	*ps = (*ps)[n:]
	return x
}
