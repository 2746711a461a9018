package ssa2ir

// This file implements calls: of functions, of intrinsics, of builtins.

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"hash/fnv"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/lazy"
	"heddle/internal/target"
	"heddle/intrinsics"
)

// t4 = t3(t1, t2)   ->   call of an instance, or what the function's row makes
func lowerCall(f *function, i ssa.Instruction) {
	c := i.(*ssa.Call)
	f.pos = callPos(c)
	com := c.Common()
	if b, ok := com.Value.(*ssa.Builtin); ok {
		f.set(c, builtins.Get()[b.Name()](f, c))
		return
	}
	if v := f.know.value(c); v != nil {
		f.set(c, f.knownValue(c.Type(), v))
		return
	}
	callee := f.in.calls[c]
	switch {
	case callee.fun.chosen():
		f.set(c, f.chosenCall(c, callee))
	case com.IsInvoke():
		f.set(c, f.callOne(c, callee, nil))
	case callee.row != nil && len(callee.fun.binds) == 0:
		f.set(c, f.callOne(c, callee, nil))
	default:
		f.set(c, f.callOne(c, callee, f.funcAs(com.Value, callee.fun)))
	}
}

// callOne calls a function with its bindings.
func (f *function) callOne(c *ssa.Call, callee *callee, bindings target.Value) target.Value {
	if callee.row != nil {
		f.checkNeeds(c, callee)
		if v := f.intrinsic(c, callee); v != nil {
			return v
		}
		f.planDeclined(c, callee)
	}
	var args []target.Value
	for i, a := range arguments(c.Common()) {
		if isFunc(a.Type()) {
			args = append(args, f.funcAs(a, callee.args[i].fun))
		} else {
			args = append(args, f.value(a))
		}
	}
	for i := range callee.fun.binds {
		args = append(args, f.Elem(bindings, i))
	}
	if callee.inst.makesFuncs() {
		return f.inline(callee.inst, args)
	}
	return f.call(callee.inst, args)
}

// knownValue is a bool, an integer or a string that the evaluator knows.
func (f *function) knownValue(t types.Type, v constant.Value) target.Value {
	if isString(t) {
		return f.stringConst(constant.StringVal(v))
	}
	return f.scalarConst(t, v)
}

// call calls an instance with its parameters and free variables.
func (f *function) call(in *instance, args []target.Value) target.Value {
	var passed []target.Value
	for i, b := range in.bound() {
		if !isEmpty(f.bindType(b)) {
			passed = append(passed, f.placed(args[i]))
		}
	}
	args = passed
	results := in.results()
	typ, outs := f.resultType(results)
	var large []target.Value
	for _, t := range outs {
		p := f.slot(f.memType(t))
		large = append(large, f.large(t, p))
		args = append(args, p)
	}
	fn := f.declare(in)
	if in != f.prog.root {
		if c := f.called(f.frameOf(in)); !f.plain {
			args = append(args, c)
		}
	}
	ret := f.Builder.Call(fn, args...)
	if isEmpty(typ) {
		ret = f.explode(target.Zero(typ))
	}
	if len(outs) == 0 {
		return ret
	}
	var all []target.Value
	n := 0
	for v := range results.Variables() {
		if isBig(v.Type()) {
			all, large = append(all, large[0]), large[1:]
			continue
		}
		all = append(all, f.Extract(ret, n))
		n++
	}
	if len(all) == 1 {
		return all[0]
	}
	return target.NewAgg(all...)
}

// intrinsic asks a function's row.
func (f *function) intrinsic(c *ssa.Call, callee *callee) target.Value {
	if callee.row.Lower == nil {
		return nil
	}
	f.Builder.Site = f.anySite
	if callee.row.Atomic {
		f.atomicAt(c)
	}
	call := &intrinsics.Call{
		B: f.Builder, TypeArgs: callee.fun.fn.TypeArgs(),
		Site:  f.siteName(c),
		Pos:   f.shortPos(c),
		Lower: f.memType,
		Size:  func(t types.Type) (int64, int64) { return sizeof(t), int64(alignof(t)) },
		UsesShared: func(size int64) {
			if size > f.largest.Size {
				f.largest = abi.Shared{Place: f.placeOf(c), Size: size}
			}
		},
		UsesDynamicShared: func() { f.dynamic = true },
		PanicIf: func(bad target.Value, format string, args ...target.Value) {
			f.panicUnlessOff(bad, format, false, args...)
		},
		Print: f.print,
	}
	for i, a := range callee.operands(c.Common()) {
		value, must := constantOf(a), slices.Contains(callee.row.Const, i)
		if value == nil && (must || isString(a.Type())) {
			value = f.know.value(a)
		}
		var arg target.Value
		switch {
		case value != nil && isString(a.Type()): // Call.Consts has it
		case must:
			arg = f.knownValue(a.Type(), value)
		default:
			arg = f.value(a)
		}
		call.Args, call.ArgTypes, call.Consts = append(call.Args, arg), append(call.ArgTypes, f.in.typeOf(a)), append(call.Consts, value)
	}
	return callee.row.Lower(call)
}

