package ccl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"heddle/internal/inside"
	"heddle/launch"
)

// A vendorRank implements port by NCCL or RCCL.
type vendorRank struct {
	lib        *library
	dev        *launch.Device
	rank, size int
	check      *checked
	comm       atomic.Uintptr // 0 once it has ended
	watches    atomic.Bool    // the watchdog runs

	ending sync.Mutex // held while the communicator is asked or ended

	mu      sync.Mutex // guards what follows
	failed  error
	last    map[*launch.Stream]*operation // the latest one of each stream that is queued
	watched []*watched
	stop    chan struct{} // closed when it is to end
	number  *launch.Buffer[uint8]
}

// A watched is a request with a deadline.
type watched struct {
	q     *request
	done  *launch.Event // nil while the request is being queued
	asked chan bool     // the watchdog's question whether it is done, under way
}

func newVendorRank(l *library, dev *launch.Device, comm uintptr, rank, size int) *vendorRank {
	r := &vendorRank{lib: l, dev: dev, rank: rank, size: size, last: map[*launch.Stream]*operation{}, stop: make(chan struct{})}
	r.comm.Store(comm)
	return r
}

// family implements port.
func (r *vendorRank) family() any { return r.lib }

// keeps implements port.
func (r *vendorRank) keeps(q *request) bool { return q.ctx.Done() != nil }

// err implements port.
func (r *vendorRank) err() error {
	if r.comm.Load() != 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// close implements port.
func (r *vendorRank) close(context.Context) error {
	comm := r.release(fmt.Errorf("ccl: rank %d of %d: %w", r.rank, r.size, ErrClosed))
	if comm == 0 {
		return nil
	}
	return r.dev.Do(func() error {
		return errors.Join(r.lib.call(ncclCommFinalize, comm), r.lib.call(ncclCommDestroy, comm))
	})
}

// release takes the communicator from the rank, whose calls fail with err from now on.
func (r *vendorRank) release(err error) uintptr {
	r.ending.Lock()
	defer r.ending.Unlock()
	r.mu.Lock()
	comm := r.comm.Swap(0)
	if comm != 0 {
		r.failed = err
		close(r.stop)
	}
	r.mu.Unlock()
	if comm != 0 {
		r.check.end() // which may take a while
	}
	return comm
}

// wrong ends the rank because of what the ranks call, or because one was lost.
func (r *vendorRank) wrong(err error) {
	r.mu.Lock()
	failed := &Error{r.rank, r.size, r.doing(), err}
	r.mu.Unlock()
	r.end(failed)
}

// abort implements port.
func (r *vendorRank) abort(cause error) {
	r.end(fmt.Errorf("ccl: rank %d of %d: %w", r.rank, r.size, cause))
}

// end aborts the communicator, and makes err the error of its streams.
func (r *vendorRank) end(err error) {
	comm := r.release(err)
	if comm == 0 {
		return
	}
	// What it returns says no more than err.
	_ = r.lib.call(ncclCommAbort, comm)
	r.mu.Lock()
	last := r.last
	r.last = nil
	r.mu.Unlock()
	for s, o := range last {
		var e *Error
		if errors.As(err, &e) {
			inside.Fail(s, err)
		} else {
			inside.Fail(s, o.fail(err))
		}
	}
}

// queue implements port: the requests are one group of the library.
func (r *vendorRank) queue(all []*request) error {
	for _, q := range all {
		if q.what == barrier {
			if err := q.port.(*vendorRank).barrier(q); err != nil {
				return err
			}
		}
	}
	streams, deadline := streamsOf(all)
	if err := callAll(all, func(q *request) *checked { return q.port.(*vendorRank).check }); err != nil {
		return err
	}
	for _, q := range all {
		q.port.(*vendorRank).watch(q)
	}
	err := inside.Foreign(streams, func() error { return r.issueAll(all, streams) })
	var done []*launch.Event // behind the requests of each stream, if one of them has a deadline
	if deadline {
		done = make([]*launch.Event, len(streams))
		for i := range streams {
			if err == nil {
				done[i], err = streams[i].Stream.(*launch.Stream).Record()
			}
		}
	}
	for _, q := range all {
		port := q.port.(*vendorRank)
		var ended *launch.Event
		if deadline {
			ended = done[streamOf(streams, q)]
		}
		if failed := port.queued(q, ended, err); failed != nil {
			port.check.back(q)
			err = cmp.Or(err, failed)
		}
	}
	return err
}

// streamsOf are the streams of requests, in the order in which all goroutines lock them, and whether a request
// has a deadline.
func streamsOf(all []*request) (streams []inside.Work, deadline bool) {
	streams = all[0].work[:0]
	for _, q := range all {
		if i := streamOf(streams, q); i < 0 {
			streams = append(streams, inside.Work{Stream: q.stream, Uses: q.uses})
		} else {
			streams[i].Uses = append(streams[i].Uses, q.uses...)
		}
		deadline = deadline || q.ctx.Done() != nil
	}
	slices.SortFunc(streams, func(a, b inside.Work) int {
		return cmp.Compare(uintptr(unsafe.Pointer(a.Stream.(*launch.Stream))), uintptr(unsafe.Pointer(b.Stream.(*launch.Stream))))
	})
	return streams, deadline
}

// streamOf is the index of a request's stream, -1 if it is not there.
func streamOf(streams []inside.Work, q *request) int {
	for i := range streams {
		if streams[i].Stream == any(q.stream) {
			return i
		}
	}
	return -1
}

// barrier gives a Barrier its number.
func (r *vendorRank) barrier(q *request) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.number == nil {
		b, err := launch.Alloc[uint8](r.dev, 1)
		if err != nil {
			return q.fail(err)
		}
		r.number = b
	}
	q.n, q.dst, q.src, q.uses = 1, r.number.Pointer(), r.number.Pointer(), []any{r.number}
	return nil
}

