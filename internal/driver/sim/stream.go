package sim

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/simt"
)

// stream implements driver.Stream: a goroutine works through its queue.
type stream struct {
	dev         *device
	null        bool // the default stream
	nonBlocking bool // takes no notice of the default stream

	mu        sync.Mutex
	changed   sync.Cond // of mu: work was submitted or finished
	queue     []work
	submitted uint64 // works so far
	finished  uint64
	err       error // the first failure since takeError
	closed    bool
}

// work is one entry of a queue.
type work struct {
	after []mark
	do    func() error
}

// A mark is a point in a stream: its first n works.
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
		return nil, errClosed
	}
	if o.Default && d.null != nil {
		return nil, errors.New("sim: the device has its default stream already")
	}
	s := &stream{dev: d, null: o.Default, nonBlocking: o.NonBlocking}
	s.changed.L = &s.mu
	d.streams = append(d.streams, s)
	if s.null {
		d.null = s
	}
	go s.serve()
	return s, nil
}

// serve does the queued work until the stream is closed.
func (s *stream) serve() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for len(s.queue) == 0 {
			if s.closed {
				return
			}
			s.changed.Wait()
		}
		w := s.queue[0]
		s.queue = s.queue[1:]
		s.mu.Unlock()
		for _, m := range w.after {
			m.wait()
		}
		err := w.do()
		s.mu.Lock()
		if s.err == nil {
			s.err = err
		}
		s.finished++
		s.changed.Broadcast()
	}
}

// submit queues work behind what the stream holds already, behind the given
// marks and, as HIP has it, behind the default stream's work; the default
// stream waits for all streams that are not NonBlocking.
func (s *stream) submit(do func() error, after ...mark) (mark, error) {
	s.dev.mu.Lock()
	defer s.dev.mu.Unlock()
	switch {
	case s.null:
		for _, other := range s.dev.streams {
			if other != s && !other.nonBlocking {
				after = append(after, other.tail())
			}
		}
	case !s.nonBlocking && s.dev.null != nil:
		after = append(after, s.dev.null.tail())
	}
	after = slices.DeleteFunc(after, mark.passed)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return mark{}, errors.New("sim: the stream is closed")
	}
	s.queue = append(s.queue, work{after, do})
	s.submitted++
	s.changed.Broadcast()
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
func (s *stream) Launch(f driver.Function, c *driver.Config, _ []byte, goArgs []any) error {
	fn, ok := f.(*function)
	if !ok || fn.dev != s.dev {
		return fmt.Errorf("sim: kernel %s was loaded on another device", f.Object().Name)
	}
	if c.Shared > s.dev.info.SharedPerBlockMax {
		return fmt.Errorf("sim: kernel %s: %d bytes of dynamic shared memory, the device has %d",
			fn.object.Name, c.Shared, s.dev.info.SharedPerBlockMax)
	}
	body, err := fn.bind(goArgs)
	if err != nil {
		return err
	}
	cfg := simt.Config{
		Grid:     simt.Dim{X: c.Grid[0], Y: c.Grid[1], Z: c.Grid[2]},
		Block:    simt.Dim{X: c.Block[0], Y: c.Block[1], Z: c.Block[2]},
		WarpSize: s.dev.info.WarpSize, Shared: c.Shared, SharedMax: s.dev.info.SharedPerBlockMax,
	}
	_, err = s.submit(func() error { return located(fn.object.Name, simt.Run(cfg, body)) })
	return err
}

// located turns the error of a simulated launch into the driver's.
func located(kernel string, err error) error {
	var p *simt.Panic
	switch {
	case errors.As(err, &p):
		return &driver.SimPanic{
			Kernel: kernel, File: p.Pos.File, Line: p.Pos.Line, Value: p.Value,
			Block: driver.Dim{p.Block.X, p.Block.Y, p.Block.Z}, Thread: driver.Dim{p.Thread.X, p.Thread.Y, p.Thread.Z},
		}
	case err != nil:
		return fmt.Errorf("kernel %s: %w", kernel, err)
	}
	return nil
}

// CopyIn implements driver.Stream.
func (s *stream) CopyIn(dst driver.Ptr, src unsafe.Pointer, n int) error {
	to, err := s.dev.view(dst, n)
	if err != nil {
		return err
	}
	return s.move(to, unsafe.Slice((*byte)(src), n))
}

// CopyOut implements driver.Stream.
func (s *stream) CopyOut(dst unsafe.Pointer, src driver.Ptr, n int) error {
	from, err := s.dev.view(src, n)
	if err != nil {
		return err
	}
	return s.move(unsafe.Slice((*byte)(dst), n), from)
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
	return s.move(to, from)
}

func (s *stream) move(dst, src []byte) error {
	_, err := s.submit(func() error { copy(dst, src); return nil })
	return err
}

// Fill implements driver.Stream.
func (s *stream) Fill(dst driver.Ptr, b byte, n int) error {
	to, err := s.dev.view(dst, n)
	if err != nil {
		return err
	}
	_, err = s.submit(func() error {
		for i := range to {
			to[i] = b
		}
		return nil
	})
	return err
}

// view returns the n bytes of device or page-locked memory at p.
func (d *device) view(p unsafe.Pointer, n int) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	b, err := d.memory.view(p, n)
	if err != nil {
		if pinned, hostErr := d.host.view(p, n); hostErr == nil {
			return pinned, nil
		}
	}
	return b, err
}

// Sync implements driver.Stream.
func (s *stream) Sync() error {
	s.tail().wait()
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
	s.changed.Broadcast()
	s.mu.Unlock()
	return s.Sync()
}
