package amdemu

import (
	"math"
	"math/bits"
)

// This file has roundings of floats to integers that stay floats, and the parts of
// floats: exponents and mantissas.

// floatRounding is v_floor and the like.
var floatRounding = table{
	"v_ceil_f32":  {"f32 f32", round32(math.Ceil)},
	"v_floor_f32": {"f32 f32", round32(math.Floor)},
	"v_trunc_f32": {"f32 f32", round32(math.Trunc)},
	"v_rndne_f32": {"f32 f32", round32(math.RoundToEven)},
	"v_fract_f32": {"f32 f32", fract32},

	"v_ceil_f64":  {"f64 f64", round64(math.Ceil)},
	"v_floor_f64": {"f64 f64", round64(math.Floor)},
	"v_trunc_f64": {"f64 f64", round64(math.Trunc)},
	"v_rndne_f64": {"f64 f64", round64(math.RoundToEven)},
	"v_fract_f64": {"f64 f64", fract64},

	"v_ceil_f16":  {"f16 f16", round16(math.Ceil)},
	"v_floor_f16": {"f16 f16", round16(math.Floor)},
	"v_trunc_f16": {"f16 f16", round16(math.Trunc)},
	"v_rndne_f16": {"f16 f16", round16(math.RoundToEven)},
	"v_fract_f16": {"f16 f16", fract16},
}

// floatParts is v_frexp, v_ldexp and their kin.
var floatParts = table{
	"v_frexp_exp_i32_f32": {"i32 f32", func(a uint32) uint32 { return exponentOf(float64(f32of(a))) }},
	"v_frexp_exp_i16_f16": {"i16 f16", func(a uint32) uint32 { return exponentOf(float64(f16of(a))) }},
	"v_frexp_exp_i32_f64": {"i32 f64", func(a uint64) uint64 { return uint64(exponentOf(f64of(a))) }},
	"v_frexp_mant_f32":    {"f32 f32", round32(mantissaOf)},
	"v_frexp_mant_f16":    {"f16 f16", round16(mantissaOf)},
	"v_frexp_mant_f64":    {"f64 f64", round64(mantissaOf)},
	"v_ldexp_f32":         {"f32 f32 i32", ldexp32},
	"v_ldexp_f64":         {"f64 f64 i32", ldexp64},
	"v_trig_preop_f64":    {"f64 f64 u32", trigPreop},
}

// round32, round16 and round64 make a row's function of one of float64s whose
// results need no rounding. NaNs become quiet.
func round32(f func(float64) float64) func(uint32) uint32 {
	return func(a uint32) uint32 {
		if format32.nan(a) {
			return a | format32.quiet
		}
		return bits32(float32(f(float64(f32of(a)))))
	}
}

func round16(f func(float64) float64) func(uint32) uint32 {
	return func(a uint32) uint32 {
		if format16.nan(a) {
			return a | format16.quiet
		}
		return uint32(half64(f(float64(f16of(a)))))
	}
}

func round64(f func(float64) float64) func(uint64) uint64 {
	return func(a uint64) uint64 {
		if format64.nan(a) {
			return a | format64.quiet
		}
		return bits64(f(f64of(a)))
	}
}

// The fractions are below one: what would round to it is the next smaller number.
// Source of that: LLVM, llvm.amdgcn.fract.

func fract32(a uint32) uint32 {
	x := float64(f32of(a))
	x -= math.Floor(x) // exact, except for tiny negative numbers
	if x != x {
		return nan32(a, 0, 0)
	}
	return bits32(min(float32(x), 0x1.fffffep-1))
}

func fract64(a uint64) uint64 {
	x := f64of(a)
	x -= math.Floor(x)
	if x != x {
		return nan64(a, 0, 0)
	}
	return bits64(min(x, 0x1.fffffffffffffp-1))
}

func fract16(a uint32) uint32 {
	x := f16of(a)
	x -= float32(math.Floor(float64(x)))
	if x != x {
		return nan16(a, 0, 0)
	}
	return min(bits16(x), 0x3bff)
}

// exponentOf is such that x is a number of [0.5, 1) times two to it; 0 of zeros,
// infinities and NaNs.
func exponentOf(x float64) uint32 {
	if math.IsInf(x, 0) || x != x {
		return 0
	}
	_, e := math.Frexp(x)
	return uint32(e)
}

// mantissaOf is that number of [0.5, 1), or x where there is none.
func mantissaOf(x float64) float64 {
	m, _ := math.Frexp(x)
	return m
}

// scale is x times two to the e, rounded only where the result is a denormal.
func scale(x float64, e int) float64 {
	return math.Ldexp(x, max(-5000, min(e, 5000)))
}

// ldexp32 needs scale to be exact: a float32 is at least 2^-149, and by 2^-400 on it
// is 0 in float32 anyway.
func ldexp32(a, b uint32) uint32 {
	if format32.nan(a) {
		return a | format32.quiet
	}
	e := max(-400, min(int(int32(b)), 400))
	return bits32(float32(scale(float64(f32of(a)), e)))
}

func ldexp64(a, b uint64) uint64 {
	if format64.nan(a) {
		return a | format64.quiet
	}
	return bits64(scale(f64of(a), int(int32(b))))
}

// twoOverPi is the fraction 2/pi: 1216 bits of it, the highest first.
var twoOverPi = [19]uint64{
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
	0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
	0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
	0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
}

// trigPreop is the 53 bits of 2/pi that reducing the angle a needs as the factor of
// place b, highest first.
func trigPreop(a, b uint64) uint64 {
	shift := int(b&31) * 53
	exponent := int(a >> 52 & 0x7ff)
	if exponent > 1077 {
		shift += exponent - 1077
	}
	e := -53 - shift
	if exponent >= 1968 {
		e += 128
	}
	return bits64(scale(float64(bitsOfTwoOverPi(shift)), e))
}

// bitsOfTwoOverPi is 53 bits of 2/pi from the given place on. There are 1201.
func bitsOfTwoOverPi(place int) uint64 {
	word := func(i int) uint64 {
		switch {
		case i < len(twoOverPi)-1:
			return twoOverPi[i]
		case i == len(twoOverPi)-1:
			return twoOverPi[i] &^ (1<<(64*19-1201) - 1)
		}
		return 0
	}
	hi, lo := word(place/64), word(place/64+1)
	hi = bits.RotateLeft64(hi, place%64)&^(1<<(place%64)-1) | lo>>1>>(63-place%64)
	return hi >> 11
}
