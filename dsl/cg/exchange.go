package cg

import (
	"math/bits"

	"heddle/dsl"
)

// Shfl returns v of the thread of a rank, taken modulo the group's size (HIP shfl).
func Shfl[G Warp, T dsl.Shuffleable](group G, v T, rank int) T {
	if n := group.run(); n > 0 {
		return dsl.ShflSyncWidth(group.lanes(), v, rank, n)
	}
	n := group.Size()
	if rank %= n; rank < 0 {
		rank += n
	}
	return dsl.ShflSync(group.lanes(), v, laneOf(group.lanes(), rank))
}

// ShflUp returns v of the thread whose rank is delta lower, or the caller's own where
// there is none (HIP shfl_up).
func ShflUp[G Warp, T dsl.Shuffleable](group G, v T, delta int) T {
	if n := group.run(); n > 0 {
		return dsl.ShflUpSyncWidth(group.lanes(), v, delta, n)
	}
	return ranked(group, v, group.ThreadRank()-delta)
}

// ShflDown returns v of the thread whose rank is delta higher, or the caller's own where
// there is none (HIP shfl_down).
func ShflDown[G Warp, T dsl.Shuffleable](group G, v T, delta int) T {
	if n := group.run(); n > 0 {
		return dsl.ShflDownSyncWidth(group.lanes(), v, delta, n)
	}
	return ranked(group, v, group.ThreadRank()+delta)
}

// ShflXor returns v of the thread whose rank is the caller's XOR mask, or the caller's
// own where there is none (HIP shfl_xor).
func ShflXor[G Warp, T dsl.Shuffleable](group G, v T, mask int) T {
	if n := group.run(); n > 0 {
		if mask < 0 || mask >= n {
			mask = 0 // no such thread: dsl's would reach into the tiles before
		}
		return dsl.ShflXorSyncWidth(group.lanes(), v, mask, n)
	}
	return ranked(group, v, group.ThreadRank()^mask)
}

// ranked is v of a thread of a group of any lanes, the caller's own if it has no such.
func ranked[G Warp, T dsl.Shuffleable](group G, v T, rank int) T {
	lane := dsl.LaneID()
	if rank >= 0 && rank < group.Size() {
		lane = laneOf(group.lanes(), rank)
	}
	return dsl.ShflSync(group.lanes(), v, lane)
}

// Any reports whether p is true for some thread of the group (HIP any).
func Any[G Warp](group G, p bool) bool { return dsl.BallotSync(group.lanes(), p) != 0 }

// All reports whether p is true for every thread of the group (HIP all).
func All[G Warp](group G, p bool) bool { return dsl.BallotSync(group.lanes(), !p) == 0 }

// Ballot returns the mask of the threads, by their ranks, for which p is true (HIP ballot).
func Ballot[G Warp](group G, p bool) uint64 { return byRank(group, dsl.BallotSync(group.lanes(), p)) }

// MatchAny returns the mask of the threads, by their ranks, whose v has the same bits as
// the caller's (HIP match_any).
func MatchAny[G Warp, T dsl.Number](group G, v T) uint64 {
	return byRank(group, dsl.MatchAnySync(group.lanes(), v))
}

// MatchAll reports whether v has the same bits in all threads of the group, and returns
// the mask of their ranks then, 0 otherwise (HIP match_all).
func MatchAll[G Warp, T dsl.Number](group G, v T) (mask uint64, same bool) {
	lanes, same := dsl.MatchAllSync(group.lanes(), v)
	return byRank(group, lanes), same
}

// byRank has a bit for each rank, in place of each lane of a set.
func byRank[G Warp](group G, set uint64) uint64 {
	if n := group.run(); n > 0 {
		return set >> (uint(dsl.LaneID()&^(n-1)) & 63)
	}
	return ranksOf(group.lanes(), set)
}

// Reduce combines v of all threads of the group by op, which must not depend on the order
// of its arguments, nor on how a sum of several is grouped; every thread gets the result
// (HIP reduce).
func Reduce[G Warp, T dsl.Shuffleable](group G, v T, op func(x, y T) T) T {
	n, lanes := group.run(), group.lanes()
	if n == 0 || n == dsl.WarpSize() || dsl.BallotSync(lanes, true) != lanes {
		return dsl.WarpReduceSync(lanes, v, op)
	}
	if n > 1 {
		v = op(v, dsl.ShflXorSync(lanes, v, 1))
	}
	if n > 2 {
		v = op(v, dsl.ShflXorSync(lanes, v, 2))
	}
	if n > 4 {
		v = op(v, dsl.ShflXorSync(lanes, v, 7)) // as good as 4: see dsl.WarpReduceSync
	}
	if n > 8 {
		v = op(v, dsl.ShflXorSync(lanes, v, 15))
	}
	if n > 16 {
		v = op(v, dsl.ShflXorSync(lanes, v, 16))
	}
	return v
}

// InclusiveScan combines v of the group's threads up to the caller, in the order of their
// ranks, by op (HIP inclusive_scan). op need not be commutative, but how several are
// grouped must not matter.
func InclusiveScan[G Warp, T dsl.Shuffleable](group G, v T, op func(x, y T) T) T {
	n, lanes := group.run(), group.lanes()
	if n == 0 || n == dsl.WarpSize() || dsl.BallotSync(lanes, true) != lanes {
		return dsl.WarpInclusiveScanSync(lanes, v, op)
	}
	rank := dsl.LaneID() & (n - 1)
	for d := 1; d < n; d *= 2 {
		if x := dsl.ShflUpSyncWidth(lanes, v, d, n); rank >= d {
			v = op(x, v)
		}
	}
	return v
}

// ExclusiveScan combines v of the group's threads before the caller, in the order of
// their ranks, by op, as [InclusiveScan] does (HIP exclusive_scan). The thread of rank 0
// gets first.
func ExclusiveScan[G Warp, T dsl.Shuffleable](group G, v, first T, op func(x, y T) T) T {
	v = InclusiveScan(group, v, op)
	lanes := group.lanes()
	before := bits.Len64(lanes&below(dsl.LaneID())) - 1
	if n := group.run(); n > 0 {
		v = dsl.ShflUpSyncWidth(lanes, v, 1, n)
	} else {
		v = dsl.ShflSync(lanes, v, max(before, 0))
	}
	if before < 0 {
		return first
	}
	return v
}
