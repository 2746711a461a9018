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
var large = map[string]string{
	"internal/tests/bench/kernels/physics.go EulerFlux": "one kernel, as its CUDA twin is one",
}

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

// README's map names every folder that holds code, and none that is not there; those in
// testdata and the parts of a named one go without.
func TestMap(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(readme), "| folder | what it holds |\n|---|---|\n")
	if !found {
		t.Fatal("README.md has no map")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	named := map[string]bool{}
	for row := range strings.SplitSeq(table, "\n") {
		for i, name := range strings.Split(strings.Split(row, "|")[1], "`") {
			if i%2 == 1 {
				named[name] = true
			}
		}
	}
	folders := 0
	for _, in := range []string{".", "internal", "internal/tests"} {
		entries, err := os.ReadDir(in)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name := path.Join(in, e.Name())
			if e.IsDir() && name != "internal" && name != "internal/tests" && holdsGo(t, name) {
				folders++
				if !named[name] {
					t.Errorf("README's map lacks %s", name)
				}
			}
		}
	}
	if folders < 35 {
		t.Errorf("only %d folders", folders)
	}
	for name := range named {
		if _, err := os.Stat(name); err != nil {
			t.Errorf("README's map names %s: %v", name, err)
		}
	}
}

// holdsGo reports whether a folder or one in it has a Go file.
func holdsGo(t *testing.T, dir string) (yes bool) {
	if strings.HasPrefix(path.Base(dir), ".") {
		return false
	}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		yes = yes || err == nil && strings.HasSuffix(file, ".go")
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return yes
}

// RATIONALE.md begins with a list of its questions, in their order.
func TestQuestions(t *testing.T) {
	text, err := os.ReadFile("RATIONALE.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed, asked []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if s, ok := strings.CutPrefix(line, "- ["); ok && strings.Contains(s, "](#") {
			listed = append(listed, s[:strings.LastIndex(s, "](#")])
		}
		if s, ok := strings.CutPrefix(line, "# "); ok && s != "Rationale" {
			asked = append(asked, s)
		}
		if s, ok := strings.CutPrefix(line, "## "); ok && s != "Questions" {
			asked = append(asked, s)
		}
	}
	if len(asked) < 50 {
		t.Errorf("only %d questions", len(asked))
	}
	for i, q := range asked {
		if i >= len(listed) || listed[i] != q {
			t.Fatalf("the list at the top of RATIONALE.md lacks %q there", q)
		}
	}
	if len(listed) > len(asked) {
		t.Errorf("the list has %q, which no answer follows", listed[len(asked)])
	}
}
