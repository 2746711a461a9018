package source

import (
	"errors"
	"go/types"
	"reflect"
	"unsafe"

	"heddle/internal/errs"
	"heddle/internal/exe"
)

// This file finds type arguments of a literal in generic code by what it captures: a captured func has a
// signature of its own, and a launch.Buffer holds its element type.
//
//	func Mapped[T, U any](at func(int) T, f func(T) U) func(int) U {
//		return func(i int) U { return f(at(i)) } // T is that of at and f
//	}

// maxCaptured bounds how deep captured funcs capture others.
const maxCaptured = 16

// argsOfCaptures adds to the type arguments that are known those which a literal's captured variables tell. It returns nil unless
// these are all.
func (w *universe) argsOfCaptures(t *resolved, known []types.Type, depth int) ([]types.Type, error) {
	if t.lit == nil || t.id.Obj == nil || depth == maxCaptured {
		return nil, nil
	}
	vars := captureOrder(t.pkg.info, t.lit)
	ts, err := exe.ClosureTypes(t.id.PC)
	if err != nil || len(ts) != 1 || ts[0].NumField() != len(vars)+2 { // the code pointer, and the dictionary
		return nil, nil
	}
	tps := t.typeParams()
	bind := map[*types.TypeParam]types.Type{}
	for i, k := range known {
		if k != nil {
			bind[tps.At(i)] = k
		}
	}
	for i, v := range vars {
		field := ts[0].Field(1 + i)
		if err := w.bindCapture(v.Type(), field.Type, unsafe.Add(t.id.Obj, field.Offset), bind, depth); err != nil {
			return nil, err
		}
	}
	missing := ""
	for i := range known {
		if known[i] = bind[tps.At(i)]; known[i] == nil {
			missing = tps.At(i).Obj().Name()
		}
	}
	if missing != "" {
		return nil, errs.F("what it captures does not tell %s", missing)
	}
	return known, nil
}

// bindCapture binds the type parameters in the type of a captured variable, by the value at p of a run-time type, or what a pointer
// there leads to, where it was captured by reference.
func (w *universe) bindCapture(t types.Type, r reflect.Type, p unsafe.Pointer, bind map[*types.TypeParam]types.Type, depth int) error {
	if sig, ok := t.Underlying().(*types.Signature); ok {
		if r.Kind() == reflect.Pointer && r.Elem().Kind() == reflect.Func {
			p, r = *(*unsafe.Pointer)(p), r.Elem()
		}
		if obj := *(*unsafe.Pointer)(p); r.Kind() == reflect.Func && obj != nil {
			return w.bindFunc(sig, r, obj, bind, depth)
		}
		return nil
	}
	ptr, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(ptr.Elem()).(*types.Named)
	if !ok || named.TypeArgs().Len() != 1 || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != hostPackage {
		return nil
	}
	if r.Kind() == reflect.Pointer && r.Elem().Kind() == reflect.Pointer {
		p, r = *(*unsafe.Pointer)(p), r.Elem()
	}
	if r.Kind() == reflect.Pointer && *(*unsafe.Pointer)(p) != nil {
		if rt := elementOf(r.Elem(), *(*unsafe.Pointer)(p)); rt != nil {
			ty, err := w.typeOf(rt)
			if err != nil {
				return err
			}
			bindTypes(named.TypeArgs().At(0), ty, bind)
		}
	}
	return nil
}

// bindFunc binds the type parameters of a captured func's static type by the signature of the func.
func (w *universe) bindFunc(static *types.Signature, r reflect.Type, obj unsafe.Pointer, bind map[*types.TypeParam]types.Type, depth int) error {
	if concreteType(static, bind) {
		return nil // all of it is known
	}
	id, err := exe.IdentifyObject(r, obj)
	if err != nil {
		return nil
	}
	if w.trimmer != nil && !w.trimmer.seeds.covers(&id) {
		return &wants{place: &id}
	}
	f, err := w.resolve(id, hint{depth: depth + 1})
	if err != nil {
		switch err.(type) {
		case needSource, *wants:
			return err
		}
		if errors.Is(err, errNotHere) {
			// list that func's package; where it cannot be listed, others may tell
			if ok, _ := addList(&id); ok {
				return &wants{}
			}
		}
		return nil // others may tell
	}
	if f.lit == nil && f.fn.Signature().Recv() != nil {
		return nil
	}
	sig := f.substitution().apply(w.ctxt, f.signature())
	if sig != nil {
		bindTypes(static, sig, bind)
	}
	return nil
}

// concreteType reports whether all type parameters that t is made with are bound.
func concreteType(t types.Type, bind map[*types.TypeParam]types.Type) bool {
	return !anyPart(t, func(part types.Type) bool {
		tp, ok := part.(*types.TypeParam)
		return ok && bind[tp] == nil
	}, map[types.Type]bool{})
}

// elementOf is the element type of the launch.Buffer at p, whose type r is made of a shape; nil if the Buffer does not say.
func elementOf(r reflect.Type, p unsafe.Pointer) reflect.Type {
	if r.Kind() != reflect.Struct {
		return nil
	}
	header, ok := r.FieldByName("header")
	if !ok || header.Type.Kind() != reflect.Struct {
		return nil
	}
	elem, ok := header.Type.FieldByName("elem")
	if !ok || elem.Type.Kind() != reflect.UnsafePointer {
		return nil
	}
	var zero any
	(*[2]unsafe.Pointer)(unsafe.Pointer(&zero))[0] = *(*unsafe.Pointer)(unsafe.Add(p, header.Offset+elem.Offset))
	return reflect.TypeOf(zero)
}
