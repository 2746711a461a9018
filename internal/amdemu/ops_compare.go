package amdemu

import "maps"

// This file has comparisons. Those of floats whose names begin with n are true of NaNs;
// "lg" is less or greater, "o" that neither is a NaN, "u" that one is.

// comparisons is all of them.
func comparisons() table {
	all := table{}
	for _, t := range []table{compareF32, compareF64, compareF16, compareInt, compareWide, compareShort, compareClass} {
		maps.Copy(all, t)
	}
	return all
}

// compareF32 is those of f32.
var compareF32 = table{
	"v_cmp_f_f32":   {"mask f32 f32", func(_, _ uint32) bool { return false }},
	"v_cmp_lt_f32":  {"mask f32 f32", func(a, b uint32) bool { return f32of(a) < f32of(b) }},
	"v_cmp_eq_f32":  {"mask f32 f32", func(a, b uint32) bool { return f32of(a) == f32of(b) }},
	"v_cmp_le_f32":  {"mask f32 f32", func(a, b uint32) bool { return f32of(a) <= f32of(b) }},
	"v_cmp_gt_f32":  {"mask f32 f32", func(a, b uint32) bool { return f32of(a) > f32of(b) }},
	"v_cmp_lg_f32":  {"mask f32 f32", func(a, b uint32) bool { return f32of(a) < f32of(b) || f32of(a) > f32of(b) }},
	"v_cmp_ge_f32":  {"mask f32 f32", func(a, b uint32) bool { return f32of(a) >= f32of(b) }},
	"v_cmp_o_f32":   {"mask f32 f32", func(a, b uint32) bool { return !unordered32(a, b) }},
	"v_cmp_u_f32":   {"mask f32 f32", func(a, b uint32) bool { return unordered32(a, b) }},
	"v_cmp_nge_f32": {"mask f32 f32", func(a, b uint32) bool { return !(f32of(a) >= f32of(b)) }},
	"v_cmp_nlg_f32": {"mask f32 f32", func(a, b uint32) bool { return !(f32of(a) < f32of(b) || f32of(a) > f32of(b)) }},
	"v_cmp_ngt_f32": {"mask f32 f32", func(a, b uint32) bool { return !(f32of(a) > f32of(b)) }},
	"v_cmp_nle_f32": {"mask f32 f32", func(a, b uint32) bool { return !(f32of(a) <= f32of(b)) }},
	"v_cmp_neq_f32": {"mask f32 f32", func(a, b uint32) bool { return f32of(a) != f32of(b) }},
	"v_cmp_nlt_f32": {"mask f32 f32", func(a, b uint32) bool { return !(f32of(a) < f32of(b)) }},
	"v_cmp_tru_f32": {"mask f32 f32", func(_, _ uint32) bool { return true }},
}

// compareF64 is those of f64.
var compareF64 = table{
	"v_cmp_f_f64":   {"mask f64 f64", func(_, _ uint64) bool { return false }},
	"v_cmp_lt_f64":  {"mask f64 f64", func(a, b uint64) bool { return f64of(a) < f64of(b) }},
	"v_cmp_eq_f64":  {"mask f64 f64", func(a, b uint64) bool { return f64of(a) == f64of(b) }},
	"v_cmp_le_f64":  {"mask f64 f64", func(a, b uint64) bool { return f64of(a) <= f64of(b) }},
	"v_cmp_gt_f64":  {"mask f64 f64", func(a, b uint64) bool { return f64of(a) > f64of(b) }},
	"v_cmp_lg_f64":  {"mask f64 f64", func(a, b uint64) bool { return f64of(a) < f64of(b) || f64of(a) > f64of(b) }},
	"v_cmp_ge_f64":  {"mask f64 f64", func(a, b uint64) bool { return f64of(a) >= f64of(b) }},
	"v_cmp_o_f64":   {"mask f64 f64", func(a, b uint64) bool { return !unordered64(a, b) }},
	"v_cmp_u_f64":   {"mask f64 f64", func(a, b uint64) bool { return unordered64(a, b) }},
	"v_cmp_nge_f64": {"mask f64 f64", func(a, b uint64) bool { return !(f64of(a) >= f64of(b)) }},
	"v_cmp_nlg_f64": {"mask f64 f64", func(a, b uint64) bool { return !(f64of(a) < f64of(b) || f64of(a) > f64of(b)) }},
	"v_cmp_ngt_f64": {"mask f64 f64", func(a, b uint64) bool { return !(f64of(a) > f64of(b)) }},
	"v_cmp_nle_f64": {"mask f64 f64", func(a, b uint64) bool { return !(f64of(a) <= f64of(b)) }},
	"v_cmp_neq_f64": {"mask f64 f64", func(a, b uint64) bool { return f64of(a) != f64of(b) }},
	"v_cmp_nlt_f64": {"mask f64 f64", func(a, b uint64) bool { return !(f64of(a) < f64of(b)) }},
	"v_cmp_tru_f64": {"mask f64 f64", func(_, _ uint64) bool { return true }},
}

