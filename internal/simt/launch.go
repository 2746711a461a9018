package simt

import (
	"fmt"
	"slices"
	"time"
	"unsafe"

	"heddle/internal/symbol"
)

// Config is the shape of one launch.
type Config struct {
	Grid, Block Dim // every axis at least 1
	WarpSize    int // 32 or 64
	Shared      int // dynamic shared memory of a block, bytes
	SharedMax   int // shared memory of a block, bytes; 0 for no limit
	// Print takes what threads print. Nil: it is lost.
	Print func(text string)
	// Symbol is the instance of a device variable. Nil: its initial value is.
	Symbol func(*symbol.Variable) (unsafe.Pointer, error)
	// Together: all blocks run at once, in turns, and may wait for each other.
	Together bool
	// Halt, if not nil, can end the launch.
	Halt *Halt
}

// lock lets one launch of the process run at a time: see current.
var lock = make(chan struct{}, 1)

// A launch is the state of one running grid.
type launch struct {
	cfg     Config
	body    func()
	block   Dim // the block that runs
	blockNo int
	blocks  int
	end     int // the number of the first block that another runs

	threads []Thread // of the block
	warps   []warp
	cur     int // the warp whose lanes are being started
	next    int // the first thread not started
	bound   int // the end of warp cur
	exited  int
	waiting int // threads at a barrier

	ready    queue     // may run on
	spinning []*Thread // may run on once nothing else can
	quiet    int       // turns of those since any thread got anywhere
	since    time.Time // when that was
	settled  []*warp   // no lane can run on, some wait for each other
	idle     []*worker
	workers  []*worker
	fail     error

	lanes  Lanes // of the operation whose results are computed
	shared sharedMemory
}

// Run runs body once for every thread of the grid and returns when all have
// ended, or the first has failed: *Panic, *Stuck, *Halted, or an error about cfg. Only
// one Run is active at a time; others wait for it.
func Run(cfg Config, body func()) error {
	if err := cfg.check(); err != nil {
		return err
	}
	runs := []*launch{newLaunch(cfg, body)}
	if cfg.Together {
		runs = oneEach(cfg, body)
	}
	if err := cfg.Halt.begin(runs[0]); err != nil {
		return err
	}
	defer cfg.Halt.end()
	// A kernel that calls runtime.Goexit ends the goroutine that resumed it, and one
	// that is locked to its thread can resume none that was made elsewhere, so the
	// coroutines have a goroutine of their own from first to last.
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for _, r := range runs {
			defer r.stop()
		}
		defer func() { current = nil }()
		together(runs)
	}()
	<-ended
	for _, r := range runs { // not of the goroutine, which may have been ended
		if r.fail != nil {
			return r.fail
		}
	}
	return nil
}

// oneEach are launches of one block each.
func oneEach(cfg Config, body func()) (runs []*launch) {
	for i := range cfg.Grid.count() {
		r := newLaunch(cfg, body)
		r.beginBlock(i)
		r.end = i + 1
		runs = append(runs, r)
	}
	return runs
}

// together runs launches in turns, each until its threads only wait for others, to their end
// or the first failure.
func together(runs []*launch) {
	left := slices.Clone(runs)
	var since time.Time // when any of them got anywhere
	for len(left) > 0 {
		moved := false
		left = slices.DeleteFunc(left, func(r *launch) bool {
			was := r.quiet
			over := r.schedule()
			moved = moved || over || r.quiet <= was
			return over && r.fail == nil
		})
		for _, r := range left {
			if r.fail != nil {
				return
			}
		}
		switch {
		case moved:
			since = time.Time{}
		case since.IsZero():
			since = time.Now()
		case len(left) > 0 && time.Since(since) > endlessAfter:
			left[0].fail = left[0].stuckSpin()
			return
		}
	}
}

func (c *Config) check() error {
	for _, d := range [...]Dim{c.Grid, c.Block} {
		if d.X < 1 || d.Y < 1 || d.Z < 1 {
			return fmt.Errorf("simt: grid %v, block %v: every axis must be at least 1", c.Grid, c.Block)
		}
	}
	if c.WarpSize != 32 && c.WarpSize != 64 {
		return fmt.Errorf("simt: warp size %d: want 32 or 64", c.WarpSize)
	}
	if c.Shared < 0 {
		return fmt.Errorf("simt: %d bytes of dynamic shared memory", c.Shared)
	}
	return nil
}

