package cpu

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// This file finds blocks that wait for others which cannot begin before they have
// ended: the processor runs only as many blocks beside each other as it has
// goroutines. Kernels without loops that wait are not looked at.

// A watch looks at the workers of a launch now and then.
type watch struct {
	mu      sync.Mutex
	workers []*worker // that run compiled code
	begun   uint64    // blocks that calls which have returned had begun
	last    []sight   // of workers, when they were last looked at
	times   int       // how often since then nothing but waiting was seen
	timer   *time.Timer
}

// A sight is what a worker's counters were.
type sight struct {
	w            *worker
	spins, enter uint64
}

const (
	// look is how often a watch looks, and patient how many times it must see
	// nothing but waiting.
	look    = time.Second
	patient = 3
)

// An endless is the error of a launch whose blocks wait for others that cannot begin.
type endless struct {
	device               string
	waited               time.Duration
	left, blocks, beside int
}

func (e *endless) Error() string {
	return fmt.Sprintf("for %v all its blocks have done nothing but wait, and %d of %d blocks have not begun: %s runs %d beside each other, in order, so that a block can wait only for those before it",
		e.waited, e.left, e.blocks, e.device, e.beside)
}

// begin watches l until the function that it returns is called.
func (v *watch) begin(l *launch) (end func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.begun, v.last, v.times = 0, nil, 0
	engine, blocks := l.engine, l.blocks
	v.timer = time.AfterFunc(look, func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.timer == nil {
			return
		}
		if left := v.stuck(blocks); left > 0 && engine.alone() {
			l.Stop(&endless{engine.name, look * patient, int(left), int(blocks), len(v.workers)})
			return
		}
		v.timer.Reset(look)
	})
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.timer.Stop()
		v.timer = nil
	}
}

// joins notes that w runs blocks, until the function that it returns is called.
func (v *watch) joins(w *worker) (leaves func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	atomic.StoreUint64(&w.native.Begun, 0)
	v.workers = append(v.workers, w)
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.begun += atomic.LoadUint64(&w.native.Begun)
		v.workers = slices.DeleteFunc(v.workers, func(o *worker) bool { return o == w })
	}
}

// stuck returns how many blocks have not begun if all workers have long done nothing
// but wait, else 0. v.mu is held.
func (v *watch) stuck(blocks uint64) uint64 {
	var now []sight
	begun := v.begun
	for _, w := range v.workers {
		now = append(now, sight{w, atomic.LoadUint64(&w.native.Spins), atomic.LoadUint64(&w.native.Enter)})
		begun += atomic.LoadUint64(&w.native.Begun)
	}
	waiting := slices.EqualFunc(now, v.last, func(a, b sight) bool {
		return a.w == b.w && a.enter == b.enter && a.spins != b.spins
	})
	v.last = now
	if !waiting || len(now) == 0 || begun >= blocks {
		v.times = 0
		return 0
	}
	if v.times++; v.times < patient {
		return 0
	}
	return blocks - begun
}
