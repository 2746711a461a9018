package ssa2ir

// This file implements what crosses from the host: which types a kernel may
// take, how they are laid out, and how they arrive.

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"

	"heddle/internal/abi"
	"heddle/internal/target"
)

// signature lays out the parameters and captured variables, and judges their types.
func (prog *Program) signature() {
	k, p := prog.Kernel, prog.plan
	qual := types.RelativeTo(nil)
	if k.Fn.Pkg != nil {
		qual = types.RelativeTo(k.Fn.Pkg.Pkg)
	}
	add := func(name string, t types.Type, pos token.Pos, capture, known bool) {
		what := "parameter"
		if capture {
			what = "captured variable"
		}
		why, hint := unpassable(t)
		if known {
			why, hint = unsupported(t)
		}
		switch u := t.Underlying().(type) {
		case *types.Signature:
			if !capture || k.Receiver {
				why, hint = "func", "capture it in a closure, or pass a type argument whose method it is"
			}
		case *types.Pointer:
			switch {
			case bufferElem(t) != nil && !capture:
				why, hint = "*launch.Buffer", "take a slice: Launch makes one of the buffer"
			case bufferElem(u.Elem()) != nil:
				why, hint = "pointer to a *launch.Buffer", "capture the *launch.Buffer itself"
			case isFunc(u.Elem()):
				why, hint = "pointer to a func", "capture the func in a closure, or pass a type argument whose method it is"
			}
		case *types.Basic:
			if u.Kind() == types.UnsafePointer || u.Kind() == types.Uintptr {
				why, hint = u.String(), "pass a *launch.Buffer; its elements are the parameter []T"
			}
		}
		if why == "" && holdsString(t, map[types.Type]bool{}) && !(capture && k.Partial && (isString(t) || k.Specialized) && CanBeConstant(t)) {
			why, hint = "string", "only constant strings exist on the device; pass a []byte in a buffer"
		}
		if why != "" {
			p.errs.add(p.pos(pos), hint, "%s %s: %s cannot be passed to a kernel", what, name, why)
			return
		}
		q := param(name, t, qual)
		if capture {
			q.Capture, q.Pos = true, p.pos(pos).String()
		}
		prog.Sig.Add(q)
	}
	for i, q := range k.Fn.Params {
		if i > 0 || !k.Receiver {
			add(q.Name(), q.Type(), q.Pos(), false, false)
		}
	}
	if k.Fn.Signature.Variadic() {
		p.errs.add(p.pos(k.Fn.Pos()), "take a slice", "kernel %s is variadic", k.Name)
	}
	if k.Fn.Signature.Results().Len() > 0 {
		p.errs.add(p.pos(k.Fn.Pos()), "write results to a slice parameter", "kernel %s returns a value", k.Name)
	}
	if k.Receiver && k.ReceiverValue == nil {
		add(k.Fn.Params[0].Name(), k.Fn.Params[0].Type(), k.Fn.Params[0].Pos(), true, false)
	}
	prog.captures(k, add)
}

// captures lays out what the kernel, or a func that it captures, captures.
func (prog *Program) captures(k *Kernel, add func(name string, t types.Type, pos token.Pos, capture, known bool)) {
	p := prog.plan
	for i, c := range k.Captures {
		switch {
		case c.Func != nil:
			prog.captures(c.Func, add)
			continue
		case c.Value != nil:
			continue
		case isFunc(c.Type) && prog.Kernel.Partial:
			p.unknownFuncs = true
			continue
		case isFunc(c.Type):
			p.errs.add(p.pos(k.Fn.FreeVars[i].Pos()), "assign a function before the kernel is made", "captured func %s is nil", c.Name)
			continue
		case prog.Kernel.Partial && holdsFuncs(c.Type):
			p.unknownFuncs = true
		}
		add(c.Name, c.Type, k.Fn.FreeVars[i].Pos(), true, p.knowsParts(&c))
		for _, part := range c.Parts {
			if part.Func != nil {
				prog.captures(part.Func, add)
			}
		}
	}
}

// knowsParts reports whether it is known what all funcs in a captured variable hold: of a
// partial program it will be.
func (p *planner) knowsParts(c *Capture) bool {
	if slices.ContainsFunc(p.funcPaths(c.Type), func(at way) bool { return strings.Contains(string(at), throughPointer) }) {
		return false
	}
	n := 0
	funcsIn(c.Type, "", 0, func(way, int64) { n++ })
	return p.k.Partial || n == len(c.Parts)
}

