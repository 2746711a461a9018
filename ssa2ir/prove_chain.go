package ssa2ir

// This file shows that a sum is at most 0 by adding facts to it, each of which says so of another sum:
//
//	i - n + 1 <= 0, n - m <= 0   ->   i - m + 1 <= 0
//
// The longest proof in the bench takes 544 questions. Where there is no proof, facts can be combined in millions of ways. So the prover
// tries one fact before two, and so on up to maxChain, and asks at most maxClaims questions.

import "golang.org/x/tools/go/ssa"

// The limits of how many facts lead to a conclusion, and of how many questions are asked on the way to it.
const (
	maxChain  = 5
	maxClaims = 4000
	minClaims = 1000 // once more did not help
)

// A claim is that a sum is at most 0 at a place.
type claim struct {
	sum uint64 // linear.hash
	c   *place
}

// hash tells sums from each other. Of two that it does not, one may not be shown, which is no mistake.
func (l linear) hash() uint64 {
	const prime = 0x9e3779b97f4a7c15
	h := uint64(l.c) * prime
	for _, t := range l.terms {
		h = (h ^ h>>29 ^ uint64(t.n.id)) * prime
		h = (h ^ h>>32 ^ uint64(t.k)) * prime
	}
	return h ^ h>>31
}

// follows reports whether l <= 0 follows from what holds at c.
func (p *prover) follows(l linear, c *place) bool {
	left, short := p.claims, p.short // of a question that this one is asked for
	defer func() { p.claims, p.short = left, short }()
	p.claims = p.mostClaims
	for deep := range maxChain + 1 {
		p.short = false
		if p.negative(l, c, deep) {
			return true
		}
		if !p.short || p.steps < 0 {
			return false
		}
		if p.claims < 0 { // the next ones are about the same values as a rule
			p.mostClaims = max(p.mostClaims/2, minClaims)
			return false
		}
	}
	return false
}

// negative reports whether l <= 0 at c, by so many facts. Different facts lead to the same claims: what cannot be shown is tried once.
func (p *prover) negative(l linear, c *place, deep int) bool {
	if p.claims--; p.claims < 0 {
		return false
	}
	if deep == 0 || len(p.assumed) > 0 || len(p.pending) > 0 {
		return p.showNegative(l, c, deep)
	}
	key := claim{l.hash(), c}
	if d, ok := p.failed[key]; ok && d >= deep {
		p.short = p.short || d < maxChain
		return false
	}
	short := p.short
	p.short = false
	if p.showNegative(l, c, deep) {
		return true
	}
	if p.steps >= 0 && p.claims >= 0 {
		if !p.short {
			deep = maxChain // more facts are of no use
		}
		p.failed[key] = deep
	}
	p.short = p.short || short
	return false
}

func (p *prover) showNegative(l linear, c *place, deep int) bool {
	if minus, ok := (linear{}).plus(l, -1); ok {
		if least, ok := p.leastOf(minus, nil, c, maxFacts); ok && least >= 0 {
			return true
		}
	}
	if deep == 0 || !p.step() {
		p.short = true
		return false
	}
	// l = m + k*s, where s <= 0 is a fact: it is enough that m <= 0
	for _, t := range l.terms {
		for _, f := range p.sums[t.n] {
			if c.passed(f.at) && p.negativeBy(l, t, f.sum, c, deep) {
				return true
			}
		}
		for _, s := range p.implied(t.n, t.k > 0, c) {
			if p.negativeBy(l, t, s, c, deep) {
				return true
			}
		}
	}
	return p.negativeByEdges(l, c, deep)
}

// negativeBy uses s <= 0, in which the node of t is, to show that l <= 0.
func (p *prover) negativeBy(l linear, t term, s linear, c *place, deep int) bool {
	k, ok := s.factor(t.n), true
	if k == 0 || (k > 0) != (t.k > 0) {
		return false
	}
	if t.k%k != 0 {
		if k%t.k != 0 {
			return false
		}
		by := k / t.k
		if l, ok = (linear{}).plus(l, by); !ok {
			return false
		}
		t.k = k
		l.c -= by - 1 // by times an integer is at most 0 if it is less than by
	}
	m, ok := l.plus(s, -(t.k / k))
	return ok && len(m.terms) <= len(l.terms)+1 && p.negative(m, c, deep-1)
}

// negativeByEdges shows l <= 0 for each edge of the phi nodes of one block in l.
func (p *prover) negativeByEdges(l linear, c *place, deep int) bool {
	var at *ssa.BasicBlock
	for _, t := range l.terms {
		if t.n.op == opPhi && p.loops[t.n.block] == nil && (at == nil || at.Dominates(t.n.block)) {
			at = t.n.block
		}
	}
	if at == nil {
		return false
	}
	var rest linear
	rest.c = l.c
	var phis []term
	for _, t := range l.terms {
		switch {
		case t.n.op == opPhi && t.n.block == at:
			phis = append(phis, t)
		case t.n.block == nil || t.n.block != at && t.n.block.Dominates(at):
			rest.terms = append(rest.terms, t)
		default:
			return false
		}
	}
	for i, from := range at.Preds {
		if !p.know.taken(from, at) {
			continue
		}
		e := p.placeOn(from, at)
		m, ok := rest, true
		for _, t := range phis {
			x, ok1 := p.linearOf(p.node(t.n.v.(*ssa.Phi).Edges[i]), e, 0)
			if m, ok = m.plus(x, t.k); !ok || !ok1 {
				return false
			}
		}
		p.linearise(e)
		if !p.negative(m, e, deep-1) {
			return false
		}
	}
	return true
}
