package kernels

import (
	"heddle/dsl"
	"heddle/vector"
)

const Bins = 256 // of a histogram

// Histogram counts the bytes of in; Bins threads a block.
func Histogram(in []uint32, counts []uint32) {
	local := dsl.Shared[[Bins]uint32]()
	t := dsl.ThreadIdx().X
	local[t] = 0
	dsl.SyncThreads()
	for i := dsl.GlobalIdx().X; i < len(in); i += dsl.GlobalSize().X {
		v := in[i]
		dsl.AtomicAdd(&local[v&0xff], 1)
		dsl.AtomicAdd(&local[v>>8&0xff], 1)
		dsl.AtomicAdd(&local[v>>16&0xff], 1)
		dsl.AtomicAdd(&local[v>>24], 1)
	}
	dsl.SyncThreads()
	dsl.AtomicAdd(&counts[t], local[t])
}

// warpScan is the inclusive prefix sum over the warp.
func warpScan(v int32) int32 {
	lane := dsl.LaneID()
	for d := 1; d < dsl.WarpSize(); d *= 2 {
		if below := dsl.ShflUpSync(all, v, d); lane >= d {
			v += below
		}
	}
	return v
}

// Scan is the inclusive prefix sum of each block's 1024 elements, four a
// thread, and the blocks' totals.
func Scan(in, out []vector.Int4, totals []int32) {
	sums := dsl.Shared[[64]int32]()
	i := dsl.GlobalIdx().X
	v := in[i]
	v.Y += v.X
	v.Z += v.Y
	v.W += v.Z
	sum := warpScan(v.W)
	warp, lane := dsl.WarpID(), dsl.LaneID()
	if lane == dsl.WarpSize()-1 {
		sums[warp] = sum
	}
	dsl.SyncThreads()
	if warp == 0 {
		var w int32
		if lane < dsl.BlockDim().X/dsl.WarpSize() {
			w = sums[lane]
		}
		w = warpScan(w)
		sums[lane] = w
	}
	dsl.SyncThreads()
	before := sum - v.W
	if warp > 0 {
		before += sums[warp-1]
	}
	out[i] = vector.Int4{X: v.X + before, Y: v.Y + before, Z: v.Z + before, W: v.W + before}
	if dsl.ThreadIdx().X == dsl.BlockDim().X-1 {
		totals[dsl.BlockIdx().X] = v.W + before
	}
}

const ScanSize = 1024 // elements a block scans, with half as many threads

// padded is where element i of an array in shared memory lies: one word in 32 is left free,
// so that strides of powers of two meet all banks.
func padded(i int) int { return i + i/32 }

// ScanPadded is the exclusive prefix sum of each block's elements, by a tree up and down in
// padded shared memory.
func ScanPadded(in, out []int32) {
	s := dsl.Shared[[ScanSize + ScanSize/32]int32]()
	t, base := dsl.ThreadIdx().X, dsl.BlockIdx().X*ScanSize
	s[padded(t)] = in[base+t]
	s[padded(t+ScanSize/2)] = in[base+t+ScanSize/2]
	offset := 1
	for d := ScanSize / 2; d > 0; d /= 2 {
		dsl.SyncThreads()
		if t < d {
			a, b := padded(offset*(2*t+1)-1), padded(offset*(2*t+2)-1)
			s[b] += s[a]
		}
		offset *= 2
	}
	if t == 0 {
		s[padded(ScanSize-1)] = 0
	}
	for d := 1; d < ScanSize; d *= 2 {
		offset /= 2
		dsl.SyncThreads()
		if t < d {
			a, b := padded(offset*(2*t+1)-1), padded(offset*(2*t+2)-1)
			s[a], s[b] = s[b], s[a]+s[b]
		}
	}
	dsl.SyncThreads()
	out[base+t] = s[padded(t)]
	out[base+t+ScanSize/2] = s[padded(t+ScanSize/2)]
}

const Points = 1024 // of a Fourier transform, with half as many threads

// Fft is the Fourier transform of each run of Points numbers, by radix 2 in shared memory.
func Fft(in, out []vector.Float2) {
	re, im := dsl.Shared[[Points]float32](), dsl.Shared[[Points]float32]()
	t, base := dsl.ThreadIdx().X, dsl.BlockIdx().X*Points
	for k := t; k < Points; k += Points / 2 {
		v := in[base+k]
		r := dsl.Brev(uint32(k)) >> 22 // the 10 bits of k in reverse
		re[r], im[r] = v.X, v.Y
	}
	for half := 1; half < Points; half *= 2 {
		dsl.SyncThreads()
		k := t & (half - 1)
		i := 2*t - k
		angle := -3.14159265358979 * float32(k) / float32(half)
		c, s := dsl.Cos(angle), dsl.Sin(angle)
		x, y := re[i+half]*c-im[i+half]*s, re[i+half]*s+im[i+half]*c
		re[i+half], im[i+half] = re[i]-x, im[i]-y
		re[i] += x
		im[i] += y
	}
	dsl.SyncThreads()
	for k := t; k < Points; k += Points / 2 {
		out[base+k] = vector.Float2{X: re[k], Y: im[k]}
	}
}

const (
	WalshSize    = 2048 // elements of a Walsh transform
	WalshThreads = 256
)

// Walsh is the Walsh-Hadamard transform of each run of WalshSize numbers.
func Walsh(in, out []float32) {
	s := dsl.Shared[[WalshSize]float32]()
	t, base := dsl.ThreadIdx().X, dsl.BlockIdx().X*WalshSize
	for i := t; i < WalshSize; i += dsl.BlockDim().X {
		s[i] = in[base+i]
	}
	for stride := 1; stride < WalshSize; stride *= 2 {
		dsl.SyncThreads()
		for p := t; p < WalshSize/2; p += dsl.BlockDim().X {
			i := 2*p - p&(stride-1)
			a, b := s[i], s[i+stride]
			s[i], s[i+stride] = a+b, a-b
		}
	}
	dsl.SyncThreads()
	for i := t; i < WalshSize; i += dsl.BlockDim().X {
		out[base+i] = s[i]
	}
}
