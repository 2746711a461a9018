package source

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"heddle/internal/diag"
	"heddle/internal/errs"
	"heddle/internal/exe"
	"heddle/internal/module"
)

// A hint is what else is known of a func value, besides the value.
type hint struct {
	// file and line are where it was handed to the library: there the source
	// may spell its type arguments out.
	file string
	line int
	// static and by are the type, in the source, of the variable that holds a
	// captured func, and the closure that captures it.
	static types.Type
	by     *resolved
	// depth is how many captured funcs led here in search of type arguments.
	depth int
}

// typeArgs finds the type arguments of t. Those that its signature mentions
// follow from the func value's type; for the rest it asks, in turn, the
// receiver's run-time type, what a literal captures, the code that uses the
// instance, the linker's symbols and the call h.
func (w *universe) typeArgs(t *resolved, u *unifier, h hint) error {
	tps := t.typeParams()
	n := tps.Len()
	if n == 0 {
		return nil
	}
	args := make([]types.Type, n)
	if h.by != nil && h.by.fn == t.fn && t.id.Dict != 0 && h.by.id.Dict == t.id.Dict { // made by the same instance
		if !h.by.unused {
			t.args = h.by.args
			return nil
		}
		copy(args, h.by.found)
	}
	static := map[*types.TypeParam]types.Type{}
	if h.static != nil {
		bindTypes(t.signature(), h.static, static)
	}
	for i := range n {
		if args[i] == nil {
			args[i] = static[tps.At(i)]
		}
		if args[i] != nil {
			continue
		}
		rt, ok := u.bind[tps.At(i)]
		if !ok || containsShape(rt) {
			continue
		}
		ty, err := w.typeOf(rt)
		if err != nil {
			return w.noTypeArg(t, tps.At(i).Obj().Name(), err.Error())
		}
		args[i] = ty
	}
	missing := constrained(tps, args)
	if missing == "" {
		t.args = args
		return nil
	}
	var why []string
	for _, source := range []func() ([]types.Type, error){
		func() ([]types.Type, error) { return w.argsOfReceiver(t) },
		func() ([]types.Type, error) { return w.argsOfCaptures(t, args, h.depth) },
		func() ([]types.Type, error) { return w.argsOfSites(t, args) },
		func() ([]types.Type, error) { return w.argsOfSymbol(t) },
		func() ([]types.Type, error) { return w.argsOfCall(t, args, h) },
	} {
		ts, err := source()
		switch err.(type) {
		case nil:
		case needSource, *wants:
			return err
		default:
			why = append(why, err.Error())
			continue
		}
		if len(ts) != n {
			continue
		}
		if !agree(args, ts) {
			return w.noTypeArg(t, missing, fmt.Sprintf("%v contradicts the func's type %v", ts, t.id.Type))
		}
		t.args = ts
		return nil
	}
	if completeUnused(t, args) {
		return nil
	}
	return w.noTypeArg(t, missing, strings.Join(why, "; "))
}

// constrained adds the type arguments that follow from others: P of [S any, P interface{ *S; ... }]. It returns the name of
// one that is still missing, or "".
func constrained(tps *types.TypeParamList, args []types.Type) (missing string) {
	known := substitution{}
	for i, a := range args {
		if a != nil {
			known[tps.At(i)] = a
		}
	}
	for i := range args {
		if args[i] == nil {
			if term := exactTerm(tps.At(i).Constraint()); term != nil && len(known) > 0 {
				args[i] = known.apply(nil, term)
			}
			if args[i] == nil {
				missing = tps.At(i).Obj().Name()
			}
		}
	}
	return missing
}

// agree reports whether ts has every known argument of args.
func agree(args, ts []types.Type) bool {
	for i := range ts {
		if args[i] != nil && !types.Identical(types.Unalias(ts[i]), types.Unalias(args[i])) {
			return false
		}
	}
	return true
}

func (w *universe) noTypeArg(t *resolved, param, why string) error {
	hint := "write kernel.New(F[T]) with the type arguments spelled out and outside of generic code, or let a parameter's type mention " + param
	if t.lit != nil {
		hint = fmt.Sprintf("name each instance of %s on a line of its own and outside of generic code, or let the type of the literal's parameters mention %s", t.fn.Name(), param)
	}
	return &diag.Error{Pos: t.id.Position(), Msg: fmt.Sprintf("cannot find the type argument %s of kernel %s: %s", param, t.fn.FullName(), why), Hint: hint}
}

