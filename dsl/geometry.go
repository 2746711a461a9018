package dsl

import (
	"heddle/internal/simt"
	"heddle/vector"
)

// Dim3 is three extents or coordinates (HIP dim3).
type Dim3 = vector.Dim3

// ThreadIdx returns the index of the calling thread in its block, each axis
// from 0 to that of [BlockDim] less one (HIP threadIdx).
func ThreadIdx() Dim3 { return Dim3(simt.Running("ThreadIdx").Idx) }

// BlockIdx returns the index of the calling thread's block in the grid, each
// axis from 0 to that of [GridDim] less one (HIP blockIdx).
func BlockIdx() Dim3 { return Dim3(simt.Running("BlockIdx").BlockIdx()) }

// BlockDim returns the number of threads of a block along each axis (HIP blockDim).
func BlockDim() Dim3 { return Dim3(simt.Running("BlockDim").BlockDim()) }

// GridDim returns the number of blocks of the grid along each axis (HIP gridDim).
func GridDim() Dim3 { return Dim3(simt.Running("GridDim").GridDim()) }

// GlobalIdx returns the index of the calling thread in the whole grid, axis by
// axis (HIP's blockIdx * blockDim + threadIdx).
func GlobalIdx() Dim3 {
	t := simt.Running("GlobalIdx")
	b, d := t.BlockIdx(), t.BlockDim()
	return Dim3{X: b.X*d.X + t.Idx.X, Y: b.Y*d.Y + t.Idx.Y, Z: b.Z*d.Z + t.Idx.Z}
}

// GlobalSize returns the number of threads of the whole grid along each axis
// (HIP's gridDim * blockDim). It is the stride of a grid-stride loop.
func GlobalSize() Dim3 {
	t := simt.Running("GlobalSize")
	g, d := t.GridDim(), t.BlockDim()
	return Dim3{X: g.X * d.X, Y: g.Y * d.Y, Z: g.Z * d.Z}
}

// WarpSize returns the number of lanes of a full warp, 32 or 64 (HIP warpSize).
// A compiled kernel has it as a constant.
func WarpSize() int { return simt.Running("WarpSize").WarpSize() }

// LaneID returns the calling thread's number in its warp, from 0 to
// [WarpSize] less one (HIP __lane_id).
func LaneID() int { return simt.Running("LaneID").Lane }

// WarpID returns the number of the calling thread's warp in its block, from 0:
// the thread's number in the block, x running fastest, divided by [WarpSize] (HIP's threadIdx / warpSize).
func WarpID() int { return simt.Running("WarpID").Warp }
