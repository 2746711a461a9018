package ssa2ir

// This file is about interfaces. A device has none: an interface value is what it holds,
// where the type of that is known while compiling, in each instance of a function. Calls
// of its methods are calls of the type's then, and assertions are true or false.

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// knowTypes is the advice about an interface whose type is not known.
const knowTypes = "use a type parameter: its methods are resolved while compiling"

func isInterface(t types.Type) bool { return types.IsInterface(t) && !isTypeParam(t) }

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// dynamic is the type of what an interface holds, nil if that depends on run time.
func (in *instance) dynamic(v ssa.Value) types.Type {
	if !isInterface(v.Type()) {
		return nil
	}
	d := &dynamics{in: in, seen: map[ssa.Value]bool{}}
	d.add(v)
	return d.same()
}

// dynamics are the types of what several interfaces hold.
type dynamics struct {
	in    *instance
	seen  map[ssa.Value]bool
	one   types.Type
	other bool // there is more than one, or one is not known
}

func (d *dynamics) same() types.Type {
	if d.other {
		return nil
	}
	return d.one
}

// found adds a type, nil for one that is not known.
func (d *dynamics) found(t types.Type) {
	if t == nil || d.one != nil && !types.Identical(t, d.one) {
		d.other = true
	}
	d.one = t
}

func (d *dynamics) add(v ssa.Value) {
	if d.seen[v] || d.other {
		return
	}
	d.seen[v] = true
	switch v := v.(type) {
	case *ssa.MakeInterface:
		if t := v.X.Type(); !isFunc(t) && !isBuffer(t) && bufferElem(t) == nil && !inRegisters(t) && !impossible(t) {
			d.found(t)
			return
		}
	case *ssa.ChangeInterface:
		d.add(v.X)
		return
	case *ssa.TypeAssert: // of one interface to another
		d.add(v.X)
		return
	case *ssa.Phi:
		for i, e := range v.Edges {
			if d.in.live == nil || d.in.live[v.Block().Preds[i]] {
				d.add(e)
			}
		}
		return
	case *ssa.Extract:
		switch from := v.Tuple.(type) {
		case *ssa.TypeAssert:
			if holds, _ := d.in.holds(from); holds { // else it is nil
				d.add(from.X)
				return
			}
		case *ssa.Call:
			d.found(d.in.resultType(from, v.Index))
			return
		}
	case *ssa.Call:
		d.found(d.in.resultType(v, 0))
		return
	case *ssa.Parameter:
		if i := slices.Index(d.in.fn.Params, v); i >= 0 { // else it is that of a closure
			d.found(d.in.params[i].dynamic)
			return
		}
	case *ssa.FreeVar: // of a method value
		if i := slices.Index(d.in.fn.FreeVars, v); i >= 0 {
			d.found(d.in.free[i].dynamic)
			return
		}
	}
	d.found(nil)
}

// resultType is the type of what result i of a call holds.
func (in *instance) resultType(call *ssa.Call, i int) types.Type {
	c := in.judged(call)
	if c == nil {
		return nil
	}
	var one types.Type
	for n, c := range c.each() {
		if c.inst == nil {
			return nil
		}
		t := c.inst.returnedType(i)
		if t == nil || n > 0 && !types.Identical(t, one) {
			return nil
		}
		one = t
	}
	return one
}

// returnedType is the type of what result i of a function holds, the result's own if that
// is no interface.
func (in *instance) returnedType(i int) types.Type {
	if t := in.fn.Signature.Results().At(i).Type(); !isInterface(t) {
		return t
	}
	d := &dynamics{in: in, seen: map[ssa.Value]bool{}}
	for _, b := range in.fn.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			d.add(r.Results[i])
		}
	}
	return d.same()
}

// results are the types of what an instance returns.
func (in *instance) results() *types.Tuple {
	all := in.fn.Signature.Results()
	var vars []*types.Var
	changed := false
	for i := range all.Len() {
		v := all.At(i)
		if isInterface(v.Type()) {
			if t := in.returnedType(i); t != nil {
				v, changed = types.NewVar(v.Pos(), v.Pkg(), v.Name(), t), true
			}
		}
		vars = append(vars, v)
	}
	if !changed {
		return all
	}
	return types.NewTuple(vars...)
}

// holds is what an assertion finds: whether it holds, if that is known.
func (in *instance) holds(a *ssa.TypeAssert) (holds, known bool) {
	t := in.dynamic(a.X)
	if t == nil {
		return false, false
	}
	if i, ok := a.AssertedType.Underlying().(*types.Interface); ok {
		return types.Implements(t, i), true
	}
	return types.Identical(t, a.AssertedType), true
}

// typeOf is the type of a value, of an interface that of what it holds.
func (in *instance) typeOf(v ssa.Value) types.Type {
	if t := in.dynamic(v); t != nil {
		return t
	}
	return v.Type()
}

