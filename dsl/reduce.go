package dsl

import "math/bits"

// WarpReduce combines v of all active lanes by op, which must not depend on the order of
// its arguments, nor on how a sum of several is grouped; every lane gets the result. All
// lanes get the same bits of a float (HIP hipcub::WarpReduce).
func WarpReduce[T Shuffleable](v T, op func(x, y T) T) T {
	return WarpReduceSync(ActiveMask(), v, op)
}

// WarpReduceSync is [WarpReduce] among the lanes of mask (HIP hipcub::WarpReduce).
func WarpReduceSync[T Shuffleable](mask uint64, v T, op func(x, y T) T) T {
	live := BallotSync(mask, true)
	if live != fullWarp() {
		v = scanSome(live, v, op)
		return ShflSync(live, v, bits.Len64(live)-1)
	}
	// Distances of one less than a power of two do as well as that where the lanes in
	// between have the same already, and AMD GPUs mirror lanes in an addition.
	v = op(v, ShflXorSync(fullMask, v, 1))
	v = op(v, ShflXorSync(fullMask, v, 2))
	v = op(v, ShflXorSync(fullMask, v, 7))
	v = op(v, ShflXorSync(fullMask, v, 15))
	if WarpSize() == 32 {
		return op(v, ShflXorSync(fullMask, v, 16))
	}
	low := op(ShflSync(fullMask, v, 0), ShflSync(fullMask, v, 16))
	return op(low, op(ShflSync(fullMask, v, 32), ShflSync(fullMask, v, 48)))
}

// WarpInclusiveScan combines v of the active lanes up to the caller's, in their order, by
// op. op need not be commutative, but how several are grouped must not matter (HIP hipcub::WarpScan).
func WarpInclusiveScan[T Shuffleable](v T, op func(x, y T) T) T {
	return WarpInclusiveScanSync(ActiveMask(), v, op)
}

// WarpInclusiveScanSync is [WarpInclusiveScan] among the lanes of mask (HIP hipcub::WarpScan).
func WarpInclusiveScanSync[T Shuffleable](mask uint64, v T, op func(x, y T) T) T {
	live := BallotSync(mask, true)
	if live != fullWarp() {
		return scanSome(live, v, op)
	}
	return scanWarp(v, op)
}

// WarpExclusiveScan combines v of the active lanes before the caller's, in their order, by
// op, as [WarpInclusiveScan] does. The first lane gets first (HIP hipcub::WarpScan).
func WarpExclusiveScan[T Shuffleable](v, first T, op func(x, y T) T) T {
	return WarpExclusiveScanSync(ActiveMask(), v, first, op)
}

// WarpExclusiveScanSync is [WarpExclusiveScan] among the lanes of mask (HIP hipcub::WarpScan).
func WarpExclusiveScanSync[T Shuffleable](mask uint64, v, first T, op func(x, y T) T) T {
	live := BallotSync(mask, true)
	if live != fullWarp() {
		v = scanSome(live, v, op)
		before := laneBefore(live)
		if v = ShflSync(live, v, max(before, 0)); before < 0 {
			return first
		}
		return v
	}
	v = ShflUpSync(fullMask, scanWarp(v, op), 1)
	if LaneID() == 0 {
		return first
	}
	return v
}

// fullWarp is the mask of all lanes of a full warp.
func fullWarp() uint64 { return fullMask >> (64 - WarpSize()) }

// laneBefore is the lane of the mask that comes before the caller's, -1 if there is none.
func laneBefore(mask uint64) int { return bits.Len64(mask&(1<<LaneID()-1)) - 1 }

// scanWarp is an inclusive scan of a full warp: in rows of 16 lanes first, within which
// AMD GPUs shift lanes in an addition.
func scanWarp[T Shuffleable](v T, op func(x, y T) T) T {
	lane := LaneID()
	if x := ShflUpSyncWidth(fullMask, v, 1, 16); lane&15 >= 1 {
		v = op(x, v)
	}
	if x := ShflUpSyncWidth(fullMask, v, 2, 16); lane&15 >= 2 {
		v = op(x, v)
	}
	if x := ShflUpSyncWidth(fullMask, v, 4, 16); lane&15 >= 4 {
		v = op(x, v)
	}
	if x := ShflUpSyncWidth(fullMask, v, 8, 16); lane&15 >= 8 {
		v = op(x, v)
	}
	if x := ShflSyncWidth(fullMask, v, 15, 32); lane&16 != 0 {
		v = op(x, v)
	}
	if WarpSize() == 64 {
		if x := ShflSync(fullMask, v, 31); lane >= 32 {
			v = op(x, v)
		}
	}
	return v
}

// scanSome is an inclusive scan of the lanes of a mask, all of which are there. Each lane
// has the result of a run of lanes that ends with it, and knows the lane before that run.
func scanSome[T Shuffleable](live uint64, v T, op func(x, y T) T) T {
	before := int32(laneBefore(live))
	for n := bits.OnesCount64(live) - 1; n > 0; n /= 2 {
		from := int(max(before, 0))
		x, further := ShflSync(live, v, from), ShflSync(live, before, from)
		if before >= 0 {
			v, before = op(x, v), further
		}
	}
	return v
}
