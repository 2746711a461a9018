package prim

import (
	"math/bits"
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim/warp"
)

// Select stores the elements for which keep holds in out, in their order, and how many they are in count[0]
// (hipcub::DeviceSelect::If). out has at least that many elements, which the caller may not know: as many as in is always
// enough, and what does not fit is dropped. out and in may be the same buffer.
func Select[T any](s *launch.Stream, out *launch.Buffer[T], count *launch.Buffer[int], in *launch.Buffer[T], keep func(v T) bool, opts ...Options) error {
	const fn = "Select"
	if err := first(stream(fn, s), live(fn, "in", in), live(fn, "out", out), atLeast(fn, "count", count, 1),
		apart(fn, "out", out, "in", in, true), countApart(fn, count, out, in), function(fn, "keep", keep)); err != nil {
		return err
	}
	if in.Len() == 0 {
		return none(s, count, opts)
	}
	return selectItems(s, fn, in.Len(), inputOf(in), func(i int, v T) bool { return keep(v) },
		within(out, in.Len()), nil, overlap(out, in), count, opts)
}

// SelectFlagged stores the elements of in whose flag is set, as [Select] does (hipcub::DeviceSelect::Flagged).
func SelectFlagged[T any](s *launch.Stream, out *launch.Buffer[T], count *launch.Buffer[int], in *launch.Buffer[T], flags *launch.Buffer[bool], opts ...Options) error {
	const fn = "SelectFlagged"
	if err := first(stream(fn, s), live(fn, "in", in), same(fn, "flags", flags, in.Len()), live(fn, "out", out), atLeast(fn, "count", count, 1),
		apart(fn, "out", out, "in", in, true), apart(fn, "out", out, "flags", flags, false), countApart(fn, count, out, in)); err != nil {
		return err
	}
	if in.Len() == 0 {
		return none(s, count, opts)
	}
	flag := of(flags)
	return selectItems(s, fn, in.Len(), inputOf(in), func(i int, v T) bool { return flag(i) },
		within(out, in.Len()), nil, overlap(out, in), count, opts)
}

// SelectFunc calls put(k, v) for each of the n values v of at for which keep(i, v) holds, k being how many there are before it, and
// stores their number in count[0]. at and put are as in [ScanFunc].
func SelectFunc[T any](s *launch.Stream, n int, at func(i int) T, keep func(i int, v T) bool, put func(k int, v T), counted *launch.Buffer[int], opts ...Options) error {
	const fn = "SelectFunc"
	if err := first(stream(fn, s), count(fn, n), function(fn, "at", at), function(fn, "keep", keep), function(fn, "put", put), atLeast(fn, "counted", counted, 1)); err != nil {
		return err
	}
	if n == 0 {
		return none(s, counted, opts)
	}
	return selectItems(s, fn, n, input[T]{at: at}, keep, put, nil, true, counted, opts)
}

// Partition stores the elements for which keep holds at the start of out, in their order, the others at its end, in the
// opposite order, and how many the first are in count[0] (hipcub::DevicePartition::If). out has as many elements as in, and shares
// no memory with it.
func Partition[T any](s *launch.Stream, out *launch.Buffer[T], count *launch.Buffer[int], in *launch.Buffer[T], keep func(v T) bool, opts ...Options) error {
	const fn = "Partition"
	if err := first(stream(fn, s), live(fn, "in", in), same(fn, "out", out, in.Len()), atLeast(fn, "count", count, 1),
		apart(fn, "out", out, "in", in, false), countApart(fn, count, out, in), function(fn, "keep", keep)); err != nil {
		return err
	}
	if in.Len() == 0 {
		return none(s, count, opts)
	}
	n := in.Len()
	put := into(out)
	return selectItems(s, fn, n, inputOf(in), func(i int, v T) bool { return keep(v) }, put,
		func(at int, v T) { put(n-1-at, v) }, false, count, opts)
}

// Unique stores the first of each run of equal elements in out, and how many these are in count[0] (hipcub::DeviceSelect::Unique). It is
// [Select] otherwise, except that out and in share no memory.
func Unique[T comparable](s *launch.Stream, out *launch.Buffer[T], count *launch.Buffer[int], in *launch.Buffer[T], opts ...Options) error {
	const fn = "Unique"
	if err := first(stream(fn, s), live(fn, "in", in), live(fn, "out", out), atLeast(fn, "count", count, 1), apart(fn, "out", out, "in", in, false),
		countApart(fn, count, out, in)); err != nil {
		return err
	}
	if in.Len() == 0 {
		return none(s, count, opts)
	}
	at := of(in)
	return selectItems(s, fn, in.Len(), inputOf(in), func(i int, v T) bool { return i == 0 || at(i-1) != v },
		within(out, in.Len()), nil, overlap(out, in), count, opts)
}

