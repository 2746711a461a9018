package simt

import (
	"fmt"
	"math/bits"
	"slices"
)

// A warp is the threads that exchange values directly.
type warp struct {
	lanes   []Thread // part of launch.threads
	moving  int      // lanes not started, running or ready
	waiting int      // lanes at a warp operation
	exited  int
}

// Kind is what a warp operation does.
type Kind uint8

const (
	// Shfl reads the lane Arg, modulo the width.
	Shfl Kind = iota
	// ShflUp reads the lane Arg below.
	ShflUp
	// ShflDown reads the lane Arg above.
	ShflDown
	// ShflXor reads the lane whose number differs in the bits of Arg.
	ShflXor
	vote
)

// warpOp is what a lane asks for while it waits.
type warpOp struct {
	kind       Kind
	in         uint64 // value offered; for vote 1 or 0
	arg, width int
	sync       bool // mask counts
	mask       uint64
}

// halt notes that a lane of w stopped running.
func (r *launch) halt(w *warp) {
	if w.moving--; w.moving == 0 && w.waiting > 0 {
		r.settled = append(r.settled, w)
	}
}

// meet waits until the lanes that take part in op have arrived, and fills t.out
// and t.active. The last lane of a warp to arrive does the work and runs on.
func (t *Thread) meet(fn string, op warpOp) {
	r := t.run
	if op.sync {
		op.mask &= ^uint64(0) >> (64 - r.cfg.WarpSize)
		if op.mask>>t.Lane&1 == 0 {
			panic(fmt.Sprintf("dsl.%s: mask %#x does not name the calling lane %d", fn, op.mask, t.Lane))
		}
	}
	t.op, t.at, t.state = op, here(fn), atWarp
	w := &r.warps[t.Warp]
	w.waiting++
	if w.moving--; w.moving == 0 {
		r.release(w, t)
		if t.state == moving {
			return
		}
	}
	t.park()
}

// A group is the lanes of a warp that wait at the same call with the same mask.
type group struct {
	at          *site
	sync        bool
	mask, lanes uint64
}

// release lets one group of the lanes that wait in w run on: of those that are
// complete the one that comes first in the source. self is the lane that calls
// it, nil if the scheduler does.
func (r *launch) release(w *warp, self *Thread) {
	var groups [64]group
	n, live := 0, uint64(0)
	for i := range w.lanes {
		t := &w.lanes[i]
		if t.state != exited {
			live |= 1 << i
		}
		if t.state != atWarp {
			continue
		}
		g := slices.IndexFunc(groups[:n], func(g group) bool { return g.at == t.at && g.mask == t.op.mask })
		if g < 0 {
			g = n
			groups[g] = group{at: t.at, sync: t.op.sync, mask: t.op.mask}
			n++
		}
		groups[g].lanes |= 1 << i
	}
	var first *group
	for i := range groups[:n] {
		g := &groups[i]
		complete := !g.sync || g.mask&live&^g.lanes == 0
		if complete && (first == nil || g.at.before(first.at)) {
			first = g
		}
	}
	if first == nil {
		r.fail = r.stuckWarp(w)
		return
	}
	r.exchange(w, first.lanes)
	for rest := first.lanes; rest != 0; rest &= rest - 1 {
		t := &w.lanes[bits.TrailingZeros64(rest)]
		t.state = moving
		w.waiting--
		w.moving++
		if t != self {
			r.ready.push(t)
		}
	}
}

// exchange computes the results of the operation that the given lanes wait in.
func (r *launch) exchange(w *warp, active uint64) {
	var ballot uint64
	for rest := active; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		ballot |= w.lanes[i].op.in & 1 << i
	}
	for rest := active; rest != 0; rest &= rest - 1 {
		t := &w.lanes[bits.TrailingZeros64(rest)]
		t.active = active
		if t.op.kind == vote {
			t.out = ballot
			continue
		}
		if src := t.op.source(t.Lane); active>>src&1 != 0 {
			t.out = w.lanes[src].op.in
		} else {
			t.out = poison
		}
	}
}

// source returns the lane that lane reads from.
func (op *warpOp) source(lane int) int {
	base := lane &^ (op.width - 1)
	switch op.kind {
	case Shfl:
		return base | op.arg&(op.width-1)
	case ShflUp:
		if op.arg >= 0 && op.arg <= lane-base {
			return lane - op.arg
		}
	case ShflDown:
		if op.arg >= 0 && op.arg < base+op.width-lane {
			return lane + op.arg
		}
	case ShflXor:
		if src := lane ^ op.arg; src >= 0 && src < base+op.width {
			return src
		}
	}
	return lane
}

// Shuffle offers the bits v to the other lanes and returns those of the lane
// that kind and arg choose within each run of width lanes (HIP's __shfl
// functions). With sync, mask names the lanes that must take part. HIP leaves
// undefined what reading a lane that takes no part gives: here it is a
// conspicuous value, NaN as a float.
func (t *Thread) Shuffle(fn string, kind Kind, v uint64, arg, width int, sync bool, mask uint64) uint64 {
	if width < 1 || width > t.WarpSize() || width&(width-1) != 0 {
		panic(fmt.Sprintf("dsl.%s: width %d: want a power of two up to the warp size %d", fn, width, t.WarpSize()))
	}
	t.meet(fn, warpOp{kind: kind, in: v, arg: arg, width: width, sync: sync, mask: mask})
	return t.out
}

// Vote returns the lanes that take part and those among them that passed true.
func (t *Thread) Vote(fn string, p bool, sync bool, mask uint64) (ballot, active uint64) {
	op := warpOp{kind: vote, sync: sync, mask: mask}
	if p {
		op.in = 1
	}
	t.meet(fn, op)
	return t.out, t.active
}