// holdsString reports whether a string is in, or reached from, a value of type t.
func holdsString(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if e := bufferElem(t); e != nil {
		return holdsString(e, seen)
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return holdsString(u.Elem(), seen)
	case *types.Slice:
		return holdsString(u.Elem(), seen)
	case *types.Array:
		return holdsString(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if holdsString(f.Type(), seen) {
				return true
			}
		}
	}
	return isString(t)
}

// hasPointers reports whether values of t hold addresses.
func hasPointers(t types.Type) bool {
	var at []int
	pointersIn(t, 0, &at)
	return len(at) > 0 || isString(t)
}

// param describes a Go type as a kernel parameter.
func param(name string, t types.Type, qual types.Qualifier) abi.Param {
	p := abi.Param{Name: name, Type: types.TypeString(t, qual), Size: int(sizeof(t)), Align: alignof(t)}
	elem := func(e types.Type) { p.Elem, p.ElemSize = types.TypeString(e, qual), int(sizeof(e)) }
	if e := bufferElem(t); e != nil {
		p.Class, p.Buffer, p.Size = abi.Slice, true, 3*p.Size
		elem(e)
		return p
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		p.Class, p.Complex = abi.Scalar, isComplex(t)
	case *types.Slice:
		p.Class = abi.Slice
		elem(u.Elem())
	case *types.Pointer:
		p.Class = abi.Pointer
		elem(u.Elem())
	default:
		p.Class = abi.Aggregate
		pointersIn(t, 0, &p.Pointers)
		if isOfParts(t) {
			p.Parts = places(p, t)
		}
	}
	if p.Size == 0 {
		p.Class = abi.Zero
	}
	return p
}

// pointersIn lists the offsets of the pointers within a value of type t.
func pointersIn(t types.Type, at int64, out *[]int) {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Pointer:
		*out = append(*out, int(at))
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			*out = append(*out, int(at))
		}
	case *types.Array:
		for i := range u.Len() {
			pointersIn(u.Elem(), at+i*sizeof(u.Elem()), out)
		}
	case *types.Struct:
		for i, o := range offsets(u) {
			pointersIn(u.Field(i).Type(), at+o, out)
		}
	}
}

// paramTypes are the Go types behind the signature's parameters, in its order.
func (prog *Program) paramTypes() []types.Type {
	var ts []types.Type
	k := prog.Kernel
	ps := k.Fn.Params
	if k.Receiver {
		ps = ps[1:]
	}
	for _, p := range ps {
		ts = append(ts, p.Type())
	}
	if k.Receiver && k.ReceiverValue == nil {
		ts = append(ts, k.Fn.Params[0].Type())
	}
	var captures func(*Kernel)
	captures = func(k *Kernel) {
		for _, c := range k.Captures {
			if c.Func != nil {
				captures(c.Func)
			} else if c.Value == nil {
				ts = append(ts, c.Type)
			}
			for _, part := range c.Parts {
				if part.Func != nil {
					captures(part.Func)
				}
			}
		}
	}
	captures(k)
	return ts
}

// kernelParams are the LLVM parameters of one kernel parameter: a slice's
// pointer, length and capacity; a scalar; those of an aggregate's parts, or one in argument memory.
// They lie at the offsets that abi.Signature computes.
func (l *lowerer) kernelParams(p abi.Param, t types.Type, noalias bool) []*ir.Param {
	global := func(name string) *ir.Param {
		q := ir.NewParam(name, target.Ptr(l.m.T.Global))
		if noalias || l.apartAt[p.Offset] {
			q.Attrs = append(q.Attrs, enum.ParamAttrNoAlias)
		}
		align := bufferAlign(t)
		if least := l.leastAt[p.Offset]; least > 0 {
			q.Attrs = append(q.Attrs, target.Attr(fmt.Sprintf("dereferenceable(%d)", least)))
			align = max(align, alignof(t.Underlying().(*types.Slice).Elem()))
		}
		if align > 0 {
			q.Attrs = append(q.Attrs, target.Attr(fmt.Sprint("align ", align)))
		}
		if l.fewerAt[p.Offset] {
			q.Attrs = append(q.Attrs, target.Attr(fmt.Sprintf(shortAttr, sizeof(t.Underlying().(*types.Slice).Elem()))))
		}
		return q
	}
	name := p.Name
	switch p.Class {
	case abi.Zero:
		return nil
	case abi.Slice:
		return []*ir.Param{global(name), ir.NewParam(name+".len", l.intAt(p.Offset+8)), ir.NewParam(name+".cap", target.I64)}
	case abi.Pointer:
		return []*ir.Param{global(name)}
	case abi.Aggregate:
		if p.Parts != nil && l.m.T.PartParams {
			return l.partParams(p, t, noalias)
		}
		q := ir.NewParam(name, target.Ptr(l.m.T.ParamSpace))
		q.Attrs = append(q.Attrs, target.Attr(fmt.Sprintf("%s(%s) align %d", l.m.T.ParamAttr, l.memType(t), p.Align)))
		return []*ir.Param{q}
	}
	switch lt := l.llType(t); {
	case lt.Equal(target.I1):
		return []*ir.Param{ir.NewParam(name, target.I8)}
	case isComplex(t):
		e := target.ElemType(lt, 0)
		return []*ir.Param{ir.NewParam(name+".re", e), ir.NewParam(name+".im", e)}
	case lt.Equal(target.I64):
		return []*ir.Param{ir.NewParam(name, l.intAt(p.Offset))}
	default:
		return []*ir.Param{ir.NewParam(name, lt)}
	}
}

