package prim

import (
	"heddle/launch"
)

// SegmentedSort sorts the keys of each segment, and their values with them: segment k is offsets[k] to offsets[k+1]-1
// (hipcub::DeviceSegmentedSort::StableSortPairs). Offsets ascend, from 0 to the number of keys. It sorts all keys, and then by
// segment, so that it makes no difference how long segments are. The outputs share no memory with the inputs. Its memory is the
// device's pool's, whatever Options.Temp says.
func SegmentedSort[K Key, V any](s *launch.Stream, outKeys *launch.Buffer[K], outValues *launch.Buffer[V], keys *launch.Buffer[K], values *launch.Buffer[V], offsets *launch.Buffer[int], opts ...Options) error {
	const fn = "SegmentedSort"
	if err := first(pairsOf(s, fn, outKeys, outValues, keys, values), apart(fn, "outKeys", outKeys, "keys", keys, false),
		apart(fn, "outValues", outValues, "values", values, false), atLeast(fn, "offsets", offsets, 1),
		apart(fn, "outKeys", outKeys, "offsets", offsets, false), apart(fn, "outValues", outValues, "offsets", offsets, false)); err != nil {
		return err
	}
	value, put := of(values), into(outValues)
	return segmentedSort(s, fn, outKeys, keys, offsets, func(i, from int) { put(i, value(from)) }, opts)
}

// SegmentedSortKeys is [SegmentedSort] of keys alone.
func SegmentedSortKeys[K Key](s *launch.Stream, out, in *launch.Buffer[K], offsets *launch.Buffer[int], opts ...Options) error {
	const fn = "SegmentedSortKeys"
	if err := first(stream(fn, s), live(fn, "in", in), same(fn, "out", out, in.Len()), apart(fn, "out", out, "in", in, false), atLeast(fn, "offsets", offsets, 1),
		apart(fn, "out", out, "offsets", offsets, false)); err != nil {
		return err
	}
	return segmentedSort(s, fn, out, in, offsets, func(i, from int) {}, opts)
}

// segmentedSort sorts, and calls move with each place and the place of what belongs there.
func segmentedSort[K Key](s *launch.Stream, fn string, out, in *launch.Buffer[K], offsets *launch.Buffer[int], move func(i, from int), opts []Options) (err error) {
	o, n := merged(opts), in.Len()
	if o.need != nil || n == 0 {
		return nil
	}
	o.Temp = nil
	index, err := launch.AllocAsync[int](s, 2*n)
	if err != nil {
		return err
	}
	defer closeAsync(s, index, &err)
	segment, err := launch.AllocAsync[uint32](s, n)
	if err != nil {
		return err
	}
	defer closeAsync(s, segment, &err)
	index, sorted := index.Slice(0, n), index.Slice(n, 2*n)
	if err := Generate(s, index, func(i int) int { return i }); err != nil {
		return err
	}
	if err := SortPairs(s, out, sorted, in, index, o); err != nil {
		return err
	}
	order, segments, at := of(sorted), offsets.Len(), of(offsets)
	if err := Generate(s, segment, func(i int) uint32 {
		return uint32(upperBound(segments, at, order(i), func(a, b int) bool { return a < b }))
	}); err != nil {
		return err
	}
	bits := 1
	for segments>>bits != 0 {
		bits++
	}
	if err := SortPairs(s, segment, index, segment, sorted, Options{LastBit: bits, Tuning: o.Tuning}); err != nil {
		return err
	}
	from, key, put := of(index), of(in), into(out)
	return forEach(s, n, func(i int) {
		put(i, key(from(i)))
		move(i, from(i))
	}, fn, nil)
}
