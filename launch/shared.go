package launch

import (
	"reflect"
	"strings"
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// This file gives device memory to other processes.

// A Shared is a Buffer as another process can open it ([OpenShared]). It holds no addresses, and can be sent in any form: as
// JSON, say, through a pipe or a file. Whoever has it can use the memory.
type Shared struct {
	Kind   string // "cuda" or "hip"
	Handle []byte // CUipcMemHandle, hipIpcMemHandle_t
	Elem   string // the Go type of the elements
	Len    int
	Offset int // bytes from the start of the allocation
}

// Share names b to other processes of the machine (hipIpcGetMemHandle). The memory stays b's: this process must not close it
// while another one has it open. Memory of a pool, of the host or of another library cannot be shared, nor that of devices on the host:
// ranks of ccl send what it holds.
func (b *Buffer[T]) Share() (Shared, error) {
	if err := b.head().enter("Share"); err != nil {
		return Shared{}, err
	}
	h := b.head()
	defer h.leave()
	can, ok := h.dev.drv.(driver.Sharer)
	if !ok {
		return Shared{}, h.dev.noSharing("Share")
	}
	block := h.own.b
	if block.kind != DeviceMemory || block.pool != nil || block.size == 0 {
		return Shared{}, errs.F("launch: Share: %v cannot be shared: take memory of Alloc or Upload, one element at least", block)
	}
	handle, err := can.Share(block.base)
	if err != nil {
		return Shared{}, errs.F("launch: Share: %w", h.dev.vendor(err))
	}
	kind, _, _ := strings.Cut(h.dev.info.Name, ":")
	return Shared{Kind: kind, Handle: handle[:], Elem: reflect.TypeFor[T]().String(), Len: h.len, Offset: int(uintptr(h.ptr) - uintptr(block.base))}, nil
}

func (d *Device) noSharing(call string) error {
	return errs.F("launch: %s on %s: a device on the host has no memory that other processes can open; send it: ccl.Send, or Download and a file", call, d.info.Name)
}

// OpenShared is another process's Buffer on d, the device that it is on or one with access to that (hipIpcOpenMemHandle). Its
// type must be the other one's. Work with it is ordered with the other process's by nothing but what the two
// tell each other. Close ends the use here, before the other process closes it (hipIpcCloseMemHandle).
func OpenShared[T any](d *Device, s Shared) (*Buffer[T], error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	can, ok := d.drv.(driver.Sharer)
	if !ok {
		return nil, d.noSharing("OpenShared")
	}
	var handle driver.SharedHandle
	elem := reflect.TypeFor[T]()
	switch kind, _, _ := strings.Cut(d.info.Name, ":"); {
	case s.Kind != kind:
		return nil, errs.F("launch: OpenShared: memory of a device of kind %q, on %s", s.Kind, d.info.Name)
	case s.Elem != elem.String():
		return nil, errs.F("launch: OpenShared: a Buffer of %s as one of %s", s.Elem, elem)
	case len(s.Handle) != len(handle) || s.Len < 0 || s.Offset < 0:
		return nil, errs.F("launch: OpenShared: a handle of %d bytes, a length of %d and an offset of %d: it is damaged", len(s.Handle), s.Len, s.Offset)
	}
	copy(handle[:], s.Handle)
	at, err := can.OpenShared(handle)
	if err != nil {
		return nil, errs.F("launch: OpenShared: %w", d.vendor(err))
	}
	done := func() error { return can.CloseShared(at) }
	b, err := Wrap[T](d, unsafe.Add(at, s.Offset), s.Len, done)
	if err != nil {
		return nil, errs.Join(err, d.vendor(done()))
	}
	return b, nil
}
