package amdemu

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"

	"heddle/texture"
)

// A picture is a bench with an image in its buffer, whose descriptors lie in s[0:7] and s[8:11].
type picture struct {
	*bench
	base uint64
}

// newPicture makes a bench with an image of 4x2 texels of a format of generation 11, number, whose
// rows are 256 bytes apart.
func newPicture(t *testing.T, number uint32) *picture {
	p := &picture{bench: newBench(t, 32, Options{})}
	at := uint64(uintptr(unsafe.Pointer(&p.buf[0])))
	p.base = (at + 255) &^ 255
	copy(p.w.s[0:], []uint32{uint32(p.base >> 8), uint32(p.base>>40) | number<<20 | 3<<30, 1 << 14,
		4 | 5<<3 | 6<<6 | 7<<9 | 9<<28, 0, 0, 0, 0})
	// Clamped, in texels, cut to them.
	copy(p.w.s[8:], []uint32{2 | 2<<3 | 2<<6 | 1<<15 | 1<<27, 0, 1 << 26, 0})
	return p
}

// texels are the image's bytes from a texel on.
func (p *picture) texels(y, offset int) []byte {
	return p.buf[int(p.base-uint64(uintptr(unsafe.Pointer(&p.buf[0]))))+256*y+offset:]
}

// lane0 sets registers from v0 on in lane 0, runs an instruction of generation 11, and is what v8 and
// the next have then there.
func (p *picture) lane0(text string, registers ...uint32) (v [4]uint32, fault string) {
	p.t.Helper()
	for i, r := range registers {
		for l := range p.w.v[i] {
			p.w.v[i][l] = r
		}
	}
	for i := range v {
		p.w.v[8+i][0] = 0xdead
	}
	f := bindMemory(p.t, text, 11)
	defer func() {
		if e := recover(); e != nil {
			fault = e.(interface{ String() string }).String()
		}
	}()
	f(p.w)
	for i := range v {
		v[i] = p.w.v[8+i][0]
	}
	return v, ""
}

// String is the fault's text.
func (f fault) String() string { return f.text }

const kept = 0xdead // of a register that is not written

func TestImageLoad(t *testing.T) {
	one := math.Float32bits(1)
	for _, c := range []struct {
		format  uint32
		texel   []byte
		text    string
		address []uint32
		want    [4]uint32
	}{
		// 8_8_8_8_UINT and _SINT; the mask leaves channels out, and they take no register.
		{46, []byte{1, 2, 250, 4}, "image_load v[8:11], v[0:1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D unorm", []uint32{1, 1}, [4]uint32{1, 2, 250, 4}},
		{47, []byte{1, 2, 250, 4}, "image_load v[8:9], v[0:1], s[0:7] dmask:0xc dim:SQ_RSRC_IMG_2D unorm", []uint32{1, 1}, [4]uint32{^uint32(5), 4, kept, kept}},
		// addresses in registers that are not in a row, as GFX11 and later have them
		{46, []byte{1, 2, 3, 4}, "image_load v8, [v2, v0], s[0:7] dmask:0x4 dim:SQ_RSRC_IMG_2D unorm", []uint32{1, 0, 1}, [4]uint32{3, kept, kept, kept}},
		// short addresses: y in the upper half
		{46, []byte{1, 2, 3, 4}, "image_load v[8:9], v0, s[0:7] dmask:0x9 dim:SQ_RSRC_IMG_2D unorm a16", []uint32{1<<16 | 1}, [4]uint32{1, 4, kept, kept}},
		// short data: two to a register
		{46, []byte{1, 2, 3, 4}, "image_load v[8:9], v[0:1], s[0:7] dmask:0x7 dim:SQ_RSRC_IMG_2D unorm d16", []uint32{1, 1}, [4]uint32{2<<16 | 1, 3, kept, kept}},
		{42, []byte{255, 0, 255, 0}, "image_load v8, v[0:1], s[0:7] dmask:0x3 dim:SQ_RSRC_IMG_2D unorm d16", []uint32{1, 1}, [4]uint32{0x3c00, kept, kept, kept}},
		// outside, in each direction
		{46, []byte{1, 2, 3, 4}, "image_load v[8:11], v[0:1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D unorm", []uint32{4, 1}, [4]uint32{}},
		{46, []byte{1, 2, 3, 4}, "image_load v[8:11], v[0:1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D unorm", []uint32{1, 2}, [4]uint32{}},
		{46, []byte{1, 2, 3, 4}, "image_load v[8:11], v[0:1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D unorm", []uint32{^uint32(0), 1}, [4]uint32{}},
		// numbers: UNORM, SNORM, FLOAT of 16 bits, and sRGB, whose fourth channel is not decoded
		{42, []byte{255, 0, 51, 255}, "image_load v[8:11], v[0:1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D unorm", []uint32{1, 1}, [4]uint32{one, 0, math.Float32bits(0.2), one}},
		{43, []byte{127, 0x81, 0x80, 0}, "image_load v[8:11], v[0:1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D unorm", []uint32{1, 1}, [4]uint32{one, math.Float32bits(-1), math.Float32bits(-1), 0}},
		{29, []byte{0, 0x3c, 0, 0xc0}, "image_load v[8:9], v[0:1], s[0:7] dmask:0x3 dim:SQ_RSRC_IMG_2D unorm", []uint32{1, 1}, [4]uint32{one, math.Float32bits(-2), kept, kept}},
		{66, []byte{255, 0, 0, 51}, "image_load v[8:11], v[0:1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D unorm", []uint32{1, 1}, [4]uint32{one, 0, 0, math.Float32bits(0.2)}},
	} {
		p := newPicture(t, c.format)
		copy(p.texels(1, len(c.texel)), c.texel)
		if got, fault := p.lane0(c.text, c.address...); got != c.want || fault != "" {
			t.Errorf("format %d, %s at %v: %#x %s, want %#x", c.format, c.text, c.address, got, fault, c.want)
		}
	}
}

