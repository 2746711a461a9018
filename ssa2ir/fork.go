package ssa2ir

// This file finds where a kernel is to go on in two ways (inline.Fork): where it divides, multiplies or indexes by ints that are made of floats and that
// may be anything for all that is known. GPUs have no arithmetic of 64 bits: a remainder of 32 bits is 20 instructions, and one of 64 bits 100.

import (
	"go/token"
	"maps"
	"slices"

	"github.com/llir/llvm/ir"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/inline"
	"heddle/internal/target"
)

const (
	maxForked     = 400 // SSA instructions that are there twice
	maxForkedSize = 64  // bytes of local variables among them
)

// forked is the program with forks, where they pay; else it is the program.
func (prog *Program) forked(m *target.Machine, opts Options) *Program {
	if !m.Narrow || m.SatInt == nil || m.Bounded == target.Nowhere {
		return prog
	}
	forks := prog.findForks(m, opts)
	if len(forks) == 0 {
		return prog
	}
	return prog.with(inline.NewForked(prog.root.fn, prog.root.sites, forks))
}

// findForks finds what is to be there twice.
func (prog *Program) findForks(m *target.Machine, opts Options) (all []inline.Fork) {
	l := newLowerer(prog, m, opts, false)
	l.m = target.NewModule(m, "")
	f := l.newFunction(ir.NewFunc("", target.Void), prog.root)
	f.know = prog.root.evaluator(m, f.known)
	at := map[*ssa.BasicBlock][]*ssa.Convert{}
	for c := range f.wholeParts() {
		at[c.Block()] = append(at[c.Block()], c)
	}
	maps.DeleteFunc(at, func(b *ssa.BasicBlock, ints []*ssa.Convert) bool {
		k := f.forkingAt(b)
		k.ints = ints
		k.bound()
		return !k.can()
	})
	if len(at) == 0 { // most kernels need no more to tell
		return nil
	}
	l.ask()
	if f.prove(); f.proof == nil {
		return nil
	}
	for _, b := range prog.root.fn.DomPreorder() { // what dominates others comes first
		if len(at[b]) == 0 || slices.ContainsFunc(all, func(k inline.Fork) bool { return k.Block.Dominates(b) }) {
			continue
		}
		k := f.forkingAt(b)
		if k.choose(at[b]); len(k.ints) > 0 && k.can() && (k.pays() || m.Bounded != target.IfItPays) {
			all = append(all, inline.Fork{Block: b, Ints: k.ints})
		}
	}
	return all
}

// A forking is a block behind which there may be two ways.
type forking struct {
	*function
	block  *ssa.BasicBlock
	ints   []*ssa.Convert
	begin  int                      // the first instruction that is there twice
	within map[*ssa.BasicBlock]bool // the other blocks that are
}

func (f *function) forkingAt(b *ssa.BasicBlock) *forking {
	return &forking{function: f, block: b, within: map[*ssa.BasicBlock]bool{}}
}

// choose takes the ints of which nothing is known, but those whose float is made of another one's.
func (k *forking) choose(ints []*ssa.Convert) {
	for _, c := range ints {
		if k.isFit(c) || k.usesOf(c) != nil || slices.ContainsFunc(k.ints, func(o *ssa.Convert) bool { return madeOfInt(c.X, o, 0) }) {
			continue
		}
		k.ints = append(k.ints, c)
	}
	k.bound()
}

// bound finds what is there twice: all that comes behind the ints' floats.
func (k *forking) bound() {
	for n, i := range k.block.Instrs {
		v, _ := i.(ssa.Value)
		_, phi := i.(*ssa.Phi)
		if phi || v != nil && slices.ContainsFunc(k.ints, func(c *ssa.Convert) bool { return c.X == v }) {
			k.begin = n + 1
		}
	}
	for _, b := range k.in.fn.Blocks {
		if b != k.block && k.block.Dominates(b) {
			k.within[b] = true
		}
	}
}

