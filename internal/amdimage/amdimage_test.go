package amdimage

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"heddle/texture"
)

// base is an address for images; nothing reads there.
const base = 0x1234_5678_9a00

// wanted is a descriptor as the documents' tables of fields give it: one value for each field, written
// at its first bit. A test that packs by the tables of the package would prove nothing.
type wanted struct {
	kind     string
	shape    texture.Shape
	format   texture.Format
	channels int
	view     View
	words    map[Family][8]uint32
}

var images = []wanted{
	{"1-D of float32", texture.Shape{Width: 100}, texture.Float32, 1, Numbers, map[Family][8]uint32{
		// WIDTH is 99: its low 2 bits are 3, the rest 24. The pitch is 512 bytes, 128 texels, less 1.
		RDNA2: {0x3456789a, 0x12 | 22<<20 | 3<<30, 24 | 1<<31, 4 | 1<<9 | 8<<28, 127, 0, 0, 0},
		RDNA3: {0x3456789a, 0x12 | 22<<20 | 3<<30, 24, 4 | 1<<9 | 8<<28, 127, 0, 0, 0},
		RDNA4: {0x3456789a, 0x12 | 22<<17 | 3<<30, 24, 4 | 1<<9 | 8<<28, 127, 0, 0, 0},
	}},
	{"2-D of four uint8 as numbers", texture.Shape{Width: 640, Height: 480}, texture.Uint8, 4, Numbers, map[Family][8]uint32{
		RDNA2: {0x3456789a, 0x12 | 56<<20 | 3<<30, 159 | 479<<14 | 1<<31, 4 | 5<<3 | 6<<6 | 7<<9 | 9<<28, 639, 0, 0, 0},
		RDNA3: {0x3456789a, 0x12 | 42<<20 | 3<<30, 159 | 479<<14, 4 | 5<<3 | 6<<6 | 7<<9 | 9<<28, 639, 0, 0, 0},
		RDNA4: {0x3456789a, 0x12 | 42<<17 | 3<<30, 159 | 479<<14, 4 | 5<<3 | 6<<6 | 7<<9 | 9<<28, 639, 0, 0, 0},
	}},
	{"2-D of two halves, with 5 levels", texture.Shape{Width: 64, Height: 32, Levels: 5}, texture.Half, 2, Numbers, map[Family][8]uint32{
		RDNA2: {0x3456789a, 0x12 | 29<<20 | 3<<30, 15 | 31<<14 | 1<<31, 4 | 5<<3 | 1<<9 | 4<<16 | 9<<28, 0, 4 << 4, 0, 0},
		RDNA3: {0x3456789a, 0x12 | 29<<20 | 4<<16 | 3<<30, 15 | 31<<14, 4 | 5<<3 | 1<<9 | 4<<16 | 9<<28, 0, 0, 0, 0},
		RDNA4: {0x3456789a, 0x12 | 29<<17 | 4<<12 | 3<<30, 15 | 31<<14, 4 | 5<<3 | 1<<9 | 4<<15 | 9<<28, 0, 0, 0, 0},
	}},
	{"3-D of int16", texture.Shape{Width: 10, Height: 20, Depth: 30}, texture.Int16, 1, Integers, map[Family][8]uint32{
		RDNA2: {0x3456789a, 0x12 | 12<<20 | 1<<30, 2 | 19<<14 | 1<<31, 4 | 1<<9 | 10<<28, 29, 0, 0, 0},
		RDNA3: {0x3456789a, 0x12 | 12<<20 | 1<<30, 2 | 19<<14, 4 | 1<<9 | 10<<28, 29, 0, 0, 0},
		RDNA4: {0x3456789a, 0x12 | 12<<17 | 1<<30, 2 | 19<<14, 4 | 1<<9 | 10<<28, 29, 0, 0, 0},
	}},
	{"7 layers of 1-D of sRGB", texture.Shape{Width: 5, Layers: 7}, texture.Uint8, 4, Colours, map[Family][8]uint32{
		RDNA2: {0x3456789a, 0x12 | 130<<20 | 0<<30, 1 | 1<<31, 4 | 5<<3 | 6<<6 | 7<<9 | 12<<28, 6, 0, 0, 0},
		RDNA3: {0x3456789a, 0x12 | 66<<20, 1, 4 | 5<<3 | 6<<6 | 7<<9 | 12<<28, 6, 0, 0, 0},
		RDNA4: {0x3456789a, 0x12 | 66<<17, 1, 4 | 5<<3 | 6<<6 | 7<<9 | 12<<28, 6, 0, 0, 0},
	}},
	{"a surface of 9 layers of 2-D of four floats", texture.Shape{Width: 16384, Height: 2, Layers: 9}, texture.Float32, 4, Raw, map[Family][8]uint32{
		RDNA2: {0x3456789a, 0x12 | 75<<20 | 3<<30, 4095 | 1<<14 | 1<<31, 4 | 5<<3 | 6<<6 | 7<<9 | 13<<28, 8, 0, 0, 0},
		RDNA3: {0x3456789a, 0x12 | 61<<20 | 3<<30, 4095 | 1<<14, 4 | 5<<3 | 6<<6 | 7<<9 | 13<<28, 8, 0, 0, 0},
		RDNA4: {0x3456789a, 0x12 | 61<<17 | 3<<30, 4095 | 1<<14, 4 | 5<<3 | 6<<6 | 7<<9 | 13<<28, 8, 0, 0, 0},
	}},
	{"two cubes of uint32", texture.Shape{Width: 8, Height: 8, Cube: true, Layers: 2}, texture.Uint32, 1, Integers, map[Family][8]uint32{
		RDNA2: {0x3456789a, 0x12 | 20<<20 | 3<<30, 1 | 7<<14 | 1<<31, 4 | 1<<9 | 13<<28, 11, 0, 0, 0},
		RDNA3: {0x3456789a, 0x12 | 20<<20 | 3<<30, 1 | 7<<14, 4 | 1<<9 | 13<<28, 11, 0, 0, 0},
		RDNA4: {0x3456789a, 0x12 | 20<<17 | 3<<30, 1 | 7<<14, 4 | 1<<9 | 13<<28, 11, 0, 0, 0},
	}},
	{"a cube of int8 as numbers", texture.Shape{Width: 1, Height: 1, Cube: true}, texture.Int8, 1, Numbers, map[Family][8]uint32{
		RDNA2: {0x3456789a, 0x12 | 2<<20, 1 << 31, 4 | 1<<9 | 13<<28, 5, 0, 0, 0},
		RDNA3: {0x3456789a, 0x12 | 2<<20, 0, 4 | 1<<9 | 13<<28, 5, 0, 0, 0},
		RDNA4: {0x3456789a, 0x12 | 2<<17, 0, 4 | 1<<9 | 13<<28, 5, 0, 0, 0},
	}},
}

