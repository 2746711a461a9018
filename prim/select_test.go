package prim_test

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"heddle/launch"
	"heddle/prim"
)

func TestSelect(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		count := alloc[int](t, dev, 1)
		for _, n := range lengths() {
			host := random(n)
			for i := range host {
				host[i] %= 5
			}
			in := upload(t, dev, host)
			for _, limit := range []int32{-9, 0, 9} { // none, some, all
				var kept, others []int32
				for _, v := range host {
					if v < limit {
						kept = append(kept, v)
					} else {
						others = append(others, v)
					}
				}
				name := fmt.Sprint(n, limit)
				out := alloc[int32](t, dev, n)
				keep := func(v int32) bool { return v < limit }
				must(t, prim.Select(s, out, count, in, keep, tiled))
				k := download(t, count)[0]
				expect(t, "select "+name, download(t, out)[:k], kept)
				must(t, prim.Partition(s, out, count, in, keep))
				if k := download(t, count)[0]; k != len(kept) {
					t.Fatalf("partition %s: %d kept, want %d", name, k, len(kept))
				}
				slices.Reverse(others)
				expect(t, "partition "+name, download(t, out), append(kept, others...))
			}
			out := alloc[int32](t, dev, n)
			must(t, prim.Unique(s, out, count, in, small))
			want := slices.Compact(slices.Clone(host))
			expect(t, "unique", download(t, out)[:download(t, count)[0]], want)
			flags := make([]bool, n)
			var some []int32
			for i := range flags {
				if flags[i] = host[i]%2 != 0; flags[i] {
					some = append(some, host[i])
				}
			}
			must(t, prim.SelectFlagged(s, in, count, in, upload(t, dev, flags), small)) // in place
			expect(t, "flagged", download(t, in)[:download(t, count)[0]], some)
		}
	})
}

// TestHistogramBytes counts numbers of each size whose range is no power of two, from aligned memory and from other.
func TestHistogramBytes(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		for _, n := range lengths() {
			evenBins(t, dev, n, int8(-100), 27)
			evenBins(t, dev, n, uint8(3), 255)
			evenBins(t, dev, n, int16(-30000), 32767)
			evenBins(t, dev, n, uint32(7), math.MaxUint32)
			evenBins(t, dev, n, int64(-1<<40), 1<<41+12345)
		}
	})
}

func evenBins[T prim.Number](t *testing.T, dev *launch.Device, n int, lower, upper T) {
	t.Helper()
	host := make([]T, n+1)
	for i := range host {
		host[i] = T(uint64(i) * 0x9e3779b97f4a7c15 >> 19)
	}
	in := upload(t, dev, host)
	for _, bins := range []int{1, 3, 256, 300, 5000} {
		o := small
		if bins != 3 {
			o.Tuning.Items = 16
		}
		for _, from := range []int{0, 1} {
			counts := alloc[uint32](t, dev, bins)
			must(t, prim.HistogramEven(dev.Stream(), counts, in.Slice(from, from+n), lower, upper, o))
			want := make([]uint32, bins)
			for _, v := range host[from : from+n] {
				if v >= lower && v < upper {
					hi, lo := bits.Mul64(uint64(v)-uint64(lower), uint64(bins))
					b, _ := bits.Div64(hi, lo, uint64(upper)-uint64(lower))
					want[b]++
				}
			}
			expect(t, fmt.Sprintf("%T from %d: %d in %d bins", lower, from, n, bins), download(t, counts), want)
		}
	}
}

func TestHistogram(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		for _, n := range lengths() {
			host, floats := random(n), make([]float32, n)
			for i := range host {
				host[i] %= 1000
				floats[i] = float32(host[i]) / 8
			}
			in := upload(t, dev, host)
			for _, bins := range []int{1, 100, 1000, 5000} {
				counts := alloc[uint32](t, dev, bins)
				must(t, prim.HistogramEven(s, counts, in, -500, 700, small))
				want := make([]uint32, bins)
				for _, v := range host {
					if v >= -500 && v < 700 {
						want[(int(v)+500)*bins/1200]++
					}
				}
				expect(t, fmt.Sprint("even ", n, bins), download(t, counts), want)
			}
			counts := alloc[uint32](t, dev, 64)
			must(t, prim.HistogramEven(s, counts, upload(t, dev, floats), -32, 32))
			want := make([]uint32, 64)
			for _, v := range floats {
				if v >= -32 && v < 32 {
					want[int(v+32)]++
				}
			}
			expect(t, "floats", download(t, counts), want)
			levels := []int32{-900, -100, -99, 50, 400}
			counts = alloc[uint32](t, dev, 4)
			must(t, prim.HistogramRange(s, counts, in, upload(t, dev, levels)))
			want = make([]uint32, 4)
			for _, v := range host {
				if k, ok := slices.BinarySearch(levels, v); ok && k < 4 {
					want[k]++
				} else if !ok && k > 0 && k < 5 {
					want[k-1]++
				}
			}
			expect(t, "range", download(t, counts), want)
		}
	})
}
