package ssa2ir

import "go/token"

// A linear is a sum of nodes, each with a factor, and a constant.
type linear struct {
	terms []term // by id, no factor is 0
	c     int64
}

type term struct {
	n *node
	k int64
}

// The limits of sums.
const (
	maxTerms  = 8
	maxLinear = 12
)

// plus is l + k*m; false if it does not fit.
func (l linear) plus(m linear, k int64) (linear, bool) {
	c, ok := mul(m.c, k)
	if !ok {
		return l, false
	}
	if c, ok = add(l.c, c); !ok {
		return l, false
	}
	sum := linear{c: c, terms: make([]term, 0, len(l.terms)+len(m.terms))}
	i, j := 0, 0
	for i < len(l.terms) || j < len(m.terms) {
		switch {
		case j == len(m.terms) || i < len(l.terms) && l.terms[i].n.id < m.terms[j].n.id:
			sum.terms = append(sum.terms, l.terms[i])
			i++
			continue
		case i == len(l.terms) || m.terms[j].n.id < l.terms[i].n.id:
			by, ok := mul(m.terms[j].k, k)
			if !ok {
				return l, false
			}
			sum.terms = append(sum.terms, term{m.terms[j].n, by})
			j++
			continue
		}
		by, ok := mul(m.terms[j].k, k)
		if !ok {
			return l, false
		}
		if by, ok = add(l.terms[i].k, by); !ok {
			return l, false
		}
		if by != 0 {
			sum.terms = append(sum.terms, term{l.terms[i].n, by})
		}
		i++
		j++
	}
	return sum, len(sum.terms) <= maxTerms
}

// factor is that of a node, 0 if it is in no term.
func (l linear) factor(n *node) int64 {
	for _, t := range l.terms {
		if t.n == n {
			return t.k
		}
	}
	return 0
}

func single(n *node) linear { return linear{terms: []term{{n, 1}}} }

// linearOf takes a node apart as far as sums are, which cannot wrap around at c.
func (p *prover) linearOf(n *node, c *place, deep int) (linear, bool) {
	if n.op == opConst {
		return linear{c: n.k}, true
	}
	if deep > maxLinear || !p.step() {
		return single(n), true
	}
	if k, ok := p.spanAt(n, c).one(); ok {
		return linear{c: k}, true
	}
	var l linear
	ok := false
	switch n.op {
	case token.ADD, token.SUB:
		if !p.keeps(n, c) {
			break
		}
		x, ok1 := p.linearOf(n.x, c, deep+1)
		y, ok2 := p.linearOf(n.y, c, deep+1)
		by := int64(1)
		if n.op == token.SUB {
			by = -1
		}
		if l, ok = x.plus(y, by); !ok1 || !ok2 {
			ok = false
		}
	case token.MUL, token.SHL:
		x, y := n.x, n.y
		k, isOne := p.spanAt(y, c).one()
		if n.op == token.MUL && !isOne {
			x, y = y, x
			k, isOne = p.spanAt(y, c).one()
		}
		if !isOne || !p.keeps(n, c) || n.op == token.SHL && (k < 0 || k > 62) {
			break
		}
		if n.op == token.SHL {
			k = 1 << k
		}
		var part linear
		if part, ok = p.linearOf(x, c, deep+1); ok {
			l, ok = linear{}.plus(part, k)
		}
	case opConvert:
		if p.keeps(n, c) {
			l, ok = p.linearOf(n.x, c, deep+1)
		}
	}
	if !ok {
		return single(n), true
	}
	return l, true
}

// atMost reports whether x + by <= y at c.
func (p *prover) atMost(x, y *node, by int64, c *place) bool {
	if p.spansOrder(x, y, by, c) {
		return true
	}
	p.linearise(c)
	a, ok1 := p.linearOf(x, c, 0)
	b, ok2 := p.linearOf(y, c, 0)
	if !ok1 || !ok2 {
		return false
	}
	l, ok := a.plus(b, -1)
	if !ok {
		return false
	}
	if l.c, ok = add(l.c, by); !ok {
		return false
	}
	return p.follows(l, c)
}

