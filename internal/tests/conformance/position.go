package conformance

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// This file says where Go panics: the file and the line as the run time has them, and
// the column by the syntax of that line, for the run time has none.

// built are the directories of this module and of Go's library when this program was
// built; with -trimpath, "heddle/" and "".
var built = sync.OnceValue(func() (dirs [2]string) {
	_, own, _, _ := runtime.Caller(0)
	dirs[0] = strings.TrimSuffix(own, "internal/tests/conformance/position.go")
	pc := reflect.ValueOf(runtime.Callers).Pointer()
	library, _ := runtime.FuncForPC(pc).FileLine(pc)
	dirs[1] = strings.TrimSuffix(library, "runtime/extern.go")
	return dirs
})

// lineOf is a line of a file, which is named by its way from the module's root or from
// the library's: that may be elsewhere than where the program was built.
func lineOf(file string, line int) string {
	for _, dir := range built() {
		if rest, ok := strings.CutPrefix(file, dir); ok && dir != "" {
			return fmt.Sprintf("%s:%d", rest, line)
		}
	}
	if i := strings.LastIndex(file, "/src/"); i >= 0 {
		file = file[i+len("/src/"):]
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// A column is where on a line something of a kind stands.
type column struct {
	kind string
	col  int
	text string // from there on
	lit  string // of an index that is a literal
}

// columns are those of the files of this package, by file and line.
var columns = sync.OnceValue(func() map[string]map[int][]column {
	all := map[string]map[int][]column{}
	ents, err := sources.ReadDir(".")
	if err != nil {
		panic(err)
	}
	for _, e := range ents {
		text, err := sources.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, e.Name(), text, parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		all[e.Name()] = columnsIn(fset, f, strings.Split(string(text), "\n"))
	}
	return all
})

// columnsIn are those of a file, by line.
func columnsIn(fset *token.FileSet, f *ast.File, text []string) map[int][]column {
	lines := map[int][]column{}
	add := func(at token.Pos, kind, lit string) {
		p := fset.Position(at)
		lines[p.Line] = append(lines[p.Line], column{kind, p.Column, text[p.Line-1][p.Column-1:], lit})
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			lit := ""
			if b, ok := n.Index.(*ast.BasicLit); ok {
				lit = b.Value
			}
			add(n.Lbrack, "index", lit)
			add(n.Lbrack, "nil", "")
		case *ast.SliceExpr:
			add(n.Lbrack, "slice", "")
		case *ast.BinaryExpr:
			add(n.OpPos, n.Op.String(), "")
		case *ast.StarExpr:
			add(n.Star, "nil", "")
		case *ast.SelectorExpr:
			add(n.Sel.Pos(), "nil", "")
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "panic" {
				add(n.Lparen, "panic", "")
			} else {
				add(n.Lparen, "call", "")
			}
		}
		return true
	})
	return lines
}

// panicKinds are what panics, by how the panic's text begins; else it is a call of panic.
var panicKinds = []struct {
	text  string
	kinds []string
}{
	{"runtime error: index out of range", []string{"index"}},
	{"runtime error: slice bounds out of range", []string{"slice"}},
	{"runtime error: integer divide by zero", []string{"/", "%"}},
	{"runtime error: negative shift amount", []string{"<<", ">>"}},
	{"runtime error: invalid memory address", []string{"nil"}},
	{"runtime error: integer overflow", []string{"call"}}, // of bits.Div64
	{"runtime error: cannot convert slice", []string{"call"}},
}

// whichOfLine is how the text at the column begins where several on the line are of the
// kind: what the specification's order of evaluation comes to first.
var whichOfLine = map[string]string{
	"nil slice": "[n-5]", "empty": "[n-5]", "array in a loop": "[j] = ", "slice in a loop": "[n-3+j]", "first of two in a loop": "[n-j] = ", "range in a loop": "[j*n]",
	"nil load": "*p", "nil field": "Z)", "nil array": "[n-4]", "nil method": "X, -v.Y",
	"overflow in the library": "(uint64(n), 0, 1)", "twice on a line": "(s, n)", "returned closure": "(n)", "closure of a variable": "(n)",
	"func argument": "(len(s))", "declared func argument": "(len(s))", "the same not inlined elsewhere": "(s, n)", "another package": "(vector.MakeInt2(1", "deep": "(s, n) + deep3",
	"division in the library": "(0, uint64(n), uint64(n-5))",
}

// checkColumn reports a position, of the panic itself or of a call that led to it, whose
// column is not where such a thing stands on its line. The simulator knows no columns.
func checkColumn(t *T, what string, p token.Position, text string, called bool) {
	t.Helper()
	own := strings.HasPrefix(lineOf(p.Filename, p.Line), "internal/tests/conformance/")
	if t.simulated() || !own {
		if (p.Column == 0) != t.simulated() {
			t.Errorf("%s: %v: the column is %d", what, p, p.Column)
		}
		return
	}
	want := []string{"panic"}
	for _, k := range panicKinds {
		if strings.HasPrefix(text, k.text) {
			want = k.kinds
		}
	}
	if called || what == "division in the library" { // gc makes an instruction of it, and we a call
		want = []string{"call"}
	}
	cols := slices.DeleteFunc(slices.Clone(columns()[path.Base(p.Filename)][p.Line]), func(c column) bool {
		return !slices.Contains(want, c.kind) || c.lit != "" && !strings.Contains(text, "["+c.lit+"]")
	})
	if len(cols) > 1 {
		if whichOfLine[what] == "" {
			t.Errorf("%s: %v: whichOfLine does not say which of %v it is", what, p, cols)
		}
		cols = slices.DeleteFunc(cols, func(c column) bool { return !strings.HasPrefix(c.text, whichOfLine[what]) })
	}
	if len(cols) != 1 || cols[0].col != p.Column {
		t.Errorf("%s: %v: want the column of %v", what, p, cols)
	}
}