// The resource's selectors order channels, and give 0 and 1.
func TestImageSelectors(t *testing.T) {
	p := newPicture(t, 42)
	p.w.s[3] = 6 | 0<<3 | 4<<6 | 1<<9 | 9<<28 // Z, 0, X, 1
	copy(p.texels(0, 0), []byte{255, 0, 51, 0})
	one := math.Float32bits(1)
	want := [4]uint32{math.Float32bits(0.2), 0, one, one}
	if got, fault := p.lane0("image_load v[8:11], v[0:1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D unorm", 0, 0); got != want || fault != "" {
		t.Errorf("%#x %s, want %#x", got, fault, want)
	}
}

func TestImageStore(t *testing.T) {
	p := newPicture(t, 18) // 8_8_UINT
	const text = "image_store v[2:3], v[0:1], s[0:7] dmask:0x3 dim:SQ_RSRC_IMG_2D unorm"
	if _, fault := p.lane0(text, 2, 1, 7, 9); fault != "" {
		t.Fatal(fault)
	}
	if got := p.texels(1, 4)[:2]; got[0] != 7 || got[1] != 9 {
		t.Errorf("the texel is %v", got)
	}
	before := fmt.Sprint(p.buf)
	if _, fault := p.lane0(text, 2, 2, 1, 1); fault != "" || fmt.Sprint(p.buf) != before {
		t.Errorf("a store outside wrote, or failed: %q", fault)
	}
}

