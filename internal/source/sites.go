package source

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"runtime"
	"slices"
	"strings"
	"sync"

	"heddle/internal/errs"
	"heddle/internal/exe"
	"heddle/internal/module"
)

// This file finds type arguments that nothing else tells by the code that uses
// the instance. Whoever calls or inlines a generic function F[T] takes the
// address of that instance's dictionary, and whoever uses it as a value that of
// a static closure. The lines of these instructions, those of the functions
// that they were inlined into included, spell F's type arguments out:
//
//	LEAQ pkg..dict.F[int](SB), AX    // main.go:7: k := F[int](x)
//
// The dictionaries without content are one: nothing in their instances' code
// depends on the type arguments, except for what follows from the code itself.
// There the references to that code are followed, and of instances that share
// it one is as good as another.

// maxSites bounds the instructions that are looked at, and maxClimb how many
// generic functions may call each other between an instance and the code that
// spells type arguments out.
const maxSites, maxClimb = 64, 4

// A site is an instruction that uses an instance.
type site struct {
	lines []codeLine // from that of the innermost inlined function outwards
	entry uintptr    // of the function that it is in
}

// A codeLine is a place in the source that an instruction stems from.
type codeLine struct {
	pkg  string // import path
	file string
	line int
}

// argsOfSites looks for an instance of t's function on the lines of the
// instructions that use it.
func (w *universe) argsOfSites(t *resolved, known []types.Type) ([]types.Type, error) {
	var sites []site
	empty := false
	switch n, dict := exe.DictWords(t.id.PC); {
	case t.id.Dict == 0:
		sites = sitesAt(refsTo(uintptr(t.id.Obj)))
	case !dict:
		return nil, errs.F("its dictionary is of unknown size")
	case n == 0:
		empty = true
		sites = w.sitesOfCode(t, t.id.PC, map[uintptr]bool{})
	default:
		if sites = sitesAt(refsTo(t.id.Dict)); len(sites) == 0 { // only another dictionary holds it
			sites = sitesAt(refsTo(t.id.PC))
		}
	}
	var sets [][][]types.Type // what each site allows
	for _, s := range sites {
		set, err := w.instancesAt(t.fn, s, t.id.Dict == 0, 0)
		if err != nil {
			return nil, err
		}
		set = slices.DeleteFunc(set, func(ts []types.Type) bool { return len(ts) != len(known) || !agree(known, ts) })
		if len(set) > 0 {
			sets = append(sets, set)
		}
	}
	found := common(sets)
	if empty {
		if one := single(sets); one != nil {
			found = [][]types.Type{one}
		}
	}
	if len(found) != 1 {
		return nil, errs.F("%d candidates at %d uses", len(found), len(sites))
	}
	return found[0], nil
}

// common are the lists that all sets have.
func common(sets [][][]types.Type) (all [][]types.Type) {
	for i, set := range sets {
		if i == 0 {
			all = slices.Clone(set)
			continue
		}
		all = slices.DeleteFunc(all, func(ts []types.Type) bool { return !containsTypes(set, ts) })
	}
	return all
}

// single is the first, by name, of the lists that are alone in their set.
func single(sets [][][]types.Type) (first []types.Type) {
	for _, set := range sets {
		if len(set) == 1 && (first == nil || fmt.Sprint(set[0]) < fmt.Sprint(first)) {
			first = set[0]
		}
	}
	return first
}

// keepAround asks for a universe that has the code at these lines.
func (w *universe) keepAround(lines []codeLine) error {
	if w.trimmer == nil {
		return nil
	}
	around := map[place]bool{}
	for _, l := range lines {
		if p := placeOf(l.file, l.line); !w.trimmer.seeds.around[p] {
			around[p] = true
		}
	}
	if len(around) > 0 {
		return &wants{around: around}
	}
	return nil
}

// sitesOfCode are the sites that lead to the code at pc of t's literal, whose
// dictionary tells nothing: places that call the functions around it, or where
// they were inlined.
func (w *universe) sitesOfCode(t *resolved, pc uintptr, seen map[uintptr]bool) (sites []site) {
	if seen[pc] || len(seen) > maxSites {
		return nil
	}
	seen[pc] = true
	for _, s := range sitesAt(slices.Concat(refsTo(pc), callsOf(pc))) {
		sites = append(sites, s)
		if n := len(s.lines); n > 0 && w.within(t, s.lines[n-1]) {
			sites = append(sites, w.sitesOfCode(t, s.entry, seen)...)
		}
	}
	return sites
}

// within reports whether a line belongs to the declaration of t.
func (w *universe) within(t *resolved, l codeLine) bool {
	from, to := w.fset.Position(t.decl.Pos()), w.fset.Position(t.decl.End())
	return baseName(from.Filename) == baseName(l.file) && from.Line <= l.line && l.line <= to.Line
}

