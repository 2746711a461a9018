package prim

import (
	"unsafe"

	"heddle/launch"
)

// This file has iterators: Go funcs that say what element i is. They are compiled into the kernel that calls
// them, so nothing of them is stored. A func literal of the program's own is one as well; it may capture what a
// kernel may capture, buffers for one:
//
//	func(i int) float32 { return x.Device()[i] * y.Device()[i] }

// Of is the elements of a buffer. An index out of range is a panic of the kernel.
func Of[T any](b *launch.Buffer[T]) func(i int) T {
	return func(i int) T { return b.Device()[i] }
}

// of is Of for indices that the caller knows to be in range.
func of[T any](b *launch.Buffer[T]) func(i int) T {
	return func(i int) T { return *elem(unsafe.SliceData(b.Device()), i) }
}

// into stores into a buffer, of which the caller knows the length.
func into[T any](b *launch.Buffer[T]) func(i int, v T) {
	return func(i int, v T) { *elem(unsafe.SliceData(b.Device()), i) = v }
}

// Into stores the elements in a buffer: the put of [ScanFunc].
func Into[T any](b *launch.Buffer[T]) func(i int, v T) {
	return func(i int, v T) { b.Device()[i] = v }
}

// Constant is v for each index (thrust::constant_iterator).
func Constant[T any](v T) func(i int) T { return func(int) T { return v } }

// Counting is from, from+1 and so on (thrust::counting_iterator).
func Counting(from int) func(i int) int { return func(i int) int { return from + i } }

// Mapped is f of what at returns (thrust::transform_iterator).
func Mapped[T, U any](at func(i int) T, f func(v T) U) func(i int) U {
	return func(i int) U { return f(at(i)) }
}

// Permuted is the elements of at in the order of index (thrust::permutation_iterator).
func Permuted[T any, I ~int | ~int32 | ~int64 | ~uint32](at func(i int) T, index *launch.Buffer[I]) func(i int) T {
	return func(i int) T { return at(int(index.Device()[i])) }
}

// Reversed is the n elements of at from the last one on (thrust::reverse_iterator).
func Reversed[T any](n int, at func(i int) T) func(i int) T {
	return func(i int) T { return at(n - 1 - i) }
}

// Zipped is pairs of the elements of a and b (thrust::zip_iterator).
func Zipped[A, B any](a func(i int) A, b func(i int) B) func(i int) Pair[A, B] {
	return func(i int) Pair[A, B] { return Pair[A, B]{a(i), b(i)} }
}

// A Pair is two values.
type Pair[A, B any] struct {
	A A
	B B
}