// countApart refuses a count that shares memory with the output or the input.
func countApart[T any](fn string, count *launch.Buffer[int], out, in *launch.Buffer[T]) error {
	return first(apart(fn, "count", count, "out", out, false), apart(fn, "count", count, "in", in, false))
}

// within stores up to n elements in out, and drops what does not fit.
func within[T any](out *launch.Buffer[T], n int) func(k int, v T) {
	if out.Len() >= n {
		return into(out)
	}
	return func(k int, v T) {
		if d := out.Device(); uint(k) < uint(len(d)) {
			d[k] = v
		}
	}
}

// none stores a count of 0.
func none(s *launch.Stream, count *launch.Buffer[int], opts []Options) error {
	if merged(opts).need != nil {
		return nil
	}
	return count.Slice(0, 1).Clear(s)
}

// selectItems calls put for what is kept, and drop, unless it is nil, for the others.
func selectItems[T any](s *launch.Stream, fn string, n int, in input[T], keep func(i int, v T) bool, put, drop func(k int, v T), inPlace bool, count *launch.Buffer[int], opts []Options) error {
	o := merged(opts)
	tune, err := tuned(s, "select", int(unsafe.Sizeof(*new(T))), o)
	if err != nil {
		return err
	}
	drops := drop != nil
	if !drops {
		drop = func(k int, v T) {}
	}
	if perTile := tune.serialTile(s, int(unsafe.Sizeof(*new(T)))); perTile > 1 {
		return selectSerial(s, fn, n, in.at, keep, put, drop, drops, inPlace, count, perTile, o)
	}
	run := selectWith[T, [4]T, [4]uint64]
	switch {
	case tune.Items >= 20:
		run = selectWith[T, [20]T, [20]uint64]
	case tune.Items >= 16:
		run = selectWith[T, [16]T, [16]uint64]
	case tune.Items >= 12:
		run = selectWith[T, [12]T, [12]uint64]
	case tune.Items >= 8:
		run = selectWith[T, [8]T, [8]uint64]
	}
	return run(s, fn, n, in, keep, put, drop, drops, inPlace, count, tune, o)
}

func selectWith[T any, A warp.Items[T], M warp.Items[uint64]](s *launch.Stream, fn string, n int, in input[T], keep func(i int, v T) bool, put, drop func(k int, v T), drops, inPlace bool, count *launch.Buffer[int], tune Tuning, o Options) (err error) {
	var items A
	threads, at := tune.Threads, in.at
	perTile := threads * len(items)
	tiles := (n + perTile - 1) / perTile
	t := &temp{fn: fn, s: s, o: o}
	defer t.close(&err)
	apart, _ := spread(s, tiles, 1, 0)
	states, next, err := lookBackMemory(t, tiles*apart)
	if states == nil || err != nil {
		return err
	}
	// Where a tile's elements fit in shared memory, they are put in order there while the look-back waits, and then stored side by side.
	staged, room := perTile*int(unsafe.Sizeof(items[0])) <= stagedMost, 1
	if staged {
		room = perTile
	}
	ask, far := in.asking(s, tiles)
	k := kernel.NewWith(func(_ A, _ M, states []dsl.Atomic[uint64], next *uint64, count *int, n int) {
		mem := dsl.SharedSlice[T](room)
		var items A
		var kept M
		tile := tileInOrder(next)
		if far > 0 {
			askFor[T](ask, tile+far, threads*len(items), threads, n)
		}
		first, own, total := selectTile(&items, &kept, threads, tile, n, at, keep)
		publishTile(states, apart, tile, total, inPlace)
		base := tile * threads * len(items)
		if staged {
			eachKept(items, kept, first-base, own, func(local, rank int, kept bool, v T) {
				if kept {
					*elem(unsafe.SliceData(mem), rank) = v
				} else if drops {
					*elem(unsafe.SliceData(mem), total+local-rank) = v
				}
			})
		}
		before := tilesBefore(states, apart, tile, total, inPlace)
		if base+threads*len(items) >= n && dsl.ThreadIdx().X == 0 {
			*count = before + total
		}
		if !staged {
			eachKept(items, kept, first, before+own, func(i, rank int, kept bool, v T) {
				if kept {
					put(rank, v)
				} else if i < n {
					drop(i-rank, v)
				}
			})
			return
		}
		eachStaged(mem, threads, 0, total, func(k int, v T) { put(before+k, v) })
		if drops {
			eachStaged(mem, threads, total, min(threads*len(items), n-base), func(k int, v T) { drop(base-before+k-total, v) })
		}
	}, kernel.Options{MaxThreads: threads, MinBlocks: tune.minBlocks(), Specialize: []string{"threads", "inPlace", "staged", "drops", "room", "apart", "far"}})
	return k.Launch(s, launch.Linear(tiles*threads, threads), *new(A), *new(M), states, next, count, n)
}

