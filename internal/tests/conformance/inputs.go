package conformance

import (
	"math"
	"math/rand/v2"
	"unsafe"
)

type signed interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int
}

type unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint
}

type integer interface{ signed | unsigned }

type float interface{ ~float32 | ~float64 }

type number interface{ integer | float }

// A pair is the input of an operation with two operands.
type pair[T any] struct{ X, Y T }

// A mixed is a pair of two types.
type mixed[T, U any] struct {
	X T
	Y U
}

// integers are the edges of T and some numbers between them.
func integers[T integer]() []T {
	bits := int(unsafe.Sizeof(T(0))) * 8
	top := T(1) << (bits - 1)
	xs := []T{0, 1, 2, 3, 5, 7, 10, 100, 127, ^T(0), ^T(1), ^T(6), ^T(99), top, top + 1, top - 1, top - 2, top >> 1, top>>1 + 1}
	r := rand.New(rand.NewPCG(1, uint64(bits)))
	for range 12 {
		xs = append(xs, T(r.Uint64()))
	}
	for i := 3; i < bits; i += 5 {
		xs = append(xs, T(r.Uint64())>>i)
	}
	return xs
}

// floats are the edges of T: zeros, infinities, NaN, denormals, the largest,
// numbers that round, and some of every size.
func floats[T float]() []T {
	limits := [3]float64{math.SmallestNonzeroFloat64, 0x1p-1022, math.MaxFloat64}
	if unsafe.Sizeof(T(0)) == 4 {
		limits = [3]float64{math.SmallestNonzeroFloat32, 0x1p-126, math.MaxFloat32}
	}
	tiny, least, huge := T(limits[0]), T(limits[1]), T(limits[2])
	inf := T(math.Inf(1))
	zero := T(0)
	xs := []T{
		0, -zero, 1, -1, 0.5, -0.5, 1.5, -1.5, 2, 2.5, -2.5, 3, 1e-3, -1e-3, 10, 1.0 / 3, 0.1, -0.7, 1e10, -1e10,
		tiny, -tiny, 3 * tiny, least, -least, least - tiny, least / 4, huge, -huge, huge / 2,
		inf, -inf, T(math.NaN()), T(math.Copysign(0, -1)), 1 + T(0x1p-20), 16777217, 9007199254740993,
	}
	r := rand.New(rand.NewPCG(2, uint64(unsafe.Sizeof(T(0)))))
	for range 16 {
		xs = append(xs, T(r.NormFloat64()*math.Exp2(float64(r.IntN(100)-50))))
	}
	return xs
}

// pairs is every x with every y.
func pairs[T any](xs []T) []pair[T] {
	var all []pair[T]
	for _, x := range xs {
		for _, y := range xs {
			all = append(all, pair[T]{x, y})
		}
	}
	return all
}

// mix is every x with every y.
func mix[T, U any](xs []T, ys []U) []mixed[T, U] {
	var all []mixed[T, U]
	for _, x := range xs {
		for _, y := range ys {
			all = append(all, mixed[T, U]{x, y})
		}
	}
	return all
}

// upTo is 0 to n-1.
func upTo(n int) []int {
	xs := make([]int, n)
	for i := range xs {
		xs[i] = i
	}
	return xs
}

// filled is n times what f gives.
func filled[T any](n int, f func(i int) T) []T {
	xs := make([]T, n)
	for i := range xs {
		xs[i] = f(i)
	}
	return xs
}
