package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/diag"
	"heddle/internal/exe"
	"heddle/internal/lazy"
)

// This file finds a function by its name instead of by a value, for tools that
// look at kernels without running the program that launches them.

// A named is a function named by package and expression.
type named struct {
	path string // import path
	expr string // "F", "F[float32]", "(*T).M", "Outer.func1.2"
}

// FindNamed is Find for the function that name says: a package, as the go
// command takes it in the directory dir, and in it a function, an instance of
// a generic one, a method expression, or the N-th function literal of one:
//
//	./saxpy.Saxpy   .Saxpy   example.com/m/reduce.Reduce[float32, Sum[float32]]
//	./particles.(*World).Step   ./closure.Map.func1
//
// The Func's captures have no addresses, and captured funcs are not known.
func FindNamed(dir, name string, intrinsic func(*types.Func) bool) (*Func, error) {
	pattern, expr, err := splitName(name)
	if err != nil {
		return nil, err
	}
	shared.Lock()
	defer shared.Unlock()
	p, err := addNamed(dir, pattern)
	if err != nil {
		return nil, err
	}
	f := &finder{opts: Options{Intrinsic: intrinsic}, id: exe.Ident{Name: name}, named: &named{p, expr}}
	return f.find()
}

// splitName splits a name after the package.
func splitName(name string) (pattern, expr string, err error) {
	if rest, ok := strings.CutPrefix(name, ".."); ok && !strings.HasPrefix(rest, "/") {
		return ".", rest, nil // package . and a function
	}
	pattern, expr = splitSymbol(name)
	for majorVersion.Get().MatchString(expr) { // gopkg.in/x.v3.F
		v, rest, _ := strings.Cut(expr, ".")
		pattern, expr = pattern+"."+v, rest
	}
	if pattern == "" && expr != name {
		pattern = "." // of ".F"
	}
	if pattern == "" || expr == "" || expr[0] == '.' || strings.Contains(pattern, "...") {
		return "", "", &diag.Error{Msg: fmt.Sprintf("%q does not name a function", name), Hint: "want a package and a function, as ./saxpy.Saxpy or example.com/m/pkg.Reduce[float32]"}
	}
	return pattern, expr, nil
}

var majorVersion = lazy.Regexp{Expr: `^v\d+\.`}

// addNamed lists the package of a pattern and returns its import path. The
// caller holds shared's lock.
func addNamed(dir, pattern string) (string, error) {
	ps, err := listForTool(dir, []string{pattern})
	if err != nil {
		return "", err
	}
	var roots []*listed
	for _, p := range ps {
		if !p.DepOnly && p.ForTest == "" {
			roots = append(roots, p)
		}
	}
	if len(roots) != 1 {
		return "", &diag.Error{Msg: fmt.Sprintf("%s matches %d packages", pattern, len(roots)), Hint: "name one"}
	}
	p := roots[0]
	if p.Error != nil {
		return "", &diag.Error{Msg: fmt.Sprintf("package %s: %s", pattern, p.Error.Err)}
	}
	addListed(ps)
	if w := currentUniverse(); w.src[p.ImportPath] == nil && !w.needBodies([]string{p.ImportPath}) && !w.fromSource(p.ImportPath) {
		return "", &diag.Error{Msg: fmt.Sprintf("package %s has no Go files for this machine", pattern)}
	}
	return p.ImportPath, nil
}

// named resolves a name.
func (w *universe) named(n *named) (*resolved, error) {
	p, err := w.load(n.path)
	if err != nil {
		return nil, err
	}
	outer, path := cutLiteral(n.expr)
	t := &resolved{pkg: p, info: p.info}
	if t.fn, t.args, err = w.evalFunc(p, outer); err != nil {
		return nil, err
	}
	d := w.decls[t.fn]
	if d == nil {
		return nil, &diag.Error{Msg: fmt.Sprintf("%s is declared in package %s", n.expr, t.fn.Pkg().Path()), Hint: "name it there"}
	}
	t.pkg, t.file, t.info, t.decl = d.pkg, d.file, d.pkg.info, d.fd
	for _, number := range path {
		var in ast.Node = t.decl
		if t.lit != nil {
			in = t.lit
		}
		if t.lit = literal(in, number); t.lit == nil {
			return nil, &diag.Error{Pos: w.fset.Position(t.decl.Pos()), Msg: fmt.Sprintf("%s: there are fewer function literals here", n.expr), Hint: "func1 is the first literal of a function, func1.1 the first in that"}
		}
	}
	pos := w.fset.Position(t.pos())
	t.id = exe.Ident{Name: n.expr, File: pos.Filename, StartLine: pos.Line}
	return t, nil
}

