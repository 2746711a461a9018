package source

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// allFunctions are the functions of a built program, as ssautil.AllFunctions finds
// them: what the packages declare, the methods of the types that pkgs, those from
// source, export and of those that become interfaces, and all that these mention. It is
// here since ssautil brings go/packages and go/loader into every program.
func allFunctions(prog *ssa.Program, pkgs []*pkg) map[*ssa.Function]bool {
	seen := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if seen[fn] {
			return
		}
		seen[fn] = true
		var few [10]*ssa.Value
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				for _, op := range instr.Operands(few[:0]) {
					if fn, ok := (*op).(*ssa.Function); ok {
						visit(fn)
					}
				}
			}
		}
	}
	methods := func(t types.Type) {
		if types.IsInterface(t) {
			return
		}
		for m := range prog.MethodSets.MethodSet(t).Methods() {
			if m.Obj().(*types.Func).Signature().TypeParams() == nil {
				visit(prog.MethodValue(m))
			}
		}
	}
	for _, p := range prog.AllPackages() {
		for _, m := range p.Members {
			if fn, ok := m.(*ssa.Function); ok {
				visit(fn)
			}
		}
	}
	for _, p := range pkgs {
		scope := p.types.Scope()
		for _, name := range scope.Names() {
			obj, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || !obj.Exported() {
				continue
			}
			if t, ok := obj.Type().(*types.Named); ok && !types.IsInterface(t) && t.TypeParams() == nil {
				methods(t)
				methods(types.NewPointer(t))
			}
		}
	}
	for _, t := range prog.RuntimeTypes() {
		methods(t)
	}
	return seen
}
