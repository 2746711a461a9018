package cg

import "heddle/dsl"

// A Group is threads that do something together (HIP thread_group).
type Group interface {
	// Size is how many threads the group has (HIP size, num_threads).
	Size() int
	// ThreadRank is the caller's number in the group, from 0 (HIP thread_rank).
	ThreadRank() int
	// Sync waits for all threads of the group; then they see each other's writes (HIP sync).
	Sync()
	// IsValid reports whether the group has threads, and the caller is one (HIP is_valid).
	IsValid() bool
}

// A Warp is a group of lanes of one warp: [Tile], [DynamicTile] or [Coalesced].
type Warp interface {
	Group
	// lanes is the mask of the group's lanes.
	lanes() uint64
	// run is how many lanes the group has if they are neighbours, a power of two of them
	// from a multiple of it on; 0 if they may be any.
	run() int
}

// A Block is all threads of a block (HIP thread_block).
type Block struct{}

// ThisThreadBlock is the caller's block (HIP this_thread_block).
func ThisThreadBlock() Block { return Block{} }

// Size is how many threads the block has (HIP size).
func (Block) Size() int {
	d := dsl.BlockDim()
	return d.X * d.Y * d.Z
}

// ThreadRank is the caller's number in the block (HIP thread_rank): x runs fastest, then y.
func (Block) ThreadRank() int {
	d, i := dsl.BlockDim(), dsl.ThreadIdx()
	return (i.Z*d.Y+i.Y)*d.X + i.X
}

// Sync is [dsl.SyncThreads] (HIP sync).
func (Block) Sync() { dsl.SyncThreads() }

// IsValid is true (HIP is_valid).
func (Block) IsValid() bool { return true }

// GroupIndex is the block's place in the grid (HIP group_index).
func (Block) GroupIndex() dsl.Dim3 { return dsl.BlockIdx() }

// ThreadIndex is the caller's place in the block (HIP thread_index).
func (Block) ThreadIndex() dsl.Dim3 { return dsl.ThreadIdx() }

// GroupDim is the block's extents, in threads (HIP group_dim, dim_threads).
func (Block) GroupDim() dsl.Dim3 { return dsl.BlockDim() }

// bit is the mask of a lane, below that of all lanes before it.
func bit(lane int) uint64   { return 1 << (uint(lane) & 63) }
func below(lane int) uint64 { return bit(lane) - 1 }
