package source

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/diag"
	"heddle/internal/exe"
)

// A Capture is one captured variable of a kernel's closure, or the receiver of
// a bound method value.
type Capture struct {
	Name string
	// Type is the variable's type, instantiated. (The SSA free variable that
	// stands for it is a pointer to this.)
	Type types.Type
	Pos  token.Pos // of the declaration
	Field
	// Func is what a captured func held when the kernel was found; nil if the
	// variable is no func, or was a nil func.
	Func *Func
	// Parts are the funcs in the fields and elements of a variable that is a struct or an array.
	Parts []Part
}

// A Part is a func in a captured variable.
type Part struct {
	At   uintptr // its offset
	Func *Func   // what it held when the kernel was found, nil for nil
}

// part is the place of a func in a captured variable.
func (c *Capture) part(p *Part) Field {
	f := c.Field
	if f.ByRef {
		f.Inner = p.At
	} else {
		f.Offset += p.At
	}
	return f
}

// layout finds where t's closure keeps its captured variables. The prediction
// from source and the type that the binary allocates must agree.
func (w *universe) layout(t *resolved) error {
	if t.lit == nil {
		return w.receiverLayout(t)
	}
	info := t.pkg.info
	uses := varUses(info, enclosingDecl(t))
	m := t.substitution()
	for _, v := range captureOrder(info, t.lit) {
		s := slot{v: v, mode: uses[v].mode(0)}
		if !invalid(v.Type()) {
			if s.typ = m.apply(w.ctxt, v.Type()); s.typ == nil {
				return w.noTypeArg(t, v.Name(), "the type of a captured variable depends on it")
			}
			s.mode = uses[v].mode(sizes.Sizeof(s.typ))
		}
		t.slots = append(t.slots, s)
	}
	ts, err := exe.ClosureTypes(t.id.PC)
	if len(t.slots) == 0 && !t.generic() && err != nil {
		return nil // nothing is captured, and nothing is allocated
	}
	if err != nil {
		return &diag.Error{Pos: t.id.Position(), Msg: fmt.Sprintf("cannot see how the binary stores the captured variables of %s: %v", t.id.Name, err),
			Hint: "hand the variables to the kernel as arguments"}
	}
	var match [][]slot
	for _, rt := range ts {
		if s, ok := matchLayout(t.slots, t.generic(), rt); ok {
			match = append(match, s)
		}
	}
	if len(match) != 1 {
		return layoutMismatch(&t.id, t.slots, ts)
	}
	t.slots = match[0]
	return nil
}

// receiverLayout checks a bound method value's closure struct{F uintptr; R T}.
func (w *universe) receiverLayout(t *resolved) error {
	if !t.id.Bound() {
		return nil
	}
	s := t.receiverSlot()
	ts, err := exe.ClosureTypes(t.id.PC)
	if err != nil {
		return &diag.Error{Msg: fmt.Sprintf("cannot see how the binary stores the receiver of %s: %v", t.id.Name, err), Hint: "call the method from a function literal"}
	}
	if len(ts) == 1 {
		if slots, ok := matchLayout([]slot{s}, false, ts[0]); ok {
			t.slots = slots
			return nil
		}
	}
	return layoutMismatch(&t.id, []slot{s}, ts)
}

// enclosingDecl is the top-level declaration around t's literal.
func enclosingDecl(t *resolved) ast.Decl {
	if t.decl != nil {
		return t.decl
	}
	for _, d := range t.file.Decls {
		if d.Pos() <= t.lit.Pos() && t.lit.Pos() < d.End() {
			return d
		}
	}
	return nil
}

// recheck type-checks t's literal by itself where the types of captured
// variables are not known from source, because host code made them with a
// package that is not here. The closure's run-time type supplies them.
func (w *universe) recheck(t *resolved) error {
	if t.lit == nil {
		return nil
	}
	known := true
	for i := range t.slots {
		s := &t.slots[i]
		if s.typ != nil {
			continue
		}
		known = false
		ty, err := w.typeOf(s.rtype)
		if err != nil {
			hint := "declare the variable with its type"
			if errors.Is(err, errNoSource) {
				hint = "let the program carry it: run " + generateCommand()
			}
			return &diag.Error{Pos: w.fset.Position(s.v.Pos()), Msg: fmt.Sprintf("the type of captured variable %s is not known: %v", s.v.Name(), err), Hint: hint}
		}
		s.typ = ty
	}
	if known {
		return nil
	}
	if t.generic() {
		return &diag.Error{Pos: t.id.Position(), Msg: "a literal in generic code captures variables of unknown type", Hint: "declare the captured variables with their types"}
	}
	// A package of the same path, so that unexported names are the same.
	scratch := types.NewPackage(t.pkg.path, t.pkg.types.Name())
	for i := range t.slots {
		s := &t.slots[i]
		s.v = types.NewVar(s.v.Pos(), s.v.Pkg(), s.v.Name(), s.typ)
		scratch.Scope().Insert(s.v)
	}
	for _, v := range freeVars(t.pkg.info, t.lit) { // those that only dead code uses
		scratch.Scope().Insert(types.NewVar(v.Pos(), v.Pkg(), v.Name(), v.Type()))
	}
	if fs := t.pkg.info.Scopes[t.file]; fs != nil {
		for _, n := range fs.Names() {
			if pn, ok := fs.Lookup(n).(*types.PkgName); ok {
				scratch.Scope().Insert(types.NewPkgName(pn.Pos(), scratch, pn.Name(), pn.Imported()))
			}
		}
	}
	for _, n := range t.pkg.types.Scope().Names() {
		scratch.Scope().Insert(t.pkg.types.Scope().Lookup(n))
	}
	t.info = newInfo()
	if err := types.CheckExpr(w.fset, scratch, token.NoPos, t.lit, t.info); err != nil {
		if te, ok := err.(types.Error); ok {
			return typeError(te)
		}
		return &diag.Error{Pos: t.id.Position(), Msg: err.Error()}
	}
	return nil
}

