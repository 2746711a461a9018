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
	run, o, err := mergeItems[T](s, fn, opts)
	if err != nil || in.Len() == 0 {
		return err
	}
	if o.Descending {
		return run.sort(s, fn, out, in, func(a, b T) bool { return less(b, a) }, run.threads, o)
	}
	return run.sort(s, fn, out, in, less, run.threads, o)
}

// Merge stores the elements of a and b, each in the order of less, in that order in out, of two equal ones that of a first
// (thrust::merge; hipcub::DeviceMerge). out has as many elements as both, and shares no memory with them.
func Merge[T any](s *launch.Stream, out, a, b *launch.Buffer[T], less func(a, b T) bool, opts ...Options) error {
	const fn = "Merge"
	if err := first(stream(fn, s), live(fn, "a", a), live(fn, "b", b), same(fn, "out", out, a.Len()+b.Len()), apart(fn, "out", out, "a", a, false),
		apart(fn, "out", out, "b", b, false), function(fn, "less", less)); err != nil {
		return err
	}
	run, o, err := mergeItems[T](s, fn, opts)
	if err != nil || out.Len() == 0 || o.need != nil {
		return err
	}
	return run.merge(s, out, a, b, less, run.threads)
}

// mergers are the funcs for one number of items.
type mergers[T any] struct {
	threads int
	sort    func(s *launch.Stream, fn string, out, in *launch.Buffer[T], less func(a, b T) bool, threads int, o Options) error
	merge   func(s *launch.Stream, out, a, b *launch.Buffer[T], less func(a, b T) bool, threads int) error
}

func mergeItems[T any](s *launch.Stream, fn string, opts []Options) (m mergers[T], o Options, err error) {
	o = merged(opts)
	size := int(unsafe.Sizeof(*new(T)))
	if size == 0 || size > 64 {
		return m, o, &Error{Func: fn, Arg: "type", Reason: "has no size that can be sorted: at least 1 byte and at most 64 (sort indices)", Have: size}
	}
	tune, err := tuned(s, "merge", size, o)
	switch {
	case tune.Items >= 15 && size <= 8:
		return mergers[T]{tune.Threads, mergeSortWith[T, [15]T], mergeWith[T, [15]T]}, o, err
	case tune.Items >= 11 && size <= 8:
		return mergers[T]{tune.Threads, mergeSortWith[T, [11]T], mergeWith[T, [11]T]}, o, err
	case tune.Items >= 7 && size <= 16:
		return mergers[T]{tune.Threads, mergeSortWith[T, [7]T], mergeWith[T, [7]T]}, o, err
	}
	return mergers[T]{min(tune.Threads, 256), mergeSortWith[T, [3]T], mergeWith[T, [3]T]}, o, err
}

func mergeSortWith[T any, A warp.Items[T]](s *launch.Stream, fn string, out, in *launch.Buffer[T], less func(a, b T) bool, threads int, o Options) (err error) {
	var items A
	n, perTile := in.Len(), threads*len(items)
	tiles := (n + perTile - 1) / perTile
	t := &temp{fn: fn, s: s, o: o}
	part := tempPart[T]{}
	if tiles > 1 {
		part = want[T](t, n, false)
	}
	if done, err := t.get(); done || err != nil {
		return err
	}
	places := [2]*launch.Buffer[T]{out, nil}
	if tiles > 1 {
		defer t.close(&err)
		if places[1], err = have(t, part); err != nil {
			return err
		}
	}
	passes := 0
	for width := 1; width < tiles; width *= 2 {
		passes++
	}
	at := passes % 2 // the last pass writes out
	opts := kernel.Options{MaxThreads: threads, Specialize: []string{"perTile"}}
	cfg := launch.Linear(tiles*threads, threads)
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
	}, opts)
	if err := k.Launch(s, cfg, *new(A), in, places[at]); err != nil {
		return err
	}
	for width := perTile; width < n; width *= 2 {
		k := kernel.NewWith(func(_ A, in, out []T, width int) {
			mem := dsl.SharedSlice[T](perTile)
			first := dsl.BlockIdx().X * perTile
			start := first / (2 * width) * (2 * width)
			middle := min(start+width, len(in))
			end := min(start+2*width, len(in))
			mergeTile[T, A](mem, threads, first-start, middle-start, end-middle, func(i int) T { return *elem(unsafe.SliceData(in), start+i) },
				func(i int) T { return *elem(unsafe.SliceData(in), middle+i) }, func(i int, v T) { *elem(unsafe.SliceData(out), start+i) = v }, less)
		}, kernel.Options{MaxThreads: threads, Specialize: []string{"threads", "perTile"}})
		if err := k.Launch(s, cfg, *new(A), places[at], places[1-at], width); err != nil {
			return err
		}
		at = 1 - at
	}
	return nil
}

func mergeWith[T any, A warp.Items[T]](s *launch.Stream, out, a, b *launch.Buffer[T], less func(a, b T) bool, threads int) error {
	var items A
	perTile := threads * len(items)
	k := kernel.NewWith(func(_ A, out, a, b []T) {
		mem := dsl.SharedSlice[T](perTile)
		mergeTile[T, A](mem, threads, dsl.BlockIdx().X*perTile, len(a), len(b), func(i int) T { return *elem(unsafe.SliceData(a), i) },
			func(i int) T { return *elem(unsafe.SliceData(b), i) }, func(i int, v T) { *elem(unsafe.SliceData(out), i) = v }, less)
	}, kernel.Options{MaxThreads: threads, Specialize: []string{"threads", "perTile"}})
	tiles := (out.Len() + perTile - 1) / perTile
	return k.Launch(s, launch.Linear(tiles*threads, threads), *new(A), out, a, b)
}

// mergeTile puts the elements of a merge from element first on, a tile of them.
func mergeTile[T any, A warp.Items[T]](mem []T, threads, first, na, nb int, a, b func(i int) T, put func(i int, v T), less func(a, b T) bool) {
	var items A
	ends := dsl.Shared[[2]int]()
	perTile := threads * len(items)
	last := min(first+perTile, na+nb)
	t := dsl.ThreadIdx().X
	if t < 2 {
		d := first
		if t == 1 {
			d = last
		}
		ends[t] = block.MergePath(na, nb, d, a, b, less)
	}
	dsl.SyncThreads()
	fromA, fromB := ends[0], first-ends[0]
	countA := ends[1] - fromA
	n := last - first
	for i := t; i < n; i += threads {
		if i < countA {
			*elem(unsafe.SliceData(mem), i) = a(fromA + i)
		} else {
			*elem(unsafe.SliceData(mem), i) = b(fromB + i - countA)
		}
	}
	dsl.SyncThreads()
	x := func(i int) T { return *elem(unsafe.SliceData(mem), i) }
	y := func(i int) T { return *elem(unsafe.SliceData(mem), countA+i) }
	d := min(t*len(items), n)
	i := block.MergePath(countA, n-countA, d, x, y, less)
	block.Merge(&items, i, countA, d-i, n-countA, x, y, less)
	dsl.SyncThreads()
	inWarp := dsl.WarpSize() * len(items)
	base := dsl.WarpID() * inWarp
	warp.ToStriped(&items, mem, base)
	warp.Store(&items, base, n, func(i int, v T) { put(first+i, v) })
}
