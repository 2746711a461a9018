package ssa2ir

import (
	"go/ast"
	"go/parser"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
)

const tabledSource = `package p

type step struct { dx, dy int; far int8 }

var (
	steps = [4][2]int{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}
	named = [...]step{{dx: 3, far: -1}, {1, 2, 3}, {}}
	keyed = [8]int{3: 5, 4, 1: 2}
	bytes = []uint8{1, 2, 3}
	large = []uint64{1 << 63, 0}
	rows  = [2][1]int{{1}, {2}}
	pairs = [2][2]int{{1, 2}, {0, 1}}
	none  [4]int
	sums  = [2]int{len("four"), one + 1}
	made  = [2]int{f(), 1}
)

const one = 1

func f() int { return 9 }

func K(n int, x []int32) {
	k := uint(n) % 4
	_ = k
`

// tabledCases are the bodies of kernels, each with how many of its checks must be left; see provedCases.
var tabledCases = []struct {
	name, body string
	left       int
}{
	// what holds
	{"all", `var t [3]int32; x[0] = t[steps[k][0]+1]`, 1},
	{"a column", `var t [3]int32; x[0] = t[1-steps[k][1]]`, 1},
	{"one element", `var t [2]int32; x[0] = t[steps[1][0]] + t[keyed[1]-1] + t[keyed[4]-3]`, 1},
	{"a copy of a row", `var t [3]int32; for _, s := range steps { x[0] += t[s[0]+1] + t[1+s[1]] }`, 1},
	{"a copy that is made first", `var t [2]int32; for i := range 2 { s := rows[i]; x[0] += t[max(s[0]-1, 0)] }`, 1},
	{"fields", `var t [5]int32; x[0] = t[named[k%3].dx] + t[named[k%3].far+1]`, 1},
	{"a copy of a structure", `var t [4]int32; for _, s := range named { x[0] += t[s.dx] + t[s.dy+1] }`, 1},
	{"keys, and zeros between", `var t [6]int32; x[0] = t[keyed[k]]`, 1},
	{"an element that is not in the literal", `var t [1]int32; x[0] = t[keyed[0]] + t[keyed[7]]`, 1},
	{"a slice", `var t [4]int32; for _, b := range bytes { x[0] += t[b] }`, 1},
	{"no initialiser", `var t [1]int32; x[0] = t[none[k]]`, 1},
	{"constant expressions", `var t [5]int32; x[0] = t[sums[k%2]]`, 1},

	// what does not
	{"one too many", `var t [2]int32; x[0] = t[steps[k][0]+1]`, 2},
	{"negative", `var t [3]int32; x[0] = t[steps[k][0]]`, 2},
	{"a structure's other field", `var t [4]int32; x[0] = t[named[k%3].far]`, 2},
	{"a structure's field that is not in a literal", `var t [8]int32; x[0] = t[named[k%3].dy-2]`, 2},
	{"a copy of one of two", `var t [3]int32; var s [2]int; if n > 3 { s = steps[k] } else { s = pairs[k%2] }; x[0] = t[s[0]]`, 2},
	{"a copy of the other of two", `var t [3]int32; var s [2]int; if n > 3 { s = pairs[k%2] } else { s = steps[k] }; x[0] = t[s[0]]`, 2},
	{"a copy of itself", `var t [3]int32; var s [2]int; for range n { x[0] += t[s[k%2]]; s = s }`, 3},
	{"copies of each other", `var t [3]int32; var s, o [2]int; for range n { x[0] += t[s[k%2]]; s = o; o = s }`, 3},
	{"an element of itself", `var t [3]int32; var s [2]int; for range n { x[0] += t[s[k%2]]; s[0] = s[k%2] }`, 1},
	{"zeros between", `var t [8]int32; x[0] = t[keyed[k]-1]`, 2},
	{"zeros behind", `var t [8]int32; x[0] = t[keyed[4+k]-1]`, 2},
	{"a copy that is zero before", `var t [8]int32; var s [1]int; for i := range 2 { x[0] += t[s[0]-1]; s = rows[i] }`, 2},
	{"a copy that is written", `var t [3]int32; s := steps[k]; s[0] = n; x[0] = t[s[0]+1]`, 2},
	{"more than an int", `var t [8]int32; x[0] = t[large[k%2]]`, 3},
	{"a call", `var t [2]int32; x[0] = t[made[k%2]]`, 0},
}

// TestTabled counts the checks that are left of kernels with package-level tables.
func TestTabled(t *testing.T) {
	for _, c := range tabledCases {
		t.Run(c.name, func(t *testing.T) {
			src := tabledSource + c.body + "\n}"
			k := kernelOf(t, buildSource(t, "k.go", src), "K")
			k.Init = initialisers(t, src)
			prog, err := Check(k)
			if c.left == 0 {
				if err == nil {
					t.Error("a table that a call makes is no constant, and was not refused")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := checksLeft(t, prog); got != c.left {
				t.Errorf("%d checks are left, want %d", got, c.left)
			}
		})
	}
}

// initialisers is Kernel.Init for a source whose variables never change.
func initialisers(t *testing.T, src string) func(g *ssa.Global) (ast.Expr, *types.Info) {
	t.Helper()
	f, err := parser.ParseFile(testFset, "k.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if _, err := (&types.Config{Importer: testImporter(), Sizes: sizes}).Check("p", testFset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	return func(g *ssa.Global) (e ast.Expr, _ *types.Info) {
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok {
				for i, name := range spec.Names {
					if name.Name == g.Name() && i < len(spec.Values) {
						e = spec.Values[i]
					}
				}
			}
			return true
		})
		return e, info
	}
}
