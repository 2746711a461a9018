package amdimage

import (
	"math/bits"

	"heddle/texture"
)

// A View is how texels are read.
type View int

// The views.
const (
	Numbers  View = iota // as numbers: floats, or integers that stand for numbers from 0 or -1 to 1
	Colours              // Numbers, of which three channels are encoded by sRGB's function
	Integers             // as the integers that lie there
	Raw                  // as bits, of surfaces
)

// formats are the numbers of a format with channels of one size by view: of floats, of the integers as
// numbers (without and with a sign), as integers (likewise), and of sRGB; 0 where there is none.
type formats struct{ float, unorm, snorm, uint, sint, srgb uint32 }

// rdna3Formats are those of RDNA 3 and 4, by the size of a channel (8, 16, 32 bits) and by channels
// (1, 2, 4).
var rdna3Formats = [3][3]formats{
	{{0, 1, 2, 5, 6, 64}, {0, 14, 15, 18, 19, 65}, {0, 42, 43, 46, 47, 66}},
	{{13, 7, 8, 11, 12, 0}, {29, 23, 24, 27, 28, 0}, {57, 51, 52, 55, 56, 0}},
	{{22, 0, 0, 20, 21, 0}, {50, 0, 0, 48, 49, 0}, {63, 0, 0, 61, 62, 0}},
}

// rdna2Formats are those of RDNA 2.
var rdna2Formats = [3][3]formats{
	{{0, 1, 2, 5, 6, 128}, {0, 14, 15, 18, 19, 129}, {0, 56, 57, 60, 61, 130}},
	{{13, 7, 8, 11, 12, 0}, {29, 23, 24, 27, 28, 0}, {71, 65, 66, 69, 70, 0}},
	{{22, 0, 0, 20, 21, 0}, {64, 0, 0, 62, 63, 0}, {77, 0, 0, 75, 76, 0}},
}

// sizes are the bytes of a channel, by package texture's formats, as logarithms.
var sizes = [...]int{texture.Int8: 0, texture.Uint8: 0, texture.Int16: 1, texture.Uint16: 1, texture.Half: 1,
	texture.Int32: 2, texture.Uint32: 2, texture.Float32: 2}

// format is a format's number in descriptors of the family.
func format(f Family, t texture.Format, channels int, v View) uint32 {
	table := &rdna3Formats
	if f == RDNA2 {
		table = &rdna2Formats
	}
	all := &table[sizes[t]][bits.Len(uint(channels))-1]
	signed := t == texture.Int8 || t == texture.Int16 || t == texture.Int32
	switch {
	case v == Raw:
		return all.uint
	case v == Colours:
		return all.srgb
	case t == texture.Half || t == texture.Float32:
		return all.float
	case v == Integers && signed:
		return all.sint
	case v == Integers:
		return all.uint
	case signed:
		return all.snorm
	}
	return all.unorm
}

// The types of images, by package texture's kinds. A cube is six layers: the code computes a
// direction's face and the place there, as the software form does, so that the rules at the edges are
// those of all devices, which have no filter across faces.
var types = [...]uint64{texture.Line: 8, texture.Plane: 9, texture.Volume: 10, texture.Lines: 12, texture.Planes: 13, texture.Cube: 13, texture.Cubes: 13}

// alignment is what rows begin at multiples of, in bytes, and images.
const alignment = 256

// short is the alignment of rows on RDNA 4, where the descriptor does not say the pitch; the
// slices have room for rows of the other alignment.
const short = 128

// Fits reports whether the family's descriptors can say the shape's size.
func Fits(f Family, s texture.Shape) bool {
	l, ok := layoutOf(f)
	return ok && s.Width <= l.width.limit() && s.Height <= l.height.limit() && s.Depth <= l.depth.limit() &&
		s.Slices() <= l.depth.limit() && max(1, s.Levels) <= l.lastLevel.limit()
}

// single reports whether the descriptor of such an image says its pitch: without layers and levels.
func single(s texture.Shape) bool { return s.Layers == 0 && !s.Cube && s.Depth == 0 && s.Levels <= 1 }

// Place says in d where the texels of a shape lie, and how many bytes they take. Each slice, or plane of a
// 3-D image, has all levels, the smallest first.
func Place(f Family, s texture.Shape, d *texture.Desc) (bytes int64) {
	align := func(n, to int64) int64 { return (n + to - 1) / to * to }
	slice := int64(0)
	for level := int(d.Levels) - 1; level >= 0; level-- {
		one := s.Level(level)
		row := int64(one.Width) * int64(d.TexelSize)
		d.Offset[level], d.Row[level] = slice, align(row, alignment)
		slice += d.Row[level] * int64(max(1, one.Height))
		if f == RDNA4 && !single(s) {
			d.Row[level] = align(row, short)
		}
	}
	for level := range d.Levels {
		d.Plane[level] = slice
	}
	return slice * int64(max(1, s.Depth)) * int64(s.Slices())
}

