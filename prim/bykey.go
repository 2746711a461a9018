package prim

import (
	"heddle/launch"
)

// A run is what a scan by key combines: the value of the part of a run that is there, and how many runs begin in it.
type run[V any] struct {
	value V
	heads int
}

// joined is the operator of runs for the operator of their values.
func joined[V any](op func(a, b V) V) func(a, b run[V]) run[V] {
	return func(a, b run[V]) run[V] {
		if b.heads == 0 {
			b.value = op(a.value, b.value)
		}
		return run[V]{b.value, a.heads + b.heads}
	}
}

// runsOf is the elements as runs of one; head says where a run begins.
func runsOf[V any](head func(i int) bool, value func(i int) V) input[run[V]] {
	return input[run[V]]{at: func(i int) run[V] {
		r := run[V]{value(i), 0}
		if head(i) {
			r.heads = 1
		}
		return r
	}}
}

// headOf says where a run of equal keys begins.
func headOf[K comparable](key func(i int) K) func(i int) bool {
	return func(i int) bool { return i == 0 || key(i-1) != key(i) }
}

// InclusiveScanByKey is [InclusiveScan] within each run of equal keys (thrust::inclusive_scan_by_key). A value has at most 24 bytes. out may be in.
func InclusiveScanByKey[K, V comparable](s *launch.Stream, out *launch.Buffer[V], keys *launch.Buffer[K], in *launch.Buffer[V], op func(a, b V) V, opts ...Options) error {
	const fn = "InclusiveScanByKey"
	if err := byKey(s, fn, keys, in, out, op); err != nil {
		return err
	}
	put := into(out)
	return scan(s, fn, in.Len(), runsOf(headOf(of(keys)), of(in)), func(i int, r run[V]) { put(i, r.value) }, run[V]{}, scanInclusive, joined(op), opts)
}

// ExclusiveScanByKey is [ExclusiveScan] within each run of equal keys (thrust::exclusive_scan_by_key): see [InclusiveScanByKey]. out
// shares no memory with in.
func ExclusiveScanByKey[K, V comparable](s *launch.Stream, out *launch.Buffer[V], keys *launch.Buffer[K], in *launch.Buffer[V], init V, op func(a, b V) V, opts ...Options) error {
	const fn = "ExclusiveScanByKey"
	if err := first(byKey(s, fn, keys, in, out, op), apart(fn, "out", out, "in", in, false)); err != nil {
		return err
	}
	n := in.Len()
	key, put, value := of(keys), into(out), of(in)
	// the scan of what is before each element, begun by init at each head: element i of it is put at i+1
	return scan(s, fn, n, runsOf(headOf(key), func(i int) V {
		if i == 0 || key(i-1) != key(i) {
			return op(init, value(i))
		}
		return value(i)
	}), func(i int, r run[V]) {
		if i == 0 {
			put(0, init)
		}
		if i+1 < n {
			if key(i) == key(i+1) {
				put(i+1, r.value)
			} else {
				put(i+1, init)
			}
		}
	}, run[V]{}, scanInclusive, joined(op), opts)
}

func byKey[K, V any](s *launch.Stream, fn string, keys *launch.Buffer[K], in, out *launch.Buffer[V], op func(a, b V) V) error {
	return first(stream(fn, s), live(fn, "keys", keys), same(fn, "in", in, keys.Len()), same(fn, "out", out, keys.Len()),
		apart(fn, "out", out, "in", in, true), apart(fn, "out", out, "keys", keys, false), function(fn, "op", op), exchanged[run[V]](fn))
}

// ReduceByKey combines the values of each run of equal keys, and stores the runs' keys (of -0 and 0, which are equal, the last) and values, and
// their number in count[0] (hipcub::DeviceReduce::ReduceByKey). op may depend on the order of its arguments. What does not fit outKeys and outValues is dropped. A
// value has at most 24 bytes. The outputs share no memory with the inputs.
func ReduceByKey[K, V comparable](s *launch.Stream, outKeys *launch.Buffer[K], outValues *launch.Buffer[V], count *launch.Buffer[int], keys *launch.Buffer[K], values *launch.Buffer[V], op func(a, b V) V, opts ...Options) error {
	const fn = "ReduceByKey"
	if err := first(stream(fn, s), live(fn, "keys", keys), same(fn, "values", values, keys.Len()), live(fn, "outKeys", outKeys), live(fn, "outValues", outValues), atLeast(fn, "count", count, 1),
		apart(fn, "outKeys", outKeys, "keys", keys, false), apart(fn, "outValues", outValues, "values", values, false),
		apart(fn, "outKeys", outKeys, "values", values, false), apart(fn, "outValues", outValues, "keys", keys, false), apart(fn, "outKeys", outKeys, "outValues", outValues, false),
		countApart(fn, count, outKeys, keys), countApart(fn, count, outValues, values), function(fn, "op", op), exchanged[run[V]](fn)); err != nil {
		return err
	}
	putKey, putValue := within(outKeys, keys.Len()), within(outValues, keys.Len())
	key := of(keys)
	return reduceRuns(s, fn, keys.Len(), headOf(key), of(values), op, func(k int, v V, last int) {
		putKey(k, key(last))
		putValue(k, v)
	}, count, opts)
}

// ReduceByKeyFunc is [ReduceByKey] of n keys and values that key and value return: see [Of]. Each two neighbours that equal holds
// for are of one run. It calls put(k, key, v) for run k with its last key and its value, in any order of the runs, and sets
// counted[0] to how many runs there are.
func ReduceByKeyFunc[K any, V comparable](s *launch.Stream, n int, key func(i int) K, value func(i int) V, put func(k int, key K, v V),
	equal func(a, b K) bool, op func(a, b V) V, counted *launch.Buffer[int], opts ...Options) error {
	const fn = "ReduceByKeyFunc"
	if err := first(stream(fn, s), count(fn, n), function(fn, "key", key), function(fn, "value", value), function(fn, "put", put),
		function(fn, "equal", equal), function(fn, "op", op), atLeast(fn, "counted", counted, 1), exchanged[run[V]](fn)); err != nil {
		return err
	}
	head := func(i int) bool { return i == 0 || !equal(key(i-1), key(i)) }
	return reduceRuns(s, fn, n, head, value, op, func(k int, v V, last int) { put(k, key(last), v) }, counted, opts)
}

// reduceRuns calls put for the last element of each run, with the run's number and value.
func reduceRuns[V comparable](s *launch.Stream, fn string, n int, head func(i int) bool, value func(i int) V, op func(a, b V) V,
	put func(k int, v V, last int), count *launch.Buffer[int], opts []Options) error {
	if n == 0 {
		return none(s, count, opts)
	}
	return scan(s, fn, n, runsOf(head, value), func(i int, r run[V]) {
		if i+1 < n && !head(i+1) {
			return
		}
		put(r.heads-1, r.value, i)
		if i+1 == n {
			count.Device()[0] = r.heads
		}
	}, run[V]{}, scanInclusive, joined(op), opts)
}
