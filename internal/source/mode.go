package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// This file predicts how the compiler captures a variable: by value if it is at
// most 128 bytes, never reassigned and its address never taken, else by
// reference. Inlining can change the answer for reassigned variables, so for
// those only the closure's run-time type decides.

// A captureMode says how a variable is stored in a closure object.
type captureMode int

const (
	byValue captureMode = iota
	byRef
	undecided // depends on what the compiler inlined
)

// varUse sums up what a declaration does with a variable.
type varUse struct {
	addressed bool
	assigned  bool
	rangeVar  bool
	commVar   bool // declared by a select case
	result    bool // a named result
}

// mode predicts how a variable of the given size is captured.
func (u *varUse) mode(size int64) captureMode {
	switch {
	case size > 128:
		return byRef
	case u == nil:
		return byValue
	case u.addressed:
		return byRef
	case u.result || u.commVar || u.assigned || u.rangeVar:
		return undecided
	}
	return byValue
}

// rootVar is the variable whose memory the operand e is part of.
func rootVar(info *types.Info, e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := info.Uses[x].(*types.Var)
			return v
		case *ast.SelectorExpr:
			sel, ok := info.Selections[x]
			if !ok { // perhaps pkg.Var
				v, _ := info.Uses[x.Sel].(*types.Var)
				return v
			}
			if sel.Kind() != types.FieldVal || sel.Indirect() {
				return nil
			}
			e = x.X
		case *ast.IndexExpr:
			if _, ok := coreType(info.TypeOf(x.X)).(*types.Array); !ok {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

// A useFinder collects the varUses of a declaration.
type useFinder struct {
	info *types.Info
	uses map[*types.Var]*varUse
}

// varUses analyses the live code of a top-level declaration, its literals
// included.
func varUses(info *types.Info, top ast.Decl) map[*types.Var]*varUse {
	f := &useFinder{info: info, uses: map[*types.Var]*varUse{}}
	w := &liveWalker{info: info, seen: map[*types.Var]bool{}, visit: f.visit}
	switch top := top.(type) {
	case *ast.FuncDecl:
		f.results(top.Type)
		if top.Body != nil {
			w.stmts(top.Body.List)
		}
	case *ast.GenDecl:
		for _, sp := range top.Specs {
			if vs, ok := sp.(*ast.ValueSpec); ok {
				w.exprs(vs.Values...)
			}
		}
	}
	return f.uses
}

//go:noinline
func (f *useFinder) of(v *types.Var) *varUse {
	u := f.uses[v]
	if u == nil {
		u = new(varUse)
		f.uses[v] = u
	}
	return u
}

func (f *useFinder) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncLit:
		f.results(n.Type)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			f.addressed(n.X)
		}
	case *ast.SliceExpr:
		if _, ok := coreType(f.info.TypeOf(n.X)).(*types.Array); ok {
			f.addressed(n.X)
		}
	case *ast.SelectorExpr:
		if addressedByCall(f.info, n) {
			f.addressed(n.X)
		}
	case *ast.AssignStmt:
		f.assigned(n.Lhs...)
	case *ast.IncDecStmt:
		f.assigned(n.X)
	case *ast.RangeStmt:
		for _, l := range []ast.Expr{n.Key, n.Value} {
			id, ok := l.(*ast.Ident)
			if !ok {
				f.assigned(l)
				continue
			}
			if v, ok := f.info.Defs[id].(*types.Var); ok {
				f.of(v).rangeVar = true
			} else {
				f.assigned(l)
			}
		}
	case *ast.SelectStmt:
		for _, c := range n.Body.List {
			if cc, ok := c.(*ast.CommClause); ok {
				f.commVars(cc.Comm)
			}
		}
	}
}

func (f *useFinder) addressed(e ast.Expr) {
	if v := rootVar(f.info, e); v != nil {
		f.of(v).addressed = true
	}
}

func (f *useFinder) assigned(list ...ast.Expr) {
	for _, e := range list {
		if e == nil {
			continue
		}
		if id, ok := e.(*ast.Ident); ok && f.info.Defs[id] != nil {
			continue
		}
		if v := rootVar(f.info, e); v != nil {
			f.of(v).assigned = true
		}
	}
}

func (f *useFinder) commVars(comm ast.Stmt) {
	as, ok := comm.(*ast.AssignStmt)
	if !ok || as.Tok != token.DEFINE {
		return
	}
	for _, l := range as.Lhs {
		if id, ok := l.(*ast.Ident); ok {
			if v, ok := f.info.Defs[id].(*types.Var); ok {
				f.of(v).commVar = true
			}
		}
	}
}

//go:noinline
func (f *useFinder) results(ft *ast.FuncType) {
	if ft.Results == nil {
		return
	}
	for _, field := range ft.Results.List {
		for _, n := range field.Names {
			if v, ok := f.info.Defs[n].(*types.Var); ok {
				f.of(v).result = true
			}
		}
	}
}

// addressedByCall reports whether the method selection e takes the address of
// its operand, because the method has a pointer receiver and the operand is a
// value.
func addressedByCall(info *types.Info, e *ast.SelectorExpr) bool {
	sel := info.Selections[e]
	if sel == nil || sel.Kind() != types.MethodVal {
		return false
	}
	fn, ok := sel.Obj().(*types.Func)
	if !ok {
		return false
	}
	if _, ok := types.Unalias(fn.Signature().Recv().Type()).(*types.Pointer); !ok {
		return false
	}
	// walk the embedded fields on the way to the method
	t := info.TypeOf(e.X)
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		if _, ok := t.Underlying().(*types.Pointer); ok {
			return false
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return false
		}
		t = st.Field(i).Type()
	}
	_, ptr := t.Underlying().(*types.Pointer)
	return !ptr
}
