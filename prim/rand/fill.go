package rand

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// group is how many elements a thread writes at once.
const group = 8

// A distribution makes elements of T of the words of P. It is an argument of the kernel: a plain value.
type distribution[T, P any] interface {
	words() int        // of an element; it may draw others, but leaves g after these
	draw(g P) (x, y T) // the next two elements
}

// fill writes one group, or run groups, for each thread: packs are the whole groups of out. All of g's words are drawn by
// position, so which thread draws them is nothing to them.
func fill[T, S any, P Engine[S], D distribution[T, P]](packs [][group]T, out []T, g S, d D, run int) {
	first := dsl.GlobalIdx().X * run
	if first*group >= len(out) {
		return
	}
	P(&g).Skip(uint64(first * group * d.words()))
	P(&g).align()
	for i := first; i < first+run; i++ {
		var v [group]T
		//heddle:unroll
		for k := 0; k < group; k += 2 {
			v[k], v[k+1] = d.draw(P(&g))
		}
		if i < len(packs) {
			packs[i] = v
			continue
		}
		//heddle:unroll
		for k := range group {
			if i*group+k < len(out) {
				out[i*group+k] = v[k]
			}
		}
		return
	}
}

// fillAny is fill for a generator whose next word is not the first of a block, and for memory that is not
// aligned. It writes two elements, or run times two, for each thread.
func fillAny[T, S any, P Engine[S], D distribution[T, P]](out []T, g S, d D, run int) {
	first := dsl.GlobalIdx().X * run * 2
	if first >= len(out) {
		return
	}
	P(&g).Skip(uint64(first * d.words()))
	for i := first; i < min(first+2*run, len(out)); i += 2 {
		x, y := d.draw(P(&g))
		out[i] = x
		if i+1 < len(out) {
			out[i+1] = y
		}
	}
}

const (
	block   = 256
	packed  = 16      // bytes: the alignment of a store of 128 bits
	threads = 1 << 16 // of a fill whose generator skips slowly: more than any device runs at once would only skip more
	minRun  = 16      // times what a thread writes at once, then
)

// fillWith queues a fill, and moves g over its words.
func fillWith[T, S any, P Engine[S], D distribution[T, P]](name string, s *launch.Stream, out *launch.Buffer[T], g P, d D) error {
	if err := present(name, s, out, g); err != nil {
		return err
	}
	n := out.Len()
	if n == 0 {
		return nil
	}
	var packs *launch.Buffer[[group]T]
	each := 2                       // elements at once
	_, bools := any(*new(T)).(bool) // which have no view
	if whole := n / group * group; g.phase() == 0 && uintptr(out.Pointer())%packed == 0 && whole > 0 && !bools {
		view, err := launch.View[[group]T](out.Slice(0, whole))
		if err != nil {
			return err
		}
		packs, each = view, group
	}
	run := 1
	if !g.blocked() {
		for run = minRun; run*each*threads < n; run *= 2 {
		}
	}
	cfg := launch.Linear((n+run*each-1)/(run*each), block)
	var err error
	if packs != nil {
		err = kernel.New(fill[T, S, P, D]).Launch(s, cfg, packs, out, *g, d, run)
	} else {
		err = kernel.New(fillAny[T, S, P, D]).Launch(s, cfg, out, *g, d, run)
	}
	if err == nil {
		if _, pairs := any(d).(interface{ pairs() }); pairs {
			n += n & 1
		}
		g.Skip(uint64(d.words()) * uint64(n))
	}
	return err
}
