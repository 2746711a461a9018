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

// Lanes are the lanes of a warp that do an operation together, and what each offers.
type Lanes struct {
	// Active has bit n set where lane n takes part.
	Active uint64
	in     [64]uint64
	votes  uint64 // the lanes that offer an odd number
}

// Of is what a lane offers. HIP leaves undefined what reading a lane that takes no part
// gives: here it is a conspicuous value, NaN as a float.
func (l *Lanes) Of(lane int) uint64 {
	if l.Active>>lane&1 == 0 {
		return poison
	}
	return l.in[lane]
}

// A Result computes what one of the lanes gets, from what all offer and what it says itself.
type Result func(l *Lanes, lane, arg, width int) uint64

// Votes is the lanes that offer 1 and not 0.
func Votes(l *Lanes, _, _, _ int) uint64 { return l.votes }

// Shfl reads the lane arg, modulo the width.
func Shfl(l *Lanes, lane, arg, width int) uint64 {
	return l.Of(lane&^(width-1) | arg&(width-1))
}

// ShflUp reads the lane arg below, ShflDown that above, and ShflXor the one whose number
// differs in the bits of arg: the lane's own value if there is none in its run of width.
func ShflUp(l *Lanes, lane, arg, width int) uint64 {
	if arg >= 0 && arg <= lane&(width-1) {
		return l.Of(lane - arg)
	}
	return l.Of(lane)
}

// ShflDown: see ShflUp.
func ShflDown(l *Lanes, lane, arg, width int) uint64 {
	if arg >= 0 && arg < width-lane&(width-1) {
		return l.Of(lane + arg)
	}
	return l.Of(lane)
}

// ShflXor: see ShflUp. It reads lanes of earlier runs too.
func ShflXor(l *Lanes, lane, arg, width int) uint64 {
	if from := lane ^ arg; from >= 0 && from < lane&^(width-1)+width {
		return l.Of(from)
	}
	return l.Of(lane)
}

// warpOp is what a lane asks for while it waits.
type warpOp struct {
	result     Result
	in         uint64 // what it offers
	more       *Words // the words after in, nil if there are none
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
	l := &r.lanes
	l.Active, l.votes = active, 0
	for rest := active; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		l.in[i] = w.lanes[i].op.in
		l.votes |= l.in[i] & 1 << i
	}
	for rest := active; rest != 0; rest &= rest - 1 {
		t := &w.lanes[bits.TrailingZeros64(rest)]
		t.active = active
		t.out = t.op.result(l, t.Lane, t.op.arg, t.op.width)
	}
	if w.lanes[bits.TrailingZeros64(active)].op.more != nil {
		r.exchangeMore(w, active)
	}
}

// Words are those of a value after its first eight bytes.
type Words [3]uint64

// exchangeMore computes the words after the first of what the lanes get.
func (r *launch) exchangeMore(w *warp, active uint64) {
	l := &r.lanes
	for word := range len(Words{}) {
		for rest := active; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros64(rest)
			l.in[i] = w.lanes[i].op.more[word]
		}
		for rest := active; rest != 0; rest &= rest - 1 {
			t := &w.lanes[bits.TrailingZeros64(rest)]
			t.op.more[word] = t.op.result(l, t.Lane, t.op.arg, t.op.width)
		}
	}
}

// Together offers in to the other lanes of the warp, and returns what result makes of what
// the lanes offer that take part, and which those are. arg and width are result's own.
// With sync, mask names the lanes that must take part.
func (t *Thread) Together(fn string, result Result, in uint64, arg, width int, sync bool, mask uint64) (out, active uint64) {
	t.meet(fn, warpOp{result: result, in: in, arg: arg, width: width, sync: sync, mask: mask})
	return t.out, t.active
}

// Shuffle is Together for values of several words: more are those after the first, and
// become those of the result.
func (t *Thread) Shuffle(fn string, from Result, in uint64, more *Words, arg, width int, sync bool, mask uint64) uint64 {
	t.meet(fn, warpOp{result: from, in: in, more: more, arg: arg, width: width, sync: sync, mask: mask})
	return t.out
}

// CheckWidth panics if a shuffle's width is not a power of two up to the warp size.
func (t *Thread) CheckWidth(fn string, width int) {
	if width < 1 || width > t.WarpSize() || width&(width-1) != 0 {
		panic(fmt.Sprintf("dsl.%s: width %d: want a power of two up to the warp size %d", fn, width, t.WarpSize()))
	}
}

// Vote returns the lanes that take part and those among them that passed true.
func (t *Thread) Vote(fn string, p bool, sync bool, mask uint64) (ballot, active uint64) {
	in := uint64(0)
	if p {
		in = 1
	}
	return t.Together(fn, Votes, in, 0, 0, sync, mask)
}
