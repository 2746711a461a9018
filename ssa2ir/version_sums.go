package ssa2ir

// This file adds up in 32 bits what the first version of a loop (version.go) sums, where the loop's
// terms are loaded from 32 bits and nobody knows how great they are:
//
//	for w := range warps {       var sum, all uint32
//		sum += int(counts[w])    for w := range warps {
//	}                                sum += counts[w]
//	                                 all |= counts[w]
//	                             }
//	                             if all >= 1<<24 { the loop again, as it was }
//
// As the loop runs only so often, the sum of terms that are below the limit fits. One that is not, or is
// negative, has a bit set that none below the limit has. Then the loop is run again: it has
// done nothing but compute.

import (
	"go/token"
	"math/bits"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

const (
	maxSum   = 1 << 30 // what a sum begins with, and what is added to it
	minLimit = 1 << 8  // of terms
)

// A summing says which values of a loop are sums of 32 bits.
type summing struct {
	phis  map[*ssa.Phi]bool
	adds  map[*ssa.BinOp]bool
	terms map[*ssa.Convert]bool // which are to be below the limit
	limit int64                 // a power of 2
	seen  target.Value          // the address of all terms' bits
	entry []target.Value        // the loop's variables ahead of it
}

// findSums finds the sums of a loop of which the first version may be run in vain.
func (v *version) findSums() {
	f := v.f
	if v.exits || v.writes || len(v.group) > 0 || v.count == nil || v.count.by == 0 || !f.M.T.Narrow || !f.M.T.Joins {
		return
	}
	s := f.proof.spanBefore(v.count.phi, firstBehindPhis(v.header))
	far, ok := sub(s.hi, s.lo)
	if !ok || far >= maxSum/minLimit {
		return
	}
	all := &summing{phis: map[*ssa.Phi]bool{}, adds: map[*ssa.BinOp]bool{}, terms: map[*ssa.Convert]bool{}, limit: maxSum}
	for _, phi := range v.phis {
		t, ok := typeOf(phi.Type())
		if !ok || t.bits != 64 || f.held(phi) != asItIs {
			continue
		}
		one := &summing{phis: map[*ssa.Phi]bool{phi: true}, adds: map[*ssa.BinOp]bool{}, terms: map[*ssa.Convert]bool{}}
		if v.beginsLow(phi) && v.follow(one, phi) && v.isSum(one, far+1) {
			all.add(one)
		}
	}
	if len(all.terms) > 0 {
		v.sums = all
	}
}

// beginsLow reports whether a variable is small and not negative ahead of the loop.
func (v *version) beginsLow(phi *ssa.Phi) bool {
	p := v.f.proof
	p.begin()
	defer p.done()
	s := p.edgesSpan(p.node(phi), phi, func(from *ssa.BasicBlock) bool { return !v.loop.blocks[from] })
	return s.within(span{0, maxSum - 1})
}

// follow finds what is made of a value in the loop, and reports whether that is nothing but sums and
// the joins of these.
func (v *version) follow(s *summing, x ssa.Value) bool {
	for _, r := range *x.Referrers() {
		if !v.loop.blocks[r.Block()] {
			continue
		}
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.BinOp:
			if r.Op != token.ADD || r.X == r.Y || s.adds[r] {
				return false
			}
			s.adds[r] = true
			if !v.follow(s, r) {
				return false
			}
		case *ssa.Phi:
			if s.phis[r] {
				continue
			}
			s.phis[r] = true
			if r.Block() == v.header || !v.follow(s, r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// has reports whether a value is one of the sums.
func (s *summing) has(x ssa.Value) bool {
	switch x := x.(type) {
	case *ssa.Phi:
		return s.phis[x]
	case *ssa.BinOp:
		return s.adds[x]
	}
	return false
}

// isSum reports whether all that is added in so many iterations, at most, are small terms or such as can be told
// to be small.
func (v *version) isSum(s *summing, trips int64) bool {
	f := v.f
	for phi := range s.phis {
		for i, from := range phi.Block().Preds {
			if v.loop.blocks[from] && !s.has(phi.Edges[i]) {
				return false
			}
		}
	}
	most := maxSum / trips / int64(max(len(s.adds), 1))
	if most < minLimit {
		return false
	}
	s.limit = 1 << (bits.Len64(uint64(most)) - 1)
	for a := range s.adds {
		term := a.Y
		if s.has(term) {
			term = a.X
		}
		if s.has(term) {
			return false
		}
		if f.proof.spanBefore(term, a).within(span{0, s.limit - 1}) {
			continue
		}
		c, ok := term.(*ssa.Convert)
		if !ok || !v.loop.blocks[c.Block()] || !isInteger(c.X.Type()) || sizeof(c.X.Type()) > 4 {
			return false
		}
		s.terms[c] = true
	}
	return len(s.adds) > 0
}

// add adds the sums of another variable.
func (s *summing) add(t *summing) {
	for phi := range t.phis {
		s.phis[phi] = true
	}
	for a := range t.adds {
		s.adds[a] = true
	}
	for c := range t.terms {
		s.terms[c] = true
	}
	s.limit = min(s.limit, t.limit)
}

// beginSums readies the version that adds up in 32 bits, and returns what ends it.
func (v *version) beginSums(entry []target.Value) (end func()) {
	f, s := v.f, v.sums
	if s == nil {
		return func() {}
	}
	s.entry = entry
	s.seen = f.slot(target.I32)
	f.Store(target.Int(target.I32, 0), s.seen, 4)
	was := map[*ssa.Phi]holding{}
	for phi := range s.phis {
		was[phi] = f.held(phi)
		f.holdings[phi] = inUint32
	}
	v.adding = true
	return func() {
		v.adding = false
		for phi, h := range was {
			f.holdings[phi] = h
		}
	}
}

// shortSum is a sum of the loop in 32 bits, nil of what is none.
func (f *function) shortSum(op *ssa.BinOp, x, y target.Value) target.Value {
	v := f.copying
	if v == nil || !v.adding || !v.sums.adds[op] {
		return nil
	}
	sum := f.Bin("add nuw nsw", f.IntCast(x, target.I32, true), f.IntCast(y, target.I32, true))
	return f.IntCast(sum, target.I64, false)
}

// watch notes the bits of a term.
func (f *function) watch(c *ssa.Convert) {
	v := f.copying
	if v == nil || !v.adding || !v.sums.terms[c] {
		return
	}
	seen := v.sums.seen
	f.Store(f.Bin("or", f.Load(target.I32, seen, 4), f.IntCast(f.value(c), target.I32, true)), seen, 4)
}

// verify ends the version that adds up in 32 bits: if a term was not below the limit, the loop is run as it was.
func (v *version) verify() {
	f, s := v.f, v.sums
	f.Cur = v.copy.verify
	ok := f.NewBlock()
	f.CondBr(f.ICmp("uge", f.Load(target.I32, s.seen, 4), target.Int(target.I32, s.limit)), v.slow, ok)
	f.unlikely()
	v.goes(v.into, s.entry, v.copy.verify)
	f.Cur = ok
	f.Br(v.after)
	v.ends(ok)
}
