// Package vet is a go/analysis analyzer for programs that use heddle. It
// reports, at the user's line:
//
//   - whatever the compiler would refuse in a kernel: it is the compiler's own
//     check (ssa2ir.Check) that runs;
//   - barriers (dsl.SyncThreads and its kin) that only some threads of a block
//     reach, for a condition that depends on the thread;
//   - captured slices and pointers that are made on the host;
//   - launches whose arguments do not fit the kernel's parameters, host slices
//     where a *launch.Buffer belongs among them.
//
// "heddle vet" runs it, and so do
//
//	go vet -vettool=$(which heddle) ./...
//
// and every multichecker and gopls built with [Analyzer].
//
// Kernels are the arguments of kernel.New and kernel.NewWith: declared
// functions, instances of generic ones, literals, method values, also where the
// package passes them through parameters, variables, fields of tables, slices
// and maps. A launch is
// checked where its kernel is known: the call's own kernel.New, or a variable
// that the package assigns once.
//
// Where code is meant to be wrong, as in a test, a comment silences the analyzer:
//
//	//lint:ignore heddle REASON         the line of the comment, or the next one if it is
//	                                    alone in its own; above a declaration, all of that
//	//lint:file-ignore heddle REASON    the file
//
// It is staticcheck's form. A comment where nothing is wrong is reported itself.
//
// Packages are looked at one by one. What a kernel calls in another package is
// judged by the types of the call alone, since analyzers see no bodies there; so
// are kernels made in one package of another's functions. The compiler checks
// them in full at the first launch.
package vet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"heddle/internal/flow"
	"heddle/internal/module"
	"heddle/internal/source"
)

// Analyzer is the whole of this package.
var Analyzer = &analysis.Analyzer{
	Name: "heddle",
	Doc:  "report GPU kernels that heddle would refuse, divergent barriers and launches with wrong arguments",
	Run:  run,
}

// The packages whose functions are looked for.
const (
	kernelPath = module.Kernel
	launchPath = module.Launch
	dslPath    = module.DSL
)

// A vetter looks at one package.
type vetter struct {
	pass    *analysis.Pass
	fns     []*ssa.Function // with bodies, and without type parameters
	inits   map[*types.Var]ast.Expr
	written map[*types.Var]token.Pos
	calls   map[token.Pos]*ast.CallExpr // by their left parenthesis, as go/ssa has them
	flow    *flow.Flow
	stores  map[*ssa.Global][]ssa.Value // what is assigned; nil for what is not known
	said    map[string]bool
	found   []analysis.Diagnostic // not yet reported
}

func run(pass *analysis.Pass) (any, error) {
	v := &vetter{pass: pass, said: map[string]bool{}}
	if slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool { return p.Path() == kernelPath }) {
		v.written = source.Written(pass.TypesInfo, pass.Files)
		v.build()
		v.index()
		for _, m := range v.kernelCalls() {
			v.checkKernelCall(m)
		}
		for _, fn := range v.fns {
			v.checkLaunches(fn)
		}
	}
	v.flush()
	return nil, nil
}

// build makes the package's SSA form, with instances of its generic functions,
// which buildssa does not make.
func (v *vetter) build() {
	prog := ssa.NewProgram(v.pass.Fset, ssa.InstantiateGenerics|ssa.BareInits|ssa.BuildSerially)
	seen := map[*types.Package]bool{}
	var declare func(ps []*types.Package)
	declare = func(ps []*types.Package) {
		for _, p := range ps {
			if !seen[p] {
				seen[p] = true
				prog.CreatePackage(p, nil, nil, true)
				declare(p.Imports())
			}
		}
	}
	declare(v.pass.Pkg.Imports())
	prog.CreatePackage(v.pass.Pkg, v.pass.Files, v.pass.TypesInfo, false).Build()
	all := ssautil.AllFunctions(prog)
	v.flow = flow.New(all)
	for fn := range all {
		if len(fn.Blocks) > 0 && concrete(fn) {
			v.fns = append(v.fns, fn)
		}
	}
	slices.SortFunc(v.fns, func(a, b *ssa.Function) int {
		if a.Pos() != b.Pos() {
			return int(a.Pos() - b.Pos())
		}
		return strings.Compare(a.String(), b.String())
	})
}

// concrete reports whether a function has no type parameters, or arguments for
// them that have none.
func concrete(fn *ssa.Function) bool {
	if fn.TypeParams().Len() > 0 && len(fn.TypeArgs()) == 0 {
		return false
	}
	return !slices.ContainsFunc(fn.TypeArgs(), parameterised)
}

// parameterised reports whether a type argument has type parameters in it.
func parameterised(t types.Type) bool {
	switch t := t.(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if parameterised(a) {
				return true
			}
		}
	case *types.Alias:
		return parameterised(types.Unalias(t))
	case *types.Struct:
		for f := range t.Fields() {
			if parameterised(f.Type()) {
				return true
			}
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for x := range list.Variables() {
				if parameterised(x.Type()) {
					return true
				}
			}
		}
	case *types.Map:
		return parameterised(t.Key()) || parameterised(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		return parameterised(t.Elem())
	}
	return false
}

// index finds calls, initialisers and assignments of package-level variables.
func (v *vetter) index() {
	v.calls, v.inits, v.stores = map[token.Pos]*ast.CallExpr{}, map[*types.Var]ast.Expr{}, map[*ssa.Global][]ssa.Value{}
	for _, f := range v.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				v.calls[n.Lparen] = n
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if x, ok := v.pass.TypesInfo.Defs[name].(*types.Var); ok && len(n.Values) == len(n.Names) {
						v.inits[x] = n.Values[i]
					} else if ok && len(n.Values) > 0 {
						v.written[x] = token.NoPos // by a call with several results
					}
				}
			}
			return true
		})
	}
	for _, fn := range v.fns {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				v.indexGlobals(i)
			}
		}
	}
}

// indexGlobals notes what an instruction does to package-level variables.
func (v *vetter) indexGlobals(i ssa.Instruction) {
	if st, ok := i.(*ssa.Store); ok {
		if g, ok := st.Addr.(*ssa.Global); ok {
			v.stores[g] = append(v.stores[g], st.Val)
			return
		}
	}
	if op, ok := i.(*ssa.UnOp); ok && op.Op == token.MUL {
		return
	}
	for _, op := range i.Operands(nil) {
		if g, ok := (*op).(*ssa.Global); ok {
			v.stores[g] = append(v.stores[g], nil) // its address is taken
		}
	}
}

// report says something once, however many kernels it is true of.
func (v *vetter) report(pos token.Pos, format string, args ...any) {
	v.reportCalled(pos, nil, format, args...)
}

// reportCalled is report for what is reached by calls, innermost first.
func (v *vetter) reportCalled(pos token.Pos, calls []token.Position, format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	key := fmt.Sprint(pos, msg)
	if v.said[key] {
		return
	}
	v.said[key] = true
	d := analysis.Diagnostic{Pos: pos, Message: msg}
	for _, c := range calls {
		if at := v.pos(c); at.IsValid() {
			d.Related = append(d.Related, analysis.RelatedInformation{Pos: at, Message: "called from here"})
		}
	}
	v.found = append(v.found, d)
}

// isFunc reports whether fn is one of the named functions or methods of a package.
func isFunc(fn *ssa.Function, pkg string, names ...string) bool {
	obj := object(fn)
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == pkg && slices.Contains(names, obj.Name())
}

// object is the declared function that fn is, or is an instance of.
func object(fn *ssa.Function) *types.Func {
	if fn == nil {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	obj, _ := fn.Object().(*types.Func)
	return obj
}
