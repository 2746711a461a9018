package spmd

import (
	"heddle/internal/lazy"
	"heddle/internal/spmd/ll"
)

// This file says which operations keep values linear: uniform, or larger by a
// stride from lane to lane.

// linearOps are the operations that keep values linear, or know of alignment.
// They return an unknown shape where they have nothing to say.
//
// The rules below write x(l) for lane l's value of the operand x, and x(l) =
// x(0) + l*s, with s its stride and A its alignment: A divides x(0). All of it is
// modulo 2^n for values of n bits. What no flag says matters: lane 0 may be
// inactive, where a flag need not hold, so a result that stands for all lanes is
// computed without flags (emitter.flags).
var linearOps lazy.Value[map[string]func(a *analysis, i *ll.Inst) shape]

func init() {
	linearOps.Make = func() map[string]func(a *analysis, i *ll.Inst) shape {
		return map[string]func(a *analysis, i *ll.Inst) shape{
			// x(l) + y(l) = x(0) + y(0) + l*(s+t), aligned as the worse of both.
			"add": func(a *analysis, i *ll.Inst) shape { return a.sum(i.Args[0], i.Args[1], 1) },
			// x(l) - y(l) = x(0) - y(0) + l*(s-t).
			"sub": func(a *analysis, i *ll.Inst) shape { return a.sum(i.Args[0], i.Args[1], -1) },
			// A sum if no bit is in both operands. Lane 0's is computed as a sum, for the flag
			// need not hold there (emitter.or).
			"or": func(a *analysis, i *ll.Inst) shape {
				if a.disjoint(i) {
					return a.sum(i.Args[0], i.Args[1], 1)
				}
				return shape{}
			},
			// x(l)*c = x(0)*c + l*s*c; x << c likewise, of c less than the width.
			"mul": (*analysis).product,
			"shl": (*analysis).product,
			// See masked and quotient: within a gang, no value crosses a multiple of c.
			"and":  (*analysis).masked,
			"urem": (*analysis).masked,
			"lshr": (*analysis).quotient,
			"udiv": (*analysis).quotient,
			// The low bits of a sum are the sum of the low bits; settle wraps the stride.
			"trunc":  (*analysis).same,
			"freeze": (*analysis).same,
			// Only where no lane's value wraps around in the narrower type.
			"zext": (*analysis).extended,
			"sext": (*analysis).extended,
			// base(l) + the sum of sext(index(l))*size: indices narrower than an address
			// are extended first.
			"getelementptr": func(a *analysis, i *ll.Inst) shape {
				if s := a.address(i); s.kind != unknown {
					return s
				}
				return a.patternAddress(i)
			},
			// An integer as an integer of its width; floats are no sums.
			"bitcast": (*analysis).reinterpreted,
		}
	}
}

// flat reports whether s is uniform or linear, which add up.
func (s shape) flat() bool { return s.kind == uniform || s.kind == linear }

func (a *analysis) sum(x, y ll.Value, sign int64) shape {
	s, t := a.shapeOf(x), a.shapeOf(y)
	if !s.flat() || !t.flat() {
		return shape{}
	}
	return linearBy(s.stride+sign*t.stride, min(s.align, t.align))
}

// disjoint reports whether an or is a sum: its operands have no bit in common.
func (a *analysis) disjoint(i *ll.Inst) bool {
	if i.Has("disjoint") && a.shapeOf(i.Args[0]).flat() && a.shapeOf(i.Args[1]).flat() {
		return true
	}
	n := constant(i.Args[1])
	s := a.shapeOf(i.Args[0])
	if n == nil || *n < 0 || !s.flat() {
		return false
	}
	// Every lane's value is a multiple of the least of both powers of two.
	return *n < min(s.align, alignOf(&s.stride))
}

// product is a multiplication or shift by a constant, or of two uniform values.
func (a *analysis) product(i *ll.Inst) shape {
	s, n := a.shapeOf(i.Args[0]), constant(i.Args[1])
	if n == nil || !s.flat() {
		if t := a.shapeOf(i.Args[1]); i.Op == "mul" && s.kind == uniform && t.kind == uniform {
			return shape{kind: uniform, align: min(1<<30, s.align*t.align)}
		}
		return shape{}
	}
	f := *n
	if i.Op == "shl" {
		if f < 0 || f > 62 {
			return shape{}
		}
		f = 1 << f
	}
	return linearBy(s.stride*f, min(1<<30, s.align*alignOf(&f)))
}

