package gpu

import (
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// An ImageCall is a function of the driver API about images, under CUDA's name for it.
type ImageCall int

// The functions.
const (
	ArrayCreate ImageCall = iota
	ArrayDestroy
	MipmapCreate
	MipmapDestroy
	MipmapLevel
	CopyImage
	TextureCreate
	TextureDestroy
	SurfaceCreate
	SurfaceDestroy
	NumImageCalls
)

// HasImages implements driver.Images: the library has all of these functions.
func (d *Device) HasImages() bool {
	for _, name := range d.spec.Images {
		if _, at := d.lib.address(name); at == 0 {
			return false
		}
	}
	return true
}

// image makes the device current and calls c; about args see Lib.Call.
//
//go:uintptrescapes
func (d *Device) image(c ImageCall, args ...uintptr) error {
	return d.named(d.spec.Images[c], args...)
}

// arrayDesc is CUDA_ARRAY3D_DESCRIPTOR.
type arrayDesc struct {
	width, height, depth uintptr
	format               int32
	channels, flags      uint32
}

// Flags and formats of arrays (CUDA_ARRAY3D_*, CU_AD_FORMAT_*).
const (
	arrayLayered = 1
	arraySurface = 2
	arrayCube    = 4
	arrayGather  = 8

	formatUnsigned = 0x01 // and 0x02, 0x03: 8, 16, 32 bits
	formatSigned   = 0x08 // and 0x09, 0x0a
	formatHalf     = 0x10
	formatFloat    = 0x20
)

func formatOf(s *driver.ImageShape) int32 {
	size := int32(s.ChannelBits / 16) // 0, 1, 2
	switch {
	case s.Float && s.ChannelBits == 16:
		return formatHalf
	case s.Float:
		return formatFloat
	case s.Signed:
		return formatSigned + size
	}
	return formatUnsigned + size
}

// resource is CUDA_RESOURCE_DESC.
type resource struct {
	kind   int32 // CU_RESOURCE_TYPE_ARRAY 0, _MIPMAPPED_ARRAY 1
	_      int32
	handle uintptr
	_      [120]byte
	flags  uint32
	_      uint32
}

// textureDesc is CUDA_TEXTURE_DESC.
type textureDesc struct {
	address           [3]int32
	filter            int32
	flags             uint32
	anisotropy        uint32
	mipFilter         int32
	bias, least, most float32
	border            [4]float32
	_                 [12]int32
}

// Flags of textures (CU_TRSF_*).
const (
	readIntegers   = 0x01
	normalized     = 0x02
	decodeSRGB     = 0x10
	noOptimization = 0x20 // of filters between levels
)

// copyDesc is CUDA_MEMCPY3D.
type copyDesc struct {
	srcX, srcY, srcZ, srcLevel uintptr
	srcType                    uint32
	_                          uint32
	srcHost, srcDevice         uintptr
	srcArray, _                uintptr
	srcPitch, srcHeight        uintptr
	dstX, dstY, dstZ, dstLevel uintptr
	dstType                    uint32
	_                          uint32
	dstHost, dstDevice         uintptr
	dstArray, _                uintptr
	dstPitch, dstHeight        uintptr
	width, height, depth       uintptr
}

// Kinds of memory (CU_MEMORYTYPE_*).
const (
	memoryHost   = 1
	memoryDevice = 2
	memoryArray  = 3
)

// An Image implements driver.Image.
type Image struct {
	dev      *Device
	shape    driver.ImageShape
	handle   uintptr
	levels   []uintptr // arrays
	textures []uint64
	surfaces []uint64
}

// NewImage implements driver.Images. A 1-D image is a 2-D one of height 1: see nvimage.go.
func (d *Device) NewImage(s driver.ImageShape) (driver.Image, error) {
	s.Height = max(1, s.Height)
	desc := &arrayDesc{width: uintptr(s.Width), height: uintptr(s.Height), depth: uintptr(s.Depth), format: formatOf(&s), channels: uint32(s.Channels), flags: arraySurface}
	switch {
	case s.Slices > 0:
		desc.depth, desc.flags = uintptr(s.Slices), desc.flags|arrayLayered
		if s.Cube {
			desc.flags |= arrayCube
			if s.Slices == 6 && !s.Layered {
				desc.flags &^= arrayLayered
			}
		}
	case s.Depth == 0 && s.Levels == 1:
		desc.flags |= arrayGather
	}
	i, out := &Image{dev: d, shape: s}, new(uintptr)
	if s.Levels == 1 {
		create := func() error {
			return d.image(ArrayCreate, uintptr(unsafe.Pointer(out)), uintptr(unsafe.Pointer(desc)))
		}
		err := create()
		if err != nil && desc.flags&arrayGather != 0 { // whose limits are lower (Texture2DGather)
			desc.flags &^= arrayGather
			err = create()
		}
		if err != nil {
			return nil, err
		}
		i.handle, i.levels = *out, []uintptr{*out}
		return i, nil
	}
	if err := d.image(MipmapCreate, uintptr(unsafe.Pointer(out)), uintptr(unsafe.Pointer(desc)), uintptr(s.Levels)); err != nil {
		return nil, err
	}
	i.handle = *out
	for l := range s.Levels {
		if err := d.image(MipmapLevel, uintptr(unsafe.Pointer(out)), i.handle, uintptr(l)); err != nil {
			return nil, errs.Join(err, i.Close())
		}
		i.levels = append(i.levels, *out)
	}
	return i, nil
}

// Copy implements driver.Image (cuMemcpy3DAsync).
func (i *Image) Copy(st driver.Stream, level int, at unsafe.Pointer, host, out bool) error {
	s, ok := st.(*Stream)
	if !ok || s.dev != i.dev {
		return errs.F("%s: the image is of another device", i.dev.info.Name)
	}
	w, h, depth := max(1, i.shape.Width>>level), max(1, i.shape.Height>>level), max(1, i.shape.Depth>>level)
	if i.shape.Slices > 0 {
		depth = i.shape.Slices
	}
	row := uintptr(w * i.shape.TexelSize)
	c := &copyDesc{srcPitch: row, srcHeight: uintptr(h), dstPitch: row, dstHeight: uintptr(h), width: row, height: uintptr(h), depth: uintptr(depth)}
	kind, fromHost, fromDevice := uint32(memoryDevice), uintptr(0), uintptr(at)
	if host {
		kind, fromHost, fromDevice = memoryHost, uintptr(at), 0
	}
	if out {
		c.srcType, c.srcArray = memoryArray, i.levels[level]
		c.dstType, c.dstHost, c.dstDevice = kind, fromHost, fromDevice
	} else {
		c.dstType, c.dstArray = memoryArray, i.levels[level]
		c.srcType, c.srcHost, c.srcDevice = kind, fromHost, fromDevice
	}
	return i.dev.image(CopyImage, uintptr(unsafe.Pointer(c)), s.handle)
}

// Texture implements driver.Image (cuTexObjectCreate). The descriptor's anisotropy stays 0: none of our
// instructions have gradients (see package texture's SampleGrad).
func (i *Image) Texture(o *driver.Sampling) (uint64, error) {
	r := &resource{handle: i.handle}
	if i.shape.Levels > 1 {
		r.kind = 1
	}
	t := &textureDesc{least: o.MinLevel, most: o.MaxLevel, border: o.Border, flags: noOptimization}
	for k, a := range o.Address {
		t.address[k] = [...]int32{1, 0, 2, 3}[a]
	}
	if o.Linear {
		t.filter = 1
	}
	if o.MipLinear {
		t.mipFilter = 1
	}
	if o.Normalized {
		t.flags |= normalized
	}
	if o.SRGB {
		t.flags |= decodeSRGB
	}
	if o.Integers {
		t.flags |= readIntegers
	}
	out := new(uint64)
	err := i.dev.image(TextureCreate, uintptr(unsafe.Pointer(out)), uintptr(unsafe.Pointer(r)), uintptr(unsafe.Pointer(t)), 0)
	if err == nil {
		i.textures = append(i.textures, *out)
	}
	return *out, err
}

// Surface implements driver.Image (cuSurfObjectCreate): of level 0.
func (i *Image) Surface() (uint64, error) {
	out := new(uint64)
	err := i.dev.image(SurfaceCreate, uintptr(unsafe.Pointer(out)), uintptr(unsafe.Pointer(&resource{handle: i.levels[0]})))
	if err == nil {
		i.surfaces = append(i.surfaces, *out)
	}
	return *out, err
}

// Close implements driver.Image.
func (i *Image) Close() error {
	var all []error
	for _, t := range i.textures {
		all = append(all, i.dev.image(TextureDestroy, uintptr(t)))
	}
	for _, s := range i.surfaces {
		all = append(all, i.dev.image(SurfaceDestroy, uintptr(s)))
	}
	if i.shape.Levels > 1 {
		all = append(all, i.dev.image(MipmapDestroy, i.handle))
	} else {
		all = append(all, i.dev.image(ArrayDestroy, i.handle))
	}
	return errs.Join(all...)
}