// watch begins to look after a request.
func (r *vendorRank) watch(q *request) {
	if q.ctx.Done() == nil && r.watches.Load() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == nil {
		return
	}
	if q.ctx.Done() != nil {
		r.watched = append(r.watched, &watched{q: q})
	}
	if !r.watches.Swap(true) {
		go r.watchdog()
	}
}

// queued says what became of a request, and when it will have ended. Where the communicator has ended
// meanwhile, and the streams have their errors, the request's error is the result.
func (r *vendorRank) queued(q *request, done *launch.Event, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil && r.last == nil {
		err = r.failed
	}
	if err == nil {
		last := r.last[q.stream]
		if last == nil {
			last = new(operation)
			r.last[q.stream] = last
		}
		*last = q.operation
	}
	if err != nil || done == nil {
		r.unwatch(q)
		return err
	}
	for _, w := range r.watched {
		if w.q == q {
			w.done = done
		}
	}
	return nil
}

// unwatch looks after a request no longer; r.mu is held.
func (r *vendorRank) unwatch(q *request) {
	r.watched = slices.DeleteFunc(r.watched, func(w *watched) bool { return w.q == q })
}

// watchdog ends the communicator when it has an error, or a request is late.
func (r *vendorRank) watchdog() {
	const busy, idle = 5 * time.Millisecond, 100 * time.Millisecond
	for wait := busy; ; {
		select {
		case <-r.stop:
			return
		case <-time.After(wait):
		}
		if err := r.ask(); err != nil {
			r.mu.Lock()
			failed := &Error{r.rank, r.size, r.doing(), err}
			r.mu.Unlock()
			r.end(failed)
			return
		}
		late, waits := r.late()
		if late != nil {
			r.end(late.fail(fmt.Errorf("%w: %w: %w", ErrAborted, ErrLate, context.Cause(late.ctx))))
			return
		}
		if wait = idle; waits {
			wait = busy
		}
	}
}

// late is a request that has not ended in time, nil if there is none, and whether there are any with a deadline.
func (r *vendorRank) late() (late *request, waits bool) {
	r.mu.Lock()
	all := slices.Clone(r.watched)
	r.mu.Unlock()
	for _, w := range all {
		r.mu.Lock()
		done := w.done
		r.mu.Unlock()
		ended, known := false, true
		if done != nil {
			ended, known = w.ended(done)
		}
		switch {
		case ended:
			r.mu.Lock()
			r.unwatch(w.q)
			r.mu.Unlock()
		case known && w.q.ctx.Err() != nil:
			late = w.q
		}
	}
	return late, len(all) > 0
}

// ended asks whether a request has ended. The answer may take long: the stream is locked while a
// call that queues a later request waits for other ranks.
func (w *watched) ended(done *launch.Event) (ended, known bool) {
	if w.asked == nil {
		w.asked = make(chan bool, 1)
		go func(answer chan bool) { answer <- done.Done() }(w.asked)
	}
	select {
	case ended = <-w.asked:
		w.asked = nil
		return ended, true
	case <-time.After(5 * time.Millisecond):
		return false, false
	}
}

// doing names the latest operation; r.mu is held.
func (r *vendorRank) doing() (text string) {
	for _, o := range r.last {
		text = o.String()
	}
	return cmp.Or(text, "no operation")
}

// ask is ncclCommGetAsyncError.
func (r *vendorRank) ask() error {
	r.ending.Lock()
	defer r.ending.Unlock()
	comm := r.comm.Load()
	if comm == 0 {
		return nil
	}
	const inProgress = 7 // ncclInProgress
	out := new(int32)
	if err := r.lib.call(ncclCommGetAsyncError, comm, uintptr(unsafe.Pointer(out))); err != nil || *out == inProgress {
		return err
	}
	return r.lib.status(ncclCommGetAsyncError, int(*out))
}

// issueAll hands requests to the library, on a locked thread.
func (r *vendorRank) issueAll(all []*request, streams []inside.Work) error {
	err := r.issueGroup(all, streams)
	if err == nil {
		return nil
	}
	// The library connects ranks at their first operation. If that is why the watchdog has ended the
	// communicator, the call's error is the cause, not what the library makes of it.
	for _, q := range all {
		if cause := q.port.err(); cause != nil {
			return cause
		}
	}
	return err
}

func (r *vendorRank) issueGroup(all []*request, streams []inside.Work) (err error) {
	list := newIssuing(r.lib)
	defer list.free()
	grouped := len(all) > 1 || composite(all[0].what)
	if grouped {
		list.add(all[0], ncclGroupStart)
	}
	for _, q := range all {
		comm := q.port.(*vendorRank).comm.Load()
		if comm == 0 {
			err = q.fail(cmp.Or(q.port.err(), ErrClosed))
			break
		}
		if q.n == 0 {
			continue
		}
		if err = q.fail(list.request(q, comm, streams[streamOf(streams, q)].Handle)); err != nil {
			break
		}
	}
	if grouped && err == nil {
		list.add(all[0], ncclGroupEnd)
	}
	if err == nil {
		err = list.run(grouped)
	}
	for _, op := range list.scaled {
		err = cmp.Or(err, all[0].fail(r.lib.call(ncclRedOpDestroy, op.kind, op.comm)))
	}
	return err
}

// composite reports whether an operation is several of the library's.
func composite(w what) bool { return w == allToAll || w == gather || w == scatter }
