package cpu

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/driver/host"
	"heddle/internal/errs"
)

// A launch is one launch, from Launch to the end of Run; then it is kept for
// another. It implements host.Task.
type launch struct {
	native abi.NativeLaunch
	sink   abi.PanicRecord
	engine *engine
	f      *function
	need   need
	blocks uint64 // how many
	all    bool   // they run at once
	args   []byte // room for the arguments

	// active counts the goroutines that run blocks while others may join, which
	// they may not once it is 0. A helper that comes too late finds it 0, or
	// finds the launch that has come next and is as welcome there.
	active atomic.Int32
	calls  atomic.Int32          // how many more helpers to call for
	cause  atomic.Pointer[error] // of Stop
	watch  watch
	done   chan struct{} // the last helper has ended, after the caller
	help   func()        // helper, kept: making a method a value allocates
}

const (
	// patience is how long one goroutine runs blocks before it calls for help:
	// about what it takes until another one has begun.
	patience = 5 * time.Microsecond
	// share is how much work is worth a goroutine.
	share = 10 * time.Microsecond
	// chunks is into how many parts a goroutine's share is divided, for balance; near the
	// end the parts are smaller (NativeLaunch.Ending).
	// maxChunk is blocks enough for the cost of claiming them not to count.
	chunks   = 8
	maxChunk = 256
)

// Run implements host.Task.
func (l *launch) Run(stop *host.Stop) (err error) {
	e, f := l.engine, l.f
	if e.begin(l) {
		stop.Watch(l)
		if f.info.Waits != 0 {
			defer l.watch.begin(l)()
		}
		err = l.run()
		stop.Unwatch()
		if stopped := e.end(l); stopped && err == nil && l.native.Stop != 0 && l.native.Lock == 0 {
			err = errStopped
		}
	} else {
		err = errStopped
	}
	cause := l.cause.Swap(nil)
	switch {
	case l.sink.State == abi.Panicked:
		record := l.sink
		f.Keep(&record)
	case cause != nil && err == nil:
		err = l.ended(*cause)
		l.Drop()
		return err
	}
	l.Drop()
	if err != nil {
		return errs.F("%s: kernel %s: %w", e.name, f.object.Name, err)
	}
	return nil
}

// Stop implements host.Runner.
func (l *launch) Stop(cause error) {
	l.cause.CompareAndSwap(nil, &cause)
	atomic.StoreUint32(&l.native.Stop, 1)
}

// Running implements host.Runner.
func (l *launch) Running() driver.Stopped { return driver.Stopped{Kernel: l.f.object.Name} }

// ended is the error of a launch that Stop has ended, with the place of the loop
// that a thread was in.
func (l *launch) ended(cause error) error {
	e := l.stopped(cause)
	if _, ok := cause.(*endless); ok {
		return errs.F("%s:%d:%d: kernel %s waits for ever (block %v, thread %v): %w", e.File, e.Line, e.Col, e.Kernel, e.Block, e.Thread, cause)
	}
	return e
}

func (l *launch) stopped(cause error) *driver.Stopped {
	e := &driver.Stopped{Kernel: l.f.object.Name, Cause: cause}
	if l.sink.State != abi.Halted {
		return e // between two blocks
	}
	for i := range 3 {
		e.Block[i], e.Thread[i] = int(l.sink.Block[i]), int(l.sink.Thread[i])
	}
	if site, _ := l.f.object.Site(l.sink.Site); site != nil {
		e.File, e.Line, e.Col = site.File, site.Line, site.Col
	}
	return e
}

// Drop implements host.Task.
func (l *launch) Drop() {
	_ = l.f.release()
	l.f = nil
	l.engine.give(l)
}

