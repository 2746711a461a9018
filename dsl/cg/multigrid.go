package cg

import "heddle/dsl"

// A MultiGrid is all threads of several launches, on one device or on several, that run at the
// same time (HIP multi_grid_group). The launches are cooperative and of the same shape.
type MultiGrid struct {
	grid        Grid
	barrier     *GridBarrier
	rank, grids int
}

// ThisMultiGrid is the group of grids launches, of which the caller's is number rank (HIP
// this_multi_grid, which learns both from the launch). own is the barrier of the caller's launch,
// as [ThisGrid] has it; all is that of all launches, in memory that all their devices see: a
// device variable of dsl.NewManaged.
func ThisMultiGrid(own, all *GridBarrier, rank, grids int) MultiGrid {
	return MultiGrid{ThisGrid(own), all, rank, grids}
}

// Size is how many threads the group has (HIP size).
func (g MultiGrid) Size() int { return g.grids * g.grid.Size() }

// ThreadRank is the caller's number in the group (HIP thread_rank): grids one after the other.
func (g MultiGrid) ThreadRank() int { return g.rank*g.grid.Size() + g.grid.ThreadRank() }

// NumGrids is how many grids the group has (HIP num_grids).
func (g MultiGrid) NumGrids() int { return g.grids }

// GridRank is the number of the caller's grid in the group (HIP grid_rank).
func (g MultiGrid) GridRank() int { return g.rank }

// IsValid reports whether the group has both barriers (HIP is_valid).
func (g MultiGrid) IsValid() bool { return g.grid.IsValid() && g.barrier != nil }

// Sync waits for all threads of the group (HIP sync); then they see each other's writes to memory that
// their devices share. Every thread must make the call.
func (g MultiGrid) Sync() {
	g.grid.Sync()
	if g.grid.ThreadRank() == 0 {
		add := uint32(1)
		if g.rank == 0 {
			add = flips - uint32(g.grids-1)
		}
		dsl.ThreadFenceSystem()
		old := dsl.AtomicAddSystem(&g.barrier.arrived, add)
		for (old^dsl.AtomicAddSystem(&g.barrier.arrived, 0))&flips == 0 {
		}
		dsl.ThreadFenceSystem()
	}
	g.grid.Sync()
}
