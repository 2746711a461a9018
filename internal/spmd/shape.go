package spmd

import (
	"math/bits"
	"strconv"
	"strings"

	"heddle/internal/lazy"
	"heddle/internal/spmd/ll"
)

// A shape says how a value differs between the lanes of a gang.
type shape struct {
	kind shapeKind
	// stride is what each lane adds to the one before, for linear values:
	// integers, or pointers in bytes. Wrapping, as the arithmetic does.
	stride int64
	// pattern names what each lane's value exceeds lane 0's by, for patterned values.
	pattern string
	// rows: a varying value is linear by stride within each row of a tile.
	rows bool
	// align is a power of two that divides lane 0's value of a flat one, 1 if
	// nothing is known.
	align int64
}

type shapeKind uint8

const (
	unknown   shapeKind = iota // not computed yet, or undefined
	uniform                    // the same in every active lane
	linear                     // lane 0's value + lane * stride, in every lane, active or not
	patterned                  // lane 0's value + a constant of each lane's, in every lane, active or not
	varying
)

var (
	isUniform = shape{kind: uniform, align: 1}
	isVarying = shape{kind: varying}
)

func linearBy(stride, align int64) shape {
	if stride == 0 {
		return shape{kind: uniform, align: align}
	}
	return shape{kind: linear, stride: stride, align: max(1, align)}
}

// join is the shape of a value that is either of two.
//
//go:noinline
func (s shape) join(t shape) shape {
	switch {
	case s.kind == unknown:
		return t
	case t.kind == unknown:
		return s
	case s.kind == t.kind && s.rows == t.rows && s.stride == t.stride && s.pattern == t.pattern:
		s.align = min(s.align, t.align)
		return s
	}
	return isVarying
}

// shapeOf is the shape of an operand.
func (a *analysis) shapeOf(v ll.Value) shape {
	switch v := v.(type) {
	case *ll.Const:
		if isUndef(v) {
			return shape{}
		}
		return shape{kind: uniform, align: alignOf(constant(v))}
	case *ll.Param:
		return a.params[v]
	case *ll.Inst:
		return a.shapes[v]
	}
	panic("spmd: operand of unknown kind")
}

func isUndef(c *ll.Const) bool { return c.Text == "poison" || c.Text == "undef" }

// constant is an integer constant's value, nil if v is something else.
func constant(v ll.Value) *int64 {
	c, ok := v.(*ll.Const)
	if !ok || c.Typ.Kind != ll.Int {
		return nil
	}
	var n int64
	switch c.Text {
	case "true":
		n = 1
	case "false":
	default:
		x, err := strconv.ParseInt(c.Text, 10, 64)
		if err != nil {
			return nil
		}
		n = x
	}
	return &n
}

// alignOf is the greatest power of two (up to 2^30) that divides a constant.
//
//go:noinline
func alignOf(n *int64) int64 {
	const most = 1 << 30
	if n == nil {
		return 1
	}
	if *n == 0 {
		return most
	}
	return min(most, int64(1)<<min(62, bits.TrailingZeros64(uint64(*n))))
}

// compute is the shape of an instruction's result, given those of its operands.
func (a *analysis) compute(i *ll.Inst) shape { return a.settle(i.Typ, a.rule(i)) }

// settle is s as a shape of values of type t, whose arithmetic wraps around.
// Offsets of n bits are in [-2^(n-1), 2^(n-1)), so that those which wrap to 0 are uniform.
// Lane 0's value and offsets stand for integers of 8 to 64 bits and for pointers
// only: a condition is one for all lanes or a mask, and offsets are of 64 bits.
func (a *analysis) settle(t *ll.Type, s shape) shape {
	n := 64
	if t.Kind == ll.Int {
		n = t.Bits
	}
	switch {
	case s.kind != linear && s.kind != patterned && !s.rows:
		return s
	case n > 64, s.rows && n < 8:
		return isVarying
	case s.rows:
		s.stride = wrapped(s.stride, n)
		return s
	case s.kind == linear:
		s = linearBy(wrapped(s.stride, n), s.align)
	case n < 64:
		offs := a.offsets(s)
		for l, x := range offs {
			offs[l] = wrapped(x, n)
		}
		s = a.patternOf(offs, s.align)
	}
	if n < 8 && s.kind != uniform {
		return isVarying
	}
	return s
}

// wrapped is x in n bits, at most 64, as a signed number.
func wrapped(x int64, n int) int64 { return x << (64 - n) >> (64 - n) }