// atomicAt notes the place of an atomic access.
func (f *function) atomicAt(c *ssa.Call) {
	if at := f.placeOf(c); f.M.T.Kind == abi.HSACO && !slices.Contains(f.atomics, at) {
		f.atomics = append(f.atomics, at)
	}
}

func (f *function) placeOf(c *ssa.Call) abi.Place {
	pos := f.prog.plan.pos(callPos(c))
	return abi.Place{File: pos.Filename, Line: pos.Line, Col: pos.Column}
}

// shortPos is the place of a call without its directory.
func (f *function) shortPos(c *ssa.Call) string {
	pos := f.prog.plan.pos(c.Pos())
	pos.Filename = pos.Filename[strings.LastIndexByte(pos.Filename, '/')+1:]
	return pos.String()
}

// siteName names the place of a call, the same for every copy of the function
// that holds it, and wherever the module lies: LLVM's code may depend on names.
func (f *function) siteName(c *ssa.Call) string {
	pos := f.prog.plan.pos(c.Pos())
	h := fnv.New32a()
	file := pos.Filename[strings.LastIndexByte(pos.Filename, '/')+1:]
	fmt.Fprint(h, f.origin().RelString(nil), file, pos.Line, pos.Column)
	return fmt.Sprintf("%s_%d_%08x", strings.TrimSuffix(file, ".go"), pos.Line, h.Sum32())
}

// checkNeeds refuses a call of what this machine does not have.
func (f *function) checkNeeds(c *ssa.Call, callee *callee) {
	if callee.row.Needs == nil {
		return
	}
	if needs := callee.row.Needs(f.M.T); needs != "" {
		errs := &errorList{}
		pos, hint := c.Pos(), "launch it on another device, or call it under a branch on dsl.Arch()"
		if instead := callee.row.Instead; instead != "" {
			pos, hint = f.prog.Kernel.Fn.Pos(), instead
		}
		errs.add(f.prog.plan.pos(pos), hint,
			"%s needs %s, and this is compiled for %s", readable(callee.fun.fn), needs, f.M.T.CPU)
		panic(errs.list)
	}
}

// planDeclined plans the Go body of a function whose row has nothing for this machine,
// until the lowering ends (keepPlan).
func (f *function) planDeclined(c *ssa.Call, callee *callee) {
	if callee.inst != nil {
		return
	}
	p := *f.prog.plan
	p.errs = &errorList{}
	f.prog.plan.declined = append(f.prog.plan.declined, declined{callee, f.in, len(f.in.order)})
	ch := &checker{planner: &p, in: f.in}
	if fn := callee.fun.fn; fn.Blocks == nil {
		p.errs.add(p.pos(c.Pos()), f.M.T.Kind.MathFix(), "%s has no device library function on %s here, and its Go source is not at hand to compile instead",
			readable(fn), f.M.T.CPU)
		p.errs.list[0].NeedsBody = true
	} else {
		ch.planCall(c, callee)
	}
	if len(p.errs.list) > 0 {
		panic(p.errs.list)
	}
}

// t1 = extract t0 #1   ->   element 1 of a result tuple
func lowerExtract(f *function, i ssa.Instruction) {
	x := i.(*ssa.Extract)
	f.set(x, f.Elem(f.value(x.Tuple), x.Index))
}

// return t0, t1   ->   ret {T0, T1} {...}
func lowerReturn(f *function, i ssa.Instruction) {
	r := i.(*ssa.Return)
	if f.caller != nil {
		ret := returned{}
		for i, v := range r.Results {
			if isFunc(v.Type()) {
				ret.vals = append(ret.vals, f.funcAs(v, f.in.returned(i, "")))
			} else {
				ret.vals = append(ret.vals, f.value(v))
			}
		}
		ret.from = f.Cur
		f.caller.returns = append(f.caller.returns, ret)
		f.Br(f.caller.next)
		return
	}
	f.stayApart(i.Block())
	ret, _ := f.resultType(f.in.results())
	a := &target.Agg{Typ: ret}
	outs := f.outs
	for _, v := range r.Results {
		if m, ok := f.value(v).(*memory); ok {
			f.copyTo(outs[0], m)
			outs = outs[1:]
			continue
		}
		a.Elems = append(a.Elems, f.value(v))
	}
	switch {
	case ret == target.Void, isEmpty(ret):
		f.Ret(nil)
	case len(r.Results) == 1:
		f.Ret(a.Elems[0])
	default:
		f.Ret(a)
	}
}

