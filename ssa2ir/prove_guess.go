package ssa2ir

// This file finds the spans of loops' variables by guesses, and whether they only rise or fall.

import (
	"go/token"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// loopSpan is the span of a loop's variable: what it enters with, and what iterations
// bring. A guess is right if an iteration that begins within it ends within it.
func (p *prover) loopSpan(n *node, v *ssa.Phi, l *loop) span {
	entering := func(b *ssa.BasicBlock) bool { return !l.blocks[b] }
	first := p.edgesSpan(n, v, entering)
	if _, ok := first.one(); ok {
		if s, ok := p.walked(n, l); ok {
			return s
		}
	}
	if s, ok := p.averages(v, l); ok {
		return first.or(s)
	}
	s := p.alone(n, v, l, first)
	if t, ok := p.together(n, l, first); ok {
		s = s.and(t)
	}
	if t, ok := p.accumulated(n, l, first); ok {
		s = s.and(t)
	}
	return s
}

// alone is loopSpan by guesses of one variable; first is what it enters the loop with.
func (p *prover) alone(n *node, v *ssa.Phi, l *loop, first span) span {
	repeating := func(b *ssa.BasicBlock) bool { return l.blocks[b] }
	next := func(s span) (r span) {
		p.suppose(map[*node]span{n: s}, func() { r = p.edgesSpan(n, v, repeating) })
		return r
	}
	anything := next(n.base)
	guesses := []span{
		{first.lo, max(first.hi, anything.hi)},
		{min(first.lo, anything.lo), first.hi},
		{min(first.lo, 0), first.hi},
		{first.lo, n.base.hi},
		{min(first.lo, 0), n.base.hi},
	}
	for i, g := range guesses {
		if i > 0 && slices.Contains(guesses[:i], g) || n.endless(g) {
			continue
		}
		s := next(g)
		if !s.within(g) {
			continue
		}
		s = first.or(s)
		if least := (span{min(first.lo, 0), first.hi}); s.hi > first.hi && p.mayFall(v, repeating) && next(least).within(least) {
			s = s.and(least)
		}
		return p.smaller(s, n, l, first, next)
	}
	return p.smaller(first.or(anything), n, l, first, next)
}

// smaller is s, or what is less of two more guesses, where s needs more than 32 bits: what the first iteration makes of the variable, as of the greatest so far
// (n := 0; for .. { if k := x[i] & 7; k > n { n = k } }), and that it stays on one side of a number that it steps to and is compared with,
// as of a place in a ring (i++; if i == 16 { i = 0 }).
func (p *prover) smaller(s span, n *node, l *loop, first span, next func(span) span) span {
	if s.within(int32s) || !first.within(int32s) {
		return s
	}
	guesses := []span{first.or(next(first))}
	if k, step := p.turnsAt(n, l); step > 0 {
		guesses = append(guesses, span{first.lo, max(first.hi, k-1)}, span{min(first.lo, 0), max(first.hi, k-1)})
	} else if step < 0 {
		guesses = append(guesses, span{min(first.lo, k+1), first.hi}, span{min(first.lo, k+1), max(first.hi, 0)})
	}
	for i, g := range guesses {
		if slices.Contains(guesses[:i], g) || !g.within(int32s) {
			continue
		}
		if r := next(g); r.within(g) {
			return s.and(first.or(r))
		}
	}
	return s
}

// turnsAt is a constant that the next value of a loop's variable is compared with, and by how much that is more than the variable; 0 if there is none.
func (p *prover) turnsAt(n *node, l *loop) (k, step int64) {
	for _, e := range p.steppedFrom(n) {
		if !slices.ContainsFunc(p.about[e], func(f *fact) bool {
			k = f.x.k
			if f.x == e {
				k = f.y.k
			}
			return f.unequal && l.blocks[f.at.block] && (f.x.op == opConst || f.y.op == opConst)
		}) {
			continue
		}
		if step = e.y.k; e.op == token.SUB {
			step = -step
		}
		if k > math.MinInt32 && k < math.MaxInt32 {
			return k, step
		}
	}
	return 0, 0
}

// steppedFrom are the sums of a loop's variable and 1, and its differences.
func (p *prover) steppedFrom(n *node) (all []*node) {
	for _, i := range *n.v.Referrers() {
		if op, ok := i.(*ssa.BinOp); ok {
			e := p.node(op)
			if (e.op == token.ADD || e.op == token.SUB) && e.x == n && e.y.op == opConst && (e.y.k == 1 || e.y.k == -1) {
				all = append(all, e)
			}
		}
	}
	return all
}

// mayFall reports whether a loop's variable gets the result of an operation that makes a number smaller, such as a division.
func (p *prover) mayFall(v *ssa.Phi, which func(from *ssa.BasicBlock) bool) bool {
	for i, from := range v.Block().Preds {
		if !which(from) {
			continue
		}
		switch p.node(v.Edges[i]).op {
		case token.QUO, token.SHR, token.REM, token.AND, token.AND_NOT, opMin:
			return true
		}
	}
	return false
}

// together is the span of a variable that gets others' values, as of a search that halves:
//
//	for high-low > 1 { if mid := (low + high) / 2; less(mid) { low = mid } else { high = mid } }
//
// It is guessed that all such variables of a loop stay within what they begin with.
func (p *prover) together(n *node, l *loop, own span) (span, bool) {
	if len(p.assumed) > 0 || n.intType != goInt {
		return span{}, false
	}
	from := func(inside bool) func(*ssa.BasicBlock) bool {
		return func(b *ssa.BasicBlock) bool { return l.blocks[b] == inside }
	}
	all, first := []*node{n}, map[*node]span{n: own}
	for _, m := range p.variables(l) {
		if m != n && m.intType == goInt && !p.pending[m] {
			p.pending[m] = true
			first[m] = p.edgesSpan(m, m.v.(*ssa.Phi), from(false))
			delete(p.pending, m)
			all = append(all, m)
		}
	}
	for len(all) > 1 {
		supposed := map[*node]span{}
		for _, m := range all {
			supposed[m] = own
			for _, f := range first {
				supposed[m] = supposed[m].or(f)
			}
		}
		growing := all
		var next map[*node]span
		for range maxWider {
			next, growing = map[*node]span{}, nil
			p.suppose(supposed, func() {
				for _, m := range all {
					next[m] = p.edgesSpan(m, m.v.(*ssa.Phi), from(true))
				}
			})
			for _, m := range all {
				if !next[m].within(supposed[m]) {
					growing = append(growing, m)
					supposed[m] = supposed[m].or(next[m])
				}
			}
			if growing == nil {
				return own.or(next[n]), true
			}
		}
		if slices.Contains(growing, n) {
			break
		}
		for _, m := range growing {
			delete(first, m)
		}
		all = slices.DeleteFunc(all, func(m *node) bool { return slices.Contains(growing, m) })
	}
	return span{}, false
}

// maxWider is how often such a guess is made wider.
const maxWider = 3

// direction is 1 for a loop's variable that never falls, -1 for one that never rises, 2 for others.
func (p *prover) direction(n *node) int {
	if d := p.rising[n]; d != 0 || len(p.assumed) > 0 {
		return d
	}
	p.rising[n] = 2
	v := n.v.(*ssa.Phi)
	l := p.loops[v.Block()]
	if l == nil {
		return 2
	}
	d := 0
	for i, from := range v.Block().Preds {
		if !l.blocks[from] || !p.know.taken(from, v.Block()) {
			continue
		}
		e := p.node(v.Edges[i])
		if e == n {
			continue
		}
		c := p.placeOn(from, v.Block())
		s := p.towards(n, e, c)
		switch {
		case s != 2:
		case p.atMost(n, e, 0, c):
			s = 1
		case p.atMost(e, n, 0, c):
			s = -1
		}
		if s == 2 || d != 0 && d != s {
			return 2
		}
		d = s
	}
	if d != 0 {
		p.rising[n] = d
	}
	return p.rising[n]
}

// stepsBelow reports whether e, the sum of n and a constant, does not wrap around as a condition has n below what is known to be less. It takes fewer
// steps than to find what n may be.
func (p *prover) stepsBelow(e, n, by *node, c *place) bool {
	return e.op == token.ADD && by.op == opConst && by.k > 0 && by.k < 1<<31 && slices.ContainsFunc(p.about[n], func(f *fact) bool {
		return f.x == n && !f.unequal && f.c >= 0 && c.passed(f.at) && e.intType == goInt && f.y.atMost(4) < 1<<62
	})
}

// atMost is no less than a node, by what it is made of.
func (n *node) atMost(deep int) int64 {
	most := n.base.hi
	switch {
	case deep == 0:
	case n.op == opMin:
		return min(most, n.x.atMost(deep-1), n.y.atMost(deep-1))
	case (n.op == token.ADD || n.op == token.SUB) && n.intType == goInt && n.y.op == opConst && n.x.base.within(int32s) && n.y.base.within(int32s):
		return min(most, 1<<32)
	}
	return most
}

// towards is on which side of n the value e is.
func (p *prover) towards(n, e *node, c *place) int {
	if e.op != token.ADD && e.op != token.SUB && e.op != token.SHR && e.op != token.QUO || e.x != n && (e.op != token.ADD || e.y != n) {
		return 2
	}
	by := e.y
	if by == n {
		by = e.x
	}
	if !p.stepsBelow(e, n, by, c) && !p.keeps(e, c) {
		return 2
	}
	s := p.spanAt(by, c)
	switch {
	case e.op == token.ADD && s.lo >= 0, e.op == token.SUB && s.hi <= 0:
		return 1
	case e.op == token.ADD && s.hi <= 0, e.op == token.SUB && s.lo >= 0:
		return -1
	case (e.op == token.SHR || e.op == token.QUO) && s.lo >= 1 && p.spanAt(n, c).lo >= 0:
		return -1
	}
	return 2
}

// fromStart says that a loop's variable is not below, or not above, what it began with.
func (p *prover) fromStart(n *node, above bool, c *place) []linear {
	d := p.direction(n)
	if d != 1 && d != -1 || above != (d == -1) {
		return nil
	}
	v := n.v.(*ssa.Phi)
	var first *node
	for i, from := range v.Block().Preds {
		if p.loops[v.Block()].blocks[from] || !p.know.taken(from, v.Block()) {
			continue
		}
		if first != nil {
			return nil
		}
		first = p.node(v.Edges[i])
	}
	if first == nil {
		return nil
	}
	x, ok := p.linearOf(first, c, 0)
	if !ok {
		return nil
	}
	l, ok := x.plus(single(n), -1) // first - n <= 0
	if d == -1 && ok {
		l, ok = linear{}.plus(l, -1)
	}
	if !ok {
		return nil
	}
	return []linear{l}
}
