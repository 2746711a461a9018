package dsl_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sources returns the names of the package's files but the tests.
func sources(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
}

// ownIdeas are the functions that HIP has no counterpart of.
var ownIdeas = map[string]bool{"IsSim": true}

// Every exported name says what it means, and a function which function of HIP it is.
func TestDocComments(t *testing.T) {
	funcs := 0
	for _, name := range sources(t) {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if !d.Name.IsExported() {
					continue
				}
				funcs++
				text := d.Doc.Text()
				if !strings.HasPrefix(text, d.Name.Name+" ") {
					t.Errorf("%s: the comment of %s does not start with its name: %q", name, d.Name, text)
				}
				if hip := strings.Contains(text, "HIP"); hip == ownIdeas[d.Name.Name] {
					t.Errorf("%s: %s: names a function of HIP: %v", name, d.Name, hip)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() && !strings.HasPrefix(d.Doc.Text(), s.Name.Name+" ") {
						t.Errorf("%s: type %s has no comment", name, s.Name)
					}
				}
			}
		}
	}
	if funcs < 100 {
		t.Errorf("only %d exported functions were found", funcs)
	}
}
