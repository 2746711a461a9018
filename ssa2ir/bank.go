package ssa2ir

// This file puts constants (dsl.NewConstant) into the bank of constants that NVIDIA GPUs have:
// there an operand of an instruction can be read without a load. Each module has its own bank; the
// loader copies the constant's instance there (abi.BankSymbol). A read takes as many turns as a
// warp's threads have addresses, so only those are read there that they have in common:
//
//	var weights = dsl.NewConstant([17]float32{...})
//
//	w := weights.Ptr()
//	for k := range w { sum += w[k] * tile[t+k] }   // w[k]: in the bank;  w[t] would not be

import (
	"slices"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/lazy"
	"heddle/internal/module"
	"heddle/internal/target"
)

const (
	maxBanked     = 4 << 10           // bytes of a constant in the bank
	maxBank       = 16 << 10          // and of all
	constantSpace = 64<<10 - slotsMax // what these and tables may have together
	slotsMax      = 1 << 10           // for the addresses of device variables, and for alignment
)

// tableBytes is about how many bytes a table of a type has, rather more.
func tableBytes(t target.Type) int {
	const word = 8
	switch t := t.(type) {
	case *types.ArrayType:
		return int(t.Len) * tableBytes(t.ElemType)
	case *types.StructType:
		n := 0
		for _, e := range t.Fields {
			n += (tableBytes(e) + word - 1) / word * word
		}
		return n
	case *types.IntType:
		return (int(t.BitSize) + 7) / 8
	case *types.FloatType:
		if t.Kind != types.FloatKindDouble {
			return word / 2
		}
	}
	return word
}

// banked is the address of a constant's copy in the bank, given the load of the variable; nil if it
// is not read there.
func (f *function) banked(u *ssa.UnOp, n int) target.Value {
	all := &f.symbols
	s := &all.table[n]
	if !f.M.T.Bank || f.opts.noBank || s.Size == 0 || s.Size > maxBanked || !f.readsAlike(u) {
		return nil
	}
	if !s.Banked {
		if all.bankSize+s.Size > maxBank {
			return nil
		}
		s.Banked, s.Offset = true, all.bankSize
		all.bankSize += (s.Size + symbolAlign - 1) / symbolAlign * symbolAlign
	}
	if all.bank == nil {
		all.bank = f.m.Var(abi.BankSymbol, target.Array(0, target.I8), f.M.T.Constant, symbolAlign, target.Zero(target.I64))
		all.bank.ExternallyInitialized, all.bank.Visibility = true, enum.VisibilityProtected
	}
	return f.Generic(f.GEP(target.I8, all.bank, target.Int(target.I64, int64(s.Offset))))
}

// readsAlike reports whether all that is done with a constant is to read what a warp's threads
// read together.
func (f *function) readsAlike(u *ssa.UnOp) bool {
	return !slices.ContainsFunc(*u.Referrers(), func(r ssa.Instruction) bool {
		call, ok := r.(*ssa.Call)
		if _, isDebug := r.(*ssa.DebugRef); isDebug {
			return false
		}
		return !ok || call.Call.StaticCallee() == nil || fullName(call.Call.StaticCallee()) != "("+module.DSL+".Constant[T]).Ptr" || !f.readAlike(call)
	})
}

// readAlike is readsAlike of an address.
func (f *function) readAlike(p ssa.Value) bool {
	for _, r := range *p.Referrers() {
		ok := false
		switch r := r.(type) {
		case *ssa.DebugRef:
			ok = true
		case *ssa.UnOp:
			ok = !isBig(r.Type())
		case *ssa.FieldAddr:
			ok = f.readAlike(r)
		case *ssa.Slice: // as of a table that is passed to a helper, which is part of the kernel
			ok = r.X == p && f.readAlike(r)
		case *ssa.IndexAddr:
			ok = r.X == p && f.alike(r.Index, r.Block(), nil) && f.readAlike(r)
		case *ssa.Call:
			b, isBuiltin := r.Call.Value.(*ssa.Builtin)
			ok = isBuiltin && b.Name() == "len"
		}
		if !ok {
			return false
		}
	}
	return true
}

var alikeCalls = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{module.DSL + ".BlockIdx": true, module.DSL + ".BlockDim": true, module.DSL + ".GridDim": true}
}}

// alike reports whether a warp's threads that are together in a block have the same value. If it is
// wrong, reads there take longer.
func (f *function) alike(x ssa.Value, at *ssa.BasicBlock, seen []ssa.Value) bool {
	const most = 30
	if slices.Contains(seen, x) {
		return true
	}
	if len(seen) == most {
		return false
	}
	seen = append(seen, x)
	switch x := x.(type) {
	case *ssa.Const:
		return true
	case *ssa.Parameter:
		return x.Parent() == f.prog.Kernel.Fn
	case *ssa.Phi: // of a loop, as long as it is run
		l := f.in.loops[x.Block()]
		return l != nil && l.blocks[at] && !slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return !f.alike(e, at, seen) })
	case *ssa.BinOp:
		return f.alike(x.X, at, seen) && f.alike(x.Y, at, seen)
	case *ssa.Convert:
		return f.alike(x.X, at, seen)
	case *ssa.Field:
		return f.alike(x.X, at, seen)
	case *ssa.Index:
		return f.alike(x.X, at, seen) && f.alike(x.Index, at, seen)
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
			return f.alike(x.Call.Args[0], at, seen)
		}
		callee := x.Call.StaticCallee()
		return callee != nil && alikeCalls.Get()[fullName(callee)]
	}
	return false
}
