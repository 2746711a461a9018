package ssa2ir

// This file implements conversions.

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"math"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/lazy"
	"heddle/internal/module"
	"heddle/internal/target"
)

// t1 = changetype *int <- IntPtr (t0)   ->   %t0
func lowerChangeType(f *function, i ssa.Instruction) {
	c := i.(*ssa.ChangeType)
	f.set(c, f.changeOpaque(f.value(c.X), c.X.Type(), c.Type()))
}

// t1 = convert int32 <- float64 (t0)   ->   fptosi, sext, trunc, sitofp, fpext, ...
func lowerConvert(f *function, i ssa.Instruction) {
	c := i.(*ssa.Convert)
	if s, ok := madeOf(c); ok {
		f.set(c, f.elemsOf(c.Type(), s))
		return
	}
	if f.isShort(c) {
		x := f.value(c.X)
		v := f.IntCast(f.shortInt(x, f.unrounded(c.X), f.shortInts[c], leastFloat(c.X, 0)), target.I64, true)
		f.exactArgs[v] = func() target.Value { return f.floatToInt(x, target.I64, true) }
		f.set(c, v)
		return
	}
	if f.isFit(c) {
		f.set(c, f.IntCast(f.Cast("fptosi", f.value(c.X), target.I32), target.I64, true))
		return
	}
	if s := f.splitFloat(c); s != nil {
		x := f.convert(f.value(c.X), c.X.Type(), c.Type()) // LLVM removes it: only min uses it, which has the 32-bit number
		f.splits[x] = s
		f.set(c, x)
		return
	}
	if x := f.splitToFloat(c); x != nil {
		f.set(c, x)
		return
	}
	if in, ok := c.X.(*ssa.Convert); ok && isFloat(in.X.Type()) && isFloat(c.Type()) && (f.M.T.LongInt64 || f.isShort(in) || f.isFit(in)) {
		if t, _ := typeOf(in.Type()); t == goInt && !f.fitsShort(in, c) {
			f.set(c, f.floatCast(f.wholePart(in, c), f.llType(c.Type())))
			return
		}
	}
	if x := f.shortFloat(c); x != nil {
		f.set(c, x)
		return
	}
	f.set(c, f.convert(f.value(c.X), c.X.Type(), c.Type()))
	f.watch(c)
}

// shortFloat makes a float of an int64 that is known to need 32 bits, or 53 of a float32, nil of others. GPUs have no instruction for more.
func (f *function) shortFloat(c *ssa.Convert) target.Value {
	if t, ok := typeOf(c.X.Type()); !ok || t.bits != 64 || !isFloat(c.Type()) || f.proof == nil || !f.M.T.Narrow {
		return nil
	}
	x := f.value(c.X)
	if _, isConst := target.IntConst(x); isConst {
		return nil
	}
	how := ""
	switch s := f.proof.spanBefore(c.X, c); {
	case s.within(int32s):
		how = "sitofp"
	case s.within(uint32s):
		how = "uitofp"
	case s.within(span{-1 << 53, 1 << 53}) && sizeof(c.Type()) == 4 && f.M.T.FastDouble():
		return f.Cast("fptrunc", f.Cast("sitofp", x, target.F64), target.F32) // of what a float64 holds as it is: 5 instructions for 13
	default:
		return nil
	}
	return f.Cast(how, f.IntCast(x, target.I32, false), f.llType(c.Type()))
}

// wholePart is x as it comes back from an int64: what does not fit is the least one, and a
// zero has no sign. Back is where it comes back.
//
//	t1 = convert int <- float32 (t0); t2 = convert float32 <- int (t1)
//	->   select (fcmp olt (fabs %t0), 0x1p63), (fadd (trunc %t0), 0), -0x1p63
func (f *function) wholePart(c, back *ssa.Convert) target.Value {
	x := f.value(c.X)
	t := x.Type()
	whole := f.Intrinsic(floatName("llvm.trunc", t), t, x)
	if !f.M.T.LongInt64 || leastFloat(c.X, 0) < 0 {
		whole = f.FBin("fadd", whole, target.Float(t, 0))
	}
	if f.isFit(c) || f.M.T.LongInt64 && f.fitsWhereUsed(c, back, 0) {
		return whole
	}
	return f.Select(f.fitsSigned(f.unrounded(c.X), 64), whole, target.Float(t, -0x1p63))
}

