package ssa2ir

// This file has what a comparison of floats says of the ints that are made of them, as of a place in a grid:
//
//	if x >= 0 && x < float32(w) { ... row[int(x)] }      0 <= int(x) < w
//
// x < float32(w) says int(x) < w though float32(w) is rounded: where that is more than w, no float lies between them. A
// comparison that is false says nothing, since x may be no number.

import (
	"go/constant"
	"go/token"
	"math"
	"strings"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/module"
)

// A floatBound says that a float is at least, or at most, a constant or an integer that was made a float.
type floatBound struct {
	x      ssa.Value
	below  bool // x is less than that, else more
	strict bool // and not equal
	k      float64
	n      ssa.Value // the integer; nil: the constant
}

// addFloats adds what follows from a comparison of floats that is true, of what is defined above a block if that is not nil.
func (p *prover) addFloats(c *place, v *ssa.BinOp, truth bool, above *ssa.BasicBlock) {
	if !truth || !isFloat(v.X.Type()) {
		return
	}
	switch v.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return
	}
	below, strict := v.Op == token.LSS || v.Op == token.LEQ, v.Op == token.LSS || v.Op == token.GTR
	for _, b := range []floatBound{{x: v.X, below: below, strict: strict}, {x: v.Y, below: !below, strict: strict}} {
		of := v.Y
		if b.x == v.Y {
			of = v.X
		}
		switch of := of.(type) {
		case *ssa.Const:
			if b.k, _ = constant.Float64Val(constant.ToFloat(of.Value)); sizeof(of.Type()) == 4 {
				b.k = float64(float32(b.k))
			}
		case *ssa.Convert:
			if t, ok := typeOf(of.X.Type()); !ok || t.bits == 64 && !t.signed || !b.below || !strict {
				continue
			}
			b.n = of.X
		default:
			continue
		}
		if above == nil || b.isAbove(p, above) {
			p.addBound(c, b)
		}
	}
}

// addBound notes a bound of a float, and adds what all that are known at c say of ints.
func (p *prover) addBound(c *place, b floatBound) {
	if _, isConst := b.x.(*ssa.Const); isConst || b.x.Referrers() == nil {
		return
	}
	c.floats = append(c.floats, b)
	var lowest, highest *floatBound
	for q := c; q != nil; q = q.parent {
		for i := range q.floats {
			switch o := &q.floats[i]; {
			case o.x != b.x:
			case o.below:
				highest = closer(highest, o)
			case lowest == nil || o.k > lowest.k:
				lowest = o
			}
		}
	}
	for _, i := range madeInts(b.x) {
		p.addInt(c, i, lowest, highest)
	}
}

// closer is the one of two upper bounds that says more: that which is an integer of the program.
func closer(a, b *floatBound) *floatBound {
	if a == nil || b.n != nil && a.n == nil || b.n == nil && a.n == nil && b.k < a.k {
		return b
	}
	return a
}

// madeInts are the ints that a float is made, perhaps rounded down first.
func madeInts(x ssa.Value) (all []*ssa.Convert) {
	for _, r := range *x.Referrers() {
		switch r := r.(type) {
		case *ssa.Convert:
			if t, ok := typeOf(r.Type()); ok && t.bits == 64 && t.signed {
				all = append(all, r)
			} else if !ok && isFloat(r.Type()) && sizeof(r.Type()) > sizeof(r.X.Type()) {
				all = append(all, madeInts(r)...)
			}
		case *ssa.Call:
			switch roundedBy(r) {
			case "Floor", "Trunc":
				all = append(all, madeInts(r)...)
			}
		}
	}
	return all
}

// roundedBy is the name of the function of package dsl or math of one argument that a call calls.
func roundedBy(c *ssa.Call) string {
	f := c.Call.StaticCallee()
	if f == nil || len(c.Call.Args) != 1 {
		return ""
	}
	if o := f.Origin(); o != nil {
		f = o
	}
	name := fullName(f)
	for _, of := range []string{module.DSL + ".", "math."} {
		if s, ok := strings.CutPrefix(name, of); ok {
			return s
		}
	}
	return ""
}

// isFloor reports whether an int is made of a float that was rounded down: what is less than n is n-1 at most then, also where it is negative.
func isFloor(i *ssa.Convert) bool {
	c, ok := i.X.(*ssa.Call)
	return ok && roundedBy(c) == "Floor"
}

// addInt adds what is known of an int that is made of a float x that is between two bounds. Of more than an int64 holds the least one is made: so it is
// never above what x is below, but may be less than what x is above. Of a rounded x the bound from below is known only if that is not negative.
func (p *prover) addInt(c *place, made *ssa.Convert, lowest, highest *floatBound) {
	if highest == nil {
		return
	}
	i := p.node(made)
	bounded := lowest != nil && lowest.k > -1<<53
	whole := bounded && (lowest.k >= 0 || isFloor(made))
	var most *node
	more := int64(0)
	switch {
	case highest.n != nil:
		most = p.node(highest.n)
		if whole { // and what it is below is 1 or more
			more = 1
		}
	case math.Abs(highest.k) < 1<<53:
		k := math.Trunc(highest.k)
		if highest.strict && k == highest.k && k > 0 {
			k--
		}
		most = p.constant(int64(k))
	default:
		return
	}
	p.add(c, &fact{x: i, y: most, c: more})
	if bounded && lowest.k < 1<<53 {
		p.add(c, &fact{x: p.constant(int64(math.Floor(lowest.k))), y: i})
	}
}

// isAbove reports whether all that a bound is about is defined in blocks that dominate b.
func (f *floatBound) isAbove(p *prover, b *ssa.BasicBlock) bool {
	i, ok := f.x.(ssa.Instruction)
	return (!ok || i.Block().Dominates(b)) && (f.n == nil || p.node(f.n).isAbove(b))
}
