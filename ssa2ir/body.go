package ssa2ir

// This file translates the blocks of a function, in the order of dominance: as they are, or
// those of a loop or of a section in two versions.

import (
	"fmt"
	"reflect"

	"github.com/llir/llvm/ir/metadata"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// body translates the instance's blocks from the current one on, given the
// values of its parameters and free variables.
func (f *function) body(args []target.Value) {
	in := f.in
	f.know = in.evaluator(f.M.T, f.known)
	f.prove()
	for i, p := range in.fn.Params {
		f.vals[p] = args[i]
	}
	for i, p := range in.fn.FreeVars {
		f.vals[p] = args[len(in.fn.Params)+i]
	}
	f.findParts()
	f.twice = f.findBounded()
	for i, b := range in.fn.Blocks {
		switch {
		case i == 0:
			f.start[b] = f.Cur
		case f.makes(b) || b == f.twice.head:
			f.start[b] = f.NewBlock()
		}
	}
	f.blocks()
}

// makes reports whether this function object makes a block's code.
func (f *function) makes(b *ssa.BasicBlock) bool {
	switch {
	case f.section != nil:
		return f.section[b]
	case f.twice != nil:
		return !f.twice.blocks[b]
	}
	return true
}

// blocks translates the blocks, given where they start.
func (f *function) blocks() {
	in := f.in
	f.hints, f.windows = map[*ssa.BasicBlock]*metadata.Tuple{}, map[*ssa.BasicBlock]Unroll{}
	f.moved, f.alone = map[ssa.Instruction]bool{}, map[*ssa.IndexAddr]bool{}
	f.splits = map[target.Value]*splitInt{}
	f.shortInts, f.exactArgs = f.findShortInts(), map[target.Value]func() target.Value{}
	f.hoists, f.hoisted, f.lines = f.findHoists(), map[*ssa.IndexAddr]bool{}, map[*ssa.IndexAddr]*line{}
	f.streams = f.findStreams()
	f.doubles = f.findVersions()
	f.both = f.findBoth()
	f.makeLatches()
	reached := map[*ssa.BasicBlock]bool{}
	for _, b := range in.fn.DomPreorder() {
		if f.twice != nil && b == f.twice.head {
			f.makeTwice()
		}
		if !f.know.live[b] || !f.makes(b) {
			continue
		}
		switch v := f.doubles[b]; {
		case reached[b]:
		case v != nil:
			f.makeVersions(v)
			for _, c := range v.blocks {
				reached[c] = true
			}
		default:
			f.block(b)
			reached[b] = true
		}
	}
	for _, b := range in.fn.Blocks { // it is never reached, or stands after a recovered panic
		if !reached[b] && f.makes(b) {
			f.Cur = f.start[b]
			f.Unreachable()
		}
	}
	f.fillPhis(0)
	f.fillTurns()
}

// block translates a block, but what has been made of it before.
func (f *function) block(b *ssa.BasicBlock) {
	f.Cur, f.here = f.start[b], b
	for _, i := range b.Instrs {
		if v, ok := i.(*ssa.Phi); f.moved[i] || ok && f.vals[v] != nil {
			continue
		}
		f.instruction(i)
	}
	f.end[b] = f.Cur
}

func (f *function) instruction(i ssa.Instruction) {
	f.enter(i)
	if p := i.Pos(); p.IsValid() || f.Loc == nil {
		f.pos = p
		f.Loc = f.location(p)
	}
	if _, ok := i.(*ssa.Phi); !ok {
		f.join()
	}
	r := rules.Get()[reflect.TypeOf(i)]
	if r.lower == nil {
		panic(&bug{f.prog.plan.pos(i.Pos()), fmt.Sprintf("%T passed the check", i)})
	}
	if !f.in.spreads(i) {
		r.lower(f, i)
	}
}
