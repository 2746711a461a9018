package main

import (
	"slices"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// sortCases are kernels that sort in shared memory and in a thread's own.
func sortCases(s scale) []*benchmark {
	return []*benchmark{bitonicCase(s), radixSortCase(s), insertionSortCase(s)}
}

// sorted is number k of a run of size numbers once it is sorted.
func sorted(size, k int, at func(k int) float64) float64 {
	run := make([]float64, size)
	for k := range run {
		run[k] = at(k)
	}
	slices.Sort(run)
	return run[k]
}

func bitonicCase(s scale) *benchmark {
	const size = kernels.Sorted
	n := s.of(1<<24, 2*size)
	return &benchmark{
		name: "bitonic", kernel: kernels.Bitonic, cfg: grid(n/size, 1, size/2, 1), unit: "GB/s", work: 8 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n)
			return inputs{args: []any{upload(d, floats(n, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			return sorted(size, i%size, func(k int) float64 { return uniform(i/size*size+k, 1, 0, 1) })
		},
	}
}

func radixSortCase(s scale) *benchmark {
	const size = kernels.RadixKeys
	n := s.of(1<<23, 2*size)
	return &benchmark{
		name: "radix_sort", kernel: kernels.RadixSort, cfg: grid(n/size, 1, size, 1), unit: "GB/s", work: 8 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint32](d, n)
			return inputs{args: []any{upload(d, filled(n, func(i int) uint32 { return uint32(kernels.Value(i)) })), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			return sorted(size, i%size, func(k int) float64 { return float64(kernels.Value(i/size*size + k)) })
		},
	}
}

func insertionSortCase(s scale) *benchmark {
	const few = kernels.Few
	n := s.of(1<<20, 300)
	return &benchmark{
		name: "insertion_sort", kernel: kernels.InsertionSort, cfg: launch.Linear(n, 128), unit: "GB/s", work: 8 * few * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, few*n)
			return inputs{args: []any{n, upload(d, floats(few*n, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, e int) float64 {
			return sorted(few, e/n, func(k int) float64 { return uniform(k*n+e%n, 1, 0, 1) })
		},
	}
}
