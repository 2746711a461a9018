package source

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sort"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/diag"
)

// This file builds go/ssa for a set of targets and what they reach, in one
// program. A literal is built inside a stand-in for its enclosing function that
// only declares the captured variables, so no host code is ever compiled:
//
//	func Outer() { var captured T; _ = func(...) {...} }

// ssaMode builds bodies of generic instances, and no package initialisers.
var ssaMode = ssa.InstantiateGenerics | ssa.BareInits | ssa.BuildSerially

// A builder makes the SSA program of one Find.
type builder struct {
	*reach
	prog    *ssa.Program
	targets []*resolved
	overlay map[*pkg]*types.Info // type information of packages with stand-ins
	extra   map[*pkg][]ast.Decl  // stand-ins
	encl    map[*resolved]*types.Func
	generic map[*types.Func]*ast.FuncDecl // stand-ins of generic functions
	built   []*ssa.Package
}

// build returns the SSA function of every target.
func (r *reach) build(targets []*resolved) (map[*resolved]*ssa.Function, *ssa.Program, error) {
	b := &builder{reach: r, targets: targets, overlay: map[*pkg]*types.Info{}, extra: map[*pkg][]ast.Decl{},
		encl: map[*resolved]*types.Func{}, generic: map[*types.Func]*ast.FuncDecl{}}
	b.prog = ssa.NewProgram(r.w.fset, ssaMode)
	for _, t := range targets {
		if t.lit != nil {
			if err := b.standIn(t); err != nil {
				return nil, nil, err
			}
		}
	}
	b.createPackages()
	for _, p := range b.built {
		p.Build()
	}
	fns := map[*resolved]*ssa.Function{}
	for _, t := range targets {
		fn, err := b.function(t)
		if err != nil {
			return nil, nil, err
		}
		fns[t] = fn
	}
	return fns, b.prog, nil
}

// standIn adds the stand-in for the function around t's literal.
func (b *builder) standIn(t *resolved) error {
	info := b.info(t.pkg)
	if t.info != t.pkg.info {
		copyInfo(info, t.info, t.lit)
	}
	stmts := b.captureDecls(info, t)
	stmts = append(stmts, &ast.AssignStmt{Lhs: []ast.Expr{&ast.Ident{Name: "_"}}, Tok: token.ASSIGN, Rhs: []ast.Expr{t.lit}})
	if t.generic() {
		// its type parameters belong to its own function object
		if b.funcs[t.decl] != nil {
			return &diag.Error{Pos: b.w.fset.Position(t.lit.Pos()), Msg: fmt.Sprintf("the kernel literal calls the generic function %s that it is written in", t.decl.Name.Name), Hint: "move the literal to a function of its own"}
		}
		b.encl[t] = t.fn
		if fd := b.generic[t.fn]; fd != nil {
			end := len(fd.Body.List) - 1
			fd.Body.List = slices.Concat(fd.Body.List[:end], stmts, fd.Body.List[end:])
			return nil
		}
		// it may have results, so it must not end
		stmts = append(stmts, &ast.ForStmt{Body: &ast.BlockStmt{}})
		fd := &ast.FuncDecl{Name: t.decl.Name, Recv: t.decl.Recv, Type: t.decl.Type, Body: &ast.BlockStmt{List: stmts}}
		b.generic[t.fn] = fd
		b.extra[t.pkg] = append(b.extra[t.pkg], fd)
		return nil
	}
	name := "init"
	if t.decl != nil {
		name = t.decl.Name.Name
	}
	if n := len(b.extra[t.pkg]); n > 0 || t.decl == nil || b.funcs[t.decl] != nil {
		name = fmt.Sprintf("%s$%d", name, n)
	}
	id := &ast.Ident{Name: name, NamePos: t.lit.Pos()}
	fn := types.NewFunc(t.lit.Pos(), t.pkg.types, name, types.NewSignatureType(nil, nil, nil, nil, nil, false))
	info.Defs[id] = fn
	b.encl[t] = fn
	b.extra[t.pkg] = append(b.extra[t.pkg], &ast.FuncDecl{Name: id, Type: &ast.FuncType{Func: t.lit.Pos(), Params: &ast.FieldList{}}, Body: &ast.BlockStmt{List: stmts}})
	return nil
}

