package ssa2ir

// This file compares the lower halves of indices alone, where a slice is known to have no more than 1<<31 elements and an index to be from -1<<31 to
// 1<<32-1, as the sum of an integer of 32 bits and another one is: of no other number there is the lower half that of an index in range. On AMD's GPUs that
// is also done where an index itself is of 32 bits or fewer; others extend it for the address anyway.
//
//	image[int(north[row]) + at]   ->   fails if (add i32 %north, %at) is not below the length

import (
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// notBelow is whether an index is not below n, the length of what is indexed. The check is made at an instruction, which may come before a:
// what other checks in between make known of the index is not known there.
func (f *function) notBelow(a *ssa.IndexAddr, at ssa.Instruction, idx, n target.Value) target.Value {
	if f.comparesLow(a, at) {
		return f.ICmp("uge", f.lowIndex(a, idx), f.IntCast(n, target.I32, false))
	}
	return f.ICmp("uge", idx, n)
}

// comparesLow reports whether it is enough to compare lower halves at an instruction.
func (f *function) comparesLow(a *ssa.IndexAddr, at ssa.Instruction) bool {
	return f.isOfFew(a) && !f.opts.NoBounds && f.proof.spanBefore(a.Index, at).within(span{math.MinInt32, math.MaxUint32})
}

// isOfFew reports whether what is indexed by an int, or by what is shorter, is known to have no more than 1<<31 elements.
func (f *function) isOfFew(a *ssa.IndexAddr) bool {
	p := f.proof
	if t, _ := typeOf(a.Index.Type()); t != goInt && (t.bits > 32 || !f.M.T.Votes) || f.bounded == nil || p == nil || !f.M.T.Narrow {
		return false
	}
	return p.spanAt(p.length(a.X), p.placeBefore(a)).within(span{0, 1 << 31})
}

// endsLow reports whether it is enough to compare lower halves of where a part of a slice ends and of the capacity. That says what is less than
// 0, too.
func (f *function) endsLow(s *ssa.Slice) bool {
	p := f.proof
	if _, isSlice := s.X.Type().Underlying().(*types.Slice); !isSlice || s.High == nil || f.bounded == nil || p == nil || !f.M.T.Votes {
		return false
	}
	return p.spanBefore(s.High, s).within(int32s) && p.spanAt(p.capacity(s.X), p.placeBefore(s)).within(span{0, math.MaxInt32})
}

// isWithin reports whether the lower half of an index is all of it, as the program sees to it that it is within, and takes less work.
func (f *function) isWithin(a *ssa.IndexAddr) bool {
	if !f.opts.NoBounds || f.M.T.Votes || !f.isOfFew(a) || f.in.isDynamic(rootSlice(a.X)) { // addresses of shared memory have 32 bits
		return false
	}
	s := f.proof.spanBefore(a.Index, a)
	return !s.within(int32s) && !s.within(uint32s)
}

// isShortened reports whether an index that needs more than 32 bits for all that is known ahead of its check is made of its lower half behind that:
// it then takes one register, and an address of it is one instruction.
func (f *function) isShortened(a *ssa.IndexAddr) bool {
	if f.opts.NoBounds || f.M.T.Votes || f.lines[a] != nil || sizeof(a.Index.Type()) < 8 || !f.isOfFew(a) || f.in.isDynamic(rootSlice(a.X)) {
		return false
	}
	s := f.proof.spanBefore(a.Index, a)
	return !s.within(int32s) && !s.within(uint32s)
}

// lowIndex is the lower half of an index.
func (f *function) lowIndex(a *ssa.IndexAddr, idx target.Value) target.Value {
	if f.lines[a] != nil || sizeof(a.Index.Type()) < 8 {
		return f.IntCast(idx, target.I32, false)
	}
	return f.lowHalf(a.Index, a, 0)
}

// lowHalf is the lower half of an integer, computed of others' where it needs more than 32 bits itself.
func (f *function) lowHalf(v ssa.Value, a *ssa.IndexAddr, deep int) target.Value {
	const deepest = 3
	switch op := v.(type) {
	case *ssa.BinOp:
		how, ok := narrowings.Get()[op.Op]
		if s := f.proof.spanBefore(v, a); ok && (op.Op == token.ADD || op.Op == token.SUB || op.Op == token.MUL) && deep < deepest && !s.within(int32s) && !s.within(uint32s) {
			return f.Bin(how.name, f.lowHalf(op.X, a, deep+1), f.lowHalf(op.Y, a, deep+1))
		}
	case *ssa.Convert:
		if isInteger(op.X.Type()) && sizeof(op.X.Type()) <= 4 {
			return f.IntCast(f.value(op.X), target.I32, isSigned(op.X.Type()))
		}
	}
	return f.IntCast(f.value(v), target.I32, isSigned(v.Type()))
}
