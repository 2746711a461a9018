package amdemu

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"
)

// A bench is one wave and memory to run instructions with.
type bench struct {
	t   testing.TB
	w   *wave
	m   *Memory
	buf []byte // a region
}

type testPlaces struct{}

func (testPlaces) where(pc uint64) string     { return fmt.Sprintf("kernel.go:%d", pc) }
func (testPlaces) waveName(number int) string { return fmt.Sprintf("wave %d", number) }

// newBench makes a wave of size lanes with all active and random registers, a
// region of 4096 bytes, 1024 bytes of LDS and 256 of scratch a lane.
func newBench(t testing.TB, size int, o Options) *bench {
	b := &bench{t: t, m: NewMemory(o), buf: make([]byte, 4096)}
	if err := b.m.Add(unsafe.Pointer(&b.buf[0]), len(b.buf), "the buffer", !o.Uninitialised); err != nil {
		t.Fatal(err)
	}
	g := &group{lds: newLDS(1024, o)}
	for i := range 4 {
		w := &wave{group: g, id: i, size: size, v: make([]vector, 32), a: make([]vector, 32)}
		w.scratch = newScratch(size, 256, o)
		g.waves = append(g.waves, w)
		w.startMemory(b.m, i, testPlaces{})
		w.setMask(regExec, ^uint64(0))
		for r := range w.v {
			for l := range w.v[r] {
				w.v[r][l], w.a[r][l] = rand.Uint32(), rand.Uint32()
			}
		}
	}
	b.w = g.waves[0]
	return b
}

// bindMemory makes an instruction's function without the rest of the executor.
func bindMemory(t testing.TB, text string, generation int) func(w *wave) {
	t.Helper()
	all, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	in := all[0]
	in.addr, in.generation = 0x1000, generation
	for _, rows := range memTables() {
		for _, name := range []string{fmt.Sprintf("%s gfx%d", in.name, generation), in.name} {
			if r, ok := rows[name]; ok {
				if f, ok := r.fn.(func(w *wave, in *inst)); ok {
					return func(w *wave) { f(w, in) }
				}
				run, err := r.fn.(binder)(in)
				if err != nil {
					t.Fatal(err)
				}
				return run
			}
		}
	}
	t.Fatalf("no row for %s", in.name)
	return nil
}

// run executes one instruction; a fault fails the test.
func (b *bench) run(text string) {
	b.t.Helper()
	if got := b.fault(b.w, text); got != "" {
		b.t.Fatalf("%s: %s", text, got)
	}
}

// fault executes one instruction with a wave and returns the fault's text.
func (b *bench) fault(w *wave, text string) (got string) {
	b.t.Helper()
	f := bindMemory(b.t, text, 9)
	defer func() {
		switch p := recover().(type) {
		case nil:
		case fault:
			got = fmt.Sprintf("lane %d: %s", p.lane, p.text)
		default:
			panic(p)
		}
	}()
	f(w)
	return ""
}

// wantFault fails unless the instruction faults with all the words.
func (b *bench) wantFault(w *wave, text string, words ...string) {
	b.t.Helper()
	got := b.fault(w, text)
	for _, word := range words {
		if !strings.Contains(got, word) {
			b.t.Errorf("%s: fault %q lacks %q", text, got, word)
		}
	}
	if got == "" {
		b.t.Errorf("%s: no fault", text)
	}
}

// address is that of offset off in the region.
func (b *bench) address(off int) uint64 {
	return uint64(uintptr(unsafe.Pointer(&b.buf[0]))) + uint64(off)
}

// setAddress puts 64-bit addresses in v[r:r+1] of the lanes.
func (w *wave) setAddress(r int, addr func(l int) uint64) {
	for l := range lanes {
		a := addr(l)
		w.v[r][l], w.v[r+1][l] = uint32(a), uint32(a>>32)
	}
}

// A place is one kind of memory as the tests see it: the text of an access at
// v4 (and v5), the bytes of a lane's offset.
type place struct {
	name        string
	load, store string // with %s for the data and the width's name
	prepare     func(b *bench, off func(l int) int)
	bytes       func(b *bench, l int) []byte // what the lane's offsets count from
	ds          bool                         // spells widths as LDS does
}

