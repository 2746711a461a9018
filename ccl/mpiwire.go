package ccl

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// This file is the one thread of a process that calls MPI. MPI carries letters, of a fixed greatest size, that any
// process may send at any time, and parcels, each of which a letter announces. All that MPI reads and writes is memory of its
// own, which stays where it is if an operation is given up: MPI cannot take back what was begun.

const (
	letterTag = 0
	// firstTag to lastTag are those of parcels, taken in turn; MPI has no fewer.
	firstTag, lastTag = 1, 32767
	letterMax         = 8 << 10
	// standing is how many letters can be on their way in.
	standing = 16
	// ended is MPI_UNDEFINED.
	ended = -32766
)

// A wire is this process's end of MPI.
type wire struct {
	lib        *mpi
	rank, size int
	bell       chan struct{} // rung for the thread
	wanted     atomic.Int32  // how many operations are under way: the thread asks without long pauses

	mu      sync.Mutex
	work    []func() // for the thread
	jobs    map[uint64]*job
	early   map[uint64][]*letter // for jobs that this process has not made yet
	open    int                  // ranks that are not closed
	broken  bool                 // a job has failed: MPI cannot be finalised
	dead    error                // MPI itself has
	left    map[int]bool         // processes that have ended their ranks
	came    map[int]bool         // processes that have begun
	changed chan struct{}        // closed, and made anew, when left, came or broken change
	tags    map[int]int          // the latest tag of a parcel, by process

	// The thread's: requests under way, in MPI's form, and what is to be done with each.
	requests []byte
	ends     []func(error)
	keep     map[*byte]struct{} // what MPI reads or writes
	// What MPI_Testsome stores.
	count    *int32
	indices  []int32
	statuses []byte
	stopped  bool
}

// theWire is the process's. MPI begins and ends once in a process.
var theWire struct {
	sync.Mutex
	begun bool
}

// beginWire begins MPI.
func beginWire(ctx context.Context, p *Place) (*wire, error) {
	lib, err := loadMPI()
	if err != nil {
		return nil, err
	}
	theWire.Lock()
	begunBefore := theWire.begun
	theWire.begun = true
	theWire.Unlock()
	if begunBefore {
		return nil, fmt.Errorf("this process has begun %s before, which it can once only: Split a communicator instead, and keep one open", lib.name)
	}
	w := &wire{lib: lib, bell: make(chan struct{}, 1), jobs: map[uint64]*job{}, early: map[uint64][]*letter{},
		left: map[int]bool{}, came: map[int]bool{}, changed: make(chan struct{}), tags: map[int]int{}, keep: map[*byte]struct{}{}, count: new(int32)}
	begun := make(chan error, 1)
	go w.thread(begun)
	select {
	case err := <-begun:
		if err != nil {
			return nil, err
		}
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: MPI_Init_thread of %s waits for other processes: %w", ErrLate, lib.name, context.Cause(ctx))
	}
	if w.rank != p.Rank || w.size != p.Size {
		return nil, fmt.Errorf("%w: this is rank %d of %d by %s, and %d of %d by %s: is mpirun that of another MPI?", ErrSize, p.Rank, p.Size, p.By, w.rank, w.size, lib.name)
	}
	return w, w.greet(ctx)
}

// begin calls MPI_Init_thread, and begins to take letters.
func (w *wire) begin() error {
	is, provided := new(int32), new(int32)
	if err := w.lib.call(mpiInitialized, uintptr(unsafe.Pointer(is))); err != nil {
		return err
	}
	if *is != 0 {
		return fmt.Errorf("%s was begun by another part of this program, and ccl needs it for itself", w.lib.name)
	}
	const serialized = 2 // MPI_THREAD_SERIALIZED
	hearSignals()
	restore := keepSignals()
	err := w.lib.call(mpiInitThread, 0, 0, serialized, uintptr(unsafe.Pointer(provided)))
	restore()
	if err != nil {
		return err
	}
	if err := w.lib.call(mpiSetErrhandler, w.lib.world, w.lib.errorsReturn); err != nil {
		return err
	}
	if w.rank, err = w.lib.number(mpiCommRank, w.lib.world); err != nil {
		return err
	}
	if w.size, err = w.lib.number(mpiCommSize, w.lib.world); err != nil {
		return err
	}
	for range standing {
		if err := w.listen(); err != nil {
			return err
		}
	}
	return nil
}

