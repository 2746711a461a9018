package prim_test

import (
	"math/bits"
	"slices"

	"heddle/launch"
	"heddle/prim"
)

// keyCalls are the algorithms that take numbers.
func keyCalls[T prim.Number](k kind[T]) []call {
	all := []call{
		{"sort", k.size(), func(f *fuzz) { fuzzSort(f, k) }},
		{"pairs", 24, func(f *fuzz) { fuzzPairs(f, k, wideKind) }},
		{"bytepairs", k.size(), func(f *fuzz) { fuzzPairs(f, k, byteKind) }},
		{"segsort", 16, func(f *fuzz) { fuzzSegmentedSort(f, k) }},
		{"top", k.size(), func(f *fuzz) { fuzzTop(f, k) }},
		{"arg", 16, func(f *fuzz) { fuzzArg(f, k) }},
		{"histogram", k.size(), func(f *fuzz) { fuzzHistogram(f, k) }},
		{"spmv", k.size(), func(f *fuzz) { fuzzSpMV(f, k) }},
	}
	for i := range all {
		all[i].name = k.name + "/" + all[i].name
	}
	return all
}

var byteKind = kind[uint8]{name: "uint8", value: anyNumber[uint8], bits: prim.KeyBits[uint8]}

// someBits chooses bits of a key; of two choices one is all.
func someBits[T prim.Number](f *fuzz, k kind[T]) func(v T) uint64 {
	first, last := 0, 8*k.size()
	if f.r.IntN(2) == 0 {
		last = 1 + f.r.IntN(last)
		first = f.r.IntN(last)
		f.o.FirstBit, f.o.LastBit = first, last
	}
	return func(v T) uint64 { return k.bits(v) << (64 - last) >> (64 - last + first) }
}

func fuzzSort[T prim.Number](f *fuzz, k kind[T]) {
	host := values(f, k, f.n)
	want := slices.Clone(host)
	sortBy(want, someBits(f, k), f.o.Descending)
	x := in(f, host)
	to := orIn(f, x)
	f.make(func(o prim.Options) error { return prim.SortKeys(f.s, to, x, o) })
	equal(f, "sort", to, want, k.bits)
}

// order is the indices of keys in the order of bits.
func order[T any](keys []T, bits func(v T) uint64, descending bool) []int {
	at := make([]int, len(keys))
	for i := range at {
		at[i] = i
	}
	sortBy(at, func(i int) uint64 { return bits(keys[i]) }, descending)
	return at
}

// at is the elements of some indices.
func at[T any](v []T, index []int) []T {
	all := make([]T, len(index))
	for i, j := range index {
		all[i] = v[j]
	}
	return all
}

func fuzzPairs[T prim.Number, V comparable](f *fuzz, k kind[T], of kind[V]) {
	keys, host := values(f, k, f.n), values(f, of, f.n)
	index := order(keys, someBits(f, k), f.o.Descending)
	x, y := in(f, keys), in(f, host)
	outKeys, outValues := orIn(f, x), orIn(f, y)
	f.make(func(o prim.Options) error { return prim.SortPairs(f.s, outKeys, outValues, x, y, o) })
	equal(f, "keys", outKeys, at(keys, index), k.bits)
	equal(f, "values", outValues, at(host, index), of.bits)
}

func fuzzSegmentedSort[T prim.Number](f *fuzz, k kind[T]) {
	keys, host := values(f, k, f.n), values(f, byteKind, f.n)
	offsets := f.cuts()
	bits := someBits(f, k)
	var index []int
	for i := range offsets[1:] {
		for _, j := range order(keys[offsets[i]:offsets[i+1]], bits, f.o.Descending) {
			index = append(index, offsets[i]+j)
		}
	}
	x, y, cuts := in(f, keys), in(f, host), in(f, offsets)
	outKeys, outValues := out[T](f, f.n), out[uint8](f, f.n)
	f.make(func(o prim.Options) error {
		return prim.SegmentedSort(f.s, outKeys, outValues, x, y, cuts, o)
	})
	equal(f, "keys of segments", outKeys, at(keys, index), k.bits)
	equal(f, "values of segments", outValues, at(host, index), byteKind.bits)
	outKeys = out[T](f, f.n)
	f.make(func(o prim.Options) error { return prim.SegmentedSortKeys(f.s, outKeys, x, cuts, o) })
	equal(f, "keys alone", outKeys, at(keys, index), k.bits)
}

