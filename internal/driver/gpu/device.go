package gpu

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
	"unsafe"

	"heddle/internal/dl"
	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A Device is an opened device. It implements driver.Device.
type Device struct {
	lib     *Lib
	spec    *Spec
	info    driver.Info
	handle  uintptr   // the vendor's device number
	current []uintptr // what SetCurrent takes: the context, or HIP's device number
	service *Stream   // for the driver's own small copies; waits for nobody's work
	slots   slots
	// registered: memory of the host stays registered with the context, which other devices
	// may use.
	registered atomic.Bool
}

// invoke is call of one of the Calls.
func (d *Device) invoke(c Call, args []uintptr) (int, error) { return d.call(d.lib.addr[c], args) }

// call makes the device current on this thread and calls the function at an address, returning
// its result. It allocates nothing.
func (d *Device) call(at uintptr, args []uintptr) (int, error) {
	calls := dl.NewCalls()
	defer calls.Free()
	calls.Add(d.lib.addr[SetCurrent], d.current...)
	calls.Add(at, args...)
	if calls.Run(false) == 0 {
		code := int(int32(calls.List[0].Result))
		return code, d.lib.failure(d.spec.Symbols[SetCurrent], code)
	}
	return int(int32(calls.List[1].Result)), nil
}

// result is invoke with every result but success an error.
func (d *Device) result(c Call, args []uintptr) error {
	code, err := d.invoke(c, args)
	if err != nil {
		return err
	}
	if code != codeOK {
		return d.lib.failure(d.spec.Symbols[c], code)
	}
	return nil
}

// do is result for arguments written out in the call: pointers converted to
// uintptr there stay alive and in place until it returns.
//
//go:uintptrescapes
func (d *Device) do(c Call, args ...uintptr) error { return d.result(c, args) }

// ask is do for a question whose answer may be "not yet".
func (d *Device) ask(c Call, handle uintptr) (bool, error) {
	code, err := d.invoke(c, []uintptr{handle})
	switch {
	case err != nil:
		return false, err
	case code == codeNotReady:
		return false, nil
	case code != codeOK:
		return false, d.lib.failure(d.spec.Symbols[c], code)
	}
	return true, nil
}

// Do makes the device current and calls c; about args see Lib.Call.
//
//go:uintptrescapes
func (d *Device) Do(c Call, args ...uintptr) error { return d.do(c, args...) }

// Info implements driver.Device.
func (d *Device) Info() *driver.Info { return &d.info }

// Alloc implements driver.Device (cuMemAlloc, hipMalloc).
func (d *Device) Alloc(n int) (driver.Ptr, error) {
	out := new(uintptr)
	err := d.do(MemAlloc, uintptr(unsafe.Pointer(out)), uintptr(n))
	return pointer(*out), err
}

// Free implements driver.Device (cuMemFree, hipFree).
func (d *Device) Free(p driver.Ptr) error { return d.do(MemFree, uintptr(p)) }

// AllocHost implements driver.Device (cuMemHostAlloc, hipHostMalloc).
func (d *Device) AllocHost(n int) (unsafe.Pointer, error) {
	out := new(uintptr)
	err := d.do(HostAlloc, uintptr(unsafe.Pointer(out)), uintptr(n), d.spec.HostFlags)
	return pointer(*out), err
}

// FreeHost implements driver.Device (cuMemFreeHost, hipHostFree).
func (d *Device) FreeHost(p unsafe.Pointer) error { return d.do(HostFree, uintptr(p)) }

// Register implements driver.Device (cuMemHostRegister, hipHostRegister). Another device of
// the process may have registered the memory: that serves all.
func (d *Device) Register(p unsafe.Pointer, n int) (driver.Ptr, error) {
	const portable, mapped, already = 1, 2, 712
	err := d.do(HostRegister, uintptr(p), uintptr(n), portable|mapped)
	var e *driver.Error
	switch {
	case err == nil:
		d.registered.Store(true)
	case !errors.As(err, &e) || e.Code != already:
		return nil, err
	}
	out := new(uintptr)
	err = d.do(HostDeviceAddress, uintptr(unsafe.Pointer(out)), uintptr(p), 0)
	return pointer(*out), err
}

// Close frees the device's own memory and gives its context back. What the
// caller allocated or loaded is the caller's to close before.
func (d *Device) Close() error {
	return errs.Join(d.service.Close(), d.slots.free(d), d.release())
}

func (d *Device) release() error {
	if d.spec.Symbols[PrimaryRelease] == "" || d.registered.Load() {
		return nil
	}
	return d.lib.Call(PrimaryRelease, d.handle)
}

const (
	streamNonBlocking = 1 // CU_STREAM_NON_BLOCKING, hipStreamNonBlocking
)

// NewStream implements driver.Device. The default stream is the library's
// legacy null stream: it and the blocking streams wait for each other.
func (d *Device) NewStream(o driver.StreamOptions) (driver.Stream, error) {
	s, err := d.newStream(o)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (d *Device) newStream(o driver.StreamOptions) (*Stream, error) {
	s := &Stream{dev: d, frame: newFrame(d.spec.ParamEnd)}
	if o.Default {
		return s, nil
	}
	flags := uintptr(0)
	if o.NonBlocking {
		flags = streamNonBlocking
	}
	out := new(uintptr)
	if err := d.do(StreamCreate, uintptr(unsafe.Pointer(out)), flags, uintptr(o.Priority)); err != nil {
		return nil, err
	}
	s.handle = *out
	return s, nil
}

// NewEvent implements driver.Device: an event that can measure time.
func (d *Device) NewEvent() (driver.Event, error) {
	out := new(uintptr)
	if err := d.do(EventCreate, uintptr(unsafe.Pointer(out)), 0); err != nil {
		return nil, err
	}
	return &Event{d, *out}, nil
}

// An Event implements driver.Event.
type Event struct {
	dev    *Device
	handle uintptr
}

// Sync implements driver.Event.
func (e *Event) Sync() error { return e.dev.do(EventSync, e.handle) }

// SyncContext implements driver.Event.
func (e *Event) SyncContext(ctx context.Context) error { return await(ctx, e.Sync, e.Done) }

// Done implements driver.Event.
func (e *Event) Done() (bool, error) { return e.dev.ask(EventQuery, e.handle) }

// Since implements driver.Event. The libraries count in steps of about half a
// microsecond.
func (e *Event) Since(start driver.Event) (time.Duration, error) {
	from, ok := start.(*Event)
	if !ok || from.dev.lib != e.dev.lib {
		return 0, errs.F("%s: the start event is of another device", e.dev.info.Name)
	}
	ms := new(float32)
	err := e.dev.do(EventElapsed, uintptr(unsafe.Pointer(ms)), from.handle, e.handle)
	return time.Duration(float64(*ms) * float64(time.Millisecond)), err
}

// Close implements driver.Event.
func (e *Event) Close() error { return e.dev.do(EventDestroy, e.handle) }