// thread is the goroutine that calls MPI.
func (w *wire) thread(begun chan error) {
	runtime.LockOSThread() // for good: it ends with the goroutine
	err := w.begin()
	begun <- err
	if err != nil {
		return
	}
	const patience = 2000 // polls that only yield
	timer := time.NewTimer(0)
	for idle := 0; !w.stopped; {
		w.mu.Lock()
		work := w.work
		w.work = nil
		w.mu.Unlock()
		for _, f := range work {
			f()
		}
		n, err := w.test()
		if err != nil {
			w.lost(err)
			return
		}
		if n > 0 || len(work) > 0 {
			idle = 0
			continue
		}
		idle++
		if w.wanted.Load() > 0 {
			if idle < patience { // there may be fewer processors than ranks
				yield()
			} else {
				nap(min(time.Duration(idle-patience+20)*time.Microsecond, 500*time.Microsecond))
			}
			continue
		}
		timer.Reset(10 * time.Millisecond)
		select {
		case <-w.bell:
		case <-timer.C:
		}
	}
}

// do has the thread call f, and does not wait.
func (w *wire) do(f func()) {
	w.mu.Lock()
	w.work = append(w.work, f)
	w.mu.Unlock()
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

// start begins MPI_Isend or MPI_Irecv; end is called when it has ended. Only the thread calls it.
func (w *wire) start(f mpiFunction, b []byte, rank, tag int, end func(error)) error {
	request := new(uintptr)
	w.keep[&b[0]] = struct{}{}
	if err := w.lib.call(f, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), w.lib.bytes, uintptr(rank), uintptr(tag), w.lib.world, uintptr(unsafe.Pointer(request))); err != nil {
		delete(w.keep, &b[0])
		return err
	}
	w.requests = append(w.requests, unsafe.Slice((*byte)(unsafe.Pointer(request)), w.lib.handle)...)
	w.ends = append(w.ends, func(err error) {
		delete(w.keep, &b[0])
		end(err)
	})
	return nil
}

// test asks which requests have ended, and ends them.
func (w *wire) test() (int, error) {
	n := len(w.ends)
	if n == 0 {
		return 0, nil
	}
	if n > len(w.indices) {
		w.indices, w.statuses = make([]int32, 2*n), make([]byte, 2*n*w.lib.status)
	}
	err := w.lib.call(mpiTestsome, uintptr(n), uintptr(unsafe.Pointer(&w.requests[0])), uintptr(unsafe.Pointer(w.count)),
		uintptr(unsafe.Pointer(&w.indices[0])), uintptr(unsafe.Pointer(&w.statuses[0])))
	if *w.count == ended || *w.count == 0 {
		return 0, err
	}
	var ends []func()
	gone := make([]bool, n)
	for i, at := range w.indices[:*w.count] {
		var failed error
		if err != nil {
			code := *(*int32)(unsafe.Pointer(&w.statuses[i*w.lib.status+w.lib.statusError]))
			failed = w.lib.result(mpiTestsome, code)
		}
		end := w.ends[at]
		gone[at] = true
		ends = append(ends, func() { end(failed) })
	}
	// In order, for what they start comes behind the others.
	kept := 0
	for i := range n {
		if !gone[i] {
			copy(w.requests[kept*w.lib.handle:], w.requests[i*w.lib.handle:][:w.lib.handle])
			w.ends[kept] = w.ends[i]
			kept++
		}
	}
	clear(w.ends[kept:])
	w.requests, w.ends = w.requests[:kept*w.lib.handle], w.ends[:kept]
	for _, end := range ends {
		end()
	}
	return len(ends), nil
}

// listen begins to take a letter.
func (w *wire) listen() error {
	b := make([]byte, letterMax)
	return w.start(mpiIrecv, b, w.lib.anySource, letterTag, func(err error) {
		if err == nil {
			var l *letter
			if l, err = readLetter(b); err == nil {
				w.take(l)
			}
		}
		if err == nil {
			err = w.listen()
		}
		if err != nil {
			w.lost(err)
		}
	})
}

// take hands a letter on.
func (w *wire) take(l *letter) {
	w.mu.Lock()
	switch l.Kind {
	case hereLetter:
		w.came[int(l.Sender)] = true
		w.changedLocked()
	case leftLetter:
		w.left[int(l.Sender)] = true
		w.broken = w.broken || l.N > 0
		w.changedLocked()
	default:
		j := w.jobs[l.Job]
		if j == nil {
			w.early[l.Job] = append(w.early[l.Job], l)
		}
		w.mu.Unlock()
		if j != nil {
			j.take(l)
		}
		return
	}
	w.mu.Unlock()
}

func (w *wire) changedLocked() {
	close(w.changed)
	w.changed = make(chan struct{})
}

// enter adds a job, and hands it what has come for it.
func (w *wire) enter(j *job) {
	w.mu.Lock()
	w.jobs[j.id] = j
	w.open++
	early := w.early[j.id]
	delete(w.early, j.id)
	w.mu.Unlock()
	for _, l := range early {
		j.take(l)
	}
}

// lost is the end of all jobs: MPI does not work.
func (w *wire) lost(err error) {
	w.mu.Lock()
	var all []*job
	for _, j := range w.jobs {
		all = append(all, j)
	}
	w.broken, w.dead = true, err
	w.changedLocked()
	w.mu.Unlock()
	for _, j := range all {
		j.failHere(err)
	}
}

