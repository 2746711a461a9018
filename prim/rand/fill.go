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
	draw(g P) [group]T // the next elements
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
		if i >= len(packs) {
			rest(out, i*group, d.draw(P(&g)))
			return
		}
		packs[i] = d.draw(P(&g))
	}
}

// fillAny is fill for a generator whose next word is not the first of a block, and for memory that is not
// aligned.
func fillAny[T, S any, P Engine[S], D distribution[T, P]](out []T, g S, d D, run int) {
	first := dsl.GlobalIdx().X * run
	if first*group >= len(out) {
		return
	}
	P(&g).Skip(uint64(first * group * d.words()))
	for i := first; i < first+run && i*group < len(out); i++ {
		rest(out, i*group, d.draw(P(&g)))
	}
}

// rest writes those of v that are elements of out.
func rest[T any](out []T, at int, v [group]T) {
	//heddle:unroll
	for k := range group {
		if at+k < len(out) {
			out[at+k] = v[k]
		}
	}
}

const (
	block   = 256
	packed  = 16      // bytes: the alignment of a store of 128 bits
	threads = 1 << 16 // of a fill whose generator skips slowly: more than any device runs at once would only skip more
	minRun  = 16      // groups of a thread then
)

// fillWith queues a fill, and moves g over its words.
func fillWith[T, S any, P Engine[S], D distribution[T, P]](name string, s *launch.Stream, out *launch.Buffer[T], g P, d D) error {
	if err := present(name, s, out, g); err != nil {
		return err
	}
	n := out.Len()
	groups := (n + group - 1) / group
	run := 1
	if !g.blocked() {
		for run = minRun; run*threads < groups; run *= 2 {
		}
	}
	if n == 0 {
		return nil
	}
	cfg := launch.Linear((groups+run-1)/run, block)
	var err error
	if whole := n / group * group; g.phase() != 0 || uintptr(out.Pointer())%packed != 0 || whole == 0 {
		err = kernel.New(fillAny[T, S, P, D]).Launch(s, cfg, out, *g, d, run)
	} else {
		packs, viewErr := launch.View[[group]T](out.Slice(0, whole))
		if viewErr != nil {
			return viewErr
		}
		err = kernel.New(fill[T, S, P, D]).Launch(s, cfg, packs, out, *g, d, run)
	}
	if err == nil {
		if _, pairs := any(d).(interface{ pairs() }); pairs {
			n += n & 1
		}
		g.Skip(uint64(d.words()) * uint64(n))
	}
	return err
}
