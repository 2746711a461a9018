package amdemu

import "math"

// This file has conversions. Floats become integers by dropping the fraction; what is
// out of range becomes the nearest integer there is, NaNs 0.

// conversions is those of one value.
var conversions = table{
	"v_cvt_f32_i32":    {"f32 i32", func(a uint32) uint32 { return bits32(float32(int32(a))) }},
	"v_cvt_f32_u32":    {"f32 u32", func(a uint32) uint32 { return bits32(float32(a)) }},
	"v_cvt_f64_i32":    {"f64 i32", func(a uint64) uint64 { return bits64(float64(int32(a))) }},
	"v_cvt_f64_u32":    {"f64 u32", func(a uint64) uint64 { return bits64(float64(uint32(a))) }},
	"v_cvt_f32_f64":    {"f32 f64", func(a uint64) uint64 { return uint64(bits32(float32(f64of(a)))) }},
	"v_cvt_f64_f32":    {"f64 f32", func(a uint64) uint64 { return bits64(float64(f32of(uint32(a)))) }},
	"v_cvt_f16_f32":    {"f16 f32", func(a uint32) uint32 { return bits16(f32of(a)) }},
	"v_cvt_f32_f16":    {"f32 f16", func(a uint32) uint32 { return bits32(float32(float64(f16of(a)))) }},
	"v_cvt_f16_i16":    {"f16 i16", func(a uint32) uint32 { return bits16(float32(int16(a))) }},
	"v_cvt_f16_u16":    {"f16 u16", func(a uint32) uint32 { return bits16(float32(uint16(a))) }},
	"v_cvt_f32_ubyte0": {"f32 b32", func(a uint32) uint32 { return bits32(float32(a & 0xff)) }},
	"v_cvt_f32_ubyte1": {"f32 b32", func(a uint32) uint32 { return bits32(float32(a >> 8 & 0xff)) }},
	"v_cvt_f32_ubyte2": {"f32 b32", func(a uint32) uint32 { return bits32(float32(a >> 16 & 0xff)) }},
	"v_cvt_f32_ubyte3": {"f32 b32", func(a uint32) uint32 { return bits32(float32(a >> 24)) }},
	"v_cvt_off_f32_i4": {"f32 b32", func(a uint32) uint32 { return bits32(float32(int32(a<<28)>>28) / 16) }},

	"v_cvt_i32_f32": {"i32 f32", func(a uint32) uint32 { return uint32(signed(float64(f32of(a)), 32)) }},
	"v_cvt_u32_f32": {"u32 f32", func(a uint32) uint32 { return uint32(unsigned(float64(f32of(a)), 32)) }},
	"v_cvt_i32_f64": {"i32 f64", func(a uint64) uint64 { return uint64(uint32(signed(f64of(a), 32))) }},
	"v_cvt_u32_f64": {"u32 f64", func(a uint64) uint64 { return unsigned(f64of(a), 32) }},
	"v_cvt_i16_f16": {"i16 f16", func(a uint32) uint32 { return uint32(signed(float64(f16of(a)), 16)) }},
	"v_cvt_u16_f16": {"u16 f16", func(a uint32) uint32 { return uint32(unsigned(float64(f16of(a)), 16)) }},

	"v_cvt_flr_i32_f32": {"i32 f32", func(a uint32) uint32 {
		return uint32(signed(math.Floor(float64(f32of(a))), 32))
	}},
	"v_cvt_rpi_i32_f32": {"i32 f32", func(a uint32) uint32 {
		return uint32(signed(math.Floor(float64(f32of(a)+0.5)), 32))
	}},

	"v_cvt_norm_i16_f16": {"i16 f16", func(a uint32) uint32 { return snorm(float64(f16of(a))) }},
	"v_cvt_norm_u16_f16": {"u16 f16", func(a uint32) uint32 { return unorm(float64(f16of(a))) }},

	"v_cvt_i32_i16": {"i32 i16", func(a uint32) uint32 { return uint32(int32(int16(a))) }},
	"v_cvt_u32_u16": {"u32 u16", func(a uint32) uint32 { return a & 0xffff }},
}

