package vet

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/diag"
	"heddle/intrinsics"
	"heddle/ssa2ir"
)

// This file runs the compiler's own check on kernels.

// checkKernelCall reports what is wrong with a call of kernel.New and its kernels.
func (v *vetter) checkKernelCall(m *kernelCall) {
	at := v.place(m.call)
	switch {
	case m.typ == nil && !types.IsInterface(m.arg.Type()):
		v.report(at, "kernel.New(%s): want a function", types.TypeString(m.arg.Type(), types.RelativeTo(v.pass.Pkg)))
	case m.typ != nil && m.typ.Results().Len() > 0:
		v.report(at, "a kernel has no results: let it write to a slice")
	case m.typ != nil && m.typ.Variadic():
		v.report(at, "a kernel is not variadic: let it take a slice")
	default:
		for _, f := range v.functions(m.arg) {
			v.checkKernel(at, f, m.hasOptions())
		}
	}
}

// hasOptions reports whether the kernel is made with options, which may name
// captured variables that become constants.
func (m *kernelCall) hasOptions() bool {
	if len(m.call.Call.Args) < 2 {
		return false
	}
	_, zero := m.call.Call.Args[1].(*ssa.Const)
	return !zero
}

// maxCalls is how many captured functions deep a kernel is looked at.
const maxCalls = 3

// checkKernel reports what is wrong with one kernel, which is made at a place.
func (v *vetter) checkKernel(at token.Pos, f function, specialized bool) {
	if makesUnknownFuncs(f.fn) {
		return
	}
	k := &ssa2ir.Kernel{
		Name: f.fn.RelString(nil), Fn: f.fn, Captures: f.caps, Receiver: f.recv,
		Fset: v.pass.Fset, Init: v.initialiser, Writer: v.writer, Unroll: v.unroll, Directives: v.functionDirectives, Partial: true, Specialized: specialized,
	}
	err := v.direct(k)
	if err == nil {
		_, err = ssa2ir.Check(k)
	}
	var list ssa2ir.Errors
	var one *diag.Error
	switch {
	case err == nil || errors.As(err, &list):
	case errors.As(err, &one):
		list = ssa2ir.Errors{one}
	default:
		v.report(at, "kernel %s: %v", k.Name, err)
	}
	for _, e := range list {
		text := e.Msg
		if e.Hint != "" {
			text += " (" + e.Hint + ")"
		}
		if pos := v.pos(e.Pos); pos.IsValid() {
			v.reportCalled(pos, e.Calls, "%s", text)
		} else {
			v.report(at, "kernel %s: %v", k.Name, e)
		}
	}
	v.checkHostCaptures(f)
	v.checkBarriers(f.fn)
}

// checkHostCaptures reports captured slices and pointers that are made on the host,
// which a launch on anything but the simulator refuses.
func (v *vetter) checkHostCaptures(f function) {
	for i, c := range f.caps {
		what, instead := "", ""
		if made := onlyValue(f.vars[i]); made != nil && v.isHost(made, maxCalls) {
			switch made.Type().Underlying().(type) {
			case *types.Slice:
				what, instead = "slice", "capture a *launch.Buffer and take its Device()"
			case *types.Pointer:
				what, instead = "pointer", "capture the value it points to"
			}
		}
		if what != "" {
			v.report(f.fn.FreeVars[i].Pos(), "captured variable %s is a %s of host memory (%s)", c.Name, what, instead)
		}
	}
}

// makesUnknownFuncs reports whether fn calls, directly or not, a function
// without a body here that returns a func: whatever calls that cannot be judged.
func makesUnknownFuncs(fn *ssa.Function) bool {
	found := false
	eachCall(fn, map[*ssa.Function]bool{}, func(call ssa.CallInstruction, callee *ssa.Function) {
		if callee == nil || len(callee.Blocks) > 0 || intrinsics.Lookup(fullName(callee)) != nil {
			return
		}
		if f := object(callee); f != nil && ssa2ir.CannotRun(f) {
			return // the call is refused
		}
		for r := range callee.Signature.Results().Variables() {
			if _, ok := r.Type().Underlying().(*types.Signature); ok {
				found = true
			}
		}
	})
	return found
}

func fullName(fn *ssa.Function) string {
	if obj := object(fn); obj != nil {
		return obj.FullName()
	}
	return ""
}

// eachCall visits the calls in fn and in what it refers to.
func eachCall(fn *ssa.Function, seen map[*ssa.Function]bool, visit func(ssa.CallInstruction, *ssa.Function)) {
	if seen[fn] {
		return
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if call, ok := i.(ssa.CallInstruction); ok {
				visit(call, call.Common().StaticCallee())
			}
			for _, op := range i.Operands(nil) {
				if f, ok := (*op).(*ssa.Function); ok {
					eachCall(f, seen, visit)
				}
			}
		}
	}
}

// initialiser is ssa2ir.Kernel's Init: the initialiser of a variable that this
// package does not change. Variables of other packages are taken to be tables.
func (v *vetter) initialiser(g *ssa.Global) (ast.Expr, *types.Info) {
	x, ok := g.Object().(*types.Var)
	if _, written := v.written[x]; !ok || written {
		return nil, nil
	}
	if e := v.inits[x]; e != nil {
		return e, v.pass.TypesInfo
	}
	return nil, new(types.Info)
}

// writer is ssa2ir.Kernel's Writer.
func (v *vetter) writer(g *ssa.Global) token.Pos {
	x, _ := g.Object().(*types.Var)
	return v.written[x]
}

// pos finds the place in this package's files that a position names; none if
// it is elsewhere.
func (v *vetter) pos(at token.Position) token.Pos {
	for _, f := range v.pass.Files {
		tf := v.pass.Fset.File(f.FileStart)
		if at.Offset <= tf.Size() {
			if p := tf.Pos(at.Offset); tf.Position(p) == at {
				return p
			}
		}
	}
	return token.NoPos
}

// place is where a call begins.
func (v *vetter) place(call ssa.CallInstruction) token.Pos {
	if c := v.calls[call.Pos()]; c != nil {
		return c.Pos()
	}
	return call.Pos()
}
