package source_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"heddle/internal/source"
)

// Whether g is written by one function, or may be.
func TestWritten(t *testing.T) {
	for _, c := range []struct {
		body    string
		written bool
	}{
		{"return g[1]", false},
		{"p := &g; return p[1] + len(p)", false},
		{"var p *[4]int; if g[0] > 1 { p = &g } else { p = &h }; return p[1]", false},
		{"p := &g; q := p; r := q[:2]; return (r)[1]", false},
		{"p := &g[2]; return *p", false},
		{"var p *[4]int = &g; return func() int { return p[1] }()", false},
		{"p := g[1:]; for i := range p { p[i&1+0] += 0 * i }; return 0", true},
		{"p := g[:]; s := 0; for _, v := range p { s += v }; return s", false},
		{"p, q := &g, &h; p, q = q, p; q[0] = 1; return p[0]", true},
		{"p := &g; *p = h; return 0", true},
		{"p := &g; p[1]++; return 0", true},
		{"p := &g[2]; *p = 1; return 0", true},
		{"p := &g; q := &p; (*q)[1] = 2; return 0", true},
		{"p := &h; q := &p; *q = &g; p[1] = 2; return 0", true},
		{"var p *[4]int; q := &p; p = &g; (**q)[1] = 2; return 0", true},
		{"p := &g; return use(p)", true},
		{"p := g[:]; return use(p)", true},
		{"p := g[:]; copy(p, h[:]); return 0", true},
		{"p := h[:]; return copy(p, g[:])", false},
		{"p := &g; kept = p; return 0", true},
		{"p := &g; var a any = p; a.(*[4]int)[1] = 1; return 0", true},
		{"var a any = &g; a.(*[4]int)[1] = 1; return 0", true},
		{"p := &g; s := pair{p, p}; s.a[1] = 1; return 0", true},
		{"s := pair{&g, nil}; s.a[1] = 1; return 0", true},
		{"p := &g; f := func() *[4]int { return p }; f()[1] = 1; return 0", true},
		{"f := func() (p *[4]int) { p = &g; return }; f()[1] = 1; return 0", true},
		{"p := &g; m := map[int]*[4]int{1: p}; m[1][2] = 3; return 0", true},
		{"p := &g; c := make(chan *[4]int, 1); c <- p; (<-c)[1] = 2; return 0", true},
		{"p := (*named)(&g); p.set(); return 0", true},
		{"var p *[4]int; for _, p = range []*[4]int{&g} { p[1] = 1 }; return 0", true},
	} {
		text := "package p\nvar g, h [4]int\nvar kept *[4]int\ntype pair struct{ a, b *[4]int }\n" +
			"type named [4]int\nfunc (n *named) set() { n[0] = 1 }\nfunc use(any) int { return 0 }\nfunc f() int {\n" + c.body + "\n}\n"
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", text, 0)
		if err != nil {
			t.Fatalf("%s: %v", c.body, err)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
			Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
		pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, info)
		if err != nil {
			t.Fatalf("%s: %v", c.body, err)
		}
		_, written := source.Written(info, []*ast.File{file})[pkg.Scope().Lookup("g").(*types.Var)]
		if written != c.written {
			t.Errorf("%s: written %v", c.body, written)
		}
	}
}
