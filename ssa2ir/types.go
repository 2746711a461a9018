package ssa2ir

import (
	"fmt"
	"go/types"
	"math"
	"slices"

	lltypes "github.com/llir/llvm/ir/types"

	"heddle/internal/lazy"
	"heddle/internal/module"
	"heddle/internal/target"
)

// sizes are the layout rules of both sides: Go's on a 64-bit machine, which
// the LLVM data layouts of all targets agree with.
var sizes = types.SizesFor("gc", "amd64")

// basics maps Go's basic types to LLVM's. A bool is an i1 as a value, and an i8
// in every memory: see memType.
var basics = lazy.Value[map[types.BasicKind]target.Type]{Make: func() map[types.BasicKind]target.Type {
	return map[types.BasicKind]target.Type{
		types.Bool: target.I1,
		types.Int8: target.I8, types.Uint8: target.I8,
		types.Int16: target.I16, types.Uint16: target.I16,
		types.Int32: target.I32, types.Uint32: target.I32,
		types.Int64: target.I64, types.Uint64: target.I64,
		types.Int: target.I64, types.Uint: target.I64, types.Uintptr: target.I64,
		types.Float32: target.F32, types.Float64: target.F64,
		types.Complex64:     target.Struct(target.F32, target.F32),
		types.Complex128:    target.Struct(target.F64, target.F64),
		types.String:        target.Struct(target.Ptr(0), target.I64),
		types.UnsafePointer: target.Ptr(0),
		types.UntypedBool:   target.I1,
		types.UntypedInt:    target.I64, types.UntypedRune: target.I32,
		types.UntypedFloat: target.F64, types.UntypedString: target.Struct(target.Ptr(0), target.I64),
		types.UntypedNil: target.Ptr(0),
	}
}}

var sliceType = target.Struct(target.Ptr(0), target.I64, target.I64)

// unsupported says why values of a type cannot exist in a kernel, "" if they
// can. Functions are judged where they are used: they must be known.
//
//go:noinline
func unsupported(t types.Type) (why, hint string) {
	return unsupportedIn(t, map[types.Type]bool{})
}

func unsupportedIn(t types.Type, seen map[types.Type]bool) (why, hint string) {
	if seen[t] {
		return "", ""
	}
	seen[t] = true
	if e := bufferElem(t); e != nil {
		return unsupportedIn(e, seen)
	}
	if isBuffer(t) {
		return "launch.Buffer by value", "use the *launch.Buffer"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if basics.Get()[u.Kind()] == nil {
			return fmt.Sprintf("type %s", t), "use a sized type"
		}
	case *types.Pointer:
		return unsupportedIn(u.Elem(), seen)
	case *types.Slice:
		return unsupportedElem("an element", u.Elem(), seen)
	case *types.Array:
		if u.Len() > 0 { // else it holds nothing: the field _ [0]func() forbids comparison
			return unsupportedElem("an element", u.Elem(), seen)
		}
	case *types.Struct:
		for f := range u.Fields() {
			if bufferElem(f.Type()) != nil || isFunc(f.Type()) {
				return unsupportedElem("field "+f.Name(), f.Type(), seen)
			}
			if why, hint := unsupportedIn(f.Type(), seen); why != "" {
				return fmt.Sprintf("%s in field %s", why, f.Name()), hint
			}
		}
	case *types.Tuple:
		for v := range u.Variables() {
			if why, hint := unsupportedIn(v.Type(), seen); why != "" {
				return why, hint
			}
		}
	case *types.Signature:
	case *types.Map:
		return "map", "use a slice, sorted or hashed by hand"
	case *types.Chan:
		return "channel", "threads communicate through shared or global memory and barriers"
	case *types.Interface:
		if types.Identical(t, types.Universe.Lookup("error").Type()) {
			return "error", "return a number or a bool that says what went wrong, or panic"
		}
		return "interface", "use a type parameter: its methods are resolved while compiling"
	default:
		return fmt.Sprintf("type %s", t), ""
	}
	return "", ""
}

// unsupportedElem is unsupportedIn for a part of a value. A *launch.Buffer has
// another size on the device, so none may be part of anything. A func has none.
func unsupportedElem(part string, t types.Type, seen map[types.Type]bool) (why, hint string) {
	if bufferElem(t) != nil {
		return "*launch.Buffer in " + part, "put its Device() there, which is a slice"
	}
	if isFunc(t) {
		return "func in " + part, "a function must be known while compiling: pass it as a parameter, or as a method of a type argument"
	}
	return unsupportedIn(t, seen)
}

// bufferElem is T of *launch.Buffer[T], nil for any other type. Only captured
// variables bring such values to a device, where they are slices.
func bufferElem(t types.Type) types.Type {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok || !isBuffer(p.Elem()) {
		return nil
	}
	return types.Unalias(p.Elem()).(*types.Named).TypeArgs().At(0)
}

// isBuffer reports whether t is launch.Buffer[T].
func isBuffer(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Buffer" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == module.Launch && n.TypeArgs().Len() == 1
}

