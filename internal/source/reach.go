package source

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"heddle/internal/diag"
)

// A reach is what a set of functions can call: the declarations that go/ssa has
// to build, and no more.
type reach struct {
	w         *universe
	intrinsic func(*types.Func) bool
	root      *types.Func // a target, whose body is wanted in any case
	funcs     map[*ast.FuncDecl]*reached
	vars      map[*ast.ValueSpec]*declRef
	external  map[*types.Package]bool // packages referred to without source
	missing   map[*types.Func]string  // why a function has no body
	// need are functions, by package, whose bodies are wanted and can be had.
	need   map[string]map[string]bool
	errs   map[*types.Func][]types.Error
	broken []types.Error // all of errs
	stale  error         // a file that something reached depends on is newer than the binary
	// mentioned are the package-level objects whose files were looked at.
	mentioned map[types.Object]bool
	// partial says that what was left out of the universe may matter.
	partial bool
	pruner  // of what is reached
	invoker // of methods of interfaces
}

// A reached is a declared function that is part of a reach.
type reached struct {
	*declRef
	noBody bool // it is declared only: an intrinsic, or its body has errors
}

func (w *universe) newReach(intrinsic func(*types.Func) bool) *reach {
	return &reach{w: w, intrinsic: intrinsic, funcs: map[*ast.FuncDecl]*reached{}, vars: map[*ast.ValueSpec]*declRef{},
		external: map[*types.Package]bool{}, mentioned: map[types.Object]bool{}, missing: map[*types.Func]string{}, need: map[string]map[string]bool{}, errs: map[*types.Func][]types.Error{}}
}

// node adds everything that a piece of checked code refers to.
func (r *reach) node(info *types.Info, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		o := info.Uses[id]
		if o == nil || o.Pkg() == nil {
			return true
		}
		r.declared(o)
		r.mention(o.Type())
		switch o := o.(type) {
		case *types.Func:
			if types.IsInterface(recvType(o)) {
				r.invoked(o)
			}
			r.fn(o.Origin())
		case *types.Var:
			if o.Parent() == o.Pkg().Scope() {
				r.variable(o)
			}
		}
		if inst, ok := info.Instances[id]; ok {
			for i := range inst.TypeArgs.Len() {
				r.methods(inst.TypeArgs.At(i))
			}
		}
		return true
	})
}

// methods adds the methods of a type argument, which generic code may call.
func (r *reach) methods(t types.Type) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || types.IsInterface(n) {
		return
	}
	for i := range n.NumMethods() {
		m := n.Method(i).Origin()
		if d := r.w.decls[m]; d != nil && d.pkg.trimmed[d.fd] {
			continue // nothing that is kept mentions its name
		}
		r.fn(m)
	}
	for i := range n.TypeArgs().Len() {
		r.methods(n.TypeArgs().At(i))
	}
}

// fn adds a declared function or method.
func (r *reach) fn(f *types.Func) {
	d := r.w.decls[f]
	if d == nil {
		r.foreign(f)
		return
	}
	if r.funcs[d.fd] != nil {
		return
	}
	re := &reached{declRef: d}
	r.funcs[d.fd] = re
	if err := r.w.fresh(d.pkg, d.file); err != nil {
		r.stale = err
	}
	if r.intrinsic != nil && f != r.root && r.intrinsic(f) {
		re.noBody = true
		r.missing[f] = "it is an intrinsic of heddle"
		return
	}
	if d.pkg.trimmed[d.fd] {
		r.wantBody(f)
		return
	}
	if d.fd.Body == nil {
		r.missing[f] = "it is implemented in assembly"
		return
	}
	r.prune(d.pkg.info, d.fd)
	errs := r.live(d.pkg.errorsIn(d.fd))
	if len(errs) == 0 {
		errs = r.w.unknownTypes(d.pkg.info, d.fd)
	}
	if len(errs) > 0 {
		re.noBody = true
		r.errs[f] = errs
		r.broken = append(r.broken, errs...)
		r.missing[f] = fmt.Sprintf("its body cannot be checked: %v", r.w.explain(errs[0]))
		return
	}
	r.node(d.pkg.info, d.fd)
}

// foreign adds a function of a package without source.
func (r *reach) foreign(f *types.Func) {
	p := f.Pkg()
	if p == nil || types.IsInterface(recvType(f)) {
		return
	}
	r.external[p] = true
	if r.missing[f] != "" {
		return
	}
	switch {
	case r.intrinsic != nil && r.intrinsic(f):
		r.missing[f] = "it is an intrinsic of heddle"
	case r.w.src[p.Path()] == nil && r.w.canSource(p.Path()):
		r.wantBody(f)
	case r.w.isStd(p.Path()):
		r.missing[f] = "the standard library's sources are not on this machine (" + generateCommand() + " makes the program carry what its kernels need)"
	default:
		r.missing[f] = fmt.Sprintf("package %s has no sources here: embed them with kernel.Source in that package, or let %s do it", p.Path(), generateCommand())
		if why := staleHint(p.Path()); why != "" {
			r.missing[f] = why + ": run " + generateCommand()
		}
	}
}

// recvType is the type of a method's receiver, the invalid type for a function.
func recvType(f *types.Func) types.Type {
	if recv := f.Signature().Recv(); recv != nil {
		return recv.Type()
	}
	return types.Typ[types.Invalid]
}

