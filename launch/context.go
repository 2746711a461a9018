package launch

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"strings"

	"heddle/internal/driver"
)

// This file is about waiting no longer than a context lasts.

// A Stopped is the error of a call that waits when its context is done before the
// work is. The work that it waited for is stopped, where the device can do that
// (cpu, sim and emu), and so is all that was queued before it on its streams; a GPU
// goes on with it.
type Stopped struct {
	Device string // its name: "cpu"
	// Kernel is the Go function that ran, "" if none is known to: nothing had begun,
	// or it was a copy. On a GPU it is one of those that may be running still, the
	// first to have been launched.
	Kernel string
	// Pos is where it was: the loop that it was in, as a rule. It is not valid where
	// that is not known, as on GPUs; then Block and Thread are zero too.
	Pos           token.Position
	Block, Thread Dim3
	// Running: the work could not be stopped and goes on.
	Running bool
	// Cause is why: context.Cause of the context.
	Cause error

	others []string // kernels besides Kernel that may be running
}

// Error is position, kernel, how it ended, and the cause:
//
//	main.go:12:2: kernel main.Spin was stopped on cpu (block {1 0 0}, thread {37 0 0}): context deadline exceeded
//	kernel main.Spin is still running on cuda:0: context deadline exceeded
func (e *Stopped) Error() string {
	what := "the queued work"
	if e.Kernel != "" {
		what = "kernel " + strings.Join(append([]string{e.Kernel}, e.others...), " or ")
	}
	at, thread := "", ""
	if e.Pos.IsValid() {
		at = e.Pos.String() + ": "
		if !e.Running {
			thread = fmt.Sprintf(" (block %v, thread %v)", e.Block, e.Thread)
		}
	}
	became := "was stopped"
	if e.Running {
		became = "is still running"
	}
	return fmt.Sprintf("%s%s %s on %s%s: %v", at, what, became, e.Device, thread, e.Cause)
}

// Unwrap returns the cause.
func (e *Stopped) Unwrap() error { return e.Cause }

// stopped turns the driver's error for work that was ended, or is waited for no
// longer, into a Stopped, and leaves any other error alone. running are the kernels
// that may be meant.
func (d *Device) stopped(err error, running []*function) error {
	var s *driver.Stopped
	if !errors.As(err, &s) {
		return err
	}
	e := &Stopped{
		Device: d.info.Name, Kernel: s.Kernel, Running: s.Running, Cause: s.Cause,
		Block: dim3(s.Block), Thread: dim3(s.Thread),
	}
	if s.File != "" {
		e.Pos = token.Position{Filename: s.File, Line: s.Line, Column: s.Col}
	}
	if e.Kernel == "" && e.Running {
		for i, f := range running {
			if i == 0 {
				e.Kernel = f.obj.Name
			} else if name := f.obj.Name; name != e.Kernel {
				e.others = append(e.others, name)
			}
		}
	}
	return e
}

// stillRunning reports whether err says that work goes on.
func stillRunning(err error) bool {
	var s *Stopped
	return errors.As(err, &s) && s.Running
}

// SyncContext is [Stream.Sync] for as long as ctx lasts. Once ctx is done, the work
// queued on the stream so far is stopped, where the device can do that, and the
// error is a *[Stopped] that says which kernel ran and where. On cpu and emu that
// works anywhere; on sim wherever the kernel calls functions of package dsl: of a
// loop without any, the error says where it is, and the kernel goes on in a
// goroutine. A GPU goes on too, and its stream can be waited for again.
func (s *Stream) SyncContext(ctx context.Context) error {
	if ctx.Done() == nil {
		return s.Sync()
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.dev.leave()
	return s.waitContext(ctx)
}

// CloseContext is [Stream.Close] for as long as ctx lasts; see [Stream.SyncContext].
// A stream whose work goes on is closed nevertheless.
func (s *Stream) CloseContext(ctx context.Context) error { return s.close(ctx) }

// waitContext is wait for as long as ctx lasts.
func (s *Stream) waitContext(ctx context.Context) error {
	if s.taped.Load() {
		return s.errCaptured()
	}
	if err := s.restContext(ctx); err != nil {
		return err
	}
	return s.take()
}

// restContext is rest for as long as ctx lasts. Its own error is that of work that
// goes on; any other becomes the stream's.
func (s *Stream) restContext(ctx context.Context) error {
	if ctx.Done() == nil {
		s.rest()
		return nil
	}
	seq := s.submitted()
	err := s.real.SyncContext(ctx)
	var running *driver.Stopped
	goesOn := errors.As(err, &running) && running.Running
	s.mu.Lock()
	var own error
	if goesOn {
		own, err = s.vendor(err), nil
	}
	panics := s.settle(seq, !goesOn, err)
	s.mu.Unlock()
	s.tellOthers(panics)
	if !goesOn {
		s.dev.prints.flush()
	}
	return own
}

// SyncContext is [Event.Sync] for as long as ctx lasts. Once ctx is done, the work
// that the event waits for is treated as [Stream.SyncContext] says.
func (e *Event) SyncContext(ctx context.Context) error {
	s, err := e.enter()
	if err != nil {
		return err
	}
	defer e.dev.leave()
	err = e.drv.SyncContext(ctx)
	var running *driver.Stopped
	if errors.As(err, &running) && running.Running {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.vendor(err)
	}
	e.settle(s, err)
	return s.take()
}
