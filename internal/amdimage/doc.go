// Package amdimage makes the descriptors that AMD's image instructions take: of a resource (T#,
// 8 words) and of a sampler (S#, 4 words), for images without tiles, whose texels the software form
// reads too.
//
// Sources: ROCr's image library (image_manager_{nv,gfx11,gfx12}.cpp, resource_{nv,gfx11,gfx12}.h)
// for the fields, and its addrlib (HwlComputeSurfaceInfoLinear, Gfx12Lib::GetMipOffset) for the
// layout; Mesa's ac_descriptors.c for the pitch. AMD's ISA documents were not within reach. Nothing
// here has run on a card: the fields are those of these sources, and internal/amdemu takes them
// apart again.
package amdimage

import "strings"

// A Family is processors whose descriptors are alike.
type Family int

// The families. RDNA3 has RDNA 3.5, too.
const (
	None  Family = iota // no image instructions, or none that we make descriptors for
	RDNA2               // gfx103x
	RDNA3               // gfx11xx
	RDNA4               // gfx120x
)

// FamilyOf is the family of a processor: "gfx1100".
func FamilyOf(arch string) Family {
	for prefix, f := range map[string]Family{"gfx103": RDNA2, "gfx11": RDNA3, "gfx120": RDNA4} {
		if len(arch) == len("gfx1030") && strings.HasPrefix(arch, prefix) {
			return f
		}
	}
	return None
}

// A part is bits of a descriptor: some of a word.
type part struct{ word, shift, bits int }

// A field is a value in a descriptor, its lowest bits in the first part.
type field []part

// set writes a value.
func (f field) set(words []uint32, v uint64) {
	for _, p := range f {
		mask := uint64(1)<<p.bits - 1
		words[p.word] |= uint32(v&mask) << p.shift
		v >>= p.bits
	}
}

// limit is how many values the field has.
func (f field) limit() int {
	n := 0
	for _, p := range f {
		n += p.bits
	}
	return 1 << n
}

// A layout is where a family has the fields. Those that a family lacks are nil.
type layout struct {
	base, format, width, height, resourceLevel    field // base in 256 bytes, sizes less 1
	sel                                           [4]field
	baseLevel, lastLevel, maxMip, mode, imageType field
	depth, pitch                                  field // the last slice, or plane; the pitch less 1 in texels
	clamp                                         [3]field
	unnormalized, truncate                        field
	minLevel, maxLevel                            field // in 1/256
	magnify, minify, mipFilter, border            field
}

// common are the fields that all families have at the same place.
func common() layout {
	return layout{
		base: field{{0, 0, 32}, {1, 0, 8}},
		sel:  [4]field{{{3, 0, 3}}, {{3, 3, 3}}, {{3, 6, 3}}, {{3, 9, 3}}},
		mode: field{{3, 20, 5}}, imageType: field{{3, 28, 4}},
		clamp:        [3]field{{{0, 0, 3}}, {{0, 3, 3}}, {{0, 6, 3}}},
		unnormalized: field{{0, 15, 1}}, truncate: field{{0, 27, 1}},
		magnify: field{{2, 20, 2}}, minify: field{{2, 22, 2}}, mipFilter: field{{2, 26, 2}}, border: field{{3, 30, 2}},
	}
}

// layoutOf is a family's. It is made when it is asked for: a program without textures pays nothing.
func layoutOf(f Family) (layout, bool) {
	switch f {
	case RDNA2:
		return rdna2(), true
	case RDNA3:
		return rdna3(), true
	case RDNA4:
		return rdna4(), true
	}
	return layout{}, false
}

func rdna2() layout {
	l := common()
	l.format, l.resourceLevel = field{{1, 20, 9}}, field{{2, 31, 1}}
	l.width, l.height = field{{1, 30, 2}, {2, 0, 12}}, field{{2, 14, 14}}
	l.baseLevel, l.lastLevel, l.maxMip = field{{3, 12, 4}}, field{{3, 16, 4}}, field{{5, 4, 4}}
	l.depth, l.pitch = field{{4, 0, 13}}, field{{4, 0, 14}}
	l.minLevel, l.maxLevel = field{{1, 0, 12}}, field{{1, 12, 12}}
	return l
}

func rdna3() layout {
	l := rdna2()
	l.format, l.maxMip, l.resourceLevel = field{{1, 20, 8}}, field{{1, 16, 4}}, nil
	return l
}

func rdna4() layout {
	l := rdna3()
	l.format, l.maxMip, l.baseLevel = field{{1, 17, 8}}, field{{1, 12, 5}}, field{{1, 25, 5}}
	l.width, l.height = field{{1, 30, 2}, {2, 0, 14}}, field{{2, 14, 16}}
	l.lastLevel = field{{3, 15, 5}}
	l.depth, l.pitch = field{{4, 0, 14}}, field{{4, 0, 16}}
	l.minLevel, l.maxLevel = field{{1, 0, 13}}, field{{1, 13, 13}}
	return l
}
