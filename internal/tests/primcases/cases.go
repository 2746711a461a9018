package primcases

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"heddle/launch"
	"heddle/prim"
)

// Cases have the names of primbench's testdata/cub.cu.
var Cases = []Case{
	{"reduce-f32", 30, 4, "", reduceFloats},
	{"reduce-i64", 30, 8, "reduce", reduce[int64]},
	{"scan-i32", 30, 8, "scan/4", scan[int32]},
	{"scan-f32", 30, 8, "", scanFloats},
	{"scan-i64", 28, 16, "scan/8", scan[int64]},
	{"select-i32", 30, 6, "select/4", selectHalf[int32]},
	{"select-i64", 28, 12, "select/8", selectHalf[int64]},
	{"histogram-u8", 30, 1, "histogram", histogram[uint8]},
	{"histogram-u32", 30, 4, "histogram", histogram[uint32]},
	{"sort-u32", 30, 8, "radix/4", sortKeys[uint32]},
	{"sort-f32", 28, 8, "", sortKeys[float32]},
	{"sort-u64", 28, 16, "radix/8", sortKeys[uint64]},
	{"sort-pairs-u32", 28, 16, "pairs/4", sortPairs[uint32, uint32]},
	{"sort-pairs-u64", 28, 32, "pairs/8", sortPairs[uint64, uint64]},
	{"transform-f32", 30, 8, "transform", transform},
	{"runs-i32", 28, 4, "runs/4", runs[int32]},
	{"merge-sort-i32", 28, 8, "merge/4", mergeSort[int32]},
}

// Others are for entries of the tuning table of which none of Cases is.
var Others = []Case{
	{"reduce-i32", 30, 4, "reduce", reduce[int32]},
	{"scan-i8", 30, 2, "scan/1", scan[int8]},
	{"scan-i16", 30, 4, "scan/2", scan[int16]},
	{"scan-16", 28, 32, "scan", scanWide},
	{"select-i8", 30, 2, "select/1", selectHalf[int8]},
	{"select-i16", 30, 3, "select/2", selectHalf[int16]},
	{"select-16", 28, 24, "select", selectWide},
	{"sort-u8", 30, 2, "radix/1", sortKeys[uint8]},
	{"sort-u16", 30, 4, "radix/2", sortKeys[uint16]},
	{"sort-16", 26, 32, "radix/16", sortFunc[Pair]},
	{"sort-32", 26, 64, "radix", sortFunc[Quad]},
	{"sort-pairs-u8", 28, 4, "pairs/1", sortPairs[uint8, uint8]},
	{"sort-pairs-u16", 28, 8, "pairs/2", sortPairs[uint16, uint16]},
	{"sort-pairs-16", 26, 48, "pairs/16", sortWide[Pair]},
	{"sort-pairs-32", 26, 80, "pairs", sortWide[Quad]},
	{"runs-i64", 28, 8, "runs", runs[int64]},
	{"merge-sort-i64", 24, 16, "merge/8", mergeSort[int64]},
	{"merge-sort-16", 24, 32, "merge/16", mergeWide[Pair]},
	{"merge-sort-32", 24, 64, "merge", mergeWide[Quad]},
}

// A Pair is a value of 16 bytes.
type Pair struct{ A, B uint64 }

// A Quad is a value of 32 bytes.
type Quad struct{ A, B, C, D uint64 }

// Wide is the values of several words.
type Wide interface{ Pair | Quad }

// first64 is the first word of a value.
func first64[T Wide](v *T) *uint64 { return (*uint64)(unsafe.Pointer(v)) }

// wide is a random value whose first word is the random number of an index.
func wide[T Wide](i int) (v T) {
	*first64(&v) = mixed(i)
	return v
}

// mixed is a random number for an index, the same in cub.cu.
func mixed(i int) uint64 {
	x := uint64(i)*0x9e3779b97f4a7c15 + 0x7f4a7c15
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// Number is a random T for an index: any for integers, from 0 to 1 for floats.
func Number[T prim.Number](i int) T {
	half := T(1)
	if half/2 != 0 {
		return T(float32(mixed(i)>>40) / (1 << 24))
	}
	return T(mixed(i))
}

// numbers are those of 0 to n-1.
func numbers[T any](n int, at func(i int) T) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = at(i)
	}
	return v
}

func reduceFloats(dev *launch.Device, n int) (*Run, error) {
	r, err := reduce[float32](dev, n)
	if err == nil {
		r.Sum = nil
	}
	return r, err
}

func reduce[T prim.Number](dev *launch.Device, n int) (*Run, error) {
	b := begin(dev, n)
	in, out := input(b, Number[T]), output[T](b, 1)
	b.Call = func(o prim.Options) error { return prim.Reduce(dev.Stream(), out, in, 0, prim.Add[T], o) }
	b.Sum = func() (uint64, error) { return sumOf(b.Run, out, 1, prim.KeyBits[T]) }
	b.Want = func() uint64 {
		sum := T(0)
		for i := range n {
			sum += Number[T](i)
		}
		return wantOf([]T{sum}, prim.KeyBits[T])
	}
	return b.done()
}

