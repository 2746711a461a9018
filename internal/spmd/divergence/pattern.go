package divergence

import (
	"fmt"
	"slices"
	"strings"

	"heddle/internal/lazy"
	"heddle/internal/spmd/ll"
)

// This file implements patterns: values that differ from lane 0's by constants
// which are no multiples of one stride, such as t&3, t^8 or 2*t - t&7 where t is a
// thread's index. So many a shuffle through shared memory is one of registers.

// maxOffset bounds a pattern's constants, so that their sums do not overflow.
const maxOffset = 1 << 31

// Offsets are what each lane's value exceeds lane 0's by, nil if that is not constant.
//
//go:noinline
func (a *Analysis) Offsets(s Shape) []int64 {
	switch s.Kind {
	case Patterned:
		return slices.Clone(a.patterns[s.pattern])
	case Uniform, Linear:
		out := make([]int64, a.Lanes)
		for l := range out {
			out[l] = int64(l) * s.Stride
		}
		return out
	}
	return nil
}

// patternOf is the shape of values that exceed lane 0's by offs.
func (a *Analysis) patternOf(offs []int64, align int64) Shape {
	stride, even := offs[1]-offs[0], true
	var key strings.Builder
	for l, n := range offs {
		if n > maxOffset || n < -maxOffset {
			return Shape{}
		}
		even = even && n == int64(l)*stride
		fmt.Fprintf(&key, "%d ", n)
	}
	if even {
		return linearBy(stride, max(1, align))
	}
	if a.patterns == nil {
		a.patterns = map[string][]int64{}
	}
	a.patterns[key.String()] = offs
	return Shape{Kind: Patterned, pattern: key.String(), Align: max(1, align)}
}

// patternOps are the operations that keep patterns. They return an unknown
// shape where they have nothing to say.
var patternOps lazy.Value[map[string]func(a *Analysis, i *ll.Inst) Shape]

func init() {
	patternOps.Make = func() map[string]func(a *Analysis, i *ll.Inst) Shape {
		return map[string]func(a *Analysis, i *ll.Inst) Shape{
			"add": func(a *Analysis, i *ll.Inst) Shape { return a.patternSum(i, 1) },
			"sub": func(a *Analysis, i *ll.Inst) Shape { return a.patternSum(i, -1) },
			"mul": (*Analysis).patternProduct,
			"shl": (*Analysis).patternProduct,
			"and": (*Analysis).patternBits,
			"or": func(a *Analysis, i *ll.Inst) Shape {
				if i.Has("disjoint") {
					return a.patternSum(i, 1)
				}
				return a.patternBits(i)
			},
			"xor":    (*Analysis).patternBits,
			"lshr":   (*Analysis).patternBits,
			"zext":   (*Analysis).patternExtended,
			"sext":   (*Analysis).patternExtended,
			"trunc":  (*Analysis).patternSame,
			"freeze": (*Analysis).patternSame,
		}
	}
}

// pattern is the shape of an operation on integers that linearOps knows nothing of.
func (a *Analysis) pattern(i *ll.Inst) Shape {
	f := patternOps.Get()[i.Op]
	if f == nil || i.Typ.Kind != ll.Int || !a.ShapeOf(i.Args[0]).Constant() {
		return Shape{}
	}
	return f(a, i)
}

// Constant reports whether the lanes' values differ by constants.
func (s Shape) Constant() bool { return s.Flat() || s.Kind == Patterned }

func (a *Analysis) patternSum(i *ll.Inst, sign int64) Shape {
	s, t := a.ShapeOf(i.Args[0]), a.ShapeOf(i.Args[1])
	if !t.Constant() {
		return Shape{}
	}
	x, y := a.Offsets(s), a.Offsets(t)
	out := make([]int64, a.Lanes)
	for l := range out {
		out[l] = x[l] + sign*y[l]
	}
	return a.patternOf(out, min(s.Align, t.Align))
}

func (a *Analysis) patternProduct(i *ll.Inst) Shape {
	s, n := a.ShapeOf(i.Args[0]), Constant(i.Args[1])
	if n == nil || *n < 0 || *n >= maxOffset || i.Op == "shl" && *n > 30 {
		return Shape{}
	}
	f := *n
	if i.Op == "shl" {
		f = 1 << f
	}
	out := make([]int64, a.Lanes)
	for l, x := range a.Offsets(s) {
		out[l] = x * f
	}
	return a.patternOf(out, min(1<<30, s.Align*alignOf(&f)))
}

// low reports whether only bits below s.align, which lane 0's value does not have, and below
// the n-th differ: then x(l) = x(0) | offset, which wraps around nowhere.
func (a *Analysis) low(s Shape, n int) bool {
	for _, x := range a.Offsets(s) {
		if x < 0 || x >= s.Align || n < 62 && x >= 1<<n {
			return false
		}
	}
	return true
}

