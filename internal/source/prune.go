package source

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
)

// This file leaves statically dead code out of what go/ssa builds, as the
// compiler does: what only such code refers to need not exist on a device.
//
//	if debug { fmt.Println(x) }	// with const debug = false

// A pruner cuts dead statements out of syntax, which other builds share: restore
// puts them back.
type pruner struct {
	undo []func()
	done map[ast.Node]bool
	cuts []cut // outer ones first
}

// A cut is a statement that was cut out, or a part of one that was not.
type cut struct {
	ast.Node
	kept bool
}

// live leaves out the errors in statements that were cut.
func (p *pruner) live(errs []types.Error) []types.Error {
	return slices.DeleteFunc(errs, func(e types.Error) bool {
		dead := false
		for _, c := range p.cuts {
			if c.Pos() <= e.Pos && e.Pos < c.End() {
				dead = !c.kept
			}
		}
		return dead
	})
}

// cut records how a statement ended up.
//
//go:noinline
func (p *pruner) cut(s, live ast.Stmt) {
	p.cuts = append(p.cuts, cut{s, false})
	if b, ok := live.(*ast.BlockStmt); ok {
		for _, part := range b.List {
			p.cuts = append(p.cuts, cut{part, true})
		}
	}
}

// prune cuts the dead statements out of a checked declaration or literal.
func (p *pruner) prune(info *types.Info, root ast.Node) {
	if p.done[root] {
		return
	}
	if p.done == nil {
		p.done = map[ast.Node]bool{}
	}
	p.done[root] = true
	w := &liveWalker{info: info}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			p.list(w, &n.List)
		case *ast.CaseClause:
			p.list(w, &n.Body)
		case *ast.CommClause:
			p.list(w, &n.Body)
		case *ast.IfStmt:
			if n.Else != nil {
				if live := w.alive(n.Else); live != n.Else {
					p.cut(n.Else, live)
					set(p, &n.Else, live)
				}
			}
		case *ast.SwitchStmt:
			p.clauses(w, n)
		}
		return true
	})
}

// set assigns to a part of the syntax until restore.
//
//go:noinline
func set[T any](p *pruner, part *T, v T) {
	old := *part
	p.undo = append(p.undo, func() { *part = old })
	*part = v
}

// restore makes the syntax what it was.
func (p *pruner) restore() {
	for i := len(p.undo) - 1; i >= 0; i-- {
		p.undo[i]()
	}
	p.undo, p.done = nil, nil
}

// list cuts dead statements out of a list, those after its certain end included.
func (p *pruner) list(w *liveWalker, list *[]ast.Stmt) {
	var out []ast.Stmt
	changed, labels := false, false
	for _, s := range *list {
		_, label := s.(*ast.LabeledStmt)
		labels = labels || label
	}
	for i, s := range *list {
		live := w.alive(s)
		if live != s {
			p.cut(s, live)
			changed = true
		}
		out = append(out, live)
		if _, isIf := live.(*ast.IfStmt); !labels && !isIf && w.terminates(live) && i+1 < len(*list) {
			changed = true
			for _, dead := range (*list)[i+1:] {
				p.cut(dead, nil)
			}
			break
		}
	}
	if changed {
		set(p, list, out)
	}
}

// clauses empties the clauses that a switch over constants does not take.
func (p *pruner) clauses(w *liveWalker, s *ast.SwitchStmt) {
	taken, decided := w.constantCase(s)
	if !decided {
		return
	}
	for _, c := range s.Body.List {
		if cc, ok := c.(*ast.CaseClause); ok && len(cc.Body) > 0 && (len(taken) == 0 || cc.Body[0] != taken[0]) {
			for _, dead := range cc.Body {
				p.cut(dead, nil)
			}
			set(p, &cc.Body, nil)
		}
	}
}

// alive is what is left of a statement that a constant condition decides; s
// itself if nothing decides it.
func (w *liveWalker) alive(s ast.Stmt) ast.Stmt {
	var parts []ast.Stmt
	switch s := s.(type) {
	case *ast.IfStmt:
		switch w.decided(s.Cond) {
		case 1:
			parts = []ast.Stmt{s.Init, s.Body}
		case -1:
			parts = []ast.Stmt{s.Init, s.Else}
		default:
			return s
		}
	case *ast.ForStmt:
		if s.Cond == nil || w.decided(s.Cond) >= 0 {
			return s
		}
		parts = []ast.Stmt{s.Init}
	default:
		return s
	}
	b := &ast.BlockStmt{Lbrace: s.Pos(), Rbrace: s.End()}
	for _, part := range parts {
		if part != nil {
			b.List = append(b.List, part)
		}
	}
	return b
}

// decided is 1 or -1 for a condition that is true or false and without effect.
func (w *liveWalker) decided(cond ast.Expr) int {
	v := w.info.Types[w.simplify(ast.Unparen(cond))].Value
	switch {
	case v == nil || v.Kind() != constant.Bool:
		return 0
	case constant.BoolVal(v):
		return 1
	}
	return -1
}
