package prim_test

import (
	"testing"

	"heddle/launch"
	"heddle/prim"
)

func BenchmarkScanSmall(b *testing.B) {
	dev, _ := launch.Open("cpu")
	defer dev.Close()
	in, _ := launch.Alloc[int32](dev, 1000)
	temp, _ := launch.Alloc[byte](dev, 1<<20)
	for b.Loop() {
		if err := prim.InclusiveScan(dev.Stream(), in, in, prim.Add[int32], prim.Options{Temp: temp}); err != nil {
			b.Fatal(err)
		}
		dev.Sync()
	}
}
