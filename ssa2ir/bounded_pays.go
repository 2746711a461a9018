package ssa2ir

// This file says where a section in two versions pays (bounded.go). All is in instructions, roughly.

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// pays reports whether the decision is less than what it saves.
func (b *bounded) pays(f *function) bool {
	const (
		ofConstant, ofCheck, ofConstantLoop, ofLoop   = 2, 4, 8, 12
		ofAll, ofVariable, ofProduct, ofReach, ofTerm = 6, 1, 3, 3, 2
	)
	gain := 0
	for a := range b.guarded {
		n := ofCheck
		if b.proof.node(a.Index).op == opConst {
			n = ofConstant
		}
		switch b.times(a.Block()) {
		case inConstantLoop:
			n = max(n, ofConstantLoop)
		case inLoop:
			n = ofLoop
		}
		gain += n
	}
	cost := ofAll + ofVariable*len(b.vars) + ofProduct*len(b.products)
	for _, r := range b.reaches {
		cost += ofReach + ofTerm*len(r.terms)
	}
	if f.M.T.BoundedArith {
		return gain+b.arithmetic() >= 2*cost && !b.indexesLocal()
	}
	return gain > cost
}

// How often a block is run, to compare.
const (
	inConstantLoop = 2
	inLoop         = 4
)

func (b *bounded) times(block *ssa.BasicBlock) int {
	times := 1
	for _, l := range b.proof.all {
		switch {
		case l.blocks[block] && l.trips > 0:
			times = max(times, inConstantLoop)
		case l.blocks[block]:
			times = inLoop
		}
	}
	return times
}

// arithmetic is what operators cost less in 32 bits.
func (b *bounded) arithmetic() (gain int) {
	for _, block := range b.proof.in.fn.Blocks {
		for _, i := range block.Instrs {
			if v, ok := i.(ssa.Value); ok {
				if t, _ := typeOf(v.Type()); t == goInt {
					gain += gainOf(v) * b.times(block)
				}
			}
		}
	}
	return gain
}

// gainOf is what one operator of 64 bits costs more than one of 32.
func gainOf(v ssa.Value) int {
	const ofProduct, ofChoice, ofDivision, ofDivisionByConstant = 3, 3, 20, 4
	switch v := v.(type) {
	case *ssa.BinOp:
		_, byConstant := v.Y.(*ssa.Const)
		switch {
		case v.Op == token.MUL && !byConstant:
			return ofProduct
		case (v.Op == token.QUO || v.Op == token.REM) && byConstant:
			return ofDivisionByConstant
		case v.Op == token.QUO || v.Op == token.REM:
			return ofDivision
		}
	case *ssa.Call:
		if f, ok := v.Call.Value.(*ssa.Builtin); ok && (f.Name() == "min" || f.Name() == "max") {
			return ofChoice
		}
	}
	return 0
}

// indexesLocal reports whether a loop of which it is not known how often it runs has an index of a local array, which then lies in memory:
// with two versions there are two.
func (b *bounded) indexesLocal() bool {
	for _, l := range b.proof.all {
		if l.trips == 0 && l.indexesLocal() {
			return true
		}
	}
	return false
}