// argsOfReceiver reads the name of the receiver's run-time type, where the
// receiver is the first parameter.
func (w *universe) argsOfReceiver(t *resolved) ([]types.Type, error) {
	if t.fn.Signature().Recv() == nil || t.lit != nil || t.id.Bound() || t.id.Type.NumIn() == 0 {
		return nil, nil
	}
	rt := t.id.Type.In(0)
	if rt.Kind() == reflect.Pointer {
		rt = rt.Elem()
	}
	return w.typeArgsIn(rt.Name())
}

// argsOfSymbol reads the symbol of the dictionary or of the instance.
func (w *universe) argsOfSymbol(t *resolved) ([]types.Type, error) {
	addr := t.id.Dict
	if addr == 0 {
		if t.lit != nil {
			return nil, errs.F("its closure holds no dictionary")
		}
		addr = t.id.PC
	} else if n, known := exe.DictWords(t.id.PC); !known || n == 0 {
		return nil, errs.F("its dictionary is shared with other instances")
	}
	name, err := exe.SymbolAt(addr)
	if err != nil {
		return nil, err
	}
	if recv := t.fn.Signature().Recv(); recv == nil && !strings.Contains(name, "."+t.fn.Name()+"[") {
		return nil, errs.F("the symbol %s is not its own", name)
	}
	return w.typeArgsIn(name)
}

// argsOfCall looks at the call h, which hands the function over: F[T] as one of
// its arguments is what was handed over, but what a call within it returns may be
// another instance.
func (w *universe) argsOfCall(t *resolved, known []types.Type, h hint) ([]types.Type, error) {
	if h.file == "" {
		return nil, errs.F("the call that passes it is not known")
	}
	if t.lit != nil {
		return nil, errs.F("the call that passes it does not make it")
	}
	p, f, err := w.locate(h.file)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, errs.F("the source of the call at %s:%d is not here", h.file, h.line)
	}
	if err := w.fresh(p, f); err != nil {
		return nil, err
	}
	var found [][]types.Type
	w.eachCall(p, f, h.line, func(c *ast.CallExpr) {
		for _, a := range c.Args {
			id := instanceIdent(a)
			fn, ok := p.info.Uses[id].(*types.Func)
			if !ok || fn.Origin() != t.fn && fn.Origin().FullName() != t.fn.FullName() {
				continue
			}
			ts := concrete(p.info.Instances[id].TypeArgs)
			if len(ts) == len(known) && agree(known, ts) && !containsTypes(found, ts) {
				found = append(found, ts)
			}
		}
	})
	if len(found) != 1 {
		return nil, errs.F("the call at %s:%d names %d instances of it", h.file, h.line, len(found))
	}
	return found[0], nil
}

// eachCall visits the calls on a line of a file that are not part of another
// call, and those of kernel.New wherever they are.
func (w *universe) eachCall(p *pkg, f *ast.File, line int, visit func(*ast.CallExpr)) {
	var walk func(n ast.Node, within bool)
	walk = func(n ast.Node, within bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			c, ok := m.(*ast.CallExpr)
			if !ok || m == n {
				_, literal := m.(*ast.FuncLit)
				if literal && m != n {
					walk(m, false)
				}
				return !literal || m == n
			}
			on := w.fset.Position(c.Lparen).Line == line || w.fset.Position(c.Pos()).Line == line
			if on && (!within || makesKernel(p.info, c)) {
				visit(c)
			}
			walk(c, within || on)
			return false
		})
	}
	walk(f, false)
}

// makesKernel reports whether c is a call of kernel.New or kernel.NewWith.
func makesKernel(info *types.Info, c *ast.CallExpr) bool {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	if !ok {
		return false
	}
	pn, ok := info.Uses[x].(*types.PkgName)
	return ok && pn.Imported().Path() == module.Kernel
}

// instanceIdent is the identifier of F where e is F[T] or pkg.F[T]; else nil.
func instanceIdent(e ast.Expr) *ast.Ident {
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return instanceIdent(x.X)
	case *ast.IndexListExpr:
		return instanceIdent(x.X)
	case *ast.SelectorExpr:
		return x.Sel
	case *ast.Ident:
		return x
	}
	return nil
}

// concrete is a list of type arguments without type parameters in it, or nil.
func concrete(list *types.TypeList) (ts []types.Type) {
	for i := range list.Len() {
		t := list.At(i)
		if mentionsTypeParam(t) {
			return nil
		}
		ts = append(ts, t)
	}
	return ts
}

// mentionsTypeParam reports whether t is made with a type parameter.
func mentionsTypeParam(t types.Type) bool {
	// a substitution that knows no parameter fails on the first it meets
	none := substitution{nil: nil}
	return none.apply(nil, t) == nil
}

//go:noinline
func containsTypes(list [][]types.Type, ts []types.Type) bool {
	for _, l := range list {
		if agree(l, ts) {
			return true
		}
	}
	return false
}
