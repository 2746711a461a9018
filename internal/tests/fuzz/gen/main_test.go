package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// The same seed gives the same file, and a kernel alone is what it is among the others:
// that is how soak shows it again.
func TestSame(t *testing.T) {
	all, err := file(2, 12, 0, every)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := file(2, 12, 0, every); err != nil || !bytes.Equal(again, all) {
		t.Errorf("another file for the same seed: %v", err)
	}
	one, err := file(2, 12, 7, every)
	if err != nil {
		t.Fatal(err)
	}
	_, kernel, ok := strings.Cut(string(one), "\nvar _ dsl.Dim3\n")
	kernel, _, _ = strings.Cut(kernel, "// Cases are")
	if !ok || len(kernel) < 500 || !strings.Contains(string(all), strings.TrimSpace(kernel)) {
		t.Error("kernel 7 alone is another than among the others")
	}
}

// A checker knows the files that generated ones are compiled with.
type checker struct {
	fset     *token.FileSet
	lib      []*ast.File
	importer types.Importer
}

func newChecker(t *testing.T) *checker {
	t.Helper()
	c := &checker{fset: token.NewFileSet()}
	for _, name := range []string{"lib.go", "data.go", "lists.go"} {
		f, err := parser.ParseFile(c.fset, filepath.Join("..", name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		c.lib = append(c.lib, f)
	}
	c.importer = importer.ForCompiler(c.fset, "source", nil)
	return c
}

// kernels are n random kernels, checked, and the types of their expressions.
func (c *checker) kernels(t *testing.T, seed uint64, n int, on feature) (*ast.File, *types.Info) {
	t.Helper()
	src, err := file(seed, n, 0, on)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(c.fset, fmt.Sprintf("seed %d, features %b", seed, on), src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: c.importer, Error: func(err error) { t.Error(err) }}
	_, _ = conf.Check("fuzz", c.fset, append(c.lib[:3:3], f), info)
	return f, info
}

// TestValid checks that what any seed gives is Go.
func TestValid(t *testing.T) {
	c := newChecker(t)
	for seed := range uint64(4) {
		c.kernels(t, seed+100, 25, every)
	}
}

// No kernel adds a float to itself. An AMD GPU makes 2 * x of x + x, and may fuse that
// with what follows, as Go allows for products: of x + x - y it makes fma(2, x, -y), which
// is finite where x + x is too large for the type.
func TestNoDouble(t *testing.T) {
	c := newChecker(t)
	sums := 0
	for _, on := range append([]feature{0, every}, each()...) {
		for seed := range uint64(3) {
			f, info := c.kernels(t, seed+200, 25, on)
			ast.Inspect(f, func(n ast.Node) bool {
				x, y, op := sumOf(n)
				if x == nil || !isFloat(info, x) {
					return true
				}
				sums++
				negative, x := unsign(x)
				otherwise, y := unsign(y)
				if same := (negative == otherwise) == (op == token.ADD); same && types.ExprString(x) == types.ExprString(y) {
					t.Errorf("%s: twice the float %s", c.fset.Position(n.Pos()), types.ExprString(x))
				}
				return true
			})
		}
	}
	if sums < 500 {
		t.Errorf("only %d sums of floats", sums)
	}
}

// each is every feature alone.
func each() (all []feature) {
	for _, f := range features {
		all = append(all, f.is)
	}
	return all
}

// sumOf are the operands of an addition or subtraction, nil of anything else.
func sumOf(n ast.Node) (x, y ast.Expr, op token.Token) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		x, y, op = n.X, n.Y, n.Op
	case *ast.AssignStmt:
		x, y, op = n.Lhs[0], n.Rhs[0], map[token.Token]token.Token{token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB}[n.Tok]
	}
	if op != token.ADD && op != token.SUB {
		return nil, nil, op
	}
	return x, y, op
}

// unsign is an expression without parentheses and minuses, and whether there was an
// odd number of these.
func unsign(x ast.Expr) (negative bool, of ast.Expr) {
	for {
		x = ast.Unparen(x)
		u, ok := x.(*ast.UnaryExpr)
		if !ok || u.Op != token.SUB {
			return negative, x
		}
		negative, x = !negative, u.X
	}
}

// isFloat reports whether an expression is a float, a complex number or, in a generic
// function, of a type parameter of these.
func isFloat(info *types.Info, x ast.Expr) bool {
	u := info.TypeOf(x).Underlying()
	if i, ok := u.(*types.Interface); ok {
		u = i.EmbeddedType(0).(*types.Union).Term(0).Type().Underlying()
	}
	b, ok := u.(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}