// run runs all blocks.
func (l *launch) run() error {
	if l.all {
		return l.runAtOnce()
	}
	w, err := l.engine.workers.take(l.need)
	if err != nil {
		return err
	}
	defer l.engine.workers.give(w)
	n := &l.native
	width := int(min(uint64(processors()), n.Blocks))
	if width == 1 {
		n.Chunk = max(1, min(n.Blocks/chunks, maxChunk))
		l.call(w)
		return nil
	}
	begin := time.Now()
	blocks, first := n.Blocks, uint64(0)
	cost := l.f.cost.Load()
	if float64(cost)*float64(blocks) < float64(2*share) {
		if first = l.alone(w, begin); first == blocks {
			l.f.cost.Store(max(1, uint64(time.Since(begin))/blocks))
			return nil
		}
		cost = uint64(time.Since(begin)) / first
	}
	if worth := float64(cost) * float64(blocks-first) / float64(share); worth < float64(width) {
		width = max(2, int(worth))
	}
	alone := time.Since(begin)
	l.together(w, first, blocks, width)
	all := alone + (time.Since(begin)-alone)*time.Duration(width)
	l.f.cost.Store(max(1, uint64(all)/blocks))
	return nil
}

// resident is how many blocks can run at once, each in a thread of the system.
const resident = 128

// runAtOnce runs all blocks at once: a worker for each claims one.
func (l *launch) runAtOnce() error {
	n := &l.native
	n.Chunk = 1
	ws := make([]*worker, n.Blocks)
	for i := range ws {
		w, err := l.engine.workers.take(l.need)
		if err != nil {
			return err
		}
		defer l.engine.workers.give(w)
		ws[i] = w
	}
	var others sync.WaitGroup
	for _, w := range ws[1:] {
		others.Go(func() { l.call(w) })
	}
	l.call(ws[0])
	others.Wait()
	return nil
}

// alone runs blocks in ever larger steps until none are left or patience is at
// its end, and returns how many it has done.
func (l *launch) alone(w *worker, begin time.Time) (first uint64) {
	n := &l.native
	blocks := n.Blocks
	defer func() { n.Blocks = blocks }()
	for {
		step := min(max(3*first, 1), blocks-first)
		n.Next, n.Blocks, n.Chunk = first, first+step, step
		panicked := l.call(w)
		first += step
		if panicked || atomic.LoadUint32(&n.Stop) != 0 {
			return blocks
		}
		if first == blocks || time.Since(begin) > patience {
			return first
		}
	}
}

// together runs the blocks from first on with up to width goroutines.
func (l *launch) together(w *worker, first, blocks uint64, width int) {
	n := &l.native
	n.Next, n.Blocks = first, blocks
	n.Chunk = max(1, min((blocks-first)/uint64(chunks*width), maxChunk))
	n.Ending = uint32(bits.Len(uint(width)))
	l.calls.Store(int32(width - 1))
	l.active.Store(1)
	l.callHelp()
	l.call(w)
	if l.active.Add(-1) != 0 {
		<-l.done
	}
}

// callHelp starts two helpers, each of which starts two more, as long as there
// is something to do.
func (l *launch) callHelp() {
	for range 2 {
		if l.calls.Add(-1) < 0 || atomic.LoadUint64(&l.native.Next) >= l.native.Blocks {
			return
		}
		go l.help()
	}
}

// helper joins the launch if it is not over.
func (l *launch) helper() {
	for {
		n := l.active.Load()
		if n == 0 {
			return
		}
		if l.active.CompareAndSwap(n, n+1) {
			break
		}
	}
	l.callHelp()
	// Without memory for one more worker, the others do the work.
	if w, err := l.engine.workers.take(l.need); err == nil {
		l.call(w)
		l.engine.workers.give(w)
	}
	if l.active.Add(-1) == 0 {
		l.done <- struct{}{}
	}
}

// call runs compiled code until there are no more blocks to claim, and reports
// whether a thread panicked.
func (l *launch) call(w *worker) bool {
	w.args = [2]uintptr{uintptr(unsafe.Pointer(&l.native)), uintptr(unsafe.Pointer(&w.native))}
	if l.f.info.Waits != 0 {
		defer l.watch.joins(w)()
	}
	r, _, _ := purego.SyscallN(l.f.entry, w.args[:]...)
	runtime.KeepAlive(l)
	runtime.KeepAlive(w)
	return int32(r) != 0
}
