package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/module"
)

// ReadOnly reports whether the sources at hand never change a package-level
// variable after its initialisation: nothing assigns it or a part of it, and
// nothing takes its address except to index or slice it for reading, there or
// through a local variable that nothing else is done with. The
// compiler may then turn it into a constant table. A variable whose package is
// not here from source is not read-only.
func (u *Func) ReadOnly(g *ssa.Global) bool {
	yes, _ := u.readOnly(g)
	return yes
}

// Writer is where the sources at hand may change a package-level variable, not valid
// if that is not known.
func (u *Func) Writer(g *ssa.Global) token.Pos {
	_, at := u.readOnly(g)
	return at
}

func (u *Func) readOnly(g *ssa.Global) (yes bool, writer token.Pos) {
	shared.Lock()
	defer shared.Unlock()
	v, ok := g.Object().(*types.Var)
	if !ok {
		return false, token.NoPos
	}
	w := u.program.w
	d := w.decls[v]
	if d == nil || initOf(d, v) == nil && len(d.spec.Values) > 0 {
		return false, token.NoPos
	}
	own := w.decls[v].pkg
	if at, bad := own.written()[v]; bad {
		return false, at
	}
	for _, path := range slices.Sorted(maps.Keys(w.src)) {
		if at, bad := w.src[path].written()[v]; bad && v.Exported() {
			return false, at
		}
	}
	return true, token.NoPos
}

// importers are the packages, not here from source, that import a variable's package
// and so may write it. For the standard library's nobody looks: what would write its
// tables breaks more than a kernel.
func (w *universe) importers(v *types.Var) (paths []string) {
	own := v.Pkg().Path()
	if !v.Exported() || w.isStd(own) {
		return nil
	}
	for p, l := range w.list {
		if !l.Standard && w.src[p] == nil && p != own && slices.Contains(l.Imports, own) && w.canSource(p) {
			paths = append(paths, p)
		}
	}
	return paths
}

// Init returns the initialiser of a package-level variable with the type
// information for it. Both are nil for a variable that starts as zero or gets
// its value from a call with several results.
func (u *Func) Init(g *ssa.Global) (ast.Expr, *types.Info) {
	v, ok := g.Object().(*types.Var)
	if !ok {
		return nil, nil
	}
	shared.Lock()
	defer shared.Unlock()
	d := u.program.w.decls[v]
	if d == nil {
		return nil, nil
	}
	if e := initOf(d, v); e != nil {
		return e, d.pkg.info
	}
	return nil, nil
}

// initOf is the one expression that initialises v.
//
//go:noinline
func initOf(d *declRef, v *types.Var) ast.Expr {
	if d.spec == nil || len(d.spec.Values) != len(d.spec.Names) {
		return nil
	}
	for i, n := range d.spec.Names {
		if d.pkg.info.Defs[n] == v {
			return d.spec.Values[i]
		}
	}
	return nil
}

// Written are the package-level variables that the files may change, of their
// own package and of others: those that ReadOnly is false for. The position is the
// first one where they do.
func Written(info *types.Info, files []*ast.File) map[*types.Var]token.Pos {
	f := &writeFinder{info: info, writes: map[*types.Var]token.Pos{}, passing: map[ast.Expr]bool{}}
	for _, file := range files {
		for _, d := range file.Decls {
			ast.Inspect(d, f.visit)
		}
	}
	f.throughLocals()
	maps.DeleteFunc(f.writes, func(v *types.Var, _ token.Pos) bool { return v.Parent() != v.Pkg().Scope() })
	return f.writes
}

// written are the package-level variables that code of p may change, of p and
// of other packages.
func (p *pkg) written() map[*types.Var]token.Pos {
	if p.writes != nil {
		return p.writes
	}
	p.writes = Written(p.info, p.files)
	return p.writes
}

type writeFinder struct {
	info    *types.Info
	writes  map[*types.Var]token.Pos
	passing map[ast.Expr]bool // addresses, not visited yet, that do not count as writes by themselves
	held    []holder
}

// A holder is a local variable that is assigned memory of another variable: the other is
// written where the local variable is written through.
type holder struct {
	local, of *types.Var
	at        token.Pos
}

func (f *writeFinder) write(e ast.Expr) {
	if e == nil {
		return
	}
	if v := baseVar(f.info, e); v != nil && v.Pkg() != nil {
		f.note(v, e.Pos())
	}
}

func (f *writeFinder) note(v *types.Var, at token.Pos) {
	if _, known := f.writes[v]; !known {
		f.writes[v] = at
	}
}