func TestImageSample(t *testing.T) {
	f := math.Float32bits
	p := newPicture(t, 22) // 32_FLOAT
	for x := range 4 {
		for y := range 2 {
			*(*float32)(unsafe.Pointer(&p.texels(y, 4*x)[0])) = float32(x + 10*y)
		}
	}
	const lz, gather = "image_sample_lz v8, v[0:1], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D", "image_gather4_lz v[8:11], v[0:1], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D"
	linear := uint32(1<<20 | 1<<22 | 1<<26)
	for _, c := range []struct {
		name    string
		word0   uint32
		filters uint32
		border  uint32
		text    string
		x, y    float32
		want    [4]uint32
	}{
		{"the nearest texel", 2 | 2<<3 | 1<<15 | 1<<27, 1 << 26, 0, lz, 2.99, 1.5, [4]uint32{f(12), kept, kept, kept}},
		{"clamped", 2 | 2<<3 | 1<<15 | 1<<27, 1 << 26, 0, lz, 9, -4, [4]uint32{f(3), kept, kept, kept}},
		{"between texels", 2 | 2<<3 | 1<<15, linear, 0, lz, 2, 1, [4]uint32{f(6.5), kept, kept, kept}},
		{"normalised and repeated", 0 | 0<<3 | 1<<27, 1 << 26, 0, lz, 1.3, 0.1, [4]uint32{f(1), kept, kept, kept}},
		{"mirrored", 1 | 1<<3 | 1<<27, 1 << 26, 0, lz, 1.3, 1.1, [4]uint32{f(12), kept, kept, kept}},
		{"a black border", 6 | 2<<3 | 1<<15 | 1<<27, 1 << 26, 0, lz, -1, 1.5, [4]uint32{0, kept, kept, kept}},
		{"a white border", 6 | 2<<3 | 1<<15 | 1<<27, 1 << 26, 2 << 30, lz, -1, 1.5, [4]uint32{f(1), kept, kept, kept}},
		{"a gather", 2 | 2<<3 | 1<<15, 1 << 26, 0, gather, 2, 1, [4]uint32{f(11), f(12), f(2), f(1)}},
	} {
		copy(p.w.s[8:], []uint32{c.word0, 0, c.filters, c.border})
		if got, fault := p.lane0(c.text, f(c.x), f(c.y)); got != c.want || fault != "" {
			t.Errorf("%s: %#x %s, want %#x", c.name, got, fault, c.want)
		}
	}
}

// Levels, layers and short coordinates, by package texture's own results.
func TestImageLevels(t *testing.T) {
	p := newPicture(t, 22)
	p.w.s[1] = p.w.s[1]&^(15<<16) | 1<<16 // MAX_MIP
	p.w.s[3] |= 1 << 16                   // LAST_LEVEL: 2x1 texels, before the first in memory
	p.w.s[8], p.w.s[9], p.w.s[10] = 2|2<<3|1<<27, 256<<12, 1<<26
	for i, v := range []float32{100, 200} {
		*(*float32)(unsafe.Pointer(&p.texels(0, 4*i)[0])) = v
	}
	for x := range 4 {
		*(*float32)(unsafe.Pointer(&p.texels(2, 4*x)[0])) = float32(x)
	}
	f := math.Float32bits
	for _, c := range []struct {
		level float32
		want  float32
	}{{0, 3}, {0.4, 3}, {0.6, 200}, {7, 200}, {-3, 3}} {
		got, fault := p.lane0("image_sample_l v8, [v0, v1, v2], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D", f(0.9), f(0.9), f(c.level))
		if got[0] != f(c.want) || fault != "" {
			t.Errorf("level %v: %v %s, want %v", c.level, math.Float32frombits(got[0]), fault, c.want)
		}
	}
	short := uint32(half(0.9))
	got, fault := p.lane0("image_sample_l v8, [v0, v1], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D a16", short|short<<16, uint32(half(1)))
	if got[0] != f(200) || fault != "" {
		t.Errorf("short coordinates: %v %s, want 200", math.Float32frombits(got[0]), fault)
	}
}

