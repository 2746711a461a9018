package prim

import (
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim/block"
	"heddle/prim/warp"
)

// Reduce sets out[0] to init op in[0] op in[1] and so on (hipcub::DeviceReduce::Reduce). op must not depend on
// the order of its arguments, nor on how several values are grouped. A sum of floats is the same on each run on one device with one
// tuning; [Deterministic] makes it the same on all. Values have at most 32 bytes. out may be a part of in.
func Reduce[T comparable](s *launch.Stream, out, in *launch.Buffer[T], init T, op func(a, b T) T, opts ...Options) error {
	const fn = "Reduce"
	if err := first(stream(fn, s), live(fn, "in", in), atLeast(fn, "out", out, 1), function(fn, "op", op), exchanged[T](fn)); err != nil {
		return err
	}
	o := merged(opts)
	if uintptr(in.Pointer())%16 != 0 || in.Len() == 0 {
		// the order of vectors, element by element
		switch vectorOf[T]() {
		case 16:
			return reduceAt[T, [16]T](s, fn, out, in.Len(), of(in), init, op, o)
		case 8:
			return reduceAt[T, [8]T](s, fn, out, in.Len(), of(in), init, op, o)
		case 4:
			return reduceAt[T, [4]T](s, fn, out, in.Len(), of(in), init, op, o)
		case 2:
			return reduceAt[T, [2]T](s, fn, out, in.Len(), of(in), init, op, o)
		}
		return reduceAt[T, [1]T](s, fn, out, in.Len(), of(in), init, op, o)
	}
	switch vectorOf[T]() {
	case 16:
		return reduceVec[T, [16]T](s, fn, out, in, init, op, o)
	case 8:
		return reduceVec[T, [8]T](s, fn, out, in, init, op, o)
	case 4:
		return reduceVec[T, [4]T](s, fn, out, in, init, op, o)
	case 2:
		return reduceVec[T, [2]T](s, fn, out, in, init, op, o)
	}
	return reduceVec[T, [1]T](s, fn, out, in, init, op, o)
}

// ReduceFunc is [Reduce] of the n values that at returns: see [Of].
func ReduceFunc[T comparable](s *launch.Stream, out *launch.Buffer[T], n int, at func(i int) T, init T, op func(a, b T) T, opts ...Options) error {
	const fn = "ReduceFunc"
	if err := first(stream(fn, s), count(fn, n), atLeast(fn, "out", out, 1), function(fn, "at", at), function(fn, "op", op), exchanged[T](fn)); err != nil {
		return err
	}
	return reduceAt[T, [1]T](s, fn, out, n, at, init, op, merged(opts))
}

// vectorOf is how many elements of T make a load of 16 bytes; 1 where none do.
func vectorOf[T any]() int {
	switch unsafe.Sizeof(*new(T)) {
	case 1:
		return 16
	case 2:
		return 8
	case 4:
		return 4
	case 8:
		return 2
	}
	return 1
}

// loads is how many vectors a thread has under way.
const loads = 4

// vecs is the whole vectors of a buffer, whose address is a multiple of 16.
func vecs[T, V any](b *launch.Buffer[T]) (*launch.Buffer[block.Vec[V]], error) {
	return launch.KeptView[block.Vec[V]](b)
}

func reduceVec[T comparable, V warp.Items[T]](s *launch.Stream, fn string, out, in *launch.Buffer[T], init T, op func(a, b T) T, o Options) error {
	wide, err := vecs[T, V](in)
	if err != nil {
		return err
	}
	return reduceIn[T, V](s, fn, out, in.Len(), init, op, o, func(threads, blocks int, final bool, to *launch.Buffer[T]) error {
		k := kernel.NewWith(func(wide []block.Vec[V], in, out []T, init T) {
			reducePart[T, V](threads, out, len(in),
				func(i int) V { return elem(unsafe.SliceData(wide), i).A }, func(i int) T { return in[i] }, init, final, op)
		}, kernel.Options{MaxThreads: threads, Specialize: []string{"threads", "final"}})
		return k.Launch(s, launch.Linear(blocks*threads, threads), wide, in, to, init)
	})
}

func reduceAt[T comparable, V warp.Items[T]](s *launch.Stream, fn string, out *launch.Buffer[T], n int, at func(i int) T, init T, op func(a, b T) T, o Options) error {
	return reduceIn[T, V](s, fn, out, n, init, op, o, func(threads, blocks int, final bool, to *launch.Buffer[T]) error {
		k := kernel.NewWith(func(_ block.Vec[V], out []T, n int, init T) {
			reducePart[T, V](threads, out, n, func(i int) V {
				var v V
				for j := 0; j < len(v); j++ {
					v[j] = at(i*len(v) + j)
				}
				return v
			}, at, init, final, op)
		}, kernel.Options{MaxThreads: threads, Specialize: []string{"threads", "final"}})
		return k.Launch(s, launch.Linear(blocks*threads, threads), block.Vec[V]{}, to, n, init)
	})
}

