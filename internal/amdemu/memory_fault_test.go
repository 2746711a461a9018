package amdemu

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// Faults at the edges of memory, with the place in words.
func TestOutOfBounds(t *testing.T) {
	b := newBench(t, 64, Options{})
	b.w.setMask(regExec, 1<<13|1<<40)
	at := func(off int) {
		b.w.setAddress(4, func(l int) uint64 {
			switch l {
			case 13:
				return b.address(0)
			case 40:
				return b.address(off)
			}
			return 0xdead_beef_dead_beef // inactive: never touched
		})
	}
	for _, c := range []struct {
		off  int
		text string
		want string // "" if it is in bounds
	}{
		{4092, "global_load_dword v8, v[4:5], off", ""},
		{4093, "global_load_dword v8, v[4:5], off", "load of 4 bytes"},
		{4096, "global_load_dword v8, v[4:5], off", "0 bytes past the end of the buffer of 4096 bytes"},
		{4108, "global_store_dword v[4:5], v8, off", "store of 4 bytes at 0x"},
		{4108, "global_store_dword v[4:5], v8, off", ": 12 bytes past the end of the buffer of 4096 bytes"},
		{4084, "global_load_dwordx4 v[8:11], v[4:5], off", "the last 4 bytes of them are past the end of the buffer of 4096 bytes"},
		{4080, "global_load_dwordx4 v[8:11], v[4:5], off", ""},
		{-4, "global_store_byte v[4:5], v8, off", "4 bytes before the start of the buffer"},
		{4095, "global_store_byte v[4:5], v8, off", ""},
		{4095, "global_store_short v[4:5], v8, off", "the last 1 bytes"},
		{4088, "global_atomic_add_x2 v[4:5], v[8:9], off", ""},
		{4096, "flat_atomic_add_x2 v[4:5], v[8:9]", "atomic operation of 8 bytes"},
		{4090, "global_atomic_add_x2 v[4:5], v[8:9], off", "past the end"},
		{4086, "global_atomic_add_x2 v[4:5], v[8:9], off", "not a multiple of 8"},
		{1 << 40, "global_load_dword v8, v[4:5], off", "no memory of this device is near"},
	} {
		at(c.off)
		if got := b.fault(b.w, c.text); c.want == "" && got != "" {
			t.Errorf("%s at %d: %s", c.text, c.off, got)
		}
		if c.want != "" {
			b.wantFault(b.w, c.text, "lane 40: ", c.want)
		}
	}
	b.w.setAddress(4, func(int) uint64 { return 0 })
	b.wantFault(b.w, "global_load_dword v8, v[4:5], off offset:16", "lane 13: load of 4 bytes at 0x10: nil pointer")
	b.wantFault(b.w, "flat_load_dword v8, v[4:5]", "nil pointer")

	for l := range lanes {
		b.w.v[4][l] = 1021
	}
	b.wantFault(b.w, "ds_read_b32 v8, v4", "lane 13: load of 4 bytes at 0x3fd of shared memory, of which the block has 1024 bytes")
	b.wantFault(b.w, "ds_write_b128 v4, v[8:11]", "store of 16 bytes")
	b.wantFault(b.w, "ds_read_u8 v8, v4 offset:3", "0x400 of shared")
	b.run("ds_read_u8 v8, v4 offset:2")
	b.wantFault(b.w, "ds_add_u32 v4, v8 offset:1", "atomic operation of 4 bytes at 0x3fe")
	for l := range lanes {
		b.w.v[4][l] = 253
	}
	b.wantFault(b.w, "scratch_load_dword v8, v4, off", "lane 13: load of 4 bytes at 0xfd of private memory, of which each thread has 256 bytes")
	b.wantFault(b.w, "scratch_store_short v4, v8, off offset:-254", "0xffffffff of private")
	b.run("scratch_store_short v4, v8, off offset:1")
	for l := range lanes {
		b.w.v[4][l] = 1<<32 - 8
	}
	b.w.s[8] = 1<<32 - 8
	b.wantFault(b.w, "scratch_load_dword v8, v4, off offset:16", "lane 13: load of private memory by a register that is negative")
	b.wantFault(b.w, "scratch_store_dword off, v8, s8 offset:16", "lane 13: store of private memory by a register that is negative")
	bindMemory(t, "scratch_load_dword v8, v4, off offset:16", 12)(b.w) // may be there
	b.w.setAddress(4, func(int) uint64 { return sharedBase + 1022 })
	b.wantFault(b.w, "flat_store_dword v[4:5], v8", "of shared memory")
	b.w.setAddress(4, func(int) uint64 { return privateBase + 255 })
	b.wantFault(b.w, "flat_store_short v[4:5], v8", "of private memory")
}

