package ssa2ir

// This file computes with intervals of integers, as the prover (prove.go) needs them: what
// an operator makes of what its operands may be, and whether it may wrap around.

import (
	"go/token"
	"math"
	"math/bits"
)

// An intType is the range of a Go type of integers.
type intType struct {
	bits   uint8
	signed bool
}

// A span is what an integer may be, both ends included. One that a uint64 may exceed
// has no upper end: hi is then math.MaxInt64.
type span struct{ lo, hi int64 }

// full is all that the type holds.
func (t intType) full() span {
	switch {
	case t.signed:
		return span{math.MinInt64 >> (64 - t.bits), math.MaxInt64 >> (64 - t.bits)}
	case t.bits == 64:
		return span{0, math.MaxInt64}
	}
	return span{0, 1<<t.bits - 1}
}

// endless reports whether values above math.MaxInt64 are among those of s.
func (t intType) endless(s span) bool { return !t.signed && t.bits == 64 && s.hi == math.MaxInt64 }

// one is the only number of the span, if there is one.
func (s span) one() (int64, bool) { return s.lo, s.lo == s.hi && s.hi != math.MaxInt64 }

func (s span) within(t span) bool { return t.lo <= s.lo && s.hi <= t.hi }

// and is what is in both; s, if nothing is: then the code is not reached, and anything holds.
func (s span) and(t span) span {
	if r := (span{max(s.lo, t.lo), min(s.hi, t.hi)}); r.lo <= r.hi {
		return r
	}
	return s
}

func (s span) or(t span) span { return span{min(s.lo, t.lo), max(s.hi, t.hi)} }

// add is the sum, if it fits.
func add(x, y int64) (int64, bool) {
	s := x + y
	return s, (s > x) == (y > 0)
}

// sub is the difference, if it fits.
func sub(x, y int64) (int64, bool) {
	s := x - y
	return s, (s < x) == (y > 0)
}

// mul is the product, if it fits.
func mul(x, y int64) (int64, bool) {
	if x == 0 || y == 0 {
		return 0, true
	}
	p := x * y
	if (x < 0) != (y < 0) == (p < 0) && p/y == x && !(x == -1 && y == math.MinInt64) && !(y == -1 && x == math.MinInt64) {
		return p, true
	}
	return 0, false
}

// exact is the span of numbers that are computed without wrapping around: those between
// lo and hi, if the type has them all.
func (t intType) exact(lo, hi int64, ok bool) (span, bool) {
	s := span{lo, hi}
	if !ok || !s.within(t.full()) || t.endless(s) {
		return t.full(), false
	}
	return s, true
}

// spanOf is what an operator makes of x and y, and whether it cannot wrap around. All
// are of type t, but for the count of a shift, which has type ty.
func spanOf(op token.Token, t, ty intType, x, y span) (span, bool) {
	switch op {
	case token.ADD, token.SUB, token.MUL:
		if t.endless(x) || t.endless(y) {
			return t.full(), false
		}
		return t.exact(sumSpan(op, x, y))
	case token.SHL:
		if ty.endless(y) || y.lo < 0 || y.hi > 62 || t.endless(x) {
			return t.full(), false
		}
		return t.exact(sumSpan(token.MUL, x, span{1 << y.lo, 1 << y.hi}))
	case token.SHR:
		return shiftSpan(t, x, y), true
	case token.QUO:
		return quotientSpan(t, x, y), true
	case token.REM:
		return remainderSpan(t, x, y), true
	}
	return bitSpan(op, t, x, y), true
}

// sumSpan is that of a sum, a difference or a product, if it is one of int64.
func sumSpan(op token.Token, x, y span) (lo, hi int64, ok bool) {
	var ok1, ok2 bool
	switch op {
	case token.ADD:
		lo, ok1 = add(x.lo, y.lo)
		hi, ok2 = add(x.hi, y.hi)
	case token.SUB:
		lo, ok1 = sub(x.lo, y.hi)
		hi, ok2 = sub(x.hi, y.lo)
	default:
		lo, hi, ok1, ok2 = math.MaxInt64, math.MinInt64, true, true
		for _, a := range []int64{x.lo, x.hi} {
			for _, b := range []int64{y.lo, y.hi} {
				p, fits := mul(a, b)
				lo, hi, ok1 = min(lo, p), max(hi, p), ok1 && fits
			}
		}
	}
	return lo, hi, ok1 && ok2
}

