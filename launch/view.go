package launch

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// View is the memory of b as elements of another type, in the same memory: of a
// Buffer[float32] as uint32, of bytes as a struct. Its size must be a multiple of E's, and its
// address of E's alignment. Types that hold pointers or slices have no view, and bool none of
// other types: not every byte is one. Closing a view ends only the view, as of [Buffer.Slice],
// which is the view of a part.
//
//	bits, err := launch.View[uint32](floats)
func View[E, T any](b *Buffer[T]) (*Buffer[E], error) {
	h, err := b.head().as(reflect.TypeFor[E](), reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	return &Buffer[E]{header: header{dev: h.dev, own: h.own, ptr: h.ptr, len: h.len, cap: h.cap, elem: h.elem, view: true}}, nil
}

// KeptView is a view that b keeps, for code that needs one for each launch: of successive calls for one E, the first makes it. Closing it does nothing: it
// ends with b. Where E's size is a multiple of T's, or of less bytes than T's and T's a multiple of it, it has as many elements as lie in b whole;
// else, as [View], it is of all bytes or an error.
//
//	wide, err := launch.KeptView[vector.Float4](floats)
func KeptView[E, T any](b *Buffer[T]) (*Buffer[E], error) {
	h := b.head()
	if err := h.usable(); err != nil {
		return nil, errs.F("launch: View: %w", err)
	}
	if v := h.kept.Load(); v != nil && v.elem == typeWord(reflect.TypeFor[E]()) {
		return (*Buffer[E])(unsafe.Pointer(v)), nil
	}
	if size := int(unsafe.Sizeof(*new(E))); size > 0 {
		if t := int(unsafe.Sizeof(*new(T))); h.len*t%size != 0 && t > 0 {
			b = b.Slice(0, h.len*t/size*size/t)
		}
	}
	v, err := View[E](b)
	if err != nil {
		return nil, err
	}
	v.header.isKept = true
	h.kept.Store(&v.header)
	return v, nil
}

// viewOf is a header without what must not be copied.
type viewOf struct {
	dev      *Device
	own      *owner
	ptr      unsafe.Pointer
	len, cap int
	elem     unsafe.Pointer
}

// as is the buffer of elements t as one of elements e.
func (h *header) as(e, t reflect.Type) (v viewOf, err error) {
	if err := h.usable(); err != nil {
		return v, errs.F("launch: View: %w", err)
	}
	if err := viewable(e, t); err != nil {
		return v, err
	}
	size, bytes := int(e.Size()), h.len*int(t.Size())
	switch {
	case e == t:
		return viewOf{h.dev, h.own, h.ptr, h.len, h.cap, h.elem}, nil
	case size == 0:
		return v, errs.F("launch: View of %s as %s, which has no size", t, e)
	case bytes%size != 0:
		return v, errs.F("launch: View of %d %s as %s: %d bytes are no multiple of %d; use Slice", h.len, t, e, bytes, size)
	case uintptr(h.ptr)%uintptr(e.Align()) != 0:
		return v, errs.F("launch: View of %s as %s: the first element is at no multiple of %d bytes", t, e, e.Align())
	}
	return viewOf{h.dev, h.own, h.ptr, bytes / size, h.cap * int(t.Size()) / size, typeWord(e)}, nil
}

// viewables has the pairs of types that viewable has found good, lastView the latest.
var (
	viewables sync.Map
	lastView  atomic.Pointer[[2]reflect.Type]
)

// viewable says whether elements t can be seen as elements e, whatever their number.
func viewable(e, t reflect.Type) error {
	pair := [2]reflect.Type{e, t}
	if last := lastView.Load(); last != nil && *last == pair {
		return nil
	}
	if last, ok := viewables.Load(pair); ok {
		lastView.Store(last.(*[2]reflect.Type))
		return nil
	}
	if err := checkElem(e); err != nil {
		return err
	}
	for _, x := range pair {
		if e != t && len(pointerOffsets(x, 0, nil)) > 0 {
			return errs.F("launch: View of %s as %s: %s holds addresses", t, e, x)
		}
	}
	if e != t && hasBool(e) {
		return errs.F("launch: View of %s as %s: not every byte is a bool; use uint8", t, e)
	}
	found := pair // what is kept is on the heap
	viewables.Store(pair, &found)
	return nil
}

// hasBool reports whether a value of type t holds a bool.
func hasBool(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool:
		return true
	case reflect.Array:
		return hasBool(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if hasBool(f.Type) {
				return true
			}
		}
	}
	return false
}

// MemoryInfo is how many bytes of the device's memory are free, and how many it has
// (hipMemGetInfo). On a GPU other processes' memory counts as used; a device on the host counts
// its own only.
func (d *Device) MemoryInfo() (free, total int64, err error) {
	if err := d.enter(); err != nil {
		return 0, 0, err
	}
	defer d.leave()
	can, ok := d.drv.(driver.MemoryInfo)
	if !ok {
		return 0, d.info.Memory, errs.F("launch: MemoryInfo: %s does not say how much memory is free", d.info.Name)
	}
	free, total, err = can.MemoryInfo()
	return free, total, d.vendor(err)
}
