package cg

import "heddle/dsl"

// A Grid is all threads of a launch (HIP grid_group).
type Grid struct{ barrier *GridBarrier }

// A GridBarrier is where the blocks of a grid meet: memory of the device, which the
// program allocates (launch.Alloc[cg.GridBarrier]) and passes to the kernel. A zero one is
// ready, and so is one that launches have used and ended; launches at the same time need
// one each.
type GridBarrier struct {
	// arrived counts the blocks in the lower bits. The first block adds what makes the
	// upper bit flip when all have come, which leaves the lower bits 0.
	arrived uint32
}

// flips is the upper bit of GridBarrier.arrived.
const flips = 1 << 31

// ThisGrid is the caller's grid (HIP this_grid). [Grid.Sync] needs the barrier, and a
// launch with launch.Config.Cooperative set; without Sync the barrier may be nil.
func ThisGrid(barrier *GridBarrier) Grid { return Grid{barrier} }

// Size is how many threads the grid has (HIP size).
func (g Grid) Size() int { return g.NumBlocks() * ThisThreadBlock().Size() }

// ThreadRank is the caller's number in the grid (HIP thread_rank): blocks one after the other.
func (g Grid) ThreadRank() int {
	b := ThisThreadBlock()
	return g.BlockRank()*b.Size() + b.ThreadRank()
}

// NumBlocks is how many blocks the grid has (HIP num_blocks).
func (Grid) NumBlocks() int {
	d := dsl.GridDim()
	return d.X * d.Y * d.Z
}

// BlockRank is the number of the caller's block in the grid: x runs fastest, then y (HIP
// block_rank).
func (Grid) BlockRank() int {
	d, i := dsl.GridDim(), dsl.BlockIdx()
	return (i.Z*d.Y+i.Y)*d.X + i.X
}

// GroupDim is the grid's extents, in blocks (HIP group_dim, dim_blocks).
func (Grid) GroupDim() dsl.Dim3 { return dsl.GridDim() }

// IsValid reports whether the grid has a barrier (HIP is_valid).
func (g Grid) IsValid() bool { return g.barrier != nil }

// Sync waits for all threads of the grid (HIP sync); then they see each other's writes. Every thread
// must make the call. In a launch that is not cooperative it may wait for ever.
func (g Grid) Sync() {
	dsl.SyncThreads()
	if ThisThreadBlock().ThreadRank() == 0 {
		add := uint32(1)
		if g.BlockRank() == 0 {
			add = flips - uint32(g.NumBlocks()-1)
		}
		dsl.ThreadFence()
		old := dsl.AtomicAdd(&g.barrier.arrived, add)
		for (old^dsl.AtomicAdd(&g.barrier.arrived, 0))&flips == 0 {
		}
		dsl.ThreadFence()
	}
	dsl.SyncThreads()
}
