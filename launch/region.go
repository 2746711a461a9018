package launch

import (
	"math"
	"reflect"
	"unsafe"

	"heddle/internal/errs"
)

// A Layout says how rows lie in memory, all in elements.
type Layout struct {
	// Width is the elements of a row, Height the rows of a plane, Depth the planes; the last
	// two are 1 where they are 0.
	Width, Height, Depth int
	// Stride is from the start of a row to that of the next, Width where it is 0 (a pitch is
	// Stride times the size of an element). Rows is from the first row of a plane to that of the
	// next, in rows, Height where it is 0.
	Stride, Rows int
}

// A Region is a box of elements in memory of a Buffer or of the host: what [CopyRegion] copies
// and [Region.Fill] fills. An error in making one is that of its use.
type Region[T any] struct {
	_      [0]*T
	region region
}

// region is the part of a Region that does not depend on T.
type region struct {
	h      *header        // of the Buffer, nil for memory of the host
	at     unsafe.Pointer // of the first element
	elem   reflect.Type
	layout Layout // of the box; no zeros stand for others
	bad    error
}

// normal is l with its zeros filled in, and how many elements it spans; err is why it cannot be.
func (l Layout) normal() (Layout, int, error) {
	given := l
	for _, set := range []struct {
		field *int
		value int
	}{{&l.Height, 1}, {&l.Depth, 1}, {&l.Stride, l.Width}} {
		if *set.field == 0 {
			*set.field = set.value
		}
	}
	if l.Rows == 0 {
		l.Rows = l.Height
	}
	switch {
	case l.Width < 0 || l.Height < 0 || l.Depth < 0:
		return l, 0, errs.F("a layout of %d x %d x %d elements", given.Width, given.Height, given.Depth)
	case l.Stride < l.Width:
		return l, 0, errs.F("a stride of %d elements for rows of %d: rows would overlap", l.Stride, l.Width)
	case l.Rows < l.Height:
		return l, 0, errs.F("planes of %d rows that are %d rows apart: they would overlap", l.Height, l.Rows)
	case l.Width == 0:
		return l, 0, nil
	}
	rows, ok := product(l.Depth-1, l.Rows)
	if ok && rows <= math.MaxInt-l.Height {
		var n int
		if n, ok = product(rows+l.Height-1, l.Stride); ok && n <= math.MaxInt-l.Width {
			return l, n + l.Width, nil
		}
	}
	return l, 0, errs.F("a layout of %d x %d x %d elements with a stride of %d and %d rows a plane: more than there are addresses", l.Width, l.Height, l.Depth, l.Stride, l.Rows)
}

// product is a times b, and whether an int holds it; neither is negative.
func product(a, b int) (int, bool) {
	if b != 0 && a > math.MaxInt/b {
		return 0, false
	}
	return a * b, true
}

// newRegion is a region of n elements at an address; call is who makes it.
func newRegion(call string, h *header, at unsafe.Pointer, n int, elem reflect.Type, l Layout) region {
	r := region{h: h, at: at, elem: elem}
	var span int
	if r.layout, span, r.bad = l.normal(); r.bad == nil && span > n {
		r.bad = errs.F("a layout of %d x %d x %d elements with a stride of %d and %d rows a plane needs %d elements; there are %d",
			r.layout.Width, r.layout.Height, r.layout.Depth, r.layout.Stride, r.layout.Rows, span, n)
	}
	if r.bad == nil && len(pointerOffsets(elem, 0, nil)) > 0 {
		r.bad = errs.F("%s holds addresses, which regions do not check; copy the whole Buffer", elem)
	}
	if r.bad != nil {
		r.bad = errs.F("launch: %s: %w", call, r.bad)
	}
	return r
}

// Region is b as rows of elements.
func (b *Buffer[T]) Region(l Layout) Region[T] {
	if err := b.head().usable(); err != nil {
		return Region[T]{region: region{bad: errs.F("launch: Region: %w", err)}}
	}
	return Region[T]{region: newRegion("Region", b.head(), b.header.ptr, b.header.len, reflect.TypeFor[T](), l)}
}

