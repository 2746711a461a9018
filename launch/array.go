package launch

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"unsafe"

	"heddle/dsl"
	"heddle/internal/amdimage"
	"heddle/internal/driver"
	"heddle/internal/errs"
	"heddle/texture"
)

// An Array is texels of T in a device's memory, of 1 to 3 dimensions, in layers, faces of cubes
// and mipmap levels (HIP hipArray_t, hipMipmappedArray_t). Textures sample it ([TextureOf]),
// surfaces load and store it. Where the device has images it has the layout that these want;
// elsewhere, and where its Shape is Linear, texels lie in order: level by level, in each slice by
// slice, row by row.
type Array[T texture.Texel] struct {
	_ [0]*T
	array
}

// array is what does not depend on T.
type array struct {
	header // of the texels, where they lie in order; else of no element
	shape  texture.Shape
	format texture.Format
	chans  int
	texels int
	image  driver.Image    // nil: they lie in order
	family amdimage.Family // not None: in the order and with the gaps that its image instructions want
	slots  int             // descriptors made; mu of the block guards it
	stride int             // from row to row of a Pitched, in texels; 0: rows have no gaps
	elemT  reflect.Type
}

// arraySlots is how many textures and surfaces an array has room for: their descriptors lie
// before its texels, so that work with one is work with the array's memory.
const arraySlots = 16

const descSize = (unsafe.Sizeof(texture.Desc{}) + 63) / 64 * 64

// limits of the sizes of an array.
const (
	maxWidth  = 1 << 16
	maxDepth  = 1 << 14
	maxLayers = 2048
	maxLinear = 1 << 27 // of a Buffer
)

// softImages is what the software form has, the same on every device that has no images in hardware, or
// whose images we have no code for.
var softImages = ImageProperties{
	Support:   true,
	Texture1D: maxWidth, Texture1DLinear: maxLinear, Texture2DLinear: [3]int{maxWidth, maxWidth, math.MaxInt32},
	Texture1DMipmap: maxWidth, Texture1DLayered: [2]int{maxWidth, maxLayers},
	Texture2D: [2]int{maxWidth, maxWidth}, Texture2DMipmap: [2]int{maxWidth, maxWidth}, Texture2DGather: [2]int{maxWidth, maxWidth},
	Texture2DLayered: [3]int{maxWidth, maxWidth, maxLayers}, Texture3D: [3]int{maxWidth, maxWidth, maxDepth},
	Cubemap: maxWidth, CubemapLayered: [2]int{maxWidth, maxLayers},
	Surface1D: maxWidth, Surface1DLayered: [2]int{maxWidth, maxLayers},
	Surface2D: [2]int{maxWidth, maxWidth}, Surface2DLayered: [3]int{maxWidth, maxWidth, maxLayers}, Surface3D: [3]int{maxWidth, maxWidth, maxDepth},
	SurfaceCubemap: maxWidth, SurfaceCubemapLayered: [2]int{maxWidth, maxLayers},
}

// NewArray returns an array of zeros (HIP hipMalloc3DArray, hipMallocMipmappedArray).
func NewArray[T texture.Texel](d *Device, shape texture.Shape) (*Array[T], error) {
	var pcs [1]uintptr
	runtime.Callers(2, pcs[:])
	a := &Array[T]{}
	a.format, a.chans = texture.FormatOf[T]()
	a.elemT = reflect.TypeFor[T]()
	if err := a.make(d, shape, pcs[0]); err != nil {
		return nil, err
	}
	return a, nil
}

