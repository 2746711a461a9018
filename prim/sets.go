package prim

import (
	"heddle/launch"
	"heddle/prim/block"
)

// The set operations are those of sorted sequences, as C++ has them: of elements that are equal by less, m times in a and n times in
// b, an intersection has min(m, n), a difference max(m-n, 0), a union max(m, n), and a symmetric difference |m-n|.

// Intersection stores the elements of a that are in b in out, and how many these are in count[0] (thrust::set_intersection). a and b are in the order of less. What does not
// fit out is dropped, and out shares no memory with the others.
func Intersection[T any](s *launch.Stream, out *launch.Buffer[T], count *launch.Buffer[int], a, b *launch.Buffer[T], less func(a, b T) bool, opts ...Options) error {
	return members(s, "Intersection", out, count, a, b, less, true, opts)
}

// Difference stores the elements of a that are not in b in out: see [Intersection] (thrust::set_difference).
func Difference[T any](s *launch.Stream, out *launch.Buffer[T], count *launch.Buffer[int], a, b *launch.Buffer[T], less func(a, b T) bool, opts ...Options) error {
	return members(s, "Difference", out, count, a, b, less, false, opts)
}

func members[T any](s *launch.Stream, fn string, out *launch.Buffer[T], count *launch.Buffer[int], a, b *launch.Buffer[T], less func(a, b T) bool, inBoth bool, opts []Options) error {
	if err := sets(s, fn, out, count, a, b, less); err != nil {
		return err
	}
	if a.Len() == 0 {
		return none(s, count, opts)
	}
	keep := inOther(a.Len(), of(a), b.Len(), of(b), less)
	return selectItems(s, fn, a.Len(), inputOf(a), func(i int, v T) bool { return keep(i) == inBoth }, within(out, a.Len()), nil, false, count, opts)
}

// Union stores the elements of a, and those of b that are not in a, in out in their order: see [Intersection] (thrust::set_union).
func Union[T any](s *launch.Stream, out *launch.Buffer[T], count *launch.Buffer[int], a, b *launch.Buffer[T], less func(a, b T) bool, opts ...Options) error {
	return eitherSet(s, "Union", out, count, a, b, less, true, opts)
}

// SymmetricDifference stores the elements of a that are not in b, and those of b that are not in a, in out in their order: see
// [Intersection] (thrust::set_symmetric_difference).
func SymmetricDifference[T any](s *launch.Stream, out *launch.Buffer[T], count *launch.Buffer[int], a, b *launch.Buffer[T], less func(a, b T) bool, opts ...Options) error {
	return eitherSet(s, "SymmetricDifference", out, count, a, b, less, false, opts)
}

// eitherSet selects from the merge of both, which is element i of a at i plus the elements of b before it, and the other way round.
func eitherSet[T any](s *launch.Stream, fn string, out *launch.Buffer[T], count *launch.Buffer[int], a, b *launch.Buffer[T], less func(a, b T) bool, shared bool, opts []Options) (err error) {
	if err := sets(s, fn, out, count, a, b, less); err != nil {
		return err
	}
	n := a.Len() + b.Len()
	if n == 0 {
		return none(s, count, opts)
	}
	na, nb, x, y := a.Len(), b.Len(), of(a), of(b)
	inB, inA := inOther(na, x, nb, y, less), inOther(nb, y, na, x, less)
	// place i of the merge holds element from(i) of a, or i-from(i) of b
	from := func(i int) int { return block.MergePath(na, nb, i, x, y, less) }
	ofA := func(i, k int) bool { return k < na && (i-k >= nb || !less(y(i-k), x(k))) }
	merged := func(i int) T {
		k := from(i)
		if ofA(i, k) {
			return x(k)
		}
		return y(i - k)
	}
	return selectItems(s, fn, n, input[T]{at: merged}, func(i int, _ T) bool {
		k := from(i)
		if ofA(i, k) {
			return shared || !inB(k)
		}
		return !inA(i - k)
	}, within(out, n), nil, false, count, opts)
}

// inOther tells whether element i of a sequence has a partner in the other one: its number among its equals is less than their
// number there.
func inOther[T any](n int, own func(i int) T, m int, other func(i int) T, less func(a, b T) bool) func(i int) bool {
	return func(i int) bool {
		v := own(i)
		rank := i - lowerBound(i, own, v, less)
		at := lowerBound(m, other, v, less) + rank
		return at < m && !less(v, other(at))
	}
}

func sets[T any](s *launch.Stream, fn string, out *launch.Buffer[T], count *launch.Buffer[int], a, b *launch.Buffer[T], less func(a, b T) bool) error {
	return first(stream(fn, s), live(fn, "a", a), live(fn, "b", b), live(fn, "out", out), atLeast(fn, "count", count, 1),
		apart(fn, "out", out, "a", a, false), apart(fn, "out", out, "b", b, false), apart(fn, "count", count, "out", out, false),
		apart(fn, "count", count, "a", a, false), apart(fn, "count", count, "b", b, false), function(fn, "less", less))
}
