package main

import (
	"heddle/dsl"
	"heddle/kernel"
)

// Scale multiplies every element of v by f: one thread for each element.
func Scale(v []float32, f float32) {
	if i := dsl.GlobalIdx().X; i < len(v) {
		v[i] *= f
	}
}

// SumAtomic adds up in: every thread adds its element to the total.
func SumAtomic(in []int32, total *int32) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		dsl.AtomicAdd(total, in[i])
	}
}

// threads is how many threads a block of the sums has.
const threads = 256

// SumShared adds up in: every block adds up its elements in shared memory, halving the
// number of threads that add, and one of its threads adds the result to the total.
func SumShared(in []int32, total *int32) {
	part := dsl.Shared[[threads]int32]()
	t := dsl.ThreadIdx().X
	part[t] = 0
	if i := dsl.GlobalIdx().X; i < len(in) {
		part[t] = in[i]
	}
	dsl.SyncThreads()
	for d := threads / 2; d > 0; d /= 2 {
		if t < d {
			part[t] += part[t+d]
		}
		dsl.SyncThreads()
	}
	if t == 0 {
		dsl.AtomicAdd(total, part[0])
	}
}

// SumWarps adds up in: every warp adds up its elements in registers, and the block's first
// warp what the warps have.
func SumWarps(in []int32, total *int32) {
	v := int32(0)
	if i := dsl.GlobalIdx().X; i < len(in) {
		v = in[i]
	}
	addBlock(v, total)
}

// SumStride adds up in: a grid of any size does, as each thread takes many elements.
func SumStride(in []int32, total *int32) {
	v := int32(0)
	for i := dsl.GlobalIdx().X; i < len(in); i += dsl.GlobalSize().X {
		v += in[i]
	}
	addBlock(v, total)
}

// addBlock adds to the total the sum of v over the block.
func addBlock(v int32, total *int32) {
	v = warpSum(v)
	part := dsl.Shared[[32]int32]()
	if dsl.LaneID() == 0 {
		part[dsl.WarpID()] = v
	}
	dsl.SyncThreads()
	if dsl.WarpID() == 0 {
		v = 0
		if dsl.LaneID() < dsl.BlockDim().X/dsl.WarpSize() {
			v = part[dsl.LaneID()]
		}
		if v = warpSum(v); dsl.LaneID() == 0 {
			dsl.AtomicAdd(total, v)
		}
	}
}

// warpSum returns in lane 0 the sum of v over the warp.
func warpSum(v int32) int32 {
	for d := dsl.WarpSize() / 2; d > 0; d /= 2 {
		v += dsl.ShflDown(v, d)
	}
	return v
}

// Reduce combines all elements of in, and *total, by an operation that does not depend on
// their order.
func Reduce[T dsl.Shuffleable, O Op[T]](in []T, total *T) {
	var op O
	v := op.Zero()
	for i := dsl.GlobalIdx().X; i < len(in); i += dsl.GlobalSize().X {
		v = op.Of(v, in[i])
	}
	v = dsl.BlockReduce(v, op.Of)
	if dsl.ThreadIdx().X == 0 {
		op.Into(total, v)
	}
}

// An Op is what a Reduce combines by.
type Op[T any] interface {
	Zero() T            // what combines with any x to x
	Of(x, y T) T        // x and y combined
	Into(total *T, v T) // the same, atomically in memory
}

// Sum is the Op of a sum.
type Sum struct{}

func (Sum) Zero() int32                { return 0 }
func (Sum) Of(x, y int32) int32        { return x + y }
func (Sum) Into(total *int32, v int32) { dsl.AtomicAdd(total, v) }

// Max is the Op of a greatest element.
type Max struct{}

func (Max) Zero() int32                { return -1 << 31 }
func (Max) Of(x, y int32) int32        { return max(x, y) }
func (Max) Into(total *int32, v int32) { dsl.AtomicMax(total, v) }

var scale = kernel.New(Scale)

// A step is a version of the sum, and whether a thread of it takes many elements.
type step struct {
	name    string
	kernel  *kernel.Kernel
	strided bool
}

var steps = []step{
	{"SumAtomic", kernel.New(SumAtomic), false},
	{"SumShared", kernel.New(SumShared), false},
	{"SumWarps", kernel.New(SumWarps), false},
	{"SumStride", kernel.New(SumStride), true},
	{"Reduce", kernel.New(Reduce[int32, Sum]), true},
}

var greatest = kernel.New(Reduce[int32, Max])
