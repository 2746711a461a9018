package simt

import (
	"fmt"
	"slices"
	"strings"
)

// A Panic is the error of a launch in which a thread panicked or called runtime.Goexit.
type Panic struct {
	Pos    Pos
	Calls  []Pos // that led there from the function that Run runs, innermost first
	Block  Dim
	Thread Dim
	Value  any  // what the thread panicked with
	Shared bool // the block has shared memory
}

func (e *Panic) Error() string {
	return fmt.Sprintf("%v: panic: %v (block %v, thread %v)", e.Pos, e.Value, e.Block, e.Thread)
}

// Unwrap returns the panic's value if it is an error.
func (e *Panic) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// A Stuck is the error of a launch whose threads wait for each other at
// different places.
type Stuck struct {
	Kernel string // its name, if Run's caller knows it
	Pos    Pos    // where one of them waits
	Calls  []Pos  // that led there, innermost first
	What   string // "barrier divergence" or "warp deadlock"
	Block  Dim
	Thread Dim // one that waits at Pos
	Detail string
}

func (e *Stuck) Error() string {
	kernel := ""
	if e.Kernel != "" {
		kernel = "kernel " + e.Kernel + ": "
	}
	text := fmt.Sprintf("%v: %s%s in block %v: %s", e.Pos, kernel, e.What, e.Block, e.Detail)
	for _, c := range e.Calls {
		text += "\n\tcalled from " + c.String()
	}
	return text
}

// failed notes what ended the coroutine that t ran in.
func (r *launch) failed(t *Thread, value any) {
	if _, ok := value.(stopped); ok || r.fail != nil || t == nil {
		return
	}
	if _, ok := value.(halt); ok {
		at, _ := panicPos()
		r.fail = &Halted{Cause: r.cfg.Halt.why(), Pos: at, Block: r.block, Thread: t.Idx}
		return
	}
	at, calls := panicPos()
	e := &Panic{Pos: at, Calls: calls, Block: r.block, Thread: t.Idx, Value: value, Shared: len(r.shared.vars) > 0 || r.shared.size > 0}
	if value == nil {
		e.Value = "the kernel called runtime.Goexit, which ends a goroutine; return from the kernel instead"
	}
	r.fail = e
}

// stuckBarrier describes a barrier that not all threads of the block reach.
func (r *launch) stuckBarrier() *Stuck {
	e := &Stuck{What: "barrier divergence", Block: r.block}
	e.Detail = r.census(r.threads, e) + "; every thread of a block must reach the same barrier"
	return e
}

// stuckWarp describes masked operations of a warp of which none can complete.
func (r *launch) stuckWarp(w *warp) *Stuck {
	e := &Stuck{What: fmt.Sprintf("warp deadlock in warp %d", w.lanes[0].Warp), Block: r.block}
	e.Detail = r.census(w.lanes, e) + "; all lanes that a mask names must make the same call with the same mask"
	return e
}

// stuckSpin describes a block whose threads wait for what does not come.
func (r *launch) stuckSpin() *Stuck {
	waiting := slices.Concat(r.spinning, r.ready.threads[r.ready.head:])
	t := waiting[0]
	detail := fmt.Sprintf("; %d of %d blocks have not begun: the simulator runs one block after the other, so that a block can wait only for those before it",
		r.blocks-r.blockNo-1, r.blocks)
	if r.cfg.Together {
		detail = " in any block"
	}
	return &Stuck{
		Pos: t.at.pos, Calls: t.at.calls(), What: "endless wait", Block: r.block, Thread: t.Idx,
		Detail: fmt.Sprintf("%d of its %d threads have waited here for %v, for nothing changes%s",
			len(waiting), len(r.threads), endlessAfter, detail),
	}
}

// census says where the given threads are, and completes e from the first that waits.
func (r *launch) census(threads []Thread, e *Stuck) string {
	type place struct {
		at    *site
		state state
		op    warpOp
	}
	var places []place
	count := map[int]int{}
	first := map[int]*Thread{}
	gone := 0
	for i := range threads {
		t := &threads[i]
		if t.state == exited {
			gone++
			continue
		}
		here := func(p place) bool { return p.at == t.at && p.state == t.state && p.op.mask == t.op.mask }
		n := slices.IndexFunc(places, here)
		if n < 0 {
			n = len(places)
			places = append(places, place{t.at, t.state, t.op})
			first[n] = t
		}
		count[n]++
	}
	e.Pos, e.Calls, e.Thread = places[0].at.pos, places[0].at.calls(), first[0].Idx
	var s []string
	for i, p := range places {
		mask := ""
		if p.op.sync {
			mask = fmt.Sprintf(" with mask %#x", p.op.mask)
		}
		s = append(s, fmt.Sprintf("%d of %d threads wait at dsl.%s%s (%v, first thread %v)",
			count[i], len(threads), p.at.fn, mask, p.at.pos, first[i].Idx))
	}
	if gone > 0 {
		s = append(s, fmt.Sprintf("%d have returned", gone))
	}
	return strings.Join(s, ", ")
}