// captureDecls declares the variables that t's literal refers to, dead ones
// included, except the parameters that its stand-in has anyway.
func (b *builder) captureDecls(info *types.Info, t *resolved) (stmts []ast.Stmt) {
	params := map[*types.Var]bool{}
	if t.generic() {
		sig := t.fn.Signature()
		for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
			for v := range tuple.Variables() {
				params[v] = true
			}
		}
		if sig.Recv() != nil {
			params[sig.Recv()] = true
		}
		if fd := b.generic[t.fn]; fd != nil {
			for _, s := range fd.Body.List {
				if ds, ok := s.(*ast.DeclStmt); ok {
					id := ds.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Names[0]
					params[info.Defs[id].(*types.Var)] = true
				}
			}
		}
	}
	for _, v := range freeVars(t.info, t.lit) {
		if params[v] {
			continue
		}
		id := &ast.Ident{Name: v.Name(), NamePos: v.Pos()}
		info.Defs[id] = v
		stmts = append(stmts, &ast.DeclStmt{Decl: &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{id}}}}})
	}
	return stmts
}

// freeVars lists the local variables used inside lit but declared outside of it.
func freeVars(info *types.Info, lit *ast.FuncLit) (vars []*types.Var) {
	ast.Inspect(lit, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := info.Uses[id].(*types.Var)
		if !ok || v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() || slices.Contains(vars, v) {
			return true
		}
		if v.Pos() < lit.Pos() || lit.End() <= v.Pos() {
			vars = append(vars, v)
		}
		return true
	})
	return vars
}

// info is type information for p that may be added to: the part that the reach
// of this build needs.
func (b *builder) info(p *pkg) *types.Info {
	if info := b.overlay[p]; info != nil {
		return info
	}
	info := newInfo()
	for fd, re := range b.funcs {
		if re.pkg == p {
			copyInfo(info, p.info, fd)
		}
	}
	for spec, d := range b.vars {
		if d.pkg == p {
			copyInfo(info, p.info, spec)
		}
	}
	for _, t := range b.targets {
		if t.pkg != p {
			continue
		}
		if t.lit != nil {
			copyInfo(info, p.info, t.lit)
			if t.decl != nil {
				copyInfo(info, p.info, t.decl.Name)
				copyInfo(info, p.info, t.decl.Type)
				if t.decl.Recv != nil {
					copyInfo(info, p.info, t.decl.Recv)
				}
			}
		}
	}
	b.overlay[p] = info
	return info
}

// copyInfo copies what src says about the nodes under n to dst.
func copyInfo(dst, src *types.Info, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			return true
		case *ast.Ident:
			copyEntry(dst.Defs, src.Defs, n)
			copyEntry(dst.Uses, src.Uses, n)
			copyEntry(dst.Instances, src.Instances, n)
		case *ast.SelectorExpr:
			copyEntry(dst.Selections, src.Selections, n)
		}
		if e, ok := n.(ast.Expr); ok {
			copyEntry(dst.Types, src.Types, e)
		}
		copyEntry(dst.Implicits, src.Implicits, n)
		copyEntry(dst.Scopes, src.Scopes, n)
		return true
	})
}

//go:noinline
func copyEntry[K comparable, V any](dst, src map[K]V, k K) {
	if v, ok := src[k]; ok {
		dst[k] = v
	}
}

