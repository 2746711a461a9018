package prim_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"heddle/launch"
	"heddle/prim"
)

// sortable is what a test of sorts makes of random bits.
func testSort[K prim.Key](t *testing.T, dev *launch.Device, name string, make32 func(v int32) K, bits func(v K) uint64) {
	t.Helper()
	s := dev.Stream()
	for _, n := range sortLengths() {
		host := make([]K, n)
		for i, v := range random(n) {
			host[i] = make32(v)
		}
		for _, o := range []prim.Options{small, {Descending: true, Tuning: small.Tuning}} {
			want := slices.Clone(host)
			slices.SortStableFunc(want, func(a, b K) int {
				if o.Descending {
					a, b = b, a
				}
				return cmp.Compare(bits(a), bits(b))
			})
			in, out := upload(t, dev, host), alloc[K](t, dev, n)
			must(t, prim.SortKeys(s, out, in, o))
			expectBits(t, fmt.Sprint(name, n, o.Descending), download(t, out), want, bits)
			must(t, prim.SortKeys(s, in, in, o)) // in place
			expectBits(t, fmt.Sprint(name, n, o.Descending, " in place"), download(t, in), want, bits)
		}
	}
}

// sortLengths are fewer than lengths.
func sortLengths() []int {
	if *fullTests {
		return lengths()
	}
	return []int{0, 1, 65, 257, 3001}
}

func expectBits[K any](t *testing.T, what string, got, want []K, bits func(v K) uint64) {
	t.Helper()
	g, w := make([]uint64, len(got)), make([]uint64, len(want))
	for i := range got {
		g[i], w[i] = bits(got[i]), bits(want[i])
	}
	expect(t, what, g, w)
}

func TestSortKeys(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		testSort(t, dev, "uint32 ", func(v int32) uint32 { return uint32(v) }, prim.KeyBits[uint32])
		testSort(t, dev, "float32 ", func(v int32) float32 { return math.Float32frombits(uint32(v)) }, prim.KeyBits[float32])
		testSort(t, dev, "int64 ", func(v int32) int64 { return int64(v) * 5_000_000_011 }, prim.KeyBits[int64])
		testSort(t, dev, "int8 ", func(v int32) int8 { return int8(v) }, prim.KeyBits[int8])
	})
}

func TestSortPairs(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		for _, n := range sortLengths() {
			keys, index := random(n), sequence(n)
			for i := range keys {
				keys[i] %= 1000 // many are equal: the sort must be stable
			}
			want := slices.Clone(index)
			slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
			k, v := upload(t, dev, keys), upload(t, dev, index)
			outK, outV := alloc[int32](t, dev, n), alloc[int32](t, dev, n)
			must(t, prim.SortPairs(s, outK, outV, k, v, small))
			expect(t, fmt.Sprint("pairs ", n), download(t, outV), want)
			must(t, prim.SortPairs(s, k, v, k, v))
			expect(t, fmt.Sprint("in place ", n), download(t, v), want)

			// by some bits only
			some := slices.Clone(index)
			slices.SortStableFunc(some, func(a, b int32) int { return cmp.Compare(keys[a]>>2&15, keys[b]>>2&15) })
			k, v = upload(t, dev, keys), upload(t, dev, index)
			must(t, prim.SortPairs(s, outK, outV, k, v, small, prim.Options{FirstBit: 2, LastBit: 6}))
			expect(t, fmt.Sprint("bits ", n), download(t, outV), some)

			// structs
			points := make([]point, n)
			for i := range points {
				points[i] = point{float32(keys[i]), float32(i), int32(i)}
			}
			wantPoints := slices.Clone(points)
			slices.SortStableFunc(wantPoints, func(a, b point) int { return cmp.Compare(a.x, b.x) })
			p := upload(t, dev, points)
			must(t, prim.SortFunc(s, p, p, func(v point) uint64 { return prim.KeyBits(v.x) }, small, prim.Options{LastBit: 32}))
			expect(t, fmt.Sprint("structs ", n), download(t, p), wantPoints)
		}
	})
}

// What one block holds is sorted by one block, and what is one more by two.
func TestSortTiles(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		all := []int{20}
		if *fullTests {
			all = []int{4, 8, 12, 16, 20}
		}
		for _, items := range all {
			o := prim.Options{Tuning: prim.Tuning{Threads: 128, Items: items, Serial: 1}}
			for _, n := range []int{128*items - 1, 128 * items, 128*items + 1, 5 * 128 * items} {
				keys := random(n)
				for i := range keys {
					keys[i] %= 1 << 10
				}
				index := sequence(n)
				want := slices.Clone(index)
				slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
				k, v := upload(t, dev, keys), upload(t, dev, index)
				must(t, prim.SortPairs(s, k, v, k, v, o))
				expect(t, fmt.Sprint(items, " items, pairs ", n), download(t, v), want)
				slices.Sort(keys)
				expect(t, fmt.Sprint(items, " items, keys ", n), download(t, k), keys)
			}
		}
	})
}

// sequence is 0 to n-1.
func sequence(n int) []int32 {
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(i)
	}
	return v
}

// Large elements are sorted by smaller blocks, where the device's shared memory would not hold a tile of the usual ones.
func TestSortLarge(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		sortLarge[uint64, uint64](t, dev, func(v int32, _ int) uint64 { return uint64(v) * 5_000_000_011 })
		sortLarge[int64, [12]int64](t, dev, func(v int32, i int) (w [12]int64) { w[0], w[11] = int64(v), int64(i); return w })
	})
}

func sortLarge[K uint64 | int64, V comparable](t *testing.T, dev *launch.Device, value func(v int32, i int) V) {
	t.Helper()
	s := dev.Stream()
	for _, n := range []int{200, 2000, 4100} {
		numbers := random(n)
		keys, values := make([]K, n), make([]V, n)
		for i, v := range numbers {
			keys[i], values[i] = K(v), value(v, i)
		}
		order := sequence(n)
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
		want := make([]V, n)
		for i, from := range order {
			want[i] = values[from]
		}
		k, v := upload(t, dev, keys), upload(t, dev, values)
		must(t, prim.SortPairs(s, k, v, k, v))
		slices.Sort(keys)
		expect(t, fmt.Sprint("keys ", n), download(t, k), keys)
		expect(t, fmt.Sprint("values ", n), download(t, v), want)
	}
}
