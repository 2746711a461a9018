package kernels

import (
	"math/bits"

	"heddle/dsl"
)

const Sorted = 1024 // elements a block sorts, with half as many threads

// Bitonic sorts each run of 1024 elements.
func Bitonic(in, out []float32) {
	s := dsl.Shared[[Sorted]float32]()
	t, base := dsl.ThreadIdx().X, dsl.BlockIdx().X*Sorted
	s[t], s[t+Sorted/2] = in[base+t], in[base+t+Sorted/2]
	//heddle:unroll
	for size := 2; size <= Sorted; size *= 2 {
		up := t&(size/2) == 0
		//heddle:unroll
		for stride := size / 2; stride > 0; stride /= 2 {
			dsl.SyncThreads()
			i := 2*t - t&(stride-1)
			a, b := s[i], s[i+stride]
			if (a > b) == up {
				s[i], s[i+stride] = b, a
			}
		}
	}
	dsl.SyncThreads()
	out[base+t], out[base+t+Sorted/2] = s[t], s[t+Sorted/2]
}

const (
	RadixKeys = 256 // a block sorts, a thread for each
	RadixBits = 16  // of a key
)

// RadixSort sorts each run of RadixKeys keys: bit by bit, those with a 0 before those with a
// 1, by ballots of the warps and the warps' counts.
func RadixSort(in, out []uint32) {
	keys := dsl.Shared[[RadixKeys]uint32]()
	zeros := dsl.Shared[[RadixKeys / 32]int32]()
	t, i := dsl.ThreadIdx().X, dsl.GlobalIdx().X
	lane, warp, warps := dsl.LaneID(), dsl.WarpID(), dsl.BlockDim().X/dsl.WarpSize()
	key := in[i]
	for bit := range RadixBits {
		one := key>>bit&1 != 0
		mask := dsl.BallotSync(all, !one)
		if lane == 0 {
			zeros[warp] = int32(bits.OnesCount64(mask))
		}
		dsl.SyncThreads()
		before := bits.OnesCount64(mask & (1<<lane - 1))
		total := 0
		for w := range warps {
			n := int(zeros[w])
			if w < warp {
				before += n
			}
			total += n
		}
		to := before
		if one {
			to = total + t - before
		}
		keys[to] = key
		dsl.SyncThreads()
		key = keys[t]
	}
	out[i] = key
}

const Few = 16 // numbers that a thread sorts

// InsertionSort sorts Few numbers in each thread. Number k of thread i of n is in[k*n+i].
func InsertionSort(n int, in, out []float32) {
	i := dsl.GlobalIdx().X
	if i >= n {
		return
	}
	var a [Few]float32
	for k := range Few {
		v := in[k*n+i]
		j := k
		for ; j > 0 && a[j-1] > v; j-- {
			a[j] = a[j-1]
		}
		a[j] = v
	}
	for k, v := range a {
		out[k*n+i] = v
	}
}