var allPlaces = []place{
	{"global", "global_load_%s %s, v[4:5], off offset:4", "global_store_%s v[4:5], %s, off offset:4",
		func(b *bench, off func(l int) int) {
			b.w.setAddress(4, func(l int) uint64 { return b.address(off(l) - 4) })
		}, func(b *bench, _ int) []byte { return b.buf }, false},
	{"base", "global_load_%s %s, v4, s[8:9] offset:-16", "global_store_%s v4, %s, s[8:9] offset:-16",
		func(b *bench, off func(l int) int) {
			base := b.address(0) - 0x9000_0000 + 16
			b.w.s[8], b.w.s[9] = uint32(base), uint32(base>>32)
			for l := range lanes {
				b.w.v[4][l] = uint32(0x9000_0000 + off(l))
			}
		}, func(b *bench, _ int) []byte { return b.buf }, false},
	{"flat", "flat_load_%s %s, v[4:5] offset:4", "flat_store_%s v[4:5], %s offset:4",
		func(b *bench, off func(l int) int) {
			b.w.setAddress(4, func(l int) uint64 {
				switch l % 3 {
				case 0:
					return b.address(off(l) - 4)
				case 1:
					return sharedBase + uint64(off(l)-4)
				}
				return privateBase + uint64(off(l)-4)
			})
		}, func(b *bench, l int) []byte {
			return [][]byte{b.buf, b.w.group.lds.bytes, b.w.scratch.bytes[l*int(b.w.scratch.stride):][:256]}[l%3]
		}, false},
	{"scratch", "scratch_load_%s %s, v4, s8 offset:12", "scratch_store_%s v4, %s, s8 offset:12",
		func(b *bench, off func(l int) int) {
			b.w.s[8] = 4
			for l := range lanes {
				b.w.v[4][l] = uint32(off(l) - 16)
			}
		}, func(b *bench, l int) []byte { return b.w.scratch.bytes[l*int(b.w.scratch.stride):][:256] }, false},
	{"buffer", "buffer_load_%s %s, v4, s[8:11], s12 offen offset:12", "buffer_store_%s %[2]s, v4, s[8:11], s12 offen offset:12",
		func(b *bench, off func(l int) int) {
			b.w.s[8], b.w.s[9], b.w.s[10] = 0, privateBase>>32, 1<<32-1
			b.w.s[12] = uint32(8 * b.w.size)
			for l := range lanes {
				b.w.v[4][l] = uint32(off(l) - 20)
			}
		}, func(b *bench, l int) []byte { return b.w.scratch.bytes[l*int(b.w.scratch.stride):][:256] }, false},
	{"raw", "buffer_load_%s %s, v4, s[8:11], 4 offen offset:12", "buffer_store_%s %[2]s, v4, s[8:11], 4 offen offset:12",
		func(b *bench, off func(l int) int) {
			base := b.address(0)
			b.w.s[8], b.w.s[9], b.w.s[10] = uint32(base), uint32(base>>32), 4096
			for l := range lanes {
				b.w.v[4][l] = uint32(off(l) - 16)
			}
		}, func(b *bench, _ int) []byte { return b.buf }, false},
	{"lds", "ds_read_%s %s, v4 offset:16", "ds_write_%s v4, %s offset:16",
		func(b *bench, off func(l int) int) {
			for l := range lanes {
				b.w.v[4][l] = uint32(off(l) - 16)
			}
		}, func(b *bench, _ int) []byte { return b.w.group.lds.bytes }, true},
}

// registersText is "v8" or "v[8:9]".
func registersText(prefix string, first, n int) string {
	if n == 1 {
		return fmt.Sprintf("%s%d", prefix, first)
	}
	return fmt.Sprintf("%s[%d:%d]", prefix, first, first+n-1)
}

// dsNames are the words of widths in names of LDS instructions.
var dsNames = map[string]string{
	"ubyte": "u8", "sbyte": "i8", "ushort": "u16", "sshort": "i16", "ubyte_d16": "u8_d16", "ubyte_d16_hi": "u8_d16_hi",
	"sbyte_d16": "i8_d16", "sbyte_d16_hi": "i8_d16_hi", "short_d16": "u16_d16", "short_d16_hi": "u16_d16_hi",
	"dword": "b32", "dwordx2": "b64", "dwordx3": "b96", "dwordx4": "b128",
	"byte": "b8", "short": "b16", "byte_d16_hi": "b8_d16_hi",
}