// Scalar loads of a byte's dword and of three dwords by four may go past the end.
func TestScalarPastTheEnd(t *testing.T) {
	for _, c := range []struct {
		size, at int
		text     string
		want     []uint32
	}{
		{5, 4, "s_load_dword s8, s[4:5], 0x0", []uint32{5}},
		{7, 4, "s_load_dword s8, s[4:5], 0x0", []uint32{0x070605}},
		{8, 8, "s_load_dword s8, s[4:5], 0x0", nil},
		{12, 0, "s_load_dwordx4 s[8:11], s[4:5], 0x0", []uint32{0x04030201, 0x08070605, 0x0c0b0a09, 0}},
		{11, 0, "s_load_dwordx4 s[8:11], s[4:5], 0x0", nil},
		{7, 0, "s_load_dwordx2 s[8:9], s[4:5], 0x0", nil},
	} {
		b := newBench(t, 64, Options{Races: true, Uninitialised: true})
		m := make([]byte, 64)
		for i := range c.size {
			m[i] = byte(i + 1)
		}
		if err := b.m.Add(unsafe.Pointer(&m[0]), c.size, "a small buffer", false); err != nil {
			t.Fatal(err)
		}
		b.m.MarkWritten(unsafe.Pointer(&m[0]), c.size)
		a := uint64(uintptr(unsafe.Pointer(&m[0]))) + uint64(c.at)
		b.w.s[4], b.w.s[5] = uint32(a), uint32(a>>32)
		if c.want == nil {
			b.wantFault(b.w, c.text, "past the end of a small buffer")
			continue
		}
		if b.run(c.text); !slices.Equal(b.w.s[8:8+len(c.want)], c.want) {
			t.Errorf("%s at %d of %d: %#x, want %#x", c.text, c.at, c.size, b.w.s[8:8+len(c.want)], c.want)
		}
	}
}

// Lanes one after the other that leave memory at the end, or before the start.
func TestSpansOutOfBounds(t *testing.T) {
	b := newBench(t, 64, Options{Uninitialised: true, Races: true, Counters: true})
	for l := range lanes {
		b.w.v[6][l] = uint32(1024 - 4*50 + 4*l)
	}
	for _, size := range []int{4, 16} {
		for _, inside := range []int{1, 50, 63} {
			b.w.setAddress(4, func(l int) uint64 { return b.address(4096 - size*inside + size*l) })
			b.wantFault(b.w, "global_store_dword"+map[int]string{4: " v[4:5], v8, off", 16: "x4 v[4:5], v[8:11], off"}[size],
				fmt.Sprintf("lane %d: ", inside), "0 bytes past the end")
		}
	}
	b.w.setAddress(4, func(l int) uint64 { return b.address(4*l - 4) })
	b.wantFault(b.w, "global_store_dword v[4:5], v8, off", "lane 0: ", "4 bytes before the start")
	b.wantFault(b.w, "ds_write_b32 v6, v8", "lane 50: ", "0x400 of shared")
}

// Offsets of LDS wrap in 32 bits, and each access looks at its own addresses
// whatever the last one's were.
func TestOneAfterTheOther(t *testing.T) {
	b := newBench(t, 64, Options{})
	b.w.setAddress(4, func(l int) uint64 { return b.address(4 * l) })
	for l := range lanes {
		b.w.v[6][l], b.w.v[7][l] = uint32(8*(l%4)-8), uint32(4*l)
	}
	b.run("global_store_dword v[4:5], v8, off")
	b.run("scratch_store_dword off, v9, off offset:4")
	b.run("global_store_dword v[4:5], v10, off offset:256")
	b.run("scratch_load_dword v11, off, off offset:4")
	b.run("ds_write_b32 v6, v12 offset:16")
	b.run("ds_write_b32 v7, v13 offset:512")
	b.run("ds_read_b32 v14, v6 offset:16")
	b.run("global_load_dword v15, v[4:5], off")
	for l := range lanes {
		if got := dwordsOf(1)(0, b.w.scratch.bytes[l*int(b.w.scratch.stride)+4:])[0]; got != b.w.v[9][l] || b.w.v[11][l] != got {
			t.Errorf("lane %d: scratch %#x, loaded %#x, want %#x", l, got, b.w.v[11][l], b.w.v[9][l])
		}
		if want := b.w.v[12][60+l%4]; b.w.v[14][l] != want || b.w.v[15][l] != b.w.v[8][l] {
			t.Errorf("lane %d: LDS %#x, want %#x; global %#x, want %#x", l, b.w.v[14][l], want, b.w.v[15][l], b.w.v[8][l])
		}
	}
}