// twoBuffers is what reads one buffer and writes another of the same length, as host does in place.
func twoBuffers[T any](dev *launch.Device, n int, at func(i int) T, word func(v T) uint64, call func(out, in *launch.Buffer[T], o prim.Options) error, host func(v []T)) (*setup, *launch.Buffer[T]) {
	b := begin(dev, n)
	in, out := input(b, at), output[T](b, n)
	b.Call = func(o prim.Options) error { return call(out, in, o) }
	b.Sum = func() (uint64, error) { return sumOf(b.Run, out, n, word) }
	b.Want = func() uint64 {
		v := numbers(n, at)
		host(v)
		return wantOf(v, word)
	}
	return b, out
}

func scanFloats(dev *launch.Device, n int) (*Run, error) {
	r, err := scan[float32](dev, n)
	if err == nil {
		r.Sum = nil
	}
	return r, err
}

func scan[T prim.Number](dev *launch.Device, n int) (*Run, error) {
	return scanOf(dev, n, Number[T], prim.Add[T], prim.KeyBits[T])
}

func scanWide(dev *launch.Device, n int) (*Run, error) {
	return scanOf(dev, n, func(i int) Pair { return Pair{mixed(i), uint64(i)} },
		func(a, b Pair) Pair { return Pair{a.A + b.A, a.B + b.B} }, func(v Pair) uint64 { return v.A ^ v.B*3 })
}

func scanOf[T comparable](dev *launch.Device, n int, at func(i int) T, op func(a, b T) T, word func(v T) uint64) (*Run, error) {
	b, _ := twoBuffers(dev, n, at, word, func(out, in *launch.Buffer[T], o prim.Options) error {
		return prim.InclusiveScan(dev.Stream(), out, in, op, o)
	}, func(v []T) {
		for i := 1; i < len(v); i++ {
			v[i] = op(v[i-1], v[i])
		}
	})
	return b.done()
}

func selectHalf[T prim.Number](dev *launch.Device, n int) (*Run, error) {
	return selectOf(dev, n, Number[T], prim.KeyBits[T], func(v T) bool { return v < 0 })
}

func selectWide(dev *launch.Device, n int) (*Run, error) {
	return selectOf(dev, n, wide[Pair], func(v Pair) uint64 { return v.A }, func(v Pair) bool { return v.A&1 != 0 })
}

func selectOf[T any](dev *launch.Device, n int, at func(i int) T, word func(v T) uint64, keep func(v T) bool) (*Run, error) {
	b := begin(dev, n)
	in, out, count := input(b, at), output[T](b, n), output[int](b, 1)
	b.Call = func(o prim.Options) error { return prim.Select(dev.Stream(), out, count, in, keep, o) }
	b.Sum = func() (uint64, error) {
		k, err := first(count)
		if err != nil {
			return 0, err
		}
		return sumOf(b.Run, out, k, word)
	}
	b.Want = func() uint64 {
		v := slices.DeleteFunc(numbers(n, at), func(v T) bool { return !keep(v) })
		return wantOf(v, word)
	}
	return b.done()
}

func histogram[T prim.Number](dev *launch.Device, n int) (*Run, error) {
	b := begin(dev, n)
	in, counts := input(b, Number[T]), output[uint32](b, 256)
	if b.err != nil {
		return b.done()
	}
	b.Call = func(o prim.Options) error {
		return prim.HistogramBy(dev.Stream(), counts, in, func(v T) int { return int(uint8(v)) }, o)
	}
	b.Sum = func() (uint64, error) { return sumOf(b.Run, counts, 256, prim.KeyBits[uint32]) }
	b.Want = func() uint64 {
		bins := make([]uint32, 256)
		for i := range n {
			bins[uint8(Number[T](i))]++
		}
		return wantOf(bins, prim.KeyBits[uint32])
	}
	return b.done()
}

func sortKeys[T prim.Number](dev *launch.Device, n int) (*Run, error) {
	b, out := twoBuffers(dev, n, Number[T], prim.KeyBits[T], func(out, in *launch.Buffer[T], o prim.Options) error {
		return prim.SortKeys(dev.Stream(), out, in, o)
	}, slices.Sort[[]T])
	b.Check = func() error { return sorted(b.Run, out, func(a, b T) bool { return a < b }) }
	return b.done()
}

func sortPairs[K, V prim.Number](dev *launch.Device, n int) (*Run, error) {
	return pairsOf(dev, n, Number[V], func(k K, v V) uint64 { return prim.KeyBits(k) ^ prim.KeyBits(v)*3 })
}