// make allocates the array.
func (a *array) make(d *Device, shape texture.Shape, pc uintptr) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	if err := checkShape(&shape); err != nil {
		return err
	}
	a.shape, a.texels = shape, shape.Texels()
	size := int(a.elemT.Size())
	head := arraySlots * int(descSize)
	if a.texels > (math.MaxInt-head)/size {
		return errs.F("launch: an array of %s has more bytes than there are addresses", shapeText(shape))
	}
	im, ok := d.drv.(driver.Images)
	hard := ok && im.HasImages() && !shape.Linear
	bytes := head
	if !hard {
		bytes += a.texels * size
		if f := amdimage.FamilyOf(d.info.Arch); !shape.Linear && amdimage.Fits(f, shape) {
			a.family = f
			bytes = head + int(a.placed(&texture.Desc{Levels: int32(shape.Levels), TexelSize: int32(size)}))
		}
	}
	b, err := d.alloc(reflect.TypeFor[byte](), bytes, true, pc)
	if err != nil {
		return err
	}
	b.what = fmt.Sprintf("array of %s %s", shapeText(shape), a.elemT)
	o := &owner{b}
	a.header = header{dev: d, own: o, ptr: unsafe.Add(b.base, head), len: a.texels, cap: a.texels, elem: typeWord(a.elemT)}
	if a.family != amdimage.None {
		a.len, a.cap = 0, 0
	}
	if hard {
		a.len, a.cap, a.ptr = 0, 0, b.base
		if a.image, err = im.NewImage(a.imageShape()); err != nil {
			_, free := d.release(b)
			return errs.Join(errs.F("launch: an array of %s %s on %s: %w", shapeText(shape), a.elemT, d.info.Name, d.vendor(err)), free)
		}
		b.after = a.image.Close
		if err = a.clear(); err != nil {
			_, free := d.release(b)
			return errs.Join(err, free)
		}
	}
	runtime.AddCleanup(o, d.collect, b)
	return nil
}

// shapeText is a shape in words: "640x480", "8 layers of 64".
func shapeText(s texture.Shape) string {
	text := fmt.Sprint(s.Width)
	for _, n := range []int{s.Height, s.Depth} {
		if n != 0 {
			text += fmt.Sprintf("x%d", n)
		}
	}
	if s.Cube {
		text = "a cube of " + text
	}
	if s.Layers != 0 {
		text = fmt.Sprintf("%d layers of %s", s.Layers, text)
	}
	return text
}

// checkShape completes a shape, and says what is wrong with it.
func checkShape(s *texture.Shape) error {
	if s.Cube && s.Height == 0 {
		s.Height = s.Width
	}
	if s.Levels == 0 {
		s.Levels = 1
	}
	last := 0
	for n := max(s.Width, s.Height, s.Depth); n > 0; n >>= 1 {
		last++
	}
	switch {
	case s.Width <= 0 || s.Height < 0 || s.Depth < 0 || s.Layers < 0:
		return errs.F("launch: an array of width %d, height %d, depth %d and %d layers; want a width of 1 or more, and nothing below 0", s.Width, s.Height, s.Depth, s.Layers)
	case s.Depth > 0 && s.Height == 0:
		return errs.F("launch: an array of depth %d without a height; want one of 1 or more", s.Depth)
	case s.Cube && (s.Height != s.Width || s.Depth > 0):
		return errs.F("launch: a cube of faces %dx%d with depth %d; faces are square, and there is no depth", s.Width, s.Height, s.Depth)
	case s.Layers > 0 && s.Depth > 0:
		return errs.F("launch: an array of %d layers and depth %d; layers are of 1-D and 2-D arrays and of cubes", s.Layers, s.Depth)
	case s.Width > maxWidth || s.Height > maxWidth:
		return errs.F("launch: an array of %s: axes have at most %d texels", shapeText(*s), maxWidth)
	case s.Depth > maxDepth:
		return errs.F("launch: an array of depth %d; at most %d", s.Depth, maxDepth)
	case s.Layers > maxLayers:
		return errs.F("launch: an array of %d layers; at most %d", s.Layers, maxLayers)
	case s.Levels < 0 || s.Levels > min(last, texture.MaxLevels):
		return errs.F("launch: %d mipmap levels of %s; there can be 1 to %d", s.Levels, shapeText(*s), min(last, texture.MaxLevels))
	}
	return nil
}

func (a *array) imageShape() driver.ImageShape {
	s := a.shape
	i := driver.ImageShape{Width: s.Width, Height: s.Height, Depth: s.Depth, Cube: s.Cube, Layered: s.Layers > 0, Levels: s.Levels,
		Channels: a.chans, TexelSize: int(a.elemT.Size()), ChannelBits: 8 * int(a.elemT.Size()) / a.chans,
		Float: a.format == texture.Half || a.format == texture.Float32, Signed: a.format == texture.Int8 || a.format == texture.Int16 || a.format == texture.Int32}
	if s.Layers > 0 || s.Cube {
		i.Slices = s.Slices()
	}
	return i
}

