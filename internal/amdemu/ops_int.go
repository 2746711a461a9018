package amdemu

import "math/bits"

// This file has the integers of 32 and 64 bits.

// integers is their arithmetic.
var integers = table{
	"v_add_u32":    {"u32 u32 u32", func(a, b uint32) uint32 { return a + b }},
	"v_sub_u32":    {"u32 u32 u32", func(a, b uint32) uint32 { return a - b }},
	"v_subrev_u32": {"u32 u32 u32", func(a, b uint32) uint32 { return b - a }},
	"v_add_i32":    {"i32 i32 i32", func(a, b uint32) uint32 { return a + b }},
	"v_sub_i32":    {"i32 i32 i32", func(a, b uint32) uint32 { return a - b }},

	"v_add3_u32":     {"u32 u32 u32 u32", func(a, b, c uint32) uint32 { return a + b + c }},
	"v_lshl_add_u32": {"u32 u32 u32 u32", func(a, b, c uint32) uint32 { return a<<(b&31) + c }},
	"v_add_lshl_u32": {"u32 u32 u32 u32", func(a, b, c uint32) uint32 { return (a + b) << (c & 31) }},
	"v_xad_u32":      {"u32 u32 u32 u32", func(a, b, c uint32) uint32 { return (a ^ b) + c }},

	"v_mul_lo_u32": {"u32 u32 u32", func(a, b uint32) uint32 { return a * b }},
	"v_mul_hi_u32": {"u32 u32 u32", func(a, b uint32) uint32 { return uint32(uint64(a) * uint64(b) >> 32) }},
	"v_mul_hi_i32": {"i32 i32 i32", func(a, b uint32) uint32 { return uint32(int64(int32(a)) * int64(int32(b)) >> 32) }},

	"v_mul_u32_u24":    {"u32 u32 u32", func(a, b uint32) uint32 { return low24(a) * low24(b) }},
	"v_mul_hi_u32_u24": {"u32 u32 u32", func(a, b uint32) uint32 { return uint32(uint64(low24(a)) * uint64(low24(b)) >> 32) }},
	"v_mad_u32_u24":    {"u32 u32 u32 u32", func(a, b, c uint32) uint32 { return low24(a)*low24(b) + c }},
	"v_mul_i32_i24":    {"i32 i32 i32", func(a, b uint32) uint32 { return uint32(signed24(a) * signed24(b)) }},
	"v_mul_hi_i32_i24": {"i32 i32 i32", func(a, b uint32) uint32 { return uint32(signed24(a) * signed24(b) >> 32) }},
	"v_mad_i32_i24":    {"i32 i32 i32 i32", func(a, b, c uint32) uint32 { return uint32(signed24(a)*signed24(b)) + c }},

	"v_min_u32":  {"u32 u32 u32", func(a, b uint32) uint32 { return min(a, b) }},
	"v_max_u32":  {"u32 u32 u32", func(a, b uint32) uint32 { return max(a, b) }},
	"v_min_i32":  {"i32 i32 i32", func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) }},
	"v_max_i32":  {"i32 i32 i32", func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) }},
	"v_min3_u32": {"u32 u32 u32 u32", func(a, b, c uint32) uint32 { return min(a, b, c) }},
	"v_max3_u32": {"u32 u32 u32 u32", func(a, b, c uint32) uint32 { return max(a, b, c) }},
	"v_med3_u32": {"u32 u32 u32 u32", func(a, b, c uint32) uint32 { return middle(a, b, c) }},
	"v_min3_i32": {"i32 i32 i32 i32", func(a, b, c uint32) uint32 { return uint32(min(int32(a), int32(b), int32(c))) }},
	"v_max3_i32": {"i32 i32 i32 i32", func(a, b, c uint32) uint32 { return uint32(max(int32(a), int32(b), int32(c))) }},
	"v_med3_i32": {"i32 i32 i32 i32", func(a, b, c uint32) uint32 { return uint32(middle(int32(a), int32(b), int32(c))) }},

	"v_minmax_u32": {"u32 u32 u32 u32", func(a, b, c uint32) uint32 { return max(min(a, b), c) }},
	"v_maxmin_u32": {"u32 u32 u32 u32", func(a, b, c uint32) uint32 { return min(max(a, b), c) }},
	"v_minmax_i32": {"i32 i32 i32 i32", func(a, b, c uint32) uint32 {
		return uint32(max(min(int32(a), int32(b)), int32(c)))
	}},
	"v_maxmin_i32": {"i32 i32 i32 i32", func(a, b, c uint32) uint32 {
		return uint32(min(max(int32(a), int32(b)), int32(c)))
	}},
}

