package ssa2ir

// This file says where a section in two versions pays (bounded.go). All is in instructions, roughly.

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// pays reports whether the decision is less than what it saves.
func (b *bounded) pays(f *function) bool {
	const ofConstant, ofCheck, ofConstantLoop, ofLoop, ofNested = 2, 4, 8, 12, 24
	ofAll, ofVariable, ofProduct, ofReach, ofTerm := 6, 1, 3, 3, 2
	if f.opts.NoBounds { // lengths are not asked for
		ofAll, ofProduct, ofReach, ofTerm = 4, 2, 1, 1
	}
	gain := 0
	add := func(n int, in *ssa.BasicBlock) {
		switch b.times(in) {
		case inConstantLoop:
			n = max(n, ofConstantLoop)
		case inLoop:
			n = ofLoop
		case inNested:
			n = ofNested
		}
		if !f.opts.NoBounds {
			gain += n
		}
	}
	for a := range b.guarded {
		n := ofCheck
		if b.proof.node(a.Index).op == opConst {
			n = ofConstant
		}
		add(n, a.Block())
	}
	for s := range b.cut {
		add(ofCheck, s.Block())
	}
	cost := ofAll + ofVariable*len(b.vars) + ofProduct*len(b.products)
	for _, r := range b.reaches {
		cost += ofReach + ofTerm*len(r.terms)
	}
	held := b.ofArrays()
	if f.M.T.BoundedArith {
		return gain+held+b.arithmetic(f.opts.NoBounds) >= 2*cost && !b.indexesLocal()
	}
	if f.opts.NoBounds {
		return 4*(held+b.slow()) >= 7*cost && !b.indexesLocal()
	}
	return gain+held > cost
}

// How often a block is run, to compare.
const (
	inConstantLoop = 2
	inLoop         = 4
	inNested       = 8 // in a loop that is in a loop
)

func (b *bounded) times(block *ssa.BasicBlock) int {
	times := 1
	for _, l := range b.proof.all {
		switch {
		case l.blocks[block] && l.trips > 0:
			times = max(times, inConstantLoop)
		case l.blocks[block] && times >= inLoop:
			times = inNested
		case l.blocks[block]:
			times = inLoop
		}
	}
	return times
}

// arithmetic is what operators cost less in 32 bits.
func (b *bounded) arithmetic(unchecked bool) (gain int) {
	for v, times := range b.ints {
		gain += gainOf(v, times, unchecked)
	}
	return gain
}

// slow is arithmetic without checks of a processor that divides by a constant in few instructions, by others in a hundred,
// and that multiplies in six.
func (b *bounded) slow() (gain int) {
	for v, times := range b.ints {
		op, ok := v.(*ssa.BinOp)
		switch {
		case !ok || op.Op != token.QUO && op.Op != token.REM && op.Op != token.MUL:
			gain += gainOf(v, times, true)
		case op.Op == token.MUL:
			gain += gainOf(v, times, times < inLoop)
		case b.proof.node(op.Y).op != opConst:
			gain += gainOf(v, times, true)
		}
	}
	return gain
}

// ints calls yield for each int that is computed, with how often that is.
func (b *bounded) ints(yield func(v ssa.Value, times int) bool) {
	for _, block := range b.proof.in.fn.Blocks {
		times := b.times(block)
		for _, i := range block.Instrs {
			if v, ok := i.(ssa.Value); ok {
				if t, _ := typeOf(v.Type()); t == goInt && !yield(v, times) {
					return
				}
			}
		}
	}
}

// gainOf is what an operator of 64 bits that is run so often costs more than one of 32. Where loops have no checks, LLVM makes sums of
// their products.
func gainOf(v ssa.Value, times int, unchecked bool) int {
	const ofProduct, ofChoice, ofDivision, ofDivisionByConstant = 3, 3, 20, 4
	switch v := v.(type) {
	case *ssa.BinOp:
		_, byConstant := v.Y.(*ssa.Const)
		if _, ofConstant := v.X.(*ssa.Const); ofConstant && v.Op == token.MUL {
			byConstant = true
		}
		switch {
		case v.Op == token.MUL && !byConstant && unchecked:
			return 1
		case v.Op == token.MUL && !byConstant:
			return ofProduct * times
		case (v.Op == token.QUO || v.Op == token.REM) && byConstant:
			return ofDivisionByConstant * times
		case v.Op == token.QUO || v.Op == token.REM:
			return ofDivision * times
		}
	case *ssa.Call:
		if f, ok := v.Call.Value.(*ssa.Builtin); ok && (f.Name() == "min" || f.Name() == "max") {
			return ofChoice * times
		}
	}
	return 0
}

// ofArrays is what is gained by holding arrays in 32 bits.
func (b *bounded) ofArrays() (gain int) {
	const ofLoad = 4
	for _, c := range b.arrays {
		if !b.asks(c) {
			continue
		}
		for _, v := range c.loads {
			if times := b.times(v.(ssa.Instruction).Block()); times > 1 {
				gain += ofLoad * times
			}
		}
	}
	return gain
}

// indexesLocal reports whether a loop of which it is not known how often it runs has an index of a local array, which then lies in memory:
// with two versions there are two. That is no loss where one of them is half as large.
func (b *bounded) indexesLocal() bool {
	for _, l := range b.proof.all {
		if l.trips == 0 && l.indexesLocal(func(a *ssa.Alloc) bool { _, ok := b.compact[a]; return !ok }) {
			return true
		}
	}
	return false
}
