package prim_test

import (
	"slices"

	"heddle/launch"
	"heddle/prim"
)

// anyCalls are the algorithms that take any type.
func anyCalls[T comparable](k kind[T]) []call {
	all := []call{
		{"transform", k.size(), func(f *fuzz) { fuzzTransform(f, k) }},
		{"reduce", k.size(), func(f *fuzz) { fuzzReduce(f, k) }},
		{"scan", k.size(), func(f *fuzz) { fuzzScan(f, k) }},
		{"bykey", 16, func(f *fuzz) { fuzzByKey(f, k) }},
		{"valuesbykey", k.size() + 8, func(f *fuzz) { fuzzValuesByKey(f, k) }},
		{"select", k.size(), func(f *fuzz) { fuzzSelect(f, k) }},
		{"unique", k.size(), func(f *fuzz) { fuzzUnique(f, k) }},
		{"segments", k.size(), func(f *fuzz) { fuzzSegments(f, k) }},
		{"mergesort", k.size(), func(f *fuzz) { fuzzMergeSort(f, k) }},
		{"sets", k.size(), func(f *fuzz) { fuzzSets(f, k) }},
		{"search", k.size(), func(f *fuzz) { fuzzSearch(f, k) }},
		{"sortfunc", k.size(), func(f *fuzz) { fuzzSortFunc(f, k) }},
	}
	for i := range all {
		all[i].name = k.name + "/" + all[i].name
	}
	return all
}

func fuzzTransform[T comparable](f *fuzz, k kind[T]) {
	a, b, c := values(f, k, f.n), values(f, k, f.n), values(f, k, f.n)
	x, y, z := in(f, a), in(f, b), in(f, c)
	var bits func(v T) uint64 = k.bits
	var limit uint64 = k.bits(k.value(f.r, 0))
	var larger func(v, w T) T = func(v, w T) T {
		if bits(v) < bits(w) {
			return w
		}
		return v
	}
	wide := make([]uint64, f.n)
	for i, v := range a {
		wide[i] = k.bits(v) + limit
	}
	to := out[uint64](f, f.n)
	f.make(func(o prim.Options) error {
		return prim.Transform(f.s, to, x, func(v T) uint64 { return bits(v) + limit }, o)
	})
	equal(f, "transform", to, wide, func(v uint64) uint64 { return v })

	before := slices.Clone(a)
	for i := 1; i < f.n; i++ {
		before[i] = larger(a[i], a[i-1])
	}
	other := out[T](f, f.n)
	f.make(func(o prim.Options) error { return prim.AdjacentDifference(f.s, other, x, larger, o) })
	equal(f, "adjacent difference", other, before, k.bits)

	want2, want3 := make([]T, f.n), make([]T, f.n)
	for i := range a {
		want2[i], want3[i] = larger(a[i], b[i]), larger(larger(a[i], b[i]), c[i])
	}
	other = out[T](f, f.n)
	f.make(func(o prim.Options) error {
		return prim.Transform3(f.s, other, x, y, z, func(u, v, w T) T { return larger(larger(u, v), w) }, o)
	})
	equal(f, "three", other, want3, k.bits)
	f.make(func(o prim.Options) error { return prim.Transform2(f.s, x, x, y, larger, o) })
	equal(f, "two, in place", x, want2, k.bits)
	slices.Reverse(want3)
	n := f.n
	f.make(func(o prim.Options) error { return prim.Generate(f.s, x, prim.Reversed(n, prim.Of(other)), o) })
	equal(f, "reversed", x, want3, k.bits)
	if f.n > 0 {
		copies := []prim.Copy{{From: f.r.IntN(f.n), To: 0, N: 0}}
		for at := 0; at < f.n; {
			m := min(1+f.r.IntN(200), f.n-at)
			from := f.r.IntN(f.n - m + 1)
			copies = append(copies, prim.Copy{From: from, To: at, N: m})
			copy(want3[at:at+m], b[from:])
			at += m
		}
		f.make(func(o prim.Options) error { return prim.BatchedCopy(f.s, x, y, in(f, copies), o) })
		equal(f, "copies", x, want3, k.bits)
	}
}

