package host

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// stream implements driver.Stream: while its queue has work, a goroutine does
// it, or whoever waits for the stream.
type stream struct {
	dev         *device
	null        bool   // the default stream
	nonBlocking bool   // takes no notice of the default stream
	serve       func() // run, kept: making a method a value allocates

	mu        sync.Mutex
	changed   sync.Cond // of mu: work was finished
	queue     []entry   // from head on
	head      int
	coming    bool   // serve was started and has not come to the queue
	serving   bool   // a goroutine does what is queued
	submitted uint64 // entries so far
	finished  uint64
	err       error // the first failure since takeError
	closed    bool

	cancelled atomic.Uint64 // entries so far that are to be ended; set under mu
	cause     error         // of that
	behind    *stream       // that the first entry waits for
	stop      Stop          // of the entry that runs
}

// entry is one entry of a queue.
type entry struct {
	after []mark
	task  Task
}

// A mark is a point in a stream: its first n entries.
type mark struct {
	s *stream
	n uint64
}

// wait returns when the stream has passed m.
func (m mark) wait() {
	if m.s == nil {
		return
	}
	m.s.mu.Lock()
	defer m.s.mu.Unlock()
	for m.s.finished < m.n {
		m.s.changed.Wait()
	}
}

// passed reports whether the stream has passed m.
func (m mark) passed() bool {
	if m.s == nil {
		return true
	}
	m.s.mu.Lock()
	defer m.s.mu.Unlock()
	return m.s.finished >= m.n
}

// NewStream implements driver.Device.
func (d *device) NewStream(o driver.StreamOptions) (driver.Stream, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, d.errClosed()
	}
	if o.Default && d.null != nil {
		return nil, d.errorf("the device has its default stream already")
	}
	s := &stream{dev: d, null: o.Default, nonBlocking: o.NonBlocking}
	s.changed.L = &s.mu
	s.serve = s.run
	d.streams = append(d.streams, s)
	if s.null {
		d.null = s
	}
	return s, nil
}

// run does what is queued, unless somebody else does.
func (s *stream) run() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.coming = false
	if !s.serving {
		s.work(math.MaxUint64)
	}
}

// work does what is queued up to the n-th entry of the stream; s.mu is held,
// and nobody serves.
func (s *stream) work(n uint64) {
	s.serving = true
	for s.head < len(s.queue) && s.finished < n {
		e := s.queue[s.head]
		s.queue[s.head] = entry{}
		s.head++
		err := s.do(e, s.finished+1)
		if s.err == nil {
			s.err = err
		}
		s.finished++
		s.changed.Broadcast()
	}
	s.serving = false
	if s.head < len(s.queue) {
		s.call()
		return
	}
	s.queue, s.head = s.queue[:0], 0
}

// call sees to it that a goroutine comes to the queue; s.mu is held.
func (s *stream) call() {
	if !s.serving && !s.coming {
		s.coming = true
		go s.serve()
	}
}

// submit queues a task behind what the stream holds already, behind the given
// marks and, as HIP has it, behind the default stream's work; the default
// stream waits for all streams that are not NonBlocking.
func (s *stream) submit(t Task, after ...mark) (mark, error) {
	s.dev.mu.Lock()
	defer s.dev.mu.Unlock()
	after = slices.DeleteFunc(after, mark.passed)
	behind := func(other *stream) {
		if m := other.tail(); !m.passed() {
			after = append(after, m)
		}
	}
	switch {
	case s.null:
		for _, other := range s.dev.streams {
			if other != s && !other.nonBlocking {
				behind(other)
			}
		}
	case !s.nonBlocking && s.dev.null != nil:
		behind(s.dev.null)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		t.Drop()
		return mark{}, s.dev.errorf("the stream is closed")
	}
	if len(s.queue) == cap(s.queue) && s.head > len(s.queue)/2 {
		n := copy(s.queue, s.queue[s.head:])
		clear(s.queue[n:])
		s.queue, s.head = s.queue[:n], 0
	}
	s.queue = append(s.queue, entry{after, t})
	s.submitted++
	s.call()
	return mark{s, s.submitted}, nil
}

// tail is the point behind all that was submitted.
func (s *stream) tail() mark {
	s.mu.Lock()
	defer s.mu.Unlock()
	return mark{s, s.submitted}
}

// takeError returns the stream's error and forgets it.
func (s *stream) takeError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.err
	s.err = nil
	return err
}

// Launch implements driver.Stream.
func (s *stream) Launch(f driver.Function, c *driver.Config, args []byte, goArgs []any) error {
	t, err := s.dev.engine.Launch(f, c, args, goArgs)
	if err == nil {
		_, err = s.submit(t)
	}
	return err
}

// CopyIn implements driver.Stream.
func (s *stream) CopyIn(dst driver.Ptr, src unsafe.Pointer, n int) error {
	to, err := s.dev.view(dst, n)
	if err != nil {
		return err
	}
	return s.move(to, unsafe.Slice((*byte)(src), n), func() { s.dev.watcher.Written(dst, n) })
}

// CopyOut implements driver.Stream.
func (s *stream) CopyOut(dst unsafe.Pointer, src driver.Ptr, n int) error {
	from, err := s.dev.view(src, n)
	if err != nil {
		return err
	}
	return s.move(unsafe.Slice((*byte)(dst), n), from, func() {})
}

// Copy implements driver.Stream.
func (s *stream) Copy(dst, src driver.Ptr, n int) error {
	to, err := s.dev.view(dst, n)
	if err != nil {
		return err
	}
	from, err := s.dev.view(src, n)
	if err != nil {
		return err
	}
	return s.move(to, from, func() { s.dev.watcher.Copied(dst, src, n) })
}

// move copies, then calls done.
func (s *stream) move(dst, src []byte, done func()) error {
	_, err := s.submit(action(func() error {
		copy(dst, src)
		done()
		return nil
	}))
	return err
}

// Fill implements driver.Stream.
func (s *stream) Fill(dst driver.Ptr, b byte, n int) error {
	to, err := s.dev.view(dst, n)
	if err != nil {
		return err
	}
	_, err = s.submit(action(func() error {
		fill(to, b)
		s.dev.watcher.Written(dst, n)
		return nil
	}))
	return err
}

func fill(to []byte, b byte) {
	if b == 0 {
		clear(to)
		return
	}
	const first = 64
	for i := range to[:min(len(to), first)] {
		to[i] = b
	}
	for n := first; n < len(to); n *= 2 {
		copy(to[n:], to[:n])
	}
}

// Sync implements driver.Stream.
func (s *stream) Sync() error {
	s.mu.Lock()
	if !s.serving { // it takes two changes of goroutine less than to wait
		s.work(s.submitted)
	}
	s.mu.Unlock()
	s.tail().wait()
	if s.dev.pooled.Load() {
		return errs.Join(s.takeError(), s.dev.trimPools())
	}
	return s.takeError()
}

// Done implements driver.Stream. It leaves an error of the stream to Sync.
func (s *stream) Done() (bool, error) { return s.tail().passed(), nil }

// Close implements driver.Stream: it does what is queued, then ends the stream.
func (s *stream) Close() error {
	s.dev.mu.Lock()
	s.dev.streams = slices.DeleteFunc(s.dev.streams, func(o *stream) bool { return o == s })
	if s.null {
		s.dev.null = nil
	}
	s.dev.mu.Unlock()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	return s.Sync()
}
