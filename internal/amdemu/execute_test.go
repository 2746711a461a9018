package amdemu

import (
	"maps"
	"math"
	"slices"
	"testing"
)

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// bare is a wave that belongs to nothing, with all lanes active and each
// register's lane l holding 100*register + l.
func bare(size int) *wave {
	w := &wave{size: size, v: make([]vector, 32), a: make([]vector, 8)}
	w.group = &group{launch: &launch{}}
	w.group.launch.options = &w.group.launch.Config
	w.all = math.MaxUint64 >> (64 - size)
	w.setMask(regExec, w.all)
	w.mode = 0xf0
	for r := range w.v {
		for l := range lanes {
			w.v[r][l] = uint32(100*r + l)
		}
	}
	return w
}

// execute runs instructions by their text.
func execute(t *testing.T, w *wave, generation int, texts ...string) {
	t.Helper()
	for _, text := range texts {
		in := decode(Line{Size: 4, Text: text}, generation)
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("%s: %v", text, p)
				}
			}()
			in.run(w)
		}()
	}
}

// faults runs an instruction that must fail, and returns how.
func faults(t *testing.T, w *wave, generation int, text string) (why string) {
	t.Helper()
	defer func() {
		p, ok := recover().(fault)
		if !ok {
			t.Fatalf("%s did not fail", text)
		}
		why = p.text
	}()
	decode(Line{Size: 4, Text: text}, generation).run(w)
	return ""
}

// DPP's controls, by what v_mov_b32_dpp v1, v0 gives lanes whose v0 is the lane's
// number. Source: "Data Parallel Processing" in the ISA documents.
func TestDPP(t *testing.T) {
	const keep = -1 // the lane is not written
	for text, want := range map[string]func(l int) int{
		"quad_perm:[3,2,1,0]":    func(l int) int { return l ^ 3 },
		"row_shl:1":              func(l int) int { return ifThen(l%16 < 15, l+1, keep) },
		"row_shr:3":              func(l int) int { return ifThen(l%16 >= 3, l-3, keep) },
		"row_ror:4":              func(l int) int { return l/16*16 + (l%16+12)%16 },
		"row_mirror":             func(l int) int { return l/16*16 + 15 - l%16 },
		"row_half_mirror":        func(l int) int { return l/8*8 + 7 - l%8 },
		"row_bcast:15":           func(l int) int { return ifThen(l >= 16, l/16*16-1, keep) },
		"row_bcast:31":           func(l int) int { return ifThen(l >= 32, 31, keep) },
		"wave_shr:1":             func(l int) int { return ifThen(l > 0, l-1, keep) },
		"wave_shl:1":             func(l int) int { return ifThen(l < 63, l+1, keep) },
		"wave_rol:1":             func(l int) int { return (l + 1) % 64 },
		"wave_ror:1":             func(l int) int { return (l + 63) % 64 },
		"row_share:5":            func(l int) int { return l/16*16 + 5 },
		"row_newbcast:9":         func(l int) int { return l/16*16 + 9 },
		"row_xmask:6":            func(l int) int { return l ^ 6 },
		"dpp8:[7,6,5,4,3,2,1,0]": func(l int) int { return l/8*8 + 7 - l%8 },
	} {
		w := bare(64)
		execute(t, w, 9, "v_mov_b32_dpp v1, v0 "+text+" row_mask:0xf bank_mask:0xf")
		for l := range 64 {
			from := want(l)
			got := int(w.v[1][l])
			if from == keep && got != 100+l || from != keep && got != from {
				t.Errorf("%s: lane %d has %d, want that of lane %d", text, l, got, from)
			}
		}
	}
}

func ifThen(c bool, a, b int) int {
	if c {
		return a
	}
	return b
}

