package block

import (
	"heddle/dsl"
	"heddle/prim/warp"
)

// Vec is several elements that lie side by side, of which one load or store takes up to 16 bytes:
// a buffer of T is one of Vec[[4]T] by launch.View.
type Vec[A any] struct{ A A }

// Load sets items[i] to at(base + i*threads + t), striped, and from n on to at(n-1) (hipcub::BlockLoad). 1 <= n.
func Load[T any, A warp.Items[T]](items *A, base, n int, at func(i int) T) {
	t, stripe := dsl.ThreadIdx().X, dsl.BlockDim().X
	if base+len(*items)*stripe <= n {
		for i := 0; i < len(*items); i++ {
			(*items)[i] = at(base + (i*stripe + t))
		}
		return
	}
	for i := 0; i < len(*items); i++ {
		(*items)[i] = at(min(base+(i*stripe+t), n-1))
	}
}

// LoadOr is [Load] with the value other from n on. 0 <= n.
func LoadOr[T any, A warp.Items[T]](items *A, base, n int, other T, at func(i int) T) {
	t, stripe := dsl.ThreadIdx().X, dsl.BlockDim().X
	for i := 0; i < len(*items); i++ {
		(*items)[i] = other
		if j := base + (i*stripe + t); j < n {
			(*items)[i] = at(j)
		}
	}
}

// LoadVec loads a thread's items, blocked, from whole vectors: element t*len(items)/len(V) of in from
// base on, and the next ones. len(items) must be a multiple of len(V), and base+threads*len(items)/len(V) at most len(in).
func LoadVec[T any, V, A warp.Items[T]](items *A, in []Vec[V], base int) {
	var v V
	n := len(*items) / len(v)
	p := memory(in[base:], dsl.BlockDim().X*n)
	for k := range n {
		v = at(p, dsl.ThreadIdx().X*n+k).A
		for i := 0; i < len(v); i++ {
			(*items)[k*len(v)+i] = v[i]
		}
	}
}

// StoreVec stores a thread's items, blocked, as whole vectors, as [LoadVec] loads them.
func StoreVec[T any, V, A warp.Items[T]](items *A, out []Vec[V], base int) {
	var v V
	n := len(*items) / len(v)
	p := memory(out[base:], dsl.BlockDim().X*n)
	for k := range n {
		for i := 0; i < len(v); i++ {
			v[i] = (*items)[k*len(v)+i]
		}
		at(p, dsl.ThreadIdx().X*n+k).A = v
	}
}

// Store calls put(base + i*threads + t, items[i]) for elements below n, striped (hipcub::BlockStore).
func Store[T any, A warp.Items[T]](items *A, base, n int, put func(i int, v T)) {
	t, stripe := dsl.ThreadIdx().X, dsl.BlockDim().X
	for i := 0; i < len(*items); i++ {
		if j := base + (i*stripe + t); j < n {
			put(j, (*items)[i])
		}
	}
}

// ToBlocked makes a blocked arrangement of a striped one (hipcub::BlockExchange::StripedToBlocked). tmp has
// threads*len(items) elements; odd len(items) have no bank conflicts.
func ToBlocked[T any, A warp.Items[T]](items *A, tmp []T) {
	t, stripe := dsl.ThreadIdx().X, dsl.BlockDim().X
	p := memory(tmp, stripe*len(*items))
	for i := 0; i < len(*items); i++ {
		*at(p, i*stripe+t) = (*items)[i]
	}
	dsl.SyncThreads()
	own := at(p, t*len(*items))
	for i := 0; i < len(*items); i++ {
		(*items)[i] = *at(own, i)
	}
	dsl.SyncThreads()
}

// ToStriped makes a striped arrangement of a blocked one, as [ToBlocked] does (hipcub::BlockExchange::BlockedToStriped).
func ToStriped[T any, A warp.Items[T]](items *A, tmp []T) {
	t, stripe := dsl.ThreadIdx().X, dsl.BlockDim().X
	p := memory(tmp, stripe*len(*items))
	own := at(p, t*len(*items))
	for i := 0; i < len(*items); i++ {
		*at(own, i) = (*items)[i]
	}
	dsl.SyncThreads()
	for i := 0; i < len(*items); i++ {
		(*items)[i] = *at(p, i*stripe+t)
	}
	dsl.SyncThreads()
}

// Scatter puts items[i] at place ranks[i] of the blocked arrangement (hipcub::BlockExchange::ScatterToBlocked). The ranks of all
// threads are 0 to threads*len(items)-1, each once. tmp has threads*len(items) elements.
func Scatter[T any, A warp.Items[T], R warp.Items[int32]](items *A, ranks *R, tmp []T) {
	t := dsl.ThreadIdx().X
	p := memory(tmp, dsl.BlockDim().X*len(*items))
	for i := 0; i < len(*items); i++ {
		tmp[(*ranks)[i]] = (*items)[i]
	}
	dsl.SyncThreads()
	own := at(p, t*len(*items))
	for i := 0; i < len(*items); i++ {
		(*items)[i] = *at(own, i)
	}
	dsl.SyncThreads()
}