// chosen is an operator and values for which it is exact, in a random choice.
func chosen[T comparable](f *fuzz, k kind[T]) (host []T, init T, op func(a, b T) T) {
	if f.r.IntN(2) == 0 {
		return smalls(f, k, f.n), k.small(f.r), k.add
	}
	var bits func(v T) uint64 = k.plain
	return values(f, k, f.n), k.value(f.r, 0), func(a, b T) T {
		if bits(b) > bits(a) {
			return b
		}
		return a
	}
}

func fuzzReduce[T comparable](f *fuzz, k kind[T]) {
	host, init, op := chosen(f, k)
	want := init
	for _, v := range host {
		want = op(want, v)
	}
	x, to := in(f, host), out[T](f, 1+f.r.IntN(3))
	if f.n > 0 && f.r.IntN(4) == 0 {
		to = x.Slice(f.r.IntN(f.n), f.n)
	}
	n := f.n
	f.make(func(o prim.Options) error {
		return prim.ReduceFunc(f.s, to, n, prim.Reversed(n, prim.Of(x)), init, op, o)
	})
	if to.Pointer() != nil && f.n > 0 {
		x = in(f, host)
	}
	equal(f, "reduce func", to.Slice(0, 1), []T{want}, k.plain)
	f.make(func(o prim.Options) error { return prim.Reduce(f.s, to, x, init, op, o) })
	equal(f, "reduce", to.Slice(0, 1), []T{want}, k.plain)
}

func fuzzScan[T comparable](f *fuzz, k kind[T]) {
	host, init, op := chosen(f, k)
	inclusive, exclusive := make([]T, f.n), make([]T, f.n)
	sum, all := init, init
	for i, v := range host {
		if i == 0 {
			sum = v
		} else {
			sum = op(sum, v)
		}
		inclusive[i], exclusive[i], all = sum, all, op(all, v)
	}
	x := in(f, host)
	to, n := out[T](f, f.n), f.n
	f.make(func(o prim.Options) error { return prim.ScanFunc(f.s, n, prim.Of(x), prim.Into(to), op, o) })
	equal(f, "scan func", to, inclusive, k.plain)
	f.make(func(o prim.Options) error {
		return prim.ExclusiveScanFunc(f.s, n, prim.Of(x), prim.Into(to), init, op, o)
	})
	equal(f, "exclusive scan func", to, exclusive, k.plain)
	f.make(func(o prim.Options) error { return prim.ExclusiveScan(f.s, to, x, init, op, o) })
	equal(f, "exclusive", to, exclusive, k.plain)
	to = orIn(f, x)
	f.make(func(o prim.Options) error { return prim.InclusiveScan(f.s, to, x, op, o) })
	equal(f, "inclusive", to, inclusive, k.plain)
}

// fuzzByKey has keys of the type, and numbers as values.
func fuzzByKey[T comparable](f *fuzz, k kind[T]) {
	keys := values(f, k, f.n)
	for i := 1; i < f.n; i++ {
		if f.r.IntN(4) != 0 {
			keys[i] = keys[i-1]
		}
	}
	host := make([]int32, f.n)
	for i := range host {
		host[i] = int32(f.r.Uint32())
	}
	byKeys(f, keys, host, 7, func(a, b int32) int32 { return a + b }, k.plain, func(v int32) uint64 { return uint64(v) })
}

// fuzzValuesByKey has numbers as keys, and values of the type.
func fuzzValuesByKey[T comparable](f *fuzz, k kind[T]) {
	host, init, op := chosen(f, k)
	keys := make([]uint16, f.n)
	for i := range keys {
		keys[i] = uint16(f.r.IntN(1 + f.r.IntN(3)))
	}
	byKeys(f, keys, host, init, op, func(v uint16) uint64 { return uint64(v) }, k.plain)
}