// hold reports whether r is memory of a variable that a local variable l is assigned,
// which is no write by itself:
//
//	p := &table
//	if far {
//		p = &other
//	}
//	return p[3]
func (f *writeFinder) hold(l, r ast.Expr) bool {
	v := f.local(l)
	if v == nil {
		return false
	}
	switch v.Type().Underlying().(type) {
	case *types.Pointer, *types.Slice:
	default:
		return false // what is done with it later has other forms
	}
	r = ast.Unparen(r)
	base := r
	if x, ok := r.(*ast.UnaryExpr); ok && x.Op == token.AND {
		base = x.X
	} else if _, ok := r.(*ast.SliceExpr); !ok {
		if t := f.info.TypeOf(r); t == nil || !sharesMemory(t) {
			return false
		}
	}
	of := baseVar(f.info, base)
	if of == nil || of.Pkg() == nil {
		return false
	}
	f.passing[r] = true
	f.held = append(f.held, holder{v, of, r.Pos()})
	return true
}

// local is the local variable that e names, nil for another expression.
func (f *writeFinder) local(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := f.info.ObjectOf(id).(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return nil
	}
	return v
}

// assign looks at an assignment.
func (f *writeFinder) assign(lhs, rhs []ast.Expr) {
	for _, l := range lhs {
		if f.local(l) == nil { // else l itself is set, not what it refers to
			f.write(l)
		}
	}
	for i, r := range rhs {
		if len(lhs) != len(rhs) || !f.hold(lhs[i], r) {
			f.escapes(r)
		}
	}
}

// throughLocals notes what is written through the local variables that hold its address.
func (f *writeFinder) throughLocals() {
	for again := true; again; {
		again = false
		for _, h := range f.held {
			_, writes := f.writes[h.local]
			if _, known := f.writes[h.of]; writes && !known {
				f.note(h.of, h.at)
				again = true
			}
		}
	}
}

// baseVar is the variable that e is an element or a part of, through slices and
// pointers too: writing table[i] changes the table that a slice variable holds.
func baseVar(info *types.Info, e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := info.ObjectOf(x).(*types.Var)
			return v
		case *ast.SelectorExpr:
			if _, ok := info.Selections[x]; !ok {
				v, _ := info.Uses[x.Sel].(*types.Var)
				return v
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// visit looks at one node for writes. What leaves an expression as a slice or
// a pointer may be written through, so only indexing, len, cap, range and
// copying from a variable of such a type leave it read-only.
func (f *writeFinder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		f.assign(n.Lhs, n.Rhs)
	case *ast.FuncType: // a result that has a name leaves with what it holds
		if n.Results != nil {
			for _, r := range n.Results.List {
				for _, id := range r.Names {
					f.write(id)
				}
			}
		}
	case *ast.IncDecStmt:
		f.write(n.X)
	case *ast.RangeStmt:
		if x, ok := ast.Unparen(n.X).(*ast.UnaryExpr); ok && x.Op == token.AND {
			f.passing[x] = true // for v := range &table only reads
		}
		if n.Tok == token.ASSIGN {
			f.write(n.Key)
			f.write(n.Value)
		}
		if n.Value != nil {
			if t := f.info.TypeOf(n.Value); t != nil && sharesMemory(t) {
				f.write(n.X)
			}
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND && !f.passing[n] {
			f.write(n.X)
		}
	case *ast.SelectorExpr:
		if addressedByCall(f.info, n) {
			f.write(n.X)
		} else if sel := f.info.Selections[n]; sel != nil && sel.Kind() == types.MethodVal {
			f.escapes(n.X)
		}
	case *ast.CallExpr:
		f.call(n)
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			f.escapes(e)
		}
	case *ast.SendStmt:
		f.escapes(n.Value)
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			f.escapes(e)
		}
	case *ast.ValueSpec:
		for i, e := range n.Values {
			if len(n.Values) != len(n.Names) || !f.hold(n.Names[i], e) {
				f.escapes(e)
			}
		}
	}
	return true
}

// call looks at the arguments of a call: len, cap and the source of copy only read.
func (f *writeFinder) call(c *ast.CallExpr) {
	args := c.Args
	if f.info.Types[c.Fun].IsBuiltin() {
		name := ""
		if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok {
			name = id.Name
		}
		switch name {
		case "len", "cap", "min", "max", "print", "println":
			return
		case "copy", "clear", "delete":
			f.write(args[0])
			return
		case "append":
			// append(table, ...) may write behind the table's end only; what it
			// returns shares the table
		}
	}
	for _, a := range args {
		f.escapes(a)
	}
}

// escapes notes a variable whose memory the value of e shares.
func (f *writeFinder) escapes(e ast.Expr) {
	t := f.info.TypeOf(e)
	if t == nil || !sharesMemory(t) {
		if s, ok := ast.Unparen(e).(*ast.SliceExpr); ok {
			f.write(s.X)
		}
		return
	}
	f.write(e)
}

// sharesMemory reports whether a copy of a value of type t refers to the same
// memory as the value. That of a device variable (dsl.Global) does, but it is not the
// package variable's.
func sharesMemory(t types.Type) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == module.DSL {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Slice, *types.Pointer, *types.Map, *types.Chan:
		return true
	case *types.Array:
		return sharesMemory(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if sharesMemory(f.Type()) {
				return true
			}
		}
	}
	return false
}
