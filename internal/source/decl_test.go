package source

import (
	"errors"
	"slices"
	"testing"

	"heddle/internal/diag"
	"heddle/internal/module"
)

func TestSplitName(t *testing.T) {
	for _, c := range []struct{ name, pattern, expr string }{
		{"./saxpy.Saxpy", "./saxpy", "Saxpy"},
		{".Saxpy", ".", "Saxpy"},
		{"..Saxpy", ".", "Saxpy"},
		{"../a.b/c.F", "../a.b/c", "F"},
		{"example.com/m/pkg.Reduce[float32, example.com/other.T]", "example.com/m/pkg", "Reduce[float32, example.com/other.T]"},
		{"example.com/m/pkg.(*World).Step", "example.com/m/pkg", "(*World).Step"},
		{"example.com/x.v3.F.func1.2", "example.com/x.v3", "F.func1.2"},
		{"Saxpy", "", ""},
		{"./saxpy", "", ""},
		{"./....F", "", ""},
		{"", "", ""},
	} {
		pattern, expr, err := splitName(c.name)
		var own *diag.Error
		if c.expr == "" && !errors.As(err, &own) {
			t.Errorf("%q: want an *diag.Error, have %v", c.name, err)
		}
		if c.expr != "" && (err != nil || pattern != c.pattern || expr != c.expr) {
			t.Errorf("%q: have %q, %q, %v; want %q, %q", c.name, pattern, expr, err, c.pattern, c.expr)
		}
	}
}

func TestCutLiteral(t *testing.T) {
	for _, c := range []struct {
		expr, outer string
		path        []int
	}{
		{"F", "F", nil},
		{"F.func1", "F", []int{1}},
		{"F[int].func2.1.3", "F[int]", []int{2, 1, 3}},
		{"(*T).M.func10", "(*T).M", []int{10}},
		{"F.function", "F.function", nil},
	} {
		if outer, path := cutLiteral(c.expr); outer != c.outer || !slices.Equal(path, c.path) {
			t.Errorf("%q: have %q, %v", c.expr, outer, path)
		}
	}
}

// TestFindNamed finds functions of the corpus by their names.
func TestFindNamed(t *testing.T) {
	const lib = module.Internal + "source/corpus/lib"
	for _, c := range []struct{ name, want string }{
		{lib + ".Renamed", "lib.Renamed"},
		{lib + ".Renamed.func1", "lib.Renamed.func1"},
		{"./corpus/lib.otherFile", "lib.otherFile"},
	} {
		u, err := FindNamed("", c.name, nil)
		if err != nil || u.Name != c.want || u.Fn == nil || u.Fn.Blocks == nil {
			t.Errorf("%s: %v, %+v", c.name, err, u)
		}
	}
}
