package ssa2ir

// This file implements panics. A failed check jumps to a block that calls one
// function of the module, which fills the host-visible record (abi.PanicRecord)
// and ends the thread. What the message says is in the object's table of sites;
// the device writes only the site's number and two values.

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/lazy"
	"heddle/internal/ops"
	"heddle/internal/target"
)

// Offsets in abi.PanicRecord.
const (
	recordState  = 0
	recordSite   = 4
	recordBlock  = 8
	recordThread = 20
	recordArgs   = 32
	recordSum    = 48
)

// panicIf ends the thread where bad holds, with the text of Go's run-time error.
func (f *function) panicIf(bad target.Value, format string, args ...target.Value) {
	f.panicUnlessOff(bad, format, true, args...)
}

// panicUnless is panicIf with a condition that is computed only if it is not known to be false.
func (f *function) panicUnless(passes bool, bad func() target.Value, format string, args ...target.Value) {
	if !passes {
		f.panicIf(bad(), format, args...)
	}
}

// panicUnlessOff is panicIf for a run-time error of Go's or another panic.
func (f *function) panicUnlessOff(bad target.Value, format string, runtime bool, args ...target.Value) {
	if f.opts.NoBounds {
		return
	}
	ok := f.failsAt(bad)
	f.raise(format, runtime, args...)
	f.Cur = ok
}

// raise ends the thread.
func (f *function) raise(format string, runtime bool, args ...target.Value) {
	call := []target.Value{f.raised(format, runtime), target.Int(target.I64, 0), target.Int(target.I64, 0)}
	copy(call[1:], args)
	f.leave(call...)
}

// raised is the number of a new place that can panic, the current one.
func (f *function) raised(format string, runtime bool) target.Value {
	return f.inContext(f.site(format, runtime).first)
}

// leave ends the thread, given the number of a place and two values.
func (f *function) leave(call ...target.Value) {
	for i, v := range call {
		if exact := f.exactArgs[v]; exact != nil {
			call[i] = exact()
		}
	}
	if f.M.T.Panic != nil {
		f.M.T.Panic(f.Builder, call[0], call[1], call[2])
		return
	}
	if f.M.T.PanicGeometry == nil {
		f.CallAttr(f.panicFunc(), "noreturn", call...)
		f.Unreachable()
		return
	}
	// Without this, the block would be empty, LLVM would drop it, and the values
	// would be copied on the way past the check.
	call[0] = f.Asm(target.I32, "", "=r,0", true, call[0])
	x := f.exit()
	for i, v := range call {
		target.AddIncoming(x.args[i], v, f.Cur)
	}
	f.Br(x.block)
}

// site is a new place that can panic, the current one.
func (f *function) site(format string, runtime bool) *site {
	pos := f.prog.plan.pos(f.pos)
	if !f.pos.IsValid() {
		pos = f.prog.plan.pos(f.origin().Pos())
	}
	s := &site{frame: f.frame, first: target.Int(target.I32, 0), Site: abi.Site{File: pos.Filename, Line: pos.Line, Col: pos.Column,
		Func: readable(f.origin()), Format: format, Runtime: runtime}}
	f.sites = append(f.sites, s)
	return s
}

// anySite is a site that is reported without its context, and its one number.
func (f *function) anySite(format string) *target.Const {
	s := f.site(format, false)
	s.any = true
	return s.first
}

// A panicExit is the block where all panics of an LLVM function meet, and the phi nodes for
// what they tell.
type panicExit struct {
	block *ir.Block
	args  [3]*target.Inst
}

// exit is the function's panicExit, made at its first panic.
func (f *function) exit() *panicExit {
	x := f.exits[f.F]
	if x != nil {
		return x
	}
	cur, loc := f.Cur, f.Loc
	x = &panicExit{block: f.NewBlock()}
	f.exits[f.F] = x
	f.Cur = x.block
	var args []target.Value
	for i, t := range []target.Type{target.I32, target.I64, target.I64} {
		x.args[i] = f.Phi(t)
		args = append(args, x.args[i])
	}
	f.CallAttr(f.panicFunc(), "noreturn", args...)
	f.Unreachable()
	f.Cur, f.Loc = cur, loc
	return x
}

