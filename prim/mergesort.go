package prim

import (
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim/block"
	"heddle/prim/warp"
)

// MergeSort stores the elements of in in out, in the order of less, which is that of slices.SortFunc's: a strict weak order. It is stable (hipcub::DeviceMergeSort::StableSortKeys). out and
// in have the same length, and may be the same buffer. For numbers [SortKeys] is faster; pairs are sorted as structs, or by a buffer of
// indices whose less looks at the keys.
func MergeSort[T any](s *launch.Stream, out, in *launch.Buffer[T], less func(a, b T) bool, opts ...Options) error {
	const fn = "MergeSort"
	if err := first(stream(fn, s), live(fn, "in", in), same(fn, "out", out, in.Len()), apart(fn, "out", out, "in", in, true), function(fn, "less", less)); err != nil {
		return err
	}
	return mergeSort(s, fn, out, in, less, opts)
}

func mergeSort[T any](s *launch.Stream, fn string, out, in *launch.Buffer[T], less func(a, b T) bool, opts []Options) error {
	run, o, err := mergeItems[T](s, fn, in.Len(), opts)
	if err != nil || in.Len() == 0 {
		return err
	}
	if o.Descending {
		return run.sort(s, fn, out, in, func(a, b T) bool { return less(b, a) }, run.tune, o)
	}
	return run.sort(s, fn, out, in, less, run.tune, o)
}

// Merge stores the elements of a and b, each in the order of less, in that order in out, of two equal ones that of a first
// (thrust::merge; hipcub::DeviceMerge). out has as many elements as both, and shares no memory with them.
func Merge[T any](s *launch.Stream, out, a, b *launch.Buffer[T], less func(a, b T) bool, opts ...Options) error {
	const fn = "Merge"
	if err := first(stream(fn, s), live(fn, "a", a), live(fn, "b", b), same(fn, "out", out, a.Len()+b.Len()), apart(fn, "out", out, "a", a, false),
		apart(fn, "out", out, "b", b, false), function(fn, "less", less)); err != nil {
		return err
	}
	run, o, err := mergeItems[T](s, fn, out.Len(), opts)
	if err != nil || out.Len() == 0 {
		return err
	}
	return run.merge(s, fn, out, a, b, less, run.tune, o)
}

// mergers are the funcs for one number of items.
type mergers[T any] struct {
	tune  Tuning
	sort  func(s *launch.Stream, fn string, out, in *launch.Buffer[T], less func(a, b T) bool, tune Tuning, o Options) error
	merge func(s *launch.Stream, fn string, out, a, b *launch.Buffer[T], less func(a, b T) bool, tune Tuning, o Options) error
}

// mergeItems is what merges n elements.
func mergeItems[T any](s *launch.Stream, fn string, n int, opts []Options) (m mergers[T], o Options, err error) {
	o = merged(opts)
	size := int(unsafe.Sizeof(*new(T)))
	if size == 0 || size > 64 {
		return m, o, &Error{Func: fn, Arg: "type", Reason: "has no size that can be sorted: at least 1 byte and at most 64 (sort indices)", Have: size}
	}
	tune, err := tuned(s, "merge", size, o)
	if few := (Tuning{Threads: 512, Items: 3}); size <= 8 && n <= few.Threads*few.Items && o.Tuning == (Tuning{}) {
		tune = few // one block, whose threads have little to do one after the other
	}
	switch {
	case tune.Items >= 19 && size <= 8:
		return mergers[T]{tune, mergeSortWith[T, [19]T], mergeWith[T, [19]T]}, o, err
	case tune.Items >= 17 && size <= 8:
		return mergers[T]{tune, mergeSortWith[T, [17]T], mergeWith[T, [17]T]}, o, err
	case tune.Items >= 15 && size <= 8:
		return mergers[T]{tune, mergeSortWith[T, [15]T], mergeWith[T, [15]T]}, o, err
	case tune.Items >= 11 && size <= 8:
		return mergers[T]{tune, mergeSortWith[T, [11]T], mergeWith[T, [11]T]}, o, err
	case tune.Items >= 7 && size <= 16:
		return mergers[T]{tune, mergeSortWith[T, [7]T], mergeWith[T, [7]T]}, o, err
	}
	if size > 8 {
		tune.Threads = min(tune.Threads, 256)
	}
	return mergers[T]{tune, mergeSortWith[T, [3]T], mergeWith[T, [3]T]}, o, err
}

