package conformance

// Integer arithmetic, of every type and width.

const rowFunctions = "functions a kernel calls; template kernels"

// intOut is one result of each operator.
type intOut[T integer] struct {
	Add, Sub, Mul, Quo, Rem      T
	And, Or, Xor, AndNot         T
	Neg, Not, Inc, Min, Max, Abs T
	Lt, Le, Gt, Ge, Eq, Ne       bool
}

type intOps[T integer] struct{}

func (intOps[T]) Do(in pair[T], out *intOut[T]) {
	x, y := in.X, in.Y
	out.Add, out.Sub, out.Mul = x+y, x-y, x*y
	if y != 0 { // MinInt / -1 included: it wraps
		out.Quo, out.Rem = x/y, x%y
	}
	out.And, out.Or, out.Xor, out.AndNot = x&y, x|y, x^y, x&^y
	out.Neg, out.Not, out.Min, out.Max = -x, ^x, min(x, y), max(x, y)
	out.Inc = x
	out.Inc++
	out.Inc <<= 1
	if out.Abs = x; x < 0 {
		out.Abs = -x
	}
	out.Lt, out.Le, out.Gt, out.Ge, out.Eq, out.Ne = x < y, x <= y, x > y, x >= y, x == y, x != y
}

// constOut divides and multiplies by constants, which compilers turn into
// other instructions.
type constOut[T integer] struct {
	By1, By2, By3, By7, By10, By16, By100 T
	Rem2, Rem3, Rem7, Rem10, Rem16        T
	Mul3, Mul10, Mul16                    T
	Even, Small                           bool
}

type constOps[T integer] struct{}

func (constOps[T]) Do(x T, out *constOut[T]) {
	out.By1, out.By2, out.By3, out.By7, out.By10, out.By16, out.By100 = x/1, x/2, x/3, x/7, x/10, x/16, x/100
	out.Rem2, out.Rem3, out.Rem7, out.Rem10, out.Rem16 = x%2, x%3, x%7, x%10, x%16
	out.Mul3, out.Mul10, out.Mul16 = x*3, x*10, x*16
	out.Even, out.Small = x%2 == 0, x < 100
}

// shiftOut shifts by a variable count and by constants.
type shiftOut[T integer] struct {
	Left, Right, Left1, Right1, LeftAll, RightAll T
}

type shiftOps[T integer, C integer] struct{}

func (shiftOps[T, C]) Do(in mixed[T, C], out *shiftOut[T]) {
	x := in.X
	out.Left, out.Right = x<<in.Y, x>>in.Y
	all := 64
	out.Left1, out.Right1, out.LeftAll, out.RightAll = x<<1, x>>1, x<<all, x>>all
}

// counts are shift counts, up to far past any width. C must hold 200.
func counts[C integer]() []C {
	return []C{0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127}
}

// wrapped arithmetic mixes widths as C programs do: every step must wrap in its own type.
type wrapOps struct{}

type wrapOut struct {
	A int8
	B uint8
	C int16
	D uint16
	E int32
	F uint64
	H uint32
}

func (wrapOps) Do(x uint64, out *wrapOut) {
	out.A = int8(x)*int8(x>>8) + int8(x>>16)
	out.B = uint8(x) - uint8(x>>8)
	out.B /= 3
	out.C = int16(out.A)*int16(out.B) - int16(x)
	out.D = uint16(out.C)>>3 + uint16(x>>32)<<5
	out.E = int32(out.D) * int32(out.C) * 77777
	for range 5 {
		out.F = out.F*6364136223846793005 + 1442695040888963407 + uint64(out.E)
	}
	out.H = uint32(out.F>>32) % (uint32(out.D) + 1)
}

// extendedOut is what divisions of extended numbers give.
type extendedOut[W integer] struct {
	Quo, Rem, QuoOdd, RemOdd, WideQuo, WideRem, NarrowQuo, Quo10, Rem7, Masked W
}

// extended divides numbers that are truncated to A and extended to B and then to
// W: compilers divide what they know to be small by shorter means.
type extended[A, B, W integer] struct{}

func (extended[A, B, W]) Do(in pair[int64], out *extendedOut[W]) {
	x, y := W(B(A(in.X))), W(B(A(in.Y)))
	if y != 0 {
		out.Quo, out.Rem = x/y, x%y
	}
	odd, wide := W(A(in.Y))|1, W(in.X)
	out.QuoOdd, out.RemOdd = x/odd, x%odd
	out.WideQuo, out.WideRem, out.NarrowQuo = wide/(y|1), wide%odd, x/(W(in.Y)|1)
	out.Quo10, out.Rem7 = x/10, wide%7
	low := uint32(1<<24 - 1)
	out.Masked = (x & W(low)) / (wide>>5&W(low>>4) | 1)
}

