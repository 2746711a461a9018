package vet

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// This file implements the comments that silence a report, in staticcheck's form:
//
//	//lint:ignore heddle REASON         the line of the comment, or the next one if it is
//	                                    alone in its own; above a declaration, all of that
//	//lint:file-ignore heddle REASON    the file
//
// The name may be one of several, "SA4010,heddle".

// An ignore is one such comment.
type ignore struct {
	pos         token.Pos
	file        string
	first, last int // lines
	used        bool
}

const lintIgnore, lintFileIgnore = "//lint:ignore ", "//lint:file-ignore "

// ignores reads the comments of the package's files. Those without a reason are
// reported, and silence nothing.
func (v *vetter) ignores() (all []*ignore) {
	for _, f := range v.pass.Files {
		docs := map[*ast.CommentGroup]ast.Node{}
		for _, d := range f.Decls {
			declared(docs, d)
		}
		for _, g := range f.Comments {
			for _, c := range g.List {
				if i := v.ignore(f, docs[g], c); i != nil {
					all = append(all, i)
				}
			}
		}
	}
	return all
}

// declared notes what comments belong to.
func declared(docs map[*ast.CommentGroup]ast.Node, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		docs[d.Doc] = d
	case *ast.GenDecl:
		docs[d.Doc] = d
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				docs[s.Doc] = s
			case *ast.TypeSpec:
				docs[s.Doc] = s
			}
		}
	}
}

// ignore is what a comment silences, nil if it is none of these.
func (v *vetter) ignore(f *ast.File, of ast.Node, c *ast.Comment) *ignore {
	rest, one := strings.CutPrefix(c.Text, lintIgnore)
	if !one {
		var whole bool
		if rest, whole = strings.CutPrefix(c.Text, lintFileIgnore); !whole {
			return nil
		}
		of = f
	}
	names, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if !slices.Contains(strings.Split(names, ","), v.pass.Analyzer.Name) {
		return nil
	}
	if reason = strings.TrimSpace(reason); reason == "" || strings.HasPrefix(reason, "//") {
		v.report(c.Pos(), "this comment silences nothing without a reason (//lint:ignore %s REASON)", v.pass.Analyzer.Name)
		return nil
	}
	at := v.pass.Fset.PositionFor(c.Pos(), false)
	i := &ignore{pos: c.Pos(), file: at.Filename, first: at.Line, last: at.Line}
	if v.alone(at) {
		i.first, i.last = at.Line+1, at.Line+1
	}
	if of != nil {
		i.first, i.last = v.pass.Fset.PositionFor(of.Pos(), false).Line, v.pass.Fset.PositionFor(of.End(), false).Line
	}
	if of == f {
		i.first = 1
	}
	return i
}

// alone reports whether a comment has its line for itself.
func (v *vetter) alone(at token.Position) bool {
	text, err := v.pass.ReadFile(at.Filename)
	if err != nil || at.Offset > len(text) {
		return true
	}
	line := text[bytes.LastIndexByte(text[:at.Offset], '\n')+1 : at.Offset]
	return len(bytes.TrimSpace(line)) == 0
}

// flush reports what was found and is not silenced, and the comments that silence nothing.
func (v *vetter) flush() {
	all := v.ignores()
	for _, d := range v.found {
		at, silent := v.pass.Fset.PositionFor(d.Pos, false), false
		for _, i := range all {
			if i.file == at.Filename && i.first <= at.Line && at.Line <= i.last {
				i.used, silent = true, true
			}
		}
		if !silent {
			v.pass.Report(d)
		}
	}
	for _, i := range all {
		if !i.used {
			v.pass.Report(analysis.Diagnostic{Pos: i.pos, Message: "nothing is wrong where this comment silences " + v.pass.Analyzer.Name + " (remove it)"})
		}
	}
}
