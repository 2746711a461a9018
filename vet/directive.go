package vet

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/source"
	"heddle/ssa2ir"
)

// This file hands the compiler's check the directives //heddle:name.

// direct applies the directives above a kernel.
func (v *vetter) direct(k *ssa2ir.Kernel) error {
	for _, d := range v.directives(k.Fn.Syntax()) {
		if err := k.Apply(v.pass.Fset.Position(d.Pos), d.Name, d.Args); err != nil {
			return err
		}
	}
	return nil
}

// directives are those above a function's declaration or literal.
func (v *vetter) directives(fn ast.Node) []source.Directive {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return source.CommentDirectives(fn.Doc)
	case *ast.FuncLit:
		f := v.file(fn.Pos())
		if f == nil {
			return nil
		}
		for _, d := range f.Decls {
			if d.Pos() <= fn.Pos() && fn.End() <= d.End() {
				return source.LitDirectives(v.pass.Fset, f, d, fn)
			}
		}
	}
	return nil
}

// unroll is ssa2ir.Kernel's Unroll: the directive above a loop.
func (v *vetter) unroll(loop token.Pos) (u ssa2ir.Unroll, problem string) {
	f := v.file(loop)
	if f == nil {
		return 0, ""
	}
	line := v.pass.Fset.PositionFor(loop, false).Line
	for _, g := range f.Comments {
		if v.pass.Fset.PositionFor(g.End(), false).Line+1 != line {
			continue
		}
		for _, d := range source.CommentDirectives(g) {
			if d.Name == "unroll" {
				return ssa2ir.ReadUnroll(d.Args)
			}
		}
	}
	return 0, ""
}

// file is the file of the package that holds a place; nil if none does.
func (v *vetter) file(at token.Pos) *ast.File {
	for _, f := range v.pass.Files {
		if f.FileStart <= at && at < f.FileEnd {
			return f
		}
	}
	return nil
}

// functionDirectives is ssa2ir.Kernel's Directives: those above a function that a kernel calls.
func (v *vetter) functionDirectives(fn *ssa.Function) (ds []ssa2ir.Directive) {
	for _, d := range v.directives(fn.Syntax()) {
		ds = append(ds, ssa2ir.Directive{Pos: v.pass.Fset.Position(d.Pos), Name: d.Name, Args: d.Args})
	}
	return ds
}
