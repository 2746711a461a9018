package launch

import (
	"context"
	"math"
	"sync/atomic"
	"time"
)

// A gate counts the calls that use a device. Once it is closed, none may begin.
type gate struct {
	state atomic.Int64  // the calls under way; below 0 once it is closed
	idle  chan struct{} // has something when the last call has left a closed gate
}

// shut is what closing adds to the state.
const shut = math.MinInt64 / 2

// enter begins a call; where it returns true, leave must follow.
func (g *gate) enter() bool {
	if g.state.Add(1) > 0 {
		return true
	}
	g.leave()
	return false
}

func (g *gate) leave() {
	if g.state.Add(-1) == shut {
		select {
		case g.idle <- struct{}{}:
		default:
		}
	}
}

// close reports whether it was this call that closed the gate.
func (g *gate) close() bool {
	for {
		n := g.state.Load()
		if n < 0 {
			return false
		}
		if g.state.CompareAndSwap(n, n+shut) {
			return true
		}
	}
}

func (g *gate) closed() bool { return g.state.Load() < 0 }

// patience is how long a call may take that has nothing left to wait for.
const patience = time.Second

// wait waits until no call is under way, for as long as ctx lasts and some patience
// more, and reports whether that is so.
func (g *gate) wait(ctx context.Context) bool {
	var late <-chan time.Time
	done := ctx.Done()
	for g.state.Load() != shut {
		select {
		case <-g.idle:
		case <-done:
			done, late = nil, time.After(patience)
		case <-late:
			return false
		}
	}
	return true
}
