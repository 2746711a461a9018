package simt_test

import (
	"testing"

	"heddle/dsl"
	"heddle/internal/simt"
)

// grid is 64 blocks of 256 threads.
var grid = simt.Config{Grid: simt.Dim{X: 64, Y: 1, Z: 1}, Block: simt.Dim{X: 256, Y: 1, Z: 1}, WarpSize: 32}

func benchmark(b *testing.B, body func()) {
	b.ReportAllocs()
	for b.Loop() {
		if err := simt.Run(grid, body); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(64*256), "ns/thread")
}

func BenchmarkSaxpy(b *testing.B) {
	x, y := make([]float32, 64*256), make([]float32, 64*256)
	benchmark(b, func() {
		if i := dsl.GlobalIdx().X; i < len(x) {
			y[i] += 2 * x[i]
		}
	})
}

func BenchmarkBarrier(b *testing.B) { benchmark(b, dsl.SyncThreads) }

func BenchmarkShuffle(b *testing.B) { benchmark(b, func() { dsl.Shfl(1, 0) }) }

func BenchmarkWarpSum(b *testing.B) {
	benchmark(b, func() {
		v := dsl.LaneID()
		for d := dsl.WarpSize() / 2; d > 0; d /= 2 {
			v += dsl.ShflDown(v, d)
		}
	})
}

func BenchmarkShared(b *testing.B) { benchmark(b, func() { dsl.Shared[[256]int32]() }) }