// Masks, invalid and inactive lanes of DPP.
func TestDPPMasks(t *testing.T) {
	w := bare(64)
	execute(t, w, 9, "v_mov_b32_dpp v1, v0 quad_perm:[1,1,1,1] row_mask:0x5 bank_mask:0x3")
	for l := range 64 {
		written := l/16%2 == 0 && l/4%4 < 2
		if want := ifThen(written, l/4*4+1, 100+l); int(w.v[1][l]) != want {
			t.Errorf("lane %d has %d, want %d", l, w.v[1][l], want)
		}
	}
	// bound_ctrl: lanes without a source read 0.
	w = bare(64)
	execute(t, w, 9, "v_mov_b32_dpp v1, v0 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0")
	if w.v[1][0] != 0 || w.v[1][16] != 0 || w.v[1][17] != 16 {
		t.Errorf("with bound_ctrl: %v", w.v[1])
	}
	// An inactive lane is no source, unless fi says so.
	w = bare(64)
	w.setMask(regExec, w.all&^2)
	execute(t, w, 10, "v_mov_b32_dpp v1, v0 row_shl:1 row_mask:0xf bank_mask:0xf",
		"v_mov_b32_dpp v2, v0 row_shl:1 row_mask:0xf bank_mask:0xf fi:1")
	if w.v[1][0] != 100 || w.v[2][0] != 1 || w.v[2][1] != 201 {
		t.Errorf("lanes %d, %d, %d; want 100, 1, 201", w.v[1][0], w.v[2][0], w.v[2][1])
	}
	// An operation whose destination is its source.
	w = bare(64)
	execute(t, w, 9, "v_add_u32_dpp v0, v0, v0 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0")
	if w.v[0][5] != 9 || w.v[0][0] != 0 {
		t.Errorf("in place: %v", w.v[0])
	}
}

func TestSDWA(t *testing.T) {
	for text, want := range map[string]uint32{
		"v_mov_b32_sdwa v2, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1":                         0xb3,
		"v_mov_b32_sdwa v2, sext(v0) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1":                   0xffffffb3,
		"v_mov_b32_sdwa v2, v0 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0":                        0xb3a40000,
		"v_mov_b32_sdwa v2, v0 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3":                   0x9999d199,
		"v_mov_b32_sdwa v2, v0 dst_sel:BYTE_0 dst_unused:UNUSED_SEXT src0_sel:BYTE_3":                       0xffffffd1,
		"v_add_u32_sdwa v2, v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:BYTE_0":     0xd1c2 + 0x78,
		"v_mul_u32_u24_sdwa v2, v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_1": 0xa4 * 0x56,
	} {
		w := bare(64)
		for l := range lanes {
			w.v[0][l], w.v[1][l], w.v[2][l] = 0xd1c2b3a4, 0x12345678, 0x99999999
		}
		execute(t, w, 9, text)
		if w.v[2][7] != want {
			t.Errorf("%s gives %#x, want %#x", text, w.v[2][7], want)
		}
	}
}

// Modifiers of floats: abs, neg, omod, clamp, and the flushing of denormals.
func TestFloatModifiers(t *testing.T) {
	f := math.Float32bits
	denormal := uint32(1)
	for _, c := range []struct {
		text string
		mode mode
		a, b uint32
		want uint32
	}{
		{"v_add_f32_e64 v2, |v0|, v1", 0xf0, f(-3), f(1), f(4)},
		{"v_add_f32_e64 v2, -v0, v1", 0xf0, f(-3), f(1), f(4)},
		{"v_add_f32_e64 v2, -|v0|, v1", 0xf0, f(3), f(1), f(-2)},
		{"v_add_f32_e64 v2, v0, v1 clamp", 0xf0, f(3), f(1), f(1)},
		{"v_add_f32_e64 v2, v0, v1 clamp", 0xf0, f(-3), f(1), 0},
		{"v_add_f32_e64 v2, v0, v1 clamp", 0xf0, f(float32(math.NaN())), f(1), 0},
		{"v_add_f32_e64 v2, v0, v1 mul:2", 0xf0, f(3), f(1), f(8)},
		{"v_add_f32_e64 v2, v0, v1 mul:4", 0xf0, f(3), f(1), f(16)},
		{"v_add_f32_e64 v2, v0, v1 div:2", 0xf0, f(3), f(1), f(2)},
		{"v_add_f32_e64 v2, v0, v1 mul:2 clamp", 0xf0, f(.25), f(.125), f(.75)},
		{"v_add_f32_e32 v2, v0, v1", 0xf0, denormal, 0, denormal},
		{"v_add_f32_e32 v2, v0, v1", 0xc0, denormal, 0, 0},
		{"v_add_f32_e32 v2, v0, v1", 0xc0, 1<<31 | denormal, 1 << 31, 1 << 31},
		{"v_add_f32_e32 v2, v0, v1", 0xc0, 0x00800001, 0x80800000, 0}, // the result is denormal
		{"v_and_b32_e32 v2, v0, v1", 0xc0, denormal, 1, 1},
		{"v_cmp_eq_f32_e32 vcc, v0, v1", 0xc0, denormal, 0, 0},
	} {
		w := bare(64)
		for l := range lanes {
			w.v[0][l], w.v[1][l], w.v[2][l] = c.a, c.b, 0
		}
		w.setMode(c.mode)
		execute(t, w, 9, c.text)
		if w.v[2][3] != c.want {
			t.Errorf("%s of %#x, %#x in mode %#x gives %#x, want %#x", c.text, c.a, c.b, c.mode, w.v[2][3], c.want)
		}
		if c.text[:5] == "v_cmp" && w.mask(regVCC) != w.all {
			t.Errorf("%s: denormals are not compared as zeros", c.text)
		}
	}
}

