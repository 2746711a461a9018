package ssa2ir

// This file is about what ends take for granted.

import "slices"

// A need is what an end takes for granted: the variables and products of a polynomial are from 0 to 1<<31-1, and if asked for, it is
// not negative itself.
type need struct {
	poly
	asked bool
}

// knownEnd is an end that is p; unknown, if it is not ok. needs are those of what it is made of.
func knownEnd(p poly, ok bool, needs ...[]need) end {
	e := end{poly: p, known: ok}
	if !ok {
		return end{}
	}
	e.needs = append(e.needs, need{poly: p})
	for _, n := range needs {
		e.needs = append(e.needs, n...)
	}
	if len(e.needs) > manyNeeds {
		e.needs = distinct(e.needs)
	}
	return e
}

// manyNeeds is from how many on needs are looked through for those that are there twice: at each operation there are those of both ends of both operands.
const manyNeeds = 32

// distinct are needs, each once.
func distinct(all []need) (once []need) {
	for _, n := range all {
		same := func(o need) bool { return o.asked == n.asked && o.equals(n.poly) }
		if !slices.ContainsFunc(once, same) {
			once = append(once, n)
		}
	}
	return once
}
