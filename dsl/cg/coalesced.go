package cg

import (
	"math/bits"

	"heddle/dsl"
)

// A Coalesced group is some lanes of a warp, in their order (HIP coalesced_group).
type Coalesced struct {
	mask uint64
	of   part
}

// CoalescedThreads is the lanes that are active at the call, as [dsl.ActiveMask] says (HIP
// coalesced_threads).
func CoalescedThreads() Coalesced { return Coalesced{dsl.ActiveMask(), part{0, 1}} }

// Size is how many threads the group has (HIP size).
func (c Coalesced) Size() int { return bits.OnesCount64(c.mask) }

// ThreadRank is the caller's number in the group (HIP thread_rank).
func (c Coalesced) ThreadRank() int { return bits.OnesCount64(c.mask & below(dsl.LaneID())) }

// Sync waits for the threads of the group (HIP sync).
func (c Coalesced) Sync() { dsl.SyncWarpMask(c.mask) }

// IsValid reports whether the caller is in the group (HIP is_valid): no thread is in the zero value.
func (c Coalesced) IsValid() bool { return c.mask&bit(dsl.LaneID()) != 0 }

// MetaGroupRank is the group's number among those of the group that was parted, in the
// order of their first threads: 0 for one that was not made by a partition (HIP
// meta_group_rank).
func (c Coalesced) MetaGroupRank() int { return c.of.rank }

// MetaGroupSize is how many groups the group was parted in (HIP meta_group_size).
func (c Coalesced) MetaGroupSize() int { return c.of.count }

// Mask is the mask of the group's lanes, as warp functions take it.
func (c Coalesced) Mask() uint64 { return c.mask }

func (c Coalesced) lanes() uint64 { return c.mask }
func (c Coalesced) run() int      { return 0 }

// LabeledPartition parts a group by labels: the threads with one label are one group, in
// their order (HIP labeled_partition). All threads of the group make the call.
func LabeledPartition[G Warp, L dsl.AnyInteger](group G, label L) Coalesced {
	lanes := group.lanes()
	mine := dsl.MatchAnySync(lanes, label)
	first := bits.TrailingZeros64(mine) == dsl.LaneID()
	firsts := dsl.BallotSync(lanes, first)
	return Coalesced{mine, part{
		bits.OnesCount64(firsts & below(bits.TrailingZeros64(mine))), bits.OnesCount64(firsts),
	}}
}

// BinaryPartition parts a group in the threads for which p is true and those for which it
// is false (HIP binary_partition). Those for which it is true are the second group.
func BinaryPartition[G Warp](group G, p bool) Coalesced {
	lanes := group.lanes()
	live, yes := dsl.BallotSync(lanes, true), dsl.BallotSync(lanes, p)
	if p {
		return Coalesced{yes, part{1, 2}}
	}
	return Coalesced{live &^ yes, part{0, 2}}
}

// TileCoalesced parts a coalesced group in groups of size threads, the last with those
// that remain (HIP tiled_partition(coalesced_group, size)). A size below 1 is a panic.
func TileCoalesced(c Coalesced, size int) Coalesced {
	if size < 1 {
		panic("cg: the size of a tile is not positive")
	}
	n, rank := c.Size(), c.ThreadRank()/size
	from := laneOf(c.mask, rank*size)
	mask := c.mask &^ below(from)
	if next := (rank + 1) * size; next < n {
		mask &= below(laneOf(c.mask, next))
	}
	return Coalesced{mask, part{rank, (n + size - 1) / size}}
}

// laneOf is the lane that is number rank of a mask, counted from 0; the warp has no such
// lane if the mask has none.
func laneOf(mask uint64, rank int) int {
	lane := 0
	for half := 32; half > 0; half /= 2 {
		n := bits.OnesCount64(mask >> uint(lane) & below(half))
		if rank >= n {
			rank -= n
			lane += half
		}
	}
	return lane
}

// ranksOf are the lanes of a set as the group's mask numbers them.
func ranksOf(mask, set uint64) (ranks uint64) {
	for i := 0; mask != 0; i++ {
		if set&mask&-mask != 0 {
			ranks |= bit(i)
		}
		mask &= mask - 1
	}
	return ranks
}
