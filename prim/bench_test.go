package prim_test

import (
	"testing"

	"heddle/launch"
	"heddle/prim"
)

// BenchmarkCall is what a call costs the host: a reduction of one element, in one launch.
func BenchmarkCall(b *testing.B) {
	dev, err := launch.Open("cpu")
	if err != nil {
		b.Skip(err)
	}
	defer dev.Close()
	in, err := launch.Alloc[float32](dev, 1)
	if err != nil {
		b.Fatal(err)
	}
	out, err := launch.Alloc[float32](dev, 1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := prim.Reduce(dev.Stream(), out, in, 0, prim.Add[float32]); err != nil {
			b.Fatal(err)
		}
	}
	if err := dev.Sync(); err != nil {
		b.Fatal(err)
	}
}
