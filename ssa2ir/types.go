package ssa2ir

import (
	"fmt"
	"go/types"
	"math"
	"slices"

	"heddle/internal/module"
)

// known are Go's basic types that a device has.
func known(k types.BasicKind) bool {
	return types.Bool <= k && k <= types.UntypedNil && k != types.UntypedComplex
}

// unsupported says why values of a type cannot exist in a kernel, "" if they
// can. Functions are judged where they are used: they must be known.
//
//go:noinline
func unsupported(t types.Type) (why, hint string) {
	return typeJudge{seen: map[types.Type]bool{}}.unsupported(t)
}

// unsupportedOutside is unsupported for memory whose contents the compiler does not
// follow: no func can lie there.
//
//go:noinline
func unsupportedOutside(t types.Type) (why, hint string) {
	return typeJudge{seen: map[types.Type]bool{}, outside: true}.unsupported(t)
}

// A typeJudge walks through a type.
type typeJudge struct {
	seen    map[types.Type]bool
	outside bool // funcs that are parts are refused
}

func (j typeJudge) unsupported(t types.Type) (why, hint string) {
	if j.seen[t] {
		return "", ""
	}
	j.seen[t] = true
	if opaque(t) != nil {
		return "", ""
	}
	if e := bufferElem(t); e != nil {
		return j.unsupported(e)
	}
	if isBuffer(t) {
		return "launch.Buffer by value", "use the *launch.Buffer"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if !known(u.Kind()) {
			return fmt.Sprintf("type %s", t), "use a sized type"
		}
	case *types.Pointer:
		if inRegisters(u.Elem()) {
			return "address of a " + typeName(u.Elem()), stayInRegisters
		}
		return j.unsupported(u.Elem())
	case *types.Slice:
		return j.part("an element", u.Elem())
	case *types.Array:
		if u.Len() > 0 { // else it holds nothing: the field _ [0]func() forbids comparison
			return j.part("an element", u.Elem())
		}
	case *types.Struct:
		for f := range u.Fields() {
			if bufferElem(f.Type()) != nil || isFunc(f.Type()) || inRegisters(f.Type()) {
				return j.part("field "+f.Name(), f.Type())
			}
			if why, hint := j.unsupported(f.Type()); why != "" {
				return fmt.Sprintf("%s in field %s", why, f.Name()), hint
			}
		}
	case *types.Tuple:
		for v := range u.Variables() {
			if why, hint := j.unsupported(v.Type()); why != "" {
				return why, hint
			}
		}
	case *types.Signature:
	case *types.Map:
		return "map", "use a slice, sorted or hashed by hand"
	case *types.Chan:
		return "channel", "threads communicate through shared or global memory and barriers"
	case *types.Interface:
		if isError(t) {
			return "error", "return a number or a bool that says what went wrong, or panic"
		}
		return "interface", knowTypes
	default:
		return fmt.Sprintf("type %s", t), ""
	}
	return "", ""
}

// part is unsupported for a part of a value. A *launch.Buffer has another size on the
// device, so none may be part of anything.
func (j typeJudge) part(part string, t types.Type) (why, hint string) {
	if bufferElem(t) != nil {
		return "*launch.Buffer in " + part, "put its Device() there, which is a slice"
	}
	if isFunc(t) && j.outside {
		return "func in " + part, "a function must be known while compiling: capture it in a closure, make what holds it in the kernel, or pass a type argument whose method it is"
	}
	if inRegisters(t) {
		return typeName(t) + " in " + part, stayInRegisters
	}
	return j.unsupported(t)
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

// offsets are those of a struct's fields.
func offsets(s *types.Struct) []int64 { return sizes.Offsetsof(slices.Collect(s.Fields())) }

func sizeof(t types.Type) int64 { return sizes.Sizeof(t) }
func alignof(t types.Type) int  { return int(sizes.Alignof(t)) }

// scalars counts the scalars in a value of type t, of which a slice is one.
func scalars(t types.Type) int64 { return scalarsTo(t, math.MaxInt64) }

// scalarsTo counts until there are more than most.
func scalarsTo(t types.Type, most int64) int64 {
	if opaque(t) != nil {
		return 1
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return u.Len() * scalarsTo(u.Elem(), most)
	case *types.Struct:
		n := int64(0)
		for f := range u.Fields() {
			if n += scalarsTo(f.Type(), most); n > most {
				break
			}
		}
		return n
	}
	return 1
}

// maxScalars are the scalars that a value may have which is taken apart.
const maxScalars = 16

// isBig reports whether values of t are kept in memory rather than taken apart:
// arrays and structs of more than maxScalars scalars. Structs of slices, without arrays that a variable may index, may have three times as many:
// what is known of the slices that a kernel gets is known of the parts of a value alone.
func isBig(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return scalarsTo(t, maxScalars) > maxScalars
	case *types.Struct:
		most := int64(maxScalars)
		if n := scalarsTo(t, most); n <= most {
			return false
		}
		if holdsSlice(u) && !holdsArray(u) {
			most *= 3
		}
		return scalarsTo(t, most) > most
	}
	return false
}

// holdsSlice reports whether a slice is in a struct, or in one in it.
func holdsSlice(s *types.Struct) bool {
	return hasField(s, func(t types.Type) bool { _, ok := t.Underlying().(*types.Slice); return ok })
}

// holdsArray reports whether an array is in a struct, or in one in it.
func holdsArray(s *types.Struct) bool {
	return hasField(s, func(t types.Type) bool { _, ok := t.Underlying().(*types.Array); return ok })
}

func hasField(s *types.Struct, is func(types.Type) bool) bool {
	for f := range s.Fields() {
		inner, ok := f.Type().Underlying().(*types.Struct)
		if is(f.Type()) || ok && hasField(inner, is) {
			return true
		}
	}
	return false
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

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
