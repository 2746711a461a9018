package prim_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"heddle/launch"
	"heddle/prim"
)

func lessInt32(a, b int32) bool { return a < b }

// few are the lengths of tests of many functions.
func few() []int {
	if *fullTests {
		return lengths()
	}
	return []int{0, 1, 193, 1500}
}

func TestArg(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		for _, n := range few() {
			host := random(n)
			for i := range host {
				host[i] %= 100
			}
			out := alloc[prim.Indexed[int32]](t, dev, 1)
			in := upload(t, dev, host)
			least, most := prim.Indexed[int32]{Index: -1}, prim.Indexed[int32]{Index: -1}
			for i, v := range host {
				if least.Index < 0 || v < least.Value {
					least = prim.Indexed[int32]{Value: v, Index: i}
				}
				if most.Index < 0 || v > most.Value {
					most = prim.Indexed[int32]{Value: v, Index: i}
				}
			}
			must(t, prim.ArgMin(dev.Stream(), out, in, small))
			expect(t, fmt.Sprint("min ", n), download(t, out), []prim.Indexed[int32]{least})
			must(t, prim.ArgMax(dev.Stream(), out, in, small))
			expect(t, fmt.Sprint("max ", n), download(t, out), []prim.Indexed[int32]{most})
		}
	})
}

func TestByKey(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		for _, n := range few() {
			keys, values := make([]int32, n), random(n)
			for i, v := range random(n) {
				if i > 0 {
					keys[i] = keys[i-1]
					if v%7 == 0 {
						keys[i]++
					}
				}
			}
			inclusive, exclusive := make([]int32, n), make([]int32, n)
			var wantKeys, sums []int32
			var lengths []int
			for i, v := range values {
				if i == 0 || keys[i] != keys[i-1] {
					wantKeys, sums, lengths = append(wantKeys, keys[i]), append(sums, 0), append(lengths, 0)
				}
				last := len(sums) - 1
				exclusive[i] = sums[last] + 5
				sums[last] += v
				lengths[last]++
				inclusive[i] = sums[last]
			}
			k, v, out, count := upload(t, dev, keys), upload(t, dev, values), alloc[int32](t, dev, n), alloc[int](t, dev, 1)
			name := fmt.Sprint(" ", n)
			must(t, prim.InclusiveScanByKey(s, out, k, v, prim.Add[int32], small))
			expect(t, "inclusive"+name, download(t, out), inclusive)
			must(t, prim.ExclusiveScanByKey(s, out, k, v, 5, prim.Add[int32], small))
			expect(t, "exclusive"+name, download(t, out), exclusive)
			outK, outN := alloc[int32](t, dev, n), alloc[int](t, dev, n)
			must(t, prim.ReduceByKey(s, outK, out, count, k, v, prim.Add[int32], small))
			c := download(t, count)[0]
			expect(t, "keys"+name, download(t, outK)[:c], wantKeys)
			expect(t, "sums"+name, download(t, out)[:c], sums)
			must(t, prim.RunLengthEncode(s, outK, outN, count, k, small))
			c = download(t, count)[0]
			expect(t, "run keys"+name, download(t, outK)[:c], wantKeys)
			expect(t, "lengths"+name, download(t, outN)[:c], lengths)
		}
	})
}

func TestSegments(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		n := 1500
		host := random(n)
		offsets := []int{0, 0, 1, 40, 41, 700, 700, 1500}
		k := len(offsets) - 1
		want, sorted := make([]int32, k), slices.Clone(host)
		index := make([]int32, n)
		for i := range index {
			index[i] = int32(i)
		}
		for j := range k {
			want[j] = 3
			for _, v := range host[offsets[j]:offsets[j+1]] {
				want[j] += v
			}
			slices.Sort(sorted[offsets[j]:offsets[j+1]])
			slices.SortStableFunc(index[offsets[j]:offsets[j+1]], func(a, b int32) int { return cmp.Compare(host[a], host[b]) })
		}
		in, off, out := upload(t, dev, host), upload(t, dev, offsets), alloc[int32](t, dev, k)
		must(t, prim.SegmentedReduce(s, out, in, off, 3, prim.Add[int32]))
		expect(t, "reduce", download(t, out), want)
		own := make([]int32, n)
		for i := range own {
			own[i] = int32(i)
		}
		outK, outV := alloc[int32](t, dev, n), alloc[int32](t, dev, n)
		must(t, prim.SegmentedSort(s, outK, outV, in, upload(t, dev, own), off, small))
		expect(t, "sorted keys", download(t, outK), sorted)
		expect(t, "sorted values", download(t, outV), index)
		top := alloc[int32](t, dev, 5)
		must(t, prim.TopK(s, top, in, small))
		slices.SortFunc(sorted, func(a, b int32) int { return cmp.Compare(b, a) })
		expect(t, "top", download(t, top), sorted[:5])

		copies := []prim.Copy{{From: 5, To: 100, N: 40}, {From: 0, To: 0, N: 0}, {From: 900, To: 0, N: 70}}
		wantCopies := make([]int32, n)
		for _, c := range copies {
			copy(wantCopies[c.To:c.To+c.N], host[c.From:])
		}
		dst := alloc[int32](t, dev, n)
		must(t, prim.BatchedCopy(s, dst, in, upload(t, dev, copies)))
		expect(t, "copies", download(t, dst), wantCopies)

		rows, columns, values, x := []int{0, 2, 2, 5}, []int32{0, 2, 0, 1, 2}, []float64{1, 2, 3, 4, 5}, []float64{10, 100, 1000}
		y := alloc[float64](t, dev, 3)
		must(t, prim.SpMV(s, y, upload(t, dev, rows), upload(t, dev, columns), upload(t, dev, values), upload(t, dev, x)))
		expect(t, "product", download(t, y), []float64{2010, 0, 5430})
	})
}