// createPackages hands go/ssa the reached declarations of every package.
func (b *builder) createPackages() {
	decls := map[*pkg]map[*ast.File][]ast.Decl{}
	add := func(p *pkg, f *ast.File, ds ...ast.Decl) {
		if decls[p] == nil {
			decls[p] = map[*ast.File][]ast.Decl{}
		}
		decls[p][f] = append(decls[p][f], ds...)
	}
	for fd, re := range b.funcs {
		if !re.noBody {
			shared.work.Functions++
		} else {
			fd = &ast.FuncDecl{Recv: fd.Recv, Name: fd.Name, Type: fd.Type}
		}
		add(re.pkg, re.file, fd)
	}
	for spec, d := range b.vars {
		add(d.pkg, d.file, &ast.GenDecl{TokPos: spec.Pos(), Tok: token.VAR, Specs: []ast.Spec{spec}})
	}
	for _, t := range b.targets {
		if t.lit != nil {
			add(t.pkg, t.file) // its stand-ins are in the first target's file
		}
	}
	for p := range b.external {
		if sp := b.w.src[p.Path()]; sp == nil || sp.types != p {
			b.prog.CreatePackage(p, nil, nil, true)
		}
	}
	for p, byFile := range decls {
		info := *p.info
		if o := b.overlay[p]; o != nil {
			info = *o
		}
		info.InitOrder = nil
		info.FileVersions = map[*ast.File]string{}
		files := slices.Collect(maps.Keys(byFile))
		sort.Slice(files, func(i, j int) bool { return files[i].FileStart < files[j].FileStart })
		var synthetic []*ast.File
		for i, f := range files {
			ds := byFile[f]
			sort.Slice(ds, func(i, j int) bool { return ds[i].Pos() < ds[j].Pos() })
			if i == 0 {
				ds = append(ds, b.extra[p]...)
			}
			for _, d := range ds {
				notEvaluated(&info, d)
			}
			sf := &ast.File{Name: f.Name, Decls: ds}
			info.FileVersions[sf] = p.info.FileVersions[f]
			synthetic = append(synthetic, sf)
		}
		b.built = append(b.built, b.prog.CreatePackage(p.types, synthetic, &info, true))
	}
}

// function is the SSA function of a target, after everything was built.
func (b *builder) function(t *resolved) (*ssa.Function, error) {
	obj := t.fn
	if t.lit != nil {
		obj = b.encl[t]
	}
	var fn *ssa.Function
	switch {
	case t.sel != nil && t.captured && t.id.Bound():
		fn = b.boundWrapper(t.recv, t.sel)
	case t.sel != nil:
		fn = b.prog.MethodValue(t.sel)
	case len(t.args) == 0:
		fn = b.prog.FuncValue(obj)
	case obj.Signature().Recv() != nil:
		fn = b.method(t, obj)
	default:
		fn = b.instance(t, obj)
	}
	if fn == nil {
		return nil, &diag.Error{Pos: t.id.Position(), Msg: fmt.Sprintf("no SSA function for %s", obj.FullName())}
	}
	if t.lit == nil {
		return fn, nil
	}
	for _, a := range fn.AnonFuncs {
		if a.Syntax() == t.lit {
			return a, nil
		}
	}
	return nil, &diag.Error{Pos: b.w.fset.Position(t.lit.Pos()), Msg: "the literal was lost while building it"}
}

// method is the instance of a method of a generic type.
func (b *builder) method(t *resolved, obj *types.Func) *ssa.Function {
	recv := types.Unalias(obj.Signature().Recv().Type())
	ptr, isPtr := recv.(*types.Pointer)
	if isPtr {
		recv = types.Unalias(ptr.Elem())
	}
	named, ok := recv.(*types.Named)
	if !ok {
		return nil
	}
	inst, err := types.Instantiate(b.w.ctxt, named.Origin(), t.args, !t.unused)
	if err != nil {
		return nil
	}
	if isPtr {
		inst = types.NewPointer(inst)
	}
	sel := types.NewMethodSet(inst).Lookup(obj.Pkg(), obj.Name())
	if sel == nil {
		return nil
	}
	return b.prog.MethodValue(sel)
}

