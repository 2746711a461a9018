package spmd

import (
	"math/bits"
	"strconv"
	"strings"

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
// Addresses lie at most maxOffset apart from lane to lane, so that what gangs span can
// be computed with; integers have any stride.
func (a *analysis) settle(t *ll.Type, s shape) shape {
	n := 64
	if t.Kind == ll.Int {
		n = t.Bits
	}
	switch {
	case s.kind != linear && s.kind != patterned && !s.rows:
		return s
	case n > 64, s.rows && n < 8, t.Kind == ll.Ptr && s.kind == linear && (s.stride > maxOffset || s.stride < -maxOffset):
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