// Halves: op_sel, packed operations, and what is left in the upper half.
func TestHalves(t *testing.T) {
	for _, c := range []struct {
		generation int
		text       string
		want       uint32
	}{
		{9, "v_add_u16_e32 v2, v0, v1", 0x000000ac},
		{10, "v_add_nc_u16 v2, v0, v1", 0x999900ac},
		{10, "v_add_nc_u16 v2, v0, v1 op_sel:[1,0,0]", 0x999900a9},
		{10, "v_add_nc_u16 v2, v0, v1 op_sel:[1,1,1]", 0x00239999},
		{9, "v_pk_add_u16 v2, v0, v1", 0x002300ac},
		{9, "v_pk_add_u16 v2, v0, v1 op_sel:[1,0] op_sel_hi:[0,1]", 0x002600a9},
	} {
		w := bare(64)
		for l := range lanes {
			w.v[0][l], w.v[1][l], w.v[2][l] = 0x00010004, 0x002200a8, 0x99999999
		}
		execute(t, w, c.generation, c.text)
		if w.v[2][9] != c.want {
			t.Errorf("gfx%d: %s gives %#x, want %#x", c.generation, c.text, w.v[2][9], c.want)
		}
	}
}

// Only active lanes are written, and comparisons give 0 for the others.
func TestInactive(t *testing.T) {
	for _, size := range []int{32, 64} {
		w := bare(size)
		w.setMask(regExec, 0b1010)
		w.setMask(regVCC, math.MaxUint64)
		execute(t, w, 10, "v_mov_b32_e32 v1, 7", "v_cmp_gt_u32_e64 s[4:5], 5, v0", "v_add_co_u32 v3, vcc, v1, v1")
		if w.v[1][1] != 7 || w.v[1][2] != 102 || w.v[1][3] != 7 {
			t.Errorf("wave%d: lanes 1 to 3 are %v", size, w.v[1][1:4])
		}
		if got := w.mask(4); got != 0b1010 {
			t.Errorf("wave%d: the mask is %#b", size, got)
		}
		if got := w.mask(regVCC); got != 0 {
			t.Errorf("wave%d: the carries are %#b", size, got)
		}
	}
	w := bare(32)
	w.s[5] = 77
	execute(t, w, 10, "v_cmp_gt_u32_e64 s4, 5, v0", "v_cmpx_lt_u32_e32 1, v0")
	if w.s[4] != 0b11111 || w.s[5] != 77 || w.s[regExec] != 0xfffffffc {
		t.Errorf("masks of wave32: s4=%#x s5=%d exec=%#x", w.s[4], w.s[5], w.s[regExec])
	}
	w = bare(64)
	execute(t, w, 9, "v_cmpx_lt_u32_e32 vcc, 1, v0")
	if w.mask(regVCC) != w.mask(regExec) || w.mask(regExec) != ^uint64(3) {
		t.Errorf("v_cmpx on gfx9: vcc=%#x exec=%#x", w.mask(regVCC), w.mask(regExec))
	}
}

// Both halves of a VOPD read before either writes.
func TestDual(t *testing.T) {
	for text, want := range map[string][2]uint32{
		"v_dual_mov_b32 v0, 3 :: v_dual_mov_b32 v1, s4":         {3, 55},
		"v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0":        {105, 5},
		"v_dual_mov_b32 v0, v2 :: v_dual_add_nc_u32 v1, v0, v0": {205, 10},
		"v_dual_add_nc_u32 v1, v0, v0 :: v_dual_mov_b32 v0, v1": {105, 10},
		"v_dual_cndmask_b32 v0, v0, v1 :: v_dual_mov_b32 v1, 1": {105, 1},
		"v_dual_fmac_f32 v0, v2, v3 :: v_dual_mov_b32 v1, v0":   {5, 5},
	} {
		w := bare(32)
		w.s[4] = 55
		w.setMask(regVCC, w.all)
		execute(t, w, 11, text)
		if got := [2]uint32{w.v[0][5], w.v[1][5]}; got != want {
			t.Errorf("%s gives %d, want %d", text, got, want)
		}
	}
}