// Out of a buffer's range loads give 0 and stores go nowhere; atomics too.
func TestBufferRange(t *testing.T) {
	b := newBench(t, 64, Options{})
	base := b.address(64)
	b.w.s[8], b.w.s[9], b.w.s[10] = uint32(base), uint32(base>>32), 100
	for i := range b.buf {
		b.buf[i] = 0xa5
	}
	for l := range lanes {
		b.w.v[4][l] = uint32(4 * l)
		b.w.v[9][l] = 1
	}
	b.run("buffer_load_dword v8, v4, s[8:11], 0 offen offset:2")
	b.run("buffer_store_dword v9, v4, s[8:11], 0 offen offset:2")
	for l := range lanes {
		inside := 4*l+2+4 <= 100
		if want := map[bool]uint32{true: 0xa5a5a5a5}[inside]; b.w.v[8][l] != want {
			t.Errorf("lane %d loaded %#x, want %#x", l, b.w.v[8][l], want)
		}
		if got := b.buf[64+4*l+2]; (got == 1) != inside {
			t.Errorf("lane %d stored %#x", l, got)
		}
	}
	b.w.setMask(regExec, 1<<24|1<<25)
	b.run("buffer_atomic_add v9, v4, s[8:11], 0 offen glc")
	if b.w.v[9][24] != 0xa5a50000 || b.w.v[9][25] != 0 {
		t.Errorf("atomics gave %#x and %#x", b.w.v[9][24], b.w.v[9][25])
	}
	for l := range lanes {
		b.w.v[8][l] = 0x12345678
	}
	b.run("buffer_load_short_d16_hi v8, v4, s[8:11], 0 offen offset:98")
	if b.w.v[8][24] != 0x5678 {
		t.Errorf("half a register out of range is %#x", b.w.v[8][24])
	}
}

// An access whose lanes lie in several regions finds each of them.
func TestSeveralRegions(t *testing.T) {
	b := newBench(t, 64, Options{Uninitialised: true})
	var bufs [5][]byte
	for i := range bufs {
		bufs[i] = make([]byte, 512)
		if err := b.m.Add(unsafe.Pointer(&bufs[i][0]), 512, "a buffer", true); err != nil {
			t.Fatal(err)
		}
		for j := range bufs[i] {
			bufs[i][j] = byte(i)
		}
	}
	b.w.setAddress(4, func(l int) uint64 { return uint64(uintptr(unsafe.Pointer(&bufs[l*l%5][4*l]))) })
	b.run("global_load_dword v8, v[4:5], off")
	for l := range lanes {
		if want := uint32(l*l%5) * 0x01010101; b.w.v[8][l] != want {
			t.Errorf("lane %d: %#x, want %#x", l, b.w.v[8][l], want)
		}
	}
	if err := b.m.Remove(unsafe.Pointer(&bufs[1][0])); err != nil {
		t.Fatal(err)
	}
	w := b.w.group.waves[1] // it has no memory of its own of where it was
	w.setAddress(4, func(l int) uint64 { return uint64(uintptr(unsafe.Pointer(&bufs[l*l%5][4*l]))) })
	b.wantFault(w, "global_load_dword v8, v[4:5], off", "lane 1: ")
}

func TestMemory(t *testing.T) {
	m := NewMemory(Options{})
	buf := make([]byte, 1024)
	p := func(i int) unsafe.Pointer { return unsafe.Pointer(&buf[i]) }
	for _, c := range []struct {
		at, n int
		want  string
	}{
		{256, 256, ""}, {512, 256, ""}, {0, 256, ""},
		{0, 1, "overlaps"}, {700, 100, "overlaps"}, {767, 1, "overlaps"}, {768, 0, "0 bytes"}, {768, -1, "-1 bytes"}, {768, 1, ""},
	} {
		err := m.Add(p(c.at), c.n, "a buffer", true)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("Add(%d, %d): %v, want %q", c.at, c.n, err, c.want)
		}
	}
	if err := m.Add(nil, 8, "x", true); err == nil {
		t.Error("Add of nil")
	}
	if err := m.Check(p(300), 212); err != nil {
		t.Error(err)
	}
	if err := m.Check(p(300), 213); err == nil || !strings.Contains(err.Error(), "the last 1 bytes of them are past the end of a buffer of 256 bytes") {
		t.Error(err)
	}
	if err := m.Remove(p(256)); err != nil {
		t.Error(err)
	}
	if err := m.Remove(p(256)); err == nil {
		t.Error("removed twice")
	}
	if err := m.Check(p(300), 4); err == nil || !strings.Contains(err.Error(), "44 bytes past the end") {
		t.Error(err)
	}
}

