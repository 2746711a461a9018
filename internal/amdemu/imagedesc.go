package amdemu

import (
	"fmt"
	"math"

	"heddle/texture"
)

// This file reads the descriptors of images and samplers. Source: ROCr's
// resource_{nv,gfx11,gfx12}.h for the fields, and its addrlib for where linear images have their
// texels.

// A span is some bits of a descriptor; a list of them is a value, lowest bits first.
type span struct{ word, low, n int }

// get is the value that the bits are.
func get(words []uint32, spans ...span) (v uint64) {
	shift := 0
	for _, s := range spans {
		v |= uint64(words[s.word]>>s.low&(1<<s.n-1)) << shift
		shift += s.n
	}
	return v
}

// An imageLayout is where a generation has what is read, and which formats it has.
type imageLayout struct {
	format, height, depth, pitch, lastLevel, firstLevel, firstSlice span
	width                                                           []span
	minLevel, maxLevel                                              span
	formats                                                         map[uint64]imageFormat
	// zero are bits that are 0 in all that is emulated: compression, mipmap clamps, views in 3-D.
	zero  []span
	align int64 // of rows in bytes, where no pitch is given; slices have room for rows of 256
}

var imageLayouts = map[int]*imageLayout{
	10: {
		format: span{1, 20, 9}, width: []span{{1, 30, 2}, {2, 0, 12}}, height: span{2, 14, 14}, depth: span{4, 0, 13}, pitch: span{4, 0, 14},
		firstLevel: span{3, 12, 4}, lastLevel: span{3, 16, 4}, firstSlice: span{4, 16, 13}, minLevel: span{1, 0, 12}, maxLevel: span{1, 12, 12},
		formats: imageFormats([3]uint64{56, 62, 75}, 65, 128), zero: []span{{1, 8, 12}, {5, 8, 12}, {6, 0, 32}, {7, 0, 32}}, align: 256,
	},
	11: {
		format: span{1, 20, 8}, width: []span{{1, 30, 2}, {2, 0, 12}}, height: span{2, 14, 14}, depth: span{4, 0, 13}, pitch: span{4, 0, 14},
		firstLevel: span{3, 12, 4}, lastLevel: span{3, 16, 4}, firstSlice: span{4, 16, 13}, minLevel: span{1, 0, 12}, maxLevel: span{1, 12, 12},
		formats: imageFormats([3]uint64{42, 48, 61}, 51, 64), zero: []span{{1, 28, 2}, {2, 28, 4}, {5, 0, 32}, {6, 0, 32}, {7, 0, 32}}, align: 256,
	},
	12: {
		format: span{1, 17, 8}, width: []span{{1, 30, 2}, {2, 0, 14}}, height: span{2, 14, 16}, depth: span{4, 0, 14}, pitch: span{4, 0, 16},
		firstLevel: span{1, 25, 5}, lastLevel: span{3, 15, 5}, firstSlice: span{4, 16, 14}, minLevel: span{1, 0, 13}, maxLevel: span{1, 13, 13},
		formats: imageFormats([3]uint64{42, 48, 61}, 51, 64), zero: []span{{2, 30, 2}, {3, 12, 3}, {4, 30, 2}, {5, 0, 32}, {6, 0, 32}, {7, 0, 32}}, align: 128,
	},
}

// An imageFormat is what a number of a format means.
type imageFormat struct {
	of       texture.Format
	channels int
	numbers  bool // integers stand for numbers
	srgb     bool
}

