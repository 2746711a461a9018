package spmd

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

// offsets are what each lane's value exceeds lane 0's by, nil if that is not constant.
//
//go:noinline
func (a *analysis) offsets(s shape) []int64 {
	switch s.kind {
	case patterned:
		return slices.Clone(a.patterns[s.pattern])
	case uniform, linear:
		out := make([]int64, a.lanes)
		for l := range out {
			out[l] = int64(l) * s.stride
		}
		return out
	}
	return nil
}

// patternOf is the shape of values that exceed lane 0's by offs.
func (a *analysis) patternOf(offs []int64, align int64) shape {
	stride, even := offs[1]-offs[0], true
	var key strings.Builder
	for l, n := range offs {
		if n > maxOffset || n < -maxOffset {
			return shape{}
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
	return shape{kind: patterned, pattern: key.String(), align: max(1, align)}
}

// patternOps are the operations that keep patterns. They return an unknown
// shape where they have nothing to say.
var patternOps lazy.Value[map[string]func(a *analysis, i *ll.Inst) shape]

func init() {
	patternOps.Make = func() map[string]func(a *analysis, i *ll.Inst) shape {
		return map[string]func(a *analysis, i *ll.Inst) shape{
			"add": func(a *analysis, i *ll.Inst) shape { return a.patternSum(i, 1) },
			"sub": func(a *analysis, i *ll.Inst) shape { return a.patternSum(i, -1) },
			"mul": (*analysis).patternProduct,
			"shl": (*analysis).patternProduct,
			"and": (*analysis).patternBits,
			"or": func(a *analysis, i *ll.Inst) shape {
				if i.Has("disjoint") {
					return a.patternSum(i, 1)
				}
				return a.patternBits(i)
			},
			"xor":    (*analysis).patternBits,
			"lshr":   (*analysis).patternBits,
			"zext":   (*analysis).patternExtended,
			"sext":   (*analysis).patternExtended,
			"trunc":  (*analysis).patternSame,
			"freeze": (*analysis).patternSame,
		}
	}
}

// pattern is the shape of an operation on integers that linearOps knows nothing of.
func (a *analysis) pattern(i *ll.Inst) shape {
	f := patternOps.Get()[i.Op]
	if f == nil || i.Typ.Kind != ll.Int || !a.shapeOf(i.Args[0]).constant() {
		return shape{}
	}
	return f(a, i)
}

// constant reports whether the lanes' values differ by constants.
func (s shape) constant() bool { return s.flat() || s.kind == patterned }

func (a *analysis) patternSum(i *ll.Inst, sign int64) shape {
	s, t := a.shapeOf(i.Args[0]), a.shapeOf(i.Args[1])
	if !t.constant() {
		return shape{}
	}
	x, y := a.offsets(s), a.offsets(t)
	out := make([]int64, a.lanes)
	for l := range out {
		out[l] = x[l] + sign*y[l]
	}
	return a.patternOf(out, min(s.align, t.align))
}

func (a *analysis) patternProduct(i *ll.Inst) shape {
	s, n := a.shapeOf(i.Args[0]), constant(i.Args[1])
	if n == nil || *n < 0 || *n >= maxOffset || i.Op == "shl" && *n > 30 {
		return shape{}
	}
	f := *n
	if i.Op == "shl" {
		f = 1 << f
	}
	out := make([]int64, a.lanes)
	for l, x := range a.offsets(s) {
		out[l] = x * f
	}
	return a.patternOf(out, min(1<<30, s.align*alignOf(&f)))
}

// low reports whether only bits below s.align, which lane 0's value does not have, and below
// the n-th differ: then x(l) = x(0) | offset, which wraps around nowhere.
func (a *analysis) low(s shape, n int) bool {
	for _, x := range a.offsets(s) {
		if x < 0 || x >= s.align || n < 62 && x >= 1<<n {
			return false
		}
	}
	return true
}

// patternBits is an operation on each bit, or a shift, with a constant.
func (a *analysis) patternBits(i *ll.Inst) shape {
	s, n := a.shapeOf(i.Args[0]), constant(i.Args[1])
	if n == nil || !a.low(s, i.Typ.Bits) {
		return shape{}
	}
	align, below := s.align, s.align-1
	out := make([]int64, a.lanes)
	for l, x := range a.offsets(s) {
		switch i.Op {
		case "and":
			out[l] = x & *n
		case "or":
			out[l] = (x | *n&below) - *n&below
		case "xor":
			out[l] = (x ^ *n&below) - *n&below
		case "lshr":
			if *n < 0 || *n > 30 || 1<<*n > align {
				return shape{}
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
func (a *analysis) patternExtended(i *ll.Inst) shape {
	s, n := a.shapeOf(i.Args[0]), i.Args[0].Type().Bits
	if i.Op == "sext" {
		n--
	}
	if !a.low(s, n) {
		return shape{}
	}
	return a.patternOf(a.offsets(s), s.align)
}

func (a *analysis) patternSame(i *ll.Inst) shape {
	s := a.shapeOf(i.Args[0])
	return a.patternOf(a.offsets(s), min(s.align, 1<<(i.Typ.Bits-1)))
}

// patternAddress is a getelementptr: see address.
func (a *analysis) patternAddress(i *ll.Inst) shape {
	base := a.shapeOf(i.Args[0])
	if !base.constant() || a.scale(i.Args[0]) != 1 {
		return shape{}
	}
	sum, align := a.offsets(base), base.align
	for _, t := range gepTerms(i) {
		if t.index == nil {
			align = min(align, alignOf(&t.offset))
			continue
		}
		s := a.shapeOf(t.index)
		if !s.constant() || t.index.Type().Bits < 64 && s.kind != uniform && !(s.kind == linear && a.fits(t.index, true)) {
			return shape{}
		}
		for l, x := range a.offsets(s) {
			sum[l] += x * t.offset
		}
		align = min(align, s.align*alignOf(&t.offset))
	}
	return a.patternOf(sum, min(1<<30, align))
}

// congruence finds m, a power of two, and r: lane 0's value is r more than a multiple of m.
func (a *analysis) congruence(v ll.Value, depth int) (m, r int64) {
	const most = 1 << 30
	if c := constant(v); c != nil {
		return most, *c & (most - 1)
	}
	s := a.shapeOf(v)
	m = max(1, s.align)
	i, ok := v.(*ll.Inst)
	if !ok || depth == 0 || s.kind == varying {
		return m, 0
	}
	better := func(m2, r2 int64) {
		if m2 > m {
			m, r = m2, r2&(m2-1)
		}
	}
	switch i.Op {
	case "add", "sub", "or":
		m1, r1 := a.congruence(i.Args[0], depth-1)
		m2, r2 := a.congruence(i.Args[1], depth-1)
		switch both := min(m1, m2); {
		case i.Op == "add", i.Has("disjoint"): // a sum where lane 0 has bits twice, too: see emitter.or
			better(both, r1+r2)
		case i.Op == "sub":
			better(both, r1-r2)
		default:
			better(both, r1&(both-1)|r2&(both-1))
		}
	case "shl", "mul":
		n := constant(i.Args[1])
		if n == nil || *n <= 0 || *n > 30 {
			break
		}
		f := *n
		if i.Op == "shl" {
			f = 1 << f
		}
		m1, r1 := a.congruence(i.Args[0], depth-1)
		better(min(most, m1*alignOf(&f)), r1*f)
	case "zext", "sext", "freeze":
		m1, r1 := a.congruence(i.Args[0], depth-1)
		better(min(m1, 1<<min(30, i.Args[0].Type().Bits-1)), r1)
	case "getelementptr":
		if a.scale(i.Args[0]) != 1 {
			break
		}
		m1, r1 := a.congruence(i.Args[0], depth-1)
		for _, t := range gepTerms(i) {
			if t.index == nil {
				r1 += t.offset
				continue
			}
			m2, r2 := a.congruence(t.index, depth-1)
			m1 = min(m1, min(most, m2*alignOf(&t.offset)))
			r1 += r2 * t.offset
		}
		better(m1, r1)
	}
	return m, r
}
