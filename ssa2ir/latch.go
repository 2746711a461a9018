package ssa2ir

// This file gives each loop one way back. A continue statement, or an if at a loop's end, jumps
// to the loop's header from several places. LLVM takes such ways apart into a loop within a
// loop if a variable keeps its value on one of them: a GPU's lanes, some of which went each
// way, then wait for each other, and nothing is unrolled.
//
//	jump header  ...  jump header   ->   br %latch  ...  br %latch
//	                                     latch: phis of the header's variables; br %header
//
// A loop that waits has one, too: see wait.go.

import (
	"github.com/llir/llvm/ir"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/target"
)

// A latch is a loop's one way back.
type latch struct {
	begin, end *ir.Block
	turns      *target.Inst // how often it was taken, of a loop that waits; else nil
}

// makeLatches makes a block for the ways back of each loop that has several, or waits.
func (f *function) makeLatches() {
	f.latches = map[*ssa.BasicBlock]*latch{}
	waits := f.waitingLoops()
	for _, header := range f.in.fn.Blocks {
		ways := 0
		for _, p := range header.Preds {
			if f.isBack(p, header) {
				ways++
			}
		}
		if ways == 0 || ways < 2 && waits[header] == nil || !f.know.live[header] || !f.makes(header) {
			continue
		}
		begin := f.NewBlock()
		l := &latch{begin: begin, end: begin}
		f.latches[header] = l
		was, back := f.Cur, f.comeBack()
		if c := waits[header]; c != nil {
			f.asksForPanic(l, f.start[header], c)
		} else if f.M.T.Kind != abi.Native {
			f.stays(l)
		}
		f.Cur = l.end
		f.Br(f.start[header])
		f.Cur = was
		back()
	}
}

// stays keeps LLVM from taking the block away: its last simplification of branches takes whatever is empty, and then it looks at loops once more
// to unroll them. What cpu's code is made of has one way back as it is.
func (f *function) stays(l *latch) {
	f.Cur, l.end = l.begin, f.NewBlock()
	f.Br(l.end)
	f.Cur = l.end
	f.Intrinsic("llvm.sideeffect", target.Void)
}

// isBack reports whether the way from one block to another is taken, and leads back to a
// loop's header.
func (f *function) isBack(from, to *ssa.BasicBlock) bool {
	return f.know.live[from] && f.know.taken(from, to) && to.Dominates(from)
}

// to is where a branch from one block to another goes.
func (f *function) to(from, to *ssa.BasicBlock) *ir.Block {
	if v := f.copying; v != nil && v.loop.blocks[from] {
		switch {
		case to == v.header:
			return v.copy.latch
		case !v.loop.blocks[to] && v.copy.verify != nil:
			return v.copy.verify
		case !v.loop.blocks[to] && (from != v.tests || v.after == nil):
			return v.slow
		}
	}
	for _, v := range f.doubles {
		if from == v.tests && !v.loop.blocks[to] && v.after != nil {
			return v.after
		}
	}
	return f.toBlock(from, to)
}

// toBlock is where a branch goes that is not between two versions of a loop.
func (f *function) toBlock(from, to *ssa.BasicBlock) *ir.Block {
	if f.isBack(from, to) {
		if l := f.latches[to]; l != nil {
			return l.begin
		}
	}
	return f.start[to]
}

// addBack adds the edge of a header's phi from its loop's latch, where back are the edges that
// meet there. Large values need none: each edge copies its own.
func (f *function) addBack(phi target.Value, back []returned, latch *latch) {
	switch phi := phi.(type) {
	case *target.Agg:
		for i, e := range phi.Elems {
			parts := make([]returned, len(back))
			for k, b := range back {
				f.Cur = b.from
				parts[k] = returned{[]target.Value{f.Elem(b.vals[0], i)}, b.from}
			}
			f.addBack(e, parts, latch)
		}
	case *memory:
		for _, b := range back {
			f.Cur = b.from
			f.copyTo(f.ins[phi], b.vals[0].(*memory))
		}
	default:
		in := phi.(*target.Inst)
		f.Cur = latch.begin
		met := f.Phi(in.Type())
		for _, b := range back {
			f.Cur = b.from
			target.AddIncoming(met, f.incoming(b.vals[0], in.Type()), b.from)
		}
		target.AddIncoming(in, met, latch.end)
	}
}
