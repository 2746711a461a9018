package source

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/diag"
	"heddle/internal/exe"
)

// This file finds the declaration or literal that a func value was compiled
// from. The file and the line of the func keyword identify it; the symbol's
// name only helps where several functions start on one line.

// errNotHere says that no known package holds a function.
var errNotHere = errors.New("no known package holds the function")

// resolve finds what id was compiled from, its type arguments included.
func (w *universe) resolve(id exe.Ident, h hint) (*resolved, error) {
	if id.Wrapper() {
		return w.resolveWrapper(id, h)
	}
	p, f, err := w.locate(id.File)
	if err == nil && f == nil {
		p, f, err = w.locateByLine(&id)
	}
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, errNotHere
	}
	if err := w.fresh(p, f); err != nil {
		return nil, err
	}
	t := &resolved{id: id, pkg: p, file: f, info: p.info}
	cands := w.pickByName(t, w.candidates(t))
	insts, err := w.instantiations(t)
	if err != nil {
		return nil, err
	}
	switch inst, err := t.pickInstantiation(cands, insts); {
	case err != nil:
		return nil, err
	case inst != nil:
		return w.resolveInstantiation(t, inst, h)
	case len(cands) == 0:
		return nil, &diag.Error{Pos: id.Position(), Msg: fmt.Sprintf("no function of type %v starts here", id.Type), Hint: "the source changed after the program was built: rebuild it"}
	case len(cands) > 1:
		return nil, &diag.Error{Pos: id.Position(), Msg: fmt.Sprintf("%d function literals of type %v start on this line", len(cands), id.Type), Refused: true, Hint: "put them on separate lines"}
	}
	c := cands[0]
	t.decl, t.lit = c.decl, c.lit
	if t.decl != nil {
		t.fn, _ = p.info.Defs[t.decl.Name].(*types.Func)
	}
	return t, w.typeArgs(t, c.u, h)
}

// A candidate is a function that starts where the func value's does.
type candidate struct {
	decl *ast.FuncDecl
	lit  *ast.FuncLit
	u    *unifier
}

// candidates lists the functions of t's file that start on its line and whose
// signature fits its type.
func (w *universe) candidates(t *resolved) []candidate {
	var cands []candidate
	starts := func(ft *ast.FuncType) bool { return w.fset.Position(ft.Func).Line == t.id.StartLine }
	for _, d := range t.file.Decls {
		fd, _ := d.(*ast.FuncDecl)
		if fd != nil && starts(fd.Type) {
			if fn, ok := t.info.Defs[fd.Name].(*types.Func); ok {
				if u := newUnifier(); u.fits(fn.Signature(), &t.id) {
					cands = append(cands, candidate{fd, nil, u})
				}
			}
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if l, ok := n.(*ast.FuncLit); ok && starts(l.Type) {
				if sig, ok := t.info.TypeOf(l).(*types.Signature); ok {
					if u := newUnifier(); u.signature(sig, t.id.Type, 0) {
						cands = append(cands, candidate{fd, l, u})
					}
				}
			}
			return true
		})
	}
	return cands
}

// fits unifies a declared function's signature with the type of a func value:
// of a method expression the receiver is the first parameter.
func (u *unifier) fits(sig *types.Signature, id *exe.Ident) bool {
	if sig.Recv() == nil {
		return u.signature(sig, id.Type, 0)
	}
	return id.Type.NumIn() > 0 && u.unify(sig.Recv().Type(), id.Type.In(0)) && u.signature(sig, id.Type, 1)
}

// pickByName narrows candidates on one line down by the symbol's name: literals
// are called funcN, and N counts the literals of a function in source order
// where nothing was inlined.
func (w *universe) pickByName(t *resolved, cands []candidate) []candidate {
	if len(cands) < 2 {
		return cands
	}
	n, isLit := literalNumber(t.id.Name)
	cands = slices.DeleteFunc(slices.Clone(cands), func(c candidate) bool { return (c.lit != nil) != isLit })
	rest, last := cutLast(t.id.Name)
	if len(cands) < 2 || !isLit || !strings.HasPrefix(last, "func") {
		return cands
	}
	for _, c := range cands {
		if c.decl == nil || ordinal(t.info, c.decl, c.lit) != n {
			continue
		}
		// only pkg.Outer.funcN or pkg.T.Outer.funcN, where nothing stands in between
		if pkg, _ := splitSymbol(t.id.Name); strings.TrimSuffix(rest, "[...]") == pkg+"."+c.decl.Name.Name {
			return []candidate{c}
		}
	}
	return cands
}

