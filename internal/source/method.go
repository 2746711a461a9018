package source

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"heddle/internal/diag"
	"heddle/internal/exe"
)

// This file resolves bound method values (x.M) and the method wrappers that the
// compiler writes itself. They have no position: their symbol's name,
// pkg.T.M-fm or pkg.(*T).M, says what they wrap.

// A methodName is a method wrapper's symbol taken apart.
type methodName struct {
	pkg     string // import path
	recv    string // receiver type's name, without type arguments
	ptr     bool   // the receiver is *T
	generic bool
	name    string
}

func parseMethod(symbol string) (methodName, bool) {
	var m methodName
	pkg, rest := splitSymbol(strings.TrimSuffix(symbol, "-fm"))
	m.pkg = importPath(unescape(pkg))
	recv := ""
	if strings.HasPrefix(rest, "(*") {
		i := strings.LastIndex(rest, ").")
		if i < 0 {
			return m, false
		}
		m.ptr, recv, m.name = true, rest[2:i], rest[i+2:]
	} else {
		recv, m.name = cutLast(rest)
	}
	m.recv, _, m.generic = strings.Cut(recv, "[")
	return m, m.recv != "" && m.name != ""
}

func (w *universe) resolveWrapper(id exe.Ident, h hint) (*resolved, error) {
	m, ok := parseMethod(id.Name)
	if !ok {
		return nil, &diag.Error{Msg: fmt.Sprintf("%s is code the compiler made, without a source", id.Name), Hint: "pass a declared function or a function literal"}
	}
	p, err := w.sourcePackage(m.pkg)
	if err != nil {
		return nil, err
	}
	tn, _ := p.types.Scope().Lookup(m.recv).(*types.TypeName)
	if tn == nil {
		if tn = localType(p.types.Scope(), m.recv, nil); tn == nil {
			return nil, &diag.Error{Msg: fmt.Sprintf("%s: the receiver's type is not found in package %s", id.Name, m.pkg), Hint: "declare the type at package level"}
		}
	}
	if types.IsInterface(tn.Type()) {
		return nil, &diag.Error{Msg: fmt.Sprintf("%s is a method of an interface: which method it calls is only known when it runs", id.Name), Refused: true, Hint: "take the method value of the concrete value"}
	}
	t := &resolved{id: id}
	recv := types.Unalias(tn.Type())
	if m.generic {
		if recv, err = w.receiver(t, recv, &m, h); err != nil {
			return nil, err
		}
	}
	if m.ptr {
		recv = types.NewPointer(recv)
	}
	t.recv = recv
	if t.sel = types.NewMethodSet(recv).Lookup(p.types, m.name); t.sel == nil {
		return nil, &diag.Error{Msg: fmt.Sprintf("%v has no method %s", recv, m.name), Hint: "the source changed after the program was built: rebuild it"}
	}
	t.fn = t.sel.Obj().(*types.Func).Origin()
	d := w.decls[t.fn]
	if d == nil {
		// promoted from a type of another package
		fp := t.fn.Pkg()
		if fp != nil && w.src[fp.Path()] == nil && w.canSource(fp.Path()) {
			return nil, needSource{fp.Path()}
		}
		return nil, &diag.Error{Msg: fmt.Sprintf("method %s has no source here", t.fn.FullName()), Hint: "embed its package's sources with kernel.Source"}
	}
	t.pkg, t.file, t.info, t.decl = d.pkg, d.file, d.pkg.info, d.fd
	return t, w.fresh(d.pkg, d.file)
}

// sourcePackage is the package with an import path, from source.
func (w *universe) sourcePackage(p string) (*pkg, error) {
	if sp := w.src[p]; sp != nil {
		return sp, nil
	}
	if w.fromSource(p) {
		sp, err := w.load(p)
		if err != nil {
			return nil, err
		}
		if sp != nil {
			return sp, nil
		}
	}
	if w.list[p] != nil {
		return nil, needSource{p}
	}
	return nil, errNotHere
}

// receiver instantiates a generic receiver type: its arguments come from the
// method's signature, the receiver's run-time type or the symbol table.
func (w *universe) receiver(t *resolved, generic types.Type, m *methodName, h hint) (types.Type, error) {
	named, ok := generic.(*types.Named)
	if !ok {
		return nil, &diag.Error{Msg: fmt.Sprintf("%s: the receiver's type cannot be instantiated", t.id.Name)}
	}
	o, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), m.name)
	fn, _ := o.(*types.Func)
	if fn == nil {
		return nil, &diag.Error{Msg: fmt.Sprintf("%v has no method %s", named, m.name), Hint: "the source changed after the program was built: rebuild it"}
	}
	t.fn = fn
	skip := 1
	if t.id.Bound() {
		skip = 0
	}
	u := newUnifier()
	if fn.Signature().RecvTypeParams().Len() > 0 && !u.signature(fn.Signature(), t.id.Type, skip) {
		return nil, &diag.Error{Msg: fmt.Sprintf("%s does not fit the type %v", fn.FullName(), t.id.Type), Hint: "the source changed after the program was built: rebuild it"}
	}
	if rt := w.boundReceiver(t); rt != nil {
		if ts, err := w.typeArgsIn(rt.Name()); err == nil && len(ts) == named.TypeParams().Len() {
			t.args = ts
		}
	}
	if t.args == nil {
		if err := w.typeArgs(t, u, h); err != nil {
			return nil, err
		}
	}
	inst, err := types.Instantiate(w.ctxt, named, t.args, true)
	if err != nil {
		return nil, &diag.Error{Msg: fmt.Sprintf("%s: %v", t.id.Name, err)}
	}
	return inst, nil
}

// boundReceiver is the run-time type of t's receiver, without its pointer.
func (w *universe) boundReceiver(t *resolved) reflect.Type {
	var rt reflect.Type
	if t.id.Bound() {
		ts, err := exe.ClosureTypes(t.id.PC)
		if err != nil || len(ts) != 1 {
			return nil
		}
		rt = ts[0].Field(1).Type
	} else {
		if t.id.Type.NumIn() == 0 {
			return nil
		}
		rt = t.id.Type.In(0)
	}
	if rt.Kind() == reflect.Pointer {
		rt = rt.Elem()
	}
	return rt
}