// masked is x & (2^k-1) or x % 2^k, where a gang does not cross a multiple of 2^k: if A
// and 2^k exceed all l*s >= 0, then x(0) has none of their bits, and x(l) % 2^k = x(0) % 2^k + l*s.
func (a *analysis) masked(i *ll.Inst) shape {
	s, n := a.shapeOf(i.Args[0]), constant(i.Args[1])
	if n == nil || *n <= 0 || *n >= 1<<62 || s.kind != linear {
		return shape{}
	}
	period := *n
	if i.Op == "and" {
		period++
	}
	if period&(period-1) != 0 || !a.within(s, period) {
		return shape{}
	}
	return linearBy(s.stride, min(s.align, period))
}

// quotient is x / 2^k or x >> k, where a gang does not cross a multiple of 2^k: as in masked,
// x(l) / 2^k = x(0) / 2^k.
func (a *analysis) quotient(i *ll.Inst) shape {
	s, n := a.shapeOf(i.Args[0]), constant(i.Args[1])
	if n == nil || *n < 0 || s.kind != linear {
		return shape{}
	}
	divisor := *n
	if i.Op == "lshr" {
		if *n > 30 {
			return shape{}
		}
		divisor = 1 << *n
	}
	if divisor == 0 || divisor&(divisor-1) != 0 || !a.within(s, divisor) {
		return shape{}
	}
	return isUniform
}

// within reports whether all lanes' values lie between the same multiples of
// period, a power of two: lane 0's is a multiple of more than the lanes span. A stride
// may be any number, such as a hash's factor, and what they span more than 64 bits hold.
func (a *analysis) within(s shape, period int64) bool {
	return s.stride > 0 && s.stride <= min(period, s.align)/int64(a.lanes)
}

func (a *analysis) same(i *ll.Inst) shape { return a.shapeOf(i.Args[0]) }

// extended is a widening cast: ext(x(l)) = ext(x(0)) + l*s if no lane's value, computed exactly,
// is outside the narrower type. Alignment stays: of n bits with A >= 2^n, x(0) is 0.
func (a *analysis) extended(i *ll.Inst) shape {
	s := a.shapeOf(i.Args[0])
	if s.kind == uniform {
		return s
	}
	if s.kind == linear && a.fits(i.Args[0], i.Op == "sext") {
		return s
	}
	return shape{}
}

func (a *analysis) reinterpreted(i *ll.Inst) shape {
	if i.Typ.Text == i.Args[0].Type().Text {
		return a.same(i)
	}
	return shape{}
}

// address is a getelementptr: the sum of its base and the indices' products.
func (a *analysis) address(i *ll.Inst) shape {
	base := a.shapeOf(i.Args[0])
	if !base.flat() {
		return shape{}
	}
	scale := a.scale(i.Args[0]) // of an offset within an array that lanes share
	stride, align := base.stride, base.align
	for _, t := range gepTerms(i) {
		if t.index == nil {
			align = min(align, alignOf(&t.offset))
			continue
		}
		s := a.shapeOf(t.index)
		if !s.flat() || s.kind == linear && t.index.Type().Bits < 64 && !a.fits(t.index, true) {
			return shape{}
		}
		stride += s.stride * t.offset * scale
		align = min(align, s.align*alignOf(&t.offset))
	}
	return linearBy(stride, align)
}

// A gepTerm is a part of an address: a byte offset, or an index times a size.
type gepTerm struct {
	index  ll.Value // nil: offset alone
	offset int64
}

// gepTerms takes a getelementptr's indices apart.
func gepTerms(i *ll.Inst) []gepTerm {
	var out []gepTerm
	t := i.Elem
	for n, x := range i.Args[1:] {
		var size int64
		switch {
		case n == 0:
			size = int64(roundSize(t))
		case t.Kind == ll.Struct:
			f := int(*constant(x))
			out = append(out, gepTerm{nil, int64(t.Offset(f))})
			t = t.Elems[f]
			continue
		default:
			t = t.Elem
			size = int64(roundSize(t))
		}
		if c := constant(x); c != nil {
			out = append(out, gepTerm{nil, *c * size})
		} else {
			out = append(out, gepTerm{x, size})
		}
	}
	return out
}

// roundSize is the distance between two neighbours of type t in an array.
func roundSize(t *ll.Type) int {
	a := t.Align()
	return (t.Size() + a - 1) / a * a
}
