package ssa2ir

// This file says which loops have two versions where lanes vote: there the checks ahead cost about as
// much as those of a few iterations.

import "math"

// What tells whether a guard that is a vote pays, in comparisons.
const (
	someTrips = 16 // how often loops are taken to run where the code does not say
	fewTrips  = 4  // and those that share their iterations among the threads of a warp, block or grid
	ofMost    = 4  // the part of the most trips that are known that is taken to be usual
	leastWarp = 32
	voteCost  = 2
	guardCost = 6 // the vote, the branch, and what is checked of the loop's variable
)

// pays reports whether checks ahead, which are two comparisons each, are less than those that the
// iterations lose. If as many are left in these, loads wait as before, and nothing is gained.
func (v *version) pays(left int) bool {
	if v.count == nil {
		return false
	}
	trips := int64(someTrips)
	if by := v.count.by; by == 0 || by >= leastWarp || by <= -leastWarp {
		trips = fewTrips
	}
	n := 0
	for _, g := range v.ahead {
		if !g.slope.constant() || g.slope.c != 0 { // the others are made once anyhow
			n++
		}
	}
	cost := int64(guardCost)
	most := v.mostTrips() / ofMost
	if l := v.f.in.loops[v.header]; l != nil && l.trips > 0 {
		trips, most, cost = int64(l.trips), int64(l.trips), voteCost
	}
	return n > left && min(trips, most)*int64(n) > 2*int64(n)+cost
}

// mostTrips is how often the loop is run at most, or a number that is large.
func (v *version) mostTrips() int64 {
	const many = math.MaxInt32
	p := v.f.proof
	start := span{math.MaxInt64, math.MinInt64}
	for i, from := range v.header.Preds {
		if !v.loop.blocks[from] && v.f.know.taken(from, v.header) {
			start = start.or(p.spanBefore(v.count.phi.Edges[i], from.Instrs[len(from.Instrs)-1]))
		}
	}
	at := v.tests.Instrs[len(v.tests.Instrs)-1]
	bound, by := p.spanBefore(v.count.test.Y, at), v.count.by
	if by == 0 {
		by = max(p.spanBefore(v.count.step, at).lo, 1)
	}
	if by < 0 {
		start, bound, by = bound, start, -by
	}
	far, ok := add(bound.hi, -start.lo)
	if start.lo == math.MinInt64 || !ok || far < 0 || far > many {
		return many
	}
	return far/by + 1
}
