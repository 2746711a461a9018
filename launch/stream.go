package launch

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A Stream is a queue of work on a device, done in order (hipStream_t). The
// package comment says how its errors come back.
type Stream struct {
	dev  *Device
	real driver.Stream // nil of a stream that only adds to a graph

	opts driver.StreamOptions

	done   atomic.Uint64 // work up to this number is known to have ended
	faulty atomic.Bool   // fault != nil
	closed atomic.Bool

	taped  atomic.Bool // tape != nil
	thrown thrown

	mu      sync.Mutex
	drv     driver.Stream    // what takes work: real, or the tape
	tape    *tape            // not nil while it is recorded
	seq     uint64           // number of the latest piece of work
	running []running        // kernels launched since they were last looked at
	keep    []unsafe.Pointer // host memory that queued copies use
	fault   error            // found, but not yet returned by a call that waits
	// Scratch of a launch, kept so that it allocates nothing.
	args   []byte
	config driver.Config
	// The latest launches of which conditions held.
	held     [4]holding
	nextHeld int
}

// running is a kernel and the number of its latest launch on a stream.
type running struct {
	f   *function
	seq uint64
}

// StreamOptions choose a stream's kind; the zero value is an ordinary one.
type StreamOptions struct {
	// NonBlocking streams and the default stream do not wait for each other
	// (hipStreamNonBlocking).
	NonBlocking bool
	// Priority is 0 for normal, below 0 for higher, above 0 for lower, rounded to
	// what the device has ([Device.Priorities]; hipStreamCreateWithPriority).
	Priority int
}

// NewStream returns a new stream of the device (hipStreamCreateWithPriority).
// Of several options the last counts.
func (d *Device) NewStream(options ...StreamOptions) (*Stream, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	var o driver.StreamOptions
	for _, given := range options {
		o.NonBlocking, o.Priority = given.NonBlocking, given.Priority
	}
	if o.Priority != 0 {
		least, greatest, err := d.Priorities()
		if err != nil {
			return nil, err
		}
		o.Priority = min(max(o.Priority, greatest), least)
	}
	return d.newStream(o)
}

// newStream takes a closed stream of the same kind, or a new one.
func (d *Device) newStream(o driver.StreamOptions) (*Stream, error) {
	d.all.Lock()
	defer d.all.Unlock()
	s := &Stream{dev: d, opts: o}
	s.config.Print, s.config.Symbol = d.prints.print, d.address
	if n := len(d.all.spareStreams[o]); n > 0 {
		s.real = d.all.spareStreams[o][n-1]
		d.all.spareStreams[o] = d.all.spareStreams[o][:n-1]
	} else {
		var err error
		if s.real, err = d.drv.NewStream(o); err != nil {
			return nil, d.vendor(err)
		}
	}
	s.drv = s.real
	d.all.streams = append(d.all.streams, s)
	return s, nil
}

// enter begins a use of the stream; where it returns nil, dev.leave must follow.
func (s *Stream) enter() error {
	if s == nil {
		return errors.New("launch: nil Stream")
	}
	if s.closed.Load() {
		return errs.F("launch: stream of %s is closed", s.dev.Name())
	}
	return s.dev.enter()
}

// Device is the stream's device.
func (s *Stream) Device() *Device {
	if s == nil {
		return nil
	}
	return s.dev
}

// Sync waits for all work on the stream and returns, and so clears, its error
// (hipStreamSynchronize).
func (s *Stream) Sync() error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.dev.leave()
	if s.taped.Load() {
		return s.errCaptured()
	}
	var all faults
	all.add(s.wait())
	all.add(s.dev.drain())
	return all.err()
}

// Done reports whether all work on the stream has ended, well or badly
// (hipStreamQuery); Err tells which.
func (s *Stream) Done() bool {
	if s.enter() != nil {
		return true
	}
	defer s.dev.leave()
	return s.real == nil || s.poll()
}

// Err is the stream's error so far, nil if none has been found. It neither
// waits nor clears.
func (s *Stream) Err() error {
	if s == nil {
		return errors.New("launch: nil Stream")
	}
	if e := s.dev.lost.Load(); e != nil {
		return *e
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}

// Close waits for the stream's work, returns its error and gives the stream
// back (hipStreamDestroy). The default stream goes on. Closing twice is fine.
func (s *Stream) Close() error { return s.close(context.Background()) }

func (s *Stream) close(ctx context.Context) error {
	if s == nil || s.closed.Load() || s.dev.enter() != nil {
		return nil
	}
	d := s.dev
	defer d.leave()
	if err := s.dropCapture(); err != nil {
		return err
	}
	if s == d.stream {
		return s.waitContext(ctx)
	}
	s.mu.Lock() // whoever has submitted work has done so before closed is set
	was := s.closed.Swap(true)
	s.mu.Unlock()
	if was {
		return nil
	}
	err := s.waitContext(ctx)
	d.all.Lock()
	defer d.all.Unlock()
	if stillRunning(err) {
		return err // Device.Close will wait for it
	}
	// Another goroutine may be waiting for the stream this very moment, so it is
	// kept for the next NewStream rather than destroyed.
	d.all.streams = slices.DeleteFunc(d.all.streams, func(t *Stream) bool { return t == s })
	d.all.spareStreams[s.opts] = append(d.all.spareStreams[s.opts], s.real)
	return err
}

// queue runs submit, which queues one piece of work with h's buffer, under the
// stream's lock.
func (s *Stream) queue(call string, h *header, submit func() error) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.dev.leave()
	if err := h.usable(); err != nil {
		return errs.F("launch: %s: %w", call, err)
	}
	if h.dev != s.dev {
		return errs.F("launch: %s: %v is on %s, the stream on %s", call, h.own.b, h.dev.Name(), s.dev.besides(h.dev))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(); err != nil {
		return err
	}
	if !h.own.b.note(s, s.seq+1) {
		return errs.F("launch: %s: %v is closed", call, h.own.b)
	}
	if err := submit(); err != nil {
		return err
	}
	s.seq++
	return nil
}

// ready says whether the stream takes work; s.mu is held.
func (s *Stream) ready() error {
	if s.closed.Load() {
		return errs.F("launch: stream of %s is closed", s.dev.Name())
	}
	return s.fault
}

// vendor is Device.vendor for a call on the stream; s.mu is held.
func (s *Stream) vendor(err error) error {
	if err == nil {
		return nil
	}
	return s.dev.vendor(err, s.kernels()...)
}

func (s *Stream) kernels() []*function {
	var fs []*function
	for _, r := range s.running {
		fs = append(fs, r.f)
	}
	return fs
}

// submitted is the number of the latest piece of work.
func (s *Stream) submitted() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seq
}