func fuzzTop[T prim.Number](f *fuzz, k kind[T]) {
	host := values(f, k, f.n)
	to := out[T](f, f.r.IntN(f.n+1))
	want := slices.Clone(host)
	sortBy(want, k.bits, true)
	f.make(func(o prim.Options) error { return prim.TopK(f.s, to, in(f, host), o) })
	equal(f, "top", to, want[:to.Len()], k.bits)
	slices.Reverse(want)
	f.make(func(o prim.Options) error { return prim.BottomK(f.s, to, in(f, host), o) })
	equal(f, "bottom", to, want[:to.Len()], k.bits)

	var rank func(v T) uint64 = coarse(f, k.bits)
	index := make([]int32, f.n)
	for i := range index {
		index[i] = int32(i)
	}
	sortBy(want[:copy(want, host)], rank, false)
	x := in(f, host)
	f.make(func(o prim.Options) error {
		return prim.TopKFunc(f.s, to, x, func(a, b T) bool { return rank(a) < rank(b) }, o)
	})
	equal(f, "top func", to, want[:to.Len()], k.bits)
	y, places := in(f, index), out[int32](f, to.Len())
	for _, descending := range []bool{true, false} {
		slices.Sort(index)
		sortBy(index, func(i int32) uint64 { return k.bits(host[i]) }, descending)
		for i := range places.Len() {
			want[i] = host[index[i]]
		}
		f.make(func(o prim.Options) error {
			if descending {
				return prim.TopKPairs(f.s, to, places, x, y, o)
			}
			return prim.BottomKPairs(f.s, to, places, x, y, o)
		})
		equal(f, "keys of the first", to, want[:to.Len()], k.bits)
		equal(f, "values of the first", places, index[:to.Len()], func(v int32) uint64 { return uint64(v) })
	}
}

func fuzzArg[T prim.Number](f *fuzz, k kind[T]) {
	host := values(f, k, f.n)
	least, most, last := -1, -1, -1
	for i, v := range host {
		if least < 0 || v < host[least] || v != v && host[least] == host[least] {
			least = i
		}
		if most < 0 || v > host[most] || v != v && host[most] == host[most] {
			most = i
		}
		if last < 0 || k.bits(v) > k.bits(host[last]) {
			last = i
		}
	}
	x, to := in(f, host), out[prim.Indexed[T]](f, 1)
	check := func(what string, want int) {
		f.t.Helper()
		got := download(f.t, to)[0]
		if got.Index != want || want >= 0 && k.bits(got.Value) != k.bits(host[want]) {
			f.t.Fatalf("%s: %s is %v, want index %d", f.what, what, got, want)
		}
	}
	f.make(func(o prim.Options) error { return prim.ArgMin(f.s, to, x, o) })
	check("the least", least)
	f.make(func(o prim.Options) error { return prim.ArgMax(f.s, to, x, o) })
	check("the greatest", most)
	var bits func(v T) uint64 = k.bits
	f.make(func(o prim.Options) error {
		return prim.ArgFunc(f.s, to, x, func(a, b T) bool { return bits(a) > bits(b) }, o)
	})
	check("the last", last)
}