func mergeSortWith[T any, A warp.Items[T]](s *launch.Stream, fn string, out, in *launch.Buffer[T], less func(a, b T) bool, tune Tuning, o Options) (err error) {
	var items A
	threads := tune.Threads
	n, perTile := in.Len(), threads*len(items)
	tiles := (n + perTile - 1) / perTile
	t := &temp{fn: fn, s: s, o: o}
	part, cuts := tempPart[T]{}, tempPart[int]{}
	if tiles > 1 {
		part, cuts = want[T](t, n, false), want[int](t, tiles, false)
	}
	if done, err := t.get(); done || err != nil {
		return err
	}
	places, splits := [2]*launch.Buffer[T]{out, nil}, (*launch.Buffer[int])(nil)
	if tiles > 1 {
		defer t.close(&err)
		if places[1], err = have(t, part); err != nil {
			return err
		}
		if splits, err = have(t, cuts); err != nil {
			return err
		}
	}
	passes := 0
	for width := 1; width < tiles; width *= 2 {
		passes++
	}
	at := passes % 2 // the last pass writes out
	k := kernel.NewWith(func(_ A, in, out []T) {
		mem := dsl.SharedSlice[T](perTile)
		var items A
		inWarp := dsl.WarpSize() * len(items)
		first := dsl.BlockIdx().X * perTile
		base := dsl.WarpID() * inWarp
		warp.Load(&items, first+base, len(in), func(i int) T { return *elem(unsafe.SliceData(in), i) })
		warp.ToBlocked(&items, mem, base)
		dsl.SyncThreads() // the sort uses all of mem
		block.MergeSort(&items, len(in)-first, less, mem)
		warp.ToStriped(&items, mem, base)
		warp.Store(&items, first+base, len(out), func(i int, v T) { *elem(unsafe.SliceData(out), i) = v })
	}, kernel.Options{MaxThreads: threads, MinBlocks: tune.Resident / threads, Specialize: []string{"perTile"}})
	if err := k.Launch(s, launch.Linear(tiles*threads, threads), *new(A), in, places[at]); err != nil {
		return err
	}
	for width := perTile; width < n; width *= 2 {
		if err := mergePass[T, A](s, places[1-at], places[at], splits, width, tune, less); err != nil {
			return err
		}
		at = 1 - at
	}
	return nil
}

// A mergePair is two runs of a sequence that are merged: a from start on, and b from middle to end-1.
type mergePair struct{ start, middle, end int }

// pairAt is the pair of runs of width elements that has element i, of n.
func pairAt(i, width, n int) mergePair {
	start := i / (2 * width) * (2 * width)
	return mergePair{start, min(start+width, n), min(start+2*width, n)}
}