// instance is the instance of a generic function. go/ssa makes instances only
// for uses in source, so this builds a package with one:
//
//	func use() S { return F }  // with F's type arguments recorded
func (b *builder) instance(t *resolved, obj *types.Func) *ssa.Function {
	inst, err := types.Instantiate(b.w.ctxt, obj.Signature(), t.args, !t.unused)
	if err != nil {
		return nil
	}
	p := types.NewPackage("heddle.instance", "instance")
	p.MarkComplete()
	ref, name := &ast.Ident{Name: obj.Name()}, &ast.Ident{Name: "use"}
	result := types.NewTuple(types.NewParam(token.NoPos, p, "", inst))
	info := newInfo()
	info.Types[ref] = types.TypeAndValue{Type: inst}
	info.Uses[ref] = obj
	info.Instances[ref] = types.Instance{TypeArgs: typeList(b.w.ctxt, t.args), Type: inst}
	info.Defs[name] = types.NewFunc(token.NoPos, p, name.Name, types.NewSignatureType(nil, nil, nil, nil, result, false))
	fd := &ast.FuncDecl{Name: name,
		Type: &ast.FuncType{Params: &ast.FieldList{}, Results: &ast.FieldList{List: []*ast.Field{{Type: &ast.Ident{Name: "S"}}}}},
		Body: &ast.BlockStmt{List: []ast.Stmt{&ast.ReturnStmt{Results: []ast.Expr{ref}}}}}
	sp := b.prog.CreatePackage(p, []*ast.File{{Name: &ast.Ident{Name: p.Name()}, Decls: []ast.Decl{fd}}}, info, false)
	sp.Build()
	for _, blk := range sp.Func(name.Name).Blocks {
		for _, in := range blk.Instrs {
			if ret, ok := in.(*ssa.Return); ok {
				fn, _ := ret.Results[0].(*ssa.Function)
				return fn
			}
		}
	}
	return nil
}

// typeList makes a types.TypeList, which has no constructor: it instantiates a
// throw-away generic type and takes its arguments.
func typeList(ctxt *types.Context, args []types.Type) *types.TypeList {
	named := types.NewNamed(types.NewTypeName(token.NoPos, nil, "list", nil), types.NewStruct(nil, nil), nil)
	var params []*types.TypeParam
	for range args {
		params = append(params, types.NewTypeParam(types.NewTypeName(token.NoPos, nil, "P", nil), types.Universe.Lookup("any").Type()))
	}
	named.SetTypeParams(params)
	inst, err := types.Instantiate(ctxt, named, args, false)
	if err != nil {
		return nil
	}
	return inst.(*types.Named).TypeArgs()
}

// missingMethods finds declared functions that the built code calls though no
// identifier named them: methods called through type parameters. It adds them
// to the reach and reports whether there were any.
func (r *reach) missingMethods(roots []*ssa.Function) bool {
	found := false
	eachFunction(roots, func(fn *ssa.Function) {
		if fn.Blocks != nil {
			return
		}
		obj, ok := fn.Object().(*types.Func)
		if !ok {
			return
		}
		d := r.w.decls[obj.Origin()]
		if d == nil || r.funcs[d.fd] != nil {
			return
		}
		r.fn(obj.Origin())
		found = true
	})
	return found
}

// eachFunction visits the functions that roots refer to, directly or not.
func eachFunction(roots []*ssa.Function, visit func(*ssa.Function)) {
	seen := map[*ssa.Function]bool{}
	var walk func(fn *ssa.Function)
	walk = func(fn *ssa.Function) {
		if seen[fn] {
			return
		}
		seen[fn] = true
		visit(fn)
		var buf [8]*ssa.Value
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				for _, op := range in.Operands(buf[:0]) {
					if callee, ok := (*op).(*ssa.Function); ok {
						walk(callee)
					}
				}
			}
		}
	}
	for _, fn := range roots {
		walk(fn)
	}
}
