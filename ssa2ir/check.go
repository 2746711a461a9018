package ssa2ir

// This file judges every instruction a kernel reaches. After it, lowering
// cannot fail for the user's reasons.

import (
	"errors"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/lazy"
	"heddle/intrinsics"
)

// Check verifies that the kernel keeps to the subset of Go that runs on a
// device, and plans its compilation. The error is an Errors with everything
// that is wrong.
func Check(k *Kernel) (prog *Program, err error) {
	defer recoverBug(&err, k)
	p := &planner{k: k, insts: map[string]*instance{}, names: map[string]bool{}, errs: &errorList{}}
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
	prog.root = p.instance(k.Fn, params, captureBindings(k), k.Fn.Pos())
	if err := p.errs.err(); err != nil {
		return nil, err
	}
	return prog, nil
}

func captureBindings(k *Kernel) []binding {
	bs := make([]binding, len(k.Captures))
	for i, c := range k.Captures {
		bs[i] = binding{typ: k.Fn.FreeVars[i].Type(), nonNil: true, captured: true}
		if c.Func != nil {
			bs[i].fun = &funcVal{c.Func.Fn, captureBindings(c.Func)}
		}
	}
	return bs
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
	var live map[*ssa.BasicBlock]bool // nil: all
	if c.k.Partial {
		live = liveBlocks(c.in.fn)
	}
	for _, b := range c.in.fn.Blocks {
		if live != nil && !live[b] {
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
			c.checkGlobals(i)
			if r.check != nil {
				r.check(c, i)
			}
			if v, ok := i.(ssa.Value); ok && r.lower != nil {
				c.valueType(v)
			}
		}
	}
	c.escapes()
	c.planUnroll()
}

// valueType refuses values of types that do not exist on the device.
func (c *checker) valueType(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.Range, *ssa.Next:
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
		if callee := c.in.calls[v]; callee == nil || callee.row != nil {
			return // refused, or fine
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok && c.in.calls[call] == nil {
			return
		}
	}
	if x := partOf(v); x != nil && impossible(x.Type()) {
		return // what it is a part of is refused where it comes from
	}
	t := v.Type()
	switch a := v.(type) {
	case *ssa.Alloc:
		t = deref(a.Type())
	case *ssa.IndexAddr:
		if elem := deref(a.Type()); isFunc(elem) {
			_, hint := unsupportedElem("an element", elem, map[types.Type]bool{})
			c.errorf(a.Pos(), hint, "func in an element in kernel")
			return
		}
	}
	if why, hint := unsupported(t); why != "" {
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
		c.chosen(pos, "branch around the calls, or use a type parameter", "func value chosen at run time")
	}
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

func checkCall(c *checker, i ssa.Instruction) {
	call := i.(*ssa.Call)
	com := call.Common()
	pos := call.Pos()
	if c.in.calls[call] != nil {
		return // judged already, because what it returns was called
	}
	if com.IsInvoke() {
		c.errorf(pos, "use a type parameter: its methods are resolved while compiling", "call of interface method %s in kernel", com.Method.Name())
		return
	}
	if b, ok := com.Value.(*ssa.Builtin); ok {
		checkBuiltin(c, call, b)
		return
	}
	fv := c.in.resolve(com.Value)
	if fv == nil {
		c.chosen(pos, "branch around the calls, or use a type parameter", "call of a func value chosen at run time")
		return
	}
	cl := &callee{fun: fv, name: fullName(fv.fn), args: c.in.bindings(com.Args)}
	if !c.crosses(pos, fv.fn, com) {
		return
	}
	if cl.row = intrinsics.Lookup(cl.name); cl.row != nil {
		c.in.calls[call] = cl // planned only if the row declines
	} else {
		c.in.calls[call] = cl
		c.planCall(call, cl)
	}
}

// crosses reports whether a call's arguments and results can exist on the
// device; if not, that is the one error about the call.
func (c *checker) crosses(pos token.Pos, fn *ssa.Function, com *ssa.CallCommon) bool {
	refuse := func(verb string, t types.Type) bool {
		why, hint := unsupported(t)
		if why == "" {
			return false
		}
		if h := hostHint(fn); h != "" {
			hint = h
		}
		c.errorf(pos, hint, "call of %s, which %s %s %s", readable(fn), verb, article(why), why)
		return true
	}
	for _, t := range fn.TypeArgs() {
		if isFunc(t) && intrinsics.Lookup(fullName(fn)) != nil {
			c.errorf(pos, "give it a type whose values are in memory", "call of %s, whose type argument is a func", readable(fn))
			return false
		}
	}
	for _, a := range com.Args {
		if refuse("takes", a.Type()) {
			return false
		}
	}
	for v := range com.Signature().Results().Variables() {
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
			c.chosen(call.Pos(), "pass a function literal or a declared function", "argument %d of %s is a func value chosen at run time", i+1, readable(fn))
			return
		}
	}
	at := callPos(call)
	cl.inst = c.intoStd(fn, at, func() *instance { return c.instance(fn, cl.args, cl.fun.binds, at) })
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

func article(s string) string {
	if s != "" && (s[0] == 'i' || s[0] == 'a' || s[0] == 'e' || s[0] == 'o' || s[0] == 'u') {
		return "an"
	}
	return "a"
}

// builtinsAllowed are the builtin functions with a lowering; the rest are refused.
var builtinRefused = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"delete":  "maps do not exist on the device",
		"close":   "channels do not exist on the device",
		"recover": "a panic ends the kernel and is reported by the host",
		"print":   "write numbers to a slice and print them on the host",
		"println": "write numbers to a slice and print them on the host",
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
	for _, a := range call.Call.Args {
		if why, hint := unsupported(a.Type()); why != "" {
			c.errorf(call.Pos(), hint, "%s in kernel", why)
		}
	}
}