// mergePass merges each two neighbouring runs of width elements.
func mergePass[T any, A warp.Items[T]](s *launch.Stream, out, in *launch.Buffer[T], splits *launch.Buffer[int], width int, tune Tuning, less func(a, b T) bool) error {
	var items A
	threads := tune.Threads
	tiles, perTile := splits.Len(), threads*len(items)
	at := func(p mergePair, tile int, in []T) merge[T] {
		return merge[T]{p.middle - p.start, p.end - p.middle, tile*perTile - p.start, elem(unsafe.SliceData(in), p.start), elem(unsafe.SliceData(in), p.middle)}
	}
	opt := kernel.Options{MaxThreads: threads, MinBlocks: tune.Resident / threads, Specialize: []string{"threads", "perTile"}}
	if splitsItself(s, tiles) {
		k := kernel.NewWith(func(_ A, out, in []T) {
			tile := dsl.BlockIdx().X
			p := pairAt(tile*perTile, width, len(in))
			m := merging[T]{merge: at(p, tile, in)}
			m.split(perTile, less)
			mergeTile[T, A](m, threads, dsl.SharedSlice[T](perTile), elem(unsafe.SliceData(out), p.start), less)
		}, opt)
		return k.Launch(s, launch.Linear(tiles*threads, threads), *new(A), out, in)
	}
	k := kernel.NewWith(func(splits []int, in []T) {
		if tile := dsl.GlobalIdx().X; tile < len(splits) {
			splits[tile] = at(pairAt(tile*perTile, width, len(in)), tile, in).path(less)
		}
	}, kernel.Options{MaxThreads: 128})
	if err := k.Launch(s, launch.Linear(tiles, 128), splits, in); err != nil {
		return err
	}
	k = kernel.NewWith(func(_ A, splits []int, out, in []T) {
		tile := dsl.BlockIdx().X
		p := pairAt(tile*perTile, width, len(in))
		m := merging[T]{merge: at(p, tile, in), from: splits[tile]}
		m.end(perTile, splits, tile)
		mergeTile[T, A](m, threads, dsl.SharedSlice[T](perTile), elem(unsafe.SliceData(out), p.start), less)
	}, opt)
	return k.Launch(s, launch.Linear(tiles*threads, threads), *new(A), splits, out, in)
}

func mergeWith[T any, A warp.Items[T]](s *launch.Stream, fn string, out, a, b *launch.Buffer[T], less func(a, b T) bool, tune Tuning, o Options) (err error) {
	var items A
	threads := tune.Threads
	perTile := threads * len(items)
	tiles := (out.Len() + perTile - 1) / perTile
	t := &temp{fn: fn, s: s, o: o}
	cuts := want[int](t, tiles, false)
	if done, err := t.get(); done || err != nil {
		return err
	}
	defer t.close(&err)
	splits, err := have(t, cuts)
	if err != nil {
		return err
	}
	at := func(tile int, a, b []T) merge[T] {
		return merge[T]{len(a), len(b), tile * perTile, unsafe.SliceData(a), unsafe.SliceData(b)}
	}
	opt := kernel.Options{MaxThreads: threads, MinBlocks: tune.Resident / threads, Specialize: []string{"threads", "perTile"}}
	if splitsItself(s, tiles) {
		k := kernel.NewWith(func(_ A, out, a, b []T) {
			m := merging[T]{merge: at(dsl.BlockIdx().X, a, b)}
			m.split(perTile, less)
			mergeTile[T, A](m, threads, dsl.SharedSlice[T](perTile), unsafe.SliceData(out), less)
		}, opt)
		return k.Launch(s, launch.Linear(tiles*threads, threads), *new(A), out, a, b)
	}
	k := kernel.NewWith(func(splits []int, a, b []T) {
		if tile := dsl.GlobalIdx().X; tile < len(splits) {
			splits[tile] = at(tile, a, b).path(less)
		}
	}, kernel.Options{MaxThreads: 128})
	if err := k.Launch(s, launch.Linear(tiles, 128), splits, a, b); err != nil {
		return err
	}
	k = kernel.NewWith(func(_ A, splits []int, out, a, b []T) {
		tile := dsl.BlockIdx().X
		m := merging[T]{merge: at(tile, a, b), from: splits[tile]}
		m.end(perTile, splits, tile)
		mergeTile[T, A](m, threads, dsl.SharedSlice[T](perTile), unsafe.SliceData(out), less)
	}, opt)
	return k.Launch(s, launch.Linear(tiles*threads, threads), *new(A), splits, out, a, b)
}

