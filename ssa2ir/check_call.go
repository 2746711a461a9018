package ssa2ir

// This file judges calls, and what is handed to them: interfaces among it.

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/errs"
	"heddle/internal/lazy"
	"heddle/internal/target"
	"heddle/intrinsics"
)

func checkCall(c *checker, i ssa.Instruction) {
	call := i.(*ssa.Call)
	com := call.Common()
	pos := call.Pos()
	if c.in.calls[call] != nil {
		return // judged already, because what it returns was called
	}
	if b, ok := com.Value.(*ssa.Builtin); ok {
		checkBuiltin(c, call, b)
		return
	}
	var fv *funcVal
	if com.IsInvoke() {
		if fv = c.in.receiver(com); fv == nil {
			if !c.said(com.Value) {
				c.errorf(pos, knowTypes, "call of interface method %s in kernel", com.Method.Name())
			}
			return
		}
	} else if fv = c.in.resolve(com.Value); fv == nil {
		c.unfollowed(pos, com.Value, "call of a func value")
		return
	}
	if !fv.chosen() {
		c.checkCallee(call, fv, func(cl *callee) { c.in.calls[call] = cl })
		return
	}
	all := &callee{fun: fv}
	for _, one := range fv.among {
		if !c.checkCallee(call, one, func(cl *callee) { all.among = append(all.among, cl) }) {
			return
		}
	}
	c.in.calls[call] = all
}

// unfollowed refuses what needs to know what a func holds, unless it is not known for what was
// refused before.
func (c *checker) unfollowed(pos token.Pos, v ssa.Value, what string) {
	switch why := c.in.unfollowed(v); {
	case why.said, why.global != nil && c.global(why.global) != nil:
	case why.itself:
		c.chosen(pos, "use a loop; the GPU has no stack to grow", "%s that calls itself", what)
	default:
		c.chosen(pos, followFuncs, "%s that the compiler cannot follow", what)
	}
}

// followFuncs is what to do about a func value of which it is not known what it holds.
const followFuncs = "keep it in variables, fields, parameters and results, or branch around the calls"

// checkCallee judges a call of one function, and plans it as what is noted.
func (c *checker) checkCallee(call *ssa.Call, fv *funcVal, note func(*callee)) bool {
	com := call.Common()
	cl := &callee{fun: fv, name: fullName(fv.fn), args: c.in.bindings(arguments(com))}
	cl.row = lookupRow(cl.name)
	if !c.crosses(call.Pos(), cl, com) {
		return false
	}
	note(cl)
	if cl.row == nil {
		c.planCall(call, cl)
		c.checkResults(call, cl)
		return true
	}
	c.checkRow(call, cl) // planned only if the row declines
	return true
}

// lookupRow is intrinsics.Lookup; tests put rows of their own before it.
var lookupRow = intrinsics.Lookup

// checkRow judges a call by what its function's row asks of it.
func (c *checker) checkRow(call *ssa.Call, cl *callee) {
	args := cl.operands(call.Common())
	if c.k.Partial && c.k.Specialized && len(cl.row.Const) > 0 {
		return // what captured variables hold is not known
	}
	site := &intrinsics.Site{TypeArgs: cl.fun.fn.TypeArgs()}
	for _, a := range args {
		site.ArgTypes = append(site.ArgTypes, c.in.typeOf(a))
		known := constantOf(a)
		if known == nil && cl.row.Variadic && isString(a.Type()) {
			known = c.in.evaluate(nil, a)
		}
		site.Consts = append(site.Consts, known)
	}
	for _, n := range cl.row.Const {
		if site.Consts[n] == nil {
			site.Consts[n] = c.in.evaluate(nil, args[n])
		}
		if site.Consts[n] == nil && c.in.evaluate(someMachine.Get(), args[n]) == nil {
			c.errorf(call.Pos(), "write a constant there, a method of a type argument, or a captured variable that Options.Specialize names",
				"argument %d of %s is not a constant", n+1, readable(cl.fun.fn))
			return
		}
	}
	if cl.row.Check == nil {
		return
	}
	if msg, hint := cl.row.Check(site); msg != "" {
		c.errorf(call.Pos(), hint, "call of %s: %s", readable(cl.fun.fn), msg)
	}
}

// someMachine stands for any: an argument that is known on it is known on all.
var someMachine = lazy.Value[*target.Machine]{Make: func() *target.Machine {
	m, err := target.For("gfx1100", 32)
	if err != nil {
		panic(err)
	}
	return m
}}

