// Package block has the algorithms of one block, for use in any kernel: what CUB's and
// hipCUB's BlockReduce, BlockScan, BlockRadixSort and their like are to C++.
//
// A block has one dimension, and a multiple of 64 threads, which is whole warps at both warp
// sizes. All its threads make each call together. A function that needs shared memory either has some
// of its own, a value for each warp, or is given a slice: its docs say how many elements
// (dsl.SharedSlice, dsl.Shared). A call has read what it needs of that slice when it returns.
//
// Package warp says what the blocked and the striped arrangement are; here a stripe is the
// block's number of threads.
package block

import (
	"embed"
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/prim/warp"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	full     = ^uint64(0)
	maxWarps = 1024 / 32 // of a block
	group    = 32        // lanes that reduce alike at both warp sizes
)

// at is element i from p on, which the caller knows to be there.
func at[T any](p *T, i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p))))
}

// memory is the address of n elements of tmp; it panics if tmp has less.
func memory[T any](tmp []T, n int) *T { return &tmp[:n][0] }

// Reduce combines v of all threads, and every thread gets the result (hipcub::BlockReduce::Reduce). How the values are
// grouped depends on the block's size alone: the same at both warp sizes. op must not
// depend on the order of its arguments.
func Reduce[T comparable](v T, op func(a, b T) T) T { return ReduceIn(dsl.BlockDim().X, v, op) }

// ReduceIn is [Reduce] in a block of so many threads: see [ScanIn].
func ReduceIn[T comparable](threads int, v T, op func(a, b T) T) T {
	parts := dsl.Shared[[maxWarps]T]()
	for d := 1; d < group; d *= 2 {
		v = op(v, dsl.ShflXorSync(full, v, d))
	}
	t := dsl.ThreadIdx().X
	if t%group == 0 {
		parts[t/group] = v
	}
	dsl.SyncThreads()
	v = parts[0]
	for i := 1; i < threads/group; i++ {
		v = op(v, parts[i])
	}
	dsl.SyncThreads() // before parts is used again
	return v
}

// ReduceFirst combines v of the first n threads, in their order, 1 <= n. Thread 0 gets the result
// (hipcub::BlockReduce::Reduce with num_valid). op may depend on the order of its arguments.
func ReduceFirst[T comparable](v T, n int, op func(a, b T) T) T {
	parts := dsl.Shared[[maxWarps]T]()
	t := dsl.ThreadIdx().X
	v = warp.ReduceFirst(v, n-dsl.WarpID()*dsl.WarpSize(), op)
	if dsl.LaneID() == 0 {
		parts[dsl.WarpID()] = v
	}
	dsl.SyncThreads()
	if t == 0 {
		for w := 1; w < (n+dsl.WarpSize()-1)/dsl.WarpSize(); w++ {
			v = op(v, parts[w])
		}
	}
	dsl.SyncThreads()
	return v
}

// ReduceItems is [Reduce] over the items of all threads.
func ReduceItems[T comparable, A warp.Items[T]](items *A, op func(a, b T) T) T {
	return Reduce(fold[T](items, op), op)
}

func fold[T any, A warp.Items[T]](items *A, op func(a, b T) T) T {
	v := (*items)[0]
	for i := 1; i < len(*items); i++ {
		v = op(v, (*items)[i])
	}
	return v
}

// A Before is what a scan has ahead of a thread's own values.
type Before[T any] struct {
	Value T
	Any   bool // false: nothing is ahead, and Value is not set
}

// Scan is the scan under all others here: it combines v of the threads before the caller, in their
// order, and of all threads.
func Scan[T comparable](v T, op func(a, b T) T) (before Before[T], all T) {
	return ScanIn(dsl.BlockDim().X, v, op)
}

// ScanIn is [Scan] in a block of so many threads. If that is known while compiling (a constant, or a variable that
// Options.Specialize names), the code has no loop over the warps.
func ScanIn[T comparable](threads int, v T, op func(a, b T) T) (before Before[T], all T) {
	parts := dsl.Shared[[maxWarps]T]()
	lane, w := dsl.LaneID(), dsl.WarpID()
	sum := warp.InclusiveScan(v, op)
	if lane == dsl.WarpSize()-1 {
		parts[w] = sum
	}
	before.Value = dsl.ShflUpSync(full, sum, 1)
	before.Any = lane > 0
	dsl.SyncThreads()
	all = parts[0]
	ahead := all
	for i := 1; i < threads/dsl.WarpSize(); i++ {
		if i == w {
			ahead = all
		}
		all = op(all, parts[i])
	}
	if w > 0 {
		before = before.After(ahead, op)
	}
	dsl.SyncThreads()
	return before, all
}

// After is b with v ahead of it.
func (b Before[T]) After(v T, op func(a, b T) T) Before[T] {
	if b.Any {
		v = op(v, b.Value)
	}
	return Before[T]{v, true}
}

// InclusiveScan sets each item, blocked, to the combination of all up to it (hipcub::BlockScan::InclusiveScan),
// and returns that of all.
func InclusiveScan[T comparable, A warp.Items[T]](items *A, op func(a, b T) T) T {
	before, all := Scan(fold[T](items, op), op)
	ScanItems[T](items, before, op)
	return all
}

// ExclusiveScan sets each item, blocked, to the combination of first and all before it
// (hipcub::BlockScan::ExclusiveScan), and returns that of all items without first.
func ExclusiveScan[T comparable, A warp.Items[T]](items *A, first T, op func(a, b T) T) T {
	before, all := Scan(fold[T](items, op), op)
	ScanItemsBefore[T](items, before.After(first, op).Value, op)
	return all
}

// ScanItems is the inclusive scan of a thread's own items, with before ahead of them.
func ScanItems[T any, A warp.Items[T]](items *A, before Before[T], op func(a, b T) T) {
	v := (*items)[0]
	if before.Any {
		v = op(before.Value, v)
	}
	(*items)[0] = v
	for i := 1; i < len(*items); i++ {
		v = op(v, (*items)[i])
		(*items)[i] = v
	}
}

// ScanItemsBefore is the exclusive scan of a thread's own items, with v ahead of them.
func ScanItemsBefore[T any, A warp.Items[T]](items *A, v T, op func(a, b T) T) {
	for i := 0; i < len(*items); i++ {
		own := (*items)[i]
		(*items)[i] = v
		if i+1 < len(*items) {
			v = op(v, own)
		}
	}
}