// described is a Desc for a shape, complete.
func described(f Family, s texture.Shape, o texture.Options, t texture.Format, channels int, v View) *texture.Desc {
	d := texture.Describe(s, t, channels<<sizes[t])
	d.Options(s, o, v != Integers)
	*(*uintptr)(unsafe.Pointer(&d.Texels)) = base
	Place(f, s, &d)
	Describe(f, s, &d, t, channels, v)
	return &d
}

func hex(words []uint32) string {
	return strings.TrimSpace(fmt.Sprintf("%08x", words))
}

func TestResource(t *testing.T) {
	for _, c := range images {
		for f, want := range c.words {
			if got := described(f, c.shape, texture.Options{}, c.format, c.channels, c.view); got.Resource != want || got.Refused != 0 {
				t.Errorf("%s, family %d:\n%s, refused %d, want\n%s", c.kind, f, hex(got.Resource[:]), got.Refused, hex(want[:]))
			}
		}
	}
}

func TestSampler(t *testing.T) {
	s := texture.Shape{Width: 64, Height: 64, Levels: 7}
	wrap, border := texture.Wrap, texture.Border
	for _, c := range []struct {
		o        texture.Options
		old, new [4]uint32 // of RDNA 2 and 3, and of RDNA 4
	}{
		// CLAMP 2 on all axes, FORCE_UNNORMALIZED, TRUNC_COORD; MAX_LOD 6.0; MIP_FILTER point
		{texture.Options{}, [4]uint32{2 | 2<<3 | 2<<6 | 1<<15 | 1<<27, 6 * 256 << 12, 1 << 26, 0}, [4]uint32{2 | 2<<3 | 2<<6 | 1<<15 | 1<<27, 6 * 256 << 13, 1 << 26, 0}},
		// WRAP, MIRROR, BORDER; bilinear, trilinear; opaque white; levels from 1.5 to 4.25
		{texture.Options{Normalized: true, Filter: texture.Linear, MipFilter: texture.Linear, Address: [3]texture.Address{wrap, texture.Mirror, border},
			Border: [4]float32{1, 1, 1, 1}, MinLevel: 1.5, MaxLevel: 4.25},
			[4]uint32{0 | 1<<3 | 6<<6, 384 | 1088<<12, 1<<20 | 1<<22 | 2<<26, 2 << 30}, [4]uint32{0 | 1<<3 | 6<<6, 384 | 1088<<13, 1<<20 | 1<<22 | 2<<26, 2 << 30}},
		// opaque black; a level above what the field can say
		{texture.Options{Normalized: true, Address: [3]texture.Address{border, border}, Border: [4]float32{0, 0, 0, 1}, MaxLevel: 1000},
			[4]uint32{6 | 6<<3 | 2<<6 | 1<<27, 4095 << 12, 1 << 26, 1 << 30}, [4]uint32{6 | 6<<3 | 2<<6 | 1<<27, 8191 << 13, 1 << 26, 1 << 30}},
	} {
		for f, want := range map[Family][4]uint32{RDNA2: c.old, RDNA3: c.old, RDNA4: c.new} {
			if got := described(f, s, c.o, texture.Float32, 4, Numbers); got.Sampler != want || got.Refused != 0 {
				t.Errorf("%+v, family %d: %s, refused %d, want %s", c.o, f, hex(got.Sampler[:]), got.Refused, hex(want[:]))
			}
		}
	}
}

