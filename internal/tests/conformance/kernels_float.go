package conformance

import "math"

// Floating-point arithmetic: bitwise what Go computes, since none of these
// expressions may be contracted.

type floatOut[T float] struct {
	Add, Sub, Mul, Quo, Neg, Min, Max T
	Rounded                           T // a product rounded before it is added: no FMA
	Lt, Le, Gt, Ge, Eq, Ne, NaN       bool
	NotLt, NotGe                      bool
}

type floatOps[T float] struct{}

func (floatOps[T]) Do(in pair[T], out *floatOut[T]) {
	x, y := in.X, in.Y
	out.Add, out.Sub, out.Mul, out.Quo, out.Neg = x+y, x-y, x*y, x/y, -x
	out.Min, out.Max = min(x, y), max(x, y)
	out.Rounded = T(x*y) + x
	out.Lt, out.Le, out.Gt, out.Ge, out.Eq, out.Ne = x < y, x <= y, x > y, x >= y, x == y, x != y
	out.NaN = x != x
	out.NotLt, out.NotGe = !(x < y), !(x >= y)
}

// minMaxOut takes three operands, one of them constant.
type minMaxOut[T float] struct{ Min, Max T }

type minMaxOps[T float] struct{}

func (minMaxOps[T]) Do(in pair[T], out *minMaxOut[T]) {
	out.Min, out.Max = min(in.X, 0, in.Y), max(in.X, 0, in.Y)
}

// fusedOps allow contraction: the result is that of one rounding or of two.
type fusedOps[T float] struct{}

type fusedOut[T float] struct{ MulAdd, MulSub T }

func (fusedOps[T]) Do(in pair[T], out *fusedOut[T]) {
	out.MulAdd, out.MulSub = in.X*in.Y+in.X, in.X*in.Y-0.25
}

// bitsOps looks at floats as their bits.
type bitsOps struct{}

type bitsOut struct {
	A    uint32
	B    uint64
	C    float32
	D    float64
	E, F bool
}

func (bitsOps) Do(x float64, out *bitsOut) {
	out.A, out.B = math.Float32bits(float32(x))&0xff800000, math.Float64bits(x)>>52
	out.C, out.D = math.Float32frombits(math.Float32bits(float32(x))^1<<31), math.Float64frombits(math.Float64bits(x)|1<<63)
	out.E, out.F = math.IsNaN(x), math.IsInf(x, -1)
}

type celsius float32

func floatCases() []Case {
	ops := "floating-point operators, " + rowFunctions
	within1 := func(string, int) float64 { return 1 }
	// Nothing cancels here: contraction changes one unit at most.
	var calm32 []pair[float32]
	var calm64 []pair[float64]
	for i := range 200 {
		x := 1 + float64(i)/197
		calm32 = append(calm32, pair[float32]{float32(x), float32(x) * 3})
		calm64 = append(calm64, pair[float64]{x * 7, x * x})
	}
	return []Case{
		onEach("float/ops/float32", ops, each[floatOps[float32]], pairs(floats[float32]())),
		onEach("float/ops/float64", ops, each[floatOps[float64]], pairs(floats[float64]())),
		onEach("float/ops/named", ops, each[floatOps[celsius]], pairs(floats[celsius]())),
		onEach("float/minmax/float32", ops, each[minMaxOps[float32]], pairs(floats[float32]())),
		onEach("float/minmax/float64", ops, each[minMaxOps[float64]], pairs(floats[float64]())),
		onEachWithin("float/fused/float32", ops, each[fusedOps[float32]], calm32, within1, fusedOps[float32]{}.Do),
		onEachWithin("float/fused/float64", ops, each[fusedOps[float64]], calm64, within1, fusedOps[float64]{}.Do),
		onEach("float/bits", ops, each[bitsOps], floats[float64]()),
	}
}