// spansOrder reports whether the spans say that x + by <= y.
func (p *prover) spansOrder(x, y *node, by int64, c *place) bool {
	s, t := p.spanAt(x, c), p.spanAt(y, c)
	hi, ok := add(s.hi, by)
	return ok && !x.endless(s) && hi <= t.lo
}

// implied are sums that are at most 0 whatever the facts are, by what the node computes.
// The node is in them with a positive factor if above, else with a negative one.
func (p *prover) implied(n *node, above bool, c *place) []linear {
	var all []linear
	// x - y + by <= 0
	say := func(x, y *node, kx, ky, by int64) {
		a, _ := linear{}.plus(single(x), kx)
		if x.op == opConst {
			a = linear{c: x.k * kx}
		}
		b, ok := p.linearOf(y, c, 0)
		if !ok {
			return
		}
		if l, ok := a.plus(b, ky); ok {
			l.c += by
			all = append(all, l)
		}
	}
	switch n.op {
	case token.QUO, token.SHR:
		by, ok := p.divisor(n, c)
		if !ok {
			break
		}
		if above {
			say(n, n.x, by, -1, 0) // by*n <= x
		} else {
			say(n, n.x, -by, 1, 1-by) // x <= by*n + by - 1
		}
	case token.REM:
		x, y := p.spanAt(n.x, c), p.spanAt(n.y, c)
		if above && x.lo >= 0 {
			say(n, n.x, 1, -1, 0)
		}
		if above && y.lo >= 1 {
			say(n, n.y, 1, -1, 1)
		}
	case token.AND:
		for _, a := range []*node{n.x, n.y} {
			if above && p.spanAt(a, c).lo >= 0 {
				say(n, a, 1, -1, 0)
			}
		}
		all = append(all, p.parts(n, above, c)...)
	case token.OR, token.XOR:
		if x, y := p.spanAt(n.x, c), p.spanAt(n.y, c); x.lo >= 0 && y.lo >= 0 && n.op == token.OR && !above {
			say(n, n.x, -1, 1, 0)
			say(n, n.y, -1, 1, 0)
		}
	case token.AND_NOT:
		if above && p.spanAt(n.x, c).lo >= 0 {
			say(n, n.x, 1, -1, 0)
		}
	case opMin, opMax:
		if above == (n.op == opMin) {
			by := int64(1)
			if !above {
				by = -1
			}
			say(n, n.x, by, -by, 0)
			say(n, n.y, by, -by, 0)
		}
	case opField:
		if m := p.coordinateBelow(n); above && m != nil {
			say(n, m, 1, -1, 1)
		}
	case opPhi:
		all = append(all, p.fromStart(n, above, c)...)
	}
	return all
}

// parts says of x & mask, a mask of the low bits, that it is x less the other bits.
func (p *prover) parts(n *node, above bool, c *place) []linear {
	x, y := n.x, n.y
	m, ok := p.spanAt(y, c).one()
	if !ok {
		x, y = y, x
		m, ok = p.spanAt(y, c).one()
	}
	if !ok || m <= 0 || m&(m+1) != 0 || p.spanAt(x, c).lo < 0 {
		return nil
	}
	shift := int64(0)
	for m>>shift != 0 {
		shift++
	}
	high := p.binary(token.SHR, n.intType, x, p.constant(shift))
	l, ok := p.linearOf(x, c, 0)
	if !ok {
		return nil
	}
	if shift > 61 {
		return nil
	}
	l, ok = l.plus(single(high), -(1 << shift))
	if !ok {
		return nil
	}
	if above { // n - (x - high) <= 0
		if l, ok = single(n).plus(l, -1); ok {
			return []linear{l}
		}
		return nil
	}
	if l, ok = l.plus(single(n), -1); ok {
		return []linear{l}
	}
	return nil
}

// divisor is the constant that a quotient or right shift rounds down by.
func (p *prover) divisor(n *node, c *place) (int64, bool) {
	k, ok := p.spanAt(n.y, c).one()
	if !ok {
		return 0, false
	}
	if n.op == token.SHR {
		return 1 << min(max(k, 0), 62), k >= 0 && k < int64(n.bits)-1 && k < 62
	}
	return k, k >= 1 && p.spanAt(n.x, c).lo >= 0
}
