package conformance

import "math"

// Conversions between all pairs of numeric types.

type converted struct {
	I8  int8
	I16 int16
	I32 int32
	I64 int64
	I   int
	U8  uint8
	U16 uint16
	U32 uint32
	U64 uint64
	U   uint
	UP  uint64 // by way of uintptr
	F32 float32
	F64 float64
	C   complex128
}

// fromInt converts integers, which always has a result.
type fromInt[T integer] struct{}

func (fromInt[T]) Do(x T, out *converted) {
	out.I8, out.I16, out.I32, out.I64, out.I = int8(x), int16(x), int32(x), int64(x), int(x)
	out.U8, out.U16, out.U32, out.U64, out.U = uint8(x), uint16(x), uint32(x), uint64(x), uint(x)
	out.UP = uint64(uintptr(x))
	out.F32, out.F64 = float32(x), float64(x)
	out.C = complex(float64(x), 0)
}

// fromFloat converts floats, also those that do not fit.
type fromFloat[T float] struct{}

func (fromFloat[T]) Do(x T, out *converted) {
	out.F32, out.F64 = float32(x), float64(x)
	out.I8, out.I16, out.I32, out.I64, out.I = int8(x), int16(x), int32(x), int64(x), int(x)
	out.U8, out.U16, out.U32, out.U64, out.U = uint8(x), uint16(x), uint32(x), uint64(x), uint(x)
	out.UP = uint64(uintptr(x))
	out.C = complex(float64(x), float64(-x))
}

// fitted is what fromFloat is to give, whatever the host: what gc's code for
// amd64 does. Where a number fits that is Go's own rule.
func fitted[T float](x T, out *converted) {
	out.F32, out.F64 = float32(x), float64(x)
	i32, i64 := int32(leastOr(x, 31)), leastOr(x, 63)
	u64 := uint64(i64)
	if x >= 1<<63 {
		u64 = 1<<63 | uint64(leastOr(x-1<<63, 63))
	}
	out.I8, out.I16, out.I32, out.I64, out.I = int8(i32), int16(i32), i32, i64, int(i64)
	out.U8, out.U16, out.U32, out.U64, out.U, out.UP = uint8(i32), uint16(i32), uint32(i64), u64, uint(u64), u64
	out.C = complex(float64(x), float64(-x))
}

// leastOr is x as a signed integer of some bits and a sign, the least of these
// if it does not fit.
func leastOr[T float](x T, bits int) int64 {
	if math.Abs(float64(x)) < math.Ldexp(1, bits) {
		return int64(x)
	}
	return -1 << bits
}

// between are floats near the integers' limits and between integers.
func between[T float]() []T {
	xs := floats[T]()
	for _, bits := range []int{7, 8, 15, 16, 31, 32, 52, 53, 62, 63, 64} {
		edge := T(1)
		for range bits {
			edge *= 2
		}
		for _, d := range []T{0, 0.25, 0.5, 0.75, 1, 1.5} {
			xs = append(xs, edge-d, edge+d, -edge-d, -edge+d)
		}
	}
	return xs
}

// whole converts floats to integers and back, also those that do not fit.
type whole[T float] struct{}

type wholeOut[T float] struct {
	I, I64, I32, U32, U64 T
	F32, Rest             float32
	F64                   float64
}

func (whole[T]) Do(x T, out *wholeOut[T]) {
	at := int(x)
	out.I, out.I64, out.I32 = T(at), T(int64(x)), T(int32(x))
	out.U32, out.U64 = T(uint32(x)), T(uint64(x))
	out.F32, out.F64 = float32(int64(x)), float64(int64(x))
	if at < 63 { // of a part of the lanes
		out.Rest = float32(at)
	}
}

// fittedBack is what fitted is to fromFloat.
func fittedBack[T float](x T, out *wholeOut[T]) {
	var c converted
	fitted(x, &c)
	out.I, out.I64, out.I32, out.U32, out.U64 = T(c.I), T(c.I64), T(c.I32), T(c.U32), T(c.U64)
	out.F32, out.F64 = float32(c.I64), float64(c.I64)
	if c.I < 63 {
		out.Rest = float32(c.I)
	}
}

// roundOps rounds integers of more bits than a float's to it: to even, once.
type roundOps struct{}

type roundOut struct {
	F32     float32
	F64     float64
	U32     float32
	U64     float64
	Back    float32
	Narrow  float32
	Widened float64
}

func (roundOps) Do(x int64, out *roundOut) {
	out.F32, out.F64 = float32(x), float64(x)
	out.U32, out.U64 = float32(uint64(x)), float64(uint64(x))
	out.Back = float32(float64(x))
	out.Narrow = float32(int32(x))
	out.Widened = float64(float32(int16(x)))
}

// awkward are integers that lie just beside the middle between two floats.
func awkward() []int64 {
	var xs []int64
	for _, p := range []int{24, 25, 30, 40, 53, 54, 55, 60, 62} {
		for _, half := range []int{p - 24, p - 25, p - 53, p - 54} {
			if half < 0 {
				continue
			}
			for _, d := range []int64{-1, 0, 1} {
				xs = append(xs, 1<<p+1<<half+d, 1<<p+3<<half+d, -(1<<p + 1<<half + d))
			}
		}
	}
	return append(xs, integers[int64]()...)
}

func convertCases() []Case {
	row := "conversions, " + rowFunctions
	return []Case{
		onEach("convert/int8", row, each[fromInt[int8]], integers[int8]()),
		onEach("convert/int16", row, each[fromInt[int16]], integers[int16]()),
		onEach("convert/int32", row, each[fromInt[int32]], integers[int32]()),
		onEach("convert/int64", row, each[fromInt[int64]], integers[int64]()),
		onEach("convert/int", row, each[fromInt[int]], integers[int]()),
		onEach("convert/uint8", row, each[fromInt[uint8]], integers[uint8]()),
		onEach("convert/uint16", row, each[fromInt[uint16]], integers[uint16]()),
		onEach("convert/uint32", row, each[fromInt[uint32]], integers[uint32]()),
		onEach("convert/uint64", row, each[fromInt[uint64]], integers[uint64]()),
		onEach("convert/uint", row, each[fromInt[uint]], integers[uint]()),
		onEachWithin("convert/float32", row, each[fromFloat[float32]], between[float32](), exact, fitted[float32]),
		onEachWithin("convert/float64", row, each[fromFloat[float64]], between[float64](), exact, fitted[float64]),
		onEachWithin("convert/whole32", row, each[whole[float32]], between[float32](), exact, fittedBack[float32]),
		onEachWithin("convert/whole64", row, each[whole[float64]], between[float64](), exact, fittedBack[float64]),
		onEachWithin("convert/limited32", row, each[bounded32[float32]], between[float32](), exact, bounded32By[float32]),
		onEachWithin("convert/limited64", row, each[bounded32[float64]], between[float64](), exact, bounded32By[float64]),
		onEachWithin("convert/reflected32", row, each[reflected[float32]], between[float32](), exact, reflectedBy[float32]),
		onEachWithin("convert/reflected64", row, each[reflected[float64]], between[float64](), exact, reflectedBy[float64]),
		onEach("convert/round", row, each[roundOps], awkward()),
	}
}