func (a *analysis) rule(i *ll.Inst) shape {
	switch i.Op {
	case "phi":
		return a.phiShape(i)
	case "alloca":
		return a.private[i].shape()
	case "load":
		return a.loadShape(i)
	case "call":
		return a.callShape(i)
	case "atomicrmw", "cmpxchg":
		return isVarying
	case "select":
		return a.selectShape(i)
	case "icmp":
		if a.alike(i) {
			return isUniform
		}
	}
	all := isUniform
	for _, x := range i.Args {
		switch s := a.shapeOf(x); s.kind {
		case unknown:
			if _, isConst := x.(*ll.Const); !isConst {
				return shape{} // wait for it
			}
		case linear, patterned, varying:
			all = isVarying
		}
	}
	if f := linearOps.Get()[i.Op]; f != nil {
		if s := f(a, i); s.kind != unknown {
			return s
		}
	}
	if all.kind == varying {
		if s := a.pattern(i); s.kind != unknown {
			return s
		}
		return a.rowShape(i)
	}
	return all
}

// alike reports whether an icmp tells the same in all lanes: x(l) == y(l) where
// x(0) == y(0), if both exceed lane 0's by the same. Orders differ where values wrap around.
func (a *analysis) alike(i *ll.Inst) bool {
	x, y := a.shapeOf(i.Args[0]), a.shapeOf(i.Args[1])
	return (i.Pred == "eq" || i.Pred == "ne") && x.kind == y.kind && (x.kind == linear || x.kind == patterned) &&
		x.stride == y.stride && x.pattern == y.pattern
}

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
			// A sum if no bit is in both operands. Lane 0's is computed as a sum where only
			// the flag says so (emitter.or).
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
// period, a power of two: lane 0's is a multiple of more than the lanes span.
func (a *analysis) within(s shape, period int64) bool {
	return s.stride > 0 && s.stride*int64(a.lanes) <= min(period, s.align)
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

func (a *analysis) phiShape(i *ll.Inst) shape {
	s := shape{}
	for n, v := range i.Args {
		t := a.shapeOf(v)
		if from := i.Blocks[n]; a.leavesAtDifferentTimes(v, from, i.Block) {
			t = isVarying
		}
		s = s.join(t)
	}
	if s.kind != unknown && a.meets[i.Block.Index] && !sameEverywhere(i) {
		return isVarying
	}
	return s
}

// sameEverywhere reports whether a phi's incoming values are one value.
func sameEverywhere(i *ll.Inst) bool {
	for _, v := range i.Args[1:] {
		if v != i.Args[0] {
			c, ok := v.(*ll.Const)
			d, ok2 := i.Args[0].(*ll.Const)
			if !ok || !ok2 || c.Text != d.Text {
				return false
			}
		}
	}
	return true
}

// leavesAtDifferentTimes reports whether v, computed in a loop that lanes leave
// in different iterations, is seen outside it.
func (a *analysis) leavesAtDifferentTimes(v ll.Value, from, to *ll.Block) bool {
	def, ok := v.(*ll.Inst)
	if !ok {
		return false
	}
	for l := a.loops[from.Index]; l != nil && !l.has(to); l = l.parent {
		if l.divergent && l.has(def.Block) {
			return true
		}
	}
	return false
}

func (a *analysis) selectShape(i *ll.Inst) shape {
	c, x, y := a.shapeOf(i.Args[0]), a.shapeOf(i.Args[1]), a.shapeOf(i.Args[2])
	if c.kind == unknown {
		if _, ok := i.Args[0].(*ll.Const); !ok {
			return shape{}
		}
	}
	if c.kind != unknown && c.kind != uniform {
		return isVarying
	}
	return x.join(y)
}

func (a *analysis) loadShape(i *ll.Inst) shape {
	switch s := a.shapeOf(i.Args[0]); s.kind {
	case unknown, uniform:
		return shape{kind: s.kind, align: 1}
	}
	return isVarying
}

// isElementwise reports whether an LLVM intrinsic works lane by lane and has a
// vector form.
func isElementwise(callee string) bool {
	name, _ := intrinsicBase(callee)
	_, ok := elementwise.Get()[name]
	return ok
}

// intrinsicBase cuts the type off an intrinsic's name: llvm.fma.f32 -> llvm.fma, f32.
//
//go:noinline
func intrinsicBase(callee string) (base, suffix string) {
	if i := strings.LastIndexByte(callee, '.'); i > 0 && strings.HasPrefix(callee, "llvm.") {
		return callee[:i], callee[i+1:]
	}
	return callee, ""
}

// describe is the shape for people.
func (s shape) describe() string {
	switch s.kind {
	case uniform:
		return "uniform"
	case linear:
		return "linear " + strconv.FormatInt(s.stride, 10)
	case patterned:
		return "patterned " + strings.TrimSpace(s.pattern)
	case varying:
		return "varying"
	}
	return "unknown"
}