// aloneThreads are those of a block that does a short reduction alone, which saves a launch.
const aloneThreads = 1024

// fixedBlocks is how many blocks a Deterministic reduction has at most.
const fixedBlocks = 1024

// reduceIn reduces in one launch, or in two: run launches blocks that store their results in to.
func reduceIn[T comparable, V warp.Items[T]](s *launch.Stream, fn string, out *launch.Buffer[T], n int, init T, op func(a, b T) T, o Options, run func(threads, blocks int, final bool, to *launch.Buffer[T]) error) (err error) {
	tune, err := tuned(s, "reduce", int(unsafe.Sizeof(init)), o)
	if err != nil {
		return err
	}
	most := tune.Blocks * s.Device().Info().ComputeUnits
	if o.Deterministic {
		tune.Threads, most = 256, fixedBlocks
	}
	var v V
	perTile := tune.Threads * loads * len(v)
	blocks := max(1, min(most, n/perTile))
	if blocks > 1 && n <= aloneThreads*tune.Items*len(v) && !o.Deterministic {
		tune.Threads, blocks = aloneThreads, 1
	}
	t := &temp{fn: fn, s: s, o: o}
	part := tempPart[T]{}
	if blocks > 1 {
		part = want[T](t, blocks, false)
	}
	if done, err := t.get(); done || err != nil {
		return err
	}
	if blocks == 1 {
		return run(tune.Threads, 1, true, out)
	}
	defer t.close(&err)
	parts, err := have(t, part)
	if err != nil {
		return err
	}
	if err := run(tune.Threads, blocks, false, parts); err != nil {
		return err
	}
	threads := tune.Threads
	k := kernel.NewWith(func(in, out []T, init T) {
		reducePart[T, [1]T](threads, out, len(in), func(i int) [1]T { return [1]T{in[i]} }, func(i int) T { return in[i] }, init, true, op)
	}, kernel.Options{MaxThreads: threads, Specialize: []string{"threads"}})
	return k.Launch(s, launch.Linear(threads, threads), parts, out, init)
}

// reducePart reduces what falls to a block of n elements, and stores it in out[block], with init ahead if it is final. A
// tile is loads vectors of each thread. The blocks take turns; the last one takes what is left over as well.
func reducePart[T comparable, V warp.Items[T]](threads int, out []T, n int, vec func(i int) V, at func(i int) T, init T, final bool, op func(a, b T) T) {
	var v V
	t, blocks := dsl.ThreadIdx().X, dsl.GridDim().X
	perTile := threads * loads * len(v)
	tiles := n / perTile
	var sum block.Before[T]
	for tile := dsl.BlockIdx().X; tile < tiles; tile += blocks {
		var own [loads]V
		for k := range loads {
			own[k] = vec((tile*loads+k)*threads + t)
		}
		part := foldVecs[T](&own, op)
		if sum.Any {
			part = op(sum.Value, part)
		}
		sum = block.Before[T]{Value: part, Any: true}
	}
	whole := sum.Any // for all threads
	if dsl.BlockIdx().X == blocks-1 {
		for i := tiles*perTile + t; i < n; i += loads * threads {
			var own [loads]T // all under way at once
			for k := range loads {
				if j := i + k*threads; j < n {
					own[k] = at(j)
				}
			}
			for k := range loads {
				if i+k*threads < n {
					part := own[k]
					if sum.Any {
						part = op(sum.Value, part)
					}
					sum = block.Before[T]{Value: part, Any: true}
				}
			}
		}
	}
	all := sum.Value
	switch {
	case whole:
		all = block.ReduceIn(threads, all, op)
	case n > 0:
		all = block.ReduceFirst(all, min(n, threads), op)
	}
	if t == 0 {
		if final && n > 0 {
			all = op(init, all)
		} else if final {
			all = init
		}
		out[dsl.BlockIdx().X] = all
	}
}

// foldVecs reduces vectors, as a tree.
func foldVecs[T any, V warp.Items[T]](own *[loads]V, op func(a, b T) T) T {
	var first V
	for j := 0; j < len(first); j++ {
		first[j] = op(op((*own)[0][j], (*own)[1][j]), op((*own)[2][j], (*own)[3][j]))
	}
	for half := len(first) / 2; half > 0; half /= 2 {
		for j := 0; j < half; j++ {
			first[j] = op(first[j], first[j+half])
		}
	}
	return first[0]
}