// What linear images want of the layout: addrlib's figures.
func TestPlace(t *testing.T) {
	for _, c := range []struct {
		f               Family
		s               texture.Shape
		size            int
		offset, row     []int64
		slice, allBytes int64
	}{
		{RDNA2, texture.Shape{Width: 100}, 4, []int64{0}, []int64{512}, 512, 512},
		{RDNA4, texture.Shape{Width: 100}, 4, []int64{0}, []int64{512}, 512, 512},
		{RDNA3, texture.Shape{Width: 8, Height: 6, Layers: 4}, 4, []int64{0}, []int64{256}, 6 * 256, 24 * 256},
		{RDNA4, texture.Shape{Width: 8, Height: 6, Layers: 4}, 4, []int64{0}, []int64{128}, 6 * 256, 24 * 256},
		{RDNA3, texture.Shape{Width: 100, Height: 3, Levels: 3}, 4, []int64{2 * 256, 256, 0}, []int64{512, 256, 256}, 512 + 3*512, 4 * 512},
		{RDNA4, texture.Shape{Width: 100, Height: 3, Levels: 3}, 4, []int64{2 * 256, 256, 0}, []int64{512, 256, 128}, 512 + 3*512, 4 * 512},
		{RDNA2, texture.Shape{Width: 4, Height: 2, Depth: 8, Levels: 2}, 16, []int64{256, 0}, []int64{256, 256}, 768, 8 * 768},
		{RDNA2, texture.Shape{Width: 4, Height: 4, Cube: true, Layers: 3}, 1, []int64{0}, []int64{256}, 1024, 18 * 1024},
	} {
		d := texture.Describe(c.s, texture.Uint8, c.size)
		all := Place(c.f, c.s, &d)
		if n := d.Levels; fmt.Sprint(d.Offset[:n], d.Row[:n], d.Plane[0], all) != fmt.Sprint(c.offset, c.row, c.slice, c.allBytes) {
			t.Errorf("family %d, %+v: %v %v %v %v, want %v %v %v %v", c.f, c.s, d.Offset[:n], d.Row[:n], d.Plane[0], all, c.offset, c.row, c.slice, c.allBytes)
		}
	}
}

func TestRefused(t *testing.T) {
	flat := texture.Shape{Width: 16, Height: 16, Levels: 1}
	border := [3]texture.Address{texture.Clamp, texture.Border}
	for _, c := range []struct {
		f        Family
		s        texture.Shape
		o        texture.Options
		channels int
		v        View
		want     texture.Refusal
	}{
		{None, flat, texture.Options{}, 1, Numbers, texture.RefusedDevice},
		{RDNA2, texture.Shape{Width: 16384, Height: 16384, Levels: 15}, texture.Options{}, 1, Numbers, 0},
		{RDNA2, texture.Shape{Width: 16385, Height: 1}, texture.Options{}, 1, Numbers, texture.RefusedSize},
		{RDNA4, texture.Shape{Width: 65536, Height: 65536}, texture.Options{}, 1, Numbers, 0},
		{RDNA3, texture.Shape{Width: 1, Height: 1, Depth: 8193}, texture.Options{}, 1, Numbers, texture.RefusedSize},
		{RDNA4, texture.Shape{Width: 1, Height: 1, Depth: 16384}, texture.Options{}, 1, Numbers, 0},
		{RDNA3, texture.Shape{Width: 1, Height: 1, Cube: true, Layers: 1366}, texture.Options{}, 1, Raw, texture.RefusedSize},
		{RDNA3, flat, texture.Options{Address: border, Border: [4]float32{0.5}}, 1, Numbers, texture.RefusedBorder},
		{RDNA3, flat, texture.Options{Address: border, Border: [4]float32{1, 9, 9, 9}}, 1, Numbers, 0},
		{RDNA3, flat, texture.Options{Address: border, Border: [4]float32{0, 0, 0, 1}}, 4, Integers, 0},
		{RDNA3, flat, texture.Options{Address: border, Border: [4]float32{1, 1, 1, 0}}, 4, Numbers, texture.RefusedBorder},
		{RDNA3, flat, texture.Options{Border: [4]float32{0.5}}, 1, Numbers, 0},
	} {
		if got := described(c.f, c.s, c.o, texture.Float32, c.channels, c.v); got.Refused != int32(c.want) || (got.Refused != 0) != (got.Resource == [8]uint32{}) {
			t.Errorf("family %d, %+v, %+v: refused %d, want %d", c.f, c.s, c.o, got.Refused, c.want)
		}
	}
}

func TestFamilyOf(t *testing.T) {
	for arch, want := range map[string]Family{"gfx1030": RDNA2, "gfx1036": RDNA2, "gfx1100": RDNA3, "gfx1151": RDNA3, "gfx1201": RDNA4,
		"gfx1010": None, "gfx90a": None, "gfx942": None, "gfx906": None, "gfx1250": None, "sm_90": None, "": None, "gfx11": None} {
		if got := FamilyOf(arch); got != want {
			t.Errorf("%q is of family %d, want %d", arch, got, want)
		}
	}
}
