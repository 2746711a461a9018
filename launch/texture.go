package launch

import (
	"math"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"unsafe"

	"heddle/dsl"
	"heddle/internal/amdimage"
	"heddle/internal/driver"
	"heddle/internal/errs"
	"heddle/texture"
)

// A Texture is an array with a way to sample it: D is what kernels take it as, a
// dsl.Texture2D[float32], say, or a texture.Soft2D[float32]. The Texture itself is the argument
// of a launch; a closure captures its Device().
type Texture[D any] struct {
	a      *array
	desc   unsafe.Pointer
	owns   bool // the array
	closed atomic.Bool
}

// Device is the texture as kernels take it. It does not keep the texture alive; of a closed
// Texture it is one that no kernel can use.
func (t *Texture[D]) Device() (d D) {
	if t.usable() == nil {
		*(*unsafe.Pointer)(unsafe.Pointer(&d)) = t.desc
	}
	return d
}

func (t *Texture[D]) usable() error {
	switch {
	case t == nil:
		return errs.F("nil Texture")
	case t.a == nil:
		return errs.F("zero Texture; make one with launch.NewTexture2D or its like, or launch.TextureOf")
	case t.closed.Load():
		return errs.F("a texture of %v is closed", t.a.own.b)
	}
	return t.a.usable()
}

// asArgument is the value that a kernel takes in the texture's place.
func (t *Texture[D]) asArgument() (any, error) { return t.Device(), t.usable() }

// textured is any *Texture.
type textured interface{ asArgument() (any, error) }

// texture is the argument {typ, data} as the value that the parameter takes in its place, where it
// is a Texture of that.
func (q *param) texture(typ, data unsafe.Pointer) (unsafe.Pointer, bool, error) {
	e := eface{typ, data}
	t, ok := (*(*any)(unsafe.Pointer(&e))).(textured)
	if !ok || !q.direct {
		return nil, false, nil
	}
	v, err := t.asArgument()
	vt, vd := words(&v)
	if vt != q.word {
		return nil, false, nil
	}
	if err != nil {
		return nil, true, errs.F("%s: %w", q.what, err)
	}
	return vd, true, nil
}

// Close ends the texture; where NewTexture made its array, that too. Closing twice is fine.
func (t *Texture[D]) Close() error {
	if t == nil || t.a == nil || t.closed.Swap(true) || !t.owns {
		return nil
	}
	return t.a.close()
}

// kinds are package dsl's types, and texture's, by what follows Texture or Soft in their names.
var shapeNames = [...]string{"1D", "2D", "3D", "1DLayered", "2DLayered", "Cube", "CubeLayered"}

// kindTexts are the kinds in words.
var kindTexts = [...]string{"1-D", "2-D", "3-D", "layers of 1-D arrays", "layers of 2-D arrays", "a cube", "layers of cubes"}

// A form is what a texture type says: its kind, what it gives, and whether it is the software form.
type form struct {
	kind   texture.Kind
	format texture.Format
	chans  int
	soft   bool
}

// formOf takes a type's name apart: Texture2D[heddle/vector.Float4].
func formOf(t reflect.Type) (f form, ok bool) {
	name, arg, _ := strings.Cut(strings.TrimSuffix(t.Name(), "]"), "[")
	rest := ""
	switch t.PkgPath() {
	case reflect.TypeFor[dsl.Texture1D[float32]]().PkgPath():
		rest, ok = strings.CutPrefix(name, "Texture")
	case reflect.TypeFor[texture.Soft1D[float32]]().PkgPath():
		rest, ok = strings.CutPrefix(name, "Soft")
		f.soft = true
	}
	if !ok {
		return f, false
	}
	ok = false
	for i, n := range shapeNames {
		if n == rest {
			f.kind, ok = texture.Kind(i), true
		}
	}
	f.format, f.chans = sampledBy(arg[strings.LastIndexByte(arg, '.')+1:])
	return f, ok
}