// patternBits is an operation on each bit, or a shift, with a constant.
func (a *Analysis) patternBits(i *ll.Inst) Shape {
	s, n := a.ShapeOf(i.Args[0]), Constant(i.Args[1])
	if n == nil || !a.low(s, i.Typ.Bits) {
		return Shape{}
	}
	align, below := s.Align, s.Align-1
	out := make([]int64, a.Lanes)
	for l, x := range a.Offsets(s) {
		switch i.Op {
		case "and":
			out[l] = x & *n
		case "or":
			out[l] = (x | *n&below) - *n&below
		case "xor":
			out[l] = (x ^ *n&below) - *n&below
		case "lshr":
			if *n < 0 || *n > 30 || 1<<*n > align {
				return Shape{}
			}
			out[l] = x >> *n
		}
	}
	switch i.Op {
	case "or", "xor":
		align = min(align, alignOf(n))
	case "lshr":
		align >>= *n
	}
	return a.patternOf(out, align)
}

// patternExtended is an extension of a value that does not wrap around between lanes, nor
// changes its sign.
func (a *Analysis) patternExtended(i *ll.Inst) Shape {
	s, n := a.ShapeOf(i.Args[0]), i.Args[0].Type().Bits
	if i.Op == "sext" {
		n--
	}
	if !a.low(s, n) {
		return Shape{}
	}
	return a.patternOf(a.Offsets(s), s.Align)
}

func (a *Analysis) patternSame(i *ll.Inst) Shape {
	s := a.ShapeOf(i.Args[0])
	return a.patternOf(a.Offsets(s), min(s.Align, 1<<(i.Typ.Bits-1)))
}

// patternAddress is a getelementptr: see address.
func (a *Analysis) patternAddress(i *ll.Inst) Shape {
	base := a.ShapeOf(i.Args[0])
	if !base.Constant() || a.Scale(i.Args[0]) != 1 {
		return Shape{}
	}
	sum, align := a.Offsets(base), base.Align
	for _, t := range GepTerms(i) {
		if t.Index == nil {
			align = min(align, alignOf(&t.Offset))
			continue
		}
		s := a.ShapeOf(t.Index)
		if !s.Constant() || t.Index.Type().Bits < 64 && s.Kind != Uniform && !(s.Kind == Linear && a.fits(t.Index, true)) {
			return Shape{}
		}
		for l, x := range a.Offsets(s) {
			sum[l] += x * t.Offset
		}
		align = min(align, s.Align*alignOf(&t.Offset))
	}
	return a.patternOf(sum, min(1<<30, align))
}

// Congruence finds m, a power of two, and r: lane 0's value is r more than a multiple of m.
func (a *Analysis) Congruence(v ll.Value, depth int) (m, r int64) {
	if c := Constant(v); c != nil {
		return maxAlign, *c & (maxAlign - 1)
	}
	s := a.ShapeOf(v)
	m = max(1, s.Align)
	i, ok := v.(*ll.Inst)
	if !ok || depth == 0 || s.Kind == Varying {
		return m, 0
	}
	better := func(m2, r2 int64) {
		if m2 > m {
			m, r = m2, r2&(m2-1)
		}
	}
	switch i.Op {
	case "add", "sub", "or":
		m1, r1 := a.Congruence(i.Args[0], depth-1)
		m2, r2 := a.Congruence(i.Args[1], depth-1)
		switch both := min(m1, m2); {
		case i.Op == "add", i.Has("disjoint"): // a sum where lane 0 has bits twice, too: see emitter.or
			better(both, r1+r2)
		case i.Op == "sub":
			better(both, r1-r2)
		default:
			better(both, r1&(both-1)|r2&(both-1))
		}
	case "shl", "mul":
		n := Constant(i.Args[1])
		if n == nil || *n <= 0 || *n > 30 {
			break
		}
		f := *n
		if i.Op == "shl" {
			f = 1 << f
		}
		m1, r1 := a.Congruence(i.Args[0], depth-1)
		better(min(maxAlign, m1*alignOf(&f)), r1*f)
	case "zext", "sext", "freeze":
		m1, r1 := a.Congruence(i.Args[0], depth-1)
		better(min(m1, 1<<min(30, i.Args[0].Type().Bits-1)), r1)
	case "getelementptr":
		if a.Scale(i.Args[0]) != 1 {
			break
		}
		m1, r1 := a.Congruence(i.Args[0], depth-1)
		for _, t := range GepTerms(i) {
			if t.Index == nil {
				r1 += t.Offset
				continue
			}
			m2, r2 := a.Congruence(t.Index, depth-1)
			m1 = min(m1, min(maxAlign, m2*alignOf(&t.Offset)))
			r1 += r2 * t.Offset
		}
		better(m1, r1)
	}
	return m, r
}
