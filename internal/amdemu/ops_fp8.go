package amdemu

import (
	"fmt"
	"math"
)

// This file has floats of 8 bits: fp8 with 3 bits of fraction and bf8 with 2. GFX12 has
// those of the Open Compute Project; GFX9 (gfx940 on) has others, without infinities and
// negative zero, whose only NaN is 0x80, and with a bias greater by one.
// v_cvt_sr_fp8_f32 and v_cvt_sr_bf8_f32, which round at random, are not supported.

// A float8 is such a format.
type float8 struct {
	fraction, bias int
	unsignedZero   bool // GFX9's
}

var float8s = map[string]float8{
	"fp8": {3, 7, false}, "bf8": {2, 15, false},
	"fp8 gfx9": {3, 8, true}, "bf8 gfx9": {2, 16, true},
}

// float8Rows is the conversions and dot products. Which byte or half a source is in is
// SDWA's or op_sel's matter, or byte_sel's.
func float8Rows() table {
	t := table{}
	for _, name := range []string{"fp8", "bf8"} {
		for _, generation := range []string{"", " gfx9"} {
			f := float8s[name+generation]
			t["v_cvt_f32_"+name+generation] = row{"f32 b32", f.value32}
			t["v_cvt_pk_f32_"+name+generation] = row{"b64 b16", func(a uint64) uint64 {
				return uint64(f.value32(uint32(a))) | uint64(f.value32(uint32(a>>8)))<<32
			}}
			t["v_cvt_pk_"+name+"_f32"+generation] = row{"b16 f32 f32", func(a, b uint32) uint32 {
				return f.rounded(a) | f.rounded(b)<<8
			}}
		}
		f := float8s[name]
		for i := 1; i < 4; i++ {
			t[fmt.Sprintf("v_cvt_f32_%s byte_sel:%d", name, i)] = row{"f32 b32", func(a uint32) uint32 {
				return f.value32(a >> (8 * i))
			}}
		}
		for _, second := range []string{"fp8", "bf8"} {
			g := float8s[second]
			t["v_dot4_f32_"+name+"_"+second] = row{"f32 b32 b32 f32", func(a, b, c uint32) uint32 {
				for i := 0; i < 32; i += 8 {
					c = add32(c, mul32(f.value32(a>>i), g.value32(b>>i)))
				}
				return c
			}}
		}
	}
	return t
}

// value32 is the f32 that the low byte of a stands for.
func (f float8) value32(a uint32) uint32 {
	const nan = 0x7fc00000
	sign := a << 24 & (1 << 31)
	code := int(a & 0x7f)
	exponent, fraction := code>>f.fraction, code&(1<<f.fraction-1)
	switch {
	case f.unsignedZero && a&0xff == 0x80:
		return nan
	case f.unsignedZero:
	case f.fraction == 3 && code == 0x7f:
		return sign | nan
	case f.fraction == 2 && code > 0x7c:
		return sign | nan
	case f.fraction == 2 && code == 0x7c:
		return sign | format32.inf
	}
	if exponent > 0 {
		fraction |= 1 << f.fraction
		exponent--
	}
	return sign | bits32(float32(math.Ldexp(float64(fraction), exponent+1-f.bias-f.fraction)))
}

// rounded is the f32 a in 8 bits, to nearest even. What is too large becomes
// infinity, or NaN where there is none.
func (f float8) rounded(a uint32) uint32 {
	sign := a >> 24 & 0x80
	most, beyond := 0x7e, uint32(0x7f)
	switch {
	case f.unsignedZero:
		most, beyond = 0x7f, 0x80
	case f.fraction == 2:
		most, beyond = 0x7b, 0x7c
	}
	if format32.nan(a) {
		if f.unsignedZero {
			return 0x80
		}
		return sign | 0x7f
	}
	x := math.Abs(float64(f32of(a)))
	exponent := 1 - f.bias // of denormals and zero
	if x != 0 {
		exponent = max(exponent, int(int32(exponentOf(x)))-1)
	}
	code := most + 1
	if !math.IsInf(x, 0) && exponent < 128-f.bias {
		code = (exponent+f.bias-1)<<f.fraction + int(math.RoundToEven(math.Ldexp(x, f.fraction-exponent)))
	}
	switch {
	case code > most && f.unsignedZero:
		return beyond
	case code > most:
		return sign | beyond
	case code == 0 && f.unsignedZero:
		return 0
	}
	return sign | uint32(code)
}