// instancesAt lists the type arguments of fn's instances on a site's lines, where
// value says that the site uses fn as a value, and does not call it. Where they
// are made with the type parameters of a function around them, those are looked
// for on the lines that it was inlined into, or else those that call it. There
// are none unless all that may be there are known.
func (w *universe) instancesAt(fn *types.Func, s site, value bool, depth int) (found [][]types.Type, err error) {
	if err := w.keepAround(s.lines); err != nil {
		return nil, err
	}
	for i, l := range s.lines {
		if !w.mayName(l.pkg, fn) {
			continue
		}
		p, f, err := w.locate(l.file)
		if err != nil || f == nil {
			return nil, err
		}
		insts := w.instancesOn(p, f, fn, l.line, value)
		if len(insts) == 0 {
			continue
		}
		if err := w.fresh(p, f); err != nil {
			return nil, err
		}
		for _, list := range insts {
			if ts := concrete(list); ts != nil {
				found = append(found, ts)
				continue
			}
			outer := w.declAt(p, f, l.line)
			if outer == nil {
				return nil, nil
			}
			sets, err := w.callersArgs(outer, site{s.lines[i+1:], s.entry}, depth)
			if err != nil || len(sets) == 0 {
				return nil, err
			}
			for _, args := range sets {
				ts := substituteAll(w.ctxt, outer, args, list)
				if ts == nil {
					return nil, nil
				}
				found = append(found, ts)
			}
		}
	}
	return distinct(found), nil
}

// mayName reports whether a package may have an instance of fn: the standard
// library does not know of other packages, nor this module of those that use it.
func (w *universe) mayName(pkg string, fn *types.Func) bool {
	own := func(p string) bool { return strings.HasPrefix(p, module.Path+"/") }
	user := fn.Pkg() != nil && !own(fn.Pkg().Path()) && !w.isStd(fn.Pkg().Path())
	return !user || !own(pkg) && !w.isStd(pkg)
}

// callersArgs lists the type arguments that fn has at a site inside of it: those
// that the code has into which it was inlined, or else all those that call it.
// There are none unless every caller's are known.
func (w *universe) callersArgs(fn *types.Func, s site, depth int) (all [][]types.Type, err error) {
	if len(s.lines) > 0 {
		return w.instancesAt(fn, s, false, depth)
	}
	if depth == maxClimb {
		return nil, nil
	}
	calls := callsOf(s.entry)
	if len(calls) == maxSites { // there may be more
		return nil, nil
	}
	for _, call := range sitesAt(calls) {
		set, err := w.instancesAt(fn, call, false, depth+1)
		if err != nil || len(set) == 0 {
			return nil, err
		}
		all = append(all, set...)
	}
	return distinct(all), nil
}

// instancesOn lists the type arguments of the instances of fn that the code on a
// line of a file names; of a method those of the receivers of its calls and
// values. The instructions of a call have the line where the call begins. Those
// that load a func value may have that of any part of the statement.
func (w *universe) instancesOn(p *pkg, f *ast.File, fn *types.Func, line int, value bool) (insts []*types.TypeList) {
	add := func(n ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok {
			return
		}
		use, ok := p.info.Uses[id].(*types.Func)
		if !ok || use.Origin() != fn && use.Origin().FullName() != fn.FullName() {
			return
		}
		if inst, ok := p.info.Instances[id]; ok {
			insts = append(insts, inst.TypeArgs)
		} else if recv := use.Signature().Recv(); recv != nil {
			if named, ok := deref(recv.Type()).(*types.Named); ok && named.TypeArgs().Len() > 0 {
				insts = append(insts, named.TypeArgs())
			}
		}
	}
	if value {
		w.eachOfStatement(f, line, add)
	} else {
		w.eachOfLine(f, line, add)
	}
	return insts
}

// eachOfLine visits the identifiers on a line, and what the calls are of that
// begin there.
func (w *universe) eachOfLine(f *ast.File, line int, visit func(ast.Node)) {
	on := func(p token.Pos) bool { return w.fset.Position(p).Line == line }
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if on(n.Pos()) {
				visit(n)
			}
		case *ast.CallExpr:
			if on(n.Pos()) || on(n.Lparen) {
				ast.Inspect(n.Fun, func(m ast.Node) bool {
					_, literal := m.(*ast.FuncLit)
					if !literal {
						visit(m)
					}
					return !literal
				})
			}
		}
		return true
	})
}

