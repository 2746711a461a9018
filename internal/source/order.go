package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// This file finds the order in which the compiler stores captured variables in
// a closure object: the order in which it first writes a use of each, which is
// textual order without constant expressions and statically dead code.

// captureOrder lists the variables of enclosing functions that lit captures.
func captureOrder(info *types.Info, lit *ast.FuncLit) []*types.Var {
	w := &liveWalker{info: info, lit: lit, seen: map[*types.Var]bool{}}
	w.stmts(lit.Body.List)
	return w.vars
}

// A liveWalker visits the live code of a body in the compiler's order.
type liveWalker struct {
	info *types.Info
	lit  *ast.FuncLit // variables declared outside of it are captured
	seen map[*types.Var]bool
	vars []*types.Var
	// visit, if not nil, is told every live statement, expression and ValueSpec.
	visit func(ast.Node)
}

func (w *liveWalker) use(id *ast.Ident) {
	v, ok := w.info.Uses[id].(*types.Var)
	if !ok || v.IsField() || w.seen[v] || v.Pkg() == nil || v.Parent() == nil || v.Parent() == v.Pkg().Scope() {
		return
	}
	if w.lit != nil && v.Pos() >= w.lit.Pos() && v.Pos() < w.lit.End() {
		return
	}
	w.seen[v] = true
	w.vars = append(w.vars, v)
}

//go:noinline
func (w *liveWalker) exprs(list ...ast.Expr) {
	for _, e := range list {
		w.expr(e)
	}
}

func (w *liveWalker) expr(e ast.Expr) {
	if e == nil {
		return
	}
	e = ast.Unparen(e)
	if tv, ok := w.info.Types[e]; ok && (tv.Value != nil || tv.IsType()) {
		return
	}
	if w.visit != nil {
		w.visit(e)
	}
	switch e := e.(type) {
	case *ast.Ident:
		w.use(e)
	case *ast.CompositeLit:
		w.compositeLit(e)
	case *ast.FuncLit:
		w.stmts(e.Body.List)
	case *ast.SelectorExpr:
		if w.selectsFromValue(e) {
			w.expr(e.X)
		}
	case *ast.IndexExpr:
		w.expr(e.X)
		if !isInstance(w.info, e.X) {
			w.expr(e.Index)
		}
	case *ast.IndexListExpr:
		w.expr(e.X)
	case *ast.SliceExpr:
		w.exprs(e.X, e.Low, e.High, e.Max)
	case *ast.TypeAssertExpr:
		w.expr(e.X)
	case *ast.StarExpr:
		w.expr(e.X)
	case *ast.UnaryExpr:
		w.expr(e.X)
	case *ast.BinaryExpr:
		w.exprs(e.X, e.Y)
	case *ast.CallExpr:
		w.call(e)
	case *ast.KeyValueExpr:
		w.expr(e.Value)
	}
}

// selectsFromValue reports whether e.X is a value, and not a package or a type.
func (w *liveWalker) selectsFromValue(e *ast.SelectorExpr) bool {
	if sel, ok := w.info.Selections[e]; ok {
		return sel.Kind() != types.MethodExpr
	}
	// a qualified identifier, or a selection from a value of unknown type
	id, ok := ast.Unparen(e.X).(*ast.Ident)
	if !ok {
		return true
	}
	_, isPkg := w.info.Uses[id].(*types.PkgName)
	return !isPkg
}

func (w *liveWalker) compositeLit(e *ast.CompositeLit) {
	under := coreType(w.info.TypeOf(e))
	if p, ok := under.(*types.Pointer); ok {
		under = coreType(p.Elem())
	}
	_, isStruct := under.(*types.Struct)
	for _, el := range e.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			w.expr(el)
			continue
		}
		if !isStruct {
			w.expr(kv.Key)
		}
		w.expr(kv.Value)
	}
}

func (w *liveWalker) call(e *ast.CallExpr) {
	if w.info.Types[e.Fun].IsBuiltin() {
		name := ""
		switch f := ast.Unparen(e.Fun).(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
		}
		switch name {
		case "Sizeof", "Alignof", "Offsetof":
			return
		}
	} else {
		w.expr(e.Fun)
	}
	w.exprs(e.Args...)
}

// coreType is the underlying type, through the constraint of a type parameter.
func coreType(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	if tp, ok := types.Unalias(t).(*types.TypeParam); ok {
		if c := coreTerm(tp); c != nil {
			return c
		}
	}
	return t.Underlying()
}

// isInstance reports whether e names a generic function that is instantiated there.
func isInstance(info *types.Info, e ast.Expr) bool {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	}
	_, ok := info.Instances[id]
	return ok
}

// stmts visits a statement list up to where it ends for certain, and from the
// last label on.
func (w *liveWalker) stmts(list []ast.Stmt) {
	lastLabel := -1
	for i, s := range list {
		if _, ok := s.(*ast.LabeledStmt); ok {
			lastLabel = i
		}
	}
	dead := false
	for i, s := range list {
		if _, label := s.(*ast.LabeledStmt); dead && i > lastLabel && !label {
			continue
		}
		w.stmt(s)
		dead = w.terminates(s)
	}
}

