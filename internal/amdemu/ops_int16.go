package amdemu

// This file has the integers of 16 bits, single and packed. The executor decides what a register's
// upper half holds then: GFX8 and GFX9 clear it (except instructions with
// op_sel), GFX10 and later keep it.

// integers16 is the single ones.
var integers16 = table{
	"v_add_u16":    {"u16 u16 u16", func(a, b uint32) uint32 { return a + b }},
	"v_sub_u16":    {"u16 u16 u16", func(a, b uint32) uint32 { return a - b }},
	"v_subrev_u16": {"u16 u16 u16", func(a, b uint32) uint32 { return b - a }},
	"v_add_i16":    {"i16 i16 i16", func(a, b uint32) uint32 { return a + b }},
	"v_sub_i16":    {"i16 i16 i16", func(a, b uint32) uint32 { return a - b }},
	"v_mul_lo_u16": {"u16 u16 u16", func(a, b uint32) uint32 { return a * b }},
	"v_mad_u16":    {"u16 u16 u16 u16", func(a, b, c uint32) uint32 { return a*b + c }},
	"v_mad_i16":    {"i16 i16 i16 i16", func(a, b, c uint32) uint32 { return a*b + c }},

	"v_mad_u32_u16": {"u32 u16 u16 u32", func(a, b, c uint32) uint32 { return a*b + c }},
	"v_mad_i32_i16": {"i32 i16 i16 i32", func(a, b, c uint32) uint32 { return uint32(int32(int16(a))*int32(int16(b))) + c }},

	"v_min_u16":  {"u16 u16 u16", func(a, b uint32) uint32 { return min(a, b) }},
	"v_max_u16":  {"u16 u16 u16", func(a, b uint32) uint32 { return max(a, b) }},
	"v_min_i16":  {"i16 i16 i16", func(a, b uint32) uint32 { return uint32(min(int16(a), int16(b))) }},
	"v_max_i16":  {"i16 i16 i16", func(a, b uint32) uint32 { return uint32(max(int16(a), int16(b))) }},
	"v_min3_u16": {"u16 u16 u16 u16", func(a, b, c uint32) uint32 { return min(a, b, c) }},
	"v_max3_u16": {"u16 u16 u16 u16", func(a, b, c uint32) uint32 { return max(a, b, c) }},
	"v_med3_u16": {"u16 u16 u16 u16", func(a, b, c uint32) uint32 { return middle(a, b, c) }},
	"v_min3_i16": {"i16 i16 i16 i16", func(a, b, c uint32) uint32 { return uint32(min(int16(a), int16(b), int16(c))) }},
	"v_max3_i16": {"i16 i16 i16 i16", func(a, b, c uint32) uint32 { return uint32(max(int16(a), int16(b), int16(c))) }},
	"v_med3_i16": {"i16 i16 i16 i16", func(a, b, c uint32) uint32 { return uint32(middle(int16(a), int16(b), int16(c))) }},

	"v_mov_b16":     {"b16 b16", func(a uint32) uint32 { return a }},
	"v_not_b16":     {"b16 b16", func(a uint32) uint32 { return ^a }},
	"v_and_b16":     {"b16 b16 b16", func(a, b uint32) uint32 { return a & b }},
	"v_or_b16":      {"b16 b16 b16", func(a, b uint32) uint32 { return a | b }},
	"v_xor_b16":     {"b16 b16 b16", func(a, b uint32) uint32 { return a ^ b }},
	"v_cndmask_b16": {"b16 b16 b16 mask", select32},
	"v_lshlrev_b16": {"b16 u16 b16", shiftLeft16},
	"v_lshrrev_b16": {"b16 u16 b16", shiftRight16},
	"v_ashrrev_i16": {"i16 u16 i16", shiftSigned16},
}

func shiftLeft16(a, b uint32) uint32   { return b << (a & 15) }
func shiftRight16(a, b uint32) uint32  { return b >> (a & 15) }
func shiftSigned16(a, b uint32) uint32 { return uint32(int16(b) >> (a & 15)) }

// packed is the instructions on both halves of a register, each alone.
var packed = table{
	"v_pk_add_u16":    {"v2u16 v2u16 v2u16", func(a, b uint32) uint32 { return a + b }},
	"v_pk_sub_u16":    {"v2u16 v2u16 v2u16", func(a, b uint32) uint32 { return a - b }},
	"v_pk_add_i16":    {"v2i16 v2i16 v2i16", func(a, b uint32) uint32 { return a + b }},
	"v_pk_sub_i16":    {"v2i16 v2i16 v2i16", func(a, b uint32) uint32 { return a - b }},
	"v_pk_mul_lo_u16": {"v2u16 v2u16 v2u16", func(a, b uint32) uint32 { return a * b }},
	"v_pk_mad_u16":    {"v2u16 v2u16 v2u16 v2u16", func(a, b, c uint32) uint32 { return a*b + c }},
	"v_pk_mad_i16":    {"v2i16 v2i16 v2i16 v2i16", func(a, b, c uint32) uint32 { return a*b + c }},
	"v_pk_min_u16":    {"v2u16 v2u16 v2u16", func(a, b uint32) uint32 { return min(a, b) }},
	"v_pk_max_u16":    {"v2u16 v2u16 v2u16", func(a, b uint32) uint32 { return max(a, b) }},
	"v_pk_min_i16":    {"v2i16 v2i16 v2i16", func(a, b uint32) uint32 { return uint32(min(int16(a), int16(b))) }},
	"v_pk_max_i16":    {"v2i16 v2i16 v2i16", func(a, b uint32) uint32 { return uint32(max(int16(a), int16(b))) }},

	"v_pk_lshlrev_b16": {"v2b16 v2u16 v2b16", shiftLeft16},
	"v_pk_lshrrev_b16": {"v2b16 v2u16 v2b16", shiftRight16},
	"v_pk_ashrrev_i16": {"v2i16 v2u16 v2i16", shiftSigned16},
}
