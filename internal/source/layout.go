package source

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
	"unsafe"

	"heddle/internal/diag"
	"heddle/internal/exe"
)

// This file predicts a closure object's layout from source and holds it against
// the run-time type that the binary allocates it with:
//
//	struct { F uintptr; X0 T0 or *T0; X1 ...; dictionary if in generic code }

const wordSize = unsafe.Sizeof(uintptr(0))

// A slot is one captured variable's place in a closure object.
type slot struct {
	v      *types.Var
	typ    types.Type // the variable's, instantiated; nil if not known
	mode   captureMode
	offset uintptr
	rtype  reflect.Type // the variable's run-time type, shapes for type parameters
}

// String is the slot as an error message shows it.
func (s slot) String() string {
	if s.typ == nil {
		return s.v.Name() + " (unknown type)"
	}
	return s.v.Name() + " " + types.TypeString(s.typ, func(p *types.Package) string { return p.Name() })
}

// matchLayout holds the predicted slots against the struct type rt and returns
// them with modes, offsets and run-time types filled in, or false if rt cannot
// be the type of such a closure.
func matchLayout(slots []slot, dict bool, rt reflect.Type) ([]slot, bool) {
	n := len(slots)
	if dict {
		n++
	}
	if rt.NumField() != 1+n {
		return nil, false
	}
	out := make([]slot, len(slots))
	offset := uintptr(wordSize)
	for i, s := range slots {
		f := rt.Field(1 + i)
		if !s.matchField(f.Type) {
			return nil, false
		}
		if s.typ != nil && s.mode == byValue && uintptr(sizes.Sizeof(s.typ)) != f.Type.Size() {
			return nil, false
		}
		a := uintptr(f.Type.Align())
		offset = (offset + a - 1) / a * a
		if f.Offset != offset {
			return nil, false
		}
		s.offset = offset
		offset += f.Type.Size()
		out[i] = s
	}
	if dict {
		f := rt.Field(n)
		if k := f.Type.Kind(); k != reflect.Pointer && k != reflect.Uintptr || f.Offset != (offset+wordSize-1)/wordSize*wordSize {
			return nil, false
		}
	}
	return out, true
}

// matchField checks a slot against the type of a closure's field and settles
// its mode and run-time type.
func (s *slot) matchField(f reflect.Type) bool {
	if s.typ == nil && f.Kind() == reflect.Pointer && f.Elem().Size() > 128 {
		return false // a pointer by value, or a large variable by reference
	}
	value := s.typ == nil || sameShape(s.typ, f)
	ref := f.Kind() == reflect.Pointer && (s.typ == nil || sameShape(s.typ, f.Elem()))
	switch s.mode {
	case byValue:
		ref = false
	case byRef:
		value = false
	}
	if value == ref { // neither fits, or both do: *T with T a pointer to itself
		return false
	}
	s.mode, s.rtype = byValue, f
	if ref {
		s.mode, s.rtype = byRef, f.Elem()
	}
	return true
}

// sameShape compares a type with one of the run time's, which inside generic
// code may be a shape that stands for all types of one underlying type.
func sameShape(t types.Type, r reflect.Type) bool {
	if isShape(r) {
		return sameStructure(t.Underlying(), r)
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		base, _, _ := strings.Cut(r.Name(), "[")
		base, _, _ = strings.Cut(base, "·")
		if base != n.Obj().Name() {
			return false
		}
		return n.Obj().Pkg() == nil || runtimePath(n.Obj().Pkg()) == r.PkgPath()
	}
	return sameStructure(t, r)
}

func sameStructure(t types.Type, r reflect.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return kinds.Get()[t.Kind()] == r.Kind()
	case *types.Pointer:
		if r.Kind() != reflect.Pointer {
			return false
		}
		// all pointer types share one shape
		return containsShape(r) || sameShape(t.Elem(), r.Elem())
	case *types.Slice:
		return r.Kind() == reflect.Slice && sameShape(t.Elem(), r.Elem())
	case *types.Array:
		return r.Kind() == reflect.Array && int64(r.Len()) == t.Len() && sameShape(t.Elem(), r.Elem())
	case *types.Map:
		return r.Kind() == reflect.Map && sameShape(t.Key(), r.Key()) && sameShape(t.Elem(), r.Elem())
	case *types.Chan:
		return r.Kind() == reflect.Chan && sameShape(t.Elem(), r.Elem())
	case *types.Struct:
		if r.Kind() != reflect.Struct || r.NumField() != t.NumFields() {
			return false
		}
		for i := range t.NumFields() {
			if t.Field(i).Name() != r.Field(i).Name || !sameShape(t.Field(i).Type(), r.Field(i).Type) {
				return false
			}
		}
		return true
	case *types.Signature:
		return sameSignature(t, r)
	case *types.Interface:
		return r.Kind() == reflect.Interface && r.NumMethod() == t.NumMethods()
	case *types.Named:
		return sameStructure(t.Underlying(), r)
	}
	return false
}

func sameSignature(t *types.Signature, r reflect.Type) bool {
	if r.Kind() != reflect.Func || r.NumIn() != t.Params().Len() || r.NumOut() != t.Results().Len() {
		return false
	}
	for i := range t.Params().Len() {
		if !sameShape(t.Params().At(i).Type(), r.In(i)) {
			return false
		}
	}
	for i := range t.Results().Len() {
		if !sameShape(t.Results().At(i).Type(), r.Out(i)) {
			return false
		}
	}
	return true
}

