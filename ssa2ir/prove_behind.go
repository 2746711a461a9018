package ssa2ir

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// This file finds what holds behind a loop that runs a constant number of times, as each iteration has passed its checks:
//
//	for j := 0; j < 32; j += 8 {
//		tile[t.Y+j][t.X] = ...        // behind it, t.Y+24 < 32 and t.X < 33
//	}

// addBehind adds what holds on the edge by which a loop ends.
func (p *prover) addBehind(c *place, from, to *ssa.BasicBlock) {
	if p.unchecked {
		return
	}
	for _, l := range p.all {
		if !l.blocks[from] || l.blocks[to] {
			continue
		}
		r := &constantRun{loop: l}
		if l.trips <= 1 || !r.count(p.know) {
			continue
		}
		for _, b := range p.in.fn.DomPreorder() {
			if !l.blocks[b] || !l.always(b) {
				continue
			}
			for _, i := range b.Instrs {
				if a, ok := i.(*ssa.IndexAddr); ok {
					p.addIterations(c, a, r)
				}
			}
		}
	}
}

// addIterations adds what follows from a check that each iteration has passed: of an index that is the same in all, or that
// is such a number and the loop's variable, which is not negative. A sum that wraps around is then negative.
func (p *prover) addIterations(c *place, a *ssa.IndexAddr, r *constantRun) {
	x, n := p.node(a.Index), p.length(a.X)
	first, ok1 := constant.Int64Val(r.values[0])
	last, ok2 := constant.Int64Val(r.values[len(r.values)-1])
	if !ok1 || !ok2 || first < 0 || last < 0 || x.intType != goInt || !r.fixes(n) {
		return
	}
	if phi := p.node(r.phi); x.op == token.ADD && (x.x == phi || x.y == phi) {
		sum := x
		if x = sum.x; x == phi {
			x = sum.y
		}
	} else {
		first, last = 0, 0
	}
	if r.fixes(x) {
		p.add(c, &fact{x: p.constant(-min(first, last)), y: x})
		p.add(c, &fact{x: x, y: n, c: 1 + max(first, last)})
	}
}

// fixes reports whether a node is the same in all iterations.
func (r *constantRun) fixes(n *node) bool { return !r.loop.blocks[n.block] }
