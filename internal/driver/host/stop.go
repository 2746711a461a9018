package host

import (
	"context"
	"sync"
	"time"

	"heddle/internal/driver"
)

// This file ends work early.

// A Runner is a kernel that runs and can be asked to end.
type Runner interface {
	// Stop asks it to end soon, with a *driver.Stopped of this cause.
	Stop(cause error)
	// Running says what runs and, as far as that can be found, where. It may take
	// a while.
	Running() driver.Stopped
}

// A Stop tells a task of a stream to end.
type Stop struct {
	mu    sync.Mutex
	cause error
	r     Runner
}

// Watch makes r the one to be told, at once if there is cause already, until
// Unwatch, which must follow.
func (s *Stop) Watch(r Runner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.r = r
	if s.cause != nil {
		r.Stop(s.cause)
	}
}

// Unwatch ends Watch: then r is told no more.
func (s *Stop) Unwatch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.r = nil
}

// reset readies s for the next task.
func (s *Stop) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cause, s.r = nil, nil
}

func (s *Stop) raise(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cause == nil {
		s.cause = cause
		if s.r != nil {
			s.r.Stop(cause)
		}
	}
}

// running says what runs, as a *driver.Stopped.
func (s *Stop) running(cause error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var at driver.Stopped
	if s.r != nil {
		at = s.r.Running()
	}
	at.Running, at.Cause = true, cause
	return &at
}

// grace is how long work that has been told to end may take until nobody waits
// for it any more.
const grace = time.Second

// SyncContext implements driver.Stream.
func (s *stream) SyncContext(ctx context.Context) error {
	if ctx.Done() == nil {
		return s.Sync()
	}
	late, err := s.tail().waitContext(ctx)
	if err != nil {
		return err
	}
	if err = s.takeError(); err == nil && late { // somebody else has been told which kernel it was
		err = &driver.Stopped{Cause: context.Cause(ctx)}
	}
	return err
}

// SyncContext implements driver.Event.
func (e *event) SyncContext(ctx context.Context) error {
	_, err := e.mark().waitContext(ctx)
	return err
}

// waitContext is wait while ctx lasts; then the stream's work up to m is ended, and
// late is true. The error is a *driver.Stopped of work that goes on nevertheless.
func (m mark) waitContext(ctx context.Context) (late bool, err error) {
	if m.s == nil {
		return false, nil
	}
	stop := context.AfterFunc(ctx, m.s.wake)
	m.waitUnless(func() bool { return ctx.Err() != nil })
	stop()
	if m.passed() {
		return false, nil
	}
	cause := context.Cause(ctx)
	m.s.cancel(m.n, cause)
	over := time.Now().Add(grace)
	timer := time.AfterFunc(grace, m.s.wake)
	m.waitUnless(func() bool { return !time.Now().Before(over) })
	timer.Stop()
	if m.passed() {
		return true, nil
	}
	return true, m.s.stop.running(cause)
}

// waitUnless returns when the stream has passed m, or giveUp says so, which it is
// asked once more each time that the stream wakes.
func (m mark) waitUnless(giveUp func() bool) {
	m.s.mu.Lock()
	defer m.s.mu.Unlock()
	for m.s.finished < m.n && !giveUp() {
		m.s.changed.Wait()
	}
}

// wake makes those look again who wait for the stream.
func (s *stream) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed.Broadcast()
}

// cancel ends the first n entries of the stream: the one that runs is told, the
// others are dropped in their turn.
func (s *stream) cancel(n uint64, cause error) {
	s.mu.Lock()
	if n > s.cancelled.Load() {
		s.cancelled.Store(n)
		s.cause = cause
	}
	if s.serving && s.finished < n {
		s.stop.raise(cause)
	}
	behind := s.behind
	s.mu.Unlock()
	if behind != nil {
		behind.wake()
	}
}

// do does the entry e, number n of the stream, unless it is cancelled; s.mu is
// held, but not meanwhile.
func (s *stream) do(e entry, n uint64) error {
	for _, m := range e.after {
		if m.s == nil {
			continue
		}
		s.behind = m.s
		s.mu.Unlock()
		m.s.mu.Lock()
		for m.s.finished < m.n && s.cancelled.Load() < n {
			m.s.changed.Wait()
		}
		m.s.mu.Unlock()
		s.mu.Lock()
		s.behind = nil
	}
	if _, always := e.task.(*stamp); !always && s.cancelled.Load() >= n {
		cause := s.cause
		s.mu.Unlock()
		e.task.Drop()
		s.mu.Lock()
		return &driver.Stopped{Cause: cause}
	}
	s.stop.reset()
	s.mu.Unlock()
	err := e.task.Run(&s.stop)
	s.mu.Lock()
	return err
}