// sortFunc sorts wide values by 32 of their bits.
func sortFunc[T Wide](dev *launch.Device, n int) (*Run, error) {
	b, out := twoBuffers(dev, n, wide[T], func(v T) uint64 { return *first64(&v) }, func(out, in *launch.Buffer[T], o prim.Options) error {
		return prim.SortFunc(dev.Stream(), out, in, func(v T) uint64 { return *first64(&v) }, prim.Options{LastBit: 32}, o)
	}, func(v []T) {
		slices.SortStableFunc(v, func(a, b T) int { return cmp.Compare(uint32(*first64(&a)), uint32(*first64(&b))) })
	})
	b.Check = func() error {
		return sorted(b.Run, out, func(a, b T) bool { return uint32(*first64(&a)) < uint32(*first64(&b)) })
	}
	return b.done()
}

// sortWide sorts wide values by short keys.
func sortWide[V Wide](dev *launch.Device, n int) (*Run, error) {
	return pairsOf(dev, n, wide[V], func(k uint32, v V) uint64 { return uint64(k) ^ *first64(&v)*3 })
}

func pairsOf[K prim.Number, V any](dev *launch.Device, n int, value func(i int) V, word func(k K, v V) uint64) (*Run, error) {
	b := begin(dev, n)
	keys, values := input(b, Number[K]), input(b, value)
	outKeys, outValues := output[K](b, n), output[V](b, n)
	b.Call = func(o prim.Options) error {
		return prim.SortPairs(dev.Stream(), outKeys, outValues, keys, values, o)
	}
	b.Check = func() error { return sorted(b.Run, outKeys, func(a, b K) bool { return a < b }) }
	b.Sum = func() (uint64, error) {
		k, v := prim.Of(outKeys), prim.Of(outValues)
		return total(b.Run, n, func(i int) uint64 { return placed(i, word(k(i), v(i))) })
	}
	b.Want = func() (sum uint64) {
		order := numbers(n, func(i int) int { return i })
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(Number[K](i), Number[K](j)) })
		for i, from := range order {
			sum += placed(i, word(Number[K](from), value(from)))
		}
		return sum
	}
	return b.done()
}

func transform(dev *launch.Device, n int) (*Run, error) {
	b, _ := twoBuffers(dev, n, Number[float32], prim.KeyBits[float32], func(out, in *launch.Buffer[float32], o prim.Options) error {
		return prim.Transform(dev.Stream(), out, in, func(v float32) float32 { return 2*v + 1 }, o)
	}, func(all []float32) {
		for i, v := range all {
			all[i] = 2*v + 1
		}
	})
	return b.done()
}

// RunLength is the elements of each run.
const RunLength = 10

func runs[T prim.Number](dev *launch.Device, n int) (*Run, error) {
	b := begin(dev, n)
	in := input(b, func(i int) T { return T(i / RunLength) })
	keys, lengths, count := output[T](b, n), output[int](b, n), output[int](b, 1)
	b.Call = func(o prim.Options) error { return prim.RunLengthEncode(dev.Stream(), keys, lengths, count, in, o) }
	b.Sum = func() (uint64, error) {
		k, err := first(count)
		if err != nil {
			return 0, err
		}
		if k < 0 || k > n {
			return 0, fmt.Errorf("%d runs of %d elements", k, n)
		}
		key, length := prim.Of(keys), prim.Of(lengths)
		return total(b.Run, k, func(i int) uint64 { return placed(i, prim.KeyBits(key(i))*3^uint64(length(i))) })
	}
	b.Want = func() (sum uint64) {
		for i := 0; i*RunLength < n; i++ {
			sum += placed(i, prim.KeyBits(T(i))*3^uint64(min(RunLength, n-i*RunLength)))
		}
		return sum
	}
	return b.done()
}

func mergeSort[T prim.Number](dev *launch.Device, n int) (*Run, error) {
	return mergeOf(dev, n, Number[T], prim.KeyBits[T], func(a, b T) bool { return a < b })
}

// mergeWide merge sorts by few keys, so that it shows whether it is stable.
func mergeWide[T Wide](dev *launch.Device, n int) (*Run, error) {
	return mergeOf(dev, n, wide[T], func(v T) uint64 { return *first64(&v) },
		func(a, b T) bool { return *first64(&a)>>44 < *first64(&b)>>44 })
}

func mergeOf[T any](dev *launch.Device, n int, at func(i int) T, word func(v T) uint64, less func(a, b T) bool) (*Run, error) {
	b, out := twoBuffers(dev, n, at, word, func(out, in *launch.Buffer[T], o prim.Options) error {
		return prim.MergeSort(dev.Stream(), out, in, less, o)
	}, func(v []T) {
		slices.SortStableFunc(v, func(a, b T) int {
			switch {
			case less(a, b):
				return -1
			case less(b, a):
				return 1
			}
			return 0
		})
	})
	b.Check = func() error { return sorted(b.Run, out, less) }
	return b.done()
}
