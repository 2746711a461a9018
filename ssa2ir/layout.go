package ssa2ir

import (
	"fmt"
	"go/types"
	"slices"

	lltypes "github.com/llir/llvm/ir/types"

	"heddle/internal/lazy"
	"heddle/internal/target"
)

// sizes are the layout rules of both sides: Go's on a 64-bit machine, which
// the LLVM data layouts of all targets agree with.
var sizes = types.SizesFor("gc", "amd64")

// A layout has the LLVM types of Go's on one machine.
type layout struct {
	machine *target.Machine // nil where a program is judged, for whatever machine
	ptr     *target.PtrType // the pointer to any memory
	str     target.Type     // of a string: bytes, length
	slice   target.Type     // of a slice: elements, length, capacity
}

// newLayout is the layout of a machine, nil: of none.
//
//go:noinline
func newLayout(m *target.Machine) layout {
	y := layout{machine: m, ptr: target.Ptr(0)}
	if m != nil {
		y.ptr = m.Pointer()
	}
	y.str, y.slice = target.Struct(y.ptr, target.I64), target.Struct(y.ptr, target.I64, target.I64)
	return y
}

// basics maps Go's basic types that hold no address to LLVM's. A bool is an i1 as a
// value, and an i8 in every memory: see memType.
var basics = lazy.Value[map[types.BasicKind]target.Type]{Make: func() map[types.BasicKind]target.Type {
	return map[types.BasicKind]target.Type{
		types.Bool: target.I1,
		types.Int8: target.I8, types.Uint8: target.I8,
		types.Int16: target.I16, types.Uint16: target.I16,
		types.Int32: target.I32, types.Uint32: target.I32,
		types.Int64: target.I64, types.Uint64: target.I64,
		types.Int: target.I64, types.Uint: target.I64, types.Uintptr: target.I64,
		types.Float32: target.F32, types.Float64: target.F64,
		types.Complex64:   target.Struct(target.F32, target.F32),
		types.Complex128:  target.Struct(target.F64, target.F64),
		types.UntypedBool: target.I1,
		types.UntypedInt:  target.I64, types.UntypedRune: target.I32,
		types.UntypedFloat: target.F64,
	}
}}

// basic is the LLVM type of a basic type, nil if it has none.
func (y *layout) basic(k types.BasicKind) target.Type {
	switch k {
	case types.String, types.UntypedString:
		return y.str
	case types.UnsafePointer, types.UntypedNil:
		return y.ptr
	}
	return basics.Get()[k]
}

// llType is the LLVM type of a Go type's values: that of an address for those
// that are kept in memory, and for funcs in other values. A func that is a value of its own
// has that of its bindings: see funcVal.
func (y *layout) llType(t types.Type) target.Type {
	if o := opaque(t); o != nil {
		return y.opaqueType(o, t)
	}
	if isBig(t) {
		return &bigType{y.ptr, t}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if lt := y.basic(u.Kind()); lt != nil {
			return lt
		}
	case *types.Pointer:
		if bufferElem(t) != nil {
			return y.slice
		}
		return y.ptr
	case *types.Slice:
		return y.slice
	case *types.Array:
		if u.Len() == 0 && (isFunc(u.Elem()) || impossible(u.Elem())) {
			return target.Array(0, y.ptr) // such types are aligned like pointers
		}
		return target.Array(u.Len(), y.llType(u.Elem()))
	case *types.Struct:
		return structType(u, y.llType)
	case *types.Tuple:
		ts := make([]target.Type, u.Len())
		for i := range ts {
			ts[i] = y.llType(u.At(i).Type())
		}
		return target.Struct(ts...)
	case *types.Signature: // in a field or an element: see word.go
		return target.I64
	}
	panic(fmt.Sprintf("no LLVM type for %s", t))
}

// A bigType is the type of values that are kept in memory (isBig): what stands
// for one in LLVM IR is the address of a copy that does not change (memory).
type bigType struct {
	*target.PtrType
	goT types.Type
}

// large is a value that is kept in memory.
func (y *layout) large(t types.Type, addr target.Value) *memory {
	return &memory{&bigType{y.ptr, t}, addr}
}

