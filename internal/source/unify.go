package source

import (
	"go/types"
	"reflect"
	"strings"
	"unsafe"

	"heddle/internal/exe"
	"heddle/internal/lazy"
)

// A unifier matches a generic type of the checker with a concrete type of the
// run time and collects what the type parameters must be.
type unifier struct {
	bind map[*types.TypeParam]reflect.Type
	seen map[unifyPair]bool
}

type unifyPair struct {
	t types.Type
	r reflect.Type
}

//go:noinline
func newUnifier() *unifier {
	return &unifier{bind: map[*types.TypeParam]reflect.Type{}, seen: map[unifyPair]bool{}}
}

// kinds maps the checker's basic kinds to the run time's.
var kinds = lazy.Value[map[types.BasicKind]reflect.Kind]{Make: func() map[types.BasicKind]reflect.Kind {
	return map[types.BasicKind]reflect.Kind{
		types.Bool: reflect.Bool, types.String: reflect.String, types.UnsafePointer: reflect.UnsafePointer,
		types.Int: reflect.Int, types.Int8: reflect.Int8, types.Int16: reflect.Int16, types.Int32: reflect.Int32, types.Int64: reflect.Int64,
		types.Uint: reflect.Uint, types.Uint8: reflect.Uint8, types.Uint16: reflect.Uint16, types.Uint32: reflect.Uint32, types.Uint64: reflect.Uint64,
		types.Uintptr: reflect.Uintptr, types.Float32: reflect.Float32, types.Float64: reflect.Float64,
		types.Complex64: reflect.Complex64, types.Complex128: reflect.Complex128,
	}
}}

// runtimePath is the path that the run time has for a package of the checker.
func runtimePath(p *types.Package) string {
	if p.Name() == "main" && p.Path() == thisBinary.Get().mainPath && thisBinary.Get().underTest == "" {
		return "main"
	}
	return p.Path()
}

// unify reports whether r can be an instance of t.
func (u *unifier) unify(t types.Type, r reflect.Type) bool {
	t = types.Unalias(t)
	key := unifyPair{t, r}
	if u.seen[key] {
		return true
	}
	switch t := t.(type) {
	case *types.TypeParam:
		if b, ok := u.bind[t]; ok {
			return b == r
		}
		u.bind[t] = r
		// S ~[]E also tells E
		if core := coreTerm(t); core != nil {
			return u.underlying(core, r)
		}
		return true
	case *types.Named:
		u.seen[key] = true
		return u.named(t, r)
	}
	if r.Name() != "" && r.PkgPath() != "" && !isShape(r) && r != reflect.TypeFor[unsafe.Pointer]() {
		return false // a defined type against a type literal
	}
	return u.underlying(t, r)
}

func (u *unifier) named(t *types.Named, r reflect.Type) bool {
	obj := t.Obj()
	base, _, generic := strings.Cut(r.Name(), "[")
	if obj.Pkg() == nil { // error, comparable
		return r.Name() == obj.Name() && r.PkgPath() == ""
	}
	if isShape(r) {
		return u.underlying(t.Underlying(), r)
	}
	if base != obj.Name() || r.PkgPath() != runtimePath(obj.Pkg()) || generic != (t.TypeArgs().Len() > 0) {
		return false
	}
	if obj.Pkg().Path() == hostPackage && generic {
		return u.hostArg(t, r)
	}
	return !generic || u.underlying(t.Underlying(), r)
}

// hostArg unifies the one type argument of a generic type of the host, Buffer[T],
// which its first field holds at run time. The declaration at hand may lack the field.
func (u *unifier) hostArg(t *types.Named, r reflect.Type) bool {
	return t.TypeArgs().Len() == 1 && u.unify(t.TypeArgs().At(0), r.Field(0).Type.Elem().Elem())
}

// isShape reports whether r stands, in the code of generic functions, for all
// types of its underlying type.
func isShape(r reflect.Type) bool { return r.PkgPath() == "go.shape" }

// containsShape reports whether r is made with a shape.
func containsShape(r reflect.Type) bool { return strings.Contains(r.String(), "go.shape.") }

// coreTerm is the one type literal that a constraint such as ~[]E allows.
func coreTerm(t *types.TypeParam) types.Type {
	it, ok := t.Constraint().Underlying().(*types.Interface)
	if !ok || it.NumEmbeddeds() != 1 {
		return nil
	}
	switch e := types.Unalias(it.EmbeddedType(0)).(type) {
	case *types.Union:
		if e.Len() == 1 {
			return e.Term(0).Type().Underlying()
		}
	case *types.Named, *types.TypeParam, *types.Basic:
	default:
		return e
	}
	return nil
}