// loadsOf are what loads of a lane's bytes make of the old register, by hand.
var loadsOf = map[string]func(old uint32, b []byte) []uint32{
	"ubyte":        func(_ uint32, b []byte) []uint32 { return []uint32{uint32(b[0])} },
	"sbyte":        func(_ uint32, b []byte) []uint32 { return []uint32{uint32(int32(int8(b[0])))} },
	"ushort":       func(_ uint32, b []byte) []uint32 { return []uint32{uint32(b[0]) + 256*uint32(b[1])} },
	"sshort":       func(_ uint32, b []byte) []uint32 { return []uint32{uint32(int32(int8(b[1])))<<8 | uint32(b[0])} },
	"ubyte_d16":    func(o uint32, b []byte) []uint32 { return []uint32{o&0xffff0000 + uint32(b[0])} },
	"ubyte_d16_hi": func(o uint32, b []byte) []uint32 { return []uint32{o&0xffff + uint32(b[0])*65536} },
	"sbyte_d16": func(o uint32, b []byte) []uint32 {
		return []uint32{o&0xffff0000 + uint32(int32(int8(b[0])))&0xffff}
	},
	"sbyte_d16_hi": func(o uint32, b []byte) []uint32 { return []uint32{o&0xffff + uint32(int32(int8(b[0])))*65536} },
	"short_d16":    func(o uint32, b []byte) []uint32 { return []uint32{o&0xffff0000 + uint32(b[0]) + 256*uint32(b[1])} },
	"short_d16_hi": func(o uint32, b []byte) []uint32 {
		return []uint32{o&0xffff + (uint32(b[0])+256*uint32(b[1]))*65536}
	},
	"dword": dwordsOf(1), "dwordx2": dwordsOf(2), "dwordx3": dwordsOf(3), "dwordx4": dwordsOf(4),
}

func dwordsOf(n int) func(uint32, []byte) []uint32 {
	return func(_ uint32, b []byte) (r []uint32) {
		for i := range n {
			r = append(r, uint32(b[4*i])+uint32(b[4*i+1])<<8+uint32(b[4*i+2])<<16+uint32(b[4*i+3])<<24)
		}
		return r
	}
}

// offsets are lanes' offsets of several shapes: contiguous, all the same,
// overlapping and unaligned, backwards, up to the last bytes.
func offsets(size, limit int) map[string]func(l int) int {
	return map[string]func(l int) int{
		"contiguous": func(l int) int { return 32 + min(l*size, limit-32-size) },
		"same":       func(int) int { return 40 },
		"unaligned":  func(l int) int { return 33 + l*3%(limit-33-size) },
		"backwards":  func(l int) int { return limit - size - l },
	}
}

func TestLoads(t *testing.T) {
	for _, p := range allPlaces {
		for name, want := range loadsOf {
			for _, size := range []int{32, 64} {
				for shape, off := range offsets(16, 256) {
					for _, exec := range []uint64{^uint64(0), 0x8000_0001_4040_0b01} {
						b := newBench(t, size, Options{})
						for i := range b.buf {
							b.buf[i] = byte(rand.Uint32())
						}
						copy(b.w.group.lds.bytes, b.buf[300:])
						for i := range b.w.scratch.bytes {
							b.w.scratch.bytes[i] = byte(rand.Uint32())
						}
						p.prepare(b, off)
						b.w.setMask(regExec, exec)
						old := b.w.v[8]
						spell := name
						if p.ds {
							spell = dsNames[name]
						}
						n := len(want(0, b.buf))
						before := b.w.v
						_ = before
						b.run(fmt.Sprintf(p.load, spell, registersText("v", 8, n)))
						for l := range size {
							r := want(old[l], p.bytes(b, l)[off(l):])
							for i := range r {
								got := b.w.v[8+i][l]
								if exec>>l&1 != 0 && got != r[i] {
									t.Fatalf("%s %s %s wave%d lane %d: v%d = %#x, want %#x", p.name, name, shape, size, l, 8+i, got, r[i])
								}
							}
							if exec>>l&1 == 0 && b.w.v[8][l] != old[l] {
								t.Fatalf("%s %s: inactive lane %d changed", p.name, name, l)
							}
						}
					}
				}
			}
		}
	}
}