// panicFunc makes heddle_panic(site, a, b): the first thread to swap the lock
// fills the record, state last; every thread that comes here ends.
func (l *lowerer) panicFunc() *ir.Func {
	if l.fatal != nil {
		return l.fatal
	}
	m := l.m
	ps := []*ir.Param{ir.NewParam("site", target.I32), ir.NewParam("a", target.I64), ir.NewParam("b", target.I64)}
	fn := m.LL.NewFunc("heddle_panic", target.Void, ps...)
	fn.Linkage = enum.LinkageInternal
	inline, geometry := target.Attr("noinline"), m.T.Geometry
	if m.T.PanicGeometry != nil {
		inline, geometry = "alwaysinline", m.T.PanicGeometry
	}
	fn.FuncAttrs = append(fn.FuncAttrs, target.Attr("cold"), inline, target.Attr("noreturn"), target.Attr("nounwind"))
	l.fatal = fn
	b := &target.Builder{M: m, F: fn}
	b.Cur = b.NewBlock()
	sink := m.Var(abi.SinkSymbol, target.Ptr(m.T.Global), m.T.Global, 8, target.Zero(target.Ptr(m.T.Global)))
	lock := m.Var(abi.LockSymbol, target.I32, m.T.Global, 4, target.Int(target.I32, 0))
	sink.ExternallyInitialized, lock.ExternallyInitialized = true, true
	sink.Visibility, lock.Visibility = enum.VisibilityProtected, enum.VisibilityProtected
	l.lock = lock
	won := b.ICmp("eq", b.CmpXchg(lock, target.Int(target.I32, 0), target.Int(target.I32, 1), m.T.Scopes[target.Device], "monotonic", "monotonic"), target.Int(target.I32, 0))
	write, end := b.NewBlock(), b.NewBlock()
	b.CondBr(won, write, end)
	b.Cur = write
	record := b.Load(target.Ptr(m.T.Global), sink, 8)
	writeRecord(b, record, ps, geometry)
	b.Br(end)
	b.Cur = end
	b.Do(ops.Exit)
	return fn
}

// writeRecord fills a panic's record, state last.
func writeRecord(b *target.Builder, record target.Value, ps []*ir.Param, geometry func(b *target.Builder, r target.Register, axis int) target.Value) {
	put := func(v target.Value, offset int64) {
		b.Emit(target.Void, "store volatile ", target.T(v), ", ", target.T(b.GEP(target.I8, record, target.Int(target.I64, offset))), ", align 4")
	}
	var blocks, threads []target.Value
	put(ps[0], recordSite)
	for axis := range 3 {
		block, thread := geometry(b, target.BlockIdx, axis), geometry(b, target.ThreadIdx, axis)
		put(block, recordBlock+4*int64(axis))
		put(thread, recordThread+4*int64(axis))
		blocks, threads = append(blocks, block), append(threads, thread)
	}
	put(ps[1], recordArgs)
	put(ps[2], recordArgs+8)
	if !b.M.T.PanicSum {
		b.Do(ops.FenceSystem)
		put(target.Int(target.I32, abi.Panicked), recordState)
		b.Do(ops.FenceSystem)
		return
	}
	words := append(append([]target.Value{ps[0]}, blocks...), threads...)
	for _, p := range ps[1:] {
		words = append(words, b.IntCast(p, target.I32, false), b.IntCast(b.Bin("lshr", p, target.Int(target.I64, 32)), target.I32, false))
	}
	var sum target.Value = target.Int(target.I32, 0)
	for n, w := range words {
		sum = b.Bin("add", sum, b.Bin("mul", w, target.Int(target.I32, abi.SumFactor(n))))
	}
	put(sum, recordSum)
	put(target.Int(target.I32, abi.Panicked), recordState)
}

// runtimeErrors are the variables of the standard library that hold errors of
// Go's run time, with their texts.
var runtimeErrors = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"math/bits.overflowError": "integer overflow",
		"math/bits.divideError":   "integer divide by zero",
	}
}}

// runtimeError is the text of a run-time error that v reads from its variable,
// "" if v is something else.
func runtimeError(v ssa.Value) string {
	if c, ok := v.(*ssa.ChangeInterface); ok {
		v = c.X
	}
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		if g, ok := load.X.(*ssa.Global); ok {
			return runtimeErrors.Get()[g.RelString(nil)]
		}
	}
	return ""
}

// checkChangeInterface allows what panic does to a run-time error.
func checkChangeInterface(c *checker, i ssa.Instruction) {
	v := i.(*ssa.ChangeInterface)
	panics := func(r ssa.Instruction) bool { _, ok := r.(*ssa.Panic); return ok }
	if runtimeError(v) == "" && c.in.dynamic(v) == nil && !slices.ContainsFunc(*v.Referrers(), panics) { // panic judges its own
		c.errorf(i.Pos(), knowTypes, "interface in kernel")
	}
}