func byKeys[K, V comparable](f *fuzz, keys []K, host []V, init V, op func(a, b V) V, keyBits func(v K) uint64, bits func(v V) uint64) {
	inclusive, exclusive := make([]V, f.n), make([]V, f.n)
	var heads, lasts []K // of the keys of a run, which are equal but may be -0 and 0
	var sums []V
	var lengths []int
	var before V
	for i, v := range host {
		if i == 0 || keys[i] != keys[i-1] {
			heads, lasts, sums, lengths, before = append(heads, keys[i]), append(lasts, keys[i]), append(sums, v), append(lengths, 1), init
		} else {
			sums[len(sums)-1], lengths[len(lengths)-1] = op(sums[len(sums)-1], v), lengths[len(lengths)-1]+1
		}
		lasts[len(lasts)-1] = keys[i]
		inclusive[i], exclusive[i], before = sums[len(sums)-1], before, op(before, v)
	}
	x, y, to, count := in(f, keys), in(f, host), out[V](f, f.n), out[int](f, 1)
	f.make(func(o prim.Options) error { return prim.ExclusiveScanByKey(f.s, to, x, y, init, op, o) })
	equal(f, "exclusive by key", to, exclusive, bits)
	room := f.n // what does not fit is dropped
	if f.r.IntN(3) == 0 {
		room = f.r.IntN(f.n + 1)
	}
	outKeys, outValues, outLengths := out[K](f, room), out[V](f, room), out[int](f, room)
	f.make(func(o prim.Options) error {
		return prim.ReduceByKey(f.s, outKeys, outValues, count, x, y, op, o)
	})
	some(f, "keys", outKeys, count, lasts, keyBits)
	some(f, "sums", outValues, count, sums, bits)
	fuzzRunsFunc(f, keys, x, y, op, keyBits, bits)
	f.make(func(o prim.Options) error { return prim.RunLengthEncode(f.s, outKeys, outLengths, count, x, o) })
	some(f, "runs", outKeys, count, heads, keyBits)
	some(f, "lengths", outLengths, count, lengths, intBits)
	to = orIn(f, y)
	f.make(func(o prim.Options) error { return prim.InclusiveScanByKey(f.s, to, x, y, op, o) })
	equal(f, "inclusive by key", to, inclusive, bits)
}

func fuzzSelect[T comparable](f *fuzz, k kind[T]) {
	host := values(f, k, f.n)
	flags := make([]bool, f.n)
	var bits func(v T) uint64 = k.bits
	var mod uint64 = uint64(1 + f.r.IntN(4))
	var keep func(v T) bool = func(v T) bool { return bits(v)%mod == 0 }
	var kept, others, flagged []T
	for i, v := range host {
		if flags[i] = f.r.Uint64()%mod == 0; flags[i] {
			flagged = append(flagged, v)
		}
		if keep(v) {
			kept = append(kept, v)
		} else {
			others = append(others, v)
		}
	}
	x, count := in(f, host), out[int](f, 1)
	to, n := out[T](f, f.n), f.n
	f.make(func(o prim.Options) error { return prim.Partition(f.s, to, count, x, keep, o) })
	both := slices.Clone(others)
	slices.Reverse(both)
	equal(f, "partition", to, append(slices.Clone(kept), both...), k.bits)
	if got := download(f.t, count)[0]; got != len(kept) {
		f.t.Fatalf("%s: partition: the count is %d, want %d", f.what, got, len(kept))
	}
	f.make(func(o prim.Options) error {
		return prim.SelectFunc(f.s, n, prim.Of(x), func(i int, v T) bool { return keep(v) }, prim.Into(to), count, o)
	})
	some(f, "select func", to, count, kept, k.bits)
	less := out[T](f, f.r.IntN(f.n+1)) // what does not fit is dropped
	f.make(func(o prim.Options) error { return prim.Select(f.s, less, count, x, keep, o) })
	some(f, "select", less, count, kept, k.bits)
	to = orIn(f, x)
	f.make(func(o prim.Options) error { return prim.Select(f.s, to, count, x, keep, o) })
	some(f, "select all", to, count, kept, k.bits)
	x = in(f, host)
	to = orIn(f, x)
	f.make(func(o prim.Options) error { return prim.SelectFlagged(f.s, to, count, x, in(f, flags), o) })
	some(f, "flagged", to, count, flagged, k.bits)
}

