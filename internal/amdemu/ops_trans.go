package amdemu

import (
	"math"
	"sync/atomic"
)

// This file has the transcendental functions. The hardware's are within one unit in
// the last place of f32 and f16; these are computed in float64 and rounded. Those of
// f32 take denormals for zeros and make none, whatever MODE says, as LLVM's lowering of
// fdiv, flog2, fexp2 and fsqrt supposes. The reciprocals of f64 are seeds for
// Newton's method on hardware (about 2^-27 off); these are as exact as float64.

// transcendental is those rows.
var transcendental = table{
	"v_rcp_f32":        {"f32 f32", unitsOff(trans32(reciprocal))},
	"v_rcp_iflag_f32":  {"f32 f32", unitsOff(trans32(reciprocal))}, // other exceptions, same result
	"v_rcp_legacy_f32": {"f32 f32", trans32(legacyZero(reciprocal))},
	"v_rsq_f32":        {"f32 f32", trans32(inverseRoot)},
	"v_rsq_legacy_f32": {"f32 f32", trans32(legacyZero(inverseRoot))},
	"v_rcp_clamp_f32":  {"f32 f32", trans32(clampedTo(math.MaxFloat32, reciprocal))},
	"v_rsq_clamp_f32":  {"f32 f32", trans32(clampedTo(math.MaxFloat32, inverseRoot))},
	"v_sqrt_f32":       {"f32 f32", trans32(math.Sqrt)},
	"v_exp_f32":        {"f32 f32", trans32(math.Exp2)},
	"v_exp_legacy_f32": {"f32 f32", trans32(math.Exp2)},
	"v_log_f32":        {"f32 f32", trans32(logarithm)},
	"v_log_legacy_f32": {"f32 f32", trans32(logarithm)},
	"v_log_clamp_f32":  {"f32 f32", trans32(clampedTo(math.MaxFloat32, logarithm))},
	"v_sin_f32":        {"f32 f32", trans32(sinTurns)},
	"v_cos_f32":        {"f32 f32", trans32(cosTurns)},

	"v_rcp_f64":       {"f64 f64", round64(reciprocal)},
	"v_rsq_f64":       {"f64 f64", round64(inverseRoot)},
	"v_sqrt_f64":      {"f64 f64", round64(math.Sqrt)},
	"v_rcp_clamp_f64": {"f64 f64", round64(clampedTo(math.MaxFloat64, reciprocal))},
	"v_rsq_clamp_f64": {"f64 f64", round64(clampedTo(math.MaxFloat64, inverseRoot))},

	"v_rcp_f16":  {"f16 f16", trans16(reciprocal)},
	"v_rsq_f16":  {"f16 f16", trans16(inverseRoot)},
	"v_sqrt_f16": {"f16 f16", trans16(math.Sqrt)},
	"v_exp_f16":  {"f16 f16", trans16(math.Exp2)},
	"v_log_f16":  {"f16 f16", trans16(logarithm)},
	"v_sin_f16":  {"f16 f16", trans16(sinTurns)},
	"v_cos_f16":  {"f16 f16", trans16(cosTurns)},

	"v_sin_f32 gfx9": {"f32 f32", trans32(limited(sinTurns, 0))},
	"v_cos_f32 gfx9": {"f32 f32", trans32(limited(cosTurns, 1))},
	"v_sin_f16 gfx9": {"f16 f16", trans16(limited(sinTurns, 0))},
	"v_cos_f16 gfx9": {"f16 f16", trans16(limited(cosTurns, 1))},
}

// trans32 makes a row's function of one in float64.
func trans32(f func(float64) float64) func(uint32) uint32 {
	return func(a uint32) uint32 {
		x := f(float64(f32of(normal32(a))))
		if x != x {
			return nan32(a, 0, 0)
		}
		return normal32(bits32(float32(x)))
	}
}

// ReciprocalError is how many units in the last place v_rcp_f32 and v_rcp_iflag_f32
// are off, -1 to 1, for tests of code that must be right with any hardware.
var ReciprocalError atomic.Int32

func unitsOff(f func(uint32) uint32) func(uint32) uint32 {
	return func(a uint32) uint32 {
		x := f(a)
		if e := ReciprocalError.Load(); e != 0 && x&0x7f800000 != 0 && x&0x7f800000 != 0x7f800000 {
			x += uint32(e) // the magnitude's, as the sign is apart
		}
		return x
	}
}

func trans16(f func(float64) float64) func(uint32) uint32 {
	return func(a uint32) uint32 {
		x := f(float64(f16of(a)))
		if x != x {
			return nan16(a, 0, 0)
		}
		return uint32(half64(x))
	}
}

func reciprocal(x float64) float64  { return 1 / x }
func inverseRoot(x float64) float64 { return 1 / math.Sqrt(x) } // of -0, -infinity

// legacyZero is f, with 0 for infinities.
func legacyZero(f func(float64) float64) func(float64) float64 {
	return func(x float64) float64 {
		if y := f(x); !math.IsInf(y, 0) {
			return y
		}
		return 0
	}
}

// clampedTo is f with the largest number for infinities.
func clampedTo(most float64, f func(float64) float64) func(float64) float64 {
	return func(x float64) float64 {
		if y := f(x); y != y {
			return y
		} else {
			return max(-most, min(y, most))
		}
	}
}

// logarithm is that to base 2. Near one, math.Log2 loses digits.
func logarithm(x float64) float64 {
	if 0.5 < x && x < 2 {
		return math.Log1p(x-1) / math.Ln2
	}
	return math.Log2(x)
}

// sinTurns and cosTurns take an angle in turns. Integers are dropped exactly, so
// that there is no limit to x.

func sinTurns(x float64) float64 {
	t := x - math.Floor(x)
	if t == 0 {
		return math.Copysign(0, x)
	}
	return quarter(t, 0)
}

func cosTurns(x float64) float64 { return quarter(x-math.Floor(x), 1) }

// limited is f of GFX9, whose range ends at 256 turns: beyond, the result is that of 0.
// Source: the ISA document of Vega; LLVM's FeatureTrigReducedRange.
func limited(f func(float64) float64, outside float64) func(float64) float64 {
	return func(x float64) float64 {
		if math.Abs(x) > 256 && !math.IsInf(x, 0) {
			return outside
		}
		return f(x)
	}
}

// quarter is the sine of t turns, 0 <= t < 1, and of so many quarters more. Multiples of
// a quarter are exact.
func quarter(t float64, more int) float64 {
	q := math.RoundToEven(4 * t)
	s, c := math.Sincos(2 * math.Pi * (t - q/4))
	if q != q {
		return q
	}
	switch (int(q) + more) & 3 {
	case 0:
		return s
	case 1:
		return c
	case 2:
		return 0 - s
	}
	return 0 - c
}
