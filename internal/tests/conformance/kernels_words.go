package conformance

import (
	"math/bits"

	"heddle/dsl"
	"heddle/dsl/cg"
	"heddle/kernel"
	"heddle/launch"
)

// What other cases have no call of.

// times reads both clocks before and after some work: none goes backwards.
func times(out []uint64, late []int64) {
	i := dsl.GlobalIdx().X
	c, w := dsl.Clock64(), dsl.WallClock64()
	n := out[i]
	for range 50 {
		n = n*6364136223846793005 + 1442695040888963407
	}
	out[i] = n
	dsl.ThreadFence()
	late[2*i], late[2*i+1] = dsl.Clock64()-c, dsl.WallClock64()-w
}

func timesCase() Case {
	k := kernel.New(times)
	return Case{"timer/clocks", "timers", []*kernel.Kernel{k}, func(t *T) {
		late := alloc[int64](t, 2*96)
		t.run(k, launch.Linear(96, 96), alloc[uint64](t, 96), late)
		for i, n := range download(t, late) {
			if i%2 == 0 && n < 0 {
				n += 1 << 20 // AMD's counter of cycles has 20 bits from gfx11 on, and begins again
			}
			if n < 0 || n > 1e12 {
				t.Errorf("clock %d of thread %d: %d later", i%2, i/2, n)
			}
		}
	}}
}

// sizesOfTiles adds up ranks in tiles of each size, and in the lanes of some of a warp.
func sizesOfTiles(out []int) {
	b := cg.ThisThreadBlock()
	add := func(x, y int) int { return x + y }
	n := 0
	t2, t8 := cg.TiledPartition[cg.Size2](b), cg.TiledPartition[cg.Size8](b)
	n += cg.Reduce(t2, t2.ThreadRank()+1, add) + 10*cg.Reduce(t8, t8.ThreadRank(), add)
	if dsl.WarpSize() == 64 {
		t64 := cg.TiledPartition[cg.Size64](b)
		n += 10000 * (cg.Reduce(t64, 1, add) - 64)
	}
	n += 1000 * (dsl.WarpReduce(dsl.LaneID(), func(x, y int) int { return max(x, y) }) - dsl.WarpSize() + 1)
	i := dsl.GlobalIdx().X
	if i%4 == 1 {
		n += 100000 * bits.OnesCount64(cg.CoalescedThreads().Mask())
	}
	out[i] = n
}

func sizesOfTilesCase() Case {
	k := kernel.New(sizesOfTiles)
	return Case{"cg/sizes", "tiled_partition", []*kernel.Kernel{k}, func(t *T) {
		out := alloc[int](t, 128)
		t.run(k, launch.Linear(128, 128), out)
		same(t, download(t, out), filled(128, func(i int) int {
			n := 3 + 280
			if i%4 == 1 {
				n += 100000 * t.warp() / 4
			}
			return n
		}))
	}}
}

func wordCases() []Case { return []Case{timesCase(), sizesOfTilesCase()} }