func fuzzUnique[T comparable](f *fuzz, k kind[T]) {
	host := values(f, k, f.n)
	want := slices.Compact(slices.Clone(host))
	to, count := out[T](f, f.n), out[int](f, 1)
	f.make(func(o prim.Options) error { return prim.Unique(f.s, to, count, in(f, host), o) })
	some(f, "unique", to, count, want, k.bits)
}

// cuts are the offsets of random segments of n elements, from 0 to n.
func (f *fuzz) cuts() []int {
	at := []int{0}
	for range f.r.IntN(40) {
		at = append(at, f.r.IntN(f.n+1))
	}
	slices.Sort(at)
	return append(at, f.n)
}

func fuzzSegments[T comparable](f *fuzz, k kind[T]) {
	host, init, op := chosen(f, k)
	offsets := f.cuts()
	want := slices.Repeat([]T{init}, len(offsets)-1)
	for i := range want {
		for _, v := range host[offsets[i]:offsets[i+1]] {
			want[i] = op(want[i], v)
		}
	}
	x, at, to, n := in(f, host), in(f, offsets), out[T](f, len(want)), f.n
	f.make(func(o prim.Options) error { return prim.SegmentedReduce(f.s, to, x, at, init, op, o) })
	equal(f, "segmented reduce", to, want, k.plain)
	to = out[T](f, len(want))
	f.make(func(o prim.Options) error {
		return prim.SegmentedReduceFunc(f.s, to, n, prim.Of(x), at, init, op, o)
	})
	equal(f, "segmented reduce func", to, want, k.plain)
}

// coarse is an order with many equal elements, so that it shows whether a sort is stable.
func coarse[T any](f *fuzz, bits func(v T) uint64) func(v T) uint64 {
	return shifted(bits, f.r.IntN(2)*f.r.IntN(30))
}

func shifted[T any](bits func(v T) uint64, shift int) func(v T) uint64 {
	return func(v T) uint64 { return bits(v) >> shift }
}

func fuzzMergeSort[T comparable](f *fuzz, k kind[T]) {
	host := values(f, k, f.n)
	var order func(v T) uint64 = coarse(f, k.bits)
	less := func(a, b T) bool { return order(a) < order(b) }
	want := slices.Clone(host)
	sortBy(want, order, f.o.Descending)
	x := in(f, host)
	to := orIn(f, x)
	f.make(func(o prim.Options) error { return prim.MergeSort(f.s, to, x, less, o) })
	equal(f, "merge sort", to, want, k.bits)
}

func fuzzSortFunc[T comparable](f *fuzz, k kind[T]) {
	host := values(f, k, f.n)
	f.o.LastBit = 1 + f.r.IntN(64)
	f.o.FirstBit = f.r.IntN(f.o.LastBit)
	first, last, key := f.o.FirstBit, f.o.LastBit, k.bits
	want := slices.Clone(host)
	sortBy(want, func(v T) uint64 { return key(v) << (64 - last) >> (64 - last + first) }, f.o.Descending)
	x := in(f, host)
	to := orIn(f, x)
	f.make(func(o prim.Options) error { return prim.SortFunc(f.s, to, x, key, o) })
	equal(f, "sort func", to, want, k.bits)
}