// integersWide is the arithmetic of 64 bits.
var integersWide = table{
	"v_add_u64":      {"u64 u64 u64", func(a, b uint64) uint64 { return a + b }},
	"v_sub_u64":      {"u64 u64 u64", func(a, b uint64) uint64 { return a - b }},
	"v_lshl_add_u64": {"u64 u64 u32 u64", func(a, b, c uint64) uint64 { return a<<(b&63) + c }},
	"v_mad_u64_u32":  {"u64,mask u32 u32 u64", madWide},
	"v_mad_i64_i32":  {"i64,mask i32 i32 i64", madWideSigned},
}

// madWide is a*b + c, and its carry.
func madWide(a, b, c uint64) (uint64, bool) {
	sum, carry := bits.Add64(a*b, c, 0)
	return sum, carry != 0
}

// madWideSigned is the same of signed numbers; the second result is bit 64 of the sum.
func madWideSigned(a, b, c uint64) (uint64, bool) {
	product := uint64(int64(int32(a)) * int64(int32(b)))
	sum, carry := bits.Add64(product, c, 0)
	return sum, carry^product>>63^c>>63 != 0
}

func low24(a uint32) uint32   { return a & 0xffffff }
func signed24(a uint32) int64 { return int64(int32(a<<8) >> 8) }

// middle is the second of three in their order.
func middle[T int16 | uint16 | int32 | uint32](a, b, c T) T {
	return max(min(a, b), min(max(a, b), c))
}

// carries is additions and subtractions with carries.
var carries = table{
	"v_add_co_u32":     {"u32,mask u32 u32", func(a, b uint32) (uint32, bool) { return a + b, a+b < a }},
	"v_sub_co_u32":     {"u32,mask u32 u32", func(a, b uint32) (uint32, bool) { return a - b, a < b }},
	"v_subrev_co_u32":  {"u32,mask u32 u32", func(a, b uint32) (uint32, bool) { return b - a, b < a }},
	"v_addc_co_u32":    {"u32,mask u32 u32 mask", addCarry},
	"v_subb_co_u32":    {"u32,mask u32 u32 mask", subBorrow},
	"v_subbrev_co_u32": {"u32,mask u32 u32 mask", func(a, b, c uint32) (uint32, bool) { return subBorrow(b, a, c) }},
}

func addCarry(a, b, c uint32) (uint32, bool) {
	sum := uint64(a) + uint64(b) + uint64(c)
	return uint32(sum), sum>>32 != 0
}

func subBorrow(a, b, c uint32) (uint32, bool) {
	return a - b - c, uint64(a) < uint64(b)+uint64(c)
}