// memType is the LLVM type of a Go type in memory, of Go's size and alignment.
// There is one rule for bools: an i8, wherever they lie. So no type in memory has
// bits that are not its own, and all that reads the IR finds elements at the same
// addresses. (AMDGPU's code generator, LLVM 19, also fails on some loads of i1.)
// Large structs are arrays of integers: their fields are found by offset
// (function.field), so that no instruction spells all of them out.
func (y *layout) memType(t types.Type) target.Type {
	if opaque(t) != nil {
		return y.llType(t)
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		if u.Len() == 0 && (isFunc(u.Elem()) || impossible(u.Elem())) {
			return y.llType(t)
		}
		return target.Array(u.Len(), y.memType(u.Elem()))
	case *types.Struct:
		if isBig(t) {
			a := sizes.Alignof(t)
			return target.Array(sizeof(t)/a, wordOf.Get()[a])
		}
		return structType(u, y.memType)
	}
	return y.inMemory(y.llType(t))
}

// wordOf are the integers by their size in bytes.
var wordOf = lazy.Value[map[int64]target.Type]{Make: func() map[int64]target.Type {
	return map[int64]target.Type{1: target.I8, 2: target.I16, 4: target.I32, 8: target.I64}
}}

// inMemory is the type of values of an LLVM type in memory.
func (y *layout) inMemory(t target.Type) target.Type {
	switch t := t.(type) {
	case *bigType:
		return y.memType(t.goT)
	case *lltypes.StructType:
		ts := make([]target.Type, len(t.Fields))
		for i, ft := range t.Fields {
			ts[i] = y.inMemory(ft)
		}
		return target.Struct(ts...)
	case *lltypes.ArrayType:
		return target.Array(int64(t.Len), y.inMemory(t.ElemType))
	}
	if t == target.I1 {
		return target.I8
	}
	return t
}

// constType is memType spelled out, for constants.
func (y *layout) constType(t types.Type) target.Type {
	if opaque(t) != nil {
		return y.llType(t)
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		if u.Len() == 0 {
			return y.memType(t)
		}
		return target.Array(u.Len(), y.constType(u.Elem()))
	case *types.Struct:
		return structType(u, y.constType)
	}
	return y.memType(t)
}

// zero is the zero value of a Go type.
func (y *layout) zero(t types.Type) target.Value {
	if isBig(t) {
		return y.large(t, nil)
	}
	return target.Zero(y.llType(t))
}

// structType has Go's fields in order. Only where Go pads after a trailing
// field of size zero does LLVM need a field more.
func structType(s *types.Struct, of func(types.Type) target.Type) target.Type {
	ts := make([]target.Type, s.NumFields())
	for i := range ts {
		ts[i] = of(s.Field(i).Type())
	}
	if n := len(ts); n > 0 {
		last := s.Field(n - 1).Type()
		end := offsets(s)[n-1] + sizes.Sizeof(last)
		if sizes.Sizeof(last) == 0 && sizes.Sizeof(s) > end {
			ts = append(ts, target.Array(sizes.Sizeof(s)-end, target.I8))
		}
	}
	return target.Struct(ts...)
}

// resultType is what an LLVM function returns of results, and the
// types of the large ones, which it writes to where the caller says.
func (y *layout) resultType(results *types.Tuple) (ret target.Type, outs []types.Type) {
	var ts []target.Type
	for v := range results.Variables() {
		if isBig(v.Type()) {
			outs = append(outs, v.Type())
		} else {
			ts = append(ts, y.llType(v.Type()))
		}
	}
	switch {
	case len(ts) == 0:
		return target.Void, outs
	case len(ts) == 1 && results.Len() == 1:
		return ts[0], nil
	}
	return target.Struct(ts...), outs
}

// isEmpty reports whether a value of the type holds nothing. Such parameters and results
// are not passed: NVPTX knows none.
func isEmpty(t target.Type) bool {
	switch t := t.(type) {
	case *lltypes.StructType:
		return !slices.ContainsFunc(t.Fields, func(t lltypes.Type) bool { return !isEmpty(t) })
	case *lltypes.ArrayType:
		return t.Len == 0 || isEmpty(t.ElemType)
	}
	return false
}

// bindType is the LLVM type of a parameter or free variable.
func (y *layout) bindType(b binding) target.Type {
	if isFunc(b.typ) {
		return y.funcType(b.fun)
	}
	return y.llType(b.typ)
}