// checkMakeInterface allows interfaces only as the operand of panic.
func checkMakeInterface(c *checker, i ssa.Instruction) {
	mk := i.(*ssa.MakeInterface)
	for _, r := range *mk.Referrers() {
		switch r := r.(type) {
		case *ssa.Panic:
			t := mk.X.Type()
			if k, ok := mk.X.(*ssa.Const); (!ok || k.Value == nil || isComplex(t)) && !isKind(t, types.IsInteger|types.IsFloat|types.IsBoolean) {
				c.errorf(r.Pos(), "panic with a constant string or a number", "panic with a value of type %s in kernel", t)
			}
		case *ssa.DebugRef:
		case *ssa.Store:
			if variadicUse(r.Addr) == nil { // else the call is reported
				c.interfaceError(mk)
			}
		case ssa.CallInstruction:
			if r.Common().StaticCallee() == nil { // else the call is reported
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
	c.errorf(pos, "use a type parameter: its methods are resolved while compiling", "%s made an interface in kernel", mk.X.Type())
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

func checkPanic(c *checker, i ssa.Instruction) {
	if runtimeError(i.(*ssa.Panic).X) != "" {
		return
	}
	if _, ok := i.(*ssa.Panic).X.(*ssa.MakeInterface); !ok {
		if k, ok := i.(*ssa.Panic).X.(*ssa.Const); !ok || k.Value != nil {
			c.errorf(i.Pos(), "panic with a constant string or a number", "panic with an interface value in kernel")
		}
	}
}

func checkBinOp(c *checker, i ssa.Instruction) {
	op := i.(*ssa.BinOp)
	t := op.X.Type()
	why, hint := unsupported(t)
	switch {
	case why != "":
		if _, ok := op.X.(*ssa.Const); ok { // else the operand is refused where it comes from
			c.errorf(op.Pos(), hint, "comparison of %s %s in kernel", article(why), why)
		}
		return
	case isString(t) && op.Op == token.ADD:
		c.errorf(op.Pos(), "strings on the device are constants", "string concatenation in kernel")
	case isFunc(t):
		c.errorf(op.Pos(), "a func on the device is never nil", "comparison of func values in kernel")
	case bufferElem(t) != nil:
		c.errorf(op.Pos(), "compare its Len with 0", "comparison of *launch.Buffer in kernel")
	}
	if op.Op == token.QUO || op.Op == token.REM {
		if k, ok := op.Y.(*ssa.Const); ok && isInteger(t) && k.Value != nil && constant.Sign(k.Value) == 0 {
			c.errorf(op.Pos(), "", "division by constant zero in kernel")
		}
	}
}

func checkConvert(c *checker, i ssa.Instruction) {
	v := i.(*ssa.Convert)
	from, to := v.X.Type(), v.Type()
	_, fromBasic := from.Underlying().(*types.Basic)
	switch {
	case isString(from) && isString(to):
	case isString(to):
		c.errorf(v.Pos(), "strings on the device are constants", "conversion of %s to string in kernel", from)
	case isString(from):
		c.errorf(v.Pos(), "index the string: s[i] is a byte", "conversion of string to %s in kernel", to)
	case isKind(to, types.IsInteger) && (!fromBasic || isUnsafePointer(from)) || isInteger(from) && !isKind(to, types.IsNumeric):
		c.errorf(v.Pos(), "index slices", "conversion between a pointer and an integer in kernel")
	}
}

func checkRange(c *checker, i ssa.Instruction) {
	r := i.(*ssa.Range)
	if k, ok := r.X.(*ssa.Const); ok && isString(r.X.Type()) && k.Value != nil {
		return
	}
	if isString(r.X.Type()) {
		c.errorf(r.Pos(), "range over its bytes: for i := range len(s)", "range over a string that is not constant")
		return
	}
	c.errorf(r.Pos(), "use a slice", "range over a map in kernel")
}

func checkSliceMake(c *checker, i ssa.Instruction) {
	c.errorf(i.Pos(), "use an array, dsl.Shared or dsl.DynamicShared, or pass a buffer", "make of a size known only at run time")
}

func checkLookup(c *checker, i ssa.Instruction) {
	if !isString(i.(*ssa.Lookup).X.Type()) {
		c.errorf(i.Pos(), "use a slice, sorted or hashed by hand", "map lookup in kernel")
	}
}

// checkStore refuses writes to captured variables and package-level ones.
func checkStore(c *checker, i ssa.Instruction) {
	st := i.(*ssa.Store)
	switch root := addressRoot(st.Addr).(type) {
	case *ssa.Global:
		c.errorf(st.Pos(), "write results to a slice parameter", "write to package variable %s in kernel", root.Name())
	case *ssa.FreeVar, *ssa.Parameter:
		if c.in.captured(root) {
			c.errorf(st.Pos(), "copy it to a local variable, or write results to a slice parameter", "write to captured variable %s in kernel", root.Name())
		}
	}
}

func isUnsafePointer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// addressRoot follows an address to the variable it lies in.
func addressRoot(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			if _, ok := x.X.Type().Underlying().(*types.Pointer); !ok {
				return v
			}
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			return v
		}
	}
}

// checkLoad refuses reads of package-level variables that may change.
func checkUnOp(c *checker, i ssa.Instruction) {
	op := i.(*ssa.UnOp)
	if op.Op == token.ARROW {
		c.errorf(op.Pos(), "threads communicate through shared or global memory and barriers", "channel receive in kernel")
		return
	}
	if op.Op == token.MUL && bufferElem(op.X.Type()) != nil {
		c.errorf(op.Pos(), "use its methods Device and Len", "launch.Buffer by value in kernel")
		return
	}
	if op.Op == token.MUL && runtimeError(op) == "" {
		c.checkGlobal(op.X, op.Pos())
	}
}

func checkAddr(c *checker, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.IndexAddr:
		c.checkGlobal(i.X, i.Pos())
	case *ssa.FieldAddr:
		c.checkGlobal(i.X, i.Pos())
	case *ssa.Slice:
		c.checkGlobal(i.X, i.Pos())
	}
}

func (c *checker) checkGlobal(v ssa.Value, pos token.Pos) {
	g, ok := v.(*ssa.Global)
	if !ok {
		return
	}
	if err := c.k.checkTable(g); err != nil {
		c.errorf(pos, "pass it as an argument, or capture a copy in a closure", "package variable %s in kernel: %v", g.Name(), err)
	}
}

// checkGlobals refuses uses of a package variable's address that are neither loads
// nor stores: what is done with it there is not known.
func (c *checker) checkGlobals(i ssa.Instruction) {
	switch i.(type) {
	case *ssa.UnOp, *ssa.IndexAddr, *ssa.FieldAddr, *ssa.Slice, *ssa.DebugRef:
		return // judged by their own rules
	}
	for _, op := range i.Operands(nil) {
		g, ok := (*op).(*ssa.Global)
		if !ok {
			continue
		}
		if st, ok := i.(*ssa.Store); ok && op == &st.Addr {
			continue // judged as a write
		}
		err := c.k.checkTable(g)
		if _, isSlice := deref(g.Type()).Underlying().(*types.Slice); err == nil && isSlice {
			err = errors.New("a slice is a table of its elements, and has no address")
		}
		if err != nil {
			c.errorf(i.Pos(), "use an element of a slice parameter: &x[0]", "address of package variable %s in kernel: %v", g.Name(), err)
		}
	}
}
