package prim

import (
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// HistogramEven counts in counts[b] the elements of bin b: bin b of k bins is from lower + b*(upper-lower)/k on, less than the next bin's lower bound
// (hipcub::DeviceHistogram::HistogramEven). Elements below lower, from upper on, and NaNs are in none. lower must be less than
// upper. The bin is computed in float64 for floats, and exactly for integers whose range times k fits 64 bits.
func HistogramEven[T Number](s *launch.Stream, counts *launch.Buffer[uint32], in *launch.Buffer[T], lower, upper T, opts ...Options) error {
	const fn = "HistogramEven"
	if err := first(stream(fn, s), live(fn, "in", in), atLeast(fn, "counts", counts, 1), apart(fn, "counts", counts, "in", in, false)); err != nil {
		return err
	}
	if !(lower < upper) {
		return &Error{Func: fn, Arg: "upper", Reason: "is not greater than lower"}
	}
	return histogramOf(s, fn, counts, in, evenBin(lower, upper, counts.Len()), opts)
}

// HistogramRange counts in counts[b] the elements from levels[b] on that are less than levels[b+1] (hipcub::DeviceHistogram::HistogramRange). levels
// ascend, one more than counts has elements. Other elements are in no bin.
func HistogramRange[T Number](s *launch.Stream, counts *launch.Buffer[uint32], in, levels *launch.Buffer[T], opts ...Options) error {
	const fn = "HistogramRange"
	if err := first(stream(fn, s), live(fn, "in", in), atLeast(fn, "counts", counts, 1), same(fn, "levels", levels, counts.Len()+1), apart(fn, "counts", counts, "in", in, false),
		apart(fn, "counts", counts, "levels", levels, false)); err != nil {
		return err
	}
	level := of(levels)
	k := counts.Len()
	return histogramOf(s, fn, counts, in, func(v T) int {
		if !(v >= level(0) && v < level(k)) {
			return -1
		}
		low, high := 0, k
		for high-low > 1 {
			if mid := (low + high) / 2; level(mid) <= v {
				low = mid
			} else {
				high = mid
			}
		}
		return low
	}, opts)
}

// HistogramBy counts in counts[b] the elements for which bin returns b; other numbers than those of counts are not counted. Of bytes,
// func(v uint8) int { return int(v) } has a bin for each value.
func HistogramBy[T Number](s *launch.Stream, counts *launch.Buffer[uint32], in *launch.Buffer[T], bin func(v T) int, opts ...Options) error {
	const fn = "HistogramBy"
	if err := first(stream(fn, s), live(fn, "in", in), atLeast(fn, "counts", counts, 1), apart(fn, "counts", counts, "in", in, false), function(fn, "bin", bin)); err != nil {
		return err
	}
	return histogramOf(s, fn, counts, in, bin, opts)
}

// HistogramFunc counts in counts[b] for how many of 0 to n-1 bin returns b; other numbers than those of counts are not counted. Several
// channels are bins one after the other: of 4 channels of pixels, bin(i) is i%4*256 + int(pixels.Device()[i]).
func HistogramFunc(s *launch.Stream, counts *launch.Buffer[uint32], n int, bin func(i int) int, opts ...Options) error {
	const fn = "HistogramFunc"
	if err := first(stream(fn, s), count(fn, n), atLeast(fn, "counts", counts, 1), function(fn, "bin", bin)); err != nil {
		return err
	}
	return histogram(s, fn, counts, n, bin, opts)
}

// sharedBins is how many bins a block counts in its own memory.
const sharedBins = 4096

// histogram counts in each block's shared memory where the bins fit, and adds these counts up in counts.
func histogram(s *launch.Stream, fn string, counts *launch.Buffer[uint32], n int, bin func(i int) int, opts []Options) error {
	cfg, threads, done, err := histogramShape(s, counts, n, histogramItems, opts)
	if done || err != nil {
		return err
	}
	opt := kernel.Options{MaxThreads: threads, Specialize: []string{"threads", "room"}}
	if room := roomOf(counts.Len()); room > 0 {
		k := kernel.NewWith(func(counts []uint32, n int) {
			own := dsl.SharedSlice[uint32](room)
			clearBins(own, len(counts))
			eachItem(threads, n, bin, func(b int) { countIn(own, len(counts), b) })
			addBins(counts, own, len(counts), func(b int) int { return b })
		}, opt)
		return k.Launch(s, cfg, counts, n)
	}
	k := kernel.NewWith(func(counts []uint32, n int) {
		eachItem(threads, n, bin, func(b int) {
			if uint(b) < uint(len(counts)) {
				dsl.AtomicAdd(&counts[b], 1)
			}
		})
	}, kernel.Options{MaxThreads: threads, Specialize: []string{"threads"}})
	return k.Launch(s, cfg, counts, n)
}

// roomOf is for how many bins a block has room that counts so many by itself, 0 if it does not.
func roomOf(bins int) int {
	switch {
	case bins <= 256:
		return 256
	case bins <= sharedBins:
		return sharedBins
	}
	return 0
}

// histogramShape clears counts, and says how blocks are cut in which a thread has items elements under way; done if nothing is to be launched.
func histogramShape(s *launch.Stream, counts *launch.Buffer[uint32], n, items int, opts []Options) (cfg launch.Config, threads int, done bool, err error) {
	o := merged(opts)
	tune, err := tuned(s, "histogram", 4, o)
	if err != nil || o.need != nil {
		return cfg, 0, true, err
	}
	if err := counts.Clear(s); err != nil || n == 0 {
		return cfg, 0, true, err
	}
	threads = tune.Threads
	blocks := max(1, min(tune.Blocks*s.Device().Info().ComputeUnits, n/(threads*items)))
	return launch.Linear(blocks*threads, threads), threads, false, nil
}

// histogramItems is how many elements of a thread are under way.
const histogramItems = 8

// clearBins sets the first bins of a block's own counts to 0.
func clearBins(own []uint32, bins int) {
	for b := dsl.ThreadIdx().X; b < bins; b += dsl.BlockDim().X {
		own[b] = 0
	}
	dsl.SyncThreads()
}

// countIn counts one in bin b of own, if it is one of so many.
func countIn(own []uint32, bins, b int) {
	if uint(b) < uint(bins) {
		dsl.AtomicAdd(elem(unsafe.SliceData(own), b), 1)
	}
}

// addBins adds own[b] to counts[to(b)], for the first bins of own.
func addBins(counts, own []uint32, bins int, to func(b int) int) {
	dsl.SyncThreads()
	for b := dsl.ThreadIdx().X; b < bins; b += dsl.BlockDim().X {
		if c := own[b]; c != 0 {
			if k := to(b); uint(k) < uint(len(counts)) {
				dsl.AtomicAdd(&counts[k], c)
			}
		}
	}
}

// eachItem calls f with the bins of a block's part of 0 to n-1.
func eachItem(threads, n int, bin func(i int) int, f func(b int)) {
	perTile := threads * histogramItems
	for base := dsl.BlockIdx().X * perTile; base < n; base += dsl.GridDim().X * perTile {
		first := base + dsl.ThreadIdx().X
		if base+perTile <= n {
			var own [histogramItems]int
			for k := range histogramItems {
				own[k] = bin(first + k*threads)
			}
			for k := range histogramItems {
				f(own[k])
			}
			continue
		}
		for k := range histogramItems {
			if first+k*threads < n {
				f(bin(first + k*threads))
			}
		}
	}
}