// send sends a letter and, if b is not nil, a parcel; end, if not nil, is called on the thread when both have gone. The
// parcel must stay as it is.
func (w *wire) send(to int, l *letter, b []byte, end func(error)) {
	l.Sender = int32(w.rank)
	if b != nil {
		w.mu.Lock()
		w.tags[to] = max((w.tags[to]+1)%(lastTag+1), firstTag)
		l.Tag = int32(w.tags[to])
		w.mu.Unlock()
	}
	text := l.bytes()
	w.do(func() {
		var failed error
		left := 1
		one := func(err error) {
			failed = cmp.Or(failed, err)
			if left--; left == 0 && end != nil {
				end(failed)
			}
		}
		if b != nil {
			left++
			if err := w.start(mpiIsend, b, to, int(l.Tag), one); err != nil {
				one(err)
			}
		}
		if err := w.start(mpiIsend, text, to, letterTag, one); err != nil {
			one(err)
		}
	})
}

// parcels are buffers of that length.
var parcels = sync.Pool{New: func() any { return new([parcel]byte) }}

// receive receives the parcel of a letter; end is called on the thread.
func (w *wire) receive(l *letter, b []byte, end func(error)) {
	w.do(func() {
		if err := w.start(mpiIrecv, b, int(l.Sender), int(l.Tag), end); err != nil {
			end(err)
		}
	})
}

// greet waits until all processes have begun.
func (w *wire) greet(ctx context.Context) error {
	w.wanted.Add(1)
	defer w.wanted.Add(-1)
	for rank := range w.size {
		if rank != w.rank {
			w.send(rank, &letter{letterHead: letterHead{Kind: hereLetter}}, nil, nil)
		}
	}
	return w.wait(ctx, w.came)
}

// wait waits until all other processes are in a set.
func (w *wire) wait(ctx context.Context, in map[int]bool) error {
	for {
		w.mu.Lock()
		var missing []int
		for rank := range w.size {
			if rank != w.rank && !in[rank] {
				missing = append(missing, rank)
			}
		}
		changed, broken, dead := w.changed, w.broken, w.dead
		w.mu.Unlock()
		if missing == nil || broken {
			return dead
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return late(missing, context.Cause(ctx))
		}
	}
}

// leave ends a rank. The last one ends MPI, when all processes have come to that, as long as ctx lasts. Where something has
// failed, MPI is not ended, since it would wait for what never comes.
func (w *wire) leave(ctx context.Context) error {
	w.mu.Lock()
	w.open--
	last, broken := w.open == 0, w.broken
	w.mu.Unlock()
	if !last {
		return nil
	}
	w.wanted.Add(1)
	defer w.wanted.Add(-1)
	l := letter{letterHead: letterHead{Kind: leftLetter}}
	if broken {
		l.N = 1
	}
	gone := make(chan error, w.size)
	for rank := range w.size {
		if rank != w.rank {
			one := l
			w.send(rank, &one, nil, func(err error) { gone <- err })
		}
	}
	if broken {
		return w.flush(gone)
	}
	if err := w.wait(ctx, w.left); err != nil {
		return err
	}
	w.mu.Lock()
	broken = w.broken
	w.mu.Unlock()
	if broken {
		return nil
	}
	done := make(chan error, 1)
	w.do(func() { w.stopped = true; done <- w.finish() })
	select {
	case err := <-done:
		return err
	case <-time.After(patienceAtEnd):
		// MPICH 4.0 over UCX and TCP waits for ever, at times. Nothing of ours is lost by it.
		return fmt.Errorf("ccl: MPI_Finalize of %s has not ended in %v", w.lib.name, patienceAtEnd)
	case <-ctx.Done():
		return fmt.Errorf("ccl: MPI_Finalize of %s has not ended: %w", w.lib.name, context.Cause(ctx))
	}
}

const patienceAtEnd = 5 * time.Second

// flush gives letters a moment to go, for the process may end now.
func (w *wire) flush(gone chan error) error {
	limit := time.After(200 * time.Millisecond)
	for range w.size - 1 {
		select {
		case <-gone:
		case <-limit:
			return nil
		}
	}
	return nil
}

// finish ends MPI.
func (w *wire) finish() error {
	deadline := time.Now().Add(time.Second)
	for len(w.ends) > standing && time.Now().Before(deadline) {
		if _, err := w.test(); err != nil {
			return err
		}
	}
	for i := range w.ends { // letters that will not come any more
		_ = w.lib.call(mpiCancel, uintptr(unsafe.Pointer(&w.requests[i*w.lib.handle]))) // test says what becomes of it
		w.ends[i] = func(error) {}
	}
	for len(w.ends) > 0 && time.Now().Before(deadline) {
		if _, err := w.test(); err != nil {
			return err
		}
	}
	return w.lib.call(mpiFinalize)
}