// literalNumber is the N of a symbol that ends in funcN or, of a literal inside another one, N.
func literalNumber(name string) (n int, ok bool) {
	_, last := cutLast(name)
	n, err := strconv.Atoi(strings.TrimPrefix(last, "func"))
	return n, err == nil
}

// cutLast splits a symbol at its last dot.
func cutLast(s string) (rest, last string) {
	i := strings.LastIndexByte(s, '.')
	if i < 0 {
		return "", s
	}
	return s[:i], s[i+1:]
}

// ordinal numbers the literals directly inside decl from 1, as the compiler
// does; 0 if lit is nested, or if that depends on which code before it is dead:
// literals there have no number, and constants of packages that are not here may
// decide it. The closures for instances that generic code uses as values count
// too; behind a method value it is 0.
func ordinal(info *types.Info, decl *ast.FuncDecl, lit *ast.FuncLit) int {
	fn, _ := info.Defs[decl.Name].(*types.Func)
	values := map[*ast.Ident]*types.Func{}
	if fn == nil || typeParamsOf(fn).Len() > 0 {
		values = maps.Collect(funcValues(info, decl))
	}
	n, found := 0, 0
	var around []ast.Node
	ast.Inspect(decl, func(x ast.Node) bool {
		if x == nil {
			around = around[:len(around)-1]
			return true
		}
		id, _ := x.(*ast.Ident)
		_, isLit := x.(*ast.FuncLit)
		value := values[id]
		switch {
		case found != 0:
			return false
		case !isLit && (value == nil || value.Signature().Recv() == nil && concrete(info.Instances[id].TypeArgs) != nil):
			around = append(around, x)
			return true
		case x == ast.Node(lit):
			found = n + 1
		case value != nil && value.Signature().Recv() != nil,
			slices.ContainsFunc(around, func(b ast.Node) bool { return optional(b) && !within(b, lit) }):
			found = -1
		}
		n++
		return false
	})
	return max(found, 0)
}

// optional reports whether constants may decide that n does not run.
func optional(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	case *ast.BinaryExpr:
		return n.Op == token.LAND || n.Op == token.LOR
	}
	return false
}

// within reports whether part is inside n.
func within(n, part ast.Node) bool { return n.Pos() <= part.Pos() && part.Pos() < n.End() }

// locateByLine finds a function whose file a //line directive renamed. It looks
// through the symbol's package, the main package, and then every package that
// renames a file so: the literal may have been inlined.
func (w *universe) locateByLine(id *exe.Ident) (*pkg, *ast.File, error) {
	own := importPathOf(id.Name)
	paths := []string{own, own + "_test", thisBinary.Get().mainPath}
	for _, p := range slices.Sorted(maps.Keys(w.embedded)) {
		paths = append(paths, p, p+"_test")
	}
	for _, p := range w.order {
		if l := w.list[p]; !l.Standard && l.renames(id.File) {
			paths = append(paths, p)
		}
	}
	for _, p := range paths {
		if base, ok := external(p); ok && w.embedded[base] != nil && thisBinary.Get().underTest != base {
			continue
		}
		if w.list[p] != nil && !w.fromSource(p) && w.list[p].renames(id.File) {
			return nil, nil, needSource{p}
		}
		if !w.fromSource(p) {
			continue
		}
		sp, err := w.load(p)
		if err != nil {
			continue // no external test
		}
		for _, f := range sp.files {
			if w.startsAt(f, id) {
				return sp, f, nil
			}
		}
	}
	return nil, nil, nil
}

// startsAt reports whether a function of f starts where id says, with //line
// directives applied.
func (w *universe) startsAt(f *ast.File, id *exe.Ident) bool {
	hit := false
	ast.Inspect(f, func(n ast.Node) bool {
		if ft, ok := n.(*ast.FuncType); ok && ft.Func.IsValid() {
			q := w.fset.Position(ft.Func)
			if q.Line == id.StartLine && path.Base(filepath.ToSlash(q.Filename)) == path.Base(filepath.ToSlash(id.File)) {
				hit = true
			}
		}
		return !hit
	})
	return hit
}