func TestStores(t *testing.T) {
	sizes := map[string]struct{ n, shift int }{
		"byte": {1, 0}, "short": {2, 0}, "byte_d16_hi": {1, 16}, "short_d16_hi": {2, 16},
		"dword": {4, 0}, "dwordx2": {8, 0}, "dwordx3": {12, 0}, "dwordx4": {16, 0},
	}
	for _, p := range allPlaces {
		for name, s := range sizes {
			for shape, off := range offsets(16, 256) {
				for _, exec := range []uint64{^uint64(0), 0x8000_0001_4040_0b01} {
					b := newBench(t, 64, Options{})
					p.prepare(b, off)
					b.w.setMask(regExec, exec)
					// What the bytes should be, lane after lane.
					want := map[*byte]byte{}
					for l := range 64 {
						if exec>>l&1 == 0 {
							continue
						}
						for i := range s.n {
							v := b.w.v[8+i/4][l] >> s.shift
							want[&p.bytes(b, l)[off(l)+i]] = byte(v >> (8 * (i % 4)))
						}
					}
					spell := name
					if p.ds {
						spell = dsNames[name]
						if name == "short_d16_hi" {
							spell = "b16_d16_hi"
						}
					}
					b.run(fmt.Sprintf(p.store, spell, registersText("v", 8, (s.n+3)/4)))
					for _, mem := range [][]byte{b.buf, b.w.group.lds.bytes, b.w.scratch.bytes} {
						for i := range mem {
							if mem[i] != want[&mem[i]] {
								t.Fatalf("%s %s %s: byte %d is %#x, want %#x", p.name, name, shape, i, mem[i], want[&mem[i]])
							}
						}
					}
				}
			}
		}
	}
}

func TestAccumulationRegisters(t *testing.T) {
	b := newBench(t, 64, Options{})
	b.w.setAddress(4, func(l int) uint64 { return b.address(8 * l) })
	b.run("global_store_dwordx2 v[4:5], a[2:3], off")
	b.run("global_load_dword a9, v[4:5], off offset:4")
	if b.w.a[9] != b.w.a[3] {
		t.Error("a9 is not what a3 was stored as")
	}
	if got := binary.LittleEndian.Uint32(b.buf[8:]); got != b.w.a[2][1] {
		t.Errorf("stored %#x, a2 is %#x", got, b.w.a[2][1])
	}
}

func TestScalarLoads(t *testing.T) {
	b := newBench(t, 64, Options{})
	for i := range b.buf {
		b.buf[i] = byte(i*7 + i>>8)
	}
	word := func(off int) uint32 { return dwordsOf(1)(0, b.buf[off:])[0] }
	set := func(r int, v uint64) { b.w.s[r], b.w.s[r+1] = uint32(v), uint32(v>>32) }
	set(4, b.address(100))
	b.w.s[10] = 40
	b.w.s[20], b.w.s[21], b.w.s[22] = b.w.s[4], b.w.s[5], 64
	for _, c := range []struct {
		text string
		off  int
		n    int
	}{
		{"s_load_dword s40, s[4:5], 0x3c", 160, 1},
		{"s_load_b64 s[40:41], s[4:5], null", 100, 2},
		{"s_load_b96 s[40:42], s[4:5], -0x8", 92, 3},
		{"s_load_dwordx4 s[40:43], s[4:5], s10", 140, 4},
		{"s_load_b256 s[40:47], s[4:5], s10 offset:0x10", 156, 8},
		{"s_load_dwordx16 s[40:55], s[4:5], s10 offset:16", 156, 16},
		{"s_load_dword vcc_lo, s[4:5], 0x6", 104, 1},
		{"s_buffer_load_dwordx2 s[40:41], s[20:23], 0x38", 156, 2},
	} {
		b.run(c.text)
		d := 40
		if strings.Contains(c.text, "vcc") {
			d = regVCC
		}
		for i := range c.n {
			if b.w.s[d+i] != word(c.off+4*i) {
				t.Errorf("%s: s%d = %#x, want %#x", c.text, d+i, b.w.s[d+i], word(c.off+4*i))
			}
		}
	}
	for text, want := range map[string]uint32{
		"s_load_u8 s40, s[4:5], 0x15":                    uint32(b.buf[121]),
		"s_load_i8 s40, s[4:5], 0x15":                    uint32(int32(int8(b.buf[121]))),
		"s_load_u16 s40, s[4:5], 0x16":                   word(122) & 0xffff,
		"s_load_i16 s40, s[4:5], 0x16":                   uint32(int32(int16(word(122)))),
		"s_buffer_load_dwordx2 s[40:41], s[20:23], 0x3c": 0, // out of range
	} {
		if b.run(text); b.w.s[40] != want {
			t.Errorf("%s: %#x, want %#x", text, b.w.s[40], want)
		}
	}
	b.wantFault(b.w, "s_load_dword s40, s[4:5], 0xf9c", "load of 4 bytes", "0 bytes past the end of the buffer of 4096 bytes")
	set(4, 0)
	b.wantFault(b.w, "s_load_dword s40, s[4:5], 0x8", "nil pointer")
}
