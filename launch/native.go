package launch

import (
	"runtime"
	"strings"
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
	"heddle/internal/inside"
)

// This file hands out what is the vendor's library's own, for calls of other libraries on
// the same device: rocBLAS, cuBLAS, rocFFT, MIOpen, NCCL. Examples/blas shows all of it.

// A NativeDevice is a device in its vendor's library.
type NativeDevice struct {
	Kind string // "cuda" or "hip"
	// Device is CUDA's CUdevice, which is also the run time's number of the device; HIP's
	// number of the device.
	Device int
	// Context is CUDA's CUcontext, the device's primary one, which cudart and the libraries
	// above it use too; 0 with HIP, which has none.
	Context uintptr
}

// Native is the device in its vendor's library. The context is the device's until
// [Device.Close]: do not destroy it. Devices without such a library (cpu, sim, emu) are an
// error.
func (d *Device) Native() (NativeDevice, error) {
	if err := d.enter(); err != nil {
		return NativeDevice{}, err
	}
	defer d.leave()
	c, ok := d.drv.(driver.Current)
	if !ok {
		return NativeDevice{}, d.noHandle("Device.Native")
	}
	kind, _, _ := strings.Cut(d.info.Name, ":")
	return NativeDevice{Kind: kind, Device: int(c.Handle()), Context: c.Context()}, nil
}

func (d *Device) noHandle(what string) error {
	return errs.F("launch: %s on %s: it has no handles; there is no library of a GPU's vendor behind it", what, d.info.Name)
}

// Do calls f on an OS thread of its own on which the device is current (cuCtxSetCurrent,
// hipSetDevice), and returns f's error. Libraries that work on the current device are to be
// called in it, the call that creates their handle, too. On devices without a library it
// only calls f. F must not close the device.
func (d *Device) Do(f func() error) error {
	if f == nil {
		return errs.F("launch: Do of a nil func")
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	if c, ok := d.drv.(driver.Current); ok {
		return d.vendor(c.Locked(f))
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return f()
}

// Native is the stream's handle: CUstream (which is cudaStream_t) or hipStream_t. The default
// stream's is 0. It is valid until [Stream.Close]. Work is better queued inside
// [Stream.Foreign], which tells this package of it. Devices without handles are an error.
func (s *Stream) Native() (uintptr, error) {
	if err := s.enter(); err != nil {
		return 0, err
	}
	defer s.dev.leave()
	return s.native("Stream.Native")
}

func (s *Stream) native(call string) (uintptr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.now(call); err != nil {
		return 0, err
	}
	h, ok := s.drv.(driver.Handled)
	if !ok {
		return 0, s.dev.noHandle(call)
	}
	return h.Handle(), nil
}

// Native is the event's handle: CUevent (which is cudaEvent_t) or hipEvent_t. It is valid as
// long as e is reachable and not closed. Devices without handles are an error.
func (e *Event) Native() (uintptr, error) {
	if err := e.usable(); err != nil {
		return 0, err
	}
	if err := e.dev.enter(); err != nil {
		return 0, err
	}
	defer e.dev.leave()
	h, ok := e.drv.(driver.Handled)
	if !ok {
		return 0, e.dev.noHandle("Event.Native")
	}
	return h.Handle(), nil
}

// Pointer is the address of the buffer's first element on its device: what a function of
// another library takes. It is nil for a closed and for an empty Buffer. It does not keep b
// alive: [Stream.Foreign] does until the work is queued, and the memory until it is done.
func (b *Buffer[T]) Pointer() unsafe.Pointer {
	if b.head().usable() != nil || b.header.cap == 0 {
		return nil
	}
	return b.header.ptr
}

// Foreign queues work of another library on the stream: it calls f with the stream's handle,
// on an OS thread on which the device is current ([Device.Do]). The work uses the given
// buffers, each a *Buffer of the stream's device: so Download waits for it, and Close does not free their
// memory under it. An error of f is Foreign's, and none of the stream's. F must not use the stream
// otherwise. Devices without handles are an error.
//
//	err := s.Foreign(func(stream uintptr) error {
//		return status(cublasSetStream(handle, stream), cublasSgemm(handle, ..., a.Pointer(), ...))
//	}, a, b, c)
func (s *Stream) Foreign(f func(stream uintptr) error, uses ...any) error {
	if f == nil {
		return errs.F("launch: Foreign of a nil func")
	}
	work := [1]inside.Work{{Stream: s, Uses: uses}}
	return queueForeign(work[:], func() error { return f(work[0].Handle) })
}

// queueForeign is Foreign of several streams at once: f is called when all are locked, in the order in which they
// are given, with the device of the first current.
func queueForeign(all []inside.Work, f func() error) error {
	locked := 0
	defer func() {
		for i := range all[:locked] {
			s := all[i].Stream.(*Stream)
			s.mu.Unlock()
			s.dev.leave()
			runtime.KeepAlive(all[i].Uses)
		}
	}()
	for i := range all {
		if err := all[i].Stream.(*Stream).lockForeign(&all[i]); err != nil {
			return err
		}
		locked++
	}
	return all[0].Stream.(*Stream).dev.drv.(driver.Current).Locked(f)
}

// lockForeign locks the stream and enters its device, unless there is an error. It sets the handle.
func (s *Stream) lockForeign(w *inside.Work) (err error) {
	if err := s.enter(); err != nil {
		return err
	}
	s.mu.Lock()
	defer func() {
		if err != nil {
			s.mu.Unlock()
			s.dev.leave()
		}
	}()
	if err := s.now("Foreign"); err != nil {
		return err
	}
	h, ok := s.drv.(driver.Handled)
	if !ok {
		return s.dev.noHandle("Foreign")
	}
	var room [4]*block
	blocks, err := s.used("Foreign", w.Uses, room[:0])
	if err != nil {
		return err
	}
	if err := s.ready(); err != nil {
		return err
	}
	for _, b := range blocks {
		if !b.note(s, s.seq+1) {
			return errs.F("launch: Foreign: %v is closed", b)
		}
	}
	s.seq++ // even where f fails, it may have queued something
	w.Handle = h.Handle()
	return nil
}

// used appends the blocks of the buffers that a call's work uses to all.
func (s *Stream) used(call string, uses []any, all []*block) ([]*block, error) {
	for i, u := range uses {
		b, ok := u.(headed)
		if !ok {
			return nil, errs.F("launch: %s: what it uses: number %d is %T, want a *launch.Buffer", call, i+1, u)
		}
		h := b.head()
		if err := h.usable(); err != nil {
			return nil, errs.F("launch: %s: %w", call, err)
		}
		if h.dev != s.dev {
			return nil, errs.F("launch: %s: %v is on %s, the stream on %s", call, h.own.b, h.dev.Name(), s.dev.besides(h.dev))
		}
		all = append(all, h.own.b)
	}
	return all, nil
}

// spansOf is what buffers hold.
func spansOf(buffers []any) []driver.Span {
	var spans []driver.Span
	for _, b := range buffers {
		if h := b.(headed).head(); h.size() > 0 {
			spans = append(spans, driver.Span{At: h.ptr, N: h.size()})
		}
	}
	return spans
}
