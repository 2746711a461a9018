// Package warp has the algorithms of one warp, for use in any kernel: what CUB's
// WarpReduce, WarpScan, WarpExchange, WarpLoad and WarpMergeSort are to C++.
//
// All lanes of the warp make each call together, and every warp of the block is full:
// the block's size is a multiple of 64, which is right at both warp sizes. Values that
// lanes exchange by shuffles have at most 32 bytes and 16 parts (dsl.Shuffleable).
//
// # Arrangements
//
// A warp holds len(items)*WarpSize elements, len(items) in each lane. In the blocked
// arrangement lane l holds elements l*len(items) and on; in the striped one elements l,
// l+WarpSize, l+2*WarpSize and on. Memory is read and written striped, since neighbouring
// lanes then touch neighbouring addresses. A scan goes over blocked elements.
//
// # Operators
//
// An operator is a Go func, a literal with captured variables as well. How several
// values are grouped must not matter to it. Reductions, not scans, also need one that does not
// depend on the order of its arguments.
package warp

import (
	"embed"
	"math/bits"
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const full = ^uint64(0)

// Items is what a lane holds of a warp's elements: an array, whose length is known while
// compiling. Loops over it are unrolled and its elements are registers.
type Items[T any] interface {
	~[1]T | ~[2]T | ~[3]T | ~[4]T | ~[5]T | ~[6]T | ~[7]T | ~[8]T | ~[9]T | ~[10]T | ~[11]T | ~[12]T |
		~[13]T | ~[14]T | ~[15]T | ~[16]T | ~[17]T | ~[18]T | ~[19]T | ~[20]T | ~[21]T | ~[22]T | ~[23]T | ~[24]T | ~[25]T | ~[32]T
}

// Reduce combines v of all lanes; every lane gets the result (hipcub::WarpReduce::Reduce).
// The grouping is the same at both warp sizes for what 32 lanes hold.
func Reduce[T comparable](v T, op func(a, b T) T) T {
	for d := 1; d < dsl.WarpSize(); d *= 2 {
		v = op(v, dsl.ShflXorSync(full, v, d))
	}
	return v
}

// Search returns the first of low to high-1 for which before is false, or high: [sort.Search] by all lanes at once, which takes the logarithm to
// base WarpSize in steps. low and high are the same in all lanes; before is true ahead of some index and false from there on.
func Search(low, high int, before func(i int) bool) int {
	for low < high {
		step := (high-low-1)/dsl.WarpSize() + 1
		i := low + dsl.LaneID()*step
		n := bits.OnesCount64(dsl.BallotSync(full, i < high && before(i)))
		if n == 0 {
			break
		}
		low, high = low+(n-1)*step+1, min(high, low+n*step)
	}
	return low
}

// ReduceFirst combines v of the first n lanes, in their order, 1 <= n. Lane 0 gets the result (hipcub::WarpReduce::Reduce
// with valid_items). op may depend on the order of its arguments.
func ReduceFirst[T comparable](v T, n int, op func(a, b T) T) T {
	lane := dsl.LaneID()
	for d := 1; d < dsl.WarpSize(); d *= 2 {
		if w := dsl.ShflDownSync(full, v, d); lane+d < n && lane&(2*d-1) == 0 {
			v = op(v, w)
		}
	}
	return v
}

// ReduceHeads combines each run of lanes that begins at a lane with head set; lane 0 begins one in any
// case. The first lane of a run gets its result (hipcub::WarpReduce::HeadSegmentedReduce).
func ReduceHeads[T comparable](v T, head bool, op func(a, b T) T) T {
	lane := dsl.LaneID()
	after := dsl.BallotSync(full, head) >> lane >> 1 // bit d-1: lane+d is a head
	for d := 1; d < dsl.WarpSize(); d *= 2 {
		if w := dsl.ShflDownSync(full, v, d); lane+d < dsl.WarpSize() && after&(1<<d-1) == 0 {
			v = op(v, w)
		}
	}
	return v
}

// InclusiveScan combines v of the lanes up to the caller's, in their order (hipcub::WarpScan::InclusiveScan).
func InclusiveScan[T comparable](v T, op func(a, b T) T) T {
	return dsl.WarpInclusiveScanSync(full, v, op)
}

// ExclusiveScan combines first and v of the lanes before the caller's, in their order; lane 0 gets
// first (hipcub::WarpScan::ExclusiveScan).
func ExclusiveScan[T comparable](v, first T, op func(a, b T) T) T {
	before := dsl.ShflUpSync(full, dsl.WarpInclusiveScanSync(full, v, op), 1)
	if dsl.LaneID() == 0 {
		return first
	}
	return op(first, before)
}

// Load sets items[i] to at(base + i*WarpSize + lane), striped, base being the warp's first element
// (hipcub::WarpLoad). In place of those from n on it takes some element that there is, so that at is never asked
// for others, and an operator never sees what the program does not have. 1 <= n.
func Load[T any, A Items[T]](items *A, base, n int, at func(i int) T) {
	own := base + dsl.LaneID()
	if base+len(*items)*dsl.WarpSize() <= n {
		for i := 0; i < len(*items); i++ {
			(*items)[i] = at(own + i*dsl.WarpSize())
		}
		return
	}
	some := at(min(own, n-1))
	(*items)[0] = some
	for i := 1; i < len(*items); i++ {
		(*items)[i] = some
		if own+i*dsl.WarpSize() < n {
			(*items)[i] = at(own + i*dsl.WarpSize())
		}
	}
}

// Store calls put(base + i*WarpSize + lane, items[i]) for elements below n, striped (hipcub::WarpStore).
func Store[T any, A Items[T]](items *A, base, n int, put func(i int, v T)) {
	own := base + dsl.LaneID()
	if base+len(*items)*dsl.WarpSize() <= n {
		for i := 0; i < len(*items); i++ {
			put(own+i*dsl.WarpSize(), (*items)[i])
		}
		return
	}
	for i := 0; i < len(*items); i++ {
		if own+i*dsl.WarpSize() < n {
			put(own+i*dsl.WarpSize(), (*items)[i])
		}
	}
}

// at is element i from p on, which the caller knows to be there.
func at[T any](p *T, i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p))))
}

