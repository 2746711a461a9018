package streams

import (
	"strings"
	"testing"

	"heddle/kernel"
	"heddle/launch"
)

// TestGridThreads launches more threads along an axis than AMD's GPUs have: code for these relies on that.
func TestGridThreads(t *testing.T) {
	k := kernel.New(add)
	devices(t, func(t *testing.T, dev *launch.Device) {
		if !strings.HasPrefix(dev.Name(), "emu:") && !strings.HasPrefix(dev.Name(), "hip:") {
			t.Skip("only AMD's GPUs have such a limit")
		}
		v := must(launch.Upload(dev, []int32{1, 2}))
		for _, c := range []struct {
			grid, block launch.Dim3
			want        string
		}{
			{launch.Dim3{X: 1 << 24}, launch.Dim3{X: 256}, "grid.X*block.X is 4294967296 threads; the limit of " + dev.Name() + " is 4294967295"},
			{launch.Dim3{X: 1<<31 - 1}, launch.Dim3{X: 1024}, "grid.X*block.X is 2199023254528 threads"},
		} {
			fails(t, k.Launch(dev.Stream(), launch.Config{Grid: c.grid, Block: c.block}, v, int32(1)), c.want)
		}
		ok(t, k.Launch(dev.Stream(), launch.Linear(2, 64), v, int32(1)))
		holds(t, v, 2, 3)
	})
}