// intAt is the type of an int that is passed at an offset: if it is known to need 32 bits, of two of these, as LLVM
// computes in 64 bits with what it has of an i64.
//
//	i64 %w   ->   <2 x i32> %w, zext i32 (extractelement <2 x i32> %w, i64 0) to i64
func (l *lowerer) intAt(offset int) target.Type {
	if _, short := l.shortAt[offset]; short {
		return target.Vector(2, target.I32)
	}
	return target.I64
}

// shortArgument is the int that is passed at an offset.
func (f *function) shortArgument(p *ir.Param, offset int) target.Value {
	if p.Typ.Equal(target.I64) {
		return p
	}
	low := f.Emit(target.I32, "extractelement ", target.T(p), ", i64 0")
	return f.IntCast(low, target.I64, f.shortAt[offset].lo < 0)
}

// bufferAlign is the alignment of a buffer's elements, where it is more than
// Go's: device memory is aligned for any vector, and a part of a buffer begins
// at an element. Four float32 are then one load.
func bufferAlign(t types.Type) int {
	const widest = 16
	var elem types.Type
	switch u := t.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Pointer:
		if elem = bufferElem(t); elem == nil {
			elem = u.Elem()
		}
	default:
		return 0
	}
	for n := widest; n > alignof(elem); n /= 2 {
		if size := sizeof(elem); size > 0 && size%int64(n) == 0 {
			return n
		}
	}
	return 0
}

// argument is a kernel parameter's value in Go's form.
func (f *function) argument(p abi.Param, t types.Type, ps []*ir.Param) target.Value {
	switch p.Class {
	case abi.Zero:
		return f.zero(t)
	case abi.Slice:
		return &target.Agg{Typ: f.slice, Elems: []target.Value{f.Generic(ps[0]), f.shortArgument(ps[1], p.Offset+8), ps[2]}}
	case abi.Pointer:
		return f.Generic(ps[0])
	case abi.Aggregate:
		if p.Parts != nil && f.M.T.PartParams {
			return f.ofParts(p, t, &ps)
		}
		if isBig(t) {
			return f.large(t, f.Generic(ps[0]))
		}
		return f.load(t, ps[0])
	}
	switch {
	case len(ps) == 2:
		return &target.Agg{Typ: f.llType(t), Elems: []target.Value{ps[0], ps[1]}}
	case f.llType(t).Equal(target.I1):
		return f.Cast("trunc", ps[0], target.I1)
	case f.llType(t).Equal(target.I64):
		return f.shortArgument(ps[0], p.Offset)
	}
	return ps[0]
}

// assumeSlices tells LLVM that lengths are not negative, so that i < len(s)
// settles the bounds check of s[i], and that a captured buffer's memory has an address:
// what a launch passes of an empty one has, too.
func (f *function) assumeSlices(args []target.Value) {
	for i, p := range f.prog.Sig.Params {
		if p.Class != abi.Slice {
			continue
		}
		s := args[i].(*target.Agg).Elems
		f.Intrinsic("llvm.assume", target.Void, f.ICmp("sge", s[1], target.Int(target.I64, 0)))
		if p.Buffer {
			f.Intrinsic("llvm.assume", target.Void, f.ICmp("ne", s[0], target.Zero(f.ptr)))
		}
	}
}
