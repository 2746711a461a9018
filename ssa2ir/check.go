package ssa2ir

// This file judges every instruction a kernel reaches. After it, lowering
// cannot fail for the user's reasons.

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Check verifies that the kernel keeps to the subset of Go that runs on a
// device, and plans its compilation. The error is an Errors with everything
// that is wrong.
func Check(k *Kernel) (prog *Program, err error) {
	defer recoverBug(&err, k)
	if prog, err = check(k); err != nil {
		return nil, err
	}
	if k := prog.expanded(); k != nil {
		if whole, err := check(k); err == nil {
			return whole, nil
		}
	}
	return prog, nil
}

// check is Check of a kernel as it is.
func check(k *Kernel) (prog *Program, err error) {
	p := newPlanner(k)
	prog = &Program{Kernel: k, plan: p}
	prog.signature()
	params := make([]binding, len(k.Fn.Params))
	for i, q := range k.Fn.Params {
		// launch refuses nil buffers; a bound receiver pointer is refused above
		params[i] = binding{typ: q.Type(), nonNil: true}
	}
	if k.Fn.Blocks == nil {
		p.noBody(k.Fn, k.Fn.Pos())
		return nil, p.errs.err()
	}
	prog.root = p.instance(k.Fn, params, p.captureBindings(k), k.Fn.Pos())
	if err := p.errs.err(); err != nil {
		return nil, err
	}
	return prog, nil
}

func (p *planner) captureBindings(k *Kernel) []binding {
	bs := make([]binding, len(k.Captures))
	for i, c := range k.Captures {
		bs[i] = binding{typ: k.Fn.FreeVars[i].Type(), nonNil: true, captured: true, value: c.Value}
		if c.Func != nil {
			bs[i].fun = &funcVal{fn: c.Func.Fn, binds: p.captureBindings(c.Func)}
		}
		if len(c.Parts) > 0 {
			bs[i].parts = p.capturedParts(&c, bs[i].typ)
		}
	}
	return bs
}

// capturedParts is what the funcs in a captured variable hold.
func (p *planner) capturedParts(c *Capture, t types.Type) (parts []held) {
	holds := map[way]*holders{}
	n := 0
	funcsIn(c.Type, "", 0, func(at way, offset int64) {
		if n == len(c.Parts) || c.Parts[n].At != offset {
			return // the caller found others than these
		}
		if holds[at] == nil {
			holds[at] = &holders{plan: p}
		}
		if f := c.Parts[n].Func; f != nil {
			holds[at].hold(&funcVal{fn: f.Fn, binds: p.captureBindings(f)})
		} else {
			holds[at].nilable = true
		}
		n++
	})
	for _, at := range p.funcPaths(t) {
		if rest, ok := at.after(throughPointer); ok && holds[rest] != nil {
			parts = append(parts, held{at, holds[rest].value()})
		}
	}
	return parts
}

// funcsIn calls yield for each func in a value of type t, but those that pointers lead to.
func funcsIn(t types.Type, at way, offset int64, yield func(at way, offset int64)) {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		yield(at, offset)
	case *types.Struct:
		for i, o := range offsets(u) {
			funcsIn(u.Field(i).Type(), at+toField(i), offset+o, yield)
		}
	case *types.Array:
		if !holdsFuncs(u.Elem()) {
			return
		}
		for i := range u.Len() {
			funcsIn(u.Elem(), at+toElement, offset+i*sizeof(u.Elem()), yield)
		}
	}
}

// holdsFuncs reports whether there are funcs in a value of type t.
func holdsFuncs(t types.Type) (any bool) {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			any = any || holdsFuncs(f.Type())
		}
	case *types.Array:
		return u.Len() > 0 && holdsFuncs(u.Elem())
	}
	return any
}

// A checker judges one instance.
type checker struct {
	*planner
	in  *instance
	bad map[ssa.Value]bool // memo of refused
}

func (c *checker) errorf(pos token.Pos, hint, format string, args ...any) {
	if !pos.IsValid() {
		pos = c.in.fn.Pos()
	}
	c.fault(c.pos(pos), hint, format, args...)
}

// chosen is errorf for a func value that is not known. Where a captured one is
// not, it may come of that.
func (c *checker) chosen(pos token.Pos, hint, format string, args ...any) {
	if !c.unknownFuncs {
		c.errorf(pos, hint, format, args...)
	}
}

func (c *checker) check() {
	c.in.live = c.liveBlocks()
	for _, b := range c.in.fn.Blocks {
		if !c.in.live[b] {
			continue
		}
		for _, i := range b.Instrs {
			r, ok := rules.Get()[reflect.TypeOf(i)]
			if !ok {
				panic(&bug{c.pos(i.Pos()), fmt.Sprintf("no rule for %T", i)})
			}
			if c.tainted(i) {
				continue
			}
			_, isCall := i.(*ssa.Call)
			before := len(c.errs.list)
			if r.check != nil && isCall {
				r.check(c, i)
			}
			if len(c.errs.list) == before { // what a refused call is given does not matter
				c.checkGlobals(i)
				c.checkAddresses(i)
			}
			if r.check != nil && !isCall {
				r.check(c, i)
			}
			if v, ok := i.(ssa.Value); ok && r.lower != nil {
				c.valueType(v)
			}
		}
	}
	c.settle()
	c.in.order = slices.DeleteFunc(c.in.order, func(in *instance) bool { return !c.in.isCalled(in) })
	c.escapes()
	c.planUnroll()
}