// imageFormats are the numbers of formats. They go unorm, snorm, uscaled, sscaled, uint, sint and,
// of 16 bits, float; of 32 bits uint, sint, float. first are those of 4 channels of 8 bits and of 2 and
// 4 of 32 bits, wide is that of 4 of 16 bits, srgb that of one channel.
func imageFormats(first [3]uint64, wide, srgb uint64) map[uint64]imageFormat {
	all := map[uint64]imageFormat{}
	small := func(at uint64, channels int, unsigned, signed texture.Format) {
		all[at], all[at+1] = imageFormat{unsigned, channels, true, false}, imageFormat{signed, channels, true, false}
		all[at+4], all[at+5] = imageFormat{unsigned, channels, false, false}, imageFormat{signed, channels, false, false}
		if unsigned == texture.Uint16 {
			all[at+6] = imageFormat{texture.Half, channels, true, false}
		}
	}
	small(1, 1, texture.Uint8, texture.Int8)
	small(14, 2, texture.Uint8, texture.Int8)
	small(first[0], 4, texture.Uint8, texture.Int8)
	small(7, 1, texture.Uint16, texture.Int16)
	small(23, 2, texture.Uint16, texture.Int16)
	small(wide, 4, texture.Uint16, texture.Int16)
	for channels, at := range map[int]uint64{1: 20, 2: first[1], 4: first[2]} {
		all[at] = imageFormat{texture.Uint32, channels, false, false}
		all[at+1] = imageFormat{texture.Int32, channels, false, false}
		all[at+2] = imageFormat{texture.Float32, channels, true, false}
	}
	for k, channels := range []int{1, 2, 4} {
		all[srgb+uint64(k)] = imageFormat{texture.Uint8, channels, true, true}
	}
	return all
}

// An image is a resource descriptor and, where an instruction samples, a sampler's.
type image struct {
	dim      imageDim
	base     uint64
	desc     texture.Desc
	channels int
	sel      [4]uint32
	srgb     bool
	read     *imageReader
	one      uint32 // 1 as a channel
	// truncates: coordinates are cut to a texel, and not rounded to 1/256 of one first.
	truncates bool
}

// texelBytes are the sizes of channels.
var texelBytes = map[texture.Format]int{texture.Int8: 1, texture.Uint8: 1, texture.Int16: 2, texture.Uint16: 2, texture.Half: 2,
	texture.Int32: 4, texture.Uint32: 4, texture.Float32: 4}

// readImage reads a resource descriptor for instructions of a dimension.
func readImage(generation int, dim imageDim, words []uint32) (*image, error) {
	l := imageLayouts[generation]
	if typ := get(words, span{3, 28, 4}); typ != uint64(dim.typ) {
		return nil, fmt.Errorf("an image of type %d, and an instruction of type %d", typ, dim.typ)
	}
	number := get(words, l.format)
	f, ok := l.formats[number]
	if !ok {
		return nil, fmt.Errorf("format %d is not emulated", number)
	}
	for _, z := range l.zero {
		if get(words, z) != 0 {
			return nil, fmt.Errorf("bits %d to %d of word %d are %#x, which is not emulated", z.low, z.low+z.n-1, z.word, get(words, z))
		}
	}
	if mode := get(words, span{3, 20, 5}); mode != 0 || get(words, l.firstLevel) != 0 || dim.layer && get(words, l.firstSlice) != 0 {
		return nil, fmt.Errorf("swizzle mode %d, first level %d, first slice %d: only whole linear images are emulated",
			mode, get(words, l.firstLevel), get(words, l.firstSlice))
	}
	if generation == 10 && get(words, span{2, 31, 1}) != 1 {
		return nil, fmt.Errorf("RESOURCE_LEVEL is 0")
	}
	s := texture.Shape{Width: int(get(words, l.width...)) + 1, Levels: int(get(words, l.lastLevel)) + 1}
	if dim.axes > 1 {
		s.Height = int(get(words, l.height)) + 1
	}
	if dim.axes > 2 {
		s.Depth = int(get(words, l.depth)) + 1
	}
	if dim.layer {
		s.Layers = int(get(words, l.depth)) + 1
	}
	im := &image{dim: dim, base: get(words, span{0, 0, 32}, span{1, 0, 8}) << 8, channels: f.channels, srgb: f.srgb}
	im.desc = texture.Describe(s, f.of, texelBytes[f.of]*f.channels)
	for c := range im.sel {
		im.sel[c] = uint32(get(words, span{3, 3 * c, 3}))
	}
	im.read = readerOf(f)
	im.one = 1
	if im.read.floats {
		im.one = math.Float32bits(1)
	}
	if f.srgb {
		im.desc.Options(s, texture.Options{SRGB: true}, false)
	}
	pitch := int64(0)
	if p := get(words, l.pitch); p != 0 && !dim.layer && dim.axes < 3 {
		pitch = int64(p+1) * int64(im.desc.TexelSize)
	}
	return im, im.place(s, l, pitch)
}