// crosses reports whether a call's arguments and results can exist on the
// device; if not, that is the one error about the call.
func (c *checker) crosses(pos token.Pos, cl *callee, com *ssa.CallCommon) bool {
	fn, args := cl.fun.fn, com.Args
	sealed := cl.row != nil || hostOnly(fn) // what it does with an interface or a func is not known
	refuse := func(verb string, t types.Type) bool {
		why, hint := unsupported(t)
		if sealed || fn.Blocks == nil {
			why, hint = unsupportedOutside(t)
		}
		if why == "" {
			return false
		}
		if hostHint(fn) != "" || hint == knowTypes && c.fixed(fn) {
			hint = libraryHint(fn)
		}
		c.errorf(pos, hint, "call of %s, which %s %s", readable(fn), verb, errs.A(why))
		return true
	}
	for _, t := range fn.TypeArgs() {
		if isFunc(t) && intrinsics.Lookup(fullName(fn)) != nil {
			c.errorf(pos, "give it a type whose values are in memory", "call of %s, whose type argument is a func", readable(fn))
			return false
		}
		if isBuffer(t) && cl.row != nil && refuse("makes", t) { // a *launch.Buffer is judged for what a captured one is
			return false
		}
	}
	if cl.row != nil && cl.row.Variadic {
		if spread(com) == nil {
			c.errorf(pos, "write the arguments out", "call of %s with a slice of arguments", readable(fn))
			return false
		}
		args = args[:len(args)-1] // the others are judged by the row
	}
	for _, a := range args {
		if !sealed && isInterface(a.Type()) && c.said(a) && c.in.dynamic(a) == nil {
			return false
		}
		if (sealed || c.in.dynamic(a) == nil) && refuse("takes", a.Type()) {
			return false
		}
	}
	for v := range com.Signature().Results().Variables() {
		if !sealed && isInterface(v.Type()) && !isError(v.Type()) {
			continue // its body says of which type that is
		}
		if refuse("returns", v.Type()) {
			return false
		}
	}
	return true
}

// callPos is the place of a call. That of a range statement's iterator has none of its
// own, and is where the iterator comes from.
func callPos(call *ssa.Call) token.Pos {
	if call.Pos().IsValid() {
		return call.Pos()
	}
	if at := call.Call.Value.Pos(); at.IsValid() {
		if _, declared := call.Call.Value.(*ssa.Function); !declared {
			return at
		}
	}
	at := token.NoPos
	for _, i := range call.Block().Instrs {
		if i.Pos().IsValid() {
			at = i.Pos()
		}
		if i == call {
			break
		}
	}
	if !at.IsValid() {
		at = call.Parent().Pos()
	}
	return at
}

// planCall plans a callee's body.
func (c *checker) planCall(call *ssa.Call, cl *callee) {
	fn := cl.fun.fn
	if fn.Blocks == nil {
		c.noBody(fn, call.Pos())
		return
	}
	for i, b := range cl.args {
		if isFunc(b.typ) && b.fun == nil && len(*fn.Params[i].Referrers()) > 0 {
			c.chosen(call.Pos(), "pass a function literal, a declared function, or a choice of these", "argument %d of %s is a func value that the compiler cannot follow", i+1, readable(fn))
			return
		}
	}
	at := callPos(call)
	plan := func() *instance { return c.instance(fn, cl.args, cl.fun.binds, at) }
	cl.inst = c.intoLibrary(fn, at, func() *instance { return c.withFlags(fn, cl, call, plan) })
	for _, o := range c.in.order {
		if o == cl.inst {
			return
		}
	}
	c.in.order = append(c.in.order, cl.inst)
}

func (p *planner) noBody(fn *ssa.Function, at token.Pos) {
	if hostOnly(fn) {
		p.fault(p.pos(at), hostHint(fn), "call of %s, which cannot run on a device", readable(fn))
		return
	}
	if p.k.Partial {
		return
	}
	why, hint := "its source is not available", "call Go code whose source heddle can read"
	if p.k.NoBody != nil {
		if w, h := p.k.NoBody(fn); w != "" {
			why = w
			if h != "" {
				hint = h
			}
		}
	}
	if h := hostHint(fn); h != "" {
		hint = h
	}
	p.fault(p.pos(at), hint, "call of %s: %s", readable(fn), why)
}

