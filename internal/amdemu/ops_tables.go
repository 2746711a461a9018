package amdemu

import (
	"maps"
	"slices"
	"strings"
)

// tables are all tables of semantics.
func tables() []table {
	return slices.Concat(valuTables(), saluTables(), memTables(), []table{vectorControl})
}

// valuTables are the rows of vector instructions and of the scalar floats, which
// share their functions.
func valuTables() []table {
	compare := comparisons()
	return []table{
		floatArithmetic, floatExtrema(), floatRounding, floatParts, division, transcendental,
		halfArithmetic, conversions, conversionsPacked,
		integers, integersWide, integers16, integersClamp(), carries, bitwise, bytewise,
		packed, dots, float8Rows(), compare, cmpx(compare), scalarFloats(),
	}
}

// cmpx are the comparisons that write EXEC: the executor knows them by their name.
func cmpx(compare table) table {
	t := table{}
	for name, r := range compare {
		if rest, ok := strings.CutPrefix(name, "v_cmp_"); ok {
			t["v_cmpx_"+rest] = r
		}
	}
	return t
}

// aliases are further names of rows: those of other generations mostly.
var aliases = func() map[string]string {
	all := maps.Clone(valuAliases)
	maps.Copy(all, saluAliases)
	return all
}()

// valuAliases are the vector instructions'. (GFX8's v_add_u32 with a carry is not
// supported.)
var valuAliases = map[string]string{
	"v_add_nc_u32": "v_add_u32", "v_sub_nc_u32": "v_sub_u32", "v_subrev_nc_u32": "v_subrev_u32",
	"v_add_nc_i32": "v_add_i32", "v_sub_nc_i32": "v_sub_i32",
	"v_add_nc_u16": "v_add_u16", "v_sub_nc_u16": "v_sub_u16",
	"v_add_nc_i16": "v_add_i16", "v_sub_nc_i16": "v_sub_i16",
	"v_add_co_ci_u32": "v_addc_co_u32", "v_sub_co_ci_u32": "v_subb_co_u32",
	"v_subrev_co_ci_u32": "v_subbrev_co_u32",
	"v_mad_co_u64_u32":   "v_mad_u64_u32", "v_mad_co_i64_i32": "v_mad_i64_i32",
	"v_mul_lo_i32":     "v_mul_lo_u32",
	"v_mad_legacy_u16": "v_mad_u16", "v_mad_legacy_i16": "v_mad_i16",
	"v_mad_legacy_f16": "v_mad_f16", "v_fma_legacy_f16": "v_fma_f16",
	"v_clz_i32_u32": "v_ffbh_u32", "v_ctz_i32_b32": "v_ffbl_b32", "v_cls_i32": "v_ffbh_i32",
	"v_mul_dx9_zero_f32": "v_mul_legacy_f32", "v_fma_dx9_zero_f32": "v_fma_legacy_f32",
	"v_fmac_dx9_zero_f32": "v_fmac_legacy_f32",
	"v_cvt_floor_i32_f32": "v_cvt_flr_i32_f32", "v_cvt_nearest_i32_f32": "v_cvt_rpi_i32_f32",
	"v_cvt_pk_rtz_f16_f32":  "v_cvt_pkrtz_f16_f32",
	"v_cvt_pk_norm_i16_f32": "v_cvt_pknorm_i16_f32", "v_cvt_pk_norm_u16_f32": "v_cvt_pknorm_u16_f32",
	"v_cvt_pk_norm_i16_f16": "v_cvt_pknorm_i16_f16", "v_cvt_pk_norm_u16_f16": "v_cvt_pknorm_u16_f16",
}
