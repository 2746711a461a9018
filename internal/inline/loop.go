package inline

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file finds the loops that are unrolled (unroll.go).

// A loop is left in one place, by a test that compares its counter with a constant.
type loop struct {
	header  *ssa.BasicBlock
	blocks  map[*ssa.BasicBlock]bool
	counter *ssa.Phi
	first   int64 // what the counter begins with
	by      int64 // and goes on by
	exit    *ssa.BasicBlock
	test    *ssa.BinOp
	trips   int // how often the test is made
}

// loopAt is the loop with a header; nil of others than those that are unrolled.
func loopAt(header *ssa.BasicBlock) *loop {
	l := &loop{header: header, blocks: map[*ssa.BasicBlock]bool{header: true}}
	entering := 0
	var reach func(b *ssa.BasicBlock)
	reach = func(b *ssa.BasicBlock) {
		if !l.blocks[b] {
			l.blocks[b] = true
			for _, p := range b.Preds {
				reach(p)
			}
		}
	}
	for _, p := range header.Preds {
		if header.Dominates(p) {
			reach(p)
		} else {
			entering++
		}
	}
	if entering != 1 || len(l.blocks) == 1 && !slices.Contains(header.Succs, header) {
		return nil
	}
	for b := range l.blocks {
		if b != header && slices.ContainsFunc(b.Preds, b.Dominates) { // a loop within
			return nil
		}
		for _, s := range b.Succs {
			if !l.blocks[s] {
				if l.exit != nil {
					return nil
				}
				l.exit = b
			}
		}
	}
	if l.exit == nil || !l.copies() || !l.count() {
		return nil
	}
	for _, p := range header.Preds {
		if l.blocks[p] && !l.exit.Dominates(p) { // an iteration may not come to the test
			return nil
		}
	}
	return l
}

// sizes are those of the machines that kernels are compiled for.
var sizes = types.StdSizes{WordSize: 8, MaxAlign: 8}

// copies reports whether all instructions can be copied.
func (l *loop) copies() bool {
	for b := range l.blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Alloc:
				if sizes.Sizeof(i.Type().Underlying().(*types.Pointer).Elem()) > maxLocal {
					return false
				}
			case *ssa.Phi, *ssa.BinOp, *ssa.UnOp, *ssa.Convert, *ssa.ChangeType, *ssa.Field, *ssa.FieldAddr, *ssa.Index, *ssa.IndexAddr,
				*ssa.Slice, *ssa.Store, *ssa.Call, *ssa.Extract, *ssa.If, *ssa.Jump:
			default:
				return false
			}
		}
	}
	return true
}

// count finds the counter, and how often the loop is run.
func (l *loop) count() bool {
	branch, ok := l.exit.Instrs[len(l.exit.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	if l.test, ok = branch.Cond.(*ssa.BinOp); !ok || !l.blocks[l.test.Block()] {
		return false
	}
	x := l.test.X
	if next, ok := x.(*ssa.BinOp); ok {
		x = next.X
	}
	if l.counter, ok = x.(*ssa.Phi); !ok || l.counter.Block() != l.header {
		return false
	}
	if b, ok := l.counter.Type().Underlying().(*types.Basic); !ok || b.Kind() != types.Int {
		return false
	}
	var next *ssa.BinOp
	for i, p := range l.header.Preds {
		e := l.counter.Edges[i]
		if !l.blocks[p] {
			if l.first, ok = intOf(e); !ok {
				return false
			}
			continue
		}
		n, ok := e.(*ssa.BinOp)
		if !ok || next != nil && n != next || n.Op != token.ADD && n.Op != token.SUB || n.X != l.counter {
			return false
		}
		next = n
	}
	if l.by, ok = intOf(next.Y); !ok || l.test.X != l.counter && l.test.X != next {
		return false
	}
	if next.Op == token.SUB {
		l.by = -l.by
	}
	for l.trips = 1; l.trips <= maxTrips+1; l.trips++ {
		if goes, ok := l.goesOn(l.trips - 1); !ok || !goes {
			return ok && l.trips > 1
		}
	}
	return false
}

// intOf is a small constant.
func intOf(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	n, ok := constant.Int64Val(c.Value)
	return n, ok && n > -1<<30 && n < 1<<30
}

// goesOn reports whether the loop is not left in an iteration.
func (l *loop) goesOn(iteration int) (goes, ok bool) {
	bound, ok := intOf(l.test.Y)
	if !ok {
		return false, false
	}
	x := l.first + int64(iteration)*l.by
	if l.test.X != l.counter {
		x += l.by
	}
	if !slices.Contains([]token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ, token.NEQ}, l.test.Op) {
		return false, false
	}
	truth := constant.Compare(constant.MakeInt64(x), l.test.Op, constant.MakeInt64(bound))
	return truth == l.blocks[l.exit.Succs[0]], true
}

// size is how many instructions the loop has.
func (l *loop) size() (n int) {
	for b := range l.blocks {
		n += len(b.Instrs)
	}
	return n
}

// gathers reports whether indices of what is no local array are loaded, but not so many that they would take too many registers together.
func (l *loop) gathers() bool {
	n := 0
	for b := range l.blocks {
		for _, i := range b.Instrs {
			if a, ok := i.(*ssa.IndexAddr); ok {
				if _, slice := a.X.Type().Underlying().(*types.Slice); slice && l.loaded(a.Index, 0) {
					n++
				}
			}
		}
	}
	return n > 0 && n*l.trips <= maxLoaded
}

// loaded reports whether a value is made of what the loop loads, or takes out of an array.
func (l *loop) loaded(v ssa.Value, deep int) bool {
	const deepest = 8
	i, ok := v.(ssa.Instruction)
	if !ok || !l.blocks[i.Block()] || deep > deepest {
		return false
	}
	switch v := v.(type) {
	case *ssa.Index:
		return true
	case *ssa.UnOp:
		return v.Op == token.MUL || l.loaded(v.X, deep+1)
	case *ssa.BinOp:
		return l.loaded(v.X, deep+1) || l.loaded(v.Y, deep+1)
	case *ssa.Convert:
		return l.loaded(v.X, deep+1)
	case *ssa.ChangeType:
		return l.loaded(v.X, deep+1)
	case *ssa.Field:
		return l.loaded(v.X, deep+1)
	}
	return false
}