// shiftSpan is that of x >> y. A count past the width gives 0, or the sign.
func shiftSpan(t intType, x, y span) span {
	least, most := max(y.lo, 0), max(y.hi, 0)
	down := func(n, by int64) int64 { return n >> min(by, 63) }
	r := span{down(x.lo, most), down(x.hi, least)}
	if x.lo < 0 {
		r.lo = down(x.lo, least)
	}
	if x.hi < 0 {
		r.hi = down(x.hi, most)
	}
	if t.endless(x) && least > 0 {
		r.hi = int64(uint64(math.MaxUint64) >> min(least, 64))
	}
	return r
}

// notZero is what a divisor may be: by 0 nothing comes of a division.
func (s span) notZero() span {
	switch {
	case s.lo == 0 && s.hi > 0:
		s.lo = 1
	case s.hi == 0 && s.lo < 0:
		s.hi = -1
	}
	return s
}

// quotientSpan is that of x / y, rounded towards zero.
func quotientSpan(t intType, x, y span) span {
	y = y.notZero()
	if y.lo < 1 {
		switch most := max(x.hi, -x.lo); {
		case x.lo >= 0 && !t.signed:
			return span{0, x.hi}
		case t.signed && x.lo > t.full().lo:
			return span{-most, most}
		}
		return t.full()
	}
	r := span{x.lo / y.hi, x.hi / y.lo}
	if x.lo < 0 {
		r.lo = x.lo / y.lo
	}
	if x.hi < 0 {
		r.hi = x.hi / y.hi
	}
	if t.endless(y) && x.lo > 0 {
		r.lo = 0
	}
	if t.endless(x) && y.lo > 1 {
		r.hi = int64(math.MaxUint64 / uint64(y.lo))
	}
	return r
}

// remainderSpan is that of x % y, which has the sign of x.
func remainderSpan(t intType, x, y span) span {
	y = y.notZero()
	r := x
	if x.lo > 0 {
		r.lo = 0
	}
	if x.hi < 0 {
		r.hi = 0
	}
	if y.lo < 1 || t.endless(y) {
		return r
	}
	if x.lo >= 0 && x.hi < y.lo && !t.endless(x) {
		return x
	}
	return span{max(r.lo, 1-y.hi), min(r.hi, y.hi-1)}
}

// bitSpan is that of &, |, ^ and &^.
func bitSpan(op token.Token, t intType, x, y span) span {
	both := x.lo >= 0 && y.lo >= 0
	r := span{0, math.MaxInt64}
	switch {
	case op == token.AND && both:
		r.hi = min(x.hi, y.hi)
	case op == token.AND && x.lo >= 0:
		r.hi = x.hi
	case op == token.AND && y.lo >= 0:
		r.hi = y.hi
	case op == token.AND_NOT && x.lo >= 0:
		r.hi = x.hi
		if m, ok := y.one(); ok && m >= 0 && m&(m+1) == 0 && !t.endless(x) && !t.endless(y) {
			r = span{x.lo &^ m, x.hi &^ m}
		}
	case (op == token.OR || op == token.XOR) && both:
		r.hi = int64(1<<bits.Len64(uint64(x.hi|y.hi)) - 1)
		if op == token.OR {
			r.lo = max(x.lo, y.lo)
		}
	default:
		return t.full()
	}
	return r.and(t.full())
}

// convertSpan is that of x, of type from, as one of type t, and whether it keeps its value.
func convertSpan(t, from intType, x span) (span, bool) {
	if full := t.full(); x.within(full) && (!from.endless(x) || !t.signed && t.bits == 64) {
		return x, true
	}
	return t.full(), false
}
