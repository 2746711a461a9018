package host

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/errs"
)

// ErrClosed is what the calls of a closed device return, behind the device's kind.
var ErrClosed = errors.New("the device is closed")

// device implements driver.Device.
type device struct {
	info         driver.Info
	kind         string // "sim", which begins its errors
	engine       Engine
	watcher      Watcher
	memory, host heap
	// sharing is held by who allocates and frees, and alone by who changes peers.
	sharing sync.RWMutex

	// mu orders what is submitted to different streams, and guards:
	mu      sync.Mutex
	streams []*stream // the open ones
	null    *stream   // the default stream, if open
	closed  bool
	peers   []*device // whose memory kernels may use
	viewers []*device // whose kernels may use this one's
	pools   []*pool

	pooled atomic.Bool // there has been a pool
}

// New returns a device that runs kernels by e. With poison, new and freed
// memory is filled with a pattern that is NaN in floats, so that reading what
// was never written shows; without, new memory holds zeros.
func New(info driver.Info, e Engine, poison bool) driver.Device {
	kind, _, _ := strings.Cut(info.Name, ":")
	return &device{
		info: info, kind: kind, engine: e, watcher: watch(e),
		memory: heap{kind: kind, what: "device memory", limit: info.Memory, poison: poison},
		host:   heap{kind: kind, what: "page-locked host memory", limit: info.Memory, poison: poison},
	}
}

func (d *device) errorf(format string, args ...any) error {
	return errs.F(d.kind+": "+format, args...)
}

func (d *device) errClosed() error { return d.errorf("%w", ErrClosed) }

// Info implements driver.Device.
func (d *device) Info() *driver.Info { return &d.info }

// Alloc implements driver.Device.
func (d *device) Alloc(n int) (driver.Ptr, error) {
	if d.isClosed() {
		return nil, d.errClosed()
	}
	return d.alloc(&d.memory, n)
}

// alloc allocates from one of the heaps and tells the watcher.
func (d *device) alloc(h *heap, n int) (unsafe.Pointer, error) {
	d.sharing.RLock()
	defer d.sharing.RUnlock()
	p, err := h.alloc(n)
	if err != nil {
		return nil, err
	}
	if err := d.allocated(p, n, h == &d.host); err != nil {
		return nil, errs.Join(err, h.free(p))
	}
	return p, nil
}

// free is the reverse.
func (d *device) free(h *heap, p unsafe.Pointer) error {
	d.sharing.RLock()
	defer d.sharing.RUnlock()
	if err := h.check(p); err != nil {
		return err
	}
	return errs.Join(d.freed(p), h.free(p))
}

// Free implements driver.Device. Unlike hipFree it does not wait for the work
// under way: no work may use the memory.
func (d *device) Free(p driver.Ptr) error {
	return d.free(&d.memory, p)
}

// AllocHost implements driver.Device.
func (d *device) AllocHost(n int) (unsafe.Pointer, error) {
	if d.isClosed() {
		return nil, d.errClosed()
	}
	return d.alloc(&d.host, n)
}

// FreeHost implements driver.Device. No work may use the memory.
func (d *device) FreeHost(p unsafe.Pointer) error {
	return d.free(&d.host, p)
}

// Register implements driver.Device.
func (d *device) Register(p unsafe.Pointer, n int) (driver.Ptr, error) {
	if d.isClosed() {
		return nil, d.errClosed()
	}
	d.sharing.RLock()
	defer d.sharing.RUnlock()
	if err := d.allocated(p, n, true); err != nil {
		return nil, err
	}
	d.memory.register(p, n)
	return p, nil
}

// Load implements driver.Device.
func (d *device) Load(o *abi.Object) (driver.Function, error) {
	if d.isClosed() {
		return nil, d.errClosed()
	}
	return d.engine.Load(o)
}

// Close implements driver.Device. It stops the engine, waits for the work under
// way and returns its errors.
func (d *device) Close() error {
	d.mu.Lock()
	closed := d.closed
	d.closed = true
	d.mu.Unlock()
	if closed {
		return d.errClosed()
	}
	d.engine.Stop()
	var all []error
	for _, s := range d.open() {
		all = append(all, s.Close())
	}
	return errs.Join(append(all, d.leave(), d.engine.Close(), d.memory.close(), d.host.close())...)
}

func (d *device) isClosed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closed
}

// open returns the open streams.
func (d *device) open() []*stream {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]*stream(nil), d.streams...)
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
		d.mu.Lock()
		peers := d.peers
		d.mu.Unlock()
		for _, o := range peers {
			for _, h := range []*heap{&o.memory, &o.host} {
				if theirs, peerErr := h.view(p, n); peerErr == nil {
					return theirs, nil
				}
			}
		}
	}
	return b, err
}