// clear writes zeros to the image.
func (a *array) clear() error {
	zeros := make([]byte, a.texels*int(a.elemT.Size()))
	return a.levels(func(level int, at int) error {
		return a.image.Copy(a.dev.service, level, unsafe.Pointer(&zeros[at]), true, false)
	}, a.dev.service.Sync)
}

// levels calls copy for each level, with the offset of its texels in bytes, and then finish.
func (a *array) levels(copy func(level, at int) error, finish func() error) error {
	at := 0
	for l := range a.shape.Levels {
		if err := copy(l, at); err != nil {
			return a.dev.vendor(err)
		}
		s := a.shape.Level(l)
		s.Levels = 1
		at += s.Texels() * int(a.elemT.Size())
	}
	if finish == nil {
		return nil
	}
	return a.dev.vendor(finish())
}

// sameTexels says whether n texels are as many as the array's.
func (a *array) sameTexels(call, what string, n int) error {
	if n != a.texels {
		return errs.F("launch: %s: %v has %d texels on all levels and %s has %d", call, a.own.b, a.texels, what, n)
	}
	return nil
}

// Shape is the array's.
func (a *Array[T]) Shape() texture.Shape { return a.shape }

// Upload copies texels, as many as there are on all levels, to the array, and waits for the work
// that uses it (HIP hipMemcpyToArray).
func (a *Array[T]) Upload(texels []T) error {
	return a.transfer("Upload", unsafe.Pointer(unsafe.SliceData(texels)), len(texels), false)
}

// Download copies all texels to dst, and waits for the work that uses the array (HIP
// hipMemcpyFromArray).
func (a *Array[T]) Download(dst []T) error {
	return a.transfer("Download", unsafe.Pointer(unsafe.SliceData(dst)), len(dst), true)
}

func (a *array) head() *header {
	if a == nil {
		return nil
	}
	return &a.header
}

// transfer copies between the array and the host, and waits.
func (a *array) transfer(call string, host unsafe.Pointer, n int, out bool) error {
	h := a.head()
	if err := h.enter(call); err != nil {
		return err
	}
	defer h.leave()
	if err := a.sameTexels(call, "the slice", n); err != nil {
		return err
	}
	if err := h.dev.waitFor(context.Background(), h.own.b); err != nil {
		return err
	}
	s := h.dev.service
	defer runtime.KeepAlive(host)
	if a.image != nil {
		return a.levels(func(level, at int) error {
			return a.image.Copy(s, level, unsafe.Add(host, at), true, out)
		}, s.Sync)
	}
	bytes := n * int(a.elemT.Size())
	var err error
	if a.family != amdimage.None {
		err = a.boxes(host, true, out, s)
	} else if out {
		err = s.CopyOut(host, a.ptr, bytes)
	} else {
		err = s.CopyIn(a.ptr, host, bytes)
	}
	if err == nil {
		err = s.Sync()
	}
	return h.dev.vendor(err)
}

// CopyFrom queues a copy of from, a buffer of the same device with as many elements as there are
// texels on all levels, to the array on s (HIP hipMemcpy2DToArrayAsync, hipMemcpy3DAsync).
func (a *Array[T]) CopyFrom(s *Stream, from *Buffer[T]) error {
	return a.copy("Array.CopyFrom", s, from.head(), false)
}

// CopyTo queues a copy of the array's texels to a buffer on s (HIP hipMemcpy2DFromArrayAsync).
func (a *Array[T]) CopyTo(s *Stream, to *Buffer[T]) error {
	return a.copy("Array.CopyTo", s, to.head(), true)
}