func TestMergeSort(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		for _, n := range few() {
			points := make([]point, n)
			for i, v := range random(n) {
				points[i] = point{float32(v % 20), float32(i), v}
			}
			want := slices.Clone(points)
			slices.SortStableFunc(want, func(a, b point) int { return cmp.Compare(a.x, b.x) })
			in := upload(t, dev, points)
			less := func(a, b point) bool { return a.x < b.x }
			out := alloc[point](t, dev, n)
			must(t, prim.MergeSort(s, out, in, less, small))
			expect(t, fmt.Sprint("sort ", n), download(t, out), want)
			must(t, prim.MergeSort(s, in, in, less, small))
			expect(t, fmt.Sprint("in place ", n), download(t, in), want)
		}
	})
}

func TestSets(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		for _, n := range few() {
			a, b := random(n), random(n/2+40)
			for i := range a {
				a[i] %= 300
			}
			for i := range b {
				b[i] %= 200
			}
			slices.Sort(a)
			slices.Sort(b)
			x, y := upload(t, dev, a), upload(t, dev, b)
			all := append(slices.Clone(a), b...)
			slices.Sort(all)
			out, count := alloc[int32](t, dev, len(all)), alloc[int](t, dev, 1)
			must(t, prim.Merge(s, out, x, y, lessInt32, small))
			expect(t, fmt.Sprint("merge ", n), download(t, out), all)
			times := func(v []int32, x int32) int {
				lo, _ := slices.BinarySearch(v, x)
				hi, _ := slices.BinarySearch(v, x+1)
				return hi - lo
			}
			want := [4][]int32{}
			for _, v := range slices.Compact(slices.Clone(all)) {
				m, n := times(a, v), times(b, v)
				for i, c := range []int{min(m, n), max(m-n, 0), max(m, n), max(m, n) - min(m, n)} {
					want[i] = append(want[i], slices.Repeat([]int32{v}, c)...)
				}
			}
			for i, f := range []func(*launch.Stream, *launch.Buffer[int32], *launch.Buffer[int], *launch.Buffer[int32], *launch.Buffer[int32], func(a, b int32) bool, ...prim.Options) error{
				prim.Intersection[int32], prim.Difference[int32], prim.Union[int32], prim.SymmetricDifference[int32],
			} {
				must(t, f(s, out, count, x, y, lessInt32, []prim.Options{small}...))
				expect(t, fmt.Sprint("set ", i, " ", n), download(t, out)[:download(t, count)[0]], want[i])
			}
			lower := alloc[int](t, dev, len(b))
			must(t, prim.LowerBound(s, lower, x, y, lessInt32))
			wantLower := make([]int, len(b))
			for i, v := range b {
				wantLower[i], _ = slices.BinarySearch(a, v)
			}
			expect(t, "lower", download(t, lower), wantLower)
			diff, wantDiff := alloc[int32](t, dev, n), slices.Clone(a)
			for i := 1; i < n; i++ {
				wantDiff[i] = a[i] - a[i-1]
			}
			must(t, prim.AdjacentDifference(s, diff, x, func(v, before int32) int32 { return v - before }))
			expect(t, "difference", download(t, diff), wantDiff)
		}
	})
}

// TestMergeSortThreads sorts in blocks of as many threads as are no power of two, whose tiles are full.
func TestMergeSortThreads(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		for _, tune := range []prim.Tuning{{Threads: 192, Items: 3}, {Threads: 320, Items: 7}, {Threads: 192, Items: 17, Resident: 384}, {Threads: 64, Items: 19}} {
			n := 5000
			keys := random(n)
			in, out := upload(t, dev, keys), alloc[int32](t, dev, n)
			must(t, prim.MergeSort(dev.Stream(), out, in, func(a, b int32) bool { return a < b }, prim.Options{Tuning: tune}))
			slices.Sort(keys)
			expect(t, fmt.Sprintf("%+v", tune), download(t, out), keys)
		}
	})
}