// Up returns v of the thread d before the caller, in a ring (hipcub::BlockShuffle::Rotate, Offset). tmp has as many elements as the block threads.
func Up[T any](v T, d int, tmp []T) T {
	t, n := dsl.ThreadIdx().X, dsl.BlockDim().X
	tmp[t] = v
	dsl.SyncThreads()
	from := (t - d) % n
	if from < 0 {
		from += n
	}
	v = tmp[from]
	dsl.SyncThreads()
	return v
}

// Down returns v of the thread d after the caller, in a ring, as [Up] does.
func Down[T any](v T, d int, tmp []T) T { return Up(v, -d, tmp) }

// Heads tells for each item, blocked, whether differ(previous, item) holds; the block's first item is
// compared with before if hasBefore is set, and is a head if not (hipcub::BlockDiscontinuity::FlagHeads). tmp
// has as many elements as the block threads.
func Heads[T any, A warp.Items[T], F warp.Items[bool]](flags *F, items *A, before T, hasBefore bool, differ func(a, b T) bool, tmp []T) {
	t := dsl.ThreadIdx().X
	tmp[t] = (*items)[len(*items)-1]
	dsl.SyncThreads()
	first := true
	switch {
	case t > 0:
		first = differ(tmp[t-1], (*items)[0])
	case hasBefore:
		first = differ(before, (*items)[0])
	}
	(*flags)[0] = first
	for i := 1; i < len(*items); i++ {
		(*flags)[i] = differ((*items)[i-1], (*items)[i])
	}
	dsl.SyncThreads()
}

// Tails tells for each item, blocked, whether differ(item, next) holds; the block's last item is
// compared with after if hasAfter is set, and is a tail if not (hipcub::BlockDiscontinuity::FlagTails). tmp
// has as many elements as the block threads.
func Tails[T any, A warp.Items[T], F warp.Items[bool]](flags *F, items *A, after T, hasAfter bool, differ func(a, b T) bool, tmp []T) {
	t := dsl.ThreadIdx().X
	tmp[t] = (*items)[0]
	dsl.SyncThreads()
	last := true
	switch {
	case t+1 < dsl.BlockDim().X:
		last = differ((*items)[len(*items)-1], tmp[t+1])
	case hasAfter:
		last = differ((*items)[len(*items)-1], after)
	}
	for i := 0; i+1 < len(*items); i++ {
		(*flags)[i] = differ((*items)[i], (*items)[i+1])
	}
	(*flags)[len(*items)-1] = last
	dsl.SyncThreads()
}

// Histogram adds to counts how often each bin occurs among the items; a bin below 0 or from len(counts) on
// is not counted (hipcub::BlockHistogram). counts is shared memory that the kernel has set, to 0 for one.
func Histogram[A warp.Items[int32]](bins *A, counts []uint32) {
	for i := 0; i < len(*bins); i++ {
		if b := int((*bins)[i]); uint(b) < uint(len(counts)) {
			dsl.AtomicAdd(&counts[b], 1)
		}
	}
	dsl.SyncThreads()
}

// RunLengthDecode calls put(i, value, offset) for each element i of the runs' expansion in turn, value being the item of
// its run and offset its place in it, and returns the number of elements (hipcub::BlockRunLengthDecode). The runs are the threads' items, blocked;
// a length of 0 is an empty run. starts and values have threads*len(items) elements.
func RunLengthDecode[T any, A warp.Items[T], L warp.Items[int32]](items *A, lengths *L, starts []int32, values []T, put func(i int, v T, offset int)) int {
	t, threads := dsl.ThreadIdx().X, dsl.BlockDim().X
	n := threads * len(*items)
	firsts := *lengths
	total := int(ExclusiveScan(&firsts, 0, addInt32))
	for i := 0; i < len(*items); i++ {
		starts[t*len(*items)+i], values[t*len(*items)+i] = firsts[i], (*items)[i]
	}
	dsl.SyncThreads()
	for e := t; e < total; e += threads {
		low, high := 0, n // the last run that starts at e or before is in [low, high)
		for high-low > 1 {
			if mid := (low + high) / 2; int(starts[mid]) <= e {
				low = mid
			} else {
				high = mid
			}
		}
		put(e, values[low], e-int(starts[low]))
	}
	dsl.SyncThreads()
	return total
}

func addInt32(a, b int32) int32 { return a + b }
