package amdemu

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// alike are rows that compute what another one does, which the other tests know: of two
// halves, with the sum as the third source, with a constant, of the scalar unit, or of
// another generation. "|" stands for a space.
const alike = `
	v_add_f32: v_pk_add_f32 s_add_f32
	v_sub_f32: s_sub_f32
	v_mul_f32: v_pk_mul_f32 s_mul_f32
	v_fma_f32: v_fmac_f32 v_fmaak_f32 v_fmamk_f32 v_pk_fma_f32 v_fma_mix_f32 s_fmac_f32 s_fmaak_f32 s_fmamk_f32
	v_mad_f32: v_mac_f32 v_madak_f32 v_madmk_f32 v_mad_mix_f32
	v_fma_f64: v_fmac_f64
	v_add_f16: v_pk_add_f16 s_add_f16
	v_sub_f16: s_sub_f16
	v_mul_f16: v_pk_mul_f16 s_mul_f16
	v_fma_f16: v_fmac_f16 v_fmaak_f16 v_fmamk_f16 v_pk_fma_f16 v_pk_fmac_f16 v_fma_legacy_f16 s_fmac_f16
	v_mad_f16: v_mac_f16 v_madak_f16 v_madmk_f16 v_mad_legacy_f16
	v_fma_mixlo_f16: v_fma_mixhi_f16
	v_mad_mixlo_f16: v_mad_mixhi_f16
	v_mul_legacy_f32: v_mul_dx9_zero_f32
	v_fma_legacy_f32: v_fmac_legacy_f32 v_fma_dx9_zero_f32 v_fmac_dx9_zero_f32
	v_mad_legacy_f32: v_mac_legacy_f32
	v_min_f16: v_pk_min_f16 s_min_f16
	v_max_f16: v_pk_max_f16 s_max_f16
	v_min_num_f16: v_pk_min_num_f16 s_min_num_f16
	v_max_num_f16: v_pk_max_num_f16 s_max_num_f16
	v_minimum_f16: v_pk_minimum_f16 s_minimum_f16
	v_maximum_f16: v_pk_maximum_f16 s_maximum_f16
	v_min_f32: s_min_f32
	v_max_f32: s_max_f32
	v_min_num_f32: s_min_num_f32
	v_max_num_f32: s_max_num_f32
	v_minimum_f32: s_minimum_f32
	v_maximum_f32: s_maximum_f32
	v_ceil_f32: s_ceil_f32
	v_floor_f32: s_floor_f32
	v_trunc_f32: s_trunc_f32
	v_rndne_f32: s_rndne_f32
	v_ceil_f16: s_ceil_f16
	v_floor_f16: s_floor_f16
	v_trunc_f16: s_trunc_f16
	v_rndne_f16: s_rndne_f16
	v_cvt_f32_i32: s_cvt_f32_i32
	v_cvt_f32_u32: s_cvt_f32_u32
	v_cvt_i32_f32: s_cvt_i32_f32
	v_cvt_u32_f32: s_cvt_u32_f32
	v_cvt_f16_f32: s_cvt_f16_f32
	v_cvt_f32_f16: s_cvt_f32_f16
	v_cvt_pkrtz_f16_f32: v_cvt_pk_rtz_f16_f32 s_cvt_pk_rtz_f16_f32
	v_cvt_pknorm_i16_f32: v_cvt_pk_norm_i16_f32
	v_cvt_pknorm_u16_f32: v_cvt_pk_norm_u16_f32
	v_cvt_pknorm_i16_f16: v_cvt_pk_norm_i16_f16
	v_cvt_pknorm_u16_f16: v_cvt_pk_norm_u16_f16
	v_cvt_flr_i32_f32: v_cvt_floor_i32_f32
	v_rcp_f32: v_s_rcp_f32
	v_rsq_f32: v_s_rsq_f32
	v_sqrt_f32: v_s_sqrt_f32
	v_exp_f32: v_s_exp_f32 v_exp_legacy_f32
	v_log_f32: v_s_log_f32 v_log_legacy_f32
	v_rcp_f16: v_s_rcp_f16
	v_rsq_f16: v_s_rsq_f16
	v_sqrt_f16: v_s_sqrt_f16
	v_exp_f16: v_s_exp_f16
	v_log_f16: v_s_log_f16
	v_add_i32: v_add_nc_i32
	v_sub_nc_i32: v_sub_i32
	v_subrev_u32: v_subrev_nc_u32
	v_mul_lo_u32: v_mul_lo_i32
	v_add_u16: v_add_i16 v_add_nc_i16 v_pk_add_i16
	v_sub_u16: v_sub_nc_u16 v_sub_i16 v_pk_sub_u16
	v_mad_u16: v_mad_legacy_u16 v_mad_legacy_i16 v_pk_mad_u16
	v_min_u16: v_pk_min_u16
	v_max_i16: v_pk_max_i16
	v_lshrrev_b16: v_pk_lshrrev_b16
	v_cndmask_b32: v_cndmask_b16
	v_mad_i64_i32: v_mad_co_i64_i32
	v_mov_b32: v_accvgpr_read_b32 v_accvgpr_write_b32 v_accvgpr_mov_b32
	v_add_u16|clamp: v_add_nc_u16|clamp v_pk_add_u16|clamp
	v_sub_u16|clamp: v_sub_nc_u16|clamp v_pk_sub_u16|clamp
	v_add_i16|clamp: v_add_nc_i16|clamp v_pk_add_i16|clamp
	v_sub_i16|clamp: v_sub_nc_i16|clamp v_pk_sub_i16|clamp
	v_mad_u16|clamp: v_pk_mad_u16|clamp
	v_mad_i16|clamp: v_pk_mad_i16|clamp
	v_sub_u32|clamp: v_sub_nc_u32|clamp
	v_dot4_i32_i8: v_dot4_i32_iu8|neg_lo:[1,1,0]
	v_dot4_u32_u8: v_dot4_i32_iu8
	v_dot8_i32_i4: v_dot8_i32_iu4|neg_lo:[1,1,0]
	v_dot8_u32_u4: v_dot8_i32_iu4
	v_dot4_i32_i8|clamp: v_dot4_i32_iu8|neg_lo:[1,1,0]|clamp v_dot4c_i32_i8|clamp
	v_dot8_i32_i4|clamp: v_dot8_i32_iu4|neg_lo:[1,1,0]|clamp v_dot8c_i32_i4|clamp`

