package divergence

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
var linearOps lazy.Value[map[string]func(a *Analysis, i *ll.Inst) Shape]

func init() {
	linearOps.Make = func() map[string]func(a *Analysis, i *ll.Inst) Shape {
		return map[string]func(a *Analysis, i *ll.Inst) Shape{
			// x(l) + y(l) = x(0) + y(0) + l*(s+t), aligned as the worse of both.
			"add": func(a *Analysis, i *ll.Inst) Shape { return a.sum(i.Args[0], i.Args[1], 1) },
			// x(l) - y(l) = x(0) - y(0) + l*(s-t).
			"sub": func(a *Analysis, i *ll.Inst) Shape { return a.sum(i.Args[0], i.Args[1], -1) },
			// A sum if no bit is in both operands. Lane 0's is computed as a sum, for the flag
			// need not hold there (emitter.or).
			"or": func(a *Analysis, i *ll.Inst) Shape {
				if a.disjoint(i) {
					return a.sum(i.Args[0], i.Args[1], 1)
				}
				return Shape{}
			},
			// x(l)*c = x(0)*c + l*s*c; x << c likewise, of c less than the width.
			"mul": (*Analysis).product,
			"shl": (*Analysis).product,
			// See masked and quotient: within a gang, no value crosses a multiple of c.
			"and":  (*Analysis).masked,
			"urem": (*Analysis).masked,
			"lshr": (*Analysis).quotient,
			"udiv": (*Analysis).quotient,
			// The low bits of a sum are the sum of the low bits; settle wraps the stride.
			"trunc":  (*Analysis).same,
			"freeze": (*Analysis).same,
			// Only where no lane's value wraps around in the narrower type.
			"zext": (*Analysis).extended,
			"sext": (*Analysis).extended,
			// base(l) + the sum of sext(index(l))*size: indices narrower than an address
			// are extended first.
			"getelementptr": func(a *Analysis, i *ll.Inst) Shape {
				if s := a.address(i); s.Kind != Unknown {
					return s
				}
				return a.patternAddress(i)
			},
			// An integer as an integer of its width; floats are no sums.
			"bitcast": (*Analysis).reinterpreted,
		}
	}
}

// Flat reports whether s is uniform or linear, which add up.
func (s Shape) Flat() bool { return s.Kind == Uniform || s.Kind == Linear }

func (a *Analysis) sum(x, y ll.Value, sign int64) Shape {
	s, t := a.ShapeOf(x), a.ShapeOf(y)
	if !s.Flat() || !t.Flat() {
		return Shape{}
	}
	return linearBy(s.Stride+sign*t.Stride, min(s.Align, t.Align))
}

// disjoint reports whether an or is a sum: its operands have no bit in common.
func (a *Analysis) disjoint(i *ll.Inst) bool {
	if i.Has("disjoint") && a.ShapeOf(i.Args[0]).Flat() && a.ShapeOf(i.Args[1]).Flat() {
		return true
	}
	n := Constant(i.Args[1])
	s := a.ShapeOf(i.Args[0])
	if n == nil || *n < 0 || !s.Flat() {
		return false
	}
	// Every lane's value is a multiple of the least of both powers of two.
	return *n < min(s.Align, alignOf(&s.Stride))
}

// product is a multiplication or shift by a constant, or of two uniform values.
func (a *Analysis) product(i *ll.Inst) Shape {
	s, n := a.ShapeOf(i.Args[0]), Constant(i.Args[1])
	if n == nil || !s.Flat() {
		if t := a.ShapeOf(i.Args[1]); i.Op == "mul" && s.Kind == Uniform && t.Kind == Uniform {
			return Shape{Kind: Uniform, Align: min(1<<30, s.Align*t.Align)}
		}
		return Shape{}
	}
	f := *n
	if i.Op == "shl" {
		if f < 0 || f > 62 {
			return Shape{}
		}
		f = 1 << f
	}
	return linearBy(s.Stride*f, min(1<<30, s.Align*alignOf(&f)))
}

