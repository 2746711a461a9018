package ssa2ir

// This file finds large parameters that are only read. These stay where they are passed: LLVM keeps a copy in each thread's own memory
// where it is indexed by what is no constant, and on NVIDIA's GPUs writes all of it there first. What is passed lies in a bank of constants there, which is
// read for one address after another (bank.go), so they stay only if the threads of a warp read the same parts.
//
//	func K(table [129]uint32, ...) { ... table[i] ... }   ->   load i32, ptr %table + 4*i

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// passedAs is the large parameter that a local variable is, all the time that it is read; nil if it is none.
func (f *function) passedAs(a *ssa.Alloc) *ssa.Parameter {
	if !f.M.T.PartParams || !isBig(deref(a.Type())) {
		return nil
	}
	var from *ssa.Store
	one := onlyRead(a, func(s *ssa.Store) bool {
		first := from == nil && s.Addr == a
		from = s
		return first
	})
	if !one || from == nil {
		return nil
	}
	p, ok := from.Val.(*ssa.Parameter)
	entry := a.Parent().Blocks[0]
	if !ok || from.Block() != entry {
		return nil
	}
	at := slices.Index(entry.Instrs, ssa.Instruction(from))
	for _, r := range *a.Referrers() {
		if _, info := r.(*ssa.DebugRef); !info && r.Block() == entry && slices.Index(entry.Instrs, r) < at {
			return nil // it reads zeros
		}
	}
	if f.M.T.Bank && !f.indexedAlike(a) {
		return nil
	}
	return p
}

// indexedAlike reports whether the threads of a warp index the parts of an address alike.
func (f *function) indexedAlike(addr ssa.Value) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			if !f.alike(r.Index, r.Block(), nil) || !f.indexedAlike(r) {
				return false
			}
		case *ssa.FieldAddr:
			if !f.indexedAlike(r) {
				return false
			}
		}
	}
	return true
}
