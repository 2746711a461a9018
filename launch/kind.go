package launch

import (
	"reflect"
	"runtime"
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A MemoryKind is whose memory a Buffer is in.
type MemoryKind int

// The kinds of memory, with who makes them. A Buffer of any of them is an argument of a kernel.
const (
	DeviceMemory     MemoryKind = iota // Alloc, Upload (hipMalloc)
	PinnedMemory                       // NewPinned: of the host, page-locked (hipHostMalloc)
	RegisteredMemory                   // Register: Go's, page-locked (hipHostRegister)
	ManagedMemory                      // NewManaged, dsl.Managed: of both (hipMallocManaged)
	PoolMemory                         // AllocAsync, Pool (hipMallocAsync)
	WrappedMemory                      // Wrap: another library's
)

var kindNames = [...]string{"device", "pinned", "registered", "managed", "pool", "wrapped"}

// String is the kind in one word.
func (k MemoryKind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return "unknown"
	}
	return kindNames[k]
}

// prefix is what a buffer of the kind is called in front of that word.
func (k MemoryKind) prefix() string {
	if k == DeviceMemory || k == PoolMemory {
		return ""
	}
	return k.String() + " "
}

// of is the kind in a sentence about allocating it.
func (k MemoryKind) of() string {
	if k == DeviceMemory {
		return ""
	}
	return "of " + k.String() + " memory "
}

// Kind is whose memory b is in.
func (b *Buffer[T]) Kind() MemoryKind {
	if b == nil || b.header.own == nil {
		return DeviceMemory
	}
	return b.header.own.b.kind
}

// On is the device that b is on, nil for a nil or zero Buffer.
func (b *Buffer[T]) On() *Device {
	if b == nil {
		return nil
	}
	return b.header.dev
}

// Host is the memory of b as the host reads and writes it: of a Buffer of [NewPinned],
// [Register] or [NewManaged], or of a [dsl.Managed] variable. Of other memory, and of a closed
// Buffer, it is nil. A copy from it or to it by another Buffer's UploadAsync or DownloadAsync
// does not wait (see there). Who touches it while a kernel does has to order the two: wait for
// the stream, or use atomics.
//
// It does not keep b alive. Once Host was called, the memory stays until Close, even if b is
// forgotten; after Close it must not be touched.
func (b *Buffer[T]) Host() []T {
	if b.head().usable() != nil || b.header.own.b.host == nil || b.header.cap == 0 {
		return nil
	}
	b.header.own.b.kept.Store(true)
	return unsafe.Slice((*T)(b.header.hostAt()), b.header.cap)[:b.header.len]
}

// hostAt is the host's address of the first element.
func (h *header) hostAt() unsafe.Pointer {
	b := h.own.b
	return unsafe.Add(b.host, uintptr(h.ptr)-uintptr(b.base))
}

// caller is where the exported function was called that calls it.
func caller() uintptr {
	var pcs [1]uintptr
	runtime.Callers(3, pcs[:])
	return pcs[0]
}

// PinnedOptions choose a kind of page-locked memory; the zero value is coherent.
type PinnedOptions struct {
	// NonCoherent: the device may keep the memory in its caches, so that the host sees what a
	// kernel writes only when the kernel has ended, and kernels are faster
	// (hipHostMallocNonCoherent). NVIDIA GPUs and devices on the host have only coherent memory.
	NonCoherent bool
	// WriteCombined: the host's writes go past its caches, and its reads are slow
	// (hipHostMallocWriteCombined). On the host's own devices it does nothing.
	WriteCombined bool
}

// NewPinned returns a Buffer of n elements, all zero, of page-locked memory of the host
// (hipHostMalloc). [Buffer.Host] is the memory on the host, and a kernel on d that is given the
// Buffer reads and writes it there: over the bus, on a GPU. Copies between Host and another
// Buffer are asynchronous ([Buffer.UploadAsync]). Of several options the last counts.
func NewPinned[T any](d *Device, n int, options ...PinnedOptions) (*Buffer[T], error) {
	pc := caller()
	var o driver.HostOptions
	for _, given := range options {
		o = driver.HostOptions(given)
	}
	b, err := d.pinned(reflect.TypeFor[T](), n, o, pc)
	if err != nil {
		return nil, err
	}
	return bufferOf[T](d, b), nil
}

func (d *Device) pinned(t reflect.Type, n int, o driver.HostOptions, pc uintptr) (*block, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	if err := checkLen("NewPinned", t, n); err != nil {
		return nil, err
	}
	can, err := d.hostMemory("NewPinned")
	if err != nil {
		return nil, err
	}
	b := &block{elem: t, len: n, size: n * int(t.Size()), pc: pc, kind: PinnedMemory}
	b.free = func() error { return d.drv.FreeHost(b.host) }
	return b, d.obtain(b, true, func() (err error) {
		b.host, b.base, err = can.AllocPinned(b.size, o)
		return err
	})
}

func (d *Device) hostMemory(call string) (driver.HostMemory, error) {
	if can, ok := d.drv.(driver.HostMemory); ok {
		return can, nil
	}
	return nil, errs.F("launch: %s: %s cannot share memory of the host", call, d.info.Name)
}