func fuzzSets[T comparable](f *fuzz, k kind[T]) {
	var order func(v T) uint64 = coarse(f, k.bits)
	less := func(a, b T) bool { return order(a) < order(b) }
	a, b := values(f, k, f.n), values(f, k, f.r.IntN(f.n+40))
	sortBy(a, order, false)
	sortBy(b, order, false)
	both := append(slices.Clone(a), b...)
	sortBy(both, order, false)
	x, y, to, count := in(f, a), in(f, b), out[T](f, len(both)), out[int](f, 1)
	f.make(func(o prim.Options) error { return prim.Merge(f.s, to, x, y, less, o) })
	equal(f, "merge", to, both, k.bits)
	type operation = func(s *launch.Stream, out *launch.Buffer[T], count *launch.Buffer[int], a, b *launch.Buffer[T], less func(a, b T) bool, opts ...prim.Options) error
	which := f.r.IntN(4)
	run := []operation{prim.Intersection[T], prim.Difference[T], prim.Union[T], prim.SymmetricDifference[T]}[which]
	f.make(func(o prim.Options) error { return run(f.s, to, count, x, y, less, o) })
	some(f, []string{"intersection", "difference", "union", "symmetric difference"}[which], to, count, setOf(which, a, b, order), k.bits)
}

// setOf is a set operation as C++ has it: of equal elements the first ones of a, but the last ones for a difference, and then of b.
func setOf[T any](which int, a, b []T, order func(v T) uint64) (want []T) {
	for len(a) > 0 || len(b) > 0 {
		v := uint64(0)
		if len(b) == 0 || len(a) > 0 && order(a[0]) <= order(b[0]) {
			v = order(a[0])
		} else {
			v = order(b[0])
		}
		m, n := equals(a, order, v), equals(b, order, v)
		switch which {
		case 0:
			want = append(want, a[:min(m, n)]...)
		case 1:
			want = append(want, a[min(m, n):m]...)
		case 2:
			want = append(append(want, a[:m]...), b[min(m, n):n]...)
		case 3:
			want = append(append(want, a[min(m, n):m]...), b[min(m, n):n]...)
		}
		a, b = a[m:], b[n:]
	}
	return want
}

// equals is how many of the first elements have a place in the order.
func equals[T any](v []T, order func(v T) uint64, place uint64) int {
	n := slices.IndexFunc(v, func(w T) bool { return order(w) != place })
	if n < 0 {
		return len(v)
	}
	return n
}

func fuzzSearch[T comparable](f *fuzz, k kind[T]) {
	var order func(v T) uint64 = coarse(f, k.bits)
	less := func(a, b T) bool { return order(a) < order(b) }
	sorted, host := values(f, k, f.n), values(f, k, f.r.IntN(200))
	sortBy(sorted, order, false)
	lower, upper, found := make([]int, len(host)), make([]int, len(host)), make([]bool, len(host))
	for i, v := range host {
		for _, w := range sorted {
			if less(w, v) {
				lower[i]++
			}
			if !less(v, w) {
				upper[i]++
			}
		}
		found[i] = lower[i] != upper[i]
	}
	x, y, to, flags := in(f, sorted), in(f, host), out[int](f, len(host)), out[bool](f, len(host))
	f.make(func(o prim.Options) error { return prim.LowerBound(f.s, to, x, y, less, o) })
	equal(f, "lower bound", to, lower, intBits)
	f.make(func(o prim.Options) error { return prim.UpperBound(f.s, to, x, y, less, o) })
	equal(f, "upper bound", to, upper, intBits)
	n, other := f.n, out[int](f, len(host))
	var element func(i int) T = prim.Of(y)
	value := func(i int) uint64 { return order(element(i)) }
	f.make(func(o prim.Options) error {
		return prim.LowerBoundFunc(f.s, other, n, prim.Of(x), value, func(a T, v uint64) bool { return order(a) < v }, o)
	})
	equal(f, "lower bound func", other, lower, intBits)
	f.make(func(o prim.Options) error {
		return prim.UpperBoundFunc(f.s, other, n, prim.Of(x), value, func(v uint64, a T) bool { return v < order(a) }, o)
	})
	equal(f, "upper bound func", other, upper, intBits)
	f.make(func(o prim.Options) error { return prim.BinarySearch(f.s, flags, x, y, less, o) })
	expect(f.t, f.what+": binary search", download(f.t, flags), found)
}