// part is the warp's memory: len(items)*WarpSize elements from tmp[first] on.
func part[T any](tmp []T, first, items int) *T {
	return &tmp[first : first+items*dsl.WarpSize()][0]
}

// ToBlocked makes a blocked arrangement of a striped one (hipcub::WarpExchange::StripedToBlocked). The warp's
// memory is tmp[first:first+len(items)*WarpSize]; odd len(items) have no bank conflicts.
func ToBlocked[T any, A Items[T]](items *A, tmp []T, first int) {
	p, lane := part(tmp, first, len(*items)), dsl.LaneID()
	for i := 0; i < len(*items); i++ {
		*at(p, i*dsl.WarpSize()+lane) = (*items)[i]
	}
	dsl.SyncWarp()
	own := at(p, lane*len(*items))
	for i := 0; i < len(*items); i++ {
		(*items)[i] = *at(own, i)
	}
	dsl.SyncWarp() // before the memory is used again
}

// ToStriped makes a striped arrangement of a blocked one, as [ToBlocked] does (hipcub::WarpExchange::BlockedToStriped).
func ToStriped[T any, A Items[T]](items *A, tmp []T, first int) {
	p, lane := part(tmp, first, len(*items)), dsl.LaneID()
	own := at(p, lane*len(*items))
	for i := 0; i < len(*items); i++ {
		*at(own, i) = (*items)[i]
	}
	dsl.SyncWarp()
	for i := 0; i < len(*items); i++ {
		(*items)[i] = *at(p, i*dsl.WarpSize()+lane)
	}
	dsl.SyncWarp()
}

// Peers is the mask of the lanes whose low bits of digit equal the caller's, itself included (CUB's MatchAny).
// bits is at most 16.
func Peers(digit uint32, bits int) uint64 {
	if dsl.WarpSize() == 32 {
		same := ^uint32(0)
		for b := range bits {
			bit := int32(digit<<(31-b)) >> 31 // all bits are that bit
			same &^= uint32(dsl.BallotSync(full, bit != 0)) ^ uint32(bit)
		}
		return uint64(same)
	}
	same := full
	for b := range bits {
		bit := int32(digit<<(31-b)) >> 31
		same &^= dsl.BallotSync(full, bit != 0) ^ uint64(int64(bit))
	}
	return same
}

// Sort sorts the lanes' values by less, blocked: lane 0 gets the first. It is not stable (a bitonic network).
func Sort[T comparable](v T, less func(a, b T) bool) T {
	lane := dsl.LaneID()
	for size := 2; size <= dsl.WarpSize(); size *= 2 {
		for d := size / 2; d > 0; d /= 2 {
			w := dsl.ShflXorSync(full, v, d)
			low := lane&d == 0
			up := lane&size == 0 || size == dsl.WarpSize()
			if low == up {
				if less(w, v) {
					v = w
				}
			} else if less(v, w) {
				v = w
			}
		}
	}
	return v
}
