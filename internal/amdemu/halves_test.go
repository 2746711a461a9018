package amdemu

import "testing"

// TestMix reads f32s and either half of f16s, as op_sel_hi and op_sel say, and writes an
// f32 or either half.
func TestMix(t *testing.T) {
	const one, two, three = 0x3f800000, 0x40000000, 0x40400000
	for _, c := range []struct {
		text string
		want uint32
	}{
		{"v_fma_mix_f32 v4, v0, v1, v2", 0x40e00000},                                     // 2*3 + 1
		{"v_fma_mix_f32 v4, v3, v1, v2 op_sel_hi:[1,0,0]", 0x41500000},                   // 4*3 + 1
		{"v_fma_mix_f32 v4, v3, v1, v2 op_sel:[1,0,0] op_sel_hi:[1,0,0]", 0x41800000},    // 5*3 + 1
		{"v_fma_mix_f32 v4, v3, v3, v3 op_sel:[1,0,1] op_sel_hi:[1,1,1]", 0x41c80000},    // 5*4 + 5
		{"v_fma_mix_f32 v4, -v3, |v3|, v2 op_sel:[1,0,0] op_sel_hi:[1,1,0]", 0xc1980000}, // -5*4 + 1
		{"v_fma_mix_f32 v4, v3, 1.0, 0 op_sel_hi:[1,1,1]", 0x40800000},                   // 4*1 + 0
		{"v_fma_mixlo_f16 v4, v3, v1, v2 op_sel_hi:[1,0,0]", 0xffff_4a80},                // 13
		{"v_fma_mixhi_f16 v4, v3, v1, v2 op_sel_hi:[1,0,0]", 0x4a80_ffff},                // 13
		{"v_fma_mixhi_f16 v4, v0, v1, v2 clamp", 0x3c00_ffff},                            // 7, clamped
		{"v_mad_mix_f32 v4, v3, v1, v2 op_sel:[1,0,0] op_sel_hi:[1,0,0]", 0x41800000},    // 5*3 + 1
		{"v_dot2_f32_f16 v4, v3, v5, v2", 0x420c0000},                                    // 4*1 + 5*6 + 1
		{"v_dot2_f32_f16 v4, v3, v5, v2 neg_lo:[1,0,0]", 0x41d80000},                     // -4*1 + 5*6 + 1
		{"v_dot2_f32_f16 v4, v3, v5, v2 neg_hi:[0,1,0]", 0xc1c80000},                     // 4*1 - 5*6 + 1
		{"v_dot2_f32_f16 v4, v3, v5, v2 op_sel:[0,1,0] op_sel_hi:[1,0,0]", 0x41f00000},   // 4*6 + 5*1 + 1
		{"v_dot4_i32_iu8 v4, v6, v7, 0", 255*2 + 3},                                      // 255*2 + 1*3
		{"v_dot4_i32_iu8 v4, v6, v7, 0 neg_lo:[1,1,0]", 1},                               // -1*2 + 1*3
		{"v_dot4_i32_iu8 v4, v6, v7, v8 neg_lo:[1,1,0] clamp", 0x7fffffff},               // and the largest number
		{"v_dot4_i32_iu8 v4, v6, v7, v8 neg_lo:[1,1,0]", 0x80000000},
		// Inline constants of packed integers are 32-bit floats: 0x40000000 here.
		{"v_pk_add_u16 v4, v9, 2.0 op_sel:[0,1]", 0x3fff_3fff},
		{"v_pk_add_u16 v4, v9, 2.0", 0x3fff_ffff},
		{"v_pk_add_f16 v4, v5, 2.0 op_sel_hi:[1,0]", 0x4800_4200}, // 8, 3
		// Halves by their names, of GFX11's true 16-bit instructions.
		{"v_mov_b16_e32 v4.h, v3.l", 0x4400_ffff},
		{"v_mov_b16_e32 v4.l, v3.h", 0xffff_4500},
		{"v_and_b16 v4.l, 0xff, v6.l", 0xffff_00ff},
		{"v_add_nc_u16 v4.h, 0x19e4, v3.l op_sel:[0,0,1]", 0x5de4_ffff},
		{"v_mul_lo_u16 v4.l, v8.l, v8.h op_sel:[0,1,0]", 0xffff_8001},
		{"v_swap_b16 v4.h, v3.l", 0x4400_ffff},
		{"v_swap_b16 v4.l, v4.h", 0xffff_ffff},
		{"v_cvt_f32_f16_e32 v4, v3.h", 0x40a00000},
		{"v_cvt_f32_f16_e32 v4, -v3.l", 0xc0800000},
		{"v_cvt_f16_f32_e32 v4.h, v1", 0x4200_ffff},
		{"v_fmac_f16_e32 v4.h, v3.l, v3.h", 0xffff_ffff},
		// SDWA drops what a 16-bit result has no room for.
		{"v_mul_lo_u16_sdwa v4, v9, v9 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_1", 1},
		{"v_mul_lo_u16_sdwa v4, v9, v7 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0", 0xfcfe_ffff},
	} {
		w := bare(64)
		for r, v := range []uint32{two, three, one, 0x4500_4400, 0xffffffff, 0x4600_3c00, 0x01ff, 0x0302, 0x7fffffff, 0xffffffff} {
			for l := range lanes {
				w.v[r][l] = v
			}
		}
		execute(t, w, 11, c.text)
		if got := w.v[4][63]; got != c.want {
			t.Errorf("%s: %#x, want %#x", c.text, got, c.want)
		}
	}
}

// TestVectorScalar has v_s_rcp_f32, which writes an SGPR and no VGPR.
func TestVectorScalar(t *testing.T) {
	for _, exec := range []uint64{0, 1, 0xff00} {
		w := bare(32)
		w.s[4] = 0x40000000
		w.setMask(regExec, exec)
		before := w.v[5]
		execute(t, w, 12, "v_s_rcp_f32 s5, s4", "v_s_sqrt_f32 s6, 0x41100000", "v_s_rcp_f32 s7, -s4")
		if w.s[5] != 0x3f000000 || w.s[6] != 0x40400000 || w.s[7] != 0xbf000000 || w.v[5] != before {
			t.Errorf("EXEC %#x: %#x, %#x, %#x", exec, w.s[5], w.s[6], w.s[7])
		}
	}
	w := bare(32)
	w.s[4] = 0x40000000
	execute(t, w, 12, "v_s_rcp_f32 s5, s4 mul:4")
	if w.s[5] != 0x40000000 {
		t.Errorf("times 4: %#x", w.s[5])
	}
}