// Describe completes d, whose texels Place has placed, with the descriptors; of a Raw view there is no
// sampler. Where that cannot be, d.Refused says why.
func Describe(f Family, s texture.Shape, d *texture.Desc, t texture.Format, channels int, v View) {
	l, ok := layoutOf(f)
	border, named := uint64(0), true
	if v != Raw {
		border, named = borderOf(d, channels)
	}
	switch {
	case !ok || uintptr(d.Texels)%alignment != 0:
		d.Refused = int32(texture.RefusedDevice)
	case !Fits(f, s):
		d.Refused = int32(texture.RefusedSize)
	case !named:
		d.Refused = int32(texture.RefusedBorder)
	default:
		d.Refused = 0
		d.Resource = l.resource(f, s, d, format(f, t, channels, v), channels)
		if v != Raw {
			d.Sampler = l.sampler(d, border)
		}
	}
}

// resource is the T#.
func (l *layout) resource(f Family, s texture.Shape, d *texture.Desc, format uint32, channels int) (words [8]uint32) {
	w := words[:]
	kind := texture.KindOfShape(s)
	last := uint64(d.Levels - 1)
	l.base.set(w, uint64(uintptr(d.Texels))/alignment)
	l.format.set(w, uint64(format))
	l.width.set(w, uint64(d.Size[0]-1))
	l.height.set(w, uint64(d.Size[1]-1))
	l.resourceLevel.set(w, 1)
	for i, sel := range l.sel {
		switch {
		case i < channels:
			sel.set(w, uint64(4+i)) // SEL_X and the next
		case i == 3:
			sel.set(w, 1) // SEL_1
		}
	}
	l.lastLevel.set(w, last)
	l.maxMip.set(w, last)
	l.imageType.set(w, types[kind])
	switch {
	case kind == texture.Volume:
		l.depth.set(w, uint64(d.Size[2]-1))
	case !single(s):
		l.depth.set(w, uint64(d.Slices-1)) // of one slice with levels: 0, for the pitch that these have
	default:
		l.pitch.set(w, uint64(d.Row[0]/int64(d.TexelSize)-1))
	}
	return words
}

// The values of fields of samplers.
const (
	bilinear     = 1 // of magnify and minify; 0: the nearest texel
	nearestLevel = 1 // of mipFilter
	trilinear    = 2
	opaqueBlack  = 1 // of border; 0: transparent black
	opaqueWhite  = 2
)

// clamps are the values of clamp, by package texture's address modes.
var clamps = [...]uint64{texture.Clamp: 2, texture.Wrap: 0, texture.Mirror: 1, texture.Border: 6}

// sampler is the S#. Its bias is 0: the code adds the texture's.
func (l *layout) sampler(d *texture.Desc, border uint64) (words [4]uint32) {
	w := words[:]
	for i, c := range l.clamp {
		c.set(w, clamps[d.Address[i]])
	}
	if !d.Normalized {
		l.unnormalized.set(w, 1)
	}
	filter, mip := uint64(0), uint64(nearestLevel)
	if d.Filter == texture.Linear {
		filter = bilinear
	} else {
		l.truncate.set(w, 1) // the texel at floor(x), without rounding to 1/256 first
	}
	if d.MipFilter == texture.Linear {
		mip = trilinear
	}
	l.magnify.set(w, filter)
	l.minify.set(w, filter)
	l.mipFilter.set(w, mip)
	level := func(f field, v float32) {
		f.set(w, uint64(min(max(v, 0)*256, float32(f.limit()-1))))
	}
	level(l.minLevel, d.MinLevel)
	level(l.maxLevel, d.MaxLevel)
	l.border.set(w, border)
	return words
}

// borderOf is the border's colour as a sampler names it, if it can: a palette of others is the
// graphics driver's. Of textures with no Border mode any will do.
func borderOf(d *texture.Desc, channels int) (uint64, bool) {
	if d.Address[0] != texture.Border && d.Address[1] != texture.Border && d.Address[2] != texture.Border {
		return 0, true
	}
	for colour, of := range [...][4]float32{0: {}, opaqueBlack: {0, 0, 0, 1}, opaqueWhite: {1, 1, 1, 1}} {
		if [4]float32(append(append([]float32(nil), d.Border[:channels]...), of[channels:]...)) == of {
			return uint64(colour), true
		}
	}
	return 0, false
}
