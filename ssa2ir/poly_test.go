package ssa2ir

import (
	"math/rand/v2"
	"testing"
)

// at is the value of a polynomial, given its nodes'.
func (p poly) at(values map[*node]int64) int64 {
	sum := p.c
	for _, m := range p.terms {
		k := m.k
		for _, n := range m.of {
			k *= values[n]
		}
		sum += k
	}
	return sum
}

// TestPoly computes with random polynomials, and with their values.
func TestPoly(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	nodes := []*node{{id: 1}, {id: 2}, {id: 3}}
	random := func() poly {
		p := constantPoly(int64(r.IntN(9) - 4))
		for range r.IntN(4) {
			m := mono{k: int64(r.IntN(7) - 3)}
			for range 1 + r.IntN(2) {
				m.of = append(m.of, nodes[r.IntN(len(nodes))])
			}
			if len(m.of) == 2 && m.of[0].id > m.of[1].id {
				m.of[0], m.of[1] = m.of[1], m.of[0]
			}
			if m.k != 0 {
				p.add(m)
			}
		}
		return p
	}
	known, higher := 0, 0
	for range 3000 {
		p, q := random(), random()
		floors := map[*node]int64{}
		for _, n := range nodes {
			floors[n] = int64(r.IntN(4))
		}
		least := func(n *node) int64 { return floors[n] }
		sum, _ := p.plus(q, -2)
		product, small := p.times(q)
		top, _ := p.either(q, true, least)
		low, _ := p.either(q, false, least)
		positive := p.notNegative(least)
		if positive {
			known++
		}
		for range 5 {
			values := map[*node]int64{}
			for _, n := range nodes {
				values[n] = floors[n] + int64(r.IntN(6))
			}
			a, b := p.at(values), q.at(values)
			if got := sum.at(values); got != a-2*b {
				t.Fatalf("%v - 2*(%v) is %d, want %d", p, q, got, a-2*b)
			}
			if got := product.at(values); small && got != a*b {
				t.Fatalf("(%v) * (%v) is %d, want %d", p, q, got, a*b)
			}
			if got := p.above(least).below(least).at(values); got != a {
				t.Fatalf("%v there and back is %d, want %d", p, got, a)
			}
			if got := top.at(values); got < max(a, b) {
				t.Fatalf("%v or %v is at most %d, but one is %d", p, q, got, max(a, b))
			}
			if got := low.at(values); got > min(a, b) {
				t.Fatalf("%v or %v is at least %d, but one is %d", p, q, got, min(a, b))
			}
			if positive && a < 0 {
				t.Fatalf("%v is not negative, but %d", p, a)
			}
			if top.at(values) > max(a, b) {
				higher++
			}
		}
	}
	if known < 300 || higher > 12000 {
		t.Errorf("of 3000, %d are known not to be negative; an upper end of two is more than both %d times of 15000", known, higher)
	}
}
