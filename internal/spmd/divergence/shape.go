package divergence

import (
	"math/bits"
	"strconv"
	"strings"

	"heddle/internal/spmd/ll"
)

// A Shape says how a value differs between the lanes of a gang.
type Shape struct {
	Kind shapeKind
	// Stride is what each lane adds to the one before, for linear values:
	// integers, or pointers in bytes. Wrapping, as the arithmetic does.
	Stride int64
	// pattern names what each lane's value exceeds lane 0's by, for patterned values.
	pattern string
	// Rows: a varying value is linear by stride within each row of a tile.
	Rows bool
	// Align is a power of two that divides lane 0's value of a flat one, 1 if
	// nothing is known.
	Align int64
}

type shapeKind uint8

const (
	Unknown   shapeKind = iota // not computed yet, or undefined
	Uniform                    // the same in every active lane
	Linear                     // lane 0's value + lane * stride, in every lane, active or not
	Patterned                  // lane 0's value + a constant of each lane's, in every lane, active or not
	Varying
)

var (
	IsUniform = Shape{Kind: Uniform, Align: 1}
	IsVarying = Shape{Kind: Varying}
)

func linearBy(stride, align int64) Shape {
	if stride == 0 {
		return Shape{Kind: Uniform, Align: align}
	}
	return Shape{Kind: Linear, Stride: stride, Align: max(1, align)}
}

// join is the shape of a value that is either of two.
//
//go:noinline
func (s Shape) join(t Shape) Shape {
	switch {
	case s.Kind == Unknown:
		return t
	case t.Kind == Unknown:
		return s
	case s.Kind == t.Kind && s.Rows == t.Rows && s.Stride == t.Stride && s.pattern == t.pattern:
		s.Align = min(s.Align, t.Align)
		return s
	}
	return IsVarying
}

// ShapeOf is the shape of an operand.
func (a *Analysis) ShapeOf(v ll.Value) Shape {
	switch v := v.(type) {
	case *ll.Const:
		if IsUndef(v) {
			return Shape{}
		}
		return Shape{Kind: Uniform, Align: alignOf(Constant(v))}
	case *ll.Param:
		return a.params[v]
	case *ll.Inst:
		return a.Shapes[v]
	}
	panic("spmd: operand of unknown kind")
}

func IsUndef(c *ll.Const) bool { return c.Text == "poison" || c.Text == "undef" }

