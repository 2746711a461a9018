package prim

import (
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim/block"
	"heddle/prim/warp"
)

// radixOne sorts what one block can hold, in one launch and without temporary memory.
func radixOne[K, V any, U uint32 | uint64](r *radix[K, U], outKeys, keys *launch.Buffer[K], outValues, values *launch.Buffer[V], size int) error {
	const few = 4
	switch {
	case r.n <= r.tune.Threads*few:
		return radixOneWith[K, V, U, [few]K, [few]V, [few]uint32](r, outKeys, keys, outValues, values)
	case r.tune.Items >= 20 && size <= 4:
		return radixOneWith[K, V, U, [20]K, [20]V, [20]uint32](r, outKeys, keys, outValues, values)
	case r.tune.Items >= 16 && size <= 8:
		return radixOneWith[K, V, U, [16]K, [16]V, [16]uint32](r, outKeys, keys, outValues, values)
	case r.tune.Items >= 12 && size <= 8:
		return radixOneWith[K, V, U, [12]K, [12]V, [12]uint32](r, outKeys, keys, outValues, values)
	case size > 16: // a tile has no more than few a thread, and n is at most that
		return radixOneWith[K, V, U, [few]K, [few]V, [few]uint32](r, outKeys, keys, outValues, values)
	}
	return radixOneWith[K, V, U, [8]K, [8]V, [8]uint32](r, outKeys, keys, outValues, values)
}

func radixOneWith[K, V any, U uint32 | uint64, A warp.Items[K], B warp.Items[V], D warp.Items[uint32]](r *radix[K, U], outKeys, keys *launch.Buffer[K], outValues, values *launch.Buffer[V]) error {
	var items A
	threads, key, flip := r.tune.Threads, r.key, r.flip
	perTile, counts := threads*len(items), block.RadixCounts(threads)
	opts := kernel.Options{MaxThreads: threads, Specialize: []string{"threads", "perTile", "counts", "flip"}}
	cfg := launch.Linear(threads, threads)
	low, last := r.passes[0].low, r.passes[len(r.passes)-1]
	end := last.low + last.bits
	if values == nil {
		k := kernel.NewWith(func(_ U, _ A, _ D, keys, out []K, low, end int) {
			mem, nums := dsl.SharedSlice[K](perTile), dsl.SharedSlice[uint32](counts)
			var ranks D
			place := firstOf(len(ranks))
			var items A
			warp.Load(&items, place-dsl.LaneID(), len(keys), func(i int) K { return *elem(unsafe.SliceData(keys), i) })
			for ; low < end; low += block.RadixBits {
				rankDigits(&ranks, items, threads, len(keys), nums, shiftOf[U](low), uint32(1)<<min(block.RadixBits, end-low)-1, key, flip)
				moved(&items, ranks, mem)
			}
			warp.Store(&items, place-dsl.LaneID(), len(keys), func(i int, v K) { *elem(unsafe.SliceData(out), i) = v })
		}, opts)
		return k.Launch(r.s, cfg, *new(U), *new(A), *new(D), keys, outKeys, low, end)
	}
	k := kernel.NewWith(func(_ U, _ A, _ B, _ D, keys, out []K, values, outValues []V, low, end int) {
		mem, nums := dsl.SharedSlice[K](perTile), dsl.SharedSlice[uint32](counts)
		memV := dsl.SharedSlice[V](perTile)
		var ranks D
		base := firstOf(len(ranks)) - dsl.LaneID()
		var items A
		var own B
		warp.Load(&items, base, len(keys), func(i int) K { return *elem(unsafe.SliceData(keys), i) })
		warp.Load(&own, base, len(keys), func(i int) V { return *elem(unsafe.SliceData(values), i) })
		for ; low < end; low += block.RadixBits {
			rankDigits(&ranks, items, threads, len(keys), nums, shiftOf[U](low), uint32(1)<<min(block.RadixBits, end-low)-1, key, flip)
			moved(&own, ranks, memV)
			moved(&items, ranks, mem)
		}
		warp.Store(&items, base, len(keys), func(i int, v K) { *elem(unsafe.SliceData(out), i) = v })
		warp.Store(&own, base, len(keys), func(i int, v V) { *elem(unsafe.SliceData(outValues), i) = v })
	}, opts)
	return k.Launch(r.s, cfg, *new(U), *new(A), *new(B), *new(D), keys, outKeys, values, outValues, low, end)
}

// firstOf is the place of a thread's first item, striped by warps.
func firstOf(items int) int { return dsl.WarpID()*dsl.WarpSize()*items + dsl.LaneID() }

// rankDigits sets ranks to the places of a tile's first n items in the order of a digit, and of the others after them.
func rankDigits[K any, U uint32 | uint64, A warp.Items[K], D warp.Items[uint32]](ranks *D, items A, threads, n int, counts []uint32, shift uint, mask uint32, key func(v K) U, flip U) {
	starts := dsl.Shared[[radixDigits]uint32]()
	place := firstOf(len(items))
	digit := func(i int) uint32 {
		if place+i*dsl.WarpSize() < n {
			return uint32((key(items[i])^flip)>>shift) & mask
		}
		return radixDigits - 1
	}
	block.CountDigits(threads, digit, ranks, counts)
	block.TotalDigits(threads, counts, func(d int, n uint32) { starts[d] = n })
	dsl.SyncThreads()
	block.StartDigits(threads, starts[:], counts)
	for i := 0; i < len(items); i++ {
		d := int((*ranks)[i] >> block.RankBits)
		(*ranks)[i] &= 1<<block.RankBits - 1
		(*ranks)[i] += *elem(unsafe.SliceData(counts), dsl.WarpID()<<block.RadixBits+d)
	}
}

// moved puts the items where ranks says, by mem, which has an element for each of the block's.
func moved[T any, A warp.Items[T], D warp.Items[uint32]](items *A, ranks D, mem []T) {
	for i := 0; i < len(*items); i++ {
		*elem(unsafe.SliceData(mem), int(ranks[i])) = (*items)[i]
	}
	dsl.SyncThreads()
	place := firstOf(len(ranks))
	for i := 0; i < len(*items); i++ {
		(*items)[i] = *elem(unsafe.SliceData(mem), place+i*dsl.WarpSize())
	}
	dsl.SyncThreads()
}
