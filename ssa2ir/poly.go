package ssa2ir

// This file computes with polynomials of integers that are the same for all threads: with
// them ends.go says how far indices go.

import (
	"go/token"
	"slices"
)

// A poly is a sum of products of nodes, each with a factor, and a constant.
type poly struct {
	c     int64
	terms []mono // by their nodes; no factor is 0
}

// A mono is a product of nodes, by id, and a factor.
type mono struct {
	k  int64
	of []*node
}

// The limits of polynomials. A product of nodes that is below 1<<31 times a factor, and the sum
// of maxMonos of these, fit an int64. An index of a batch of pictures that is convolved is a product of six, n*c*kh*kw*h*w.
const (
	maxMonos  = 12
	maxDegree = 8
	maxFactor = 1 << 20
)

func constantPoly(c int64) poly { return poly{c: c} }

func variablePoly(n *node) poly { return poly{terms: []mono{{1, []*node{n}}}} }

// fits reports whether a polynomial is within the limits.
func (p poly) fits() bool {
	if len(p.terms) > maxMonos || p.c >= 1<<31 || p.c <= -1<<31 {
		return false
	}
	return !slices.ContainsFunc(p.terms, func(m mono) bool { return len(m.of) > maxDegree || m.k > maxFactor || m.k < -maxFactor })
}

// equals reports whether p and q are the same polynomial.
func (p poly) equals(q poly) bool {
	d, ok := p.plus(q, -1)
	return ok && d.c == 0 && len(d.terms) == 0
}

// compareNodes orders products.
func compareNodes(a, b []*node) int {
	return slices.CompareFunc(a, b, func(x, y *node) int { return x.id - y.id })
}

// plus is p + k*q; false if that is beyond the limits. k is small.
func (p poly) plus(q poly, k int64) (poly, bool) {
	sum := poly{c: p.c + k*q.c, terms: slices.Clone(p.terms)}
	for _, m := range q.terms {
		sum.add(mono{k * m.k, m.of})
	}
	return sum, sum.fits()
}

// add adds a product.
func (p *poly) add(m mono) {
	if len(m.of) == 0 {
		p.c += m.k
		return
	}
	i, found := slices.BinarySearchFunc(p.terms, m, func(a, b mono) int { return compareNodes(a.of, b.of) })
	switch {
	case !found:
		p.terms = slices.Insert(p.terms, i, m)
	case p.terms[i].k+m.k == 0:
		p.terms = slices.Delete(p.terms, i, i+1)
	default:
		p.terms[i].k += m.k
	}
}

// times is p * q.
func (p poly) times(q poly) (poly, bool) {
	all := poly{}
	for _, a := range p.all() {
		for _, b := range q.all() {
			of := slices.Concat(a.of, b.of)
			slices.SortFunc(of, func(x, y *node) int { return x.id - y.id })
			all.add(mono{a.k * b.k, of})
			if !all.fits() {
				return poly{}, false
			}
		}
	}
	return all, true
}

// all are the products, the constant among them.
func (p poly) all() []mono {
	if p.c == 0 {
		return p.terms
	}
	return append(slices.Clip(p.terms), mono{k: p.c})
}

// A leastOf says what a node is at least: a number that is not negative.
type leastOf func(*node) int64

// above writes p in what its nodes are more than their least, below the other way.
func (p poly) above(least leastOf) poly { return p.shifted(least, 1) }
func (p poly) below(least leastOf) poly { return p.shifted(least, -1) }

// maxLeast keeps the factors of such polynomials small.
const maxLeast = 1 << 10

// shifted writes p in its nodes plus, or less, their least.
func (p poly) shifted(least leastOf, sign int64) poly {
	all := poly{c: p.c}
	for _, m := range p.terms {
		none := 0 // those whose least is 0
		for i, n := range m.of {
			if least(n) == 0 {
				none |= 1 << i
			}
		}
		for chosen := range 1 << len(m.of) { // of each factor the node, or its least
			if chosen&none != none {
				continue
			}
			part := mono{k: m.k}
			for i, n := range m.of {
				if chosen>>i&1 != 0 {
					part.of = append(part.of, n)
				} else {
					part.k *= sign * min(least(n), maxLeast)
				}
			}
			if part.k != 0 {
				all.add(part)
			}
		}
	}
	return all
}