// compareF16 is those of f16.
var compareF16 = table{
	"v_cmp_f_f16":   {"mask f16 f16", func(_, _ uint32) bool { return false }},
	"v_cmp_lt_f16":  {"mask f16 f16", func(a, b uint32) bool { return f16of(a) < f16of(b) }},
	"v_cmp_eq_f16":  {"mask f16 f16", func(a, b uint32) bool { return f16of(a) == f16of(b) }},
	"v_cmp_le_f16":  {"mask f16 f16", func(a, b uint32) bool { return f16of(a) <= f16of(b) }},
	"v_cmp_gt_f16":  {"mask f16 f16", func(a, b uint32) bool { return f16of(a) > f16of(b) }},
	"v_cmp_lg_f16":  {"mask f16 f16", func(a, b uint32) bool { return f16of(a) < f16of(b) || f16of(a) > f16of(b) }},
	"v_cmp_ge_f16":  {"mask f16 f16", func(a, b uint32) bool { return f16of(a) >= f16of(b) }},
	"v_cmp_o_f16":   {"mask f16 f16", func(a, b uint32) bool { return !unordered16(a, b) }},
	"v_cmp_u_f16":   {"mask f16 f16", func(a, b uint32) bool { return unordered16(a, b) }},
	"v_cmp_nge_f16": {"mask f16 f16", func(a, b uint32) bool { return !(f16of(a) >= f16of(b)) }},
	"v_cmp_nlg_f16": {"mask f16 f16", func(a, b uint32) bool { return !(f16of(a) < f16of(b) || f16of(a) > f16of(b)) }},
	"v_cmp_ngt_f16": {"mask f16 f16", func(a, b uint32) bool { return !(f16of(a) > f16of(b)) }},
	"v_cmp_nle_f16": {"mask f16 f16", func(a, b uint32) bool { return !(f16of(a) <= f16of(b)) }},
	"v_cmp_neq_f16": {"mask f16 f16", func(a, b uint32) bool { return f16of(a) != f16of(b) }},
	"v_cmp_nlt_f16": {"mask f16 f16", func(a, b uint32) bool { return !(f16of(a) < f16of(b)) }},
	"v_cmp_tru_f16": {"mask f16 f16", func(_, _ uint32) bool { return true }},
}

// compareInt is those of 32-bit integers.
var compareInt = table{
	"v_cmp_f_i32":  {"mask i32 i32", func(_, _ uint32) bool { return false }},
	"v_cmp_lt_i32": {"mask i32 i32", func(a, b uint32) bool { return int32(a) < int32(b) }},
	"v_cmp_eq_i32": {"mask i32 i32", func(a, b uint32) bool { return int32(a) == int32(b) }},
	"v_cmp_le_i32": {"mask i32 i32", func(a, b uint32) bool { return int32(a) <= int32(b) }},
	"v_cmp_gt_i32": {"mask i32 i32", func(a, b uint32) bool { return int32(a) > int32(b) }},
	"v_cmp_ne_i32": {"mask i32 i32", func(a, b uint32) bool { return int32(a) != int32(b) }},
	"v_cmp_ge_i32": {"mask i32 i32", func(a, b uint32) bool { return int32(a) >= int32(b) }},
	"v_cmp_t_i32":  {"mask i32 i32", func(_, _ uint32) bool { return true }},

	"v_cmp_f_u32":  {"mask u32 u32", func(_, _ uint32) bool { return false }},
	"v_cmp_lt_u32": {"mask u32 u32", func(a, b uint32) bool { return a < b }},
	"v_cmp_eq_u32": {"mask u32 u32", func(a, b uint32) bool { return a == b }},
	"v_cmp_le_u32": {"mask u32 u32", func(a, b uint32) bool { return a <= b }},
	"v_cmp_gt_u32": {"mask u32 u32", func(a, b uint32) bool { return a > b }},
	"v_cmp_ne_u32": {"mask u32 u32", func(a, b uint32) bool { return a != b }},
	"v_cmp_ge_u32": {"mask u32 u32", func(a, b uint32) bool { return a >= b }},
	"v_cmp_t_u32":  {"mask u32 u32", func(_, _ uint32) bool { return true }},
}

