package vet

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/flow"
	"heddle/ssa2ir"
)

// This file finds kernels and what is known of them.

// A kernelCall is one call of kernel.New, NewWith, Typed, TypedWith or Go.
type kernelCall struct {
	call *ssa.Call
	arg  ssa.Value        // what it is made of
	typ  *types.Signature // of arg; nil if that is no func, or an interface
}

// A function is one that a kernel is made of.
type function struct {
	fn   *ssa.Function
	recv bool             // fn is a method whose receiver is bound
	caps []ssa2ir.Capture // parallel to fn.FreeVars
	vars []ssa.Value      // where the captured variables are, likewise
}

// kernelCalls lists the package's calls of kernel.New.
func (v *vetter) kernelCalls() []*kernelCall {
	var all []*kernelCall
	for _, fn := range v.fns {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if call, ok := i.(*ssa.Call); ok {
					if m := madeBy(call); m != nil {
						all = append(all, m)
					}
				}
			}
		}
	}
	return all
}

// madeBy is the kernel that a call makes, nil if it makes none.
func madeBy(call *ssa.Call) *kernelCall {
	callee := call.Call.StaticCallee()
	arg := 0
	switch {
	case isFunc(callee, kernelPath, "New", "NewWith", "Typed", "TypedWith"):
	case isFunc(callee, kernelPath, "Go") && callee.Signature.Recv() == nil:
		arg = 2
	default:
		return nil
	}
	m := &kernelCall{call: call, arg: call.Call.Args[arg]}
	if mk, ok := m.arg.(*ssa.MakeInterface); ok {
		m.arg = mk.X
	}
	m.typ, _ = m.arg.Type().Underlying().(*types.Signature)
	return m
}

// functions lists the functions with bodies here that a value may be, one for
// each combination of functions that they capture.
func (v *vetter) functions(val ssa.Value) (all []function) {
	found, _ := v.flow.Values(val)
	for _, x := range found {
		for _, c := range v.flow.Choices(x, maxCalls) {
			if f := known(&c); f.fn != nil && len(f.fn.Blocks) > 0 {
				all = append(all, f)
			}
		}
	}
	return all
}

// known describes a function: whether its receiver is bound, and what it captures.
func known(x *flow.Value) (f function) {
	if x.Bound {
		return function{fn: boundMethod(x.Fn), recv: true}
	}
	f.fn, f.vars = x.Fn, x.Bindings
	for i, fv := range f.fn.FreeVars {
		c := ssa2ir.Capture{Name: fv.Name(), Type: fv.Type()}
		if p, ok := fv.Type().Underlying().(*types.Pointer); ok {
			c.Type = p.Elem()
		}
		if i < len(x.Held) && x.Held[i] != nil {
			if h := known(x.Held[i]); h.fn != nil && len(h.fn.Blocks) > 0 && !h.recv {
				c.Func = &ssa2ir.Kernel{Name: h.fn.RelString(nil), Fn: h.fn, Captures: h.caps, Fset: h.fn.Prog.Fset, Partial: true}
			}
		}
		f.caps = append(f.caps, c)
	}
	return f
}

// boundMethod is the method that the wrapper of a method value calls; nil for
// one of an interface.
func boundMethod(wrapper *ssa.Function) *ssa.Function {
	for _, b := range wrapper.Blocks {
		for _, i := range b.Instrs {
			if call, ok := i.(*ssa.Call); ok {
				if fn := call.Call.StaticCallee(); fn != nil && len(fn.Blocks) > 0 {
					return fn
				}
			}
		}
	}
	return nil
}

// onlyValue is the one value that a local variable, captured or not, is ever
// assigned; nil if there are others, or it may be assigned through a pointer.
func onlyValue(addr ssa.Value) ssa.Value {
	if fv, ok := addr.(*ssa.FreeVar); ok {
		if addr = bindingOf(fv); addr == nil {
			return nil
		}
		return onlyValue(addr)
	}
	if _, ok := addr.(*ssa.Alloc); !ok {
		return nil
	}
	var vals []ssa.Value
	var visit func(x ssa.Value)
	visit = func(x ssa.Value) {
		for _, r := range *x.Referrers() {
			switch r := r.(type) {
			case *ssa.Store:
				vals = append(vals, r.Val)
				if r.Addr != x {
					vals = append(vals, nil)
				}
			case *ssa.MakeClosure:
				for i, b := range r.Bindings {
					if b == x {
						visit(r.Fn.(*ssa.Function).FreeVars[i])
					}
				}
			case *ssa.UnOp, *ssa.DebugRef:
			default:
				vals = append(vals, nil, nil)
			}
		}
	}
	visit(addr)
	if len(vals) != 1 {
		return nil
	}
	return vals[0]
}

// bindingOf is what a literal's free variable is bound to, where the literal is
// made in one place.
func bindingOf(fv *ssa.FreeVar) ssa.Value {
	fn := fv.Parent()
	if fn.Parent() == nil {
		return nil
	}
	var found ssa.Value
	for _, b := range fn.Parent().Blocks {
		for _, i := range b.Instrs {
			mk, ok := i.(*ssa.MakeClosure)
			if !ok || mk.Fn != fn {
				continue
			}
			if found != nil {
				return nil
			}
			for j := range fn.FreeVars {
				if fn.FreeVars[j] == fv {
					found = mk.Bindings[j]
				}
			}
		}
	}
	return found
}

// kernelOf is the kernel that a *kernel.Kernel is: made right there, or held by
// a variable that is assigned once, depth variables deep.
func (v *vetter) kernelOf(k ssa.Value, depth int) *kernelCall {
	switch x := k.(type) {
	case *ssa.Call:
		return madeBy(x)
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return nil
		}
		if g, ok := x.X.(*ssa.Global); ok {
			if vals := v.stores[g]; g.Pkg.Pkg == v.pass.Pkg && len(vals) == 1 && vals[0] != nil && depth > 0 {
				return v.kernelOf(vals[0], depth-1)
			}
			return nil
		}
		if one := onlyValue(x.X); one != nil && depth > 0 {
			return v.kernelOf(one, depth-1)
		}
	}
	return nil
}
