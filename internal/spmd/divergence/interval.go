package divergence

import (
	"math"
	"slices"

	"heddle/internal/spmd/ll"
)

// This file bounds integers, to tell which cannot wrap around.

// fits reports whether no lane's value of v, active or not, wraps around when
// it is computed, read as signed or unsigned.
func (a *Analysis) fits(v ll.Value, signed bool) bool {
	r := a.Interval(v, 12)
	if r == nil {
		return false
	}
	n := v.Type().Bits
	if signed {
		return n > 62 || r[0] >= -1<<(n-1) && r[1] < 1<<(n-1)
	}
	return r[0] >= 0 && (n > 62 || r[1] < 1<<n)
}

// Interval bounds the exact value of v in all lanes, computed without wrapping; nil if it may wrap
// or nothing is known.
func (a *Analysis) Interval(v ll.Value, depth int) *[2]int64 {
	if c := Constant(v); c != nil {
		return &[2]int64{*c, *c}
	}
	i, ok := v.(*ll.Inst)
	if !ok || depth == 0 || i.Typ.Kind != ll.Int {
		return nil
	}
	if i.Range != [2]int64{} && i.Op == "call" {
		return &[2]int64{i.Range[0], i.Range[1] - 1}
	}
	arg := func(n int) *[2]int64 { return a.Interval(i.Args[n], depth-1) }
	switch i.Op {
	case "zext":
		if r := arg(0); r != nil && r[0] >= 0 {
			return r
		}
		if n := i.Args[0].Type().Bits; n < 62 && !slices.Contains([]shapeKind{Linear, Patterned}, a.ShapeOf(i.Args[0]).Kind) {
			return &[2]int64{0, 1<<n - 1}
		}
	case "sext": // exact unless the narrower type takes it for negative
		if r, n := arg(0), i.Args[0].Type().Bits; r != nil && (n > 62 || r[1] < 1<<(n-1)) {
			return r
		}
	case "trunc", "freeze":
		return inBits(arg(0), i.Typ.Bits)
	case "and":
		if n := Constant(i.Args[1]); n != nil && *n >= 0 {
			return &[2]int64{0, *n}
		}
	case "lshr", "udiv", "urem", "add", "sub", "mul", "shl":
		x, y := arg(0), arg(1)
		if x == nil || y == nil || (i.Op == "lshr" || i.Op == "shl") && y[1] >= int64(i.Typ.Bits) { // poison may be frozen
			return nil
		}
		return inBits(combine(i.Op, *x, *y), i.Typ.Bits)
	}
	return nil
}

// inBits is r if it can be represented in n bits either way.
//
//go:noinline
func inBits(r *[2]int64, n int) *[2]int64 {
	if r == nil || n < 62 && (r[0] < -1<<(n-1) || r[1] >= 1<<n || r[0] < 0 && r[1] >= 1<<(n-1)) {
		return nil
	}
	return r
}

// combine is interval arithmetic on small numbers.
func combine(op string, x, y [2]int64) *[2]int64 {
	const small = 1 << 40
	for _, n := range [...]int64{x[0], x[1], y[0], y[1]} {
		if n < -small || n > small {
			return nil
		}
	}
	switch op {
	case "add":
		return &[2]int64{x[0] + y[0], x[1] + y[1]}
	case "sub":
		return &[2]int64{x[0] - y[1], x[1] - y[0]}
	case "shl":
		if y[0] != y[1] || y[0] < 0 || y[0] > 20 {
			return nil
		}
		return &[2]int64{x[0] << y[0], x[1] << y[0]}
	case "mul":
		if math.Abs(float64(max(-x[0], x[1])))*math.Abs(float64(max(-y[0], y[1]))) > 1<<60 {
			return nil
		}
		p := [...]int64{x[0] * y[0], x[0] * y[1], x[1] * y[0], x[1] * y[1]}
		return &[2]int64{min(p[0], p[1], p[2], p[3]), max(p[0], p[1], p[2], p[3])}
	case "udiv", "lshr", "urem":
		if x[0] < 0 || y[0] < 0 {
			return nil
		}
		if op == "urem" {
			return &[2]int64{0, max(0, y[1]-1)}
		}
		return &[2]int64{0, x[1]}
	}
	return nil
}