// What is not emulated is an error, and no wrong result.
func TestImageRefused(t *testing.T) {
	const load = "image_load v8, v[0:1], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm"
	const sample = "image_sample_lz v8, v[0:1], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D"
	for _, c := range []struct {
		text   string
		change func(s []uint32)
		want   string
	}{
		{load, func(s []uint32) { s[3] = s[3]&^(15<<28) | 10<<28 }, "an image of type 10"},
		{load, func(s []uint32) { clear(s[:8]) }, "an image of type 0"},
		{load, func(s []uint32) { s[1] |= 255 << 20 }, "format 255 is not emulated"},
		{load, func(s []uint32) { s[3] |= 27 << 20 }, "swizzle mode 27"},
		{load, func(s []uint32) { s[3] |= 1 << 12 }, "first level 1"},
		{load, func(s []uint32) { s[6] |= 1 << 21 }, "word 6"},
		{load, func(s []uint32) { s[4] = 9 }, "a pitch of 40 bytes"},
		{load, func(s []uint32) { s[0] += 1 << 20 }, "no memory of this device is near"},
		{sample, func(s []uint32) { s[2] |= 100 << 14 }, "past the end of the buffer"},
		{sample, func(s []uint32) { s[8] |= 1 << 9 }, "anisotropic"},
		{sample, func(s []uint32) { s[8] |= 5 }, "clamp mode 7"},
		{sample, func(s []uint32) { s[10] |= 4 }, "a bias"},
		{sample, func(s []uint32) { s[11] = 3 << 30 }, "palette"},
		{sample, func(s []uint32) { s[8] &^= 1 << 27 }, "rounded for the nearest texel"},
		{"image_gather4_lz v[8:11], v[0:1], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D", func(s []uint32) {}, "a gather with coordinates that are cut"},
	} {
		p := newPicture(t, 22)
		c.change(p.w.s[:])
		if _, fault := p.lane0(c.text, 0, 0); !strings.Contains(fault, c.want) {
			t.Errorf("%s: %q, want %q", c.text, fault, c.want)
		}
	}
	for text, want := range map[string]string{
		"image_load v[8:9], v[0:1], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm tfe":       "tfe is not emulated",
		"image_load v8, v[0:2], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_CUBE unorm":             "dimension SQ_RSRC_IMG_CUBE",
		"image_load v8, v[0:1], s[0:7] dim:SQ_RSRC_IMG_2D unorm":                         "dmask",
		"image_load v8, v0, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm":                   "1 coordinates, want 2",
		"image_load v8, v[0:1], s[0:3] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm":               "is not 8 scalar registers",
		"image_gather4_lz v[8:11], v[0:1], s[0:7], s[8:11] dmask:0x3 dim:SQ_RSRC_IMG_2D": "dmask",
	} {
		all, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := bind(all[0], 11); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	for generation, name := range map[int]string{9: "image_load", 11: "image_sample"} {
		if err := bind(&inst{name: name, options: map[string]string{}}, generation); err == nil {
			t.Errorf("gfx%d has %s", generation, name)
		}
	}
}

// Races between loads and stores of texels are seen as those of other memory.
func TestImageRaces(t *testing.T) {
	p := &picture{bench: newBench(t, 32, Options{Races: true})}
	at := uint64(uintptr(unsafe.Pointer(&p.buf[0])))
	p.base = (at + 255) &^ 255
	for _, w := range p.w.group.waves {
		copy(w.s[0:], []uint32{uint32(p.base >> 8), uint32(p.base>>40) | 20<<20 | 3<<30, 1 << 14, 4 | 9<<28, 0, 0, 0, 0})
		for l := range w.v[0] {
			w.v[0][l], w.v[1][l] = uint32(l%4), 0
		}
		w.setMask(regExec, 15)
	}
	store := bindMemory(t, "image_store v2, v[0:1], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm", 11)
	store(p.w)
	defer func() {
		if f, ok := recover().(fault); !ok || !strings.Contains(f.text, "race") {
			t.Errorf("fault is %v, want a race", f)
		}
	}()
	bindMemory(t, "image_load v3, v[0:1], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm", 11)(p.w.group.waves[1])
}

// All formats of each generation are texture's, each once.
func TestImageFormats(t *testing.T) {
	for generation, l := range imageLayouts {
		seen := map[imageFormat]uint64{}
		for number, f := range l.formats {
			if other, twice := seen[f]; twice {
				t.Errorf("gfx%d: formats %d and %d are %v", generation, number, other, f)
			}
			seen[f] = number
			if readerOf(f) == nil {
				t.Errorf("gfx%d: no reader of format %d", generation, number)
			}
		}
		if want := 3 * (4*2 + 1 + 2 + 1 + 1); len(seen) != want {
			t.Errorf("gfx%d: %d formats, want %d", generation, len(seen), want)
		}
		if f := l.formats[22]; f != (imageFormat{texture.Float32, 1, true, false}) {
			t.Errorf("gfx%d: format 22 is %v", generation, f)
		}
	}
}