func newLaunch(cfg Config, body func()) *launch {
	n := cfg.Block.count()
	r := &launch{
		cfg: cfg, body: body, blocks: cfg.Grid.count(), end: cfg.Grid.count(),
		threads: make([]Thread, n),
		warps:   make([]warp, (n+cfg.WarpSize-1)/cfg.WarpSize),
		shared:  newSharedMemory(cfg.Shared),
	}
	for i := range r.threads {
		r.threads[i] = Thread{Idx: cfg.Block.at(i), Lane: i % cfg.WarpSize, Warp: i / cfg.WarpSize, run: r}
	}
	for i := range r.warps {
		r.warps[i].lanes = r.threads[i*cfg.WarpSize : min((i+1)*cfg.WarpSize, n)]
	}
	r.beginBlock(0)
	return r
}

// beginBlock makes block number i the one that runs.
func (r *launch) beginBlock(i int) {
	r.blockNo, r.block = i, r.cfg.Grid.at(i)
	r.cur, r.next, r.exited = 0, 0, 0
	r.bound = len(r.warps[0].lanes)
	for i := range r.warps {
		r.warps[i].moving, r.warps[i].exited, r.warps[i].waiting = len(r.warps[i].lanes), 0, 0
	}
}

// take returns the next thread to start, nil if one that waits must run first
// or the launch has ended.
func (r *launch) take() *Thread {
	if r.fail != nil {
		return nil
	}
	if r.next == r.bound {
		if w := &r.warps[r.cur]; w.exited < len(w.lanes) {
			return nil
		}
		if r.next < len(r.threads) {
			r.startWarp()
		} else if r.exited < len(r.threads) || r.blockNo+1 == r.end {
			return nil
		} else {
			r.beginBlock(r.blockNo + 1)
		}
	}
	t := &r.threads[r.next]
	r.next++
	t.state = moving
	return t
}

// startWarp lets the lanes of the next warp start.
func (r *launch) startWarp() {
	r.cur++
	r.bound += len(r.warps[r.cur].lanes)
}

// schedule runs the grid to its end or to its first failure. With Together it returns
// false where all threads that can run only wait.
func (r *launch) schedule() (over bool) {
	for r.fail == nil {
		switch {
		case !r.ready.empty():
			current = r.ready.pop()
			current.worker.resume()
		case r.next < r.bound:
			r.idleWorker().resume()
		case len(r.settled) > 0:
			r.quiet = 0
			w := r.settled[len(r.settled)-1]
			r.settled = r.settled[:len(r.settled)-1]
			r.release(w, nil)
		case r.next < len(r.threads):
			r.startWarp()
		case len(r.spinning) > 0:
			if r.endless() {
				r.fail = r.stuckSpin()
				break
			}
			for _, t := range r.spinning {
				r.ready.push(t)
			}
			r.spinning = r.spinning[:0]
			if r.cfg.Together {
				return false
			}
		case r.waiting > 0:
			r.quiet = 0
			r.releaseBarrier()
		case r.blockNo+1 < r.end:
			r.beginBlock(r.blockNo + 1)
		default:
			return true
		}
	}
	return true
}

// endlessAfter is how long the threads of a block may do nothing but wait, in a
// launch of which other blocks have not begun.
var endlessAfter = 3 * time.Second

// endless is called when all threads of the block that can run only repeat atomic
// operations that change nothing, or fences. It reports whether they have done so for
// so long, while other blocks have not begun, that they must be waiting for those.
func (r *launch) endless() bool {
	if r.quiet++; r.quiet == 1 {
		r.since = time.Now()
	}
	return r.blockNo+1 < r.end && time.Since(r.since) > endlessAfter
}

// A queue is a first-in first-out list of threads.
type queue struct {
	threads []*Thread
	head    int
}

func (q *queue) empty() bool { return q.head == len(q.threads) }

func (q *queue) push(t *Thread) { q.threads = append(q.threads, t) }

func (q *queue) pop() *Thread {
	t := q.threads[q.head]
	if q.head++; q.empty() {
		q.threads, q.head = q.threads[:0], 0
	}
	return t
}