func (w *liveWalker) stmt(s ast.Stmt) {
	if s == nil {
		return
	}
	if w.visit != nil {
		w.visit(s)
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		w.assigned(s.Lhs...)
		w.exprs(s.Rhs...)
	case *ast.BlockStmt:
		w.stmts(s.List)
	case *ast.DeclStmt:
		w.decl(s.Decl)
	case *ast.DeferStmt:
		w.expr(s.Call)
	case *ast.GoStmt:
		w.expr(s.Call)
	case *ast.ExprStmt:
		w.expr(s.X)
	case *ast.ForStmt:
		w.stmt(s.Init)
		w.cond(s.Cond)
		if s.Cond == nil || w.static(s.Cond) >= 0 {
			w.stmt(s.Post)
			w.stmts(s.Body.List)
		}
	case *ast.RangeStmt:
		w.rangeStmt(s)
	case *ast.IfStmt:
		w.stmt(s.Init)
		c := w.static(s.Cond)
		w.cond(s.Cond)
		if c >= 0 {
			w.stmts(s.Body.List)
		}
		if c <= 0 {
			w.stmt(s.Else)
		}
	case *ast.IncDecStmt:
		w.expr(s.X)
	case *ast.LabeledStmt:
		w.stmt(s.Stmt)
	case *ast.ReturnStmt:
		w.exprs(s.Results...)
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			if cc, ok := c.(*ast.CommClause); ok {
				w.stmt(cc.Comm)
				w.stmts(cc.Body)
			}
		}
	case *ast.SendStmt:
		w.exprs(s.Chan, s.Value)
	case *ast.SwitchStmt:
		w.stmt(s.Init)
		w.switchStmt(s)
	case *ast.TypeSwitchStmt:
		w.stmt(s.Init)
		w.typeSwitch(s)
	}
}

// assigned visits the left side of an assignment: names it declares, and the
// blank identifier, are no uses.
func (w *liveWalker) assigned(lhs ...ast.Expr) {
	for _, l := range lhs {
		if id, ok := l.(*ast.Ident); ok && (id.Name == "_" || w.info.Defs[id] != nil) {
			continue
		}
		w.expr(l)
	}
}

func (w *liveWalker) decl(d ast.Decl) {
	gd, ok := d.(*ast.GenDecl)
	if !ok || gd.Tok != token.VAR {
		return
	}
	for _, sp := range gd.Specs {
		if w.visit != nil {
			w.visit(sp)
		}
		if vs, ok := sp.(*ast.ValueSpec); ok {
			w.exprs(vs.Values...)
		}
	}
}

func (w *liveWalker) rangeStmt(s *ast.RangeStmt) {
	for _, l := range []ast.Expr{s.Key, s.Value} {
		if l != nil {
			w.assigned(l)
		}
	}
	if _, ok := coreType(w.info.TypeOf(s.X)).(*types.Signature); ok {
		// the compiler turns the body into a closure and writes that first
		w.stmts(s.Body.List)
		w.expr(s.X)
		return
	}
	if !w.indexOnly(s) {
		w.expr(s.X)
	}
	w.stmts(s.Body.List)
}

// indexOnly reports whether s ranges over the indices of an array without
// looking at it: the compiler takes the array's length for a constant then,
// unless a call or receive in the expression may have an effect.
func (w *liveWalker) indexOnly(s *ast.RangeStmt) bool {
	t := w.info.TypeOf(s.X)
	if s.Value != nil || t == nil {
		return false
	}
	under := t.Underlying()
	if p, ok := under.(*types.Pointer); ok {
		under = p.Elem().Underlying()
	}
	if _, ok := under.(*types.Array); !ok {
		return false
	}
	effects := false
	ast.Inspect(s.X, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			tv := w.info.Types[n]
			effects = effects || tv.Value == nil && !w.info.Types[n.Fun].IsType()
		case *ast.UnaryExpr:
			effects = effects || n.Op == token.ARROW
		}
		return !effects
	})
	return !effects
}

func (w *liveWalker) typeSwitch(s *ast.TypeSwitchStmt) {
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X
	case *ast.AssignStmt:
		x = a.Rhs[0]
	}
	if ta, ok := ast.Unparen(x).(*ast.TypeAssertExpr); ok {
		w.expr(ta.X)
	}
	for _, c := range s.Body.List {
		if cc, ok := c.(*ast.CaseClause); ok {
			w.stmts(cc.Body)
		}
	}
}

// switchStmt visits only the clause that is taken, where constants decide.
func (w *liveWalker) switchStmt(s *ast.SwitchStmt) {
	if body, decided := w.constantCase(s); decided {
		w.stmts(body)
		return
	}
	w.expr(s.Tag)
	for _, c := range s.Body.List {
		cc, ok := c.(*ast.CaseClause)
		if !ok {
			continue
		}
		w.exprs(cc.List...)
		w.stmts(cc.Body)
	}
}

// cond visits a condition as the compiler simplifies it.
func (w *liveWalker) cond(e ast.Expr) {
	if e != nil {
		w.expr(w.simplify(e))
	}
}
