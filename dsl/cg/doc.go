// Package cg has cooperative groups: the threads of a kernel that do something together,
// as values (HIP's namespace cooperative_groups). It is plain Go on top of package dsl: a
// kernel imports both.
//
//	block := cg.ThisThreadBlock()
//	tile := cg.TiledPartition[cg.Size16](block)
//	sum := cg.Reduce(tile, v, func(x, y float32) float32 { return x + y })
//	if tile.ThreadRank() == 0 {
//		out[tile.MetaGroupRank()] = sum
//	}
//	block.Sync()
//
// A [Block] is all threads of a block. The others are lanes of one warp, and exchange
// values: a [Tile] of a size that a type argument says, a [DynamicTile] of a size known at
// run time, and [Coalesced] threads, the lanes that came to a place together. C++ has
// methods for that; Go's methods have no type parameters, so here functions take the group
// first: Shfl(tile, v, 3).
package cg