// jump done   ->   br label %done
func lowerJump(f *function, i ssa.Instruction) {
	f.makeHoisted(i.Block())
	f.stayApart(i.Block())
	f.Br(f.meet(i.Block(), f.to(i.Block(), i.Block().Succs[0])))
	f.hint(i.Block())
}

// if t0 goto done else body   ->   br i1 %t0, label %done, label %body
func lowerIf(f *function, i ssa.Instruction) {
	f.makeHoisted(i.Block())
	f.stayApart(i.Block())
	if b := i.Block(); f.know.dead[[2]*ssa.BasicBlock{b, b.Succs[0]}] || f.know.dead[[2]*ssa.BasicBlock{b, b.Succs[1]}] {
		to := b.Succs[0]
		if !f.know.taken(b, to) {
			to = b.Succs[1]
		}
		f.Br(f.to(b, to))
		f.hint(b)
		return
	}
	b := i.Block()
	if v := f.copying; v != nil && v.isSureAt(b) {
		to := b.Succs[0]
		if !v.loop.blocks[to] {
			to = b.Succs[1]
		}
		f.Br(f.to(b, to))
		return
	}
	if f.both[b] != nil {
		f.Br(f.to(b, b.Succs[0]))
		return
	}
	f.checkAhead(i.(*ssa.If))
	cond := f.value(i.(*ssa.If).Cond)
	if len(b.Preds) == 1 && f.both[b.Preds[0]] == b {
		up := b.Preds[0]
		// Not an and: what is known where the first holds may make poison of the second where it does not.
		cond = f.Select(f.value(up.Instrs[len(up.Instrs)-1].(*ssa.If).Cond), cond, target.Bool(false))
	}
	f.CondBr(cond, f.to(b, b.Succs[0]), f.to(b, b.Succs[1]))
	f.hint(i.Block())
}

// t0 = make closure f@1.2 [x y]   ->   the tuple of the bindings; its function is known
func lowerMakeClosure(f *function, i ssa.Instruction) {
	m := i.(*ssa.MakeClosure)
	a := &target.Agg{Typ: f.funcType(f.in.resolve(m))}
	for _, b := range m.Bindings {
		a.Elems = append(a.Elems, f.placed(f.value(b)))
	}
	f.set(m, a)
}

// lowerNothing is for instructions whose users do the work.
func lowerNothing(*function, ssa.Instruction) {}

// builtins are Go's builtin functions that run on a device.
var builtins lazy.Value[map[string]func(f *function, c *ssa.Call) target.Value]

func init() { // the table and its functions refer to each other
	builtins.Make = func() map[string]func(f *function, c *ssa.Call) target.Value {
		return map[string]func(f *function, c *ssa.Call) target.Value{
			"len": builtinLen, "cap": builtinCap,
			"min":  func(f *function, c *ssa.Call) target.Value { return f.minMax(c, token.LSS) },
			"max":  func(f *function, c *ssa.Call) target.Value { return f.minMax(c, token.GTR) },
			"copy": builtinCopy, "append": builtinAppend, "clear": builtinClear,
			"real":    func(f *function, c *ssa.Call) target.Value { return f.Elem(f.value(c.Call.Args[0]), 0) },
			"imag":    func(f *function, c *ssa.Call) target.Value { return f.Elem(f.value(c.Call.Args[0]), 1) },
			"complex": builtinComplex, "ssa:wrapnilchk": builtinWrapNil,
			// of a range over a func with a defer, which is refused unless nothing reaches it
			"ssa:deferstack": func(f *function, c *ssa.Call) target.Value { return target.Zero(f.memType(c.Type())) },
			"Add":            builtinAdd, "Slice": builtinUnsafeSlice, "String": builtinUnsafeString, "SliceData": builtinData, "StringData": builtinData,
			// of a type parameter's size; else they are constants
			"Sizeof": func(_ *function, c *ssa.Call) target.Value {
				return target.Int(target.I64, sizeof(c.Call.Args[0].Type()))
			},
			"Alignof": func(_ *function, c *ssa.Call) target.Value {
				return target.Int(target.I64, int64(alignof(c.Call.Args[0].Type())))
			},
		}
	}
}