// fitsWhereUsed reports whether v fits (fitsShort) wherever it matters what x is, a float that is made of v: no number that is computed of that
// does, but where that is used.
//
//	f := at - float32(k)
//	return table[k] + f*(table[k+1]-table[k])      k is an index where f*... is returned
func (f *function) fitsWhereUsed(v *ssa.Convert, x ssa.Value, deep int) bool {
	const deepest = 4
	if f.fitsShort(v, x.(ssa.Instruction)) {
		return true
	}
	if deep == deepest {
		return false
	}
	for _, r := range *x.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.BinOp:
			if isFloat(r.Type()) {
				if !f.fitsWhereUsed(v, r, deep+1) {
					return false
				}
				continue
			}
		}
		if !f.fitsShort(v, r) {
			return false
		}
	}
	return true
}

// unrounded is a float before it was rounded, which fits an int64 where what was made of it does: floats so large are
// whole. The instruction that makes an int may then round, too.
func (f *function) unrounded(v ssa.Value) target.Value {
	if c, ok := v.(*ssa.Call); ok && c.Call.StaticCallee() != nil && roundings.Get()[fullName(c.Call.StaticCallee())] {
		return f.value(c.Call.Args[0])
	}
	return f.value(v)
}

var roundings = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	all := map[string]bool{}
	for _, name := range []string{"Ceil", "Floor", "Round", "Trunc"} {
		all["math."+name], all[module.DSL+"."+name] = true, true
	}
	all["math.RoundToEven"], all[module.DSL+".Rint"] = true, true
	return all
}}

// fitsSigned reports whether the whole part of x is a signed integer; of the least one it
// does not, whose value is that of what does not fit.
func (f *function) fitsSigned(x target.Value, bits int) target.Value {
	return f.FCmp("olt", f.Intrinsic(floatName("llvm.fabs", x.Type()), x.Type(), x), target.Float(x.Type(), math.Ldexp(1, bits-1)))
}

// floatName is an intrinsic's name for a type of floats.
func floatName(name string, t target.Type) string {
	if t.Equal(target.F64) {
		return name + ".f64"
	}
	return name + ".f32"
}

func (f *function) convert(x target.Value, from, to types.Type) target.Value {
	switch {
	case isComplex(from) && isComplex(to):
		part := target.ElemType(f.llType(to), 0)
		return &target.Agg{Typ: f.llType(to), Elems: []target.Value{f.floatCast(f.Elem(x, 0), part), f.floatCast(f.Elem(x, 1), part)}}
	case isFloat(from) && isFloat(to):
		return f.floatCast(x, f.llType(to))
	case isInteger(from) && isInteger(to):
		return f.IntCast(x, f.llType(to), isSigned(from))
	case isInteger(from) && isFloat(to):
		if isSigned(from) {
			return f.Cast("sitofp", x, f.llType(to))
		}
		return f.Cast("uitofp", x, f.llType(to))
	case isFloat(from) && isInteger(to):
		return f.floatToInt(x, f.llType(to), isSigned(to))
	}
	if isString(to) && !isString(from) {
		return &target.Agg{Typ: f.str, Elems: []target.Value{f.Elem(x, 0), f.Elem(x, 1)}}
	}
	return x // strings, pointers
}

func (f *function) floatCast(x target.Value, to target.Type) target.Value {
	switch {
	case x.Type().Equal(to):
		return x
	case to.Equal(target.F64):
		return f.Cast("fpext", x, to)
	}
	return f.Cast("fptrunc", x, to)
}

// floatToInt converts as gc's code for amd64 does, also what does not fit, which Go
// leaves to the implementation: narrow integers go by way of int32, uint32 of int64,
// and wrap; what these cannot hold, and NaN, is their least number. What only uint64
// can hold is converted less 1<<63. |x| < 1<<31 leaves out only numbers that are the
// least one anyway.
//
//	t1 = convert int32 <- float64 (t0)   ->   select (fcmp olt (fabs %t0), 0x1p31), (fptosi %t0), -1<<31
func (f *function) floatToInt(x target.Value, to target.Type, signed bool) target.Value {
	bits := target.Bits(to)
	if bits < 32 || bits == 32 && signed {
		return f.IntCast(f.floatToSigned(x, target.I32), to, true)
	}
	if bits < 64 || signed {
		return f.IntCast(f.floatToSigned(x, target.I64), to, true)
	}
	high := target.Float(x.Type(), 0x1p63)
	above := f.FCmp("oge", x, high)
	rest := f.floatToSigned(f.Select(above, f.Bin("fsub", x, high), x), target.I64)
	return f.Bin("or", rest, f.Select(above, target.Int(target.I64, math.MinInt64), target.Int(target.I64, 0)))
}