// positive is p or more: without what is subtracted.
func (p poly) positive() poly {
	all := poly{c: max(p.c, 0)}
	for _, m := range p.terms {
		if m.k > 0 {
			all.terms = append(all.terms, m)
		}
	}
	return all
}

// inBlocks is p as the host computes it for all blocks at once: the most that it is in any, or the least (!up). What is multiplied by a block's place is
// nothing in the first block.
func (p poly) inBlocks(up bool) poly {
	all := poly{c: p.c}
	for _, m := range p.terms {
		if m.k > 0 == up || !slices.ContainsFunc(m.of, (*node).ofBlock) {
			all.terms = append(all.terms, m)
		}
	}
	return all
}

// ofDividends is p or more: with what is divided by constants in place of the quotients.
func (p poly) ofDividends() poly {
	all := poly{c: p.c}
	for _, m := range p.terms {
		if m.k > 0 {
			m.of = slices.Clone(m.of)
			for i, n := range m.of {
				for n.op == token.QUO || n.op == token.SHR {
					n = n.x
				}
				m.of[i] = n
			}
			slices.SortFunc(m.of, func(x, y *node) int { return x.id - y.id })
		}
		all.add(m)
	}
	return all
}

// notNegative reports whether p is at least 0 wherever its nodes are not below their least.
func (p poly) notNegative(least leastOf) bool {
	q := p.above(least)
	return q.c >= 0 && !slices.ContainsFunc(q.terms, func(m mono) bool { return m.k < 0 })
}

// atLeast reports whether p is not below q.
func (p poly) atLeast(q poly, least leastOf) bool {
	d, ok := p.plus(q, -1)
	return ok && d.notNegative(least)
}

// grows reports whether p is above q where its nodes are large enough, or all but its constants are.
func (p poly) grows(q poly) bool {
	d, ok := p.plus(q, -1)
	return ok && len(d.terms) > 0 && !slices.ContainsFunc(d.terms, func(m mono) bool { return m.k < 0 })
}

// either is a polynomial that is not below p and q (up), or not above either.
func (p poly) either(q poly, up bool, least leastOf) (poly, bool) {
	a, b := p.above(least), q.above(least)
	if !a.fits() || !b.fits() {
		return poly{}, false
	}
	pick := func(x, y int64) int64 {
		if up {
			return max(x, y)
		}
		return min(x, y)
	}
	all := poly{c: pick(a.c, b.c)}
	for _, m := range a.terms {
		if k := pick(m.k, b.factor(m.of)); k != 0 {
			all.add(mono{k, m.of})
		}
	}
	for _, m := range b.terms {
		if k := pick(m.k, 0); k != 0 && a.factor(m.of) == 0 {
			all.add(mono{k, m.of})
		}
	}
	all = all.below(least)
	return all, all.fits()
}

// factor is that of a product, 0 if there is none.
func (p poly) factor(of []*node) int64 {
	for _, m := range p.terms {
		if compareNodes(m.of, of) == 0 {
			return m.k
		}
	}
	return 0
}

// isAssumed reports whether p is no more than what variables are taken to be at most.
func (p poly) isAssumed() bool { return len(p.terms) == 0 && p.c >= 1<<27 }

// isFew reports whether p is a constant as small as an array's length.
func (p poly) isFew() bool { return len(p.terms) == 0 && p.c < 1<<16 }

// ofLaunch reports whether the size of a launch is in p.
func (p poly) ofLaunch() bool {
	return slices.ContainsFunc(p.terms, func(m mono) bool {
		return slices.ContainsFunc(m.of, func(n *node) bool { return n.op == opField && n.x.op == opCall || n.isShared() })
	})
}