// exactTerm is the one type that a constraint such as interface{ *S; Method() } allows, or nil.
func exactTerm(constraint types.Type) types.Type {
	it, ok := constraint.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	for e := range it.EmbeddedTypes() {
		switch e := types.Unalias(e).(type) {
		case *types.Union:
			if e.Len() == 1 && !e.Term(0).Tilde() {
				return e.Term(0).Type()
			}
		case *types.Named, *types.Interface:
			if term := exactTerm(e); term != nil {
				return term
			}
		default:
			return e
		}
	}
	return nil
}

// underlying is unify for the structure of t and r, whatever their names.
func (u *unifier) underlying(t types.Type, r reflect.Type) bool {
	switch t := t.(type) {
	case *types.Basic:
		return kinds.Get()[t.Kind()] == r.Kind()
	case *types.Pointer:
		return r.Kind() == reflect.Pointer && (isShape(r) || u.unify(t.Elem(), r.Elem()))
	case *types.Slice:
		return r.Kind() == reflect.Slice && u.unify(t.Elem(), r.Elem())
	case *types.Array:
		return r.Kind() == reflect.Array && int64(r.Len()) == t.Len() && u.unify(t.Elem(), r.Elem())
	case *types.Map:
		return r.Kind() == reflect.Map && u.unify(t.Key(), r.Key()) && u.unify(t.Elem(), r.Elem())
	case *types.Chan:
		return r.Kind() == reflect.Chan && u.unify(t.Elem(), r.Elem())
	case *types.Signature:
		return r.Kind() == reflect.Func && u.signature(t, r, 0)
	case *types.Struct:
		if r.Kind() != reflect.Struct || r.NumField() != t.NumFields() {
			return false
		}
		for i := range t.NumFields() {
			if t.Field(i).Name() != r.Field(i).Name || !u.unify(t.Field(i).Type(), r.Field(i).Type) {
				return false
			}
		}
		return true
	case *types.Interface:
		return u.iface(t, r)
	case *types.TypeParam, *types.Named, *types.Alias:
		return u.unify(t, r)
	}
	return false
}

func (u *unifier) iface(t *types.Interface, r reflect.Type) bool {
	if r.Kind() != reflect.Interface || r.NumMethod() != t.NumMethods() {
		return false
	}
	have := map[string]reflect.Type{}
	exe.InterfaceMethods(r, func(name string, typ reflect.Type) { have[name] = typ })
	for m := range t.Methods() {
		if f := have[m.Name()]; f == nil || !u.signature(m.Signature(), f, 0) {
			return false
		}
	}
	return true
}

// signature unifies parameters and results, leaving out the first skip
// parameters of r. A parameter whose type could not be checked, because its
// package is not known, matches anything.
func (u *unifier) signature(s *types.Signature, r reflect.Type, skip int) bool {
	if r.NumIn()-skip != s.Params().Len() || r.NumOut() != s.Results().Len() || r.IsVariadic() != s.Variadic() {
		return false
	}
	for i := range s.Params().Len() {
		if t := s.Params().At(i).Type(); !invalid(t) && !u.unify(t, r.In(i+skip)) {
			return false
		}
	}
	for i := range s.Results().Len() {
		if t := s.Results().At(i).Type(); !invalid(t) && !u.unify(t, r.Out(i)) {
			return false
		}
	}
	return true
}

// invalid reports whether t contains a type that could not be checked.
func invalid(t types.Type) bool {
	return t == nil || strings.Contains(types.TypeString(t, nil), "invalid type")
}

// bindTypes matches the generic type t with a type that may be an instance of
// it, as unifier.unify does for types of the run time. It only collects: that
// the two fit is known already.
func bindTypes(t, concrete types.Type, bind map[*types.TypeParam]types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		if bind[t] == nil {
			bind[t] = concrete
		}
	case *types.Named:
		c, ok := types.Unalias(concrete).(*types.Named)
		if !ok || c.TypeArgs().Len() != t.TypeArgs().Len() {
			return
		}
		for i := range t.TypeArgs().Len() {
			bindTypes(t.TypeArgs().At(i), c.TypeArgs().At(i), bind)
		}
	case *types.Signature:
		c, ok := concrete.Underlying().(*types.Signature)
		if !ok {
			return
		}
		bindTuples(t.Params(), c.Params(), bind)
		bindTuples(t.Results(), c.Results(), bind)
	case *types.Map:
		if c, ok := concrete.Underlying().(*types.Map); ok {
			bindTypes(t.Key(), c.Key(), bind)
			bindTypes(t.Elem(), c.Elem(), bind)
		}
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		if c, ok := concrete.Underlying().(interface{ Elem() types.Type }); ok {
			bindTypes(t.Elem(), c.Elem(), bind)
		}
	}
}

func bindTuples(t, concrete *types.Tuple, bind map[*types.TypeParam]types.Type) {
	for i := range min(t.Len(), concrete.Len()) {
		bindTypes(t.At(i).Type(), concrete.At(i).Type(), bind)
	}
}
