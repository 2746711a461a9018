package vet

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// This file compares the arguments of launches with the kernels' parameters, as
// package launch does when a program runs.

// checkLaunches looks at the launches in fn whose kernels are known.
func (v *vetter) checkLaunches(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			call, ok := i.(ssa.CallInstruction)
			if !ok || !isFunc(call.Common().StaticCallee(), kernelPath, "Launch", "Go") {
				continue
			}
			if written := v.calls[call.Pos()]; written != nil && len(written.Args) >= 2 {
				v.checkConfig(written.Args[1])
			}
			if len(call.Common().Args) != 4 {
				continue // a launch that Go's compiler checks
			}
			if m := v.kernelOf(call.Common().Args[0], maxCalls); m != nil && m.typ != nil && !m.typ.Variadic() {
				v.checkLaunch(call, m.typ)
			}
		}
	}
}

func (v *vetter) checkLaunch(call ssa.CallInstruction, kernel *types.Signature) {
	args, ok := variadic(call.Common().Args[3])
	if !ok {
		return // a slice..., known at run time
	}
	qual := types.RelativeTo(v.pass.Pkg)
	params := kernel.Params()
	if len(args) != params.Len() {
		var want []string
		for p := range params.Variables() {
			want = append(want, strings.TrimSpace(p.Name()+" "+wanted(p.Type(), qual)))
		}
		v.report(v.place(call), "have %d arguments, want %d: (%s)", len(args), params.Len(), strings.Join(want, ", "))
		return
	}
	written := v.calls[call.Pos()]
	for i, a := range args {
		text, at := "", v.place(call)
		if written != nil && len(written.Args) == len(args)+2 {
			e := written.Args[i+2]
			text, at = types.ExprString(ast.Unparen(e)), e.Pos()
		}
		if msg := v.mismatch(params.At(i).Type(), a, text, qual); msg != "" {
			v.report(at, "argument %d%s%s", i+1, named(params.At(i)), msg)
		}
	}
}

func named(p *types.Var) string {
	if p.Name() == "" || p.Name() == "_" {
		return ""
	}
	return " (" + p.Name() + ")"
}

// variadic lists the values of an argument list "args ...any" that is written
// out in the call.
func variadic(list ssa.Value) ([]ssa.Value, bool) {
	if k, ok := list.(*ssa.Const); ok && k.Value == nil {
		return nil, true // no arguments
	}
	sl, ok := list.(*ssa.Slice)
	if !ok {
		return nil, false
	}
	al, ok := sl.X.(*ssa.Alloc)
	if !ok || al.Comment != "varargs" {
		return nil, false
	}
	arr := al.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	vals := make([]ssa.Value, arr.Len())
	for _, r := range *al.Referrers() {
		ia, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		k, ok := ia.Index.(*ssa.Const)
		if !ok {
			return nil, false
		}
		n, _ := constant.Int64Val(k.Value)
		for _, u := range *ia.Referrers() {
			if st, ok := u.(*ssa.Store); ok && st.Addr == ia {
				vals[n] = st.Val
			}
		}
	}
	return vals, true
}

// wanted is the type of what the host passes for a parameter.
func wanted(t types.Type, qual types.Qualifier) string {
	if e := element(t); e != nil {
		return "*launch.Buffer[" + types.TypeString(e, qual) + "]"
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == dslPath && (strings.HasPrefix(n.Obj().Name(), "Texture") || strings.HasPrefix(n.Obj().Name(), "Surface")) {
		return "*launch.Texture[" + types.TypeString(t, qual) + "]"
	}
	return types.TypeString(t, qual)
}

// element is the type of the elements of the buffer that a parameter takes, nil
// for one that is passed by value.
func element(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Pointer:
		return u.Elem()
	}
	return nil
}

// mismatch says what is wrong with an argument, written as text, for a
// parameter of type t; "" if nothing is, or the argument's type is known at run
// time only, or whose memory it is.
func (v *vetter) mismatch(t types.Type, arg ssa.Value, text string, qual types.Qualifier) string {
	if types.IsInterface(t) {
		return "" // no kernel takes one: that is reported where it is declared
	}
	if k, ok := arg.(*ssa.Const); ok && k.Value == nil {
		return " is nil, want " + wanted(t, qual)
	}
	mk, ok := arg.(*ssa.MakeInterface)
	if !ok {
		return ""
	}
	have, elem := mk.X.Type(), element(t)
	haveText := types.TypeString(have, qual)
	differs := fmt.Sprintf(": have %s, want %s", haveText, wanted(t, qual))
	if elem == nil {
		switch {
		case types.Identical(have, t), types.Identical(textureOf(have), t):
			return ""
		case isNumber(have) && isNumber(t) && text != "":
			return fmt.Sprintf("%s; write %s(%s)", differs, types.TypeString(t, qual), text)
		case types.Identical(textureOf(types.NewPointer(have)), t):
			return differs + "; pass the pointer"
		}
		return differs
	}
	if p, ok := types.Unalias(have).(*types.Pointer); ok {
		if e := bufferOf(p.Elem()); e != nil && types.Identical(e, elem) {
			return ""
		} else if e != nil {
			return differs
		}
	}
	if bufferOf(have) != nil {
		return differs + "; pass the pointer"
	}
	if obj, _, _ := types.LookupFieldOrMethod(have, true, nil, "Device"); obj != nil {
		return "" // a type that embeds a buffer
	}
	if types.AssignableTo(have, t) && !v.isHost(mk.X, maxCalls) {
		return ""
	}
	switch have.Underlying().(type) {
	case *types.Pointer, *types.Slice:
		if !v.isHost(mk.X, maxCalls) {
			return differs
		}
	}
	host, expr := " is host memory ("+haveText+")", ""
	switch u := have.Underlying().(type) {
	case *types.Pointer:
		inner := u.Elem().Underlying()
		switch _, isArray := inner.(*types.Array); {
		case types.Identical(u.Elem(), elem):
			expr = fmt.Sprintf("[]%s{*%s}", types.TypeString(elem, qual), text)
		case isArray && types.Identical(listElem(inner), elem):
			expr = text + "[:]"
		case types.Identical(listElem(inner), elem):
			expr = "*" + text
			if strings.HasPrefix(text, "&") {
				expr = text[1:]
			}
		}
	case *types.Slice:
		if types.Identical(u.Elem(), elem) {
			expr = text
		}
	case *types.Array:
		if types.Identical(u.Elem(), elem) {
			expr = text + "[:]"
		}
	default:
		return differs
	}
	if expr == "" {
		return host + ", want " + wanted(t, qual)
	}
	return host + "; upload it: launch.Upload(dev, " + expr + ")"
}

// listElem is the type of an array's or a slice's elements, the invalid type for
// another's.
func listElem(t types.Type) types.Type {
	switch u := t.(type) {
	case *types.Array:
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	}
	return types.Typ[types.Invalid]
}

// bufferOf is T of launch.Buffer[T] and launch.Pitched[T], nil for other types.
func bufferOf(t types.Type) types.Type { return madeOf(t, "Buffer", "Pitched") }

// textureOf is D of *launch.Texture[D], the invalid type for another's.
func textureOf(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		if d := madeOf(p.Elem(), "Texture"); d != nil {
			return d
		}
	}
	return types.Typ[types.Invalid]
}

// madeOf is the type argument of one of package launch's generic types, nil for other types.
func madeOf(t types.Type, names ...string) types.Type {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != launchPath || n.TypeArgs().Len() != 1 {
		return nil
	}
	if !slices.Contains(names, n.Obj().Name()) {
		return nil
	}
	return n.TypeArgs().At(0)
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}