// TestAlike compares these on sources of all kinds.
func TestAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	name := func(s string) string { return strings.ReplaceAll(strings.TrimSuffix(s, ":"), "|", " ") }
	widthOf := func(s string) uint {
		sig, err := parseSig(ops[s].sig)
		if err != nil || len(sig.sources) == 0 {
			t.Fatalf("%s: %q: %v", s, ops[s].sig, err)
		}
		switch sig.sources[0] {
		case f64:
			return 64
		case f16, u16, i16, b16, v2f16, v2u16, v2i16, v2b16:
			if !strings.Contains(s, "dot") {
				return 16
			}
		}
		return 32
	}
	for line := range strings.Lines(strings.TrimSpace(alike)) {
		words := strings.Fields(line)
		base := name(words[0])
		for _, word := range words[1:] {
			other := name(word)
			cut := uint64(1)<<min(widthOf(base), widthOf(other)) - 1 // 2^64: all
			for range 400 {
				var a [3]uint64
				for i := range a {
					a[i] = random64(r)
					if r.IntN(2) == 0 { // numbers whose sums and products are numbers
						a[i] = uint64(finite32(r)) | finite64(r)&^0xffffffff
					}
					a[i] &= cut
				}
				if strings.Contains(base, "cndmask") {
					a[2] &= 1
				}
				want, bit := laneOf(t, base, a[:]...)
				got, otherBit := laneOf(t, other, a[:]...)
				if cut == 0xffff {
					want, got = want&0xffffffff, got&0xffffffff
				}
				if got != want || bit != otherBit {
					t.Fatalf("%s(%s) = %#x, but %s = %#x", other, hexes(a[:]), got, base, want)
				}
			}
		}
	}
	expect(t, "s_cvt_hi_f32_f16", 0x40000000, 0x4000_3c00)
}
