package gpu

import (
	"context"
	"sync"
	"time"
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A Stream implements driver.Stream. Handle 0 is the default stream.
type Stream struct {
	dev     *Device
	handle  uintptr
	mu      sync.Mutex // guards what follows
	frame   *frame
	call    [11]uintptr      // the arguments of a kernel launch
	overlap *launchConfig    // of launchOverlapping; nil before the first
	params  []unsafe.Pointer // those of the kernel, where a launch takes them one by one
}

// A frame is the list of extra parameters of a kernel launch
// (CU_LAUNCH_PARAM_*, HIP_LAUNCH_PARAM_*): where the argument block lies and
// how long it is. It lives on the heap, one a stream, so that a launch
// allocates nothing and C sees an address that does not move.
type frame struct {
	bufferTag uintptr
	buffer    unsafe.Pointer
	sizeTag   uintptr
	size      *uintptr
	end       uintptr
	bytes     uintptr
}

const (
	paramBuffer = 1
	paramSize   = 2
)

func newFrame(end uintptr) *frame {
	f := &frame{bufferTag: paramBuffer, sizeTag: paramSize, end: end}
	f.size = &f.bytes
	return f
}

// Launch implements driver.Stream (cuLaunchKernel, hipModuleLaunchKernel).
func (s *Stream) Launch(fn driver.Function, c *driver.Config, args []byte, _ []any) error {
	f, ok := fn.(*Function)
	if !ok || f.dev != s.dev {
		return errs.F("%s: the kernel was loaded on another device", s.dev.info.Name)
	}
	if c.Shared > f.dynamicMax {
		if err := f.allowShared(); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.Cooperative {
		return s.launchCooperative(f, c, args)
	}
	extra := uintptr(0)
	if len(args) > 0 {
		// Stored in the heap, so args is in the heap too and stays where it is.
		s.frame.buffer, s.frame.bytes = unsafe.Pointer(&args[0]), uintptr(len(args))
		extra = uintptr(unsafe.Pointer(s.frame))
	}
	if f.launch != 0 {
		return s.launchOverlapping(f, c, extra)
	}
	s.call = [...]uintptr{
		f.handle,
		uintptr(c.Grid[0]), uintptr(c.Grid[1]), uintptr(c.Grid[2]),
		uintptr(c.Block[0]), uintptr(c.Block[1]), uintptr(c.Block[2]),
		uintptr(c.Shared), s.handle, 0, extra,
	}
	return s.dev.result(LaunchKernel, s.call[:])
}

// launchCooperative launches blocks that are all resident
// (cuLaunchCooperativeKernel, hipModuleLaunchCooperativeKernel); s.mu is held.
func (s *Stream) launchCooperative(f *Function, c *driver.Config, args []byte) error {
	s.params = s.params[:0]
	for _, at := range f.places {
		s.params = append(s.params, unsafe.Pointer(&args[at]))
	}
	params := uintptr(0)
	if len(s.params) > 0 {
		params = uintptr(unsafe.Pointer(&s.params[0]))
	}
	err := s.dev.do(LaunchCooperative, f.handle,
		uintptr(c.Grid[0]), uintptr(c.Grid[1]), uintptr(c.Grid[2]),
		uintptr(c.Block[0]), uintptr(c.Block[1]), uintptr(c.Block[2]),
		uintptr(c.Shared), s.handle, params)
	clear(s.params)
	return err
}

// CopyIn implements driver.Stream.
func (s *Stream) CopyIn(dst driver.Ptr, src unsafe.Pointer, n int) error {
	return s.dev.do(CopyIn, uintptr(dst), uintptr(src), uintptr(n), s.handle)
}

// CopyOut implements driver.Stream.
func (s *Stream) CopyOut(dst unsafe.Pointer, src driver.Ptr, n int) error {
	return s.dev.do(CopyOut, uintptr(dst), uintptr(src), uintptr(n), s.handle)
}

// Copy implements driver.Stream.
func (s *Stream) Copy(dst, src driver.Ptr, n int) error {
	return s.dev.do(Copy, uintptr(dst), uintptr(src), uintptr(n), s.handle)
}

// Fill implements driver.Stream.
func (s *Stream) Fill(dst driver.Ptr, b byte, n int) error {
	return s.dev.do(Fill, uintptr(dst), uintptr(b), uintptr(n), s.handle)
}

// Record implements driver.Stream.
func (s *Stream) Record(e driver.Event) error {
	ev, ok := e.(*Event)
	if !ok || ev.dev != s.dev {
		return errs.F("%s: the event is of another device", s.dev.info.Name)
	}
	return s.dev.do(EventRecord, ev.handle, s.handle)
}

// Wait implements driver.Stream. The event may be of another device of the
// same vendor.
func (s *Stream) Wait(e driver.Event) error {
	ev, ok := e.(*Event)
	if !ok || ev.dev.lib != s.dev.lib {
		return errs.F("%s: the event is of another kind of device", s.dev.info.Name)
	}
	return s.dev.do(StreamWait, s.handle, ev.handle, 0)
}

// Sync implements driver.Stream.
func (s *Stream) Sync() error { return s.dev.do(StreamSync, s.handle) }

// SyncContext implements driver.Stream. The libraries cannot end a kernel.
func (s *Stream) SyncContext(ctx context.Context) error {
	return await(ctx, s.Sync, s.Done)
}

// Done implements driver.Stream.
func (s *Stream) Done() (bool, error) { return s.dev.ask(StreamQuery, s.handle) }

// Close implements driver.Stream. Work already queued is still done.
func (s *Stream) Close() error {
	if s.handle == 0 {
		return nil
	}
	return s.dev.do(StreamDestroy, s.handle)
}

// Between two questions whether work is done, so much time passes at first and
// at last.
const (
	firstPause = 10 * time.Microsecond
	lastPause  = time.Millisecond
)

// await is sync for as long as ctx lasts. A call of the library that waits cannot be
// called off, and would keep a thread, so it is asked now and then whether the work
// is done.
func await(ctx context.Context, sync func() error, done func() (bool, error)) error {
	if ctx.Done() == nil {
		return sync()
	}
	t := time.NewTimer(0)
	defer t.Stop()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		if is, err := done(); is || err != nil {
			return sync() // which also returns failures
		}
		t.Reset(pause)
		select {
		case <-ctx.Done():
			return &driver.Stopped{Running: true, Cause: context.Cause(ctx)}
		case <-t.C:
		}
	}
}
