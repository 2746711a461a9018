package ssa2ir

// This file finds conditions that do not hold, whatever is passed, or not of the launch that code is made for: that code would never be run.

import (
	"heddle/internal/abi"
	"heddle/internal/target"
)

// mayHold reports whether the host may find that indices go no further than r. What is part of a condition that cannot hold would keep all
// else from being of use, so who asks for it does without.
func (f *function) mayHold(b *bounded, r reach) bool {
	h := &hostSteps{f: f}
	d := &decision{calculator: h, b: &bounded{host: true, proof: b.proof, reaches: []reach{r}, elements: 1}, values: map[*node]target.Value{}, host: true}
	v := d.decide()
	if v == nil {
		return true
	}
	h.steps = h.steps[:h.place(v)+1]
	return !h.failed && f.mayBe(h.steps)
}

// mayBe reports whether there is a condition, and it holds of the launch that the code is made for, or may hold of some.
func (f *function) mayBe(c abi.Condition) bool {
	if l := f.opts.Launch; l != nil {
		return c != nil && c.Check(len(l.Args)) == nil && c.Holds(l)
	}
	return c != nil && knownOnes(c) == 0
}

// knownOnes are bits of what a condition computes that are set whatever is passed. Where there is one the condition never holds.
func knownOnes(c abi.Condition) uint64 {
	ones, isConst := make([]uint64, len(c)), make([]bool, len(c)) // of constants these are all
	for i, s := range c {
		x, y := uint64(0), uint64(0)
		if s.Op > abi.StepConst {
			x, y = ones[s.X], ones[s.Y]
		}
		switch {
		case s.Op < abi.StepConst:
		case s.Op == abi.StepConst || isConst[s.X] && (s.Op == abi.StepLow || isConst[s.Y]):
			isConst[i] = true
			ones[i] = abi.Condition{{Op: abi.StepConst, K: x}, {Op: abi.StepConst, K: y}, {Op: s.Op, K: s.K, Y: 1}}.Value(&abi.Launch{})
		case s.Op == abi.StepOr:
			ones[i] = x | y
		case s.Op == abi.StepShr && isConst[s.Y]:
			ones[i] = x >> (y & 63)
		case s.Op == abi.StepLow:
			ones[i] = x & (1<<32 - 1)
		}
	}
	return ones[len(c)-1]
}
