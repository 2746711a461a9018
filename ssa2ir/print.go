package ssa2ir

// This file implements printing: a call becomes a call of a function of the module, one
// for each number of words, that puts a record into the device's ring (abi.PrintSink).

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"

	"heddle/internal/abi"
	"heddle/internal/ops"
	"heddle/internal/target"
)

// Offsets in abi.PrintSink, abi.PrintControl and abi.PrintRing, and the latter's size.
const (
	sinkControl = 0
	sinkRing    = 8
	sinkWords   = 16
	sinkKernel  = 24
	controlDrop = 8
	ringWords   = 64
)

// printing is what a module prints.
type printing struct {
	table []abi.Print
	funcs map[int]*ir.Func // by the words of the arguments
}

// print prints the words of p's arguments.
func (f *function) print(p abi.Print, words []target.Value) {
	all := &f.prints
	n := slices.IndexFunc(all.table, func(q abi.Print) bool { return reflect.DeepEqual(p, q) })
	if n < 0 {
		n = len(all.table)
		all.table = append(all.table, p)
	}
	what := int64(n)<<abi.PrintLength | int64(len(words)+1)
	f.Builder.Call(f.printFunc(len(words)), append([]target.Value{target.Int(target.I32, what)}, words...)...)
}

// printFunc makes heddle_print_N(what, words...). It is not inlined: between taking words
// of the ring and marking them as written, no other code of the warp may end it.
func (l *lowerer) printFunc(n int) *ir.Func {
	if fn := l.prints.funcs[n]; fn != nil {
		return fn
	}
	m := l.m
	ps := []*ir.Param{ir.NewParam("what", target.I32)}
	for i := range n {
		ps = append(ps, ir.NewParam(fmt.Sprint("w", i), target.I64))
	}
	fn := m.LL.NewFunc(fmt.Sprint("heddle_print_", n), target.Void, ps...)
	fn.Linkage = enum.LinkageInternal
	fn.FuncAttrs = append(fn.FuncAttrs, target.Attr("noinline"), target.Attr("nounwind"))
	if l.prints.funcs == nil {
		l.prints.funcs = map[int]*ir.Func{}
	}
	l.prints.funcs[n] = fn
	b := &target.Builder{M: m, F: fn}
	b.Cur = b.NewBlock()
	sink := b.Do(ops.PrintSink)
	field := func(p target.Value, offset int64) target.Value {
		return b.GEP(target.I8, p, target.Int(target.I64, offset))
	}
	global := target.Ptr(m.T.Global)
	control, ring := b.Load(global, field(sink, sinkControl), 8), b.Load(global, field(sink, sinkRing), 8)
	size, kernel := b.Load(target.I64, field(sink, sinkWords), 8), b.Load(target.I64, field(sink, sinkKernel), 8)
	put := func(v, p target.Value) {
		b.Emit(target.Void, "store volatile ", target.T(v), ", ", target.T(p), fmt.Sprint(", align ", target.Bits(v.Type())/8))
	}
	head := l.takeWords(b, control, ring, size, int64(n+1))
	mask := b.Bin("sub", size, target.Int(target.I64, 1))
	word := func(i int) target.Value {
		at := b.Bin("and", b.Bin("add", head, target.Int(target.I64, int64(i))), mask)
		return b.GEP(target.I64, field(ring, ringWords), at)
	}
	for i, p := range ps[1:] {
		put(p, word(i+1))
	}
	first := word(0)
	put(b.Cast("trunc", kernel, target.I32), field(first, 4))
	b.Do(ops.FenceSystem)
	put(ps[0], first)
	b.Ret(nil)
	return fn
}

// takeWords takes words of the ring for each lane that prints, and returns where the caller's
// are; there the builder goes on. Where there is no room for all, the prints are counted, and
// the function returns. One lane takes them all: of thousands that compare and swap the same
// word, as many fail for each that does not.
func (l *lowerer) takeWords(b *target.Builder, control, ring, size target.Value, n int64) (head target.Value) {
	i64 := func(n int64) target.Value { return target.Int(target.I64, n) }
	count := func(mask target.Value) target.Value { return b.Intrinsic("llvm.ctpop.i64", target.I64, mask) }
	mask := b.Do(ops.ActiveMask)
	lane := b.Cast("zext", b.Do(ops.Lane), target.I64)
	before := count(b.Bin("and", mask, b.Bin("sub", b.Bin("shl", i64(1), lane), i64(1))))
	lanes := count(mask)
	leader := b.Intrinsic("llvm.cttz.i64", target.I64, mask, target.Bool(false))
	all := b.Bin("mul", lanes, i64(n))
	device := l.m.T.Scopes[target.Device]
	start, first, loop, drop, try, join := b.Cur, b.NewBlock(), b.NewBlock(), b.NewBlock(), b.NewBlock(), b.NewBlock()
	b.CondBr(b.ICmp("eq", before, i64(0)), first, join)
	b.Cur = first
	begin := b.AtomicLoad(target.I64, control, device, "monotonic")
	b.Br(loop)
	b.Cur = loop
	phi := b.Phi(target.I64)
	target.AddIncoming(phi, begin, first)
	end := b.Bin("add", phi, all)
	// A head that others have moved on may be before the tail: the difference is negative,
	// and the exchange fails.
	tail := b.Emit(target.I64, "load volatile i64, ", target.T(ring), ", align 8")
	b.CondBr(b.ICmp("sgt", b.Bin("sub", end, tail), size), drop, try)
	b.Cur = drop
	b.AtomicRMW("add", b.GEP(target.I8, control, target.Int(target.I64, controlDrop)), lanes, device, "monotonic")
	b.Br(join)
	b.Cur = try
	old := b.CmpXchg(control, phi, end, device, "monotonic", "monotonic")
	target.AddIncoming(phi, old, try)
	b.CondBr(b.ICmp("eq", old, phi), join, loop)
	b.Cur = join
	// No ring has as many words, so -1 is no place.
	taken := b.Phi(target.I64)
	for _, in := range []struct {
		v    target.Value
		from *ir.Block
	}{{i64(-1), start}, {i64(-1), drop}, {phi, try}} {
		target.AddIncoming(taken, in.v, in.from)
	}
	half := func(shift int64) target.Value {
		word := b.Cast("trunc", b.Bin("lshr", taken, i64(shift)), target.I32)
		return b.Cast("zext", b.Do(ops.ShuffleLane, mask, word, leader, i64(int64(l.m.T.WarpSize))), target.I64)
	}
	place := b.Bin("or", half(0), b.Bin("shl", half(32), i64(32)))
	none, write := b.NewBlock(), b.NewBlock()
	b.CondBr(b.ICmp("eq", place, i64(-1)), none, write)
	b.Cur = none
	b.Ret(nil)
	b.Cur = write
	return b.Bin("add", place, b.Bin("mul", before, i64(n)))
}