// Instructions whose operands are not what they should be are errors.
func TestBadMemoryInstructions(t *testing.T) {
	for _, text := range []string{
		"global_load_dword v[8:9], v[4:5], off", "global_load_dwordx2 v8, v[4:5], off", "global_load_dword v8, v4, off",
		"global_load_dword v8", "global_load_dword v8, v[4:5], s4", "global_load_dword s8, v[4:5], off",
		"global_load_dword v8, v[4:5], off offset:x", "scratch_load_dword v8, v[4:5], off", "scratch_load_dword v8, v4, s[4:5]",
		"flat_load_dword v8, v4", "ds_read_b32 v8, v[4:5]", "ds_read_b32 v8, a4", "ds_read_b32 v8", "ds_read_b32 v8, v4 gds",
		"ds_read2_b32 v8, v4", "ds_write2_b32 v4, v8", "buffer_load_dword v8, v4, s[0:3], 0 idxen", "buffer_load_dword v8, v4, s[0:1], 0 offen",
		"buffer_load_dword v8, v[4:5], s[0:3], 0 offen", "buffer_load_dword off, s[0:3], 0", "s_load_dword s4, s4, 0x0", "s_load_dword v4, s[4:5], 0x0",
		"s_load_dword s4", "global_atomic_cmpswap v8, v[4:5], v9, off", "ds_cmpst_b32 v4, v8", "ds_swizzle_b32 v8, v4 offset:swizzle(X)",
	} {
		all, err := parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		bound := false
		for _, rows := range memTables() {
			if r, ok := rows[all[0].name]; ok {
				bound = true
				if _, err := r.fn.(binder)(all[0]); err == nil {
					t.Errorf("%s: no error", text)
				}
			}
		}
		if !bound {
			t.Errorf("%s: no row", text)
		}
	}
}

func TestCounters(t *testing.T) {
	for _, c := range []struct {
		text                    string
		addr                    func(l int) int
		conflicts, lines, bytes uint64
	}{
		{"ds_read_b32 v8, v6", func(l int) int { return 4 * l }, 0, 0, 0},
		{"ds_read_b32 v8, v6", func(l int) int { return 8 * l }, 2, 0, 0},
		{"ds_read_b32 v8, v6", func(l int) int { return 128 * (l % 8) }, 14, 0, 0},
		{"ds_read_b32 v8, v6", func(int) int { return 4 }, 0, 0, 0},
		{"ds_write_b64 v6, v[8:9]", func(l int) int { return 8 * l }, 0, 0, 0},
		{"ds_read_b128 v[8:11], v6", func(l int) int { return 16 * l % 1024 }, 0, 0, 0},
		{"ds_read_b128 v[8:11], v6", func(l int) int { return 128 * (l % 8) }, 56, 0, 0},
		{"global_load_dword v8, v[4:5], off", func(l int) int { return 4 * l }, 0, 2, 256},
		{"global_load_dword v8, v[4:5], off", func(l int) int { return 256 * (l % 16) }, 0, 16, 256},
		{"global_load_dwordx4 v[8:11], v[4:5], off", func(l int) int { return 16 * l }, 0, 8, 1024},
		{"global_load_dword v8, v[4:5], off", func(int) int { return 126 }, 0, 2, 256},
	} {
		b := newBench(t, 64, Options{Counters: true})
		// The region need not begin at a line.
		skew := int(-b.address(0) & 127)
		b.w.setAddress(4, func(l int) uint64 { return b.address((skew + c.addr(l)) % 3968) })
		for l := range lanes {
			b.w.v[6][l] = uint32(c.addr(l))
		}
		b.run(c.text)
		if got := b.w.mem.stats; got != (memStats{c.conflicts, c.lines, c.bytes}) {
			t.Errorf("%s: %+v, want %+v", c.text, got, memStats{c.conflicts, c.lines, c.bytes})
		}
	}
}