// past reports whether the seq-th piece of work is known to have ended.
func (s *Stream) past(seq uint64) bool { return s.done.Load() >= seq }

// wait waits for all work so far and returns, and clears, the stream's error.
func (s *Stream) wait() error {
	s.rest()
	return s.take()
}

// rest waits for all work so far; an error of it becomes the stream's.
func (s *Stream) rest() {
	seq := s.submitted()
	err := s.real.Sync()
	s.mu.Lock()
	panics := s.settle(seq, true, err)
	s.mu.Unlock()
	s.tellOthers(panics)
	s.dev.prints.flush()
}

// poll reports whether all work so far has ended, without waiting.
func (s *Stream) poll() bool {
	s.mu.Lock()
	done, err := s.real.Done()
	if done && err == nil {
		// Not all drivers tell of a failure before they are asked to wait. There
		// is nothing to wait for: under the lock nobody submits work.
		err = s.real.Sync()
	}
	panics := s.settle(s.seq, done || err != nil, err)
	s.mu.Unlock()
	s.tellOthers(panics)
	if done {
		s.dev.prints.flush()
	}
	return done || err != nil
}

// take returns and clears the stream's error.
func (s *Stream) take() error {
	if !s.faulty.Load() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.fault
	s.fault = nil
	s.faulty.Store(false)
	return err
}

// fail adds errors to the stream's; s.mu is held.
func (s *Stream) fail(errs ...error) {
	var all faults
	all.add(s.fault)
	for _, err := range errs {
		all.add(err)
	}
	s.fault = all.err()
	s.faulty.Store(s.fault != nil)
}

// found is a kernel's panic that a stream has found.
type found struct {
	f   *function
	err error
}

// settle looks for the panics of the kernels launched up to seq, which the
// drivers leave in a record of each kernel, and, where all work up to seq has
// ended, takes note of that. The panics found and err become the stream's; s.mu
// is held. The caller passes the result to tellOthers once it is not.
func (s *Stream) settle(seq uint64, ended bool, err error) []found {
	var panics []found
	failed := s.vendor(err)
	s.running = slices.DeleteFunc(s.running, func(r running) bool {
		if rec := r.f.drv.TakePanic(); rec != nil {
			p := panicOf(r.f.obj, rec)
			p.blameShared(r.f.noShared.Load())
			panics = append(panics, found{r.f, p})
			s.fail(panics[len(panics)-1].err)
		}
		return ended && r.seq <= seq
	})
	s.fail(failed)
	s.fail(s.thrown.take()...)
	if !ended {
		return panics
	}
	if seq == s.seq {
		clear(s.keep)
		s.keep = s.keep[:0]
	}
	if seq > s.done.Load() {
		s.done.Store(seq)
	}
	return panics
}

// tellOthers gives each kernel's panic to the other streams on which the
// kernel was launched too: its record does not say which launch it was.
func (s *Stream) tellOthers(panics []found) {
	if len(panics) == 0 {
		return
	}
	for _, other := range s.dev.streams() {
		if other == s {
			continue
		}
		other.mu.Lock()
		for _, p := range panics {
			if slices.ContainsFunc(other.running, func(r running) bool { return r.f == p.f }) {
				other.fail(p.err)
			}
		}
		other.mu.Unlock()
	}
}

// started records a launch of f as the stream's latest work; s.mu is held.
func (s *Stream) started(f *function) {
	s.seq++
	s.runs(f)
}

// runs takes note that the latest work launches f; s.mu is held.
func (s *Stream) runs(f *function) {
	if f.obj.Kind == abi.GoFunc {
		return // it leaves no record, and each closure has a function of its own
	}
	for i := range s.running {
		if s.running[i].f == f {
			s.running[i].seq = s.seq
			return
		}
	}
	s.running = append(s.running, running{f, s.seq})
}

// Record marks the present end of the stream with a new event (hipEventRecord).
func (s *Stream) Record() (*Event, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.dev.leave()
	e, err := s.dev.newEvent()
	if err != nil {
		return nil, err
	}
	return e, e.record(s)
}

// Wait makes the work queued on the stream from now on wait for the event,
// which may be of another stream or another device of the same kind
// (hipStreamWaitEvent). It does not itself wait.
func (s *Stream) Wait(e *Event) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.dev.leave()
	if err := e.usable(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(); err != nil {
		return err
	}
	defer runtime.KeepAlive(e)
	if s.tape != nil {
		return s.tape.wait(e)
	}
	if of, err := s.join(e); of {
		return err
	}
	if err := s.vendor(s.drv.Wait(e.drv)); err != nil {
		return err
	}
	s.seq++
	return nil
}
