package ssa2ir

// This file finds the local arrays of ints that are held in 32 bits in a section in two versions, where it is asked whether these
// suffice (contents.go, compact.go).

import (
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// findCompact finds the arrays of the section that need 32 bits, and what is to be asked for that.
func (b *bounded) findCompact(e *ender, narrow bool) {
	b.compact, b.limits = map[*ssa.Alloc]span{}, nil
	for _, c := range b.arrays {
		if c.whole || !narrow || !c.lo.known || !c.hi.known {
			continue
		}
		if s, ok := c.constant(); ok {
			b.compact[c.array] = s
			continue
		}
		least := e.least(e.placeBefore(c.array))
		s := int32s
		if c.lo.notNegative(least) {
			s.lo = 0
		}
		needs := slices.Concat(c.lo.needs, c.hi.needs)
		var limits []poly
		for k, x := range []end{c.hi, c.lo} {
			if k == 0 || s.lo < 0 {
				p, _ := constantPoly(headroom).plus(x.poly, 1-2*int64(k))
				limits = append(limits, p)
			}
		}
		limit := func(p poly) reach {
			return reach{length: b.proof.constant(math.MaxInt32), poly: p, least: least, per: 1, holds: true}
		}
		if slices.ContainsFunc(needs, func(n need) bool { return !n.met(e, least) }) || slices.ContainsFunc(limits, func(p poly) bool { return limit(p).hopeless(e) }) {
			continue
		}
		b.compact[c.array] = s
		b.need(needs, least)
		b.limits = append(b.limits, limits...)
		for _, p := range limits {
			b.reach(limit(p))
		}
	}
}

// asks reports whether an array is held in 32 bits in the section alone.
func (b *bounded) asks(c *contents) bool {
	_, here := b.compact[c.array]
	_, always := c.constant()
	return here && !always
}

// holdsMore reports whether a loop uses an array that is held in 32 bits in the section alone.
func (b *bounded) holdsMore() bool {
	return slices.ContainsFunc(b.arrays, func(c *contents) bool {
		return b.asks(c) && b.usedInLoop(c)
	})
}

// uses reports whether a loop loads from an array that is held in 32 bits in the section alone.
func (b *bounded) uses(l *loop) bool {
	return l != nil && slices.ContainsFunc(b.arrays, func(c *contents) bool {
		return b.asks(c) && slices.ContainsFunc(c.loads, func(v ssa.Value) bool { return l.blocks[v.(ssa.Instruction).Block()] })
	})
}

func (b *bounded) usedInLoop(c *contents) bool {
	return slices.ContainsFunc(c.loads, func(v ssa.Value) bool { return b.times(v.(ssa.Instruction).Block()) > 1 })
}

// fitsArrays reports whether no large array is held as it is.
func (b *bounded) fitsArrays(in *instance) bool {
	for _, block := range in.fn.Blocks {
		for _, i := range block.Instrs {
			a, ok := i.(*ssa.Alloc)
			if _, compact := b.compact[a]; ok && !compact && isBig(deref(a.Type())) {
				return false
			}
		}
	}
	return true
}

// withinLimits reports whether what is computed from elements of such arrays needs 32 bits.
func (b *bounded) withinLimits(e *ender, n *node, c *place) bool {
	e.begin()
	defer e.done()
	x := e.of(n, c, 0)
	if !x.lo.known || !x.hi.known || !b.coversAll(slices.Concat(x.lo.needs, x.hi.needs), e.least(c)) {
		return false
	}
	least := e.least(c)
	within := func(p poly) bool {
		return slices.ContainsFunc(b.limits, func(l poly) bool { return l.atLeast(p, least) })
	}
	negative, ok := poly{}.plus(x.lo.poly, -1)
	return ok && within(x.hi.poly) && (x.lo.notNegative(least) || within(negative))
}

// coversAll reports whether all variables and products are known to be small, and what is asked for is known.
func (b *bounded) coversAll(all []need, least leastOf) bool {
	for _, p := range all {
		if p.asked && !p.notNegative(least) && !slices.ContainsFunc(b.reaches, func(o reach) bool { return (reach{poly: p.poly, least: least, per: 1}).within(o) }) {
			return false
		}
		if slices.ContainsFunc(p.terms, func(m mono) bool { return !b.covers(m.of, least) }) {
			return false
		}
	}
	return true
}