// splitsItself is whether each tile of a merge finds by itself what it merges, with a whole warp, where memory answers soon: of few tiles
// all is in the cache. For many tiles one thread each does, all in a launch ahead, which reads less.
func splitsItself(s *launch.Stream, tiles int) bool {
	return tiles <= 4*s.Device().Info().ComputeUnits
}

// A merge is that of na elements from a on and nb from b on, of which a tile begins at the first-th.
type merge[T any] struct {
	na, nb, first int
	a, b          *T
}

// path is how many elements of a come before the tile.
func (m merge[T]) path(less func(a, b T) bool) int {
	return block.MergePath(m.na, m.nb, m.first, func(i int) T { return *elem(m.a, i) }, func(i int) T { return *elem(m.b, i) }, less)
}

// pathByWarp is how many of a's elements come before the d-th of the merge, found by all lanes of a warp.
func (m merge[T]) pathByWarp(d int, less func(a, b T) bool) int {
	return warp.Search(max(0, d-m.nb), min(d, m.na), func(i int) bool { return !less(*elem(m.b, d-1-i), *elem(m.a, i)) })
}

// A merging is a tile's part of a merge: its elements first to last-1, of which a's from-th to to-1-th are a part.
type merging[T any] struct {
	merge[T]
	last, from, to int
}

// end sets last and to, which is where the next tile starts, unless the merge ends with this one.
func (m *merging[T]) end(perTile int, splits []int, tile int) {
	m.last, m.to = m.first+perTile, m.na
	if m.last < m.na+m.nb {
		m.to = splits[tile+1]
	} else {
		m.last = m.na + m.nb
	}
}

// split sets last, from and to; two warps find these at a time.
func (m *merging[T]) split(perTile int, less func(a, b T) bool) {
	m.last = min(m.first+perTile, m.na+m.nb)
	ends := dsl.SharedSlice[int](2)
	for w := dsl.WarpID(); w < 2; w += dsl.BlockDim().X / dsl.WarpSize() {
		d := m.first
		if w == 1 {
			d = m.last
		}
		if n := m.pathByWarp(d, less); dsl.LaneID() == 0 {
			ends[w] = n
		}
	}
	dsl.SyncThreads()
	m.from, m.to = ends[0], ends[1]
}

// mergeTile puts the elements of a tile of a merge in out. mem has an element for each.
func mergeTile[T any, A warp.Items[T]](m merging[T], threads int, mem []T, out *T, less func(a, b T) bool) {
	var items A
	t, n, ofA := uint32(dsl.ThreadIdx().X), uint32(m.last-m.first), uint32(m.to-m.from)
	a, b := elem(m.a, m.from), elem(m.b, m.first-m.from-int(ofA)) // so that index i of the tile is b's, too
	if a == nil {                                                 // of no elements
		a = b
	}
	if b == nil {
		b = a
	}
	if a == nil || b == nil {
		return // never: what follows need not ask
	}
	if n == uint32(threads*len(items)) {
		for k := 0; k < len(items); k++ {
			i := t + uint32(k*threads)
			from := b
			if i < ofA {
				from = a
			}
			items[k] = *elem(from, int(i))
		}
	} else {
		for k := 0; k < len(items); k++ {
			if i := t + uint32(k*threads); i < ofA {
				items[k] = *elem(a, int(i))
			} else if i < n {
				items[k] = *elem(b, int(i))
			}
		}
	}
	for k := 0; k < len(items); k++ {
		*elem(unsafe.SliceData(mem), int(t+uint32(k*threads))) = items[k]
	}
	dsl.SyncThreads()
	block.Merge(&items, mem, 0, int(ofA), int(ofA), int(n-ofA), int(min(t*uint32(len(items)), n)), less)
	dsl.SyncThreads()
	base := dsl.WarpID() * dsl.WarpSize() * len(items)
	warp.ToStriped(&items, mem, base)
	out = elem(out, m.first)
	warp.Store(&items, base, int(n), func(i int, v T) { *elem(out, i) = v })
}
