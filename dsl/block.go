package dsl

// maxWarps is how many warps a block has at most.
const maxWarps = 1024 / 32

// BlockReduce combines v of all threads of the block by op, which must not depend on the
// order of its arguments, nor on how a sum of several is grouped; every thread gets the
// result. Every thread of the block must make the call, a barrier (HIP hipcub::BlockReduce).
func BlockReduce[T Shuffleable](v T, op func(x, y T) T) T {
	parts := Shared[[maxWarps]T]()
	v = WarpReduceSync(fullMask, v, op)
	if LaneID() == 0 {
		parts[WarpID()] = v
	}
	SyncThreads()
	v = parts[0]
	for w := 1; w < blockWarps(); w++ {
		v = op(v, parts[w])
	}
	SyncThreads() // before parts is used again
	return v
}

// BlockInclusiveScan combines v of the block's threads up to the caller, in their order (x
// runs fastest, then y), by op. op need not be commutative, but how several are grouped
// must not matter. Every thread of the block must make the call, a barrier (HIP hipcub::BlockScan).
func BlockInclusiveScan[T Shuffleable](v T, op func(x, y T) T) T {
	v = WarpInclusiveScanSync(fullMask, v, op)
	if before, ok := warpsBefore(v, op); ok {
		return op(before, v)
	}
	return v
}

// BlockExclusiveScan combines v of the block's threads before the caller, as
// [BlockInclusiveScan] does. The first thread gets first (HIP hipcub::BlockScan).
func BlockExclusiveScan[T Shuffleable](v, first T, op func(x, y T) T) T {
	v = WarpInclusiveScanSync(fullMask, v, op)
	before, ok := warpsBefore(v, op)
	v = ShflUpSync(fullMask, v, 1)
	switch {
	case LaneID() > 0 && ok:
		return op(before, v)
	case LaneID() > 0:
		return v
	case ok:
		return before
	}
	return first
}

// warpsBefore combines the last lanes' v of the warps before the caller's; not ok if
// there are none.
func warpsBefore[T Shuffleable](v T, op func(x, y T) T) (sum T, ok bool) {
	parts := Shared[[maxWarps]T]()
	d, i, warp := BlockDim(), ThreadIdx(), WarpID()
	thread := (i.Z*d.Y+i.Y)*d.X + i.X
	if LaneID() == WarpSize()-1 || thread == d.X*d.Y*d.Z-1 {
		parts[warp] = v
	}
	SyncThreads()
	sum = parts[0]
	for w := 1; w < warp; w++ {
		sum = op(sum, parts[w])
	}
	SyncThreads() // before parts is used again
	return sum, warp > 0
}

// blockWarps is how many warps the block has.
func blockWarps() int {
	d := BlockDim()
	return (d.X*d.Y*d.Z + WarpSize() - 1) / WarpSize()
}