// llType is the LLVM type of a Go type's values: that of an address for those
// that are kept in memory. Function types have none of their own: see funcVal.
func llType(t types.Type) target.Type {
	if isBig(t) {
		return &bigType{target.Ptr(0), t}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if lt := basics.Get()[u.Kind()]; lt != nil {
			return lt
		}
	case *types.Pointer:
		if bufferElem(t) != nil {
			return sliceType
		}
		return target.Ptr(0)
	case *types.Slice:
		return sliceType
	case *types.Array:
		if u.Len() == 0 && (isFunc(u.Elem()) || impossible(u.Elem())) {
			return target.Array(0, target.Ptr(0)) // such types are aligned like pointers
		}
		return target.Array(u.Len(), llType(u.Elem()))
	case *types.Struct:
		return structType(u, llType)
	case *types.Tuple:
		ts := make([]target.Type, u.Len())
		for i := range ts {
			ts[i] = llType(u.At(i).Type())
		}
		return target.Struct(ts...)
	}
	panic(fmt.Sprintf("no LLVM type for %s", t))
}

// A bigType is the type of values that are kept in memory (isBig): what stands
// for one in LLVM IR is the address of a copy that does not change (memory).
type bigType struct {
	*target.PtrType
	goT types.Type
}

// memType is the LLVM type of a Go type in memory, of Go's size and alignment.
// There is one rule for bools: an i8, wherever they lie. So no type in memory has
// bits that are not its own, and all that reads the IR finds elements at the same
// addresses. (AMDGPU's code generator, LLVM 19, also fails on some loads of i1.)
// Large structs are arrays of integers: their fields are found by offset
// (function.field), so that no instruction spells all of them out.
func memType(t types.Type) target.Type {
	switch u := t.Underlying().(type) {
	case *types.Array:
		if u.Len() == 0 && (isFunc(u.Elem()) || impossible(u.Elem())) {
			return llType(t)
		}
		return target.Array(u.Len(), memType(u.Elem()))
	case *types.Struct:
		if isBig(t) {
			a := sizes.Alignof(t)
			return target.Array(sizeof(t)/a, wordOf.Get()[a])
		}
		return structType(u, memType)
	}
	return inMemory(llType(t))
}

// wordOf are the integers by their size in bytes.
var wordOf = lazy.Value[map[int64]target.Type]{Make: func() map[int64]target.Type {
	return map[int64]target.Type{1: target.I8, 2: target.I16, 4: target.I32, 8: target.I64}
}}

// inMemory is the type of values of an LLVM type in memory.
func inMemory(t target.Type) target.Type {
	switch t := t.(type) {
	case *bigType:
		return memType(t.goT)
	case *lltypes.StructType:
		ts := make([]target.Type, len(t.Fields))
		for i, ft := range t.Fields {
			ts[i] = inMemory(ft)
		}
		return target.Struct(ts...)
	case *lltypes.ArrayType:
		return target.Array(int64(t.Len), inMemory(t.ElemType))
	}
	if t == target.I1 {
		return target.I8
	}
	return t
}

// constType is memType spelled out, for constants.
func constType(t types.Type) target.Type {
	switch u := t.Underlying().(type) {
	case *types.Array:
		if u.Len() == 0 {
			return memType(t)
		}
		return target.Array(u.Len(), constType(u.Elem()))
	case *types.Struct:
		return structType(u, constType)
	}
	return memType(t)
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

// offsets are those of a struct's fields.
func offsets(s *types.Struct) []int64 { return sizes.Offsetsof(slices.Collect(s.Fields())) }

func sizeof(t types.Type) int64 { return sizes.Sizeof(t) }
func alignof(t types.Type) int  { return int(sizes.Alignof(t)) }

// leaves counts the scalars in a value of type t.
func leaves(t types.Type) int64 { return leavesTo(t, math.MaxInt64) }

// leavesTo counts until there are more than most.
func leavesTo(t types.Type, most int64) int64 {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return u.Len() * leavesTo(u.Elem(), most)
	case *types.Struct:
		n := int64(0)
		for f := range u.Fields() {
			if n += leavesTo(f.Type(), most); n > most {
				break
			}
		}
		return n
	case *types.Slice:
		return 3
	case *types.Pointer:
		if bufferElem(t) != nil {
			return 3
		}
	}
	return 1
}

// maxLeaves are the scalars that a value may have which is taken apart.
const maxLeaves = 16

// isBig reports whether values of t are kept in memory rather than taken apart:
// arrays and structs of more than maxLeaves scalars.
func isBig(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Array, *types.Struct:
		return leavesTo(t, maxLeaves) > maxLeaves
	}
	return false
}

func isSigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned == 0
}

func isKind(t types.Type, info types.BasicInfo) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&info != 0
}

func isString(t types.Type) bool  { return isKind(t, types.IsString) }
func isFloat(t types.Type) bool   { return isKind(t, types.IsFloat) }
func isInteger(t types.Type) bool { return isKind(t, types.IsInteger) }
func isComplex(t types.Type) bool { return isKind(t, types.IsComplex) }

// deref is the type a pointer type points to.
//
//go:noinline
func deref(t types.Type) types.Type { return t.Underlying().(*types.Pointer).Elem() }

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// pointsToFunc reports whether t is a pointer to a func variable.
func pointsToFunc(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	return ok && isFunc(p.Elem())
}