func fuzzHistogram[T prim.Number](f *fuzz, k kind[T]) {
	host := values(f, k, f.n)
	if f.r.IntN(2) == 0 {
		f.o.Tuning.Items = 16
	}
	bins := []int{1, 2, 100, 256, 257, 5000}[f.r.IntN(6)]
	want := make([]uint32, bins)
	var bits func(v T) uint64 = k.bits
	for _, v := range host {
		if b := bits(v) % 6000; b < uint64(bins) {
			want[b]++
		}
	}
	x, counts, n := in(f, host), out[uint32](f, bins), f.n
	var number func(i int) T = prim.Of(x)
	f.make(func(o prim.Options) error {
		return prim.HistogramFunc(f.s, counts, n, func(i int) int { return int(bits(number(i)) % 6000) }, o)
	})
	equal(f, "histogram func", counts, want, prim.KeyBits[uint32])
	f.make(func(o prim.Options) error {
		return prim.HistogramBy(f.s, counts, x, func(v T) int { return int(bits(v) % 6000) }, o)
	})
	equal(f, "histogram by", counts, want, prim.KeyBits[uint32])

	var levels []T
	for len(levels) < bins+1 {
		levels = append(levels, k.value(f.r, 2))
	}
	slices.Sort(levels)
	clear(want)
	for _, v := range host {
		if !(v >= levels[0] && v < levels[bins]) {
			continue
		}
		// the last level that is not greater
		b, _ := slices.BinarySearchFunc(levels, v, func(level, v T) int {
			if level <= v {
				return -1
			}
			return 1
		})
		want[b-1]++
	}
	f.make(func(o prim.Options) error { return prim.HistogramRange(f.s, counts, x, in(f, levels), o) })
	equal(f, "histogram range", counts, want, prim.KeyBits[uint32])

	even := []int{1, 3, 64, 256, 1000, 5000}[f.r.IntN(6)]
	lower, upper := histogramBounds(f, k, even)
	want = make([]uint32, even)
	for _, v := range host {
		if v >= lower && v < upper {
			b := int((uint64(v) - uint64(lower)) * uint64(even) / (uint64(upper) - uint64(lower)))
			if half := T(1); half/2 != 0 {
				b = min(int((float64(v)-float64(lower))*(float64(even)/(float64(upper)-float64(lower)))), even-1)
			}
			want[b]++
		}
	}
	counts = out[uint32](f, even)
	f.make(func(o prim.Options) error { return prim.HistogramEven(f.s, counts, x, lower, upper, o) })
	equal(f, "histogram even", counts, want, prim.KeyBits[uint32])
}

// histogramBounds are those of so many even bins: of integers any whose product fits 64 bits.
func histogramBounds[T prim.Number](f *fuzz, k kind[T], bins int) (lower, upper T) {
	one := T(1)
	for range 20 {
		a, b := k.value(f.r, 0), k.value(f.r, f.r.IntN(8))
		if f.r.IntN(2) == 0 {
			b = a + T(f.r.IntN(2000))
		}
		if lower, upper = min(a, b), max(a, b); one/2 != 0 || lower == upper {
			continue
		}
		if hi, _ := bits.Mul64(uint64(upper)-uint64(lower), uint64(bins)); hi == 0 {
			return lower, upper
		}
	}
	return T(f.r.IntN(30)), T(31 + f.r.IntN(60))
}

func fuzzSpMV[T prim.Number](f *fuzz, k kind[T]) {
	rows, columns := f.cuts(), 1+f.r.IntN(100)
	host, x, index := smalls(f, k, f.n), smalls(f, k, columns), make([]int32, f.n)
	for i := range index {
		index[i] = int32(f.r.IntN(columns))
	}
	want := make([]T, len(rows)-1)
	for i := range want {
		for j := rows[i]; j < rows[i+1]; j++ {
			want[i] += host[j] * x[index[j]]
		}
	}
	y := out[T](f, len(want))
	f.make(func(o prim.Options) error {
		return prim.SpMV(f.s, y, in(f, rows), in(f, index), in(f, host), in(f, x), o)
	})
	equal(f, "product", y, want, k.plain)
}

// fuzzRunsFunc reduces runs of keys of which some bits differ.
func fuzzRunsFunc[K, V comparable](f *fuzz, keys []K, x *launch.Buffer[K], y *launch.Buffer[V], op func(a, b V) V, keyBits func(v K) uint64,
	bits func(v V) uint64) {
	var rank func(v K) uint64 = coarse(f, keyBits)
	host := download(f.t, y)
	var lasts []K
	var sums []V
	for i, v := range host {
		if i == 0 || rank(keys[i]) != rank(keys[i-1]) {
			lasts, sums = append(lasts, keys[i]), append(sums, v)
		} else {
			sums[len(sums)-1] = op(sums[len(sums)-1], v)
		}
		lasts[len(lasts)-1] = keys[i]
	}
	outKeys, outValues, count, n := out[K](f, f.n), out[V](f, f.n), out[int](f, 1), f.n
	var putKey func(k int, key K) = prim.Into(outKeys)
	var putValue func(k int, v V) = prim.Into(outValues)
	f.make(func(o prim.Options) error {
		return prim.ReduceByKeyFunc(f.s, n, prim.Of(x), prim.Of(y), func(k int, key K, v V) {
			putKey(k, key)
			putValue(k, v)
		}, func(a, b K) bool { return rank(a) == rank(b) }, op, count, o)
	})
	some(f, "last keys of runs", outKeys, count, lasts, keyBits)
	some(f, "sums of runs", outValues, count, sums, bits)
}