// HostRegion is memory of the host as rows of elements. Where it is page-locked ([NewPinned],
// [Register]), copies are asynchronous as [Buffer.UploadAsync] says.
func HostRegion[T any](s []T, l Layout) Region[T] {
	return Region[T]{region: newRegion("HostRegion", nil, unsafe.Pointer(unsafe.SliceData(s)), len(s), reflect.TypeFor[T](), l)}
}

// Layout is how the region lies in memory.
func (r Region[T]) Layout() Layout { return r.region.layout }

// Rect is a part of r's first plane: width elements from x on of height rows from y on.
func (r Region[T]) Rect(x, y, width, height int) Region[T] {
	return Region[T]{region: r.region.part("Rect", [3]int{x, y, 0}, [3]int{width, height, min(1, r.region.layout.Depth)})}
}

// Box is a part of r: a Rect of depth planes from z on.
func (r Region[T]) Box(x, y, z, width, height, depth int) Region[T] {
	return Region[T]{region: r.region.part("Box", [3]int{x, y, z}, [3]int{width, height, depth})}
}

func (r region) part(call string, at, size [3]int) region {
	if r.bad != nil {
		return r
	}
	for i, whole := range [3]int{r.layout.Width, r.layout.Height, r.layout.Depth} {
		if at[i] < 0 || size[i] < 0 || at[i] > whole || size[i] > whole-at[i] {
			r.bad = errs.F("launch: %s: %v elements at %v of a region of %d x %d x %d: out of range", call, size, at, r.layout.Width, r.layout.Height, r.layout.Depth)
			return r
		}
	}
	if size[0] > 0 && size[1] > 0 && size[2] > 0 { // as in Go, no address past the end
		r.at = unsafe.Add(r.at, ((at[2]*r.layout.Rows+at[1])*r.layout.Stride+at[0])*int(r.elem.Size()))
	}
	r.layout.Width, r.layout.Height, r.layout.Depth = size[0], size[1], size[2]
	return r
}

// empty reports whether the region has no bytes.
func (r *region) empty() bool {
	l := &r.layout
	return l.Width == 0 || l.Height == 0 || l.Depth == 0 || r.elem.Size() == 0
}

// bytes is how many bytes lie between the region's first and last one.
func (r *region) bytes() int {
	l := &r.layout
	return (((l.Depth-1)*l.Rows+l.Height-1)*l.Stride + l.Width) * int(r.elem.Size())
}

// row is where the n-th row of the region begins.
func (r *region) row(n int) uintptr {
	l := &r.layout
	return uintptr(r.at) + uintptr((n/l.Height*l.Rows+n%l.Height)*l.Stride)*r.elem.Size()
}

// meets reports whether two regions have bytes in common. The rows of each ascend, so one walk
// along both finds it.
func (r *region) meets(o *region) bool {
	if gap := uintptr(r.at) - uintptr(o.at); gap >= uintptr(o.bytes()) && -gap >= uintptr(r.bytes()) {
		return false
	}
	width, other := uintptr(r.layout.Width)*r.elem.Size(), uintptr(o.layout.Width)*o.elem.Size()
	for i, j := 0, 0; i < r.layout.Height*r.layout.Depth && j < o.layout.Height*o.layout.Depth; {
		a, b := r.row(i), o.row(j)
		switch {
		case a+width <= b:
			i++
		case b+other <= a:
			j++
		default:
			return true
		}
	}
	return false
}

// A Pitched is device memory of rows whose starts are aligned, so that each can be read in
// wide pieces: Width elements a row, Height rows, Depth planes. A kernel takes it where it takes
// a slice, and the Stride beside it: row y begins at y*Stride.
//
//	img, err := launch.AllocPitched[float32](dev, 1000, 600)
//	err = img.Upload(pixels) // 1000*600 elements
//	err = blur.Launch(s, cfg, img, img.Stride(), 1000, 600)
type Pitched[T any] struct {
	buf    *Buffer[T]
	layout Layout
}

// pitch is what rows are aligned to, in bytes.
const pitch = 512

// AllocPitched returns memory of height rows of width elements, all zero (hipMallocPitch).
func AllocPitched[T any](d *Device, width, height int) (*Pitched[T], error) {
	l, err := pitched("AllocPitched", reflect.TypeFor[T](), width, height, 1)
	if err != nil {
		return nil, err
	}
	return allocPitched[T](d, l)
}

