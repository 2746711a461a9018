package main

import (
	"math"
	"math/bits"
	"math/cmplx"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/vector"
)

// transformCases are kernels of blocks that work on shared memory together.
func transformCases(s scale) []*benchmark {
	return []*benchmark{histogramCase(s), scanCase(s), scanPaddedCase(s), fftCase(s), walshCase(s)}
}

func histogramCase(s scale) *benchmark {
	n, blocks := s.of(million64, 1<<13+100), s.of(2048, 2)
	counts := sync.OnceValue(func() (counts [kernels.Bins]int) {
		for i := range n {
			for v, k := kernels.Hash(i, 1), 0; k < 4; v, k = v>>8, k+1 {
				counts[v&0xff]++
			}
		}
		return counts
	})
	return &benchmark{
		name: "histogram", kernel: kernels.Histogram, cfg: grid(blocks, 1, kernels.Bins, 1), unit: "GB/s", work: 4 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint32](d, kernels.Bins)
			return inputs{lens: []int{n}, args: []any{upload(d, hashes(n, 1)), out}, results: each(out)}
		},
		want: func(_, i int) float64 { return float64(counts()[i]) },
	}
}

func scanCase(s scale) *benchmark {
	n := s.of(million64, 2048)
	return &benchmark{
		name: "scan", kernel: kernels.Scan, cfg: grid(n/1024, 1, 256, 1), unit: "GB/s", work: 8 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			in := filled(n/4, func(i int) vector.Int4 {
				return vector.Int4{X: kernels.Value(4 * i), Y: kernels.Value(4*i + 1), Z: kernels.Value(4*i + 2), W: kernels.Value(4*i + 3)}
			})
			out, totals := alloc[vector.Int4](d, n/4), alloc[int32](d, n/1024)
			return inputs{args: []any{upload(d, in), out, totals}, results: []result{sampled[int32](out), sampled[int32](totals)}}
		},
		want: func(r, i int) float64 {
			if r == 1 {
				i = i*1024 + 1023
			}
			return sumBefore(i+1, 1024)
		},
	}
}

// sumBefore is the sum of the values from the last multiple of size, but for i itself, to i-1.
func sumBefore(i, size int) float64 {
	sum := int32(0)
	for k := (i - 1) / size * size; k < i; k++ {
		sum += kernels.Value(k)
	}
	return float64(sum)
}

func scanPaddedCase(s scale) *benchmark {
	const size = kernels.ScanSize
	n := s.of(million64/2, 2*size)
	return &benchmark{
		name: "scan_padded", kernel: kernels.ScanPadded, cfg: grid(n/size, 1, size/2, 1), unit: "GB/s", work: 8 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[int32](d, n)
			return inputs{args: []any{upload(d, filled(n, kernels.Value)), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			if i%size == 0 {
				return 0
			}
			return sumBefore(i, size)
		},
	}
}

func fftCase(s scale) *benchmark {
	const size = kernels.Points
	n := s.of(million64/4, 2*size)
	turns := make([]complex128, size)
	for k := range turns {
		turns[k] = cmplx.Exp(complex(0, -2*math.Pi*float64(k)/size))
	}
	return &benchmark{
		name: "fft", kernel: kernels.Fft, cfg: grid(n/size, 1, size/2, 1), unit: "GFLOP/s", work: 5 * 10 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			in := filled(n, func(i int) vector.Float2 {
				return vector.Float2{X: kernels.Uniform(2*i, 1, -1, 1), Y: kernels.Uniform(2*i+1, 1, -1, 1)}
			})
			out := alloc[vector.Float2](d, n)
			return inputs{args: []any{upload(d, in), out}, results: []result{sampled[float32](out)}}
		},
		want: func(_, e int) float64 {
			i := e / 2
			var sum complex128
			for k := range size {
				at := 2 * (i/size*size + k)
				sum += complex(uniform(at, 1, -1, 1), uniform(at+1, 1, -1, 1)) * turns[i%size*k%size]
			}
			if e%2 == 0 {
				return real(sum)
			}
			return imag(sum)
		},
		tolerance: 1e-4,
	}
}

func walshCase(s scale) *benchmark {
	const size = kernels.WalshSize
	n := s.of(million64/2, 2*size)
	return &benchmark{
		name: "walsh", kernel: kernels.Walsh, cfg: grid(n/size, 1, kernels.WalshThreads, 1), unit: "GB/s", work: 8 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n)
			return inputs{args: []any{upload(d, floats(n, 1, -1, 1)), out}, results: each(out)}
		},
		want: func(_, i int) (sum float64) {
			for k := range size {
				v := uniform(i/size*size+k, 1, -1, 1)
				if bits.OnesCount(uint(i%size&k))%2 != 0 {
					v = -v
				}
				sum += v
			}
			return sum
		},
		tolerance: 1e-4,
	}
}
