package ssa2ir

import (
	"go/token"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// maxFacts is through how many facts, one relying on another, a span is narrowed.
const maxFacts = 3

type spanKey struct {
	n    *node
	c    *place
	deep int
}

// spanAt is what a node may be at a place.
func (p *prover) spanAt(n *node, c *place) span { return p.spanOf(n, c, maxFacts) }

func (p *prover) spanOf(n *node, c *place, deep int) span {
	if n.op == opConst {
		return n.base
	}
	key := spanKey{n, c, deep}
	if s, ok := p.known[key]; ok {
		return s
	}
	if !p.step() {
		return n.base
	}
	s := n.base
	if made, _ := p.made(n, c, deep); made != s {
		s = s.and(made)
	}
	if a, ok := p.assumed[n]; ok {
		s = s.and(a)
	}
	s = p.onStep(n, p.narrow(n, s, c, deep))
	if p.steps >= 0 {
		p.known[key] = s
	}
	return s
}

// onStep is s without what a loop's variable is never, as it begins with a constant and grows by one that is a power of two, so that also
// a sum that wraps around is one of its values:
//
//	for j := 0; j < 32; j += 8     j is 24 at most in the loop
func (p *prover) onStep(n *node, s span) span {
	first, step := p.stepOf(n)
	if step < 2 || s.lo < first || s.hi < s.lo {
		return s
	}
	s.hi -= (s.hi - first) & (step - 1)
	s.lo += -(s.lo - first) & (step - 1)
	return s
}

// stepOf is what a loop's variable begins with, and the power of two that it grows by; 0 if it does not.
func (p *prover) stepOf(n *node) (first, step int64) {
	v, ok := n.v.(*ssa.Phi)
	if n.op != opPhi || !ok || p.loops[v.Block()] == nil {
		return 0, 0
	}
	l := p.loops[v.Block()]
	begins := false
	for i, from := range v.Block().Preds {
		e := p.node(v.Edges[i])
		switch {
		case !l.blocks[from] && e.op == opConst && (!begins || e.k == first):
			first, begins = e.k, true
		case l.blocks[from] && e.op == token.ADD && e.x == n && e.y.op == opConst && (step == 0 || e.y.k == step):
			step = e.y.k
		default:
			return 0, 0
		}
	}
	if !begins || step <= 0 || step&(step-1) != 0 {
		return 0, 0
	}
	return first, step
}

// made is what a node's operation makes of its operands, and whether it keeps the value
// that it has in mathematics.
func (p *prover) made(n *node, c *place, deep int) (span, bool) {
	switch n.op {
	case opConst, opAtom, opField, opCall:
		return n.base, true
	case opLen, opCap:
		return p.lengthSpan(n), true
	case opPhi:
		return p.phiSpan(n, c), true
	case opConvert:
		return convertSpan(n.intType, n.x.intType, p.spanOf(n.x, c, deep))
	}
	if n.op == token.QUO {
		if mean, ok := p.averaged(n); ok {
			return mean, true
		}
	}
	x, y := p.spanOf(n.x, c, deep), p.spanOf(n.y, c, deep)
	if n.op == token.SHR && y.lo < 0 && p.unchecked { // the bits of a negative count are those of a great one
		y.hi = math.MaxInt64
	}
	switch n.op {
	case opMin:
		return span{min(x.lo, y.lo), min(x.hi, y.hi)}, true
	case opMax:
		return span{max(x.lo, y.lo), max(x.hi, y.hi)}, true
	case token.ADD, token.SUB, token.MUL, token.SHL, token.SHR, token.QUO, token.REM, token.AND, token.OR, token.XOR, token.AND_NOT:
		s, ok := spanOf(n.op, n.intType, n.y.intType, x, y)
		if axis, is := n.threadOfGrid(); is {
			return s.and(span{0, p.mostThreads(axis)}), true
		}
		if of, _ := n.whole(); of != nil {
			if w := p.spanOf(of, c, deep); w.lo >= 0 {
				return s.and(span{0, w.hi}), true
			}
		}
		if of := n.together(); of != nil {
			return s.and(p.spanOf(of, c, deep)), true
		}
		return s, ok
	}
	return n.base, true
}

// keeps reports whether the node's operation cannot wrap around.
func (p *prover) keeps(n *node, c *place) bool {
	_, ok := p.made(n, c, maxFacts)
	return ok
}

// narrow uses the facts that hold at c about a node.
func (p *prover) narrow(n *node, s span, c *place, deep int) span {
	endless := n.endless(n.base)
	for _, f := range p.about[n] {
		if !c.passed(f.at) {
			continue
		}
		other := f.y
		if f.y == n {
			other = f.x
		}
		o := other.base
		if other.op != opConst {
			if deep == 0 || other == n {
				continue
			}
			o = p.spanOf(other, c, deep-1)
		}
		switch {
		case f.unequal:
			s = without(s, o)
		case f.x == n:
			if hi, ok := sub(o.hi, f.c); ok && !other.endless(o) {
				s = s.and(span{math.MinInt64, hi})
			}
		default:
			if lo, ok := add(o.lo, f.c); ok {
				s = s.and(span{lo, math.MaxInt64})
			}
		}
	}
	if endless || deep == 0 {
		return s
	}
	return p.narrowBySums(n, p.between(n, s, c, deep), c, deep)
}

// between narrows the middle of two integers of which one is known to be the greater: (x + y) / 2, also with a shift.
func (p *prover) between(n *node, s span, c *place, deep int) span {
	by := int64(0)
	switch n.op {
	case token.QUO:
		by = 2
	case token.SHR:
		by = 1
	}
	if by == 0 || n.y.op != opConst || n.y.k != by {
		return s
	}
	sum := n.x
	if sum.op == opConvert && p.keeps(sum, c) {
		sum = sum.x
	}
	if sum.op != token.ADD || !p.keeps(sum, c) || p.spanOf(sum, c, deep-1).lo < 0 {
		return s
	}
	for _, f := range p.about[sum.x] {
		ofBoth := f.x == sum.x && f.y == sum.y || f.x == sum.y && f.y == sum.x
		if !ofBoth || f.unequal || f.c < 0 || !c.passed(f.at) {
			continue
		}
		x, y := p.spanOf(f.x, c, deep-1), p.spanOf(f.y, c, deep-1)
		s = s.and(span{x.lo, y.hi - min(f.c, 1)})
	}
	return s
}

// without is s less a number, if that is one of its ends.
func without(s, not span) span {
	k, ok := not.one()
	if !ok || s.lo == s.hi {
		return s
	}
	if s.lo == k {
		s.lo++
	}
	if s.hi == k && k != math.MaxInt64 {
		s.hi--
	}
	return s
}

// narrowBySums uses the facts about sums that hold at c.
func (p *prover) narrowBySums(n *node, s span, c *place, deep int) span {
	p.linearise(c)
	for _, f := range p.sums[n] {
		if !c.passed(f.at) {
			continue
		}
		// k*n + rest <= 0, so that k*n is at most -rest
		k := f.sum.factor(n)
		least, ok := p.leastOf(f.sum, n, c, deep-1)
		if !ok || least == math.MinInt64 {
			continue
		}
		if k > 0 {
			s = s.and(span{math.MinInt64, floor(-least, k)})
		} else if least > math.MinInt64 {
			s = s.and(span{-floor(-least, -k), math.MaxInt64})
		}
	}
	return s
}

// floor is n / k, rounded down, for k > 0.
func floor(n, k int64) int64 {
	q := n / k
	if n%k < 0 {
		q--
	}
	return q
}

// leastOf is the least that a sum may be, without the term of a node; false if that is not known.
func (p *prover) leastOf(l linear, but *node, c *place, deep int) (int64, bool) {
	least := l.c
	for _, t := range l.terms {
		if t.n == but {
			continue
		}
		s := p.spanOf(t.n, c, max(deep, 0))
		end := s.lo
		if t.k < 0 {
			if end = s.hi; t.n.endless(s) {
				return 0, false
			}
		}
		part, ok := mul(t.k, end)
		if !ok {
			return 0, false
		}
		if least, ok = add(least, part); !ok {
			return 0, false
		}
	}
	return least, true
}

// linearise gives the facts up to c their linear forms, the first ones first; not while something is supposed,
// since the forms stay.
func (p *prover) linearise(c *place) {
	if c == nil || c.linear || len(p.assumed) > 0 {
		return
	}
	p.linearise(c.parent)
	if c.linear {
		return
	}
	c.linear = true
	for _, f := range c.facts {
		if f.unequal || !p.step() {
			continue
		}
		x, ok1 := p.linearOf(f.x, c.parent, 0)
		y, ok2 := p.linearOf(f.y, c.parent, 0)
		if !ok1 || !ok2 {
			continue
		}
		l, ok := x.plus(y, -1)
		if !ok {
			continue
		}
		if l.c, ok = add(l.c, f.c); !ok || p.isKnown(l, c) {
			continue
		}
		f.sum = l
		for _, t := range l.terms {
			p.sums[t.n] = append(p.sums[t.n], f)
		}
	}
}

// isKnown reports whether a fact that holds at c says that l <= 0, or more.
func (p *prover) isKnown(l linear, c *place) bool {
	if len(l.terms) == 0 {
		return true
	}
	return slices.ContainsFunc(p.sums[l.terms[0].n], func(f *fact) bool {
		return f.sum.c >= l.c && slices.Equal(f.sum.terms, l.terms) && c.passed(f.at)
	})
}

// phiSpan is that of a phi node, by the ways that lead to it.
func (p *prover) phiSpan(n *node, c *place) span {
	if s, ok := p.assumed[n]; ok {
		return s
	}
	v := n.v.(*ssa.Phi)
	if l := p.loops[v.Block()]; l != nil {
		if s, ok := p.behindLoop(n, l, c); ok {
			return s
		}
	}
	key := spanKey{n, nil, 0}
	if s, ok := p.known[key]; ok {
		return s
	}
	if p.pending[n] {
		return n.base
	}
	p.pending[n] = true
	var s span
	if l := p.loops[v.Block()]; l != nil {
		s = p.loopSpan(n, v, l)
	} else {
		s = p.edgesSpan(n, v, func(*ssa.BasicBlock) bool { return true })
	}
	delete(p.pending, n)
	if p.steps >= 0 || len(p.assumed) == 0 { // what took too long is not tried again
		p.known[key] = s
	}
	return s
}

// lengthSpan is that of a length or a capacity: of what joins branches, that of what these bring.
func (p *prover) lengthSpan(n *node) span {
	v, ok := n.x.v.(*ssa.Phi)
	if !ok || n.x.op != opAtom || p.pending[n] {
		return n.base
	}
	key := spanKey{n, nil, 0}
	if s, ok := p.known[key]; ok {
		return s
	}
	p.pending[n] = true
	s := p.broughtSpan(v, n.base, func(*ssa.BasicBlock) bool { return true }, func(x ssa.Value) *node {
		if n.op == opLen {
			return p.length(x)
		}
		return p.capacity(x)
	}).and(n.base)
	delete(p.pending, n)
	if p.steps >= 0 {
		p.known[key] = s
	}
	return s
}

// edgesSpan is that of the values that some of the edges of a phi node bring.
func (p *prover) edgesSpan(n *node, v *ssa.Phi, which func(from *ssa.BasicBlock) bool) span {
	return p.broughtSpan(v, n.base, which, p.node)
}

// broughtSpan is that of a number of the values that some of the edges of a phi bring; none, if there is no such edge.
func (p *prover) broughtSpan(v *ssa.Phi, none span, which func(from *ssa.BasicBlock) bool, number func(x ssa.Value) *node) span {
	s, some := none, false
	for i, from := range v.Block().Preds {
		if !which(from) || !p.know.taken(from, v.Block()) {
			continue
		}
		e := p.spanAt(number(v.Edges[i]), p.placeOn(from, v.Block()))
		if some {
			e = s.or(e)
		}
		s, some = e, true
	}
	return s
}