// integersClamp is what clamp makes of integer instructions: results out of the
// range of their type become its end.
func integersClamp() table {
	u := func(n int, x int64) uint32 { return uint32(max(0, min(x, 1<<n-1))) }
	i := func(n int, x int64) uint32 { return uint32(max(-1<<(n-1), min(x, 1<<(n-1)-1))) }
	s32 := func(a uint32) int64 { return int64(int32(a)) }
	s16 := func(a uint32) int64 { return int64(int16(a)) }
	t := table{
		"v_add_u32":    {"u32 u32 u32", func(a, b uint32) uint32 { return u(32, int64(a)+int64(b)) }},
		"v_sub_u32":    {"u32 u32 u32", func(a, b uint32) uint32 { return u(32, int64(a)-int64(b)) }},
		"v_subrev_u32": {"u32 u32 u32", func(a, b uint32) uint32 { return u(32, int64(b)-int64(a)) }},
		"v_add_i32":    {"i32 i32 i32", func(a, b uint32) uint32 { return i(32, s32(a)+s32(b)) }},
		"v_sub_i32":    {"i32 i32 i32", func(a, b uint32) uint32 { return i(32, s32(a)-s32(b)) }},

		"v_add_u16":    {"u16 u16 u16", func(a, b uint32) uint32 { return u(16, int64(a)+int64(b)) }},
		"v_sub_u16":    {"u16 u16 u16", func(a, b uint32) uint32 { return u(16, int64(a)-int64(b)) }},
		"v_subrev_u16": {"u16 u16 u16", func(a, b uint32) uint32 { return u(16, int64(b)-int64(a)) }},
		"v_add_i16":    {"i16 i16 i16", func(a, b uint32) uint32 { return i(16, s16(a)+s16(b)) }},
		"v_sub_i16":    {"i16 i16 i16", func(a, b uint32) uint32 { return i(16, s16(a)-s16(b)) }},
		"v_mad_u16":    {"u16 u16 u16 u16", func(a, b, c uint32) uint32 { return u(16, int64(a)*int64(b)+int64(c)) }},
		"v_mad_i16":    {"i16 i16 i16 i16", func(a, b, c uint32) uint32 { return i(16, s16(a)*s16(b)+s16(c)) }},

		"v_mad_u32_u24": {"u32 u32 u32 u32", func(a, b, c uint32) uint32 {
			return u(32, int64(low24(a))*int64(low24(b))+int64(c))
		}},
		"v_mad_i32_i24": {"i32 i32 i32 i32", func(a, b, c uint32) uint32 { return i(32, signed24(a)*signed24(b)+s32(c)) }},
		"v_mad_u32_u16": {"u32 u16 u16 u32", func(a, b, c uint32) uint32 { return u(32, int64(a)*int64(b)+int64(c)) }},
		"v_mad_i32_i16": {"i32 i16 i16 i32", func(a, b, c uint32) uint32 { return i(32, s16(a)*s16(b)+s32(c)) }},

		"v_pk_add_u16": {"v2u16 v2u16 v2u16", func(a, b uint32) uint32 { return u(16, int64(a)+int64(b)) }},
		"v_pk_sub_u16": {"v2u16 v2u16 v2u16", func(a, b uint32) uint32 { return u(16, int64(a)-int64(b)) }},
		"v_pk_add_i16": {"v2i16 v2i16 v2i16", func(a, b uint32) uint32 { return i(16, s16(a)+s16(b)) }},
		"v_pk_sub_i16": {"v2i16 v2i16 v2i16", func(a, b uint32) uint32 { return i(16, s16(a)-s16(b)) }},
		"v_pk_mad_u16": {"v2u16 v2u16 v2u16 v2u16", func(a, b, c uint32) uint32 { return u(16, int64(a)*int64(b)+int64(c)) }},
		"v_pk_mad_i16": {"v2i16 v2i16 v2i16 v2i16", func(a, b, c uint32) uint32 { return i(16, s16(a)*s16(b)+s16(c)) }},

		"v_sad_u8":    {"u32 b32 b32 u32", func(a, b, c uint32) uint32 { return u(32, int64(sadBytes(a, b, 0))+int64(c)) }},
		"v_sad_u16":   {"u32 b32 b32 u32", func(a, b, c uint32) uint32 { return u(32, int64(sadHalves(a, b, 0))+int64(c)) }},
		"v_sad_u32":   {"u32 u32 u32 u32", func(a, b, c uint32) uint32 { return u(32, int64(max(a, b)-min(a, b))+int64(c)) }},
		"v_sad_hi_u8": {"u32 b32 b32 u32", func(a, b, c uint32) uint32 { return u(32, int64(sadBytes(a, b, 0))<<16+int64(c)) }},
		"v_msad_u8":   {"u32 b32 b32 u32", func(a, b, c uint32) uint32 { return u(32, int64(maskedSAD(a, b, 0))+int64(c)) }},
	}
	for name, of := range map[string]string{
		"v_add_nc_u32": "v_add_u32", "v_sub_nc_u32": "v_sub_u32", "v_subrev_nc_u32": "v_subrev_u32",
		"v_add_nc_i32": "v_add_i32", "v_sub_nc_i32": "v_sub_i32", "v_add_nc_u16": "v_add_u16",
		"v_sub_nc_u16": "v_sub_u16", "v_add_nc_i16": "v_add_i16", "v_sub_nc_i16": "v_sub_i16",
	} {
		t[name] = t[of]
	}
	clamped := table{}
	for name, r := range t {
		clamped[name+" clamp"] = r
	}
	return clamped
}