// floatToSigned converts to a signed integer; what does not fit is the least one. With FastMath, of GPUs, it is what their instruction makes of it, for 32 bits:
// of these the prover knows nothing. It is frozen, since a check of an index has to look at the number that is used.
func (f *function) floatToSigned(x target.Value, to target.Type) target.Value {
	bits := target.Bits(to)
	if bits == 32 && f.opts.FastMath && f.M.T.SatInt != nil {
		return f.Emit(to, "freeze ", target.T(f.Cast("fptosi", x, to)))
	}
	return f.Select(f.fitsSigned(x, bits), f.Cast("fptosi", x, to), target.Int(to, math.MinInt64>>(64-bits)))
}

// roundsProducts reports whether the kernel rounds a product by a conversion, as
// in float32(x*y) + z: the Go spec forbids to fuse those. No operation of such a
// kernel may be fused then, since LLVM copies the permission from a sum to a
// negated product in it.
func (prog *Program) roundsProducts() bool {
	for _, in := range prog.plan.insts {
		rounded := roundedOperators(in.fn)
		for fn := range in.sites.Functions() {
			maps.Copy(rounded, roundedOperators(fn))
		}
		for _, b := range in.fn.Blocks {
			for _, i := range b.Instrs {
				if op, ok := i.(*ssa.BinOp); ok && rounded[op.Pos()] && isFloat(op.Type()) && !allConvert(*op.Referrers()) {
					return true
				}
			}
		}
	}
	return false
}

// allConvert reports whether a value goes to conversions to other types only.
func allConvert(refs []ssa.Instruction) bool {
	for _, r := range refs {
		if _, ok := r.(*ssa.Convert); !ok {
			return false
		}
	}
	return true
}

// roundedOperators finds the multiplications under conversions: go/ssa drops a
// conversion where the types agree.
func roundedOperators(fn *ssa.Function) map[token.Pos]bool {
	syntax := fn.Syntax()
	found := map[token.Pos]bool{}
	if syntax == nil {
		return found
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		id, ok := ast.Unparen(call.Fun).(*ast.Ident)
		if !ok || !namesType(fn, id.Name) {
			return true
		}
		arg := ast.Unparen(call.Args[0])
		for {
			sign, ok := arg.(*ast.UnaryExpr)
			if !ok || sign.Op != token.SUB && sign.Op != token.ADD {
				break
			}
			arg = ast.Unparen(sign.X)
		}
		if mul, ok := arg.(*ast.BinaryExpr); ok && mul.Op == token.MUL {
			found[mul.OpPos] = true
		}
		return true
	})
	return found
}

// namesType reports whether an identifier in fn may name a type: a universe
// type, one of the package's, a type parameter.
func namesType(fn *ssa.Function, name string) bool {
	_, ok := types.Universe.Lookup(name).(*types.TypeName)
	if ok {
		return true
	}
	for g := fn; g != nil; g = g.Parent() {
		o := g
		if g.Origin() != nil {
			o = g.Origin()
		}
		for tp := range o.TypeParams().TypeParams() {
			if tp.Obj().Name() == name {
				return true
			}
		}
		if g.Pkg != nil {
			if _, ok := g.Pkg.Pkg.Scope().Lookup(name).(*types.TypeName); ok {
				return true
			}
		}
	}
	return false
}

// isFit reports whether an int that is made of a float is known to fit 32 bits, by comparisons.
func (f *function) isFit(c *ssa.Convert) bool {
	if f.proof == nil || !f.M.T.Narrow || !isFloat(c.X.Type()) {
		return false
	}
	t, ok := typeOf(c.Type())
	return ok && t == goInt && f.shortInts[c] == span{} && f.proof.spanBefore(c, c).within(int32s)
}
