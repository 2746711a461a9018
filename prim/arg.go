package prim

import (
	"heddle/launch"
)

// An Indexed is a value and where it was found; Index is -1 if there is none.
type Indexed[T any] struct {
	Value T
	Index int
}

// ArgMin sets out[0] to the least element of in and its index, the first of several (hipcub::DeviceReduce::ArgMin). A NaN is found
// before all numbers, the first one. Of no elements the index is -1.
func ArgMin[T Number](s *launch.Stream, out *launch.Buffer[Indexed[T]], in *launch.Buffer[T], opts ...Options) error {
	return arg(s, "ArgMin", out, in, func(a, b T) bool { return a < b || a != a && b == b }, opts)
}

// ArgMax sets out[0] to the greatest element of in and its index, as [ArgMin] does.
func ArgMax[T Number](s *launch.Stream, out *launch.Buffer[Indexed[T]], in *launch.Buffer[T], opts ...Options) error {
	return arg(s, "ArgMax", out, in, func(a, b T) bool { return a > b || a != a && b == b }, opts)
}

// ArgFunc sets out[0] to the element of in that is before all others by less, the first of several, and its index: see [ArgMin]. A T has
// at most 24 bytes.
func ArgFunc[T comparable](s *launch.Stream, out *launch.Buffer[Indexed[T]], in *launch.Buffer[T], less func(a, b T) bool, opts ...Options) error {
	if err := function("ArgFunc", "less", less); err != nil {
		return err
	}
	return arg(s, "ArgFunc", out, in, less, opts)
}

func arg[T comparable](s *launch.Stream, fn string, out *launch.Buffer[Indexed[T]], in *launch.Buffer[T], less func(a, b T) bool, opts []Options) error {
	if err := first(stream(fn, s), live(fn, "in", in), atLeast(fn, "out", out, 1), exchanged[Indexed[T]](fn)); err != nil {
		return err
	}
	at := of(in)
	none := Indexed[T]{Index: -1}
	return reduceAt[Indexed[T], [1]Indexed[T]](s, fn, out, in.Len(), func(i int) Indexed[T] { return Indexed[T]{at(i), i} }, none,
		func(a, b Indexed[T]) Indexed[T] {
			switch {
			case a.Index < 0:
				return b
			case b.Index < 0:
				return a
			case less(b.Value, a.Value), b.Index < a.Index && !less(a.Value, b.Value):
				return b
			}
			return a
		}, merged(opts))
}
