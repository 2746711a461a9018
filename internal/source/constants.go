package source

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"heddle/internal/lazy"
)

// This file tells what constants decide: the clause that a switch takes, what is
// left of a condition, where a list of statements ends, as the compiler sees it.

// constantCase is the body of the clause a switch over constants takes.
func (w *liveWalker) constantCase(s *ast.SwitchStmt) (body []ast.Stmt, decided bool) {
	tag := constant.MakeBool(true)
	if s.Tag != nil {
		if tag = w.info.Types[s.Tag].Value; tag == nil {
			return nil, false
		}
	}
	for _, c := range s.Body.List {
		cc, ok := c.(*ast.CaseClause)
		if !ok {
			continue
		}
		if cc.List == nil {
			body = cc.Body
		}
		for _, e := range cc.List {
			v := w.info.Types[e].Value
			if v == nil {
				return nil, false
			}
			if constant.Compare(tag, token.EQL, v) {
				return cc.Body, !fallsThrough(cc.Body)
			}
		}
	}
	return body, !fallsThrough(body)
}

//go:noinline
func fallsThrough(body []ast.Stmt) bool {
	for i := len(body) - 1; i >= 0; i-- {
		switch s := body[i].(type) {
		case *ast.EmptyStmt:
		case *ast.BranchStmt:
			return s.Tok == token.FALLTHROUGH
		default:
			return false
		}
	}
	return false
}

// decisive is, by operator, the value of an operand that decides the whole, in the
// numbers of static.
var decisive = lazy.Value[map[token.Token]int]{Make: func() map[token.Token]int {
	return map[token.Token]int{token.LAND: -1, token.LOR: 1}
}}

// simplify drops the operands of && and || that the compiler drops. Like the
// compiler it does not look through parentheses.
func (w *liveWalker) simplify(e ast.Expr) ast.Expr {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || decisive.Get()[b.Op] == 0 {
		return e
	}
	decisive, x := decisive.Get()[b.Op], w.static(b.X)
	if x == decisive {
		return w.simplify(b.X)
	}
	if y := w.static(b.Y); (x == -decisive || y == decisive) && w.info.Types[b.X].Value != nil {
		return w.simplify(b.Y)
	}
	return e
}

// static is 1 or -1 for a condition the compiler knows to be true or false, 0
// for another. A negation is not evaluated, as in the compiler.
func (w *liveWalker) static(e ast.Expr) int {
	if v := w.info.Types[e].Value; v != nil && v.Kind() == constant.Bool {
		if constant.BoolVal(v) {
			return 1
		}
		return -1
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return w.static(e.X)
		}
	case *ast.BinaryExpr:
		if decisive.Get()[e.Op] == 0 {
			return 0
		}
		decisive, x := decisive.Get()[e.Op], w.static(e.X)
		if x == decisive {
			return x
		}
		if y := w.static(e.Y); x == -decisive || y == decisive {
			return y
		}
	}
	return 0
}

// terminates reports whether the compiler drops what follows s in its list.
func (w *liveWalker) terminates(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BranchStmt:
		return s.Tok == token.GOTO
	case *ast.ReturnStmt:
		return true
	case *ast.ExprStmt:
		c, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := ast.Unparen(c.Fun).(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := w.info.Uses[id].(*types.Builtin)
		return ok && b.Name() == "panic"
	case *ast.IfStmt:
		c := w.static(s.Cond)
		return (c < 0 || w.terminates(s.Body)) && (c > 0 || s.Else != nil && w.terminates(s.Else))
	case *ast.BlockStmt:
		for i := len(s.List) - 1; i >= 0; i-- {
			if _, ok := s.List[i].(*ast.EmptyStmt); !ok {
				return w.terminates(s.List[i])
			}
		}
	}
	return false
}
