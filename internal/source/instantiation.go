package source

import (
	"fmt"
	"go/ast"
	"go/types"
	"iter"
	"slices"
	"strings"

	"heddle/internal/diag"
	"heddle/internal/exe"
)

// This file finds what a func value is for which generic code used a generic
// function, F[T] or x.Method: the compiler makes a closure for it at the line of
// the expression, which calls the function, or has it inlined.

// An instantiation is a generic function that the code on a line uses as a value.
type instantiation struct {
	fn *types.Func
	d  *declRef
	u  *unifier
}

// instantiations lists those on t's line whose signature fits its type.
func (w *universe) instantiations(t *resolved) (all []instantiation, err error) {
	if !strings.Contains(t.id.Name, "[...]") { // the name of code that is no instance's, nor inlined from one
		return nil, nil
	}
	for id, fn := range funcValues(t.info, t.file) {
		fn = fn.Origin()
		if w.fset.Position(id.Pos()).Line != t.id.StartLine || typeParamsOf(fn).Len() == 0 ||
			slices.ContainsFunc(all, func(i instantiation) bool { return i.fn == fn }) {
			continue
		}
		u := newUnifier()
		if !u.signature(fn.Signature(), t.id.Type, 0) {
			continue
		}
		d := w.decls[fn]
		if d == nil && fn.Pkg() != nil && w.src[fn.Pkg().Path()] == nil && w.canSource(fn.Pkg().Path()) {
			return nil, needSource{fn.Pkg().Path()}
		}
		if d != nil {
			all = append(all, instantiation{fn, d, u})
		}
	}
	return all, nil
}

// funcValues are the instances and the methods that code uses without calling them.
func funcValues(info *types.Info, code ast.Node) iter.Seq2[*ast.Ident, *types.Func] {
	return func(yield func(*ast.Ident, *types.Func) bool) {
		called := map[*ast.Ident]bool{}
		more := true
		ast.Inspect(code, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				called[calledName(n.Fun)] = true
			case *ast.Ident:
				fn, ok := info.Uses[n].(*types.Func)
				if _, inst := info.Instances[n]; ok && !called[n] && (inst || fn.Signature().Recv() != nil) {
					more = more && yield(n, fn)
				}
			}
			return more
		})
	}
}

// calledName is the identifier of F, pkg.F, x.F, or F[T]; nil of other expressions.
func calledName(x ast.Expr) *ast.Ident {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	case *ast.IndexExpr:
		return calledName(x.X)
	case *ast.IndexListExpr:
		return calledName(x.X)
	}
	return nil
}

// is reports whether the function's symbol is name.
func (i *instantiation) is(name string) bool {
	_, rest := splitSymbol(name)
	if i.fn.Pkg() == nil || importPathOf(name) != i.fn.Pkg().Path() {
		return false
	}
	if i.fn.Signature().Recv() != nil {
		return strings.HasSuffix(rest, "]."+i.fn.Name()) || strings.HasSuffix(rest, "])."+i.fn.Name())
	}
	return rest == i.fn.Name()+"[...]"
}

// within reports whether code names the function.
func (i *instantiation) within(info *types.Info, code ast.Node) (found bool) {
	ast.Inspect(code, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			fn, ok := info.Uses[id].(*types.Func)
			found = found || ok && fn.Origin() == i.fn
		}
		return !found
	})
	return found
}

// pickInstantiation is the one of insts that t is, nil if t is one of the literals that start on the same
// line. Where both may be, or there are several, the code of t tells which function it calls.
func (t *resolved) pickInstantiation(lits []candidate, insts []instantiation) (*instantiation, error) {
	lits = slices.DeleteFunc(slices.Clone(lits), func(c candidate) bool { return c.lit == nil })
	if _, ok := literalNumber(t.id.Name); !ok || len(insts) == 0 {
		return nil, nil
	}
	if len(insts) == 1 && len(lits) == 0 {
		return &insts[0], nil
	}
	calls, oneLine := exe.Within(t.id.PC)
	if ts, err := exe.ClosureTypes(t.id.PC); len(lits) > 0 && (!oneLine || err == nil && ts[0].NumField() > 2) {
		return nil, nil // what the compiler makes is on one line, and captures the dictionary alone
	}
	insts = slices.DeleteFunc(insts, func(i instantiation) bool { return !slices.ContainsFunc(calls, i.is) })
	if len(insts) != 1 || slices.ContainsFunc(lits, func(c candidate) bool { return insts[0].within(t.info, c.lit) }) {
		return nil, &diag.Error{Pos: t.id.Position(), Msg: fmt.Sprintf("several funcs of type %v are made on this line", t.id.Type), Refused: true, Hint: "put them on separate lines"}
	}
	return &insts[0], nil
}

// resolveInstantiation resolves t as an instantiation.
func (w *universe) resolveInstantiation(t *resolved, i *instantiation, h hint) (*resolved, error) {
	if i.fn.Signature().Recv() != nil {
		return nil, &diag.Error{Pos: t.id.Position(), Msg: fmt.Sprintf("method value %s of a generic type inside generic code", i.fn.Name()), Refused: true, Hint: "wrap the call in a function literal"}
	}
	nt := &resolved{id: t.id, pkg: i.d.pkg, file: i.d.file, info: i.d.pkg.info, decl: i.d.fd, fn: i.fn}
	return nt, w.typeArgs(nt, i.u, h) // the closure holds the dictionary of fn's instance
}