func (a *array) copy(call string, s *Stream, b *header, out bool) error {
	return s.queue(call, a.head(), func() error {
		if err := b.usable(); err != nil {
			return errs.F("launch: %s: %w", call, err)
		}
		if b.dev != s.dev {
			return errs.F("launch: %s: %v is on %s, the stream on %s", call, b.own.b, b.dev.Name(), s.dev.besides(b.dev))
		}
		if err := a.sameTexels(call, "the buffer", b.len); err != nil {
			return err
		}
		if !b.own.b.note(s, s.seq+1) {
			return errs.F("launch: %s: %v is closed", call, b.own.b)
		}
		if a.image != nil {
			if err := s.now(call); err != nil {
				return err
			}
			return a.levels(func(level, at int) error {
				return a.image.Copy(s.drv, level, unsafe.Add(b.ptr, at), false, out)
			}, nil)
		}
		if a.family != amdimage.None {
			return a.copyBoxes(call, s, b.ptr, out)
		}
		if out {
			return s.copy(call, b.ptr, a.ptr, b.len*int(a.elemT.Size()))
		}
		return s.copy(call, a.ptr, b.ptr, b.len*int(a.elemT.Size()))
	})
}

// Close gives the memory back, and ends the array's textures and surfaces, once the work that
// uses them is done; it does not wait for that. Closing twice is fine.
func (a *Array[T]) Close() error {
	if a == nil {
		return nil
	}
	return a.close()
}

func (a *array) close() error {
	if a.own == nil || a.closed.Swap(true) {
		return nil
	}
	if a.dev.enter() != nil {
		return nil
	}
	defer a.dev.leave()
	_, err := a.dev.release(a.own.b)
	return err
}

// surface is a descriptor for loads and stores, of an array of the kind wanted.
func (a *array) surface(call string, kind texture.Kind) (unsafe.Pointer, error) {
	h := a.head()
	if err := h.enter(call); err != nil {
		return nil, err
	}
	defer h.leave()
	if got := texture.KindOfShape(a.shape); got != kind {
		return nil, errs.F("launch: %s: %v is %s, not %s", call, h.own.b, kindTexts[got], kindTexts[kind])
	}
	d := a.describe()
	if a.image != nil {
		var err error
		if d.Surface, err = a.image.Surface(); err != nil {
			return nil, h.dev.vendor(err)
		}
	}
	a.describeAMD(&d, amdimage.Raw)
	return a.place(call, &d)
}

// Surface1D, and the others, are the array for kernels that load and store its texels (HIP
// hipCreateSurfaceObject). They do not keep the array alive.
func (a *Array[T]) Surface1D() (dsl.Surface1D[T], error) {
	return surface[dsl.Surface1D[T]](a.surface("Surface1D", texture.Line))
}

// Surface2D is [Array.Surface1D] of a 2-D array.
func (a *Array[T]) Surface2D() (dsl.Surface2D[T], error) {
	return surface[dsl.Surface2D[T]](a.surface("Surface2D", texture.Plane))
}

// Surface3D is [Array.Surface1D] of a 3-D array.
func (a *Array[T]) Surface3D() (dsl.Surface3D[T], error) {
	return surface[dsl.Surface3D[T]](a.surface("Surface3D", texture.Volume))
}

// Surface1DLayered is [Array.Surface1D] of layers of 1-D arrays.
func (a *Array[T]) Surface1DLayered() (dsl.Surface1DLayered[T], error) {
	return surface[dsl.Surface1DLayered[T]](a.surface("Surface1DLayered", texture.Lines))
}

// Surface2DLayered is [Array.Surface1D] of layers of 2-D arrays.
func (a *Array[T]) Surface2DLayered() (dsl.Surface2DLayered[T], error) {
	return surface[dsl.Surface2DLayered[T]](a.surface("Surface2DLayered", texture.Planes))
}

// SurfaceCube is [Array.Surface1D] of a cube.
func (a *Array[T]) SurfaceCube() (dsl.SurfaceCube[T], error) {
	return surface[dsl.SurfaceCube[T]](a.surface("SurfaceCube", texture.Cube))
}

// SurfaceCubeLayered is [Array.Surface1D] of layers of cubes.
func (a *Array[T]) SurfaceCubeLayered() (dsl.SurfaceCubeLayered[T], error) {
	return surface[dsl.SurfaceCubeLayered[T]](a.surface("SurfaceCubeLayered", texture.Cubes))
}

// surface makes a D, which holds a descriptor's address and nothing else, of one.
func surface[D any](at unsafe.Pointer, err error) (d D, _ error) {
	if err == nil {
		*(*unsafe.Pointer)(unsafe.Pointer(&d)) = at
	}
	return d, err
}
