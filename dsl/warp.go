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

// ActiveMask returns the mask of the active lanes (HIP __activemask): those that came to the
// call by the same branches, in the same iteration of each loop. An NVIDIA GPU may part them
// further below a break or a return that stands within an if, as CUDA's __activemask may
// everywhere.
func ActiveMask() uint64 {
	_, active := simt.Running("ActiveMask").Vote("ActiveMask", true, false, 0)
	return active
}

// shuffle is the simulator's side of all shuffles.
func shuffle[T Shuffleable](fn string, from simt.Result, v T, arg, width int, sync bool, mask uint64) T {
	t := simt.Running(fn)
	if width == wholeWarp {
		width = t.WarpSize()
	}
	t.CheckWidth(fn, width)
	bits, _ := t.Together(fn, from, bitsOf(v), arg, width, sync, mask)
	return *(*T)(unsafe.Pointer(&bits))
}

// bitsOf are the bits of a number of at most 64.
func bitsOf[T any](v T) (bits uint64) {
	*(*T)(unsafe.Pointer(&bits)) = v
	return bits
}
