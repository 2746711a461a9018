package prim

import (
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim/block"
	"heddle/prim/warp"
)

// InclusiveScan sets out[i] to in[0] op in[1] op ... op in[i] (hipcub::DeviceScan::InclusiveScan). How
// several values are grouped must not matter to op; their order may. out and in have the same length, and may be the same buffer. Floats may
// differ in their last bits from run to run, unless [Deterministic] is given. Values have at most 32 bytes.
func InclusiveScan[T comparable](s *launch.Stream, out, in *launch.Buffer[T], op func(a, b T) T, opts ...Options) error {
	const fn = "InclusiveScan"
	if err := first(live(fn, "in", in), same(fn, "out", out, in.Len()), apart(fn, "out", out, "in", in, true)); err != nil {
		return err
	}
	return scan(s, fn, in.Len(), inputOf(in), into(out), *new(T), scanInclusive, op, opts)
}

// ExclusiveScan sets out[i] to init op in[0] op ... op in[i-1], and out[0] to init (hipcub::DeviceScan::ExclusiveScan):
// see [InclusiveScan].
func ExclusiveScan[T comparable](s *launch.Stream, out, in *launch.Buffer[T], init T, op func(a, b T) T, opts ...Options) error {
	const fn = "ExclusiveScan"
	if err := first(live(fn, "in", in), same(fn, "out", out, in.Len()), apart(fn, "out", out, "in", in, true)); err != nil {
		return err
	}
	return scan(s, fn, in.Len(), inputOf(in), into(out), init, scanExclusive, op, opts)
}

// ScanFunc is [InclusiveScan] of the n values that at returns, with put called for each result, in place of
// reading and writing buffers. See [Of] for what at and put may be. at may be called twice for an index.
func ScanFunc[T comparable](s *launch.Stream, n int, at func(i int) T, put func(i int, v T), op func(a, b T) T, opts ...Options) error {
	return scan(s, "ScanFunc", n, input[T]{at: at}, put, *new(T), scanInclusive, op, opts)
}

// ExclusiveScanFunc is [ExclusiveScan] in the form of [ScanFunc].
func ExclusiveScanFunc[T comparable](s *launch.Stream, n int, at func(i int) T, put func(i int, v T), init T, op func(a, b T) T, opts ...Options) error {
	return scan(s, "ExclusiveScanFunc", n, input[T]{at: at}, put, init, scanExclusive, op, opts)
}

const (
	scanInclusive = false
	scanExclusive = true
)

// scan chooses the number of items.
func scan[T comparable](s *launch.Stream, fn string, n int, in input[T], put func(i int, v T), init T, exclusive bool, op func(a, b T) T, opts []Options) error {
	o := merged(opts)
	if err := first(stream(fn, s), count(fn, n), exchanged[T](fn), function(fn, "at", in.at), function(fn, "put", put), function(fn, "op", op)); err != nil {
		return err
	}
	tune, err := tuned(s, "scan", int(unsafe.Sizeof(*new(T))), o)
	if err != nil || n == 0 {
		return err
	}
	if o.Deterministic { // whatever the call's tuning is
		_, tune = TuningOf(s.Device(), "scan", int(unsafe.Sizeof(*new(T))))
		tune = Tuning{Threads: 256, Items: 7, Serial: min(tune.Serial, 2) / 2 * serialFixed}
	}
	if perTile := tune.serialTile(s, 0); perTile > 1 {
		return scanSerial(s, fn, n, in.at, put, init, exclusive, op, perTile, o)
	}
	run := scanWith[T, [3]T]
	switch {
	case tune.Items >= 23:
		run = scanWith[T, [23]T]
	case tune.Items >= 19:
		run = scanWith[T, [19]T]
	case tune.Items >= 15:
		run = scanWith[T, [15]T]
	case tune.Items >= 11:
		run = scanWith[T, [11]T]
	case tune.Items >= 7:
		run = scanWith[T, [7]T]
	}
	return run(s, fn, n, in, put, init, exclusive, op, tune, o)
}

