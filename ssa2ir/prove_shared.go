package ssa2ir

// This file knows what a shared variable of integers holds: what the kernel stores there, or
// anything, as long as nothing was stored. Where all that is stored is small, the sums that are made of it are made with 32
// bits if they fit then:
//
//	counts := dsl.Shared[[8]int32]()
//	counts[warp] = int32(bits.OnesCount64(mask))   // 0 to 64
//	total += int(counts[w])    ->   %2 = add i32 %total, %1
//
// A sum of what was never stored, which is undefined, may then wrap around. So neither LLVM nor the prover of checks is told what
// such a sum is made of: it is any number of 32 bits.

import (
	"go/token"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/ops"
)

// mostCounted is what such a number is at most.
const mostCounted = 1 << 16

// newProver is the function's prover.
func (f *function) newProver() *prover {
	p := newProver(f.in, f.know, f.M.MaxBlock(), f.M.T)
	p.unchecked = f.opts.NoBounds
	return p
}

// A wrappedSum is computed in 32 bits though it is not sure that they suffice.
type wrappedSum struct {
	spans [3]span // of an operator's operands and its result, or the last alone, of a phi, if memory holds what was stored
}

// findWrapped finds the function's wrapped values.
func (f *function) findWrapped() map[ssa.Value]*wrappedSum {
	if f.in != f.prog.root || !f.M.T.Narrow || f.opts.NoBounds { // a helper may have several instances, which share its variables
		return nil
	}
	most := f.counts()
	if len(most) == 0 {
		return nil
	}
	sure, stored := f.newProver(), f.newProver()
	stored.most = most
	all := map[ssa.Value]*wrappedSum{}
	for _, b := range f.in.fn.DomPreorder() {
		for _, i := range b.Instrs {
			v, ok := i.(ssa.Value)
			if !ok || !f.know.live[b] {
				continue
			}
			if t, ok := typeOf(v.Type()); !ok || t.bits != 64 {
				continue
			}
			switch v := v.(type) {
			case *ssa.BinOp:
				f.findWrappedSum(all, v, sure, stored)
			case *ssa.Phi:
				at := firstBehindPhis(b)
				if s := stored.spanBefore(v, at); holdingOf(sure.spanBefore(v, at)) == asItIs && holdingOf(s) != asItIs {
					all[v] = &wrappedSum{spans: [3]span{2: s}}
				}
			}
		}
	}
	return all
}

// findWrappedSum adds a sum, difference, product or left shift if it is one.
func (f *function) findWrappedSum(all map[ssa.Value]*wrappedSum, v *ssa.BinOp, sure, stored *prover) {
	how := narrowings.Get()[v.Op]
	t, _ := typeOf(v.Type())
	if !how.flags {
		return // what its operands are says what it is
	}
	spans := stored.spansOf(v, v)
	if _, _, ok := f.narrowing(v, t, sure.spansOf(v, v), true); ok {
		return
	}
	if _, _, ok := f.narrowing(v, t, spans, false); ok {
		all[v] = &wrappedSum{spans: spans}
	}
}

// wrappedNode is the node of a wrapped value, nil of any other.
func (b *nodes) wrappedNode(v ssa.Value) *node {
	if b.env != nil || b.wrapping[v] == nil {
		return nil
	}
	n := b.atom(v)
	n.base = span{math.MinInt32, math.MaxUint32}
	return n
}

// counts are the loads of shared variables whose greatest values are known, and these.
func (f *function) counts() map[*ssa.UnOp]int64 {
	var most map[*ssa.UnOp]int64
	var p *prover
	for _, v := range f.sharedVariables() {
		var u sharedUses
		if !u.find(v) || !slices.ContainsFunc(u.loads, f.addsUp) {
			continue
		}
		if p == nil {
			p = newProver(f.in, f.know, f.M.MaxBlock(), f.M.T)
			most = map[*ssa.UnOp]int64{}
		}
		if hi, ok := p.mostStored(u.stores); ok {
			for _, u := range u.loads {
				most[u] = hi
			}
		}
	}
	return most
}

// sharedVariables are the calls that shared variables stand for.
func (f *function) sharedVariables() (all []*ssa.Call) {
	for _, b := range f.in.fn.Blocks {
		for _, i := range b.Instrs {
			call, ok := i.(*ssa.Call)
			if !ok || !f.know.live[b] {
				continue
			}
			if c := f.in.calls[call]; c != nil && c.row != nil && c.row.Space == ops.StaticShared {
				all = append(all, call)
			}
		}
	}
	return all
}

// sharedUses are what is done with a shared variable, if that is to load and store integers.
type sharedUses struct {
	loads  []*ssa.UnOp
	stores []*ssa.Store
}

// find adds what is done with what v points to; false if that is anything else.
func (u *sharedUses) find(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.IndexAddr:
			if r.X != v || !u.find(r) {
				return false
			}
		case *ssa.Store:
			if _, ok := typeOf(r.Val.Type()); !ok || r.Addr != v {
				return false
			}
			u.stores = append(u.stores, r)
		case *ssa.UnOp:
			if _, ok := typeOf(r.Type()); !ok {
				return false
			}
			u.loads = append(u.loads, r)
		default:
			return false
		}
	}
	return true
}

// addsUp reports whether a loop makes a sum of 64 bits of what is loaded.
func (f *function) addsUp(u *ssa.UnOp) bool {
	t, _ := typeOf(u.Type())
	inLoop := func(i ssa.Instruction) bool {
		for _, l := range f.in.loops {
			if l.blocks[i.Block()] {
				return true
			}
		}
		return false
	}
	var in func(v ssa.Value) bool
	in = func(v ssa.Value) bool {
		return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.Convert:
				return in(r)
			case *ssa.BinOp:
				t, _ := typeOf(r.Type())
				return t.bits == 64 && (r.Op == token.ADD || r.Op == token.SUB) && inLoop(r)
			}
			return false
		})
	}
	return t.bits >= 32 && in(u)
}

// mostStored is the greatest number among what is stored; false if that is not known to be small.
func (p *prover) mostStored(stores []*ssa.Store) (most int64, ok bool) {
	for _, s := range stores {
		if !p.know.live[s.Block()] {
			continue
		}
		of := p.spanBefore(s.Val, s)
		if of.lo < 0 || of.hi > mostCounted {
			return 0, false
		}
		most = max(most, of.hi)
	}
	return most, most > 0
}

// count is the node of what is loaded from such a variable, nil of any other.
func (b *nodes) count(u *ssa.UnOp) *node {
	most := b.most[u]
	if most == 0 || b.env != nil {
		return nil
	}
	n := b.atom(u)
	n.base = span{0, most}
	return n
}
