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
	at := of(in)
	k := counts.Len()
	if half := T(1); half/2 != 0 { // floats
		scale := float64(k) / (float64(upper) - float64(lower))
		return histogram(s, fn, counts, in.Len(), func(i int) int {
			v := at(i)
			if v >= lower && v < upper {
				return min(int((float64(v)-float64(lower))*scale), k-1)
			}
			return -1
		}, opts)
	}
	width := uint64(upper) - uint64(lower)
	return histogram(s, fn, counts, in.Len(), func(i int) int {
		v := at(i)
		if v >= lower && v < upper {
			return int((uint64(v) - uint64(lower)) * uint64(k) / width)
		}
		return -1
	}, opts)
}

// HistogramRange counts in counts[b] the elements from levels[b] on that are less than levels[b+1] (hipcub::DeviceHistogram::HistogramRange). levels
// ascend, one more than counts has elements. Other elements are in no bin.
func HistogramRange[T Number](s *launch.Stream, counts *launch.Buffer[uint32], in, levels *launch.Buffer[T], opts ...Options) error {
	const fn = "HistogramRange"
	if err := first(stream(fn, s), live(fn, "in", in), atLeast(fn, "counts", counts, 1), same(fn, "levels", levels, counts.Len()+1), apart(fn, "counts", counts, "in", in, false),
		apart(fn, "counts", counts, "levels", levels, false)); err != nil {
		return err
	}
	at, level := of(in), of(levels)
	k := counts.Len()
	return histogram(s, fn, counts, in.Len(), func(i int) int {
		v := at(i)
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
	o := merged(opts)
	tune, err := tuned(s, "histogram", 4, o)
	if err != nil || o.need != nil {
		return err
	}
	if err := counts.Clear(s); err != nil || n == 0 {
		return err
	}
	threads := tune.Threads
	blocks := max(1, min(tune.Blocks*s.Device().Info().ComputeUnits, n/(threads*histogramItems)))
	cfg := launch.Linear(blocks*threads, threads)
	opt := kernel.Options{MaxThreads: threads, Specialize: []string{"threads"}}
	switch bins := counts.Len(); {
	case bins <= 256:
		return histogramKernel(256, threads, bin, opt).Launch(s, cfg, counts, n)
	case bins <= sharedBins:
		return histogramKernel(sharedBins, threads, bin, opt).Launch(s, cfg, counts, n)
	}
	k := kernel.NewWith(func(counts []uint32, n int) {
		eachItem(threads, n, bin, func(b int) {
			if uint(b) < uint(len(counts)) {
				dsl.AtomicAdd(&counts[b], 1)
			}
		})
	}, opt)
	return k.Launch(s, cfg, counts, n)
}

// histogramItems is how many elements of a thread are under way.
const histogramItems = 8

func histogramKernel(room, threads int, bin func(i int) int, opt kernel.Options) *kernel.Kernel {
	opt.Specialize = []string{"threads", "room"}
	return kernel.NewWith(func(counts []uint32, n int) {
		own := dsl.SharedSlice[uint32](room)
		t := dsl.ThreadIdx().X
		for b := t; b < len(counts); b += threads {
			own[b] = 0
		}
		dsl.SyncThreads()
		bins := uint(len(counts))
		eachItem(threads, n, bin, func(b int) {
			if uint(b) < bins {
				dsl.AtomicAdd(elem(unsafe.SliceData(own), b), 1)
			}
		})
		dsl.SyncThreads()
		for b := t; b < len(counts); b += threads {
			if c := own[b]; c != 0 {
				dsl.AtomicAdd(&counts[b], c)
			}
		}
	}, opt)
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
