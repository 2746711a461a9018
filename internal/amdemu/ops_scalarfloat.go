package amdemu

import "strings"

// This file has the floats of the scalar unit (GFX11.5 and GFX12): the vector unit's
// functions, once a wave.

// scalarLike are instructions named s_X that are v_X with the same types.
const scalarLike = `
	add_f32 sub_f32 mul_f32 fmaak_f32 fmamk_f32 fmac_f32
	min_f32 max_f32 min_num_f32 max_num_f32 minimum_f32 maximum_f32
	ceil_f32 floor_f32 trunc_f32 rndne_f32
	add_f16 sub_f16 mul_f16 fmac_f16
	min_f16 max_f16 min_num_f16 max_num_f16 minimum_f16 maximum_f16
	ceil_f16 floor_f16 trunc_f16 rndne_f16
	cvt_f32_i32 cvt_f32_u32 cvt_i32_f32 cvt_u32_f32 cvt_f16_f32 cvt_f32_f16`

// vectorScalar are those named v_s_X that are v_X.
const vectorScalar = `
	rcp_f32 rsq_f32 sqrt_f32 exp_f32 log_f32 rcp_f16 rsq_f16 sqrt_f16 exp_f16 log_f16`

// scalarFloats is the rows of both and of comparisons, whose result is SCC.
func scalarFloats() table {
	extrema := floatExtrema()
	t := table{
		"s_cvt_pk_rtz_f16_f32": conversionsPacked["v_cvt_pkrtz_f16_f32"],
		"s_cvt_hi_f32_f16": {"f32 b32", func(a uint32) uint32 {
			return bits32(float32(float64(f16of(a >> 16))))
		}},
	}
	find := func(name string) row {
		for _, from := range []table{floatArithmetic, extrema, floatRounding, halfArithmetic, conversions, transcendental} {
			if r, ok := from[name]; ok {
				return r
			}
		}
		panic("amdemu: no row " + name + " for the scalar unit")
	}
	for name := range strings.FieldsSeq(scalarLike) {
		t["s_"+name] = find("v_" + name)
	}
	for name := range strings.FieldsSeq(vectorScalar) {
		t["v_s_"+name] = find("v_" + name)
	}
	for _, from := range []table{compareF32, compareF16} {
		for name, r := range from {
			if of := strings.TrimPrefix(name, "v_cmp_"); !strings.HasPrefix(of, "f_") && !strings.HasPrefix(of, "tru_") {
				t["s_cmp_"+of] = row{strings.Replace(r.sig, "mask", "scc", 1), r.fn}
			}
		}
	}
	return t
}
