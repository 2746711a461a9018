package split

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// corpus calls f for every Go file in some directories of the standard library.
func corpus(t testing.TB, f func(name, text string)) {
	dirs := []string{"bytes", "cmd/compile/internal/ssagen", "cmd/compile/internal/types2", "crypto/tls", "encoding/json", "fmt", "go/parser",
		"go/types", "iter", "math", "math/big", "net/http", "reflect", "runtime", "slices", "strconv", "sync/atomic", "text/template", "time", "unicode"}
	n := 0
	for _, dir := range dirs {
		files, _ := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", dir, "*.go"))
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f(name, string(text))
			n++
		}
	}
	if n == 0 {
		t.Skip("no sources of the standard library")
	}
}

// tricky is Go that ends declarations in unusual places.
const tricky = `// Copyright
//go:build linux

/* and */ package p /* so */ ; import "fmt"

import (
	"os"; . "io"
	x "strings" // }
)

var a, b = 1 +
	2, "{"
var c = '{'; const d = ` + "`\n}\n`" + `
var e = 1.
var _, f = fmt.
	Sprint(), '\''
type (
	T struct { x int }; U[P any] interface{ ~int }
	V = map[string]struct{}
)
type W struct

{ y int }
func g() struct{ a int } { return struct{ a int }{} }
func h(x interface{ M() }) interface { M() } { return x /* } */ }
func (v *T) M() {}
func (U2[P, Q]) N(func() struct{}) map[string]struct{} { return nil } // trailing
func asm(x int) int
func k[P interface{ ~int }](f func(int) struct{}) (r struct{}) { L: for { break L }; return }
const (
	i0 = iota
	i1
	_
)
var ä = func() int { return 1 }()
type U2[P, Q any] struct{}
`

// TestSplit compares with the parser.
func TestSplit(t *testing.T) {
	check := func(name, text string) {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		header, decls, err := File(text)
		if err != nil || len(decls) != len(f.Decls) {
			t.Errorf("%s: %d declarations, want %d: %v", name, len(decls), len(f.Decls), err)
			return
		}
		end := header
		for i, d := range f.Decls {
			c, want := decls[i], Decl{Start: end}
			off := func(p token.Pos) int { return fset.PositionFor(p, false).Offset }
			want.Code, want.Line, want.Last = off(d.Pos()), fset.PositionFor(d.Pos(), false).Line, fset.PositionFor(d.End(), false).Line
			want.End = off(d.End())
			switch d := d.(type) {
			case *ast.FuncDecl:
				want.Keyword, want.Names = "func", []string{d.Name.Name}
				if d.Recv != nil {
					want.Recv = receiverIdent(d.Recv.List[0].Type)
				}
				if d.Body != nil {
					want.Body = off(d.Body.Pos())
				}
			case *ast.GenDecl:
				want.Keyword = d.Tok.String()
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ImportSpec:
						if s.Name != nil && s.Name.Name != "." {
							want.Names = append(want.Names, s.Name.Name)
						}
					case *ast.TypeSpec:
						want.Names = append(want.Names, s.Name.Name)
					case *ast.ValueSpec:
						for _, n := range s.Names {
							want.Names = append(want.Names, n.Name)
						}
					}
				}
			}
			same := c.Start == want.Start && c.End == want.End && c.Code == want.Code && c.Keyword == want.Keyword && slices.Equal(c.Names, want.Names) &&
				c.Recv == want.Recv && c.Body == want.Body && c.Line == want.Line && c.Last == want.Last
			if !same {
				t.Errorf("%s: declaration %d is %+v, want %+v", name, i, c, want)
				return
			}
			end = c.End
		}
		checkWords(t, name, text, f)
	}
	check("tricky.go", tricky)
	corpus(t, check)
	for _, bad := range []string{"", "func f() {}", "package p; func f() {", "package p; var s = \"a\n\"", "package p; x", "package p; /*", "package p; func (", "package p; var x = `", "package p; type (T int} )"} {
		if _, _, err := File(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func receiverIdent(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		}
	}
}

// checkWords checks that no identifier is missed.
func checkWords(t *testing.T, name, text string, f *ast.File) {
	seen := map[string]bool{}
	Words(text, func(w string) { seen[w] = true })
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !seen[id.Name] && id.Name != "." {
			t.Errorf("%s: identifier %s is missed", name, id.Name)
		}
		return true
	})
}

// BenchmarkSplit is to be compared with BenchmarkParse.
func BenchmarkSplit(b *testing.B) {
	var texts []string
	corpus(b, func(_, text string) { texts = append(texts, text) })
	b.SetBytes(int64(len(strings.Join(texts, ""))))
	for b.Loop() {
		for _, text := range texts {
			if _, _, err := File(text); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkParse(b *testing.B) {
	var texts []string
	corpus(b, func(_, text string) { texts = append(texts, text) })
	b.SetBytes(int64(len(strings.Join(texts, ""))))
	for b.Loop() {
		for _, text := range texts {
			if _, err := parser.ParseFile(token.NewFileSet(), "x.go", text, parser.SkipObjectResolution|parser.ParseComments); err != nil {
				b.Fatal(err)
			}
		}
	}
}
