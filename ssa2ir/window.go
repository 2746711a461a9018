package ssa2ir

// This file has LLVM know of loops that go through a window that some borders cut off, and so make few iterations.
//
//	x1 := min(x0+3, w)                           %left = sub i32 %x, %x0
//	for x := max(x0, 0); x < x1; x++ { ... }     %few = icmp ult i32 %left, 3
//	                                             %t1 = and i1 (icmp slt i32 %x, %x1), %few
//
// The second test always holds, and goes once the loop is unrolled. Without it LLVM unrolls such a loop eight
// times, behind one for what is left, and that is all that is ever run.

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

const (
	maxWindow   = 8  // iterations: LLVM's MaxUpperBound
	maxWindowed = 96 // SSA instructions of all of them
	maxKept     = 3  // operations that a bound is made of, one within the other
)

// windowTest makes the test of a loop whose variable has 32 bits one that says that it makes few iterations, if it does.
func (f *function) windowTest(op *ssa.BinOp, x, test target.Value) target.Value {
	l := f.in.loops[op.Block()]
	if l == nil || !f.M.T.UnrollsMedium || l.trips != 0 || l.size == 0 {
		return test
	}
	start, most := f.windowOf(l, op)
	if most == 0 || most*l.size > maxWindowed {
		return test
	}
	f.windows[l.header] = Unroll(most)
	left := f.Bin("sub", f.IntCast(x, target.I32, true), f.IntCast(f.value(start), target.I32, true))
	return f.Bin("and", test, f.ICmp("ult", left, target.Int(target.I32, int64(most))))
}

// windowOf is what a loop's variable begins with and how many iterations it makes at most; 0 if they may be many.
func (f *function) windowOf(l *loop, test *ssa.BinOp) (start ssa.Value, most int) {
	phi, ok := test.X.(*ssa.Phi)
	if !ok || test.Op != token.LSS || phi.Block() != l.header || !l.keeps(test.Y, maxKept) {
		return nil, 0
	}
	var entry *ssa.BasicBlock
	for i, from := range l.header.Preds {
		switch next, ok := phi.Edges[i].(*ssa.BinOp); {
		case !l.blocks[from] && entry != nil:
			return nil, 0
		case !l.blocks[from]:
			start, entry = phi.Edges[i], from
		case !ok || next.Op != token.ADD || next.X != phi || !isConst(next.Y, 1):
			return nil, 0
		}
	}
	if entry == nil {
		return nil, 0
	}
	p := f.proof
	c := p.placeOn(entry, l.header)
	first, last := p.node(start), p.node(test.Y)
	for most = 1; most <= maxWindow; most++ {
		p.begin()
		few := p.atMost(last, first, int64(-most), c)
		p.done()
		if few {
			return start, most
		}
	}
	return nil, 0
}

// keeps reports whether a value is the same in all iterations, also if it is computed in each, of few others.
func (l *loop) keeps(v ssa.Value, deep int) bool {
	i, ok := v.(ssa.Instruction)
	if !ok || !l.blocks[i.Block()] {
		return true
	}
	var of []ssa.Value
	switch i := i.(type) {
	case *ssa.BinOp:
		of = []ssa.Value{i.X, i.Y}
	case *ssa.Call:
		if !isMinMax(i) {
			return false
		}
		of = i.Call.Args
	default:
		return false
	}
	return deep > 0 && !slices.ContainsFunc(of, func(x ssa.Value) bool { return !l.keeps(x, deep-1) })
}

// isConst reports whether a value is a certain integer.
func isConst(v ssa.Value, k int64) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Compare(c.Value, token.EQL, constant.MakeInt64(k))
}