// sampledBy is the format and the channels of a type by its name.
func sampledBy(name string) (texture.Format, int) {
	chans := 1
	if n := len(name) - 1; n > 0 && (name[n] == '2' || name[n] == '4') && name[:1] < "a" {
		chans, name = int(name[n]-'0'), name[:n]
	}
	for f, names := range [...]string{"int8 Char", "uint8 Uchar", "int16 Short", "uint16 Ushort", "int32 Int", "uint32 Uint", "Half", "float32 Float"} {
		for n := range strings.FieldsSeq(names) {
			if n == name {
				return texture.Format(f), chans
			}
		}
	}
	return -1, chans
}

// TextureOf makes a texture of an array (HIP hipCreateTextureObject). D says what kernels take it
// as: a dsl.Texture of the array's kind, or a texture.Soft. What it gives is the texels' type, or
// floats of as many channels where texels are Half or integers of 8 or 16 bits: these then stand
// for numbers from 0 to 1 (from -1 to 1 where they have signs; HIP's read mode
// hipReadModeNormalizedFloat). An array has room for 16 textures and surfaces.
//
//	t, err := launch.TextureOf[dsl.Texture2D[vector.Float4]](a, texture.Options{Filter: texture.Linear})
func TextureOf[D any, T texture.Texel](a *Array[T], o texture.Options) (*Texture[D], error) {
	if a == nil {
		return nil, errs.F("launch: TextureOf: nil Array")
	}
	t := &Texture[D]{a: &a.array}
	if err := t.make(o); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Texture[D]) make(o texture.Options) error {
	a, typ := t.a, reflect.TypeFor[D]()
	if err := a.enter("TextureOf"); err != nil {
		return err
	}
	defer a.leave()
	f, ok := formOf(typ)
	if !ok {
		return errs.F("launch: TextureOf: %s is no texture; want a dsl.Texture2D, a texture.Soft2D or their like", typ)
	}
	if err := a.checkForm(f, typ, &o); err != nil {
		return errs.F("launch: TextureOf: %w", err)
	}
	d := a.describe()
	d.Options(a.shape, o, f.format == texture.Float32)
	if a.image != nil {
		var err error
		if d.Image, err = a.image.Texture(sampling(&d, f, o.SRGB)); err != nil {
			return a.dev.vendor(err)
		}
	}
	switch {
	case f.format != texture.Float32:
		a.describeAMD(&d, amdimage.Integers)
	case o.SRGB:
		a.describeAMD(&d, amdimage.Colours)
	default:
		a.describeAMD(&d, amdimage.Numbers)
	}
	var err error
	t.desc, err = a.place("TextureOf", &d)
	return err
}

// checkForm says whether a type can be a texture of the array with such options.
func (a *array) checkForm(f form, typ reflect.Type, o *texture.Options) error {
	gives := f.format == a.format && f.format != texture.Half ||
		f.format == texture.Float32 && (a.format == texture.Half || a.format <= texture.Uint16)
	bad := func(v texture.Address) bool { return v > texture.Border }
	repeats := func(v texture.Address) bool { return v == texture.Wrap || v == texture.Mirror }
	cube := f.kind == texture.Cube || f.kind == texture.Cubes
	switch {
	case f.kind != texture.KindOfShape(a.shape):
		return errs.F("%v is %s, and %s is of %s", a.own.b, kindTexts[texture.KindOfShape(a.shape)], typ, kindTexts[f.kind])
	case f.soft && a.image != nil:
		return errs.F("%v has the layout of the device's images; the software form %s wants a Shape with Linear", a.own.b, typ)
	case !f.soft && a.image == nil && a.dev.hasImages():
		return errs.F("%v is linear, and %s is of images on %s; make a texture.Soft, or the array without Linear", a.own.b, typ, a.dev.Name())
	case !gives || f.chans != a.chans:
		return errs.F("texels of %s are not what %s gives; want the same type, or float32 or Float of as many channels where they have 8 or 16 bits", a.elemT, typ)
	case o.Filter > texture.Linear || o.MipFilter > texture.Linear:
		return errs.F("filter %d, of levels %d; there are texture.Point and texture.Linear", o.Filter, o.MipFilter)
	case (o.Filter == texture.Linear || o.MipFilter == texture.Linear) && f.format != texture.Float32:
		return errs.F("%s gives integers, which no linear filter makes; take Float, or the point filter", typ)
	case bad(o.Address[0]) || bad(o.Address[1]) || bad(o.Address[2]):
		return errs.F("address modes %v; there are Clamp, Wrap, Mirror and Border", o.Address)
	case !o.Normalized && !cube && (repeats(o.Address[0]) || repeats(o.Address[1]) || repeats(o.Address[2])):
		return errs.F("Wrap and Mirror want coordinates that are Normalized")
	case !o.Normalized && !cube && a.shape.Levels > 1:
		return errs.F("mipmap levels want coordinates that are Normalized")
	case o.SRGB && (a.format != texture.Uint8 || f.format != texture.Float32):
		return errs.F("SRGB decodes texels of uint8 that are read as numbers, and texels of %s are read as %s; make an array of uint8, Uchar2 or Uchar4 and a texture that gives float32 or Float, or leave SRGB out", a.elemT, typ)
	case o.Anisotropy < 0 || o.Anisotropy > texture.MaxAnisotropy:
		return errs.F("an anisotropy of %d; want 1 to %d samples, or 0, which is 1", o.Anisotropy, texture.MaxAnisotropy)
	case o.Anisotropy > 1 && f.format != texture.Float32:
		return errs.F("%s gives integers, which have no mean of %d samples; take Float, or an Anisotropy of 1", typ, o.Anisotropy)
	case o.MaxLevel != 0 && !(o.MinLevel <= o.MaxLevel) || o.MinLevel != o.MinLevel || o.Bias != o.Bias:
		return errs.F("levels from %v to %v with bias %v; want the first at most the second", o.MinLevel, o.MaxLevel, o.Bias)
	}
	return nil
}

