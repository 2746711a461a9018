package prim

import (
	"heddle/launch"
)

// LowerBound sets out[i] to the number of elements of sorted that are less than values[i] (thrust::lower_bound). sorted is in the order of less.
func LowerBound[T any](s *launch.Stream, out *launch.Buffer[int], sorted, values *launch.Buffer[T], less func(a, b T) bool, opts ...Options) error {
	const fn = "LowerBound"
	if err := search(s, fn, out, sorted, values, less); err != nil {
		return err
	}
	n, in, at := sorted.Len(), of(sorted), of(values)
	return generate(s, fn, out, func(i int) int { return lowerBound(n, in, at(i), less) }, opts)
}

// UpperBound sets out[i] to the number of elements of sorted that values[i] is not less than (thrust::upper_bound).
func UpperBound[T any](s *launch.Stream, out *launch.Buffer[int], sorted, values *launch.Buffer[T], less func(a, b T) bool, opts ...Options) error {
	const fn = "UpperBound"
	if err := search(s, fn, out, sorted, values, less); err != nil {
		return err
	}
	n, in, at := sorted.Len(), of(sorted), of(values)
	return generate(s, fn, out, func(i int) int { return upperBound(n, in, at(i), less) }, opts)
}

// LowerBoundFunc is [LowerBound] of computed elements and values, which may be of two types: it sets out[i] to the number of the n
// elements of at for which less(at(j), value(i)) holds. These come first.
func LowerBoundFunc[T, V any](s *launch.Stream, out *launch.Buffer[int], n int, at func(i int) T, value func(i int) V,
	less func(a T, v V) bool, opts ...Options) error {
	const fn = "LowerBoundFunc"
	if err := first(stream(fn, s), live(fn, "out", out), count(fn, n), function(fn, "at", at), function(fn, "value", value),
		function(fn, "less", less)); err != nil {
		return err
	}
	return generate(s, fn, out, func(i int) int { return lowerBound(n, at, value(i), less) }, opts)
}

// UpperBoundFunc is [UpperBound] of computed elements and values, which may be of two types: it sets out[i] to the number of the n
// elements of at for which less(value(i), at(j)) does not hold. These come first.
func UpperBoundFunc[T, V any](s *launch.Stream, out *launch.Buffer[int], n int, at func(i int) T, value func(i int) V,
	less func(v V, a T) bool, opts ...Options) error {
	const fn = "UpperBoundFunc"
	if err := first(stream(fn, s), live(fn, "out", out), count(fn, n), function(fn, "at", at), function(fn, "value", value),
		function(fn, "less", less)); err != nil {
		return err
	}
	return generate(s, fn, out, func(i int) int { return upperBound(n, at, value(i), less) }, opts)
}

// BinarySearch sets out[i] to whether values[i] is in sorted: an element of which neither is less than the other (thrust::binary_search).
func BinarySearch[T any](s *launch.Stream, out *launch.Buffer[bool], sorted, values *launch.Buffer[T], less func(a, b T) bool, opts ...Options) error {
	const fn = "BinarySearch"
	if err := search(s, fn, out, sorted, values, less); err != nil {
		return err
	}
	n, in, at := sorted.Len(), of(sorted), of(values)
	return generate(s, fn, out, func(i int) bool {
		k := lowerBound(n, in, at(i), less)
		return k < n && !less(at(i), in(k))
	}, opts)
}

func search[T, U any](s *launch.Stream, fn string, out *launch.Buffer[U], sorted, values *launch.Buffer[T], less func(a, b T) bool) error {
	return first(stream(fn, s), live(fn, "sorted", sorted), live(fn, "values", values), same(fn, "out", out, values.Len()),
		apart(fn, "out", out, "sorted", sorted, false), apart(fn, "out", out, "values", values, false), function(fn, "less", less))
}

// lowerBound is the first of n elements that is not less than v.
func lowerBound[T, V any](n int, at func(i int) T, v V, less func(a T, v V) bool) int {
	low, high := 0, n
	for low < high {
		if mid := int(uint(low+high) / 2); less(at(mid), v) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// upperBound is the first of n elements that v is less than.
func upperBound[T, V any](n int, at func(i int) T, v V, less func(v V, a T) bool) int {
	low, high := 0, n
	for low < high {
		if mid := int(uint(low+high) / 2); less(v, at(mid)) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}

// AdjacentDifference sets out[0] to in[0], and each other out[i] to op(in[i], in[i-1]) (hipcub::DeviceAdjacentDifference::SubtractLeftCopy). out
// shares no memory with in.
func AdjacentDifference[T any](s *launch.Stream, out, in *launch.Buffer[T], op func(v, before T) T, opts ...Options) error {
	const fn = "AdjacentDifference"
	if err := first(stream(fn, s), live(fn, "in", in), same(fn, "out", out, in.Len()), apart(fn, "out", out, "in", in, false), function(fn, "op", op)); err != nil {
		return err
	}
	at := of(in)
	return generate(s, fn, out, func(i int) T {
		if i == 0 {
			return at(0)
		}
		return op(at(i), at(i-1))
	}, opts)
}