// stagedMost is how many bytes of a tile are put in order in shared memory: all devices have so much, and room for the rest.
const stagedMost = 40 << 10

// eachKept calls f for each item of a thread, the first of which is element i and has rank kept ones before its warp's: with the number of
// kept ones before it, and whether it is one.
func eachKept[T any, A warp.Items[T], M warp.Items[uint64]](items A, kept M, i, rank int, f func(i, rank int, kept bool, v T)) {
	lane := uint64(1) << dsl.LaneID()
	for k := 0; k < len(items); k++ {
		f(i, rank+popc(kept[k]&(lane-1)), kept[k]&lane != 0, items[k])
		rank += popc(kept[k])
		i += dsl.WarpSize()
	}
}

// stagedLoads is how many elements of a thread of eachStaged are under way.
const stagedLoads = 4

// eachStaged calls f with the elements from to to-1 of mem, neighbouring threads with neighbours.
func eachStaged[T any](mem []T, threads, from, to int, f func(k int, v T)) {
	p, t := unsafe.SliceData(mem), dsl.ThreadIdx().X
	for ; from+stagedLoads*threads <= to; from += stagedLoads * threads {
		var own [stagedLoads]T
		for i := range stagedLoads {
			own[i] = *elem(p, from+t+i*threads)
		}
		for i := range stagedLoads {
			f(from+t+i*threads, own[i])
		}
	}
	for k := from + t; k < to; k += threads {
		f(k, *elem(p, k))
	}
}

// popc is the number of lanes of a mask.
func popc(mask uint64) int {
	if dsl.WarpSize() == 32 {
		return bits.OnesCount32(uint32(mask))
	}
	return bits.OnesCount64(mask)
}

// selectTile loads a tile's items, striped by warps, and sets kept[i] to the mask of the lanes whose item i is kept. It returns
// the index of the thread's first item, how many items of the tile are kept before its warp's, and how many in all.
func selectTile[T any, A warp.Items[T], M warp.Items[uint64]](items *A, kept *M, threads, tile, n int, at func(i int) T, keep func(i int, v T) bool) (first, own, total int) {
	sums := dsl.Shared[[32]int32]()
	base := tile*threads*len(*items) + dsl.WarpID()*dsl.WarpSize()*len(*items)
	warp.Load(items, base, n, at)
	first = base + dsl.LaneID()
	all := int32(0)
	if base+dsl.WarpSize()*len(*items) <= n {
		for i := 0; i < len(*items); i++ {
			(*kept)[i] = dsl.BallotSync(full, keep(first+i*dsl.WarpSize(), (*items)[i]))
			all += int32(popc((*kept)[i]))
		}
	} else {
		for i := 0; i < len(*items); i++ {
			j := first + i*dsl.WarpSize()
			(*kept)[i] = dsl.BallotSync(full, j < n && keep(j, (*items)[i]))
			all += int32(popc((*kept)[i]))
		}
	}
	if dsl.LaneID() == 0 {
		sums[dsl.WarpID()] = all
	}
	dsl.SyncThreads()
	ahead, sum := int32(0), int32(0)
	for w := range threads / dsl.WarpSize() {
		if w == dsl.WarpID() {
			ahead = sum
		}
		sum += sums[w]
	}
	return first, int(ahead), int(sum)
}

// publishTile makes a tile's total known. With fence set, what the tile has loaded it has loaded before another one finds that total.
func publishTile(states []dsl.Atomic[uint64], apart, tile, total int, fence bool) {
	if dsl.WarpID() != 0 {
		return
	}
	if fence {
		dsl.ThreadFence()
	}
	if dsl.LaneID() == 0 {
		far := uint64(sumOwn)
		if tile == 0 {
			far = sumAll
		}
		publishCount(states, apart, tile, far, total)
	}
}

// tilesBefore is the sum of the totals of all tiles before the block's, by look-back. With fence set, what these
// tiles have loaded they have loaded before the block stores anything from then on.
func tilesBefore(states []dsl.Atomic[uint64], apart, tile, total int, fence bool) int {
	before := dsl.Shared[int]()
	if dsl.WarpID() == 0 {
		sum := 0
		if tile > 0 {
			sum = lookBackCount(states, apart, tile)
			if fence {
				dsl.ThreadFence()
			}
			if dsl.LaneID() == 0 {
				publishCount(states, apart, tile, sumAll, sum+total)
			}
		}
		if dsl.LaneID() == 0 {
			*before = sum
		}
	}
	dsl.SyncThreads()
	return *before
}