func TestLanes(t *testing.T) {
	w := bare(64)
	w.setMask(regExec, ^uint64(7))
	execute(t, w, 9, "v_readfirstlane_b32 s4, v1", "v_readlane_b32 s5, v1, 63", "s_mov_b32 m0, 2",
		"v_readlane_b32 s6, v1, m0", "v_writelane_b32 v2, s4, 1", "v_swap_b32 v3, v4", "v_movrels_b32_e32 v5, v6")
	if w.s[4] != 103 || w.s[5] != 163 || w.s[6] != 102 || w.v[2][1] != 103 || w.v[2][2] != 202 {
		t.Errorf("s4..6 = %v, v2 = %v", w.s[4:7], w.v[2][:4])
	}
	if w.v[3][10] != 410 || w.v[4][10] != 310 || w.v[3][0] != 300 || w.v[5][10] != 810 {
		t.Errorf("swapped %d, %d, %d; moved %d", w.v[3][10], w.v[4][10], w.v[3][0], w.v[5][10])
	}
	// Past the wave's registers a source is v0, and nothing is written.
	w.s[regM0] = 0xffff_ffff
	want := slices.Clone(w.v)
	want[5][10] = want[0][10]
	w.setMask(regExec, 1<<10)
	if execute(t, w, 11, "v_movrels_b32_e32 v5, v31", "v_movreld_b32_e32 v0, v31"); !slices.Equal(w.v, want) {
		t.Errorf("past the registers: v5 = %v", w.v[5][:16])
	}
	// The index mode of GFX9.
	w = bare(64)
	w.s[8] = 3
	execute(t, w, 9, "s_set_gpr_idx_on s8, gpr_idx(SRC0)", "v_mov_b32_e32 v1, v2", "s_set_gpr_idx_off", "v_mov_b32_e32 v0, v2",
		"s_set_gpr_idx_on s8, gpr_idx(DST)", "v_mov_b32_e32 v10, v2", "s_set_gpr_idx_off")
	w.s[8] = 255
	execute(t, w, 9, "s_set_gpr_idx_on s8, gpr_idx(SRC0)", "v_mov_b32_e32 v6, v2", "s_set_gpr_idx_idx s8", "s_set_gpr_idx_off",
		"s_set_gpr_idx_on s8, gpr_idx(DST)", "v_mov_b32_e32 v7, v2", "s_set_gpr_idx_off")
	if w.v[6] != w.v[0] || w.v[7][4] != 704 {
		t.Errorf("indexed past the registers: %d, %d", w.v[6][4], w.v[7][4])
	}
	if w.v[1][4] != 504 || w.v[0][4] != 204 || w.v[13][4] != 204 || w.v[10][4] != 1004 {
		t.Errorf("indexed: %d, %d, %d, %d", w.v[1][4], w.v[0][4], w.v[13][4], w.v[10][4])
	}
	// v_permlane16: lane l of a row reads lane 15-l; v_permlanex16 of the row across.
	w = bare(32)
	w.s[4], w.s[5] = 0x89abcdef, 0x01234567
	execute(t, w, 10, "v_permlane16_b32 v1, v0, s4, s5", "v_permlanex16_b32 v2, v0, s4, s5")
	for l := range 32 {
		if want := uint32(l/16*16 + 15 - l%16); w.v[1][l] != want || w.v[2][l] != want^16 {
			t.Errorf("lane %d: %d, %d; want %d, %d", l, w.v[1][l], w.v[2][l], want, want^16)
		}
	}
	w = bare(64)
	execute(t, w, 11, "v_permlane64_b32 v1, v0")
	if w.v[1][3] != 35 || w.v[1][40] != 8 {
		t.Errorf("v_permlane64: %d, %d", w.v[1][3], w.v[1][40])
	}
	w = bare(64)
	w.s[4], w.s[5] = 1, 2
	execute(t, w, 9, "v_pk_mov_b32 v[0:1], s[4:5], v[2:3] op_sel:[1,0]", "v_pk_mov_b32 v[6:7], v[2:3], v[4:5] op_sel:[0,1]")
	if w.v[0][9] != 2 || w.v[1][9] != 209 || w.v[6][9] != 209 || w.v[7][9] != 509 {
		t.Errorf("v_pk_mov: %d %d %d %d", w.v[0][9], w.v[1][9], w.v[6][9], w.v[7][9])
	}
}