// hasImages reports whether arrays have a layout of the device's own.
func (d *Device) hasImages() bool {
	im, ok := d.drv.(driver.Images)
	return ok && im.HasImages()
}

// describe is the array's part of a descriptor.
func (a *array) describe() texture.Desc {
	d := texture.Describe(a.shape, a.format, int(a.elemT.Size()))
	if a.image == nil {
		d.Texels = a.ptr
		a.placed(&d)
	}
	return d
}

// sampling is a descriptor for the driver.
func sampling(d *texture.Desc, f form, srgb bool) *driver.Sampling {
	s := &driver.Sampling{
		Linear: d.Filter == texture.Linear, MipLinear: d.MipFilter == texture.Linear, Border: d.Border, Normalized: d.Normalized,
		Integers: f.format != texture.Float32, SRGB: srgb, MinLevel: d.MinLevel, MaxLevel: d.MaxLevel,
	}
	for i, a := range d.Address {
		s.Address[i] = int(a)
	}
	for i, b := range s.Border {
		if s.Integers { // the hardware takes the bits
			s.Border[i] = math.Float32frombits(uint32(int32(b)))
		}
	}
	return s
}

// place writes a descriptor to the device: into the array's own memory.
func (a *array) place(call string, d *texture.Desc) (unsafe.Pointer, error) {
	b := a.own.b
	b.mu.Lock()
	slot := a.slots
	if slot < arraySlots {
		a.slots++
	}
	b.mu.Unlock()
	if slot == arraySlots {
		return nil, errs.F("launch: %s: %v has %d textures and surfaces already; make another array", call, b, arraySlots)
	}
	at := unsafe.Add(b.base, uintptr(slot)*descSize)
	err := a.dev.service.CopyIn(at, unsafe.Pointer(d), int(unsafe.Sizeof(*d)))
	if err == nil {
		err = a.dev.service.Sync()
	}
	runtime.KeepAlive(d)
	return at, a.dev.vendor(err)
}

// newTexture is a texture with an array of its own.
func newTexture[D any, T texture.Texel](d *Device, texels []T, shape texture.Shape, o texture.Options) (*Texture[D], error) {
	var pcs [1]uintptr
	runtime.Callers(3, pcs[:])
	f, _ := formOf(reflect.TypeFor[D]())
	shape.Linear = shape.Linear || f.soft
	a := &Array[T]{}
	a.format, a.chans = texture.FormatOf[T]()
	a.elemT = reflect.TypeFor[T]()
	if err := a.make(d, shape, pcs[0]); err != nil {
		return nil, err
	}
	t := &Texture[D]{a: &a.array, owns: true}
	err := t.make(o)
	if err == nil && texels != nil {
		err = a.Upload(texels)
	}
	if err != nil {
		return nil, errs.Join(err, a.Close())
	}
	return t, nil
}

