package launch

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"sync/atomic"
	"unsafe"

	"heddle/internal/errs"
)

// A Buffer is device memory that holds a slice of T: what a kernel sees as
// []T, or as the *T of its first element. T is made of numbers, bools, arrays
// and structs; it may also hold slices and pointers that are device addresses
// ([Buffer.Device]).
type Buffer[T any] struct {
	_ [0]*T // tells package source T, at run time
	// The header comes first: a launch finds it behind any *Buffer[T]. It is not embedded, and
	// does the work: each method of a generic type is compiled for each T that a program has.
	header header
}

// header is the part of a Buffer that does not depend on T.
type header struct {
	dev    *Device
	own    *owner
	ptr    unsafe.Pointer // device address of element 0
	len    int            // in elements
	cap    int
	elem   unsafe.Pointer // identity of the element type, as an interface holds it
	view   bool           // of another Buffer's memory: made by Slice
	closed atomic.Bool
	bad    error                  // of a Slice out of range
	kept   atomic.Pointer[header] // see KeptView
	isKept bool
}

// An owner keeps a block alive: a Buffer and its slices share one, and when
// none of them is left, the collector's cleanup of it frees the block.
type owner struct {
	b *block
}

// head is b's header, nil for a nil b.
func (b *Buffer[T]) head() *header {
	if b == nil {
		return nil
	}
	return &b.header
}

// headed is any *Buffer[T].
type headed interface{ head() *header }

// usable says whether the buffer can be used.
func (h *header) usable() error {
	switch {
	case h == nil:
		return errors.New("nil Buffer")
	case h.bad != nil:
		return h.bad
	case h.own == nil:
		return errors.New("zero Buffer; make one with launch.Alloc or launch.Upload")
	}
	if h.own.b.freed.Load() || h.closed.Load() {
		return errs.F("%v is closed", h.own.b)
	}
	return nil
}

// enter begins a call on the buffer, whose memory stays until leave, even if
// another goroutine closes it; where it returns nil, leave must follow.
func (h *header) enter(call string) error {
	if err := h.usable(); err != nil {
		return errs.F("launch: %s: %w", call, err)
	}
	if err := h.dev.enter(); err != nil {
		return err
	}
	if !h.own.b.pin() {
		h.dev.leave()
		return errs.F("launch: %s: %v is closed", call, h.own.b)
	}
	return nil
}

func (h *header) leave() {
	h.dev.unpin(h.own.b)
	h.dev.leave()
}

// Alloc returns a Buffer of n elements of d's memory, all zero (hipMalloc).
func Alloc[T any](d *Device, n int) (*Buffer[T], error) { return newBuffer[T](d, n, nil) }

// Upload returns a Buffer that holds a copy of src in d's memory. src may be
// device memory itself, of d or of another device: what [Buffer.Device] returned,
// or a part of it. Then the copy waits for the work with that.
func Upload[T any](d *Device, src []T) (*Buffer[T], error) {
	v := valuesOf(src)
	return newBuffer[T](d, len(src), &v)
}

// newBuffer is called by Alloc and Upload, whose caller is the buffer's site.
func newBuffer[T any](d *Device, n int, src *values) (*Buffer[T], error) {
	var pcs [1]uintptr
	runtime.Callers(3, pcs[:])
	b, err := d.newBlock(reflect.TypeFor[T](), n, src, pcs[0])
	if err != nil {
		return nil, err
	}
	return bufferOf[T](d, b), nil
}

// newBlock is memory for n elements of type t: zeros, or src.
func (d *Device) newBlock(t reflect.Type, n int, src *values, site uintptr) (*block, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	if err := checkLen("Alloc", t, n); err != nil {
		return nil, err
	}
	b, err := d.alloc(t, n, src == nil, site)
	if err != nil || src == nil {
		return b, err
	}
	to := header{dev: d, ptr: b.base}
	if err := to.copyIn(context.Background(), *src); err != nil {
		_, free := d.release(b)
		return nil, errs.Join(err, free)
	}
	return b, nil
}