// eachOfStatement visits the nodes of the statements and declarations that a
// line is part of, the blocks inside of them aside.
func (w *universe) eachOfStatement(f *ast.File, line int, visit func(ast.Node)) {
	from := func(n ast.Node) int { return w.fset.Position(n.Pos()).Line }
	to := func(n ast.Node) int { return w.fset.Position(n.End()).Line }
	var unit func(n ast.Node)
	parts := func(n ast.Node) { // of a block
		for _, part := range partsOf(n) {
			if from(part) <= line && line <= to(part) {
				unit(part)
			}
		}
	}
	unit = func(n ast.Node) {
		inside := false // of a block, where no other code is
		ast.Inspect(n, func(m ast.Node) bool {
			if m != n && partsOf(m) != nil {
				inside = inside || from(m) < line && line < to(m)
				parts(m)
				return false
			}
			return true
		})
		if inside {
			return
		}
		ast.Inspect(n, func(m ast.Node) bool {
			if m == nil || m != n && partsOf(m) != nil {
				return false
			}
			visit(m)
			return true
		})
	}
	parts(f)
}

// partsOf are the statements of a block, or the specs and functions of a file;
// nil of other nodes.
//
//go:noinline
func partsOf(n ast.Node) (parts []ast.Node) {
	switch n := n.(type) {
	case *ast.BlockStmt:
		parts = []ast.Node{}
		for _, s := range n.List {
			parts = append(parts, s)
		}
	case *ast.File:
		for _, d := range n.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				for _, s := range g.Specs {
					parts = append(parts, s)
				}
			} else {
				parts = append(parts, d)
			}
		}
	}
	return parts
}

// deref is t without a pointer and aliases.
func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.Unalias(t)
}

// declAt is the generic function whose declaration a line of a file is in, nil
// if it is in none.
func (w *universe) declAt(p *pkg, f *ast.File, line int) *types.Func {
	for _, d := range f.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if ok && w.fset.Position(fd.Pos()).Line <= line && line <= w.fset.Position(fd.End()).Line {
			if fn, ok := p.info.Defs[fd.Name].(*types.Func); ok && typeParamsOf(fn).Len() > 0 {
				return fn
			}
		}
	}
	return nil
}

// typeParamsOf are the type parameters of a function, or of a method's receiver.
//
//go:noinline
func typeParamsOf(fn *types.Func) *types.TypeParamList {
	if fn.Signature().Recv() != nil {
		return fn.Signature().RecvTypeParams()
	}
	return fn.Signature().TypeParams()
}

// substituteAll gives the type parameters of fn their arguments in a list of
// types; nil if some have none.
func substituteAll(ctxt *types.Context, fn *types.Func, args []types.Type, list *types.TypeList) (ts []types.Type) {
	tps := typeParamsOf(fn)
	if tps.Len() != len(args) {
		return nil
	}
	m := substitution{}
	for i := range args {
		m[tps.At(i)] = args[i]
	}
	for i := range list.Len() {
		t := m.apply(ctxt, list.At(i))
		if t == nil {
			return nil
		}
		ts = append(ts, t)
	}
	return ts
}

// distinct drops the lists that are there already.
//
//go:noinline
func distinct(list [][]types.Type) (out [][]types.Type) {
	for _, ts := range list {
		if !slices.ContainsFunc(out, func(o []types.Type) bool { return len(o) == len(ts) && agree(o, ts) }) {
			out = append(out, ts)
		}
	}
	return out
}

// sitesAt are the sites of instructions. What the compiler made by itself has no
// lines.
func sitesAt(at []uintptr) (sites []site) {
	for _, pc := range at {
		var lines []codeLine
		for _, f := range exe.FramesAt(pc) {
			if f.File != "" && f.File != "<autogenerated>" {
				lines = append(lines, codeLine{importPathOf(f.Function), f.File, f.Line})
			}
		}
		if f := runtime.FuncForPC(pc); f != nil {
			sites = append(sites, site{lines, f.Entry()})
		}
	}
	return sites
}

var siteCache sync.Map // siteKey -> []uintptr

type siteKey struct {
	addr  uintptr
	calls bool
}

// refsTo lists instructions that take the address addr, of code or of data.
func refsTo(addr uintptr) []uintptr { return sitesFor(siteKey{addr, false}) }

// callsOf lists instructions that call the function at pc.
func callsOf(pc uintptr) []uintptr { return sitesFor(siteKey{pc, true}) }

func sitesFor(k siteKey) []uintptr {
	if v, ok := siteCache.Load(k); ok {
		return v.([]uintptr)
	}
	var at []uintptr
	lo, hi := exe.TextRange()
	add := func(target, pc uintptr) {
		if target == k.addr && len(at) < maxSites {
			at = append(at, pc)
		}
	}
	if k.calls {
		exe.ScanCalls(lo, hi, add)
	} else {
		exe.ScanAddresses(lo, hi, add)
	}
	siteCache.Store(k, at)
	return at
}