// panic t0   ->   call @heddle_panic(site, value, 0); unreachable
func lowerPanic(f *function, i ssa.Instruction) {
	p := i.(*ssa.Panic)
	f.pos = p.Pos()
	if text := runtimeError(p.X); text != "" {
		f.raise(text, true)
		return
	}
	mk, ok := p.X.(*ssa.MakeInterface)
	if !ok {
		f.raise("panic called with nil argument (use GODEBUG=panicnil=1 to disable)", true)
		return
	}
	if k, ok := mk.X.(*ssa.Const); ok && k.Value != nil {
		f.raise(constantText(k), false)
		return
	}
	x, t := f.value(mk.X), mk.X.Type()
	format := map[bool]string{true: "%d", false: "%u"}[isSigned(t)]
	switch {
	case isKind(t, types.IsBoolean):
		x, format = f.Cast("zext", x, target.I64), "%t"
	case isFloat(t):
		x, format = f.Cast("bitcast", f.floatCast(x, target.F64), target.I64), "%f"
	default:
		x = f.IntCast(x, target.I64, isSigned(t))
	}
	f.raise(asPanicked(t, format), false, x)
}

// asPanicked is how Go prints a panic with a value: named types are spelled out.
func asPanicked(t types.Type, value string) string {
	if _, ok := types.Unalias(t).(*types.Named); ok {
		return escapePercent(types.TypeString(t, (*types.Package).Name)) + "(" + value + ")"
	}
	return value
}

// constantText is a constant as Go prints a panic with it.
func constantText(k *ssa.Const) string {
	if k.Value.Kind() == constant.String {
		return escapePercent(constant.StringVal(k.Value))
	}
	return asPanicked(k.Type(), escapePercent(k.Value.ExactString()))
}

//go:noinline
func escapePercent(s string) string {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if s[i] == '%' {
			out = append(out, '%')
		}
		out = append(out, s[i])
	}
	return string(out)
}

// checkNil stops a nil pointer before it is followed.
func (f *function) checkNil(v ssa.Value) {
	if !f.in.nonNil(v) {
		f.panicIf(f.ICmp("eq", f.value(v), target.Zero(f.ptr)), "invalid memory address or nil pointer dereference")
	}
}

// checkIndex stops an index that is not below the length.
func (f *function) checkIndex(idx, n target.Value, t types.Type) {
	if i, ok := target.IntConst(idx); ok {
		if m, ok := target.IntConst(n); ok && i >= 0 && i < m {
			return
		}
	}
	f.panicIf(f.ICmp("uge", idx, n), indexPanic(t), idx, n)
}

// indexPanic is the text of the panic for an index of type t.
func indexPanic(t types.Type) string { return "index out of range [" + verb(t) + "] with length %d" }

func verb(t types.Type) string {
	if isSigned(t) {
		return "%d"
	}
	return "%u"
}

// A bound is one of a slice's checks.
type bound struct {
	bad    target.Value
	format string
	x, y   target.Value
}

// checkSlice stops s[lo:hi:max] where not 0 <= lo <= hi <= max <= cap, in Go's order.
func (f *function) checkSlice(s *ssa.Slice, lo, hi, limit, capacity target.Value, what string) {
	var all []bound
	check := func(passes bool, x, y target.Value, format string) {
		if passes || f.opts.NoBounds {
			return
		}
		a, b := x, y
		if s.Max == nil && x == hi && y == capacity && f.endsLow(s) {
			a, b = f.IntCast(x, target.I32, false), f.IntCast(y, target.I32, false)
		}
		if bad := f.ICmp("ugt", a, b); f.M.T.Joins {
			all = append(all, bound{bad, format, x, y})
		} else {
			f.panicIf(bad, format, x, y)
		}
	}
	if s.Max != nil {
		check(f.within(s, s.Max, nil), limit, capacity, "slice bounds out of range [::"+verb(s.Max.Type())+"] with "+what+" %d")
		if s.High != nil {
			check(f.within(s, s.High, s.Max), hi, limit, "slice bounds out of range [:"+verb(s.High.Type())+":%d]")
		}
	} else if s.High != nil {
		check(f.within(s, s.High, nil), hi, capacity, "slice bounds out of range [:"+verb(s.High.Type())+"] with "+what+" %d")
	}
	if s.Low != nil {
		colon := ":%d]"
		if s.Max != nil {
			colon = ":%d:]"
		}
		check(f.lowWithin(s), lo, hi, "slice bounds out of range ["+verb(s.Low.Type())+colon)
	}
	f.checkBounds(all)
}

// checkBounds makes one branch of a slice's checks, and tells behind it which of them fails first.
func (f *function) checkBounds(all []bound) {
	if len(all) == 0 {
		return
	}
	bad := all[0].bad
	for _, b := range all[1:] {
		bad = f.Bin("or", bad, b.bad)
	}
	ok := f.failsAt(bad)
	last := len(all) - 1
	for _, b := range all[:last] {
		f.panicIf(b.bad, b.format, b.x, b.y)
	}
	f.raise(all[last].format, true, all[last].x, all[last].y)
	f.Cur = ok
}