// bufferOf is the Buffer of a new block.
func bufferOf[T any](d *Device, b *block) *Buffer[T] { return &Buffer[T]{header: headerOf(d, b)} }

func headerOf(d *Device, b *block) header {
	o := &owner{b}
	runtime.AddCleanup(o, d.collect, b)
	return header{dev: d, own: o, ptr: b.base, len: b.len, cap: b.len, elem: typeWord(b.elem)}
}

// checkLen says whether there can be n elements of type t.
func checkLen(call string, t reflect.Type, n int) error {
	if err := checkElem(t); err != nil {
		return err
	}
	if n < 0 {
		return errs.F("launch: %s of %d elements", call, n)
	}
	if size := int(t.Size()); size > 0 && n > math.MaxInt/size {
		return errs.F("launch: %s of %d elements of %d bytes: more than there are addresses", call, n, size)
	}
	return nil
}

// Len is the number of elements; of a captured Buffer in a kernel too.
func (b *Buffer[T]) Len() int {
	if b == nil {
		return 0
	}
	return b.header.len
}

// String says what the buffer is and where it was allocated.
func (b *Buffer[T]) String() string {
	if b == nil || b.header.own == nil {
		return "nil Buffer"
	}
	return b.header.own.b.String()
}

// Slice is elements i to j of b, in the same memory, with the capacity to the
// end of it as a Go slice has. A range that is out of bounds makes a Buffer
// whose every use is an error. Closing a slice ends only the slice; closing
// the Buffer that was allocated ends them all.
func (b *Buffer[T]) Slice(i, j int) *Buffer[T] {
	if err := b.head().usable(); err != nil {
		return &Buffer[T]{header: header{bad: err}}
	}
	s := &Buffer[T]{header: header{dev: b.header.dev, own: b.header.own, elem: b.header.elem, view: true}}
	if i < 0 || j < i || j > b.header.cap {
		s.header.bad = errs.F("slice [%d:%d] of a %v is out of range", i, j, b.header.own.b)
		return s
	}
	s.header.len, s.header.cap, s.header.ptr = j-i, b.header.cap-i, b.header.ptr
	if s.header.cap > 0 { // as in Go, the address never points past the end
		s.header.ptr = unsafe.Add(b.header.ptr, i*int(unsafe.Sizeof(*new(T))))
	}
	return s
}

// nowhere is what the slices of empty buffers begin at.
var nowhere [2]uint64

// Device is the slice that a kernel sees, with its device address. It, a part of
// it (b.Device()[i:j]) or a pointer to an element (&b.Device()[i]) can be an
// argument of a launch, be captured, or be put into a struct that is passed to a
// kernel or into a Buffer of such. The host must not touch its elements; on
// devices that run on the host it can, while no kernel uses them. It does not keep
// b alive. Of a closed Buffer it is nil, of an empty one it is not. In a kernel it is how a captured Buffer is
// used: v := b.Device().
func (b *Buffer[T]) Device() []T {
	switch {
	case b.head().usable() != nil:
		return nil
	case b.header.cap == 0:
		return unsafe.Slice((*T)(unsafe.Pointer(&nowhere)), 0)
	}
	return unsafe.Slice((*T)(b.header.ptr), b.header.cap)[:b.header.len]
}

// Close gives the memory back once the work that uses it is done; it does not
// wait for that (but hipFree and its like, called when it is done, may wait for
// the device's other work). Closing twice is fine.
func (b *Buffer[T]) Close() error {
	if b == nil || b.header.own == nil || b.header.isKept || b.header.closed.Swap(true) {
		return nil
	}
	if b.header.view || b.header.dev.enter() != nil {
		return nil // where the device is closed or lost, so is the memory
	}
	defer b.header.dev.leave()
	_, err := b.header.dev.release(b.header.own.b)
	return err
}