// variable adds a package-level variable.
func (r *reach) variable(v *types.Var) {
	d := r.w.decls[v]
	if d == nil {
		r.external[v.Pkg()] = true
		if p := v.Pkg().Path(); r.w.src[p] == nil && r.w.canSource(p) {
			r.want(p, v.Name()) // its initialiser, if nothing writes it
		}
		return
	}
	r.vars[d.spec] = d
	// What may write it has to be known, or it would be taken for read-only.
	for _, p := range r.w.importers(v) {
		r.want(p, v.Name())
	}
	for _, sp := range r.w.src {
		if sp.left == nil || sp != d.pkg && !v.Exported() {
			continue
		}
		writers, ok := sp.left.writers(v)
		for _, name := range writers {
			r.want(sp.path, name)
		}
		r.partial = r.partial || !ok && r.w.trimmer != nil
	}
}

// errorsIn are the type errors inside a declaration or literal.
func (p *pkg) errorsIn(n ast.Node) (errs []types.Error) {
	for _, e := range p.errs {
		if n.Pos() <= e.Pos && e.Pos < n.End() {
			errs = append(errs, e)
		}
	}
	return errs
}

// wantBody asks for the body of a function that can be had.
func (r *reach) wantBody(f *types.Func) { r.want(f.Pkg().Path(), f.Name()) }

//go:noinline
func (r *reach) want(pkg, name string) {
	if r.need[pkg] == nil {
		r.need[pkg] = map[string]bool{}
	}
	r.need[pkg][name] = true
}

// stdImports are the standard packages that nothing is known about but whose
// sources are on this machine, among the imports of the packages with errors.
func (w *universe) stdImports(errs []types.Error) []string {
	if len(errs) == 0 {
		return nil
	}
	var paths []string
	for p := range w.empty {
		if first, _, _ := strings.Cut(p, "/"); strings.Contains(first, ".") || !stdSource(p) {
			continue
		}
		if slices.ContainsFunc(errs, func(e types.Error) bool { return w.fileImports(e, p) }) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

// missingStd are the portable standard packages whose members the errors say are not known; nil if there are other errors.
func (w *universe) missingStd(errs []types.Error) []string {
	found := map[string]bool{}
	for _, e := range errs {
		p, _ := w.unknownMember(e)
		if !isPortable(p) {
			return nil
		}
		found[p] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// unknownMember is the package that nothing is known about of which an error says that a member is undefined, and that member as it is written; "" of other errors.
func (w *universe) unknownMember(e types.Error) (p, name string) {
	name, ok := strings.CutPrefix(e.Msg, "undefined: ")
	if q, _, qualified := strings.Cut(name, "."); ok && qualified {
		for _, p := range slices.Sorted(maps.Keys(w.empty)) {
			if w.types[p].Name() == q && w.fileImports(e, p) {
				return p, name
			}
		}
	}
	return "", ""
}

// fileImports reports whether the file with an error imports p.
func (w *universe) fileImports(e types.Error, p string) bool {
	for _, sp := range w.src {
		for _, f := range sp.files {
			if e.Pos < f.FileStart || f.FileEnd < e.Pos {
				continue
			}
			for _, imp := range f.Imports {
				if strings.Trim(imp.Path.Value, "\"`") == p {
					return true
				}
			}
		}
	}
	return false
}

// unknownTypes are errors for the expressions under n whose types are not
// fully known. The checker reports such a type where it is declared, which may
// be in host code, and not where it is used.
func (w *universe) unknownTypes(info *types.Info, n ast.Node) (errs []types.Error) {
	ast.Inspect(n, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if info.Types[e].IsBuiltin() {
			return true // where the call is a constant, len has no type
		}
		t := info.Types[e].Type
		if id, ok := e.(*ast.Ident); ok && t == nil {
			// the checker records nothing for an operand of unknown type
			switch o := info.ObjectOf(id).(type) {
			case *types.Var, *types.Func, *types.Const, *types.TypeName:
				t = o.Type()
			}
		}
		if t == nil || !w.unknown(t) {
			return true
		}
		errs = append(errs, types.Error{Fset: w.fset, Pos: e.Pos(), Msg: fmt.Sprintf("the type of %s is not known here", types.ExprString(e))})
		return false
	})
	return errs
}

// unknown reports whether t is made with a type that could not be checked: its
// size and its methods are not known then.
func (w *universe) unknown(t types.Type) bool {
	switch t := t.(type) {
	case nil:
		return false
	case *types.Basic:
		return t.Kind() == types.Invalid
	}
	if u, ok := w.unknowns[t]; ok {
		return u
	}
	w.unknowns[t] = false // for recursive types
	u := false
	switch t := t.(type) {
	case *types.Alias:
		u = w.unknown(types.Unalias(t))
	case *types.Named:
		u = w.unknown(t.Underlying())
	case *types.Struct:
		for f := range t.Fields() {
			u = u || w.unknown(f.Type())
		}
	case *types.Signature:
		u = w.unknown(t.Params()) || w.unknown(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			u = u || w.unknown(v.Type())
		}
	case *types.Map:
		u = w.unknown(t.Key()) || w.unknown(t.Elem())
	case interface{ Elem() types.Type }:
		u = w.unknown(t.Elem())
	}
	w.unknowns[t] = u
	return u
}

// explain is a type error with what to do about it, if it comes from a package
// that nothing is known about.
func (w *universe) explain(e types.Error) *diag.Error {
	err := typeError(e)
	if p, name := w.unknownMember(e); p != "" {
		err.Msg = fmt.Sprintf("%s is not known: package %s has neither sources nor types here", name, p)
		err.Hint = "embed that package's sources with kernel.Source, or let " + generateCommand() + " do it, or do not use it in kernel code"
		if why := staleHint(p); why != "" {
			err.Hint = why + ": run " + generateCommand()
		}
	}
	if strings.HasSuffix(e.Msg, "is not known here") {
		err.Hint = "its declaration depends on a package that has neither sources nor types here: write the type out, or embed that package's sources with kernel.Source"
	}
	return err
}
