package launch

import (
	"os"
	"reflect"
	"unsafe"

	"heddle/internal/errs"
)

// Register makes memory of Go page-locked until Close of the Buffer that it returns, which is
// that memory: kernels read and write src itself, and copies from it and to it are asynchronous
// (hipHostRegister). src need not be aligned; what shares its first and last page is locked with
// it. Close unregisters it (hipHostUnregister).
//
// It is safe because Go's collector does not move what is on the heap, and since the Buffer
// keeps src, the compiler puts it there: an array that would be on a stack, which moves when it
// grows, is on the heap if it is passed to Register. An address that the compiler cannot follow
// (one that was a uintptr) must not be passed. The Buffer keeps src alive, and the registration
// lasts until Close even if the Buffer is forgotten after [Buffer.Host] was called.
//
// Refused are: elements with pointers or slices, since a kernel would write them behind the
// collector's back; memory that is a device's already; memory that shares a page with other
// registered memory of d, which the libraries lock once; and nothing at all.
func Register[T any](d *Device, src []T) (*Buffer[T], error) {
	pc := caller()
	b, err := d.lock(reflect.TypeFor[T](), unsafe.Pointer(unsafe.SliceData(src)), len(src), pc)
	if err != nil {
		return nil, err
	}
	return bufferOf[T](d, b), nil
}

func (d *Device) lock(t reflect.Type, p unsafe.Pointer, n int, pc uintptr) (*block, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	if err := checkLen("Register", t, n); err != nil {
		return nil, err
	}
	can, err := d.hostMemory("Register")
	if err != nil {
		return nil, err
	}
	b := &block{elem: t, len: n, size: n * int(t.Size()), pc: pc, kind: RegisteredMemory, host: p, keep: p}
	switch owner, other := memoryOf(p); {
	case b.size == 0:
		return nil, errs.F("launch: Register of %d %s: there is no memory to lock", n, t)
	case len(pointerOffsets(t, 0, nil)) > 0:
		return nil, errs.F("launch: Register of %s: its pointers are for Go's collector, which would not see what a kernel writes; use NewPinned", t)
	case owner != nil && other.kind == RegisteredMemory && owner == d:
		return nil, errs.F("launch: Register: the memory is registered already, as %v", other)
	case owner != nil && other.kind != RegisteredMemory:
		return nil, errs.F("launch: Register: the memory is a device's already: %v of %s", other, owner.Name())
	}
	d.mem.locking.Lock()
	defer d.mem.locking.Unlock()
	if other := d.mem.samePage(b); other != nil {
		return nil, errs.F("launch: Register: the memory shares a page of %d bytes with another %v; register both as one slice, or use NewPinned", os.Getpagesize(), other)
	}
	b.free = func() error { return can.Unlock(b.host) }
	return b, d.obtain(b, false, func() (err error) {
		b.base, err = can.Lock(p, b.size)
		return err
	})
}

// samePage is a registered block with a page in common with b, nil if there is none.
func (m *memory) samePage(b *block) *block {
	m.mu.Lock()
	defer m.mu.Unlock()
	page := uintptr(os.Getpagesize())
	first, last := uintptr(b.host)/page, (uintptr(b.host)+uintptr(b.size)-1)/page
	for _, list := range [][]*block{m.live, m.waiting} {
		for _, o := range list {
			if o.kind == RegisteredMemory && uintptr(o.host)/page <= last && first <= (uintptr(o.host)+uintptr(o.size)-1)/page {
				return o
			}
		}
	}
	return nil
}

// Wrap returns a Buffer of n elements at p, which is memory of d that another library owns
// (rocBLAS, cuBLAS, a DLPack tensor); on a device on the host it is memory of the host. p is
// aligned for T, and the memory stays as it is until done was called: once, after Close, when
// the work with the Buffer has ended. done may be nil. Work that others have queued with the memory is
// not known to d: wait for it, or for an event of it, first.
func Wrap[T any](d *Device, p unsafe.Pointer, n int, done func() error) (*Buffer[T], error) {
	pc := caller()
	b, err := d.wrap(reflect.TypeFor[T](), p, n, done, pc)
	if err != nil {
		return nil, err
	}
	return bufferOf[T](d, b), nil
}

func (d *Device) wrap(t reflect.Type, p unsafe.Pointer, n int, done func() error, pc uintptr) (*block, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	if err := checkLen("Wrap", t, n); err != nil {
		return nil, err
	}
	can, err := d.hostMemory("Wrap")
	if err != nil {
		return nil, err
	}
	b := &block{elem: t, len: n, size: n * int(t.Size()), pc: pc, kind: WrappedMemory, base: p, keep: p}
	owner, other := memoryOf(p)
	switch {
	case p == nil && b.size > 0:
		return nil, errs.F("launch: Wrap of %d %s at address 0", n, t)
	case uintptr(p)%uintptr(t.Align()) != 0:
		return nil, errs.F("launch: Wrap of %s at %p: the address is no multiple of %d", t, p, t.Align())
	case owner != nil && b.size > 0:
		return nil, errs.F("launch: Wrap: the memory is a Buffer's already: %v of %s", other, owner.Name())
	}
	b.free = func() error {
		err := can.Disown(b.base)
		if done != nil {
			err = errs.Join(err, done())
		}
		return err
	}
	return b, d.obtain(b, false, func() error { return can.Adopt(p, b.size) })
}