// madeOfInt reports whether a value is made of an int in its block, or of so much that it is not looked for.
func madeOfInt(v ssa.Value, c *ssa.Convert, deep int) bool {
	const most = 16
	i, ok := v.(ssa.Instruction)
	if !ok || i.Block() != c.Block() || v == ssa.Value(c) {
		return v == ssa.Value(c)
	}
	if _, phi := i.(*ssa.Phi); phi {
		return false
	}
	return deep > most || slices.ContainsFunc(i.Operands(nil), func(o *ssa.Value) bool { return *o != nil && madeOfInt(*o, c, deep+1) })
}

// twice calls yield for each instruction that is there twice.
func (k *forking) twice(yield func(i ssa.Instruction) bool) {
	for _, i := range k.block.Instrs[k.begin:] {
		if !yield(i) {
			return
		}
	}
	for _, b := range k.in.fn.Blocks {
		if !k.within[b] {
			continue
		}
		for _, i := range b.Instrs {
			if !yield(i) {
				return
			}
		}
	}
}

// can reports whether all that follows may be there twice: threads do nothing together there, and it is not too much.
func (k *forking) can() bool {
	n, size := 0, int64(0)
	for i := range k.twice {
		n++
		switch i := i.(type) {
		case *ssa.Alloc:
			if size += sizeof(deref(i.Type())); i.Heap {
				return false
			}
		case *ssa.Call:
			if _, ok := i.Call.Value.(*ssa.Builtin); ok {
				continue
			}
			if c := k.in.calls[i]; c == nil || c.row == nil && (c.inst == nil || !c.inst.onlyComputes()) || c.row != nil && k.in.facts(i).Convergent() {
				return false
			}
		case *ssa.Defer, *ssa.RunDefers, *ssa.MakeClosure, *ssa.Go:
			return false
		}
	}
	return n <= maxForked && size <= maxForkedSize
}

// pays reports whether what is saved is more than the comparisons.
func (k *forking) pays() bool {
	const ofFork, ofInt = 24, 6
	gain, seen := 0, map[ssa.Value]bool{}
	var follow func(v ssa.Value)
	follow = func(v ssa.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		for _, i := range *v.Referrers() {
			if i.Block() == k.block || k.within[i.Block()] {
				gain += gainOfShort(i) * k.trips(i.Block())
				if n, ok := i.(ssa.Value); ok && isInt(n) {
					follow(n)
				}
			}
		}
	}
	for _, c := range k.ints {
		follow(c)
	}
	return gain >= ofFork+ofInt*len(k.ints)
}

// isInt reports whether a value is of 64 bits.
func isInt(v ssa.Value) bool {
	if _, load := v.(*ssa.UnOp); load {
		return false
	}
	t, ok := typeOf(v.Type())
	return ok && t.bits == 64
}

// trips is how often a block is run in loops of which that is known.
func (k *forking) trips(b *ssa.BasicBlock) int {
	n := 1
	for _, l := range k.proof.all {
		if l.blocks[b] && !l.blocks[k.block] {
			n *= max(l.trips, 1)
		}
	}
	return n
}

// gainOfShort is what a use of an int costs more than one of 32 bits. Sums and comparisons are left out, as they cost little more.
func gainOfShort(i ssa.Instruction) int {
	const ofDivision, ofDivisionByConstant, ofProduct, ofFloat = 20, 4, 3, 3
	switch i := i.(type) {
	case *ssa.BinOp:
		_, byConstant := i.Y.(*ssa.Const)
		switch {
		case i.Op == token.MUL && !byConstant:
			return ofProduct
		case (i.Op == token.QUO || i.Op == token.REM) && byConstant:
			return ofDivisionByConstant
		case i.Op == token.QUO || i.Op == token.REM:
			return ofDivision
		}
	case *ssa.Convert:
		if isFloat(i.Type()) {
			return ofFloat
		}
	}
	return 0
}