// decided is a condition that follows from what interfaces hold.
func (in *instance) decided(v ssa.Value) constant.Value {
	switch v := v.(type) {
	case *ssa.Parameter:
		if i := slices.Index(in.fn.Params, v); i >= 0 {
			return in.params[i].flag
		}
	case *ssa.Extract:
		if a, ok := v.Tuple.(*ssa.TypeAssert); ok && v.Index == 1 {
			if holds, known := in.holds(a); known {
				return constant.MakeBool(holds)
			}
		}
	case *ssa.BinOp: // with nil
		if (v.Op == token.EQL || v.Op == token.NEQ) && isInterface(v.X.Type()) {
			x, y := v.X, v.Y
			if isNil(x) {
				x, y = y, x
			}
			if isNil(y) && in.dynamic(x) != nil {
				return constant.MakeBool(v.Op == token.NEQ)
			}
		}
		if x := comparedFunc(v); x != nil {
			if fv := in.resolve(x); fv != nil && !fv.chosen() {
				return constant.MakeBool(v.Op == token.NEQ)
			}
		}
	}
	return nil
}

// comparedFunc is the func that is compared with nil, nil if none is.
func comparedFunc(v *ssa.BinOp) ssa.Value {
	x, y := v.X, v.Y
	if isNil(x) {
		x, y = y, x
	}
	if !isFunc(x.Type()) || !isNil(y) {
		return nil
	}
	return x
}

func isNil(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value == nil
}

// receiver is the method that a call through an interface calls, nil if that is not known.
func (in *instance) receiver(com *ssa.CallCommon) *funcVal {
	t := in.dynamic(com.Value)
	if t == nil {
		return nil
	}
	fn := in.fn.Prog.LookupMethod(t, com.Method.Pkg(), com.Method.Name())
	if fn == nil {
		return nil
	}
	return &funcVal{fn: fn}
}

// arguments are those of a call, with the receiver of a method of an interface.
func arguments(com *ssa.CallCommon) []ssa.Value {
	if com.IsInvoke() {
		return append([]ssa.Value{com.Value}, com.Args...)
	}
	return com.Args
}

// said reports whether an interface whose type is not known was refused where it comes
// from: a variable, a call, a place in memory.
func (c *checker) said(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Phi, *ssa.UnOp:
		return true
	case *ssa.ChangeInterface:
		return c.said(v.X)
	case *ssa.Extract:
		if a, ok := v.Tuple.(*ssa.TypeAssert); ok {
			return c.said(a.X)
		}
		call, ok := v.Tuple.(*ssa.Call)
		return ok && c.said(call)
	case *ssa.TypeAssert:
		return c.said(v.X)
	case *ssa.Call:
		cl := c.in.calls[v]
		return cl == nil || cl.inst == nil // or its body is not looked at
	}
	return false
}

// checkResults refuses interfaces that a call returns and that may hold more than one type.
func (c *checker) checkResults(call *ssa.Call, cl *callee) {
	if cl.inst == nil {
		return
	}
	for i := range cl.fun.fn.Signature.Results().Len() {
		if cl.inst.returnedType(i) == nil {
			hint := "branch around what is done with it, return a func, or use a type parameter"
			if c.fixed(cl.fun.fn) {
				hint = libraryHint(cl.fun.fn)
			}
			c.errorf(call.Pos(), hint, "call of %s, which returns an interface", readable(cl.fun.fn))
			delete(c.in.calls, call)
			return
		}
	}
}

// checkTypeAssert allows assertions about what is known.
func checkTypeAssert(c *checker, i ssa.Instruction) {
	a := i.(*ssa.TypeAssert)
	switch holds, known := c.in.holds(a); {
	case !known && c.said(a.X):
	case !known:
		c.errorf(a.Pos(), knowTypes, "type assertion in kernel")
	case !holds && !a.CommaOk:
		c.errorf(a.Pos(), "assert the type that it has", "type assertion of %s, which is a %s", a.AssertedType, c.in.dynamic(a.X))
	}
}

// t1 = make int <- any (t0)   ->   %t0, whose type is known
func lowerMakeInterface(f *function, i ssa.Instruction) {
	mk := i.(*ssa.MakeInterface)
	if f.in.dynamic(mk) == nil {
		return // panic reads it
	}
	for _, r := range *mk.Referrers() {
		switch r.(type) {
		case *ssa.Panic, *ssa.DebugRef, *ssa.Store: // a store is of an argument ...any
		default:
			f.set(mk, f.value(mk.X))
			return
		}
	}
}

// t1 = change interface any <- error (t0)   ->   %t0
func lowerChangeInterface(f *function, i ssa.Instruction) {
	c := i.(*ssa.ChangeInterface)
	if f.in.dynamic(c) != nil {
		f.set(c, f.value(c.X))
	}
}

// t1 = typeassert,ok t0.(int)   ->   {%t0, true}, or {0, false}
func lowerTypeAssert(f *function, i ssa.Instruction) {
	a := i.(*ssa.TypeAssert)
	holds, _ := f.in.holds(a)
	var x target.Value
	switch {
	case holds:
		x = f.value(a.X)
	case !isInterface(a.AssertedType) && !impossible(a.AssertedType):
		x = f.zero(a.AssertedType)
	default:
		x = target.NewAgg() // nobody uses it
	}
	if a.CommaOk {
		x = target.NewAgg(x, f.scalarConst(types.Typ[types.Bool], constant.MakeBool(holds)))
	}
	f.set(a, x)
}
