package prim_test

import (
	"testing"

	"heddle/launch"
	"heddle/prim"
)

// timed runs a benchmark on cpu, and on CUDA where there is a device, with two buffers.
func timed(b *testing.B, n int, call func(s *launch.Stream, out, in *launch.Buffer[float32]) error) {
	for _, name := range []string{"cpu", "cuda"} {
		b.Run(name, func(b *testing.B) {
			dev, err := launch.Open(name)
			if err != nil {
				b.Skip(err)
			}
			defer dev.Close()
			in, err := launch.Alloc[float32](dev, n)
			if err != nil {
				b.Fatal(err)
			}
			out, err := launch.Alloc[float32](dev, n)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := call(dev.Stream(), out, in); err != nil {
					b.Fatal(err)
				}
			}
			if err := dev.Sync(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkCall is what a call costs the host: a reduction of one element, in one launch.
func BenchmarkCall(b *testing.B) {
	timed(b, 1, func(s *launch.Stream, out, in *launch.Buffer[float32]) error {
		return prim.Reduce(s, out, in, 0, prim.Add[float32])
	})
}

// BenchmarkTransformCall is likewise a transformation of few elements.
func BenchmarkTransformCall(b *testing.B) {
	timed(b, 1<<10, func(s *launch.Stream, out, in *launch.Buffer[float32]) error {
		return prim.Transform(s, out, in, func(x float32) float32 { return 2*x + 1 })
	})
}
