package launch

import (
	"reflect"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// NewManaged returns a Buffer of n elements, all zero, that the host has too, as [Buffer.Host]:
// its pages move to whoever touches them (hipMallocManaged, __managed__). [Buffer.Prefetch]
// moves them beforehand, [Buffer.Advise] says how they will be used. On devices on the host they
// stay where they are. A [dsl.Managed] variable is such memory, too: [SymbolBuffer] is its
// Buffer.
func NewManaged[T any](d *Device, n int) (*Buffer[T], error) {
	pc := caller()
	b, err := d.managed(reflect.TypeFor[T](), n, pc)
	if err != nil {
		return nil, err
	}
	return bufferOf[T](d, b), nil
}

func (d *Device) managed(t reflect.Type, n int, pc uintptr) (*block, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	if err := checkLen("NewManaged", t, n); err != nil {
		return nil, err
	}
	can, ok := d.drv.(driver.ManagedAllocator)
	if !ok {
		return nil, errs.F("launch: NewManaged: %s has no managed memory; use NewPinned", d.info.Name)
	}
	b := &block{elem: t, len: n, size: n * int(t.Size()), pc: pc, kind: ManagedMemory}
	b.free = func() error { return can.FreeManaged(b.base) }
	return b, d.obtain(b, true, func() (err error) {
		b.base, err = can.AllocManaged(b.size)
		b.host = b.base
		return err
	})
}

// Advice is how managed memory will be used (hipMemoryAdvise).
type Advice int

// The advice of [Buffer.Advise]; each has its opposite, which takes it back.
const (
	ReadMostly        Advice = Advice(driver.SetReadMostly)        // read by many, rarely written: may be in several places
	PreferredLocation Advice = Advice(driver.SetPreferredLocation) // where it lies unless somebody else needs it
	AccessedBy        Advice = Advice(driver.SetAccessedBy)        // who shall reach it without faults, wherever it lies

	UnsetReadMostly        Advice = Advice(driver.UnsetReadMostly)
	UnsetPreferredLocation Advice = Advice(driver.UnsetPreferredLocation)
	UnsetAccessedBy        Advice = Advice(driver.UnsetAccessedBy)
)

// managedBlock says whether the buffer is managed memory.
func (h *header) managedBlock(call string) error {
	if b := h.own.b; b.kind != ManagedMemory {
		return errs.F("launch: %s: %v is %s memory, which does not move; make it with launch.NewManaged", call, b, b.kind)
	}
	return nil
}

// Advise says how the managed memory of b will be used (hipMemAdvise): at is the device
// that the advice is about, of the kind of b's, or nil for the host; ReadMostly is about none. What
// advice does is the driver's to decide, but no result depends on it. A [dsl.Managed] variable
// does not move, and the advice is checked only.
func (b *Buffer[T]) Advise(a Advice, at *Device) error { return b.head().advise(a, at) }

func (h *header) advise(a Advice, at *Device) error {
	if err := h.enter("Advise"); err != nil {
		return err
	}
	defer h.leave()
	if err := h.managedBlock("Advise"); err != nil {
		return err
	}
	if a < ReadMostly || a > UnsetAccessedBy {
		return errs.F("launch: Advise: there is no advice %d; see launch.ReadMostly", a)
	}
	var drv driver.Device
	if at != nil {
		if err := at.enter(); err != nil {
			return err
		}
		defer at.leave()
		drv = at.drv
	}
	can, ok := h.dev.drv.(driver.ManagedAllocator)
	if n := h.len * int(h.own.b.elem.Size()); ok && n > 0 && h.own.b.variable == nil {
		return h.dev.vendor(can.Advise(h.ptr, n, driver.Advice(a), drv))
	}
	return nil
}

// Prefetch queues on s the move of b's managed memory to the stream's device
// (hipMemPrefetchAsync). A [dsl.Managed] variable stays where it is.
func (b *Buffer[T]) Prefetch(s *Stream) error { return s.prefetch("Prefetch", b.head(), false) }

// PrefetchHost is [Buffer.Prefetch] to the host (hipMemPrefetchAsync to hipCpuDeviceId).
func (b *Buffer[T]) PrefetchHost(s *Stream) error { return s.prefetch("PrefetchHost", b.head(), true) }

func (s *Stream) prefetch(call string, h *header, toHost bool) error {
	return s.queue(call, h, func() error {
		if err := errs.Join(h.managedBlock(call), s.now(call)); err != nil {
			return err
		}
		can, ok := s.drv.(driver.Prefetcher)
		n := h.len * int(h.own.b.elem.Size())
		if !ok || n == 0 || h.own.b.variable != nil {
			return nil
		}
		return s.vendor(can.Prefetch(h.ptr, n, toHost))
	})
}
