package dsl

import (
	"math"
	"unsafe"

	"heddle/internal/simt"
)

// Shuffleable is the types whose values lanes exchange: integers and floats of
// 32 and 64 bits.
type Shuffleable interface {
	~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64 | ~float32 | ~float64
}

// fullMask names every lane at either warp size.
const fullMask = ^uint64(0)

// wholeWarp as a shuffle's width stands for the warp size.
const wholeWarp = math.MinInt

// Ballot returns the mask of the active lanes for which p is true (HIP __ballot).
func Ballot(p bool) uint64 {
	b, _ := simt.Running("Ballot").Vote("Ballot", p, false, 0)
	return b
}

// BallotSync is [Ballot] among the lanes of mask (HIP __ballot_sync).
func BallotSync(mask uint64, p bool) uint64 {
	b, _ := simt.Running("BallotSync").Vote("BallotSync", p, true, mask)
	return b
}

// Any reports whether p is true for some active lane (HIP __any).
func Any(p bool) bool {
	b, _ := simt.Running("Any").Vote("Any", p, false, 0)
	return b != 0
}

// AnySync is [Any] among the lanes of mask (HIP __any_sync).
func AnySync(mask uint64, p bool) bool {
	b, _ := simt.Running("AnySync").Vote("AnySync", p, true, mask)
	return b != 0
}

// All reports whether p is true for every active lane (HIP __all).
func All(p bool) bool {
	b, active := simt.Running("All").Vote("All", p, false, 0)
	return b == active
}

// AllSync is [All] among the lanes of mask (HIP __all_sync).
func AllSync(mask uint64, p bool) bool {
	b, active := simt.Running("AllSync").Vote("AllSync", p, true, mask)
	return b == active
}

// ActiveMask returns the mask of the active lanes (HIP __activemask): those that came to the
// call by the same branches, in the same iteration of each loop. An NVIDIA GPU may part them
// further below a break or a return that stands within an if, as CUDA's __activemask may
// everywhere.
func ActiveMask() uint64 {
	_, active := simt.Running("ActiveMask").Vote("ActiveMask", true, false, 0)
	return active
}

// Shfl returns v of lane, taken modulo [WarpSize] (HIP __shfl).
func Shfl[T Shuffleable](v T, lane int) T {
	return shuffle("Shfl", simt.Shfl, v, lane, wholeWarp, false, 0)
}

// ShflWidth is [Shfl] within each run of width lanes: lane is taken modulo
// width and counts from the start of the caller's run. width is a power of two
// up to [WarpSize] (HIP __shfl with a width).
func ShflWidth[T Shuffleable](v T, lane, width int) T {
	return shuffle("ShflWidth", simt.Shfl, v, lane, width, false, 0)
}

// ShflSync is [Shfl] among the lanes of mask (HIP __shfl_sync).
func ShflSync[T Shuffleable](mask uint64, v T, lane int) T {
	return shuffle("ShflSync", simt.Shfl, v, lane, wholeWarp, true, mask)
}

// ShflSyncWidth is [ShflWidth] among the lanes of mask (HIP __shfl_sync with a width).
func ShflSyncWidth[T Shuffleable](mask uint64, v T, lane, width int) T {
	return shuffle("ShflSyncWidth", simt.Shfl, v, lane, width, true, mask)
}

// ShflUp returns v of the lane that is delta lanes below, or the caller's own v
// where there is none (HIP __shfl_up).
func ShflUp[T Shuffleable](v T, delta int) T {
	return shuffle("ShflUp", simt.ShflUp, v, delta, wholeWarp, false, 0)
}

// ShflUpWidth is [ShflUp] within each run of width lanes, a power of two up to
// [WarpSize] (HIP __shfl_up with a width).
func ShflUpWidth[T Shuffleable](v T, delta, width int) T {
	return shuffle("ShflUpWidth", simt.ShflUp, v, delta, width, false, 0)
}

// ShflUpSync is [ShflUp] among the lanes of mask (HIP __shfl_up_sync).
func ShflUpSync[T Shuffleable](mask uint64, v T, delta int) T {
	return shuffle("ShflUpSync", simt.ShflUp, v, delta, wholeWarp, true, mask)
}

// ShflUpSyncWidth is [ShflUpWidth] among the lanes of mask (HIP __shfl_up_sync with a width).
func ShflUpSyncWidth[T Shuffleable](mask uint64, v T, delta, width int) T {
	return shuffle("ShflUpSyncWidth", simt.ShflUp, v, delta, width, true, mask)
}

// ShflDown returns v of the lane that is delta lanes above, or the caller's own
// v where that lies beyond [WarpSize] (HIP __shfl_down).
func ShflDown[T Shuffleable](v T, delta int) T {
	return shuffle("ShflDown", simt.ShflDown, v, delta, wholeWarp, false, 0)
}

// ShflDownWidth is [ShflDown] within each run of width lanes, a power of two up
// to [WarpSize] (HIP __shfl_down with a width).
func ShflDownWidth[T Shuffleable](v T, delta, width int) T {
	return shuffle("ShflDownWidth", simt.ShflDown, v, delta, width, false, 0)
}

// ShflDownSync is [ShflDown] among the lanes of mask (HIP __shfl_down_sync).
func ShflDownSync[T Shuffleable](mask uint64, v T, delta int) T {
	return shuffle("ShflDownSync", simt.ShflDown, v, delta, wholeWarp, true, mask)
}

// ShflDownSyncWidth is [ShflDownWidth] among the lanes of mask (HIP
// __shfl_down_sync with a width).
func ShflDownSyncWidth[T Shuffleable](mask uint64, v T, delta, width int) T {
	return shuffle("ShflDownSyncWidth", simt.ShflDown, v, delta, width, true, mask)
}

// ShflXor returns v of the lane whose number is the caller's XOR laneMask, or
// the caller's own v where that lies beyond [WarpSize] (HIP __shfl_xor).
func ShflXor[T Shuffleable](v T, laneMask int) T {
	return shuffle("ShflXor", simt.ShflXor, v, laneMask, wholeWarp, false, 0)
}

// ShflXorWidth is [ShflXor] with runs of width lanes, a power of two up to
// [WarpSize]: a lane of an earlier run can be read, one of a later run gives the
// caller's own v (HIP __shfl_xor with a width).
func ShflXorWidth[T Shuffleable](v T, laneMask, width int) T {
	return shuffle("ShflXorWidth", simt.ShflXor, v, laneMask, width, false, 0)
}

// ShflXorSync is [ShflXor] among the lanes of mask (HIP __shfl_xor_sync).
func ShflXorSync[T Shuffleable](mask uint64, v T, laneMask int) T {
	return shuffle("ShflXorSync", simt.ShflXor, v, laneMask, wholeWarp, true, mask)
}

// ShflXorSyncWidth is [ShflXorWidth] among the lanes of mask (HIP
// __shfl_xor_sync with a width).
func ShflXorSyncWidth[T Shuffleable](mask uint64, v T, laneMask, width int) T {
	return shuffle("ShflXorSyncWidth", simt.ShflXor, v, laneMask, width, true, mask)
}

// shuffle is the simulator's side of all shuffles.
func shuffle[T Shuffleable](fn string, from simt.Result, v T, arg, width int, sync bool, mask uint64) T {
	t := simt.Running(fn)
	if width == wholeWarp {
		width = t.WarpSize()
	}
	var bits uint64
	*(*T)(unsafe.Pointer(&bits)) = v
	t.CheckWidth(fn, width)
	bits, _ = t.Together(fn, from, bits, arg, width, sync, mask)
	return *(*T)(unsafe.Pointer(&bits))
}
