package ssa2ir

// This file finds the directives //heddle:unroll above loops, also of functions that have become part of another one.

import (
	"go/ast"
	"go/token"
	"slices"
	"sort"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/inline"
)

// loopsIn are the loops of a function's syntax, the shorter first, and what is asked of them. reports: what is wrong with that is an error.
func (c *checker) loopsIn(root ast.Node, reports bool) (stmts []ast.Node, directives map[ast.Node]Unroll) {
	directives = map[ast.Node]Unroll{}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return n == root
		case *ast.ForStmt, *ast.RangeStmt:
			stmts = append(stmts, n)
			if c.k.Unroll == nil {
				break
			}
			u, problem := c.k.Unroll(n.Pos())
			if problem != "" && reports {
				c.errorf(n.Pos(), "", "//heddle:unroll: %s", problem)
			} else if problem == "" && u != unrollAsIs {
				directives[n] = u
			}
		}
		return true
	})
	length := func(n ast.Node) token.Pos { return n.End() - n.Pos() }
	sort.SliceStable(stmts, func(i, j int) bool { return length(stmts[i]) < length(stmts[j]) })
	return stmts, directives
}

// within reports whether all of the loop's instructions come from n.
func (l *loop) within(n ast.Node, sites *inline.Sites) bool {
	return l.allWithin(n, sites.Position)
}

// allWithin is within, where position is where an instruction stands.
func (l *loop) allWithin(n ast.Node, position func(i ssa.Instruction) token.Pos) bool {
	for b := range l.blocks {
		for _, i := range b.Instrs {
			if _, ok := i.(*ssa.Phi); ok { // placed at the variable's declaration
				continue
			}
			if p := position(i); p.IsValid() && (p < n.Pos() || p >= n.End()) {
				return false
			}
		}
	}
	return true
}

// A directedPart is a function that is part of another one, with what is asked of its loops.
type directedPart struct {
	stmts      []ast.Node
	directives map[ast.Node]Unroll
	taken      map[ast.Node][]*loop
}

// askedAt is what is asked of a loop of a function that has become part of this one. There may be several copies of it. What moved there from elsewhere
// has no position in the function, so that the loop is then none of its.
func (c *checker) askedAt(l *loop, s *inline.Site, parts map[*inline.Site]*directedPart) Unroll {
	p := parts[s]
	if p == nil {
		p = &directedPart{taken: map[ast.Node][]*loop{}}
		if syntax := s.Fn.Syntax(); syntax != nil {
			p.stmts, p.directives = c.loopsIn(syntax, false)
		}
		parts[s] = p
	}
	if len(p.directives) == 0 {
		return unrollAsIs
	}
	for _, n := range p.stmts {
		inner := func(o *loop) bool { return l.blocks[o.header] }
		if !slices.ContainsFunc(p.taken[n], inner) && l.allWithin(n, func(i ssa.Instruction) token.Pos { return c.in.sites.PositionIn(i, s) }) {
			p.taken[n] = append(p.taken[n], l)
			return p.directives[n]
		}
	}
	return unrollAsIs
}