// Constant is an integer constant's value, nil if v is something else.
func Constant(v ll.Value) *int64 {
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

// maxAlign is the greatest power of two that alignments are told up to.
const maxAlign = 1 << 30

// alignOf is the greatest power of two (up to 2^30) that divides a constant.
//
//go:noinline
func alignOf(n *int64) int64 {
	if n == nil {
		return 1
	}
	if *n == 0 {
		return maxAlign
	}
	return min(maxAlign, int64(1)<<min(62, bits.TrailingZeros64(uint64(*n))))
}

// compute is the shape of an instruction's result, given those of its operands.
func (a *Analysis) compute(i *ll.Inst) Shape {
	if a.Lanes == 1 {
		return IsUniform
	}
	return a.settle(i.Typ, a.rule(i))
}

// settle is s as a shape of values of type t, whose arithmetic wraps around.
// Offsets of n bits are in [-2^(n-1), 2^(n-1)), so that those which wrap to 0 are uniform.
// Lane 0's value and offsets stand for integers of 8 to 64 bits and for pointers
// only: a condition is one for all lanes or a mask, and offsets are of 64 bits.
// Addresses lie at most maxOffset apart from lane to lane, so that what gangs span can
// be computed with; integers have any stride.
func (a *Analysis) settle(t *ll.Type, s Shape) Shape {
	n := 64
	if t.Kind == ll.Int {
		n = t.Bits
	}
	switch {
	case s.Kind != Linear && s.Kind != Patterned && !s.Rows:
		return s
	case n > 64, s.Rows && n < 8, t.Kind == ll.Ptr && s.Kind == Linear && (s.Stride > maxOffset || s.Stride < -maxOffset):
		return IsVarying
	case s.Rows:
		s.Stride = wrapped(s.Stride, n)
		return s
	case s.Kind == Linear:
		s = linearBy(wrapped(s.Stride, n), s.Align)
	case n < 64:
		offs := a.Offsets(s)
		for l, x := range offs {
			offs[l] = wrapped(x, n)
		}
		s = a.patternOf(offs, s.Align)
	}
	if n < 8 && s.Kind != Uniform {
		return IsVarying
	}
	return s
}

// wrapped is x in n bits, at most 64, as a signed number.
func wrapped(x int64, n int) int64 { return x << (64 - n) >> (64 - n) }

func (a *Analysis) rule(i *ll.Inst) Shape {
	switch i.Op {
	case "phi":
		return a.phiShape(i)
	case "alloca":
		return a.Private[i].shape()
	case "load":
		return a.loadShape(i)
	case "call":
		return a.callShape(i)
	case "atomicrmw", "cmpxchg":
		return IsVarying
	case "select":
		return a.selectShape(i)
	case "icmp":
		if a.alike(i) {
			return IsUniform
		}
	}
	all := IsUniform
	for _, x := range i.Args {
		switch s := a.ShapeOf(x); s.Kind {
		case Unknown:
			if _, isConst := x.(*ll.Const); !isConst {
				return Shape{} // wait for it
			}
		case Linear, Patterned, Varying:
			all = IsVarying
		}
	}
	if f := linearOps.Get()[i.Op]; f != nil {
		if s := f(a, i); s.Kind != Unknown {
			return s
		}
	}
	if all.Kind == Varying {
		if s := a.pattern(i); s.Kind != Unknown {
			return s
		}
		return a.rowShape(i)
	}
	return all
}

// alike reports whether an icmp tells the same in all lanes: x(l) == y(l) where
// x(0) == y(0), if both exceed lane 0's by the same. Orders differ where values wrap around.
func (a *Analysis) alike(i *ll.Inst) bool {
	x, y := a.ShapeOf(i.Args[0]), a.ShapeOf(i.Args[1])
	return (i.Pred == "eq" || i.Pred == "ne") && x.Kind == y.Kind && (x.Kind == Linear || x.Kind == Patterned) &&
		x.Stride == y.Stride && x.pattern == y.pattern
}

func (a *Analysis) phiShape(i *ll.Inst) Shape {
	s := Shape{}
	for n, v := range i.Args {
		t := a.ShapeOf(v)
		if from := i.Blocks[n]; a.leavesAtDifferentTimes(v, from, i.Block) {
			t = IsVarying
		}
		s = s.join(t)
	}
	if s.Kind != Unknown && a.Meets[i.Block.Index] && !sameEverywhere(i) {
		return IsVarying
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
func (a *Analysis) leavesAtDifferentTimes(v ll.Value, from, to *ll.Block) bool {
	def, ok := v.(*ll.Inst)
	if !ok {
		return false
	}
	for l := a.Loops[from.Index]; l != nil && !l.Has(to); l = l.Parent {
		if l.Divergent && l.Has(def.Block) {
			return true
		}
	}
	return false
}

func (a *Analysis) selectShape(i *ll.Inst) Shape {
	c, x, y := a.ShapeOf(i.Args[0]), a.ShapeOf(i.Args[1]), a.ShapeOf(i.Args[2])
	if c.Kind == Unknown {
		if _, ok := i.Args[0].(*ll.Const); !ok {
			return Shape{}
		}
	}
	if c.Kind != Unknown && c.Kind != Uniform {
		return IsVarying
	}
	return x.join(y)
}

func (a *Analysis) loadShape(i *ll.Inst) Shape {
	switch s := a.ShapeOf(i.Args[0]); s.Kind {
	case Unknown, Uniform:
		return Shape{Kind: s.Kind, Align: 1}
	}
	return IsVarying
}

// IsElementwise reports whether an LLVM intrinsic works lane by lane and has a
// vector form.
func IsElementwise(callee string) bool {
	name, _ := IntrinsicBase(callee)
	_, ok := Elementwise.Get()[name]
	return ok
}

// IntrinsicBase cuts the type off an intrinsic's name: llvm.fma.f32 -> llvm.fma, f32.
//
//go:noinline
func IntrinsicBase(callee string) (base, suffix string) {
	if i := strings.LastIndexByte(callee, '.'); i > 0 && strings.HasPrefix(callee, "llvm.") {
		return callee[:i], callee[i+1:]
	}
	return callee, ""
}

// Describe is the shape for people.
func (s Shape) Describe() string {
	switch s.Kind {
	case Uniform:
		return "uniform"
	case Linear:
		return "linear " + strconv.FormatInt(s.Stride, 10)
	case Patterned:
		return "patterned " + strings.TrimSpace(s.pattern)
	case Varying:
		return "varying"
	}
	return "unknown"
}
