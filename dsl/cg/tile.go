package cg

import "heddle/dsl"

// A Size is the size of tiles as a type: Size1 to Size64, or any type of no size with
// such a method.
type Size interface{ Threads() int }

// The sizes of tiles. Warps of 32 lanes have no tile of 64.
type (
	Size1  struct{}
	Size2  struct{}
	Size4  struct{}
	Size8  struct{}
	Size16 struct{}
	Size32 struct{}
	Size64 struct{}
)

// Threads is 1 (HIP thread_block_tile<1>).
func (Size1) Threads() int { return 1 }

// Threads is 2 (HIP thread_block_tile<2>).
func (Size2) Threads() int { return 2 }

// Threads is 4 (HIP thread_block_tile<4>).
func (Size4) Threads() int { return 4 }

// Threads is 8 (HIP thread_block_tile<8>).
func (Size8) Threads() int { return 8 }

// Threads is 16 (HIP thread_block_tile<16>).
func (Size16) Threads() int { return 16 }

// Threads is 32 (HIP thread_block_tile<32>).
func (Size32) Threads() int { return 32 }

// Threads is 64 (HIP thread_block_tile<64>).
func (Size64) Threads() int { return 64 }

// A Tile is as many lanes as S says, one of the equal parts of another group (HIP
// thread_block_tile).
type Tile[S Size] struct{ of part }

// A DynamicTile is a tile whose size is known at run time (HIP's thread_group of
// tiled_partition(group, size)).
type DynamicTile struct {
	size int
	of   part
}

// A part is the place of a group among those that another one was parted in.
type part struct{ rank, count int }

// A Parent is what can be parted in tiles: a [Block], or a tile.
type Parent interface {
	Group
	// parts is the place of the caller's tile of a size, among all of this group.
	parts(size int) part
}

// TiledPartition parts a group in tiles of neighbouring threads (HIP
// tiled_partition<N>). The size is a power of two, at most the warp size and the group's;
// any other one is a panic. In a block whose size is no multiple of it, the last tile
// lacks threads: shuffles from those are undefined, reductions and scans leave them out.
func TiledPartition[S Size, P Parent](group P) Tile[S] {
	var s S
	checkSize(s.Threads())
	return Tile[S]{group.parts(s.Threads())}
}

// TiledPartitionOf is [TiledPartition] of a size known at run time (HIP
// tiled_partition(group, size)).
func TiledPartitionOf[P Parent](group P, size int) DynamicTile {
	checkSize(size)
	return DynamicTile{size, group.parts(size)}
}

func checkSize(n int) {
	if n < 1 || n > dsl.WarpSize() || n&(n-1) != 0 {
		panic("cg: the size of a tile is not a power of two up to the warp size")
	}
}

func (b Block) parts(size int) part {
	return part{b.ThreadRank() / size, (b.Size() + size - 1) / size}
}

func (t Tile[S]) parts(size int) part { return partsOf(t.Size(), size) }

func (t DynamicTile) parts(size int) part { return partsOf(t.size, size) }

func partsOf(all, size int) part {
	if size > all {
		panic("cg: a tile cannot be larger than the tile that it is a part of")
	}
	return part{dsl.LaneID() % all / size, all / size}
}

// Size is how many threads the tile has (HIP size).
func (Tile[S]) Size() int {
	var s S
	return s.Threads()
}

// ThreadRank is the caller's number in the tile (HIP thread_rank).
func (t Tile[S]) ThreadRank() int { return dsl.LaneID() & (t.Size() - 1) }

// Sync waits for the threads of the tile (HIP sync).
func (t Tile[S]) Sync() { dsl.SyncWarpMask(t.lanes()) }

// IsValid is true (HIP is_valid).
func (Tile[S]) IsValid() bool { return true }

// MetaGroupRank is the tile's number among those of the group that was parted (HIP
// meta_group_rank).
func (t Tile[S]) MetaGroupRank() int { return t.of.rank }

// MetaGroupSize is how many tiles the group was parted in (HIP meta_group_size).
func (t Tile[S]) MetaGroupSize() int { return t.of.count }

func (t Tile[S]) lanes() uint64 { return tileLanes(t.Size()) }
func (t Tile[S]) run() int      { return t.Size() }

// Size is how many threads the tile has (HIP size).
func (t DynamicTile) Size() int { return t.size }

// ThreadRank is the caller's number in the tile (HIP thread_rank).
func (t DynamicTile) ThreadRank() int { return dsl.LaneID() & (t.size - 1) }

// Sync waits for the threads of the tile (HIP sync).
func (t DynamicTile) Sync() { dsl.SyncWarpMask(t.lanes()) }

// IsValid reports whether the tile was made by [TiledPartitionOf] (HIP is_valid).
func (t DynamicTile) IsValid() bool { return t.size > 0 }

// MetaGroupRank is the tile's number among those of the group that was parted (HIP
// meta_group_rank).
func (t DynamicTile) MetaGroupRank() int { return t.of.rank }

// MetaGroupSize is how many tiles the group was parted in (HIP meta_group_size).
func (t DynamicTile) MetaGroupSize() int { return t.of.count }

func (t DynamicTile) lanes() uint64 { return tileLanes(t.size) }
func (t DynamicTile) run() int      { return t.size }

// tileLanes are the lanes of the caller's tile of a size.
func tileLanes(size int) uint64 {
	return ^uint64(0) >> (64 - uint(size)&127) << (uint(dsl.LaneID()&^(size-1)) & 63)
}
