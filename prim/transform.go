package prim

import (
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim/block"
	"heddle/prim/warp"
)

// Transform sets out[i] to f(in[i]) (hipcub::DeviceTransform). in and out have the same length, and may be the same buffer.
func Transform[T, U any](s *launch.Stream, out *launch.Buffer[U], in *launch.Buffer[T], f func(v T) U, opts ...Options) error {
	const fn = "Transform"
	if err := first(stream(fn, s), live(fn, "in", in), same(fn, "out", out, in.Len()), apart(fn, "out", out, "in", in, true), function(fn, "f", f)); err != nil {
		return err
	}
	if uintptr(in.Pointer())%16 == 0 && uintptr(out.Pointer())%16 == 0 && in.Len() > 0 {
		switch max(unsafe.Sizeof(*new(T)), unsafe.Sizeof(*new(U))) {
		case 1:
			return transformVec[T, U, [16]T, [16]U](s, fn, out, in, f, opts)
		case 2:
			return transformVec[T, U, [8]T, [8]U](s, fn, out, in, f, opts)
		case 4:
			return transformVec[T, U, [4]T, [4]U](s, fn, out, in, f, opts)
		case 8:
			return transformVec[T, U, [2]T, [2]U](s, fn, out, in, f, opts)
		}
	}
	at := of(in)
	return generate(s, fn, out, func(i int) U { return f(at(i)) }, opts)
}

// Generate sets out[i] to at(i). It is a transformation of as many inputs as at captures: see [Of].
//
//	prim.Generate(s, c, func(i int) float32 { return a.Device()[i] + k*b.Device()[i] })
func Generate[U any](s *launch.Stream, out *launch.Buffer[U], at func(i int) U, opts ...Options) error {
	const fn = "Generate"
	if err := first(stream(fn, s), live(fn, "out", out), function(fn, "at", at)); err != nil {
		return err
	}
	return generate(s, fn, out, at, opts)
}

// Transform2 sets out[i] to f(a[i], b[i]): see [Transform].
func Transform2[A, B, U any](s *launch.Stream, out *launch.Buffer[U], a *launch.Buffer[A], b *launch.Buffer[B], f func(a A, b B) U, opts ...Options) error {
	const fn = "Transform2"
	if err := first(stream(fn, s), live(fn, "a", a), same(fn, "b", b, a.Len()), same(fn, "out", out, a.Len()),
		apart(fn, "out", out, "a", a, true), apart(fn, "out", out, "b", b, true), function(fn, "f", f)); err != nil {
		return err
	}
	x, y := of(a), of(b)
	return generate(s, fn, out, func(i int) U { return f(x(i), y(i)) }, opts)
}

// Transform3 sets out[i] to f(a[i], b[i], c[i]): see [Transform]. For more inputs see [Generate].
func Transform3[A, B, C, U any](s *launch.Stream, out *launch.Buffer[U], a *launch.Buffer[A], b *launch.Buffer[B], c *launch.Buffer[C], f func(a A, b B, c C) U, opts ...Options) error {
	const fn = "Transform3"
	if err := first(stream(fn, s), live(fn, "a", a), same(fn, "b", b, a.Len()), same(fn, "c", c, a.Len()), same(fn, "out", out, a.Len()),
		apart(fn, "out", out, "a", a, true), apart(fn, "out", out, "b", b, true), apart(fn, "out", out, "c", c, true), function(fn, "f", f)); err != nil {
		return err
	}
	x, y, z := of(a), of(b), of(c)
	return generate(s, fn, out, func(i int) U { return f(x(i), y(i), z(i)) }, opts)
}

// generateItems is how many elements a thread of generate has.
const generateItems = 4

func generate[U any](s *launch.Stream, fn string, out *launch.Buffer[U], at func(i int) U, opts []Options) error {
	return forEach(s, out.Len(), func(i int) { out.Device()[i] = at(i) }, fn, opts)
}

// forEach calls f for 0 to n-1.
func forEach(s *launch.Stream, n int, f func(i int), fn string, opts []Options) error {
	threads, done, err := shape(s, n, opts)
	if done || err != nil {
		return err
	}
	k := kernel.NewWith(func(n int) {
		base := dsl.BlockIdx().X*threads*generateItems + dsl.ThreadIdx().X
		if base+(generateItems-1)*threads < n {
			for k := range generateItems {
				f(base + k*threads)
			}
			return
		}
		for k := range generateItems {
			if base+k*threads < n {
				f(base + k*threads)
			}
		}
	}, kernel.Options{MaxThreads: threads, Specialize: []string{"threads"}})
	return k.Launch(s, launch.Linear((n+generateItems-1)/generateItems, threads), n)
}

// shape is the threads of a block of a transformation; done if nothing is to be launched.
func shape(s *launch.Stream, n int, opts []Options) (threads int, done bool, err error) {
	o := merged(opts)
	tune, err := tuned(s, "transform", 0, o)
	return tune.Threads, o.need != nil || n == 0, err
}

func transformVec[T, U any, V warp.Items[T], W warp.Items[U]](s *launch.Stream, fn string, out *launch.Buffer[U], in *launch.Buffer[T], f func(v T) U, opts []Options) error {
	threads, done, err := shape(s, in.Len(), opts)
	if done || err != nil {
		return err
	}
	wide, err := vecs[T, V](in)
	if err != nil {
		return err
	}
	wideOut, err := vecs[U, W](out)
	if err != nil {
		return err
	}
	k := kernel.NewWith(func(wideOut []block.Vec[W], wide []block.Vec[V], out []U, in []T) {
		t := dsl.ThreadIdx().X
		first := dsl.BlockIdx().X*threads*transformVecs + t
		if first+(transformVecs-1)*threads < len(wide) {
			var own [transformVecs]V
			for k := range transformVecs {
				own[k] = elem(unsafe.SliceData(wide), first+k*threads).A
			}
			for k := range transformVecs {
				elem(unsafe.SliceData(wideOut), first+k*threads).A = mapVec[T, U, V, W](own[k], f)
			}
		} else {
			for k := range transformVecs {
				if i := first + k*threads; i < len(wide) {
					wideOut[i].A = mapVec[T, U, V, W](wide[i].A, f)
				}
			}
		}
		var v V // what is left over is less than a vector
		if i := len(wide)*len(v) + t; dsl.BlockIdx().X == 0 && i < len(in) {
			out[i] = f(in[i])
		}
	}, kernel.Options{MaxThreads: threads, Specialize: []string{"threads"}})
	return k.Launch(s, launch.Linear(max(1, (wide.Len()+transformVecs-1)/transformVecs), threads), wideOut, wide, out, in)
}

// transformVecs is how many vectors a thread of transformVec has.
const transformVecs = 2

func mapVec[T, U any, V warp.Items[T], W warp.Items[U]](v V, f func(v T) U) W {
	var w W
	for i := 0; i < len(v); i++ {
		w[i] = f(v[i])
	}
	return w
}
