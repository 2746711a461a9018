package ssa2ir

// This file bounds what a loop adds up in a variable: at most as often as the loop repeats, by
// another variable that counts.
//
//	for w := range warps {       // warps <= 32
//		if n := counts[w]; w < warp {   // 0 <= n <= 64
//			before += n          // at most 32*64 more than it began with
//		}
//	}

import (
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"
)

// maxAdded is through how many operators and phi nodes what an iteration adds is followed.
const maxAdded = 32

// accumulated is the span of a loop's variable that begins in first and to which each iteration
// adds; false if that is not known.
func (p *prover) accumulated(n *node, l *loop, first span) (s span, ok bool) {
	if len(p.assumed) > 0 || first == n.base {
		return span{}, false
	}
	p.suppose(map[*node]span{n: n.base}, func() { // what is found before n is known is not kept
		var each span
		var times int64
		if each, ok = p.addedEach(n, l); !ok {
			return
		}
		if times, ok = p.repeats(n, l); !ok {
			return
		}
		lo, ok1 := mul(times, min(each.lo, 0))
		hi, ok2 := mul(times, max(each.hi, 0))
		lo, ok3 := add(first.lo, lo)
		hi, ok4 := add(first.hi, hi)
		s = span{lo, hi}
		ok = ok1 && ok2 && ok3 && ok4 && s.within(n.base) && !n.endless(s)
	})
	return s, ok
}

// addedEach is what an iteration adds to a loop's variable.
func (p *prover) addedEach(n *node, l *loop) (each span, any bool) {
	left := maxAdded
	return p.addedOn(n, n, l, func(from *ssa.BasicBlock) bool { return l.blocks[from] }, &left)
}

// added is what x, in loop l, is more than the loop's variable n was when the iteration began.
// Sums that wrap around on the way do no harm where what is made of all does not.
func (p *prover) added(x, n *node, l *loop, c *place, left *int) (span, bool) {
	if *left--; *left < 0 || x.intType != n.intType {
		return span{}, false
	}
	switch {
	case x == n:
		return span{}, true
	case x.op == token.ADD || x.op == token.SUB:
		s, ok := p.added(x.x, n, l, c, left)
		by := x.y
		if !ok && x.op == token.ADD {
			s, ok = p.added(x.y, n, l, c, left)
			by = x.x
		}
		if !ok {
			return span{}, false
		}
		more := p.spanAt(by, c)
		if x.endless(more) {
			return span{}, false
		}
		return spanOf(x.op, goInt, goInt, s, more)
	case x.op == opPhi && l.blocks[x.block] && p.loops[x.block] == nil:
		return p.addedOn(x, n, l, func(*ssa.BasicBlock) bool { return true }, left)
	}
	return span{}, false
}

// addedOn is added for what some of the edges of a phi node bring.
func (p *prover) addedOn(x, n *node, l *loop, which func(from *ssa.BasicBlock) bool, left *int) (s span, any bool) {
	v := x.v.(*ssa.Phi)
	for i, from := range v.Block().Preds {
		if !which(from) || !p.know.taken(from, v.Block()) {
			continue
		}
		by, ok := p.added(p.node(v.Edges[i]), n, l, p.placeOn(from, v.Block()), left)
		if !ok {
			return span{}, false
		}
		if any {
			by = by.or(s)
		}
		s, any = by, true
	}
	return s, any
}

// repeats is how often a loop repeats at most, by a variable other than n that changes by one
// number each time and cannot wrap around.
func (p *prover) repeats(n *node, l *loop) (int64, bool) {
	least, found := int64(math.MaxInt64), false
	for _, m := range p.variables(l) {
		if m == n || p.pending[m] {
			continue
		}
		by, ok := p.addedEach(m, l)
		step, one := by.one()
		if !ok || !one || step == 0 || step == math.MinInt64 {
			continue
		}
		if times, ok := p.timesBy(m, l, by); ok {
			least, found = min(least, times), true
		}
	}
	return least, found
}

// timesBy is how often a loop repeats at most, by a variable that changes by one number each time: as many numbers as there are between its ends, or
// between those that it has where the loop repeats, as in for i := start; i < end; i++, of which i may be any number at last.
func (p *prover) timesBy(m *node, l *loop, by span) (int64, bool) {
	s := p.phiSpan(m, nil)
	if next, ok := spanOf(token.ADD, m.intType, m.intType, s, by); ok && !m.endless(next) {
		n, ok := sub(next.hi, next.lo)
		return n / max(by.lo, -by.lo), ok
	}
	some := false
	for _, from := range m.block.Preds {
		if !l.blocks[from] || !p.know.taken(from, m.block) {
			continue
		}
		at := p.spanAt(m, p.placeOn(from, m.block))
		if some {
			at = at.or(s)
		}
		s, some = at, true
	}
	next, ok := spanOf(token.ADD, m.intType, m.intType, s, by)
	n, fits := sub(next.hi, next.lo)
	return n/max(by.lo, -by.lo) + 1, some && ok && fits && n < math.MaxInt64 && !m.endless(next)
}