// A substitution gives type parameters their arguments.
type substitution map[*types.TypeParam]types.Type

// apply substitutes in t; it returns nil if a type parameter has no argument.
func (m substitution) apply(ctxt *types.Context, t types.Type) types.Type {
	if len(m) == 0 {
		return t
	}
	elem := func(e types.Type, make func(types.Type) types.Type) types.Type {
		if e = m.apply(ctxt, e); e == nil {
			return nil
		}
		return make(e)
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return m[t]
	case *types.Named:
		return m.named(ctxt, t)
	case *types.Pointer:
		return elem(t.Elem(), func(e types.Type) types.Type { return types.NewPointer(e) })
	case *types.Slice:
		return elem(t.Elem(), func(e types.Type) types.Type { return types.NewSlice(e) })
	case *types.Array:
		return elem(t.Elem(), func(e types.Type) types.Type { return types.NewArray(e, t.Len()) })
	case *types.Chan:
		return elem(t.Elem(), func(e types.Type) types.Type { return types.NewChan(t.Dir(), e) })
	case *types.Map:
		k := m.apply(ctxt, t.Key())
		if k == nil {
			return nil
		}
		return elem(t.Elem(), func(e types.Type) types.Type { return types.NewMap(k, e) })
	case *types.Struct:
		var fields []*types.Var
		var tags []string
		for i := range t.NumFields() {
			f := t.Field(i)
			ft := m.apply(ctxt, f.Type())
			if ft == nil {
				return nil
			}
			fields = append(fields, types.NewField(f.Pos(), f.Pkg(), f.Name(), ft, f.Embedded()))
			tags = append(tags, t.Tag(i))
		}
		return types.NewStruct(fields, tags)
	case *types.Signature:
		params, results := m.tuple(ctxt, t.Params()), m.tuple(ctxt, t.Results())
		if params == nil && t.Params().Len() > 0 || results == nil && t.Results().Len() > 0 {
			return nil
		}
		return types.NewSignatureType(nil, nil, nil, params, results, t.Variadic())
	}
	return t
}

func (m substitution) named(ctxt *types.Context, t *types.Named) types.Type {
	if t.TypeArgs().Len() == 0 {
		return m.local(ctxt, t)
	}
	var args []types.Type
	for i := range t.TypeArgs().Len() {
		a := m.apply(ctxt, t.TypeArgs().At(i))
		if a == nil {
			return nil
		}
		args = append(args, a)
	}
	r, err := types.Instantiate(ctxt, t.Origin(), args, false)
	if err != nil {
		return nil
	}
	return r
}

// local substitutes in a type without type arguments. One that is declared in a
// generic function may be made with that function's type parameters; there is no
// instance of it to be had, so the result is what it is defined as.
func (m substitution) local(ctxt *types.Context, t *types.Named) types.Type {
	if p := t.Obj().Pkg(); p == nil || t.Obj().Parent() == p.Scope() {
		return t
	}
	isParam := func(t types.Type) bool { _, ok := t.(*types.TypeParam); return ok }
	switch {
	case !anyPart(t.Underlying(), isParam, map[types.Type]bool{}):
		return t
	case anyPart(t.Underlying(), func(part types.Type) bool { return part == t }, map[types.Type]bool{}):
		return nil // it would not end
	}
	return m.apply(ctxt, t.Underlying())
}

// anyPart reports whether f holds for a type that t is made of, t included.
func anyPart(t types.Type, f func(types.Type) bool, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	if f(t) {
		return true
	}
	part := func(e types.Type) bool { return anyPart(e, f, seen) }
	switch t := t.(type) {
	case *types.Named:
		for e := range t.TypeArgs().Types() {
			if part(e) {
				return true
			}
		}
		return part(t.Underlying())
	case *types.Map:
		return part(t.Key()) || part(t.Elem())
	case *types.Struct:
		for v := range t.Fields() {
			if part(v.Type()) {
				return true
			}
		}
	case *types.Signature:
		return part(t.Params()) || part(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			if part(v.Type()) {
				return true
			}
		}
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		return part(t.Elem())
	}
	return false
}

func (m substitution) tuple(ctxt *types.Context, tuple *types.Tuple) *types.Tuple {
	var vs []*types.Var
	for i := range tuple.Len() {
		v := tuple.At(i)
		t := m.apply(ctxt, v.Type())
		if t == nil {
			return nil
		}
		vs = append(vs, types.NewParam(v.Pos(), v.Pkg(), v.Name(), t))
	}
	return types.NewTuple(vs...)
}

// layoutMismatch is the error for a closure whose source and binary disagree.
func layoutMismatch(id *exe.Ident, slots []slot, ts []reflect.Type) error {
	var want []string
	for _, s := range slots {
		want = append(want, s.String())
	}
	return &diag.Error{Pos: id.Position(), Msg: fmt.Sprintf("closure layout mismatch: the source captures [%s], the binary %v", strings.Join(want, ", "), ts),
		Hint: "copy the variable to a fresh one before the literal, and capture that"}
}
