package dsl

import (
	"fmt"
	"math"
	"unsafe"

	"heddle/internal/simt"
)

// Shuffleable is the types whose values lanes exchange: integers, floats and bools of all
// sizes, and arrays and structs of them of at most 32 bytes and 16 parts. A shuffle of a type
// that is larger, or holds addresses, is an error where the kernel is compiled.
type Shuffleable interface{ comparable }

// maxShuffle is the bytes of the largest value that lanes exchange.
const maxShuffle = 32

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
	if unsafe.Sizeof(v) > 8 {
		return shuffleWords(t, fn, from, v, arg, width, sync, mask)
	}
	if simt.HoldsPointers[T]() {
		panic(fmt.Sprintf("dsl.%s: %T holds addresses", fn, v))
	}
	bits := t.Shuffle(fn, from, bitsOf(v), nil, arg, width, sync, mask)
	return *(*T)(unsafe.Pointer(&bits))
}

// shuffleWords is shuffle for values of more than eight bytes.
func shuffleWords[T Shuffleable](t *simt.Thread, fn string, from simt.Result, v T, arg, width int, sync bool, mask uint64) T {
	if unsafe.Sizeof(v) > maxShuffle || simt.HoldsPointers[T]() {
		panic(fmt.Sprintf("dsl.%s: %T has %d bytes, or holds addresses: want at most %d, without addresses", fn, v, unsafe.Sizeof(v), maxShuffle))
	}
	var all struct {
		first uint64
		more  simt.Words
	}
	*(*T)(unsafe.Pointer(&all)) = v
	all.first = t.Shuffle(fn, from, all.first, &all.more, arg, width, sync, mask)
	return *(*T)(unsafe.Pointer(&all))
}

// bitsOf are the bits of a number of at most 64.
func bitsOf[T any](v T) (bits uint64) {
	*(*T)(unsafe.Pointer(&bits)) = v
	return bits
}