// conversionsPacked is those that put several results in a register, the first source's
// in the low half.
var conversionsPacked = table{
	"v_cvt_pkrtz_f16_f32": {"b32 f32 f32", func(a, b uint32) uint32 {
		return uint32(halfRTZ(float64(f32of(a)))) | uint32(halfRTZ(float64(f32of(b))))<<16
	}},
	"v_cvt_pk_i16_i32": {"b32 i32 i32", func(a, b uint32) uint32 {
		return pack(signed(float64(int32(a)), 16), signed(float64(int32(b)), 16))
	}},
	"v_cvt_pk_u16_u32": {"b32 u32 u32", func(a, b uint32) uint32 { return min(a, 0xffff) | min(b, 0xffff)<<16 }},
	"v_cvt_pk_i16_f32": {"b32 f32 f32", func(a, b uint32) uint32 {
		return pack(signed(float64(f32of(a)), 16), signed(float64(f32of(b)), 16))
	}},
	"v_cvt_pk_u16_f32": {"b32 f32 f32", func(a, b uint32) uint32 {
		return uint32(unsigned(float64(f32of(a)), 16) | unsigned(float64(f32of(b)), 16)<<16)
	}},
	"v_cvt_pknorm_i16_f32": {"b32 f32 f32", func(a, b uint32) uint32 {
		return snorm(float64(f32of(a))) | snorm(float64(f32of(b)))<<16
	}},
	"v_cvt_pknorm_u16_f32": {"b32 f32 f32", func(a, b uint32) uint32 {
		return unorm(float64(f32of(a))) | unorm(float64(f32of(b)))<<16
	}},
	"v_cvt_pknorm_i16_f16": {"b32 f16 f16", func(a, b uint32) uint32 {
		return snorm(float64(f16of(a))) | snorm(float64(f16of(b)))<<16
	}},
	"v_cvt_pknorm_u16_f16": {"b32 f16 f16", func(a, b uint32) uint32 {
		return unorm(float64(f16of(a))) | unorm(float64(f16of(b)))<<16
	}},
	"v_cvt_pk_u8_f32":      {"u32 f32 u32 u32", packByte},
	"v_cvt_pkaccum_u8_f32": {"u32 f32 u32 dst", packByte},
	"v_sat_pk_u8_i16": {"b16 b32", func(a uint32) uint32 {
		clamp := func(v uint32) uint32 { return uint32(max(0, min(int(int16(v)), 255))) }
		return clamp(a) | clamp(a>>16)<<8
	}},
}

// signed is x as a two's complement integer of n bits.
func signed(x float64, n int) int64 {
	limit := float64(uint64(1) << (n - 1))
	switch {
	case x != x:
		return 0
	case x >= limit:
		return int64(limit) - 1
	case x <= -limit:
		return -int64(limit)
	}
	return int64(x)
}

// unsigned is x as an integer of n bits, n at most 32.
func unsigned(x float64, n int) uint64 {
	limit := uint64(1) << n
	switch {
	case !(x > 0):
		return 0
	case x >= float64(limit):
		return limit - 1
	}
	return uint64(x)
}

// snorm is x of [-1, 1] times 32767 and unorm x of [0, 1] times 65535, to nearest even, in
// 16 bits.
func snorm(x float64) uint32 {
	return uint32(signed(math.RoundToEven(max(-1, min(x, 1))*32767), 16)) & 0xffff
}

func unorm(x float64) uint32 {
	return uint32(unsigned(math.RoundToEven(max(0, min(x, 1))*65535), 16))
}

func pack(lo, hi int64) uint32 { return uint32(uint16(lo)) | uint32(uint16(hi))<<16 }

// packByte is c with byte b&3 replaced by a as an integer of 8 bits.
func packByte(a, b, c uint32) uint32 {
	shift := b & 3 * 8
	return c&^(0xff<<shift) | uint32(unsigned(float64(f32of(a)), 8))<<shift
}