func scanWith[T comparable, A warp.Items[T]](s *launch.Stream, fn string, n int, in input[T], put func(i int, v T), init T, exclusive bool, op func(a, b T) T, tune Tuning, o Options) (err error) {
	var items A
	threads, at := tune.Threads, in.at
	perTile := threads * len(items)
	tiles := (n + perTile - 1) / perTile
	cfg := launch.Linear(tiles*threads, threads)
	opts := kernel.Options{MaxThreads: threads, MinBlocks: tune.Resident / threads, Specialize: []string{"threads", "perTile", "exclusive"}}
	t := &temp{fn: fn, s: s, o: o}

	if o.Deterministic {
		sums := want[T](t, tiles, false)
		if done, err := t.get(); done || err != nil {
			return err
		}
		defer t.close(&err)
		partial, err := have(t, sums)
		if err != nil {
			return err
		}
		k := kernel.NewWith(func(_ block.Vec[A], sums []T, n int) {
			mem := dsl.SharedSlice[T](perTile)
			tileSum[T, A](mem, threads, sums, n, at, op)
		}, kernel.Options{MaxThreads: threads, Specialize: []string{"threads", "perTile"}})
		if err := k.Launch(s, cfg, block.Vec[A]{}, partial, n); err != nil {
			return err
		}
		k = kernel.NewWith(func(sums []T) { scanSums(sums, op) }, kernel.Options{MaxThreads: threads})
		if err := k.Launch(s, launch.Linear(threads, threads), partial); err != nil {
			return err
		}
		k = kernel.NewWith(func(_ block.Vec[A], sums []T, n int, init T) {
			mem := dsl.SharedSlice[T](perTile)
			scanTile[T, A](mem, threads, dsl.BlockIdx().X, n, at, put, init, exclusive, op,
				func(tile int, _ T) T {
					if exclusive {
						return op(init, sums[tile-1])
					}
					return sums[tile-1]
				}, func(T) {})
		}, opts)
		return k.Launch(s, cfg, block.Vec[A]{}, partial, n, init)
	}

	defer t.close(&err)
	apart, wait := spread(s, tiles, stateWords[T](), scanWait)
	ask, far := in.asking(s, tiles)
	opts.Specialize = append(opts.Specialize, "apart", "far")
	states, next, err := lookBackMemory(t, tiles*apart)
	if states == nil || err != nil {
		return err
	}
	k := kernel.NewWith(func(_ block.Vec[A], states []dsl.Atomic[uint64], next *uint64, n, wait int, init T) {
		mem := dsl.SharedSlice[T](perTile)
		tile := tileInOrder(next)
		if far > 0 {
			askFor[T](ask, tile+far, perTile, threads, n)
		}
		scanTile[T, A](mem, threads, tile, n, at, put, init, exclusive, op,
			func(tile int, own T) T {
				if dsl.LaneID() == 0 {
					publish(states, apart, tile, sumOwn, own)
				}
				return lookBack(states, apart, wait, tile, op)
			},
			func(all T) { publish(states, apart, tile, sumAll, all) })
	}, opts)
	return k.Launch(s, cfg, block.Vec[A]{}, states, next, n, wait, init)
}

// scanTile scans one tile. The first warp calls before with the tile's own sum, for the sum of all tiles ahead of it in
// lane 0, and that lane calls after with the sum of all up to the tile.
func scanTile[T comparable, A warp.Items[T]](mem []T, threads, tile, n int, at func(i int) T, put func(i int, v T), init T, exclusive bool, op func(a, b T) T, before func(tile int, own T) T, after func(all T)) {
	var items A
	prefix := dsl.Shared[T]()
	w := dsl.WarpID()
	inWarp := dsl.WarpSize() * len(items)
	base := tile*threads*len(items) + w*inWarp
	warp.Load(&items, base, n, at)
	warp.ToBlocked(&items, mem, w*inWarp)
	own := items[0]
	for i := 1; i < len(items); i++ {
		own = op(own, items[i])
	}
	ahead, all := block.ScanIn(threads, own, op)
	if w == 0 {
		switch {
		case tile > 0:
			sum := before(tile, all)
			if dsl.LaneID() == 0 {
				*prefix = sum
				after(op(sum, all))
			}
		case dsl.LaneID() == 0:
			*prefix = init
			if exclusive {
				all = op(init, all)
			}
			after(all)
		}
	}
	dsl.SyncThreads()
	if tile > 0 || exclusive {
		ahead = ahead.After(*prefix, op)
	}
	if exclusive {
		block.ScanItemsBefore(&items, ahead.Value, op)
	} else {
		block.ScanItems(&items, ahead, op)
	}
	warp.ToStriped(&items, mem, w*inWarp)
	warp.Store(&items, base, n, put)
}

// tileSum stores the sum of a tile.
func tileSum[T comparable, A warp.Items[T]](mem []T, threads int, sums []T, n int, at func(i int) T, op func(a, b T) T) {
	var items A
	w, tile := dsl.WarpID(), dsl.BlockIdx().X
	inWarp := dsl.WarpSize() * len(items)
	warp.Load(&items, tile*threads*len(items)+w*inWarp, n, at)
	warp.ToBlocked(&items, mem, w*inWarp)
	own := items[0]
	for i := 1; i < len(items); i++ {
		own = op(own, items[i])
	}
	if _, all := block.ScanIn(threads, own, op); dsl.ThreadIdx().X == 0 {
		sums[tile] = all
	}
}

// scanSums is an inclusive scan by one block.
func scanSums[T comparable](sums []T, op func(a, b T) T) {
	var carry block.Before[T]
	for base := 0; base < len(sums); base += dsl.BlockDim().X {
		i := base + dsl.ThreadIdx().X
		v := sums[min(i, len(sums)-1)]
		before, all := block.Scan(v, op)
		if carry.Any {
			before, all = before.After(carry.Value, op), op(carry.Value, all)
		}
		if before.Any {
			v = op(before.Value, v)
		}
		if i < len(sums) {
			sums[i] = v
		}
		carry = block.Before[T]{Value: all, Any: true}
	}
}
