package source

import (
	"errors"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"heddle/internal/errs"
)

// This file turns types of the run time, and types written in the linker's
// symbol names, into types of the checker.

// typeOf is the checker's type for a type of the run time.
func (w *universe) typeOf(r reflect.Type) (types.Type, error) {
	if r.Name() != "" && r.PkgPath() != "" {
		return w.namedType(r.PkgPath(), r.Name(), r)
	}
	switch r.Kind() {
	case reflect.Pointer:
		return w.derived(r, func(e types.Type) types.Type { return types.NewPointer(e) })
	case reflect.Slice:
		return w.derived(r, func(e types.Type) types.Type { return types.NewSlice(e) })
	case reflect.Array:
		return w.derived(r, func(e types.Type) types.Type { return types.NewArray(e, int64(r.Len())) })
	case reflect.Chan:
		dir := map[reflect.ChanDir]types.ChanDir{reflect.BothDir: types.SendRecv, reflect.SendDir: types.SendOnly, reflect.RecvDir: types.RecvOnly}[r.ChanDir()]
		return w.derived(r, func(e types.Type) types.Type { return types.NewChan(dir, e) })
	case reflect.Map:
		k, err := w.typeOf(r.Key())
		if err != nil {
			return nil, err
		}
		return w.derived(r, func(e types.Type) types.Type { return types.NewMap(k, e) })
	case reflect.Func:
		return w.funcType(r)
	case reflect.Struct:
		return w.structType(r)
	case reflect.Interface:
		switch {
		case r.Name() == "error":
			return types.Universe.Lookup("error").Type(), nil
		case r.NumMethod() == 0:
			return types.NewInterfaceType(nil, nil), nil
		}
		return nil, errs.F("interface type %v has no name", r)
	case reflect.UnsafePointer:
		return types.Typ[types.UnsafePointer], nil
	}
	if o := types.Universe.Lookup(r.Name()); o != nil {
		return o.Type(), nil
	}
	return nil, errs.F("type %v has no counterpart in source", r)
}

func (w *universe) derived(r reflect.Type, make func(types.Type) types.Type) (types.Type, error) {
	e, err := w.typeOf(r.Elem())
	if err != nil {
		return nil, err
	}
	return make(e), nil
}

func (w *universe) funcType(r reflect.Type) (types.Type, error) {
	tuple := func(n int, at func(int) reflect.Type) (*types.Tuple, error) {
		var vs []*types.Var
		for i := range n {
			t, err := w.typeOf(at(i))
			if err != nil {
				return nil, err
			}
			vs = append(vs, types.NewParam(token.NoPos, nil, "", t))
		}
		return types.NewTuple(vs...), nil
	}
	in, err := tuple(r.NumIn(), r.In)
	if err != nil {
		return nil, err
	}
	out, err := tuple(r.NumOut(), r.Out)
	if err != nil {
		return nil, err
	}
	return types.NewSignatureType(nil, nil, nil, in, out, r.IsVariadic()), nil
}

func (w *universe) structType(r reflect.Type) (types.Type, error) {
	var fields []*types.Var
	var tags []string
	for i := range r.NumField() {
		f := r.Field(i)
		t, err := w.typeOf(f.Type)
		if err != nil {
			return nil, err
		}
		var p *types.Package
		if f.PkgPath != "" {
			if p, err = w.Import(importPath(f.PkgPath)); err != nil {
				return nil, err
			}
		}
		fields = append(fields, types.NewField(token.NoPos, p, f.Name, t, f.Anonymous))
		tags = append(tags, string(f.Tag))
	}
	return types.NewStruct(fields, tags), nil
}

// errNoSource is why a type is not known of whose package nothing is.
var errNoSource = errors.New("its package has no source here")

// namedType finds the type that the run time calls name in the package it calls
// pkgPath. r, if not nil, tells types of one name in different functions apart.
func (w *universe) namedType(pkgPath, name string, r reflect.Type) (types.Type, error) {
	p, err := w.Import(importPath(pkgPath))
	if err != nil {
		return nil, err
	}
	base, args, generic := strings.Cut(name, "[")
	base, _, _ = strings.Cut(base, "·")
	if o := w.own(p.Path()); o != nil {
		w.declare(o, base)
	}
	obj, _ := p.Scope().Lookup(base).(*types.TypeName)
	if obj == nil {
		if sp := w.src[p.Path()]; sp != nil && sp.left != nil {
			w.unkept[base] = true
		}
		if obj = localType(p.Scope(), base, r); obj == nil && w.empty[p.Path()] {
			return nil, errs.F("type %s.%s is not known: %w", pkgPath, name, errNoSource)
		}
		if obj == nil {
			return nil, errs.F("type %s.%s is not known: its package has no source here, or two functions declare types of that name", pkgPath, name)
		}
	}
	if !generic {
		return obj.Type(), nil
	}
	ts, rest, err := w.parseTypes(args)
	if err != nil {
		return nil, err
	}
	if rest != "" {
		return nil, errs.F("%q left over in type name %s", rest, name)
	}
	return types.Instantiate(w.ctxt, obj.Type(), ts, true)
}