func readable(fn *ssa.Function) string { return fn.RelString(nil) }

// builtinRefused are the builtin functions without a lowering, and what to do instead.
var builtinRefused = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"delete":  "maps do not exist on the device",
		"close":   "channels do not exist on the device",
		"recover": "a panic ends the kernel and is reported by the host",
		"print":   "use dsl.Printf",
		"println": "use dsl.Printf",
	}
}}

func checkBuiltin(c *checker, call *ssa.Call, b *ssa.Builtin) {
	if hint, ok := builtinRefused.Get()[b.Name()]; ok {
		c.errorf(call.Pos(), hint, "%s in kernel", b.Name())
		return
	}
	if builtins.Get()[b.Name()] == nil {
		c.errorf(call.Pos(), "index and slice what Go knows the bounds of", "unsafe.%s in kernel", b.Name())
		return
	}
	if name := b.Name(); (name == "append" || name == "copy") && !isString(call.Call.Args[1].Type()) {
		c.checkFuncStore(call.Pos(), call.Call.Args[1], call.Call.Args[0], throughPointer)
	}
	if b.Name() == "clear" {
		c.checkCleared(call)
	}
	for _, a := range call.Call.Args {
		// the length that a range statement asks for has no place, and what it ranges over is refused
		if why, hint := unsupported(a.Type()); why != "" && call.Pos().IsValid() {
			c.errorf(call.Pos(), hint, "%s in kernel", why)
		}
	}
}

// checkCleared refuses to make funcs nil where none is known to be.
func (c *checker) checkCleared(call *ssa.Call) {
	s := call.Call.Args[0]
	for _, p := range c.funcPaths(s.Type()) {
		if fv := c.in.resolveAt(s, p); fv == nil || !fv.chosen() || !fv.nilable {
			c.chosen(call.Pos(), "assign nil to them", "clear of funcs in kernel")
			return
		}
	}
}

// checkMakeInterface allows interfaces whose type is known where they are used, and as the
// operand of panic.
func checkMakeInterface(c *checker, i ssa.Instruction) {
	mk := i.(*ssa.MakeInterface)
	known := c.in.dynamic(mk) != nil
	for _, r := range *mk.Referrers() {
		switch r := r.(type) {
		case *ssa.Panic:
			t := mk.X.Type()
			if k, ok := mk.X.(*ssa.Const); (!ok || k.Value == nil || isComplex(t)) && !isKind(t, types.IsInteger|types.IsFloat|types.IsBoolean) {
				c.errorf(r.Pos(), "panic with a constant string or a number", "panic with a value of type %s in kernel", t)
			}
		case *ssa.DebugRef:
		case *ssa.Store:
			if _, local := addressRoot(r.Addr).(*ssa.Alloc); !local { // else the call or the variable is reported
				c.interfaceError(mk)
			}
		case ssa.CallInstruction:
			if r.Common().StaticCallee() == nil && !known { // else the call is reported
				c.interfaceError(mk)
			}
		case *ssa.Phi, *ssa.TypeAssert, *ssa.ChangeInterface, *ssa.MakeClosure, *ssa.Return, *ssa.BinOp: // judged by their own rules
			if !known {
				c.interfaceError(mk)
			}
		default:
			c.interfaceError(mk)
		}
	}
}

func (c *checker) interfaceError(mk *ssa.MakeInterface) {
	pos := mk.Pos()
	if !pos.IsValid() { // a conversion that is not written has none
		pos = mk.X.Pos()
	}
	if load, ok := mk.X.(*ssa.UnOp); ok && !pos.IsValid() {
		pos = load.X.Pos()
	}
	c.errorf(pos, knowTypes, "%s made an interface in kernel", mk.X.Type())
}

// variadicUse is the call that v is the argument list "args..." of: the array
// made for it, an element's address, the slice. Nil if v is none of these.
func variadicUse(v ssa.Value) ssa.CallInstruction {
	switch x := v.(type) {
	case *ssa.IndexAddr:
		v = x.X
	case *ssa.Slice:
		v = x.X
	}
	al, ok := v.(*ssa.Alloc)
	if !ok || al.Comment != "varargs" {
		return nil
	}
	for _, r := range *al.Referrers() {
		if s, ok := r.(*ssa.Slice); ok {
			for _, u := range *s.Referrers() {
				if call, ok := u.(ssa.CallInstruction); ok {
					return call
				}
			}
		}
	}
	return nil
}
