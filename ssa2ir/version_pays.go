package ssa2ir

// This file says which loops have two versions where lanes vote: there the checks ahead cost about as
// much as those of a few iterations.

import (
	"math"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/lazy"
	"heddle/internal/module"
)

// How often loops are taken to run, if their code does not say.
const (
	someTrips = 16
	gridTrips = 8  // by steps that are not known, as those of all threads of a grid are
	warpTrips = 4  // by steps of a warp or block
	leastWarp = 32 // the least of those
	ofMost    = 4  // the part of the most trips that is usual, where that is known
)

// What a guard costs beside its checks, in comparisons.
const (
	voteCost  = 2
	rangeCost = 4 // of the loop's variable, unless all of it is constant
)

// pays reports whether the checks ahead, which are two comparisons each, are less than those that
// the iterations lose. If as many are left in these, loads wait as before, and nothing is gained.
func (v *version) pays(left int) bool {
	if v.count == nil && v.trips == 0 {
		return false
	}
	n, rows := int64(0), int64(0)
	for _, g := range v.ahead {
		if !g.slope.constant() || g.slope.c != 0 || g.by != 0 || g.behind { // the others are made once anyhow
			n++
		}
		if g.behind && g.slope.constant() && g.slope.c == 0 && g.by == 0 && !v.alters {
			n++ // and so is the load
		}
		if !g.slope.constant() {
			rows++ // its index is a product in each iteration, and becomes a sum
		}
	}
	if v.count == nil {
		return n > int64(left) && v.trips/ofMost*n > 2*n+voteCost
	}
	trips, cost := v.usualTrips(), int64(voteCost+rangeCost)
	if l := v.f.in.loops[v.header]; l != nil && l.trips > 0 {
		trips, cost = int64(l.trips), voteCost
	}
	return n > int64(left) && trips*n+rows > 2*n+cost
}

// usualTrips is how often the loop is taken to run.
func (v *version) usualTrips() int64 {
	trips := int64(someTrips)
	switch by := v.count.by; {
	case by == 0:
		trips = gridTrips
	case by >= leastWarp || by <= -leastWarp:
		trips = warpTrips
	}
	return min(trips, v.mostTrips()/ofMost)
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

// callsLong reports whether the loop calls a function of the device's math library that is long: four of these are more than a
// processor keeps at hand, and registers for all.
func (v *version) callsLong() bool {
	for _, b := range v.blocks {
		for _, i := range b.Instrs {
			if c, ok := i.(*ssa.Call); ok && c.Call.StaticCallee() != nil && longFunctions.Get()[fullName(c.Call.StaticCallee())] && !v.f.opts.FastMath {
				return true
			}
		}
	}
	return false
}

var longFunctions = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	all := map[string]bool{}
	for _, name := range []string{"Sin", "Cos", "Sincos", "Tan", "Pow", "Gamma", "Lgamma"} {
		all["math."+name], all[module.DSL+"."+name] = true, true
	}
	return all
}}
