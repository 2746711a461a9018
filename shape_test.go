package heddle

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

const (
	maxFile     = 500 // lines
	maxFunction = 80
)

// large are files and functions above these, as "folder/file.go" and
// "folder/file.go name", each of which holds one concept: say which.
var large = map[string]string{}

// Files and functions are small enough to be read at once. What is generated does not
// count.
func TestSizes(t *testing.T) {
	used := map[string]bool{}
	check := func(name string, lines, limit int) {
		switch _, excepted := large[name]; {
		case lines <= limit:
		case excepted:
			used[name] = true
		default:
			t.Errorf("%s has %d lines, more than %d: split what are two concepts, or add it to large (shape_test.go)", name, lines, limit)
		}
	}
	files := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(filepath.ToSlash(file))
		if d.IsDir() && file != "." && (strings.HasPrefix(base, ".") || base == "testdata" || base == "out" || base == "bin") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(base, ".go") {
			return nil
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if ast.IsGenerated(f) {
			return nil
		}
		files++
		file = filepath.ToSlash(file)
		check(file, strings.Count(string(src), "\n"), maxFile)
		for _, d := range f.Decls {
			name := file + " " + declared(d)
			ast.Inspect(d, func(n ast.Node) bool {
				switch n.(type) {
				case *ast.FuncDecl, *ast.FuncLit:
					// PositionFor, since a //line comment may claim anything.
					first, last := fset.PositionFor(n.Pos(), false), fset.PositionFor(n.End(), false)
					check(name, last.Line-first.Line+1, maxFunction)
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 100 {
		t.Errorf("only %d files", files)
	}
	for name := range large {
		if !used[name] {
			t.Errorf("%s is in large, and is not", name)
		}
	}
}

// declared is the name of what is declared, of the first variable if they are several.
func declared(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.Name
	case *ast.GenDecl:
		if len(d.Specs) > 0 {
			if v, ok := d.Specs[0].(*ast.ValueSpec); ok {
				return v.Names[0].Name
			}
		}
	}
	return ""
}
