package ssa2ir

// This file makes constants of what captured variables hold.

import (
	"encoding/binary"
	"fmt"
	"go/types"
	"math"

	"heddle/internal/target"
)

// A Value is what a captured variable holds, in Go's layout. Strings are apart,
// by their offsets; Bytes are zero there.
type Value struct {
	Bytes   []byte
	Strings map[int64]string
}

// CanBeConstant reports whether values of a type can be constants of a kernel:
// numbers, bools and strings, and up to 4096 of them in arrays and structs.
func CanBeConstant(t types.Type) bool {
	const limit = 4096
	if why, _ := unsupportedOutside(t); why != "" || scalars(t) > limit {
		return false
	}
	return !holdsAddress(t) && !(isBig(t) && holdsString(t, map[types.Type]bool{}))
}

// holdsAddress reports whether values of t hold addresses, other than strings'.
func holdsAddress(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer || u.Kind() == types.Uintptr
	case *types.Array:
		return holdsAddress(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if holdsAddress(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// capturedConst is a value of type t as a constant: a large one is in constant memory.
func (f *function) capturedConst(t types.Type, v *Value) target.Value {
	if !isBig(t) {
		return f.capturedPart(t, v, 0)
	}
	g := f.readOnly("heddle_captured_"+hashName(t.String()+string(v.Bytes)), target.Array(int64(len(v.Bytes)), target.I8), max(alignof(t), 16), target.Bytes(v.Bytes))
	return f.large(t, f.Generic(g))
}

// capturedPart is the part of type t at an offset.
func (f *function) capturedPart(t types.Type, v *Value, at int64) target.Value {
	if opaque(t) != nil {
		return constScalar(f.llType(t), v.Bytes[at:at+sizeof(t)])
	}
	agg := &target.Agg{Typ: f.llType(t)}
	switch u := t.Underlying().(type) {
	case *types.Array:
		for i := range u.Len() {
			agg.Elems = append(agg.Elems, f.capturedPart(u.Elem(), v, at+i*sizeof(u.Elem())))
		}
		return agg
	case *types.Struct:
		for i, o := range offsets(u) {
			agg.Elems = append(agg.Elems, f.capturedPart(u.Field(i).Type(), v, at+o))
		}
		for i := len(agg.Elems); i < target.NumElems(agg.Typ); i++ { // Go's padding
			agg.Elems = append(agg.Elems, target.Zero(target.ElemType(agg.Typ, i)))
		}
		return agg
	}
	switch {
	case isString(t):
		return f.stringConst(v.Strings[at])
	case isComplex(t):
		e, half := target.ElemType(agg.Typ, 0), sizeof(t)/2
		agg.Elems = []target.Value{constScalar(e, v.Bytes[at:at+half]), constScalar(e, v.Bytes[at+half:at+2*half])}
		return agg
	}
	return constScalar(f.llType(t), v.Bytes[at:at+sizeof(t)])
}

// constScalar is a bool, an integer or a float from its bytes.
func constScalar(t target.Type, b []byte) *target.Const {
	var all [8]byte
	copy(all[:], b)
	bits := binary.LittleEndian.Uint64(all[:])
	switch {
	case t.Equal(target.I1):
		return target.Bool(bits&1 != 0)
	case t.Equal(target.F16):
		return target.Half(uint16(bits))
	case t.Equal(target.F32):
		return target.Float(t, float64(math.Float32frombits(uint32(bits))))
	case t.Equal(target.F64):
		return target.Float(t, math.Float64frombits(bits))
	}
	switch len(b) {
	case 1:
		return target.Int(t, int64(int8(bits)))
	case 2:
		return target.Int(t, int64(int16(bits)))
	case 4:
		return target.Int(t, int64(int32(bits)))
	case 8:
		return target.Int(t, int64(bits))
	}
	panic(fmt.Sprintf("a constant of type %s has %d bytes", t, len(b)))
}