// NewTexture makes an array of a shape that holds texels, those of all levels, one level after
// the other, or zeros if texels is nil, and a texture of it, as [TextureOf] does. The software form is
// made so:
//
//	t, err := launch.NewTexture[texture.Soft2D[float32]](dev, texels, texture.Shape{Width: w, Height: h}, texture.Options{})
func NewTexture[D any, T texture.Texel](d *Device, texels []T, shape texture.Shape, o texture.Options) (*Texture[D], error) {
	return newTexture[D](d, texels, shape, o)
}

// NewTexture1D makes a 1-D texture of texels that gives S: their own type, or floats (see
// [TextureOf]).
//
//	t, err := launch.NewTexture1D[float32](dev, texels, texture.Options{})
func NewTexture1D[S texture.Sampled, T texture.Texel](d *Device, texels []T, o texture.Options) (*Texture[dsl.Texture1D[S]], error) {
	return newTexture[dsl.Texture1D[S]](d, texels, texture.Shape{Width: len(texels)}, o)
}

// NewTexture2D makes a 2-D texture of texels, row by row.
func NewTexture2D[S texture.Sampled, T texture.Texel](d *Device, texels []T, width, height int, o texture.Options) (*Texture[dsl.Texture2D[S]], error) {
	if err := positive("NewTexture2D", width, height); err != nil {
		return nil, err
	}
	return newTexture[dsl.Texture2D[S]](d, texels, texture.Shape{Width: width, Height: height}, o)
}

// NewTexture3D makes a 3-D texture of texels, plane by plane.
func NewTexture3D[S texture.Sampled, T texture.Texel](d *Device, texels []T, width, height, depth int, o texture.Options) (*Texture[dsl.Texture3D[S]], error) {
	if err := positive("NewTexture3D", width, height, depth); err != nil {
		return nil, err
	}
	return newTexture[dsl.Texture3D[S]](d, texels, texture.Shape{Width: width, Height: height, Depth: depth}, o)
}

// NewTexture1DLayered makes a texture of layers, one after the other.
func NewTexture1DLayered[S texture.Sampled, T texture.Texel](d *Device, texels []T, width, layers int, o texture.Options) (*Texture[dsl.Texture1DLayered[S]], error) {
	if err := positive("NewTexture1DLayered", width, layers); err != nil {
		return nil, err
	}
	return newTexture[dsl.Texture1DLayered[S]](d, texels, texture.Shape{Width: width, Layers: layers}, o)
}

// NewTexture2DLayered makes a texture of layers, one after the other.
func NewTexture2DLayered[S texture.Sampled, T texture.Texel](d *Device, texels []T, width, height, layers int, o texture.Options) (*Texture[dsl.Texture2DLayered[S]], error) {
	if err := positive("NewTexture2DLayered", width, height, layers); err != nil {
		return nil, err
	}
	return newTexture[dsl.Texture2DLayered[S]](d, texels, texture.Shape{Width: width, Height: height, Layers: layers}, o)
}

// NewTextureCube makes a texture of six faces of width x width texels, one after the other: +x, -x,
// +y, -y, +z, -z.
func NewTextureCube[S texture.Sampled, T texture.Texel](d *Device, texels []T, width int, o texture.Options) (*Texture[dsl.TextureCube[S]], error) {
	return newTexture[dsl.TextureCube[S]](d, texels, texture.Shape{Width: width, Cube: true}, o)
}

// NewTextureCubeLayered makes a texture of layers of cubes.
func NewTextureCubeLayered[S texture.Sampled, T texture.Texel](d *Device, texels []T, width, layers int, o texture.Options) (*Texture[dsl.TextureCubeLayered[S]], error) {
	if err := positive("NewTextureCubeLayered", width, layers); err != nil {
		return nil, err
	}
	return newTexture[dsl.TextureCubeLayered[S]](d, texels, texture.Shape{Width: width, Cube: true, Layers: layers}, o)
}

// positive refuses sizes that would stand for a texture of fewer axes.
func positive(call string, sizes ...int) error {
	for _, n := range sizes {
		if n <= 0 {
			return errs.F("launch: %s: sizes %v; want 1 or more each", call, sizes)
		}
	}
	return nil
}