// place computes where the levels lie: within each slice, or plane, from the smallest on. pitch is the
// descriptor's in bytes, 0 for the default.
func (im *image) place(s texture.Shape, l *imageLayout, pitch int64) error {
	d := &im.desc
	align := func(n, to int64) int64 { return (n + to - 1) &^ (to - 1) }
	slice := int64(0)
	for level := s.Levels - 1; level >= 0; level-- {
		row := int64(s.Level(level).Width) * int64(d.TexelSize)
		d.Offset[level], d.Row[level] = slice, align(row, l.align)
		slice += align(row, 256) * int64(max(1, s.Level(level).Height))
	}
	if pitch != 0 {
		if s.Levels > 1 || pitch%l.align != 0 || pitch < int64(s.Width)*int64(d.TexelSize) {
			return fmt.Errorf("a pitch of %d bytes of rows of %d texels and %d levels", pitch, s.Width, s.Levels)
		}
		d.Row[0], slice = pitch, pitch*int64(max(1, s.Height))
	}
	for level := range s.Levels {
		d.Plane[level] = slice
	}
	return nil
}

// bytes is how many the image takes.
func (im *image) bytes() uint64 {
	return uint64(im.desc.Plane[0]) * uint64(im.desc.Slices) * uint64(im.desc.Size[2])
}

// selected are the channels as the resource's selectors say.
func (im *image) selected(texel [4]uint32) (v [4]uint32) {
	for c, s := range im.sel {
		switch {
		case s == 1:
			v[c] = im.one
		case s >= 4:
			v[c] = texel[s-4]
		}
	}
	return v
}

// imageClamps are package texture's address modes by the samplers'.
var imageClamps = map[uint64]texture.Address{0: texture.Wrap, 1: texture.Mirror, 2: texture.Clamp, 6: texture.Border}

// imageBorders are the colours that samplers name.
var imageBorders = [...][4]float32{{}, {0, 0, 0, 1}, {1, 1, 1, 1}}

// sample reads a sampler's descriptor.
func (im *image) sample(generation int, words []uint32) error {
	l := imageLayouts[generation]
	var o texture.Options
	for k := range o.Address {
		mode, ok := imageClamps[get(words, span{0, 3 * k, 3})]
		if !ok {
			return fmt.Errorf("clamp mode %d is not emulated", get(words, span{0, 3 * k, 3}))
		}
		o.Address[k] = mode
	}
	o.Normalized = get(words, span{0, 15, 1}) == 0
	im.truncates = get(words, span{0, 27, 1}) == 1
	filter, mip, border := get(words, span{2, 20, 2}), get(words, span{2, 26, 2}), get(words, span{3, 30, 2})
	switch {
	case get(words, span{0, 9, 3}) != 0 || get(words, span{2, 22, 2}) != filter || filter > 1 || get(words, span{2, 24, 2}) != 0:
		return fmt.Errorf("filters that are anisotropic, or not the same in all directions, are not emulated")
	case get(words, span{2, 0, 20}) != 0 || mip > 2 || get(words, span{0, 29, 2}) != 0:
		return fmt.Errorf("a bias, filter of levels %d and filter mode %d are not emulated", mip, get(words, span{0, 29, 2}))
	case border >= uint64(len(imageBorders)):
		return fmt.Errorf("a border of the palette is not emulated")
	case !o.Normalized && im.desc.Levels > 1:
		return fmt.Errorf("coordinates in texels and %d levels", im.desc.Levels)
	case filter == 1 && !im.read.floats:
		return fmt.Errorf("a linear filter of integers")
	}
	o.Filter, o.SRGB = texture.Filter(filter), im.srgb
	if mip == 2 {
		o.MipFilter = texture.Linear
	}
	o.Border = imageBorders[border]
	im.desc.Options(texture.Shape{}, o, false)
	im.desc.MinLevel = float32(get(words, l.minLevel)) / 256
	im.desc.MaxLevel = float32(get(words, l.maxLevel)) / 256
	if mip == 0 {
		im.desc.MinLevel, im.desc.MaxLevel = 0, 0
	}
	return nil
}