// evalFunc evaluates an expression that denotes a declared function or method,
// to its generic origin and the type arguments. It is evaluated in each of the
// package's files in turn, as their imports differ.
func (w *universe) evalFunc(p *pkg, text string) (*types.Func, []types.Type, error) {
	expr, err := parser.ParseExpr(text)
	if err != nil {
		return nil, nil, &diag.Error{Msg: fmt.Sprintf("%q is no Go expression", text), Hint: "want F, F[int], T.M or (*T).M"}
	}
	var info *types.Info
	for _, f := range p.files {
		info = newInfo()
		if err = types.CheckExpr(w.fset, p.types, f.Package, expr, info); err == nil {
			break
		}
	}
	if err != nil {
		if e, ok := err.(types.Error); ok {
			err = &diag.Error{Msg: fmt.Sprintf("%s in package %s: %s", text, p.path, e.Msg)}
		}
		return nil, nil, err
	}
	fn, args := funcOf(ast.Unparen(expr), info)
	switch {
	case fn == nil:
		return nil, nil, &diag.Error{Msg: fmt.Sprintf("%s in package %s is not a declared function", text, p.path), Hint: "want F, F[int], T.M or (*T).M"}
	case (&resolved{fn: fn}).typeParams().Len() != len(args):
		return nil, nil, &diag.Error{Pos: w.fset.Position(fn.Pos()), Msg: fmt.Sprintf("%s is generic", text), Hint: fmt.Sprintf("write its type arguments: %s[...]", text)}
	}
	return fn, args, nil
}

// funcOf is the function that a checked expression denotes.
func funcOf(expr ast.Expr, info *types.Info) (*types.Func, []types.Type) {
	switch e := expr.(type) {
	case *ast.IndexExpr:
		expr = e.X
	case *ast.IndexListExpr:
		expr = e.X
	}
	switch e := expr.(type) {
	case *ast.Ident:
		if fn, ok := info.Uses[e].(*types.Func); ok {
			return fn, slices.Collect(info.Instances[e].TypeArgs.Types())
		}
	case *ast.SelectorExpr:
		sel := info.Selections[e]
		if sel == nil || sel.Kind() != types.MethodExpr || types.IsInterface(sel.Recv()) {
			return nil, nil
		}
		fn := sel.Obj().(*types.Func)
		if n, ok := deref(fn.Signature().Recv().Type()).(*types.Named); ok {
			return fn.Origin(), slices.Collect(n.TypeArgs().Types())
		}
	}
	return nil, nil
}

var literalSuffix = lazy.Regexp{Expr: `^(.+)\.func(\d+(?:\.\d+)*)$`}

// cutLiteral splits "F.func1.2" into F and 1, 2.
func cutLiteral(expr string) (outer string, path []int) {
	m := literalSuffix.Get().FindStringSubmatch(expr)
	if m == nil {
		return expr, nil
	}
	for s := range strings.SplitSeq(m[2], ".") {
		n, _ := strconv.Atoi(s) // digits; too many of them name no literal
		path = append(path, n)
	}
	return m[1], path
}

// literal is the n-th function literal directly inside a node, from 1.
func literal(in ast.Node, n int) (found *ast.FuncLit) {
	ast.Inspect(in, func(x ast.Node) bool {
		l, ok := x.(*ast.FuncLit)
		if !ok || x == in {
			return true
		}
		if n--; n == 0 {
			found = l
		}
		return false
	})
	return found
}
