package target

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"heddle/internal/ops"
)

// operations are the constants of package ops that name operations.
func operations(t *testing.T) (names []string) {
	f, err := parser.ParseFile(token.NewFileSet(), "../ops/ops.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.ValueSpec); ok && len(s.Values) == 1 {
			if l, ok := s.Values[0].(*ast.BasicLit); ok && l.Kind == token.STRING {
				if name, _ := strconv.Unquote(l.Value); !strings.HasPrefix(name, ops.Prefix) {
					names = append(names, name)
				}
			}
		}
		return true
	})
	if len(names) < 20 {
		t.Fatalf("only %d operations: %q", len(names), names)
	}
	return names
}

// Every target has code for every operation, its own or the portable one, and for no other.
func TestOperations(t *testing.T) {
	names := operations(t)
	for _, target := range All {
		for _, name := range names {
			if target.Ops.Get()[name] == nil && portable.Get()[name] == nil && !(name == ops.Exit && target.Panic != nil) {
				t.Errorf("%s has no %s", target.Name, name)
			}
		}
		for name := range target.Ops.Get() {
			if !slices.Contains(names, name) {
				t.Errorf("%s has %s, which package ops does not name", target.Name, name)
			}
		}
	}
	for name := range portable.Get() {
		if !slices.Contains(names, name) {
			t.Errorf("there is code for %s, which package ops does not name", name)
		}
	}
}
