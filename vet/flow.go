package vet

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file finds out which blocks of a function depend on which branches.

// A controlFlow is a function's control flow, without the ways that end in a panic: a
// panic ends the kernel for all threads.
type controlFlow struct {
	fn   *ssa.Function
	succ [][]int
	post []set // by block: the blocks that are on every way from it to the end, itself included
}

// A set is a set of blocks.
type set []uint64

func newSet(n int) set       { return make(set, (n+63)/64) }
func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }
func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }

func (s set) intersect(t set) {
	for i := range s {
		s[i] &= t[i]
	}
}

func newControlFlow(fn *ssa.Function) *controlFlow {
	n := len(fn.Blocks)
	f := &controlFlow{fn: fn, succ: make([][]int, n), post: make([]set, n)}
	for i, b := range fn.Blocks {
		for _, s := range b.Succs {
			if _, panics := s.Instrs[len(s.Instrs)-1].(*ssa.Panic); !panics {
				f.succ[i] = append(f.succ[i], s.Index)
			}
		}
		f.post[i] = newSet(n)
		for j := range n {
			f.post[i].add(j)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			now := newSet(n)
			for j, s := range f.succ[i] {
				if j == 0 {
					copy(now, f.post[s])
				} else {
					now.intersect(f.post[s])
				}
			}
			now.add(i)
			if !slices.Equal(now, f.post[i]) {
				f.post[i], changed = now, true
			}
		}
	}
	return f
}

// influence are the blocks that depend on which way the branch at the end of a
// block goes: those on the ways from it that not all ways share. join is the
// block where all those ways meet, -1 if that is the end of the function.
func (f *controlFlow) influence(block int) (blocks set, join int) {
	blocks, join = newSet(len(f.succ)), -1
	if len(f.succ[block]) < 2 {
		return blocks, join
	}
	var walk func(i int)
	walk = func(i int) {
		switch {
		case i != block && f.post[block].has(i):
			join = i
		case !blocks.has(i):
			blocks.add(i)
			for _, s := range f.succ[i] {
				walk(s)
			}
		}
	}
	for _, s := range f.succ[block] {
		walk(s)
	}
	return blocks, join
}

// differs reports whether a phi at the join of a branch's ways has different
// values from them.
func differs(phi *ssa.Phi, block int, blocks set) bool {
	var one ssa.Value
	for i, e := range phi.Edges {
		from := phi.Block().Preds[i].Index
		if from != block && !blocks.has(from) {
			continue
		}
		if one != nil && one != e {
			return true
		}
		one = e
	}
	return false
}
