package codegen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Steps that write values into LLVM's text each have a name for them: two with one name would define a value twice in
// the kernel that needs both. Of "kept", each counts those that are there.
func TestNamesDiffer(t *testing.T) {
	made := regexp.MustCompile(`%heddle\.(\w+)\.(%d|$)`)
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	fset, by := token.NewFileSet(), map[string]string{"kept": "all"}
	for _, e := range files {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range made.FindAllStringSubmatch(text, -1) {
				if was := by[m[1]]; was == "" {
					by[m[1]] = e.Name()
				} else if was != e.Name() && was != "all" {
					t.Errorf("%s: %%heddle.%s is a name of %s, too", fset.Position(lit.Pos()), m[1], was)
				}
			}
			return true
		})
	}
	if len(by) < 20 {
		t.Errorf("found %d names only: %v", len(by), by)
	}
}
