package ssa2ir

// This file keeps LLVM from moving what a loop adds up past checks of later iterations, where the loop is unrolled wholly. It moves what only code
// behind a branch uses there, and behind the next: then no iteration loads before the checks of all have passed, and all addresses wait in registers.
//
//	for k := range 4 {
//		i := index(k)                 a check of i
//		sum += a[i]                   the panic of it is told sum, and does nothing with that
//	}

import (
	"go/token"
	"slices"

	"github.com/llir/llvm/ir"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// failsAt begins the block where a check leads that fails, and returns that where it leads else.
func (f *function) failsAt(bad target.Value) (ok *ir.Block) {
	fail := f.NewBlock()
	ok = f.NewBlock()
	f.CondBr(bad, fail, ok)
	f.Cur = fail
	f.keepSums()
	return ok
}

// keepSums has the current block, where a check leads that fails, use what the innermost loop around has added up.
func (f *function) keepSums() {
	if f.M.T.Uses == nil || f.here == nil {
		return
	}
	var around *loop
	for _, l := range f.in.loops {
		if l.blocks[f.here] && (around == nil || around.blocks[l.header]) {
			around = l
		}
	}
	if around == nil || around.trips == 0 || around.trips > mostKept {
		return
	}
	for _, i := range around.header.Instrs {
		phi, ok := i.(*ssa.Phi)
		if !ok {
			break
		}
		if v, ok := f.vals[phi].(*target.Inst); ok && (isFloat(phi.Type()) || isInteger(phi.Type())) && around.addsLoads(phi, phi, 0) {
			f.M.T.Uses(f.Builder, v)
		}
	}
}

// mostKept is how many iterations a loop has at most of which sums are kept where they are added up.
const mostKept = 64

// addsLoads reports whether a variable of a loop is made of what an iteration loads.
func (l *loop) addsLoads(v, phi ssa.Value, deep int) bool {
	const deepest = 6
	i, ok := v.(ssa.Instruction)
	if !ok || !l.blocks[i.Block()] || deep > deepest {
		return false
	}
	any := func(all ...ssa.Value) bool {
		return slices.ContainsFunc(all, func(v ssa.Value) bool { return v != phi && l.addsLoads(v, phi, deep+1) })
	}
	switch v := v.(type) {
	case *ssa.Phi:
		return any(v.Edges...)
	case *ssa.UnOp:
		return v.Op == token.MUL || any(v.X)
	case *ssa.BinOp:
		return any(v.X, v.Y)
	case *ssa.Convert:
		return any(v.X)
	case *ssa.Call:
		return any(v.Call.Args...)
	}
	return false
}