type small int8 // a named type behaves as its underlying one

func intCases() []Case {
	ops := "integer operators, " + rowFunctions
	return []Case{
		onEach("int/ops/int8", ops, each[intOps[int8]], pairs(integers[int8]())),
		onEach("int/ops/int16", ops, each[intOps[int16]], pairs(integers[int16]())),
		onEach("int/ops/int32", ops, each[intOps[int32]], pairs(integers[int32]())),
		onEach("int/ops/int64", ops, each[intOps[int64]], pairs(integers[int64]())),
		onEach("int/ops/int", ops, each[intOps[int]], pairs(integers[int]())),
		onEach("int/ops/uint8", ops, each[intOps[uint8]], pairs(integers[uint8]())),
		onEach("int/ops/uint16", ops, each[intOps[uint16]], pairs(integers[uint16]())),
		onEach("int/ops/uint32", ops, each[intOps[uint32]], pairs(integers[uint32]())),
		onEach("int/ops/uint64", ops, each[intOps[uint64]], pairs(integers[uint64]())),
		onEach("int/ops/uint", ops, each[intOps[uint]], pairs(integers[uint]())),
		onEach("int/ops/named", ops, each[intOps[small]], pairs(integers[small]())),
		onEach("int/const/int8", ops, each[constOps[int8]], integers[int8]()),
		onEach("int/const/uint8", ops, each[constOps[uint8]], integers[uint8]()),
		onEach("int/const/int16", ops, each[constOps[int16]], integers[int16]()),
		onEach("int/const/uint16", ops, each[constOps[uint16]], integers[uint16]()),
		onEach("int/const/int32", ops, each[constOps[int32]], integers[int32]()),
		onEach("int/const/uint32", ops, each[constOps[uint32]], integers[uint32]()),
		onEach("int/const/int64", ops, each[constOps[int64]], integers[int64]()),
		onEach("int/const/uint64", ops, each[constOps[uint64]], integers[uint64]()),
		onEach("int/shift/int8/uint8", ops, each[shiftOps[int8, uint8]], mix(integers[int8](), counts[uint8]())),
		onEach("int/shift/uint8/int", ops, each[shiftOps[uint8, int]], mix(integers[uint8](), counts[int]())),
		onEach("int/shift/int16/uint64", ops, each[shiftOps[int16, uint64]], mix(integers[int16](), append(counts[uint64](), 1<<16, 1<<63))),
		onEach("int/shift/uint16/int16", ops, each[shiftOps[uint16, int16]], mix(integers[uint16](), append(counts[int16](), 1<<12))),
		onEach("int/shift/int32/uint8", ops, each[shiftOps[int32, uint8]], mix(integers[int32](), append(counts[uint8](), 255))),
		onEach("int/shift/uint32/int64", ops, each[shiftOps[uint32, int64]], mix(integers[uint32](), append(counts[int64](), 1<<32, 1<<62))),
		onEach("int/shift/int64/uint32", ops, each[shiftOps[int64, uint32]], mix(integers[int64](), append(counts[uint32](), 1<<31))),
		onEach("int/shift/uint64/int8", ops, each[shiftOps[uint64, int8]], mix(integers[uint64](), counts[int8]())),
		onEach("int/shift/int/uint64", ops, each[shiftOps[int, uint64]], mix(integers[int](), append(counts[uint64](), 1<<32, 1<<63))),
		onEach("int/extended/int8/uint32/uint64", ops, each[extended[int8, uint32, uint64]], pairs(integers[int64]())),
		onEach("int/extended/int16/uint32/uint64", ops, each[extended[int16, uint32, uint64]], pairs(integers[int64]())),
		onEach("int/extended/int8/uint16/uint64", ops, each[extended[int8, uint16, uint64]], pairs(integers[int64]())),
		onEach("int/extended/int32/uint32/uint64", ops, each[extended[int32, uint32, uint64]], pairs(integers[int64]())),
		onEach("int/extended/uint16/int32/int64", ops, each[extended[uint16, int32, int64]], pairs(integers[int64]())),
		onEach("int/extended/int32/int32/int64", ops, each[extended[int32, int32, int64]], pairs(integers[int64]())),
		onEach("int/extended/uint32/int64/int", ops, each[extended[uint32, int64, int]], pairs(integers[int64]())),
		onEach("int/extended/int8/int16/uint32", ops, each[extended[int8, int16, uint32]], pairs(integers[int64]())),
		onEach("int/extended/uint16/int16/int32", ops, each[extended[uint16, int16, int32]], pairs(integers[int64]())),
		onEach("int/wrap", ops, each[wrapOps], integers[uint64]()),
	}
}
