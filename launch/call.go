package launch

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A HostPanic is the error of a function of the host that a stream called ([Stream.Call]) and
// that panicked.
type HostPanic struct {
	Value any
	Stack string
}

// Error is the value of the panic.
func (p *HostPanic) Error() string {
	return fmt.Sprintf("launch: a function that a stream called panicked: %v", p.Value)
}

// Call queues a call of f, which happens when the work before it has ended; the work after it
// waits for its return (hipLaunchHostFunc). Meanwhile f must not use the device, nor wait for
// something that does, another stream's call among them: the library may have one thread for
// all calls. A panic of f is the stream's
// error, a *[HostPanic].
func (s *Stream) Call(f func()) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.dev.leave()
	if f == nil {
		return errs.F("launch: Call: the function is nil")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(); err != nil {
		return err
	}
	c, ok := s.drv.(driver.Caller)
	if !ok {
		return errs.F("launch: Call: %s has no calls of the host", s.dev.Name())
	}
	call := f
	if s.tape == nil {
		call = func() { s.guarded(func() error { f(); return nil }) }
	}
	if err := s.vendor(c.Call(call)); err != nil {
		return err
	}
	s.seq++
	return nil
}

// CallUsing is [Stream.Call] of a function that works with buffers, each a *Buffer of the stream's
// device: so Download waits for it, and Close does not free their memory under it. What they hold
// counts as written afterwards. An error of f is the stream's. F is called once, whatever happens: ctx
// is done where the stream is told to stop ([Stream.SyncContext]), already before the call if the
// work before it was stopped too. On devices on the host f may wait for another stream's call, as
// each stream has a goroutine of its own; on a GPU ctx lasts, and what Call says of waiting holds
// (hipLaunchHostFunc).
func (s *Stream) CallUsing(f func(ctx context.Context) error, uses ...any) error {
	if f == nil {
		return errs.F("launch: CallUsing: the function is nil")
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.dev.leave()
	blocks, err := s.used("CallUsing", uses, nil)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errs.Join(s.ready(), s.now("CallUsing")); err != nil {
		return err
	}
	for _, b := range blocks {
		if !b.note(s, s.seq+1) {
			return errs.F("launch: CallUsing: %v is closed", b)
		}
	}
	call := func(ctx context.Context) { s.guarded(func() error { return f(ctx) }) }
	switch c := s.drv.(type) {
	case driver.UsingCaller:
		err = c.CallUsing(call, spansOf(uses))
	case driver.Caller:
		err = c.Call(func() { call(context.Background()) })
	default:
		return errs.F("launch: CallUsing: %s has no calls of the host", s.dev.Name())
	}
	if err := s.vendor(err); err != nil {
		return err
	}
	s.seq++
	return nil
}

// thrown are the panics and errors of functions that a stream has called, until it is waited for.
type thrown struct {
	mu  sync.Mutex
	all []error
}

// guarded calls f, and keeps its panic or its error.
func (s *Stream) guarded(f func() error) {
	defer func() {
		if v := recover(); v != nil {
			s.thrown.add(&HostPanic{v, string(debug.Stack())})
		}
	}()
	if err := f(); err != nil {
		s.thrown.add(err)
	}
}

func (t *thrown) add(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, err)
}

func (t *thrown) take() []error {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.all
	t.all = nil
	return all
}

// Priorities are the lowest and the highest priority that the device's streams can have; the
// highest is the smallest number (hipDeviceGetStreamPriorityRange). Where both are 0 there is
// one.
func (d *Device) Priorities() (least, greatest int, err error) {
	if err := d.enter(); err != nil {
		return 0, 0, err
	}
	defer d.leave()
	p, ok := d.drv.(driver.Prioritized)
	if !ok {
		return 0, 0, nil
	}
	least, greatest, err = p.Priorities()
	return least, greatest, d.vendor(err)
}

// Options are the stream's, its priority as the device has rounded it
// (hipStreamGetPriority, hipStreamGetFlags).
func (s *Stream) Options() StreamOptions {
	if s == nil {
		return StreamOptions{}
	}
	return StreamOptions{NonBlocking: s.opts.NonBlocking, Priority: s.opts.Priority}
}

type streamKey struct{}

// WithStream returns a context that carries a stream. It is Go's form of a stream for each
// thread (hipStreamPerThread): goroutines have no identity, so a program gives each one a
// stream of its own, and hands it on with the context.
func WithStream(ctx context.Context, s *Stream) context.Context {
	return context.WithValue(ctx, streamKey{}, s)
}

// StreamOf is the stream that the context carries, nil if it carries none.
func StreamOf(ctx context.Context) *Stream {
	s, _ := ctx.Value(streamKey{}).(*Stream)
	return s
}