// masked is x & (2^k-1) or x % 2^k, where a gang does not cross a multiple of 2^k: if A
// and 2^k exceed all l*s >= 0, then x(0) has none of their bits, and x(l) % 2^k = x(0) % 2^k + l*s.
func (a *Analysis) masked(i *ll.Inst) Shape {
	s, n := a.ShapeOf(i.Args[0]), Constant(i.Args[1])
	if n == nil || *n <= 0 || *n >= 1<<62 || s.Kind != Linear {
		return Shape{}
	}
	period := *n
	if i.Op == "and" {
		period++
	}
	if period&(period-1) != 0 || !a.within(s, period) {
		return Shape{}
	}
	return linearBy(s.Stride, min(s.Align, period))
}

// quotient is x / 2^k or x >> k, where a gang does not cross a multiple of 2^k: as in masked,
// x(l) / 2^k = x(0) / 2^k.
func (a *Analysis) quotient(i *ll.Inst) Shape {
	s, n := a.ShapeOf(i.Args[0]), Constant(i.Args[1])
	if n == nil || *n < 0 || s.Kind != Linear {
		return Shape{}
	}
	divisor := *n
	if i.Op == "lshr" {
		if *n > 30 {
			return Shape{}
		}
		divisor = 1 << *n
	}
	if divisor == 0 || divisor&(divisor-1) != 0 || !a.within(s, divisor) {
		return Shape{}
	}
	return IsUniform
}

// within reports whether all lanes' values lie between the same multiples of
// period, a power of two: lane 0's is a multiple of more than the lanes span. A stride
// may be any number, such as a hash's factor, and what they span more than 64 bits hold.
func (a *Analysis) within(s Shape, period int64) bool {
	return s.Stride > 0 && s.Stride <= min(period, s.Align)/int64(a.Lanes)
}

func (a *Analysis) same(i *ll.Inst) Shape { return a.ShapeOf(i.Args[0]) }

// extended is a widening cast: ext(x(l)) = ext(x(0)) + l*s if no lane's value, computed exactly,
// is outside the narrower type. Alignment stays: of n bits with A >= 2^n, x(0) is 0.
func (a *Analysis) extended(i *ll.Inst) Shape {
	s := a.ShapeOf(i.Args[0])
	if s.Kind == Uniform {
		return s
	}
	if s.Kind == Linear && a.fits(i.Args[0], i.Op == "sext") {
		return s
	}
	return Shape{}
}

func (a *Analysis) reinterpreted(i *ll.Inst) Shape {
	if i.Typ.Text == i.Args[0].Type().Text {
		return a.same(i)
	}
	return Shape{}
}

// address is a getelementptr: the sum of its base and the indices' products.
func (a *Analysis) address(i *ll.Inst) Shape {
	base := a.ShapeOf(i.Args[0])
	if !base.Flat() {
		return Shape{}
	}
	scale := a.Scale(i.Args[0]) // of an offset within an array that lanes share
	stride, align := base.Stride, base.Align
	for _, t := range GepTerms(i) {
		if t.Index == nil {
			align = min(align, alignOf(&t.Offset))
			continue
		}
		s := a.ShapeOf(t.Index)
		if !s.Flat() || s.Kind == Linear && t.Index.Type().Bits < 64 && !a.fits(t.Index, true) {
			return Shape{}
		}
		stride += s.Stride * t.Offset * scale
		align = min(align, s.Align*alignOf(&t.Offset))
	}
	return linearBy(stride, align)
}

// A GepTerm is a part of an address: a byte offset, or an index times a size.
type GepTerm struct {
	Index  ll.Value // nil: offset alone
	Offset int64
}

// GepTerms takes a getelementptr's indices apart.
func GepTerms(i *ll.Inst) []GepTerm {
	var out []GepTerm
	t := i.Elem
	for n, x := range i.Args[1:] {
		var size int64
		switch {
		case n == 0:
			size = int64(roundSize(t))
		case t.Kind == ll.Struct:
			f := int(*Constant(x))
			out = append(out, GepTerm{nil, int64(t.Offset(f))})
			t = t.Elems[f]
			continue
		default:
			t = t.Elem
			size = int64(roundSize(t))
		}
		if c := Constant(x); c != nil {
			out = append(out, GepTerm{nil, *c * size})
		} else {
			out = append(out, GepTerm{x, size})
		}
	}
	return out
}

// roundSize is the distance between two neighbours of type t in an array.
func roundSize(t *ll.Type) int {
	a := t.Align()
	return (t.Size() + a - 1) / a * a
}