// valueType refuses values of types that do not exist on the device.
func (c *checker) valueType(v ssa.Value) {
	if c.in.dynamic(v) != nil {
		return
	}
	switch v := v.(type) {
	case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert, *ssa.Range, *ssa.Next:
		return // judged by their own rules
	case *ssa.UnOp:
		if _, ok := v.X.(*ssa.Global); ok {
			return // judged as a variable
		}
	case *ssa.Alloc, *ssa.IndexAddr, *ssa.Slice:
		if variadicUse(v) != nil || c.holdsRefused(v) {
			return // the call that takes them is judged by their type
		}
	case *ssa.Call:
		_, several := v.Type().(*types.Tuple) // each is judged by itself
		if callee := c.in.calls[v]; callee == nil || callee.row != nil || callee.inst == nil || several {
			return // refused, or fine
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok && c.in.calls[call] == nil {
			return
		}
		if _, ok := v.Tuple.(*ssa.TypeAssert); ok {
			return // what it asserts does not hold, or is refused
		}
	}
	if x := partOf(v); x != nil && impossible(x.Type()) {
		return // what it is a part of is refused where it comes from
	}
	t := v.Type()
	switch a := v.(type) {
	case *ssa.Alloc:
		if t = deref(a.Type()); inRegisters(t) {
			c.errorf(a.Pos(), stayInRegisters, "address of a %s in kernel", typeName(t))
			return
		}
	case *ssa.Field:
		if inRegisters(a.X.Type()) {
			c.errorf(a.Pos(), "call its package's functions", "field of a %s in kernel", typeName(a.X.Type()))
			return
		}
	case *ssa.ChangeType:
		if from := a.X.Type(); opaque(from) != opaque(t) && (inRegisters(from) || inRegisters(t)) {
			c.errorf(a.Pos(), "use "+typeName(from)+" itself", "conversion of %s to %s in kernel", typeName(from), typeName(t))
			return
		}
	case *ssa.IndexAddr, *ssa.FieldAddr:
		if isFunc(deref(t)) && !onlyAccessed(v) {
			c.errorf(v.Pos(), "copy the func to a variable", "address of a func in a field or an element in kernel")
			return
		}
	}
	if why, hint := unsupported(t); why != "" {
		if phi, ok := v.(*ssa.Phi); ok && isInterface(t) {
			why, hint = phi.Comment+", an interface whose type is known at run time only,", "branch around what is done with it, or use a type parameter"
		}
		c.errorf(v.Pos(), hint, "%s in kernel", why)
		return
	}
	if isFunc(t) && usedAsValue(v) && c.in.resolve(v) == nil {
		pos := v.Pos()
		switch v := v.(type) { // these have none
		case *ssa.UnOp:
			pos = v.X.Pos()
		case *ssa.MakeClosure:
			pos = v.Fn.Pos()
		}
		c.unfollowed(pos, v, "func value")
	}
}

// onlyAccessed reports whether an address is only that of loads and stores.
func onlyAccessed(addr ssa.Value) bool {
	return !slices.ContainsFunc(*addr.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			return false
		case *ssa.Store:
			return r.Val == addr
		}
		return true
	})
}

// partOf is the value or variable that v is a part of, its address or its contents;
// nil if it is none's.
func partOf(v ssa.Value) (x ssa.Value) {
	switch v := v.(type) {
	case *ssa.IndexAddr:
		x = v.X
	case *ssa.FieldAddr:
		x = v.X
	case *ssa.Slice:
		x = v.X
	case *ssa.Index:
		x = v.X
	case *ssa.Field:
		x = v.X
	case *ssa.ChangeType:
		x = v.X
	case *ssa.UnOp:
		x = v.X
	}
	if _, ok := x.(*ssa.Const); ok {
		return nil // it comes from nowhere
	}
	return x
}

// usedAsValue reports whether a func is used other than by being called, which is
// judged itself.
func usedAsValue(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if call, ok := r.(ssa.CallInstruction); ok && call.Common().Value == v && !slices.Contains(call.Common().Args, v) {
			continue
		}
		switch r.(type) {
		case *ssa.DebugRef, *ssa.BinOp: // a comparison is refused itself
		default:
			return true
		}
	}
	return false
}

// refuse makes a rule's check that always reports.
//
//go:noinline
func refuse(what, hint string) func(*checker, ssa.Instruction) {
	return func(c *checker, i ssa.Instruction) { c.errorf(i.Pos(), hint, "%s in kernel", what) }
}