// AllocPitched3D is [AllocPitched] for depth planes (hipMalloc3D).
func AllocPitched3D[T any](d *Device, width, height, depth int) (*Pitched[T], error) {
	l, err := pitched("AllocPitched3D", reflect.TypeFor[T](), width, height, depth)
	if err != nil {
		return nil, err
	}
	return allocPitched[T](d, l)
}

// pitched is the layout of aligned rows. The stride is whole elements, so that a kernel can
// count in them: where 512 bytes are none, the next number of bytes that is both.
func pitched(call string, t reflect.Type, width, height, depth int) (Layout, error) {
	if width < 1 || height < 1 || depth < 1 {
		return Layout{}, errs.F("launch: %s of %d x %d x %d elements; each is at least 1", call, width, height, depth)
	}
	step := 1 // elements
	for size := int(t.Size()); size > 0 && step*size%pitch != 0; step *= 2 {
		if step*size > 8*pitch {
			step = 1 // of 4096 bytes and more, or of an odd size: aligned as the element is
			break
		}
	}
	if width > math.MaxInt-step {
		return Layout{}, errs.F("launch: %s of rows of %d elements: more than there are addresses", call, width)
	}
	l := Layout{Width: width, Height: height, Depth: depth, Stride: (width + step - 1) / step * step}
	l, span, err := l.normal()
	if all, ok := product(l.Stride, height); err == nil && ok {
		_, ok = product(all, depth)
		if _, fits := product(span, max(1, int(t.Size()))); ok && fits {
			return l, nil
		}
	}
	return l, errs.F("launch: %s of %d x %d x %d elements of %d bytes: more than there are addresses", call, width, height, depth, t.Size())
}

func allocPitched[T any](d *Device, l Layout) (*Pitched[T], error) {
	b, err := newBuffer[T](d, l.Stride*l.Rows*l.Depth, nil)
	if err != nil {
		return nil, err
	}
	return &Pitched[T]{b, l}, nil
}

// head makes a Pitched an argument of a launch.
func (p *Pitched[T]) head() *header {
	if p == nil {
		return nil
	}
	return p.buf.head()
}

// Buffer is all of the memory, with what lies between the rows.
func (p *Pitched[T]) Buffer() *Buffer[T] {
	if p == nil {
		return nil
	}
	return p.buf
}

// Width is the elements of a row.
func (p *Pitched[T]) Width() int { return p.layout.Width }

// Height is the rows of a plane.
func (p *Pitched[T]) Height() int { return p.layout.Height }

// Depth is the planes, 1 for a Pitched of two dimensions.
func (p *Pitched[T]) Depth() int { return p.layout.Depth }

// Stride is the elements from the start of a row to that of the next.
func (p *Pitched[T]) Stride() int { return p.layout.Stride }

// Pitch is the Stride in bytes.
func (p *Pitched[T]) Pitch() int { return p.layout.Stride * int(unsafe.Sizeof(*new(T))) }

// Region is the rows, without what lies between them.
func (p *Pitched[T]) Region() Region[T] { return p.Buffer().Region(p.layoutOf()) }

func (p *Pitched[T]) layoutOf() Layout {
	if p == nil {
		return Layout{}
	}
	return p.layout
}

// Upload copies src, rows without gaps, as [Buffer.Upload] does (hipMemcpy2D, hipMemcpy3D).
func (p *Pitched[T]) Upload(src []T) error {
	l := p.layoutOf()
	return CopyRegion(p.Region(), HostRegion(src, Layout{Width: l.Width, Height: l.Height, Depth: l.Depth}))
}

// Download copies the rows to dst, without gaps, as [Buffer.Download] does.
func (p *Pitched[T]) Download(dst []T) error {
	l := p.layoutOf()
	return CopyRegion(HostRegion(dst, Layout{Width: l.Width, Height: l.Height, Depth: l.Depth}), p.Region())
}

// Close gives the memory back, as [Buffer.Close] does.
func (p *Pitched[T]) Close() error { return p.Buffer().Close() }