// localType searches the functions of a package for a type declaration, which
// must be the only one that fits.
func localType(s *types.Scope, name string, r reflect.Type) *types.TypeName {
	var found []*types.TypeName
	var walk func(s *types.Scope)
	walk = func(s *types.Scope) {
		for i := range s.NumChildren() {
			c := s.Child(i)
			if o, ok := c.Lookup(name).(*types.TypeName); ok && (r == nil || newUnifier().underlying(o.Type().Underlying(), r)) {
				found = append(found, o)
			}
			walk(c)
		}
	}
	walk(s)
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// typeArgsIn parses the type arguments in a symbol such as
// "example.com/lib.F[int,main.T]" or in the name of an instantiated type.
func (w *universe) typeArgsIn(s string) ([]types.Type, error) {
	i := strings.IndexByte(s, '[')
	if i < 0 {
		return nil, errs.F("no type arguments in %q", s)
	}
	ts, _, err := w.parseTypes(s[i+1:])
	return ts, err
}

// parseTypes parses a list of types up to its closing bracket.
func (w *universe) parseTypes(s string) (ts []types.Type, rest string, err error) {
	for {
		t, r, err := w.parseType(s)
		if err != nil {
			return nil, s, err
		}
		ts = append(ts, t)
		switch {
		case strings.HasPrefix(r, ","):
			s = r[1:]
		case strings.HasPrefix(r, "]"):
			return ts, r[1:], nil
		default:
			return nil, r, errs.F("type list ends badly at %q", r)
		}
	}
}

func (w *universe) parseType(s string) (types.Type, string, error) {
	switch {
	case strings.HasPrefix(s, "*"):
		t, r, err := w.parseType(s[1:])
		if err != nil {
			return nil, s, err
		}
		return types.NewPointer(t), r, nil
	case strings.HasPrefix(s, "[]"):
		t, r, err := w.parseType(s[2:])
		if err != nil {
			return nil, s, err
		}
		return types.NewSlice(t), r, nil
	case strings.HasPrefix(s, "["):
		i := strings.IndexByte(s, ']')
		n, err := strconv.ParseInt(s[1:max(i, 1)], 10, 64)
		if err != nil {
			return nil, s, err
		}
		t, r, err := w.parseType(s[i+1:])
		if err != nil {
			return nil, s, err
		}
		return types.NewArray(t, n), r, nil
	case strings.HasPrefix(s, "map["):
		return w.parseMap(s)
	case strings.HasPrefix(s, "struct {}"):
		return types.NewStruct(nil, nil), s[len("struct {}"):], nil
	case strings.HasPrefix(s, "interface {}"):
		return types.NewInterfaceType(nil, nil), s[len("interface {}"):], nil
	}
	for _, p := range []string{"struct {", "func(", "interface {", "chan ", "<-chan "} {
		if strings.HasPrefix(s, p) {
			return nil, s, errs.F("type literal %q in a symbol", s)
		}
	}
	return w.parseName(s)
}

func (w *universe) parseMap(s string) (types.Type, string, error) {
	k, r, err := w.parseType(s[len("map["):])
	if err != nil {
		return nil, s, err
	}
	if !strings.HasPrefix(r, "]") {
		return nil, s, errs.F("map type ends badly at %q", r)
	}
	e, r, err := w.parseType(r[1:])
	if err != nil {
		return nil, s, err
	}
	return types.NewMap(k, e), r, nil
}

// parseName parses a predeclared or a qualified type name, type arguments included.
func (w *universe) parseName(s string) (types.Type, string, error) {
	i := 0
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == ',' || r == ']' || r == '[' || unicode.IsSpace(r) {
			break
		}
		i += n
	}
	q, rest := s[:i], s[i:]
	dot := strings.LastIndexByte(q, '.')
	if dot < 0 {
		o, ok := types.Universe.Lookup(q).(*types.TypeName)
		if !ok {
			return nil, s, errs.F("unknown type %q", q)
		}
		return o.Type(), rest, nil
	}
	if strings.HasPrefix(q, "go.shape.") {
		return nil, s, errs.F("%q names a shape, not a type", q)
	}
	name := q[dot+1:]
	if strings.HasPrefix(rest, "[") {
		_, r, err := w.parseTypes(rest[1:])
		if err != nil {
			return nil, s, err
		}
		name += rest[:len(rest)-len(r)]
		rest = r
	}
	t, err := w.namedType(unescape(q[:dot]), name, nil)
	return t, rest, err
}