// compareWide is those of 64-bit integers.
var compareWide = table{
	"v_cmp_f_i64":  {"mask i64 i64", func(_, _ uint64) bool { return false }},
	"v_cmp_lt_i64": {"mask i64 i64", func(a, b uint64) bool { return int64(a) < int64(b) }},
	"v_cmp_eq_i64": {"mask i64 i64", func(a, b uint64) bool { return int64(a) == int64(b) }},
	"v_cmp_le_i64": {"mask i64 i64", func(a, b uint64) bool { return int64(a) <= int64(b) }},
	"v_cmp_gt_i64": {"mask i64 i64", func(a, b uint64) bool { return int64(a) > int64(b) }},
	"v_cmp_ne_i64": {"mask i64 i64", func(a, b uint64) bool { return int64(a) != int64(b) }},
	"v_cmp_ge_i64": {"mask i64 i64", func(a, b uint64) bool { return int64(a) >= int64(b) }},
	"v_cmp_t_i64":  {"mask i64 i64", func(_, _ uint64) bool { return true }},

	"v_cmp_f_u64":  {"mask u64 u64", func(_, _ uint64) bool { return false }},
	"v_cmp_lt_u64": {"mask u64 u64", func(a, b uint64) bool { return a < b }},
	"v_cmp_eq_u64": {"mask u64 u64", func(a, b uint64) bool { return a == b }},
	"v_cmp_le_u64": {"mask u64 u64", func(a, b uint64) bool { return a <= b }},
	"v_cmp_gt_u64": {"mask u64 u64", func(a, b uint64) bool { return a > b }},
	"v_cmp_ne_u64": {"mask u64 u64", func(a, b uint64) bool { return a != b }},
	"v_cmp_ge_u64": {"mask u64 u64", func(a, b uint64) bool { return a >= b }},
	"v_cmp_t_u64":  {"mask u64 u64", func(_, _ uint64) bool { return true }},
}

// compareShort is those of 16-bit integers.
var compareShort = table{
	"v_cmp_f_i16":  {"mask i16 i16", func(_, _ uint32) bool { return false }},
	"v_cmp_lt_i16": {"mask i16 i16", func(a, b uint32) bool { return int16(a) < int16(b) }},
	"v_cmp_eq_i16": {"mask i16 i16", func(a, b uint32) bool { return int16(a) == int16(b) }},
	"v_cmp_le_i16": {"mask i16 i16", func(a, b uint32) bool { return int16(a) <= int16(b) }},
	"v_cmp_gt_i16": {"mask i16 i16", func(a, b uint32) bool { return int16(a) > int16(b) }},
	"v_cmp_ne_i16": {"mask i16 i16", func(a, b uint32) bool { return int16(a) != int16(b) }},
	"v_cmp_ge_i16": {"mask i16 i16", func(a, b uint32) bool { return int16(a) >= int16(b) }},
	"v_cmp_t_i16":  {"mask i16 i16", func(_, _ uint32) bool { return true }},

	"v_cmp_f_u16":  {"mask u16 u16", func(_, _ uint32) bool { return false }},
	"v_cmp_lt_u16": {"mask u16 u16", func(a, b uint32) bool { return a < b }},
	"v_cmp_eq_u16": {"mask u16 u16", func(a, b uint32) bool { return a == b }},
	"v_cmp_le_u16": {"mask u16 u16", func(a, b uint32) bool { return a <= b }},
	"v_cmp_gt_u16": {"mask u16 u16", func(a, b uint32) bool { return a > b }},
	"v_cmp_ne_u16": {"mask u16 u16", func(a, b uint32) bool { return a != b }},
	"v_cmp_ge_u16": {"mask u16 u16", func(a, b uint32) bool { return a >= b }},
	"v_cmp_t_u16":  {"mask u16 u16", func(_, _ uint32) bool { return true }},
}

func unordered32(a, b uint32) bool { return format32.nan(a) || format32.nan(b) }
func unordered64(a, b uint64) bool { return format64.nan(a) || format64.nan(b) }
func unordered16(a, b uint32) bool { return format16.nan(a) || format16.nan(b) }

// compareClass asks whether a float is of one of the classes that the second
// source has bits for: 0 a signaling NaN, 1 a quiet one, 2 -infinity, 3 a negative
// normal number, 4 a negative denormal, 5 -0, 6 to 9 the same upwards.
var compareClass = table{
	"v_cmp_class_f32": {"mask f32 b32", func(a, b uint32) bool { return b>>format32.class(a)&1 != 0 }},
	"v_cmp_class_f16": {"mask f16 b32", func(a, b uint32) bool { return b>>format16.class(a)&1 != 0 }},
	"v_cmp_class_f64": {"mask f64 b32", func(a, b uint64) bool { return b>>format64.class(a)&1 != 0 }},
}

// class is the bit of a's class.
func (f *format[W]) class(a W) int {
	if f.nan(a) {
		if a&f.quiet != 0 {
			return 1
		}
		return 0
	}
	size := 0 // from zero up
	switch {
	case f.infinite(a):
		size = 3
	case a&f.inf != 0:
		size = 2
	case !f.zero(a):
		size = 1
	}
	if a&f.sign != 0 {
		return 5 - size
	}
	return 6 + size
}
