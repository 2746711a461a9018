package source

import (
	"go/ast"
	"go/types"
	"slices"
)

// This file finds type parameters that a literal in generic code does not
// depend on. Its code is the same whatever they are, so that nothing in the
// binary need tell them.

// completeUnused gives every missing type argument of t a stand-in, struct{}, if
// t is a literal that none of the missing type parameters matters to.
func completeUnused(t *resolved, args []types.Type) bool {
	if t.lit == nil {
		return false
	}
	missing := map[*types.TypeParam]bool{}
	for i := range args {
		if args[i] == nil {
			missing[t.typeParams().At(i)] = true
		}
	}
	if matters(t.info, t.lit, missing) {
		return false
	}
	t.found = slices.Clone(args)
	for i := range args {
		if args[i] == nil {
			args[i] = types.NewStruct(nil, nil)
		}
	}
	t.args, t.unused = args, true
	return true
}

// matters reports whether anything in lit has a type that is, or may be, made
// with one of the type parameters.
func matters(info *types.Info, lit *ast.FuncLit, params map[*types.TypeParam]bool) bool {
	found := false
	ast.Inspect(lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			for a := range info.Instances[id].TypeArgs.Types() {
				found = found || mayMention(a, params)
			}
			switch o := info.ObjectOf(id).(type) {
			case *types.Var, *types.TypeName, *types.Const:
				found = found || mayMention(o.Type(), params)
			}
		}
		if e, ok := n.(ast.Expr); ok {
			found = found || mayMention(info.TypeOf(e), params)
		}
		return !found
	})
	return found
}

// mayMention reports whether t is, or may be, made with one of the type parameters.
func mayMention(t types.Type, params map[*types.TypeParam]bool) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return params[t]
	case *types.Named:
		if o := t.Obj(); o.Pkg() != nil && o.Parent() != o.Pkg().Scope() {
			return true // declared in a function, perhaps with its type parameters
		}
		for a := range t.TypeArgs().Types() {
			if mayMention(a, params) {
				return true
			}
		}
	case *types.Map:
		return mayMention(t.Key(), params) || mayMention(t.Elem(), params)
	case *types.Struct:
		for f := range t.Fields() {
			if mayMention(f.Type(), params) {
				return true
			}
		}
	case *types.Tuple:
		for v := range t.Variables() {
			if mayMention(v.Type(), params) {
				return true
			}
		}
	case *types.Signature:
		return mayMention(t.Params(), params) || mayMention(t.Results(), params)
	case *types.Interface:
		return t.NumMethods() > 0 || t.NumEmbeddeds() > 0
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		return mayMention(t.Elem(), params)
	}
	return false
}