func builtinLen(f *function, c *ssa.Call) target.Value {
	switch u := c.Call.Args[0].Type().Underlying().(type) {
	case *types.Array:
		return target.Int(target.I64, u.Len())
	case *types.Pointer:
		return target.Int(target.I64, u.Elem().Underlying().(*types.Array).Len())
	}
	return f.Elem(f.value(c.Call.Args[0]), 1)
}

func builtinCap(f *function, c *ssa.Call) target.Value {
	if _, ok := c.Call.Args[0].Type().Underlying().(*types.Slice); ok {
		return f.Elem(f.value(c.Call.Args[0]), 2)
	}
	return builtinLen(f, c)
}

// minMax is min or max: for floats, NaN if any argument is, and -0 below +0.
func (f *function) minMax(c *ssa.Call, op token.Token) target.Value {
	t := c.Type()
	if s := f.splitMin(c); s != nil {
		return f.split(s)
	}
	acc := f.value(c.Call.Args[0])
	if f.picksNarrow(c) {
		acc = f.IntCast(acc, target.I32, true)
		for _, a := range c.Call.Args[1:] {
			x := f.IntCast(f.value(a), target.I32, true)
			acc = f.Select(f.compare(op, t, acc, x), acc, x)
		}
		return f.IntCast(acc, target.I64, true)
	}
	for _, a := range c.Call.Args[1:] {
		x := f.value(a)
		switch {
		case isFloat(t):
			acc = f.Extreme(op == token.GTR, acc, x)
		case isString(t):
			acc = f.selectEach(f.compare(op, t, acc, x), acc, x)
		default:
			acc = f.Select(f.compare(op, t, acc, x), acc, x)
		}
	}
	return acc
}

// picksNarrow reports whether ints, of which min or max is made, need 32 bits each.
func (f *function) picksNarrow(c *ssa.Call) bool {
	if t, _ := typeOf(c.Type()); t != goInt || f.proof == nil || !f.M.T.Narrow || f.bounded == nil {
		return false
	}
	return !slices.ContainsFunc(c.Call.Args, func(v ssa.Value) bool { return !f.proof.spanBefore(v, c).within(int32s) })
}

func (f *function) selectEach(cond, x, y target.Value) target.Value {
	a := &target.Agg{Typ: x.Type()}
	for i := range 2 {
		a.Elems = append(a.Elems, f.Select(cond, f.Elem(x, i), f.Elem(y, i)))
	}
	return a
}

func elemOf(t types.Type) types.Type {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return types.Typ[types.Uint8] // of a string
}

// move copies n elements between memory that may overlap.
func (f *function) move(dst, src, n target.Value, elem types.Type) {
	if k, ok := target.IntConst(n); ok && k == 1 {
		f.store(elem, f.load(elem, src), dst)
		return
	}
	f.memmove(dst, src, f.Bin("mul", n, target.Int(target.I64, sizeof(elem))))
}

// builtinAppend appends within the capacity; past it there is no heap to grow on.
func builtinAppend(f *function, c *ssa.Call) target.Value {
	s, more := f.value(c.Call.Args[0]), f.value(c.Call.Args[1])
	elem := elemOf(c.Type())
	n, room := f.Elem(more, 1), f.Elem(s, 2)
	total := f.Bin("add", f.Elem(s, 1), n)
	f.panicIf(f.ICmp("ugt", total, room), "append of a slice to length %d exceeds its capacity %d: the device cannot grow it", total, room)
	f.move(f.GEP(f.memType(elem), f.Elem(s, 0), f.Elem(s, 1)), f.Elem(more, 0), n, elem)
	return &target.Agg{Typ: f.slice, Elems: []target.Value{f.Elem(s, 0), total, room}}
}

func builtinClear(f *function, c *ssa.Call) target.Value {
	s := f.value(c.Call.Args[0])
	elem := elemOf(c.Call.Args[0].Type())
	f.memset(f.Elem(s, 0), f.Bin("mul", f.Elem(s, 1), target.Int(target.I64, sizeof(elem))), alignof(elem))
	return intrinsics.None
}

func builtinComplex(f *function, c *ssa.Call) target.Value {
	return &target.Agg{Typ: f.llType(c.Type()), Elems: []target.Value{f.value(c.Call.Args[0]), f.value(c.Call.Args[1])}}
}

func builtinWrapNil(f *function, c *ssa.Call) target.Value {
	f.checkNil(c.Call.Args[0])
	return f.value(c.Call.Args[0])
}
