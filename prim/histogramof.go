package prim

import (
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim/block"
	"heddle/prim/warp"
)

// This file has histograms of elements by their value: they are read 16 bytes at a time. Elements of one byte are counted by their 256
// values, and only these counts go to bins, so that nothing is computed for an element.

// evenBin is the func that gives a value's bin of k bins from lower to upper, or -1.
func evenBin[T Number](lower, upper T, k int) func(v T) int {
	if half := T(1); half/2 != 0 { // floats
		scale := float64(k) / (float64(upper) - float64(lower))
		return func(v T) int {
			if v >= lower && v < upper {
				return min(int((float64(v)-float64(lower))*scale), k-1)
			}
			return -1
		}
	}
	width := uint64(upper) - uint64(lower)
	if unsafe.Sizeof(lower) <= 4 && width <= uint64(^uint32(0))/uint64(k) {
		return evenBin32(lower, uint32(width), uint32(k))
	}
	return evenBin64(lower, width, uint64(k))
}

// evenBin32 is evenBin for integers of at most 32 bits where width*k has no more, width being upper-lower.
func evenBin32[T Number](lower T, width, k uint32) func(v T) int {
	inverse := ^uint32(0) / width
	return func(v T) int {
		x := uint32(v) - uint32(lower) // not less than width for those below lower, too
		if x >= width {
			return -1
		}
		return int(quotient(x*k, width, inverse))
	}
}

// evenBin64 is evenBin for integers where width*k has at most 64 bits.
func evenBin64[T Number](lower T, width, k uint64) func(v T) int {
	inverse := ^uint64(0) / width
	return func(v T) int {
		x := uint64(v) - uint64(lower)
		if x >= width {
			return -1
		}
		return int(quotient(x*k, width, inverse))
	}
}

// quotient is p/d, where inverse is ^0/d: p times inverse without its low half is that, or 1 less, since inverse is at most 1 less than 2^bits/d, by
// which the product loses less than 1.
func quotient[U uint32 | uint64](p, d, inverse U) U {
	q := dsl.Mulhi(p, inverse)
	if p-q*d >= d {
		q++
	}
	return q
}

// histogramOf counts in counts[b] the elements for which bin returns b.
func histogramOf[T Number](s *launch.Stream, fn string, counts *launch.Buffer[uint32], in *launch.Buffer[T], bin func(v T) int, opts []Options) error {
	tune, err := tuned(s, "histogram", 4, merged(opts))
	if err != nil {
		return err
	}
	if tune.Items >= 16 && uintptr(in.Pointer())%16 == 0 && in.Len() > 0 {
		size, room := unsafe.Sizeof(*new(T)), roomOf(counts.Len())
		switch {
		case size == 1:
			return histogramVec[T, [16]T](s, counts, in, 256, bin, opts)
		case room == 0:
		case size == 2:
			return histogramVec[T, [8]T](s, counts, in, room, bin, opts)
		case size == 4:
			return histogramVec[T, [4]T](s, counts, in, room, bin, opts)
		case size == 8:
			return histogramVec[T, [2]T](s, counts, in, room, bin, opts)
		}
	}
	at := of(in)
	return histogram(s, fn, counts, in.Len(), func(i int) int { return bin(at(i)) }, opts)
}

// histogramVec has room in each block for the counts of bins, or of the values of a byte.
func histogramVec[T Number, V warp.Items[T]](s *launch.Stream, counts *launch.Buffer[uint32], in *launch.Buffer[T], room int, bin func(v T) int, opts []Options) error {
	var v V
	cfg, threads, done, err := histogramShape(s, counts, in.Len(), histogramVecs*len(v), opts)
	if done || err != nil {
		return err
	}
	wide, err := vecs[T, V](in)
	if err != nil {
		return err
	}
	k := kernel.NewWith(func(counts []uint32, wide []block.Vec[V], in []T) {
		mem, bytes := dsl.SharedSlice[uint32](room), unsafe.Sizeof(in[0]) == 1
		bins := room
		if !bytes {
			bins = len(counts)
		}
		clearBins(mem, bins)
		eachOf(threads, wide, in, func(v T) {
			if bytes {
				dsl.AtomicAdd(elem(unsafe.SliceData(mem), int(uint8(v))), 1)
			} else {
				countIn(mem, bins, bin(v))
			}
		})
		addBins(counts, mem, bins, func(b int) int {
			if bytes {
				return bin(T(b))
			}
			return b
		})
	}, kernel.Options{MaxThreads: threads, Specialize: []string{"threads", "room"}})
	return k.Launch(s, cfg, counts, wide, in)
}

// histogramVecs is how many vectors a thread of histogramVec has under way.
const histogramVecs = 2

// eachOf calls f with a block's part of in, of which wide is all whole vectors.
func eachOf[T Number, V warp.Items[T]](threads int, wide []block.Vec[V], in []T, f func(v T)) {
	perTile := threads * histogramVecs
	for base := dsl.BlockIdx().X * perTile; base < len(wide); base += dsl.GridDim().X * perTile {
		first := base + dsl.ThreadIdx().X
		if base+perTile <= len(wide) {
			var own [histogramVecs]V
			for k := range histogramVecs {
				own[k] = elem(unsafe.SliceData(wide), first+k*threads).A
			}
			for k := range histogramVecs {
				eachIn(own[k], f)
			}
			continue
		}
		for i := first; i < len(wide); i += threads {
			eachIn(wide[i].A, f)
		}
	}
	var v V // what is left over is less than a vector
	if i := len(wide)*len(v) + dsl.ThreadIdx().X; dsl.BlockIdx().X == 0 && i < len(in) {
		f(in[i])
	}
}

func eachIn[T Number, V warp.Items[T]](v V, f func(v T)) {
	for i := 0; i < len(v); i++ {
		f(v[i])
	}
}
