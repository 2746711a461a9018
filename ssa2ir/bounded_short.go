package ssa2ir

// This file finds accesses of slices that the host knows to have less than 1<<32 bytes: AMD's loads and stores add 32 bits to an address that lanes
// share themselves. What is in range then lies at 32 bits behind the first element, however the index was computed.
//
//	a[cols[k]]   ->   %n = mul nuw i32 (trunc i64 %index to i32), 4;  getelementptr i8, ptr %a, i64 (zext i32 %n)

import (
	"go/token"
	"go/types"
	"math/bits"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/inline"
	"heddle/internal/target"
)

// A sized length is one of a slice that has less than 1<<32 bytes, or the capacity of one whose parts are indexed.
type sized struct {
	length *node
	shift  int // of the size of the largest element, rounded up to a power of two
}

// most is how many elements there are at most.
func (s sized) most() int64 { return 1<<(32-s.shift) - 1 }

// passedSizes are the lengths of b.passed that are sized.
func (f *function) passedSizes(b *bounded) (all []sized) {
	if !f.M.T.Votes {
		return nil
	}
	p := f.newProver()
	for _, block := range f.in.fn.Blocks {
		for _, i := range block.Instrs {
			a, ok := i.(*ssa.IndexAddr)
			if !ok || elementShift(a) < 0 {
				continue
			}
			s := sized{p.room(a.X), elementShift(a)}
			switch {
			case s.length == nil, s.length.op != opLen && s.length.op != opCap:
				continue
			case s.length.op == opLen && !slices.ContainsFunc(b.passed, func(n *node) bool { return p.adopt(n) == s.length }):
				continue
			case s.length.op == opCap && !(&hostSteps{f: f}).passes(s.length):
				continue
			}
			if n, ok := f.numbers()(s.length); ok && n > float64(s.most()) {
				continue
			}
			k := slices.IndexFunc(all, func(t sized) bool { return t.length == s.length })
			if k < 0 {
				all = append(all, s)
			} else {
				all[k].shift = max(all[k].shift, s.shift)
			}
		}
	}
	return all
}

// elementShift is the size of a slice's elements as a power of two, rounded up; -1 if they have no address of 32 bits.
func elementShift(a *ssa.IndexAddr) int {
	s, ok := a.X.Type().Underlying().(*types.Slice)
	if !ok {
		return -1
	}
	if size := sizeof(s.Elem()); size > 0 && size <= 1<<8 {
		return bits.Len64(uint64(size - 1))
	}
	return -1
}

// room is the length of a slice, or the capacity of the one that it is part of; nil of part of an array.
func (p *prover) room(v ssa.Value) *node {
	whole := rootSlice(v)
	if _, ok := whole.Type().Underlying().(*types.Slice); !ok {
		return nil
	}
	if whole != v {
		return p.capacity(whole)
	}
	return p.length(v)
}

// rootSlice is what a slice is part of.
func rootSlice(v ssa.Value) ssa.Value {
	for {
		s, ok := v.(*ssa.Slice)
		if !ok {
			return v
		}
		v = s.X
	}
}

// An origin is what indices differ from by constants, of one slice.
type origin struct {
	length, index *node
	part          ssa.Value // which part of a slice; nil: all of it
}

// findShort adds accesses to b.short. Those that differ by constants stay loads of one vector: all are short, or none is.
func (b *bounded) findShort(in *instance) {
	b.parts, b.based, b.same = map[*ssa.IndexAddr]bool{}, map[*ssa.IndexAddr]bool{}, map[*ssa.IndexAddr]ssa.Value{}
	var order []origin
	all := map[origin][]*ssa.IndexAddr{}
	for _, block := range in.fn.DomPreorder() {
		if !b.know.live[block] {
			continue
		}
		for _, i := range block.Instrs {
			a, ok := i.(*ssa.IndexAddr)
			if !ok || elementShift(a) < 0 {
				continue
			}
			o := origin{length: b.proof.room(a.X)}
			if rootSlice(a.X) != a.X {
				if o.part = a.X; b.proof.node(a.Index).op == opConst {
					continue // from where the part begins, as its neighbours are
				}
			}
			if !slices.ContainsFunc(b.sizes, func(s sized) bool { return s.length == o.length && s.shift >= elementShift(a) }) {
				continue
			}
			x, _ := b.awayFrom(a.Index)
			o.index = b.proof.node(x)
			if all[o] == nil {
				order = append(order, o)
			}
			all[o] = append(all[o], a)
		}
	}
	for _, o := range order {
		b.addShort(all[o], o.part != nil)
	}
}

// addShort adds accesses that are constants apart, if they are no different, or the first of all is at the origin.
func (b *bounded) addShort(all []*ssa.IndexAddr, isPart bool) {
	var apart []*ssa.IndexAddr
	_, first := b.awayFrom(all[0].Index)
	for _, a := range all {
		if _, k := b.awayFrom(a.Index); k != first {
			apart = append(apart, a)
		}
	}
	if len(apart) > 0 && first != 0 || slices.ContainsFunc(apart, func(a *ssa.IndexAddr) bool { return !inline.Before(all[0], a) }) {
		return
	}
	for _, a := range all {
		b.short[a], b.parts[a] = true, isPart
		if a != all[0] && inline.Before(all[0], a) {
			b.same[a] = all[0].Index
		}
	}
	for _, a := range apart {
		b.based[a] = true
	}
}

// sameIndex is an index that is known to be what has been computed for an access before: what is computed once more may have another form, as more
// is known of it, and LLVM would not see that it leads to the same place.
func (f *function) sameIndex(a *ssa.IndexAddr, idx target.Value) target.Value {
	first := f.bounded.same[a]
	if first == nil || f.vals[first] == nil || f.lines[a] != nil {
		return idx
	}
	return f.keptApart(first, f.index(first))
}

// awayFrom is an index without a constant that is added to it, and that.
func (b *bounded) awayFrom(x ssa.Value) (from ssa.Value, by int64) {
	op, ok := x.(*ssa.BinOp)
	if !ok || op.Op != token.ADD && op.Op != token.SUB {
		return x, 0
	}
	n := b.proof.node(op.Y)
	if n.op != opConst || n.k <= -maxApart || n.k >= maxApart {
		return x, 0
	}
	if op.Op == token.SUB {
		return op.X, -n.k
	}
	return op.X, n.k
}

// begin is where what is indexed begins, or what it is part of where all of that is short; then also how many elements come before the part, in 32 bits.
func (f *function) begin(a *ssa.IndexAddr) (base, before target.Value) {
	v := a.X
	for f.bounded.parts[a] {
		s, ok := v.(*ssa.Slice)
		if !ok {
			break
		}
		if s.Low != nil {
			n := f.IntCast(f.index(s.Low), target.I32, false)
			if before != nil {
				n = f.Bin("add nuw", n, before)
			}
			before = n
		}
		v = s.X
	}
	return f.Elem(f.value(v), 0), before
}