// captures builds the Captures of a Func, parallel to its SSA function's free
// variables, which may come in another order and include dead ones.
func (w *universe) captures(t *resolved, fn *ssa.Function) ([]Capture, error) {
	var caps []Capture
	if t.captured && t.id.Bound() {
		return []Capture{t.receiverCapture("receiver")}, nil
	}
	for _, fv := range fn.FreeVars {
		p, ok := fv.Type().Underlying().(*types.Pointer)
		if !ok {
			return nil, &diag.Error{Pos: w.fset.Position(fv.Pos()), Msg: fmt.Sprintf("captured variable %s has no address", fv.Name())}
		}
		c := Capture{Name: fv.Name(), Type: p.Elem(), Pos: fv.Pos(), Field: Field{Size: uintptr(sizes.Sizeof(p.Elem())), Dead: true}}
		for _, s := range t.slots {
			if s.v.Name() != fv.Name() || s.v.Pos() != fv.Pos() {
				continue
			}
			c.Dead, c.Offset, c.ByRef = false, s.offset, s.mode == byRef
			if s.rtype != nil && s.rtype.Size() != c.Size { // nil: the program does not run
				return nil, &diag.Error{Pos: w.fset.Position(fv.Pos()), Msg: fmt.Sprintf("captured variable %s has %d bytes in source and %d in the binary", c.Name, c.Size, s.rtype.Size())}
			}
		}
		caps = append(caps, c)
	}
	return caps, nil
}

// A funcSlot is a func in a captured variable: the variable itself, or a field or an element.
type funcSlot struct {
	slot
	name  string // for people
	at    uintptr
	inner bool
	typ   types.Type
	rtype reflect.Type
}

// value is the address of the func.
func (s *funcSlot) value(obj unsafe.Pointer) unsafe.Pointer {
	return unsafe.Add(s.slot.value(obj), s.at)
}

// maxFuncs is how many funcs in one captured variable are looked for.
const maxFuncs = 256

// funcCaptures are the funcs in what t captures.
func (t *resolved) funcCaptures() (slots []funcSlot) {
	for _, s := range t.slots {
		if s.typ == nil || t.lit == nil {
			continue
		}
		n := len(slots)
		funcsIn(funcSlot{slot: s, name: s.v.Name(), typ: s.typ, rtype: s.rtype}, &slots)
		if len(slots)-n > maxFuncs {
			slots = slots[:n]
		}
	}
	return slots
}

// HoldsFunc reports whether there are funcs in a value of type t, but those that pointers lead to.
func HoldsFunc(t types.Type) bool {
	var all []funcSlot
	funcsIn(funcSlot{typ: t}, &all)
	return len(all) > 0
}

// funcsIn adds the funcs in a captured variable, but those that pointers lead to.
func funcsIn(s funcSlot, all *[]funcSlot) {
	switch u := s.typ.Underlying().(type) {
	case *types.Signature:
		*all = append(*all, s)
	case *types.Struct:
		for i, at := range sizes.Offsetsof(slices.Collect(u.Fields())) {
			f := funcSlot{s.slot, s.name + "." + u.Field(i).Name(), s.at + uintptr(at), true, u.Field(i).Type(), nil}
			if s.rtype != nil && s.rtype.Kind() == reflect.Struct && s.rtype.NumField() == u.NumFields() {
				f.rtype = s.rtype.Field(i).Type
			}
			funcsIn(f, all)
		}
	case *types.Array:
		if u.Len() > maxFuncs {
			return
		}
		for i := range u.Len() {
			f := funcSlot{s.slot, fmt.Sprintf("%s[%d]", s.name, i), s.at + uintptr(i*sizes.Sizeof(u.Elem())), true, u.Elem(), nil}
			if s.rtype != nil && s.rtype.Kind() == reflect.Array {
				f.rtype = s.rtype.Elem()
			}
			if funcsIn(f, all); len(*all) > 4*maxFuncs {
				return
			}
		}
	}
}

// value is the address of a slot's value in a closure object.
func (s *slot) value(obj unsafe.Pointer) unsafe.Pointer {
	p := unsafe.Add(obj, s.offset)
	if s.mode == byRef {
		return *(*unsafe.Pointer)(p)
	}
	return p
}
