package amdemu

import "math"

// This file has the arithmetic of f32 and f64. Results are exact, rounded once to
// nearest even. Denormals are kept: the executor flushes them where MODE says so.

// floatArithmetic is addition, multiplication and what is made of them.
var floatArithmetic = table{
	"v_add_f32":    {"f32 f32 f32", add32},
	"v_sub_f32":    {"f32 f32 f32", sub32},
	"v_subrev_f32": {"f32 f32 f32", func(a, b uint32) uint32 { return sub32(b, a) }},
	"v_mul_f32":    {"f32 f32 f32", mul32},
	"v_fma_f32":    {"f32 f32 f32 f32", fma32},
	"v_fmac_f32":   {"f32 f32 f32 dst", fma32},
	"v_fmaak_f32":  {"f32 f32 f32 f32", fma32},
	"v_fmamk_f32":  {"f32 f32 f32 f32", fma32},

	// Rounded twice: after the multiplication, too. Denormals are zeros, whatever MODE
	// says. Source: LLVM, AMDGPUISD::FMAD_FTZ.
	"v_mad_f32":   {"f32 f32 f32 f32", mad32},
	"v_mac_f32":   {"f32 f32 f32 dst", mad32},
	"v_madak_f32": {"f32 f32 f32 f32", mad32},
	"v_madmk_f32": {"f32 f32 f32 f32", mad32},

	// Zero times anything is zero.
	"v_mul_legacy_f32":  {"f32 f32 f32", mulLegacy},
	"v_fma_legacy_f32":  {"f32 f32 f32 f32", fmaLegacy},
	"v_fmac_legacy_f32": {"f32 f32 f32 dst", fmaLegacy},
	"v_mad_legacy_f32":  {"f32 f32 f32 f32", madLegacy},
	"v_mac_legacy_f32":  {"f32 f32 f32 dst", madLegacy},

	"v_add_f64":  {"f64 f64 f64", add64},
	"v_mul_f64":  {"f64 f64 f64", mul64},
	"v_fma_f64":  {"f64 f64 f64 f64", fma64},
	"v_fmac_f64": {"f64 f64 f64 dst", fma64},

	"v_pk_add_f32": {"v2f32 v2f32 v2f32", add32},
	"v_pk_mul_f32": {"v2f32 v2f32 v2f32", mul32},
	"v_pk_fma_f32": {"v2f32 v2f32 v2f32 v2f32", fma32},

	// The executor reads a source as f16 where op_sel_hi says so (mix), and
	// mixhi writes the upper half.
	"v_fma_mix_f32":   {"f32 f32 f32 f32", fma32},
	"v_fma_mixlo_f16": {"f16 f32 f32 f32", toHalf(fma32)},
	"v_fma_mixhi_f16": {"f16 f32 f32 f32", toHalf(fma32)},
	"v_mad_mix_f32":   {"f32 f32 f32 f32", mad32},
	"v_mad_mixlo_f16": {"f16 f32 f32 f32", toHalf(mad32)},
	"v_mad_mixhi_f16": {"f16 f32 f32 f32", toHalf(mad32)},

	"v_cubeid_f32": {"f32 f32 f32 f32", cubeFace},
	"v_cubesc_f32": {"f32 f32 f32 f32", cubeS},
	"v_cubetc_f32": {"f32 f32 f32 f32", cubeT},
	"v_cubema_f32": {"f32 f32 f32 f32", cubeMajor},
}

func f32of(a uint32) float32  { return math.Float32frombits(a) }
func f64of(a uint64) float64  { return math.Float64frombits(a) }
func f16of(a uint32) float32  { return unhalf(uint16(a)) }
func bits32(x float32) uint32 { return math.Float32bits(x) }
func bits64(x float64) uint64 { return math.Float64bits(x) }
func bits16(x float32) uint32 { return uint32(half(x)) }

// A format is a binary float in the low bits of a W.
type format[W uint32 | uint64] struct {
	sign, inf, quiet W // the sign's bit, +infinity, the bit that tells quiet NaNs
}

var (
	format16 = format[uint32]{0x8000, 0x7c00, 0x200}
	format32 = format[uint32]{1 << 31, 0x7f800000, 1 << 22}
	format64 = format[uint64]{1 << 63, 0x7ff << 52, 1 << 51}
)

func (f *format[W]) nan(a W) bool       { return a&^f.sign > f.inf }
func (f *format[W]) signaling(a W) bool { return f.nan(a) && a&f.quiet == 0 }
func (f *format[W]) infinite(a W) bool  { return a&^f.sign == f.inf }
func (f *format[W]) zero(a W) bool      { return a&^f.sign == 0 }

// result is the NaN that comes of an operation: the first of the sources that is
// one, made quiet, or a new one.
func (f *format[W]) result(sources ...W) W {
	for _, a := range sources {
		if f.nan(a) {
			return a | f.quiet
		}
	}
	return f.inf | f.quiet
}

func nan32(a, b, c uint32) uint32 { return format32.result(a, b, c) }
func nan64(a, b, c uint64) uint64 { return format64.result(a, b, c) }

func add32(a, b uint32) uint32 {
	x := f32of(a) + f32of(b)
	if x != x {
		return nan32(a, b, 0)
	}
	return bits32(x)
}

func sub32(a, b uint32) uint32 {
	x := f32of(a) - f32of(b)
	if x != x {
		return nan32(a, b, 0)
	}
	return bits32(x)
}

func mul32(a, b uint32) uint32 {
	x := float32(f32of(a) * f32of(b)) // not to be fused where this is inlined
	if x != x {
		return nan32(a, b, 0)
	}
	return bits32(x)
}

func mad32(a, b, c uint32) uint32 {
	product := bits32(float32(f32of(normal32(a)) * f32of(normal32(b))))
	x := f32of(normal32(product)) + f32of(normal32(c))
	if x != x {
		return nan32(a, b, c)
	}
	return normal32(bits32(x))
}

// normal32 is a, or zero for denormals.
func normal32(a uint32) uint32 {
	if a&format32.inf == 0 {
		return a & format32.sign
	}
	return a
}

func add64(a, b uint64) uint64 {
	x := f64of(a) + f64of(b)
	if x != x {
		return nan64(a, b, 0)
	}
	return bits64(x)
}

func mul64(a, b uint64) uint64 {
	x := float64(f64of(a) * f64of(b))
	if x != x {
		return nan64(a, b, 0)
	}
	return bits64(x)
}

func fma64(a, b, c uint64) uint64 {
	x := math.FMA(f64of(a), f64of(b), f64of(c))
	if x != x {
		return nan64(a, b, c)
	}
	return bits64(x)
}

// fma32 is a*b + c, rounded once. In float64 the product is exact and the sum is
// rounded; rounding that to float32 is right unless the first rounding fell on
// the border between two float32s.
func fma32(a, b, c uint32) uint32 {
	product, addend := float64(f32of(a))*float64(f32of(b)), float64(f32of(c))
	sum := product + addend
	s := bits64(sum)
	if normal := s>>52&0x7ff - (1023 - 126); normal < 253 && s&(1<<29-1) != 1<<28 {
		return bits32(float32(sum))
	}
	if sum != sum {
		return nan32(a, b, c)
	}
	return bits32(float32(toOdd(product, addend, sum)))
}

// toOdd is x + y rounded to odd, where sum is it to nearest: of the two float64s
// next to an inexact sum the one whose last bit is set. Rounded again to fewer bits
// it is as if rounded once. Source: Boldo and Melquiond, "Emulation of FMA and
// correctly rounded sums: proved algorithms using rounding to odd".
func toOdd(x, y, sum float64) float64 {
	s := bits64(sum)
	if s&1 != 0 || s>>52&0x7ff == 0x7ff {
		return sum
	}
	part := float64(sum - x)
	lost := float64(x-float64(sum-part)) + float64(y-part)
	switch {
	case lost == 0:
		return sum
	case lost > 0 == (sum > 0):
		return f64of(s + 1)
	}
	return f64of(s - 1)
}

func mulLegacy(a, b uint32) uint32 {
	if format32.zero(a) || format32.zero(b) {
		return 0
	}
	return mul32(a, b)
}

func fmaLegacy(a, b, c uint32) uint32 {
	if format32.zero(a) || format32.zero(b) {
		return add32(c, 0x80000000) // c itself, made quiet
	}
	return fma32(a, b, c)
}

func madLegacy(a, b, c uint32) uint32 { return add32(mulLegacy(a, b), c) }

// toHalf rounds an f32's result again, to f16.
func toHalf(f func(a, b, c uint32) uint32) func(a, b, c uint32) uint32 {
	return func(a, b, c uint32) uint32 { return bits16(f32of(f(a, b, c))) }
}

// major tells the axis of a cube map that (x, y, z) points along: 0, 1 or 2.
func major(x, y, z uint32) int {
	ax, ay, az := math.Abs(float64(f32of(x))), math.Abs(float64(f32of(y))), math.Abs(float64(f32of(z)))
	switch {
	case az >= ax && az >= ay:
		return 2
	case ay >= ax:
		return 1
	}
	return 0
}

func cubeFace(x, y, z uint32) uint32 {
	axis := major(x, y, z)
	face := float32(2 * axis)
	if f32of([3]uint32{x, y, z}[axis]) < 0 {
		face++
	}
	return bits32(face)
}

func cubeMajor(x, y, z uint32) uint32 {
	a := [3]uint32{x, y, z}[major(x, y, z)]
	return add32(a, a)
}

func cubeS(x, y, z uint32) uint32 {
	const minus = 1 << 31
	switch major(x, y, z) {
	case 2:
		if f32of(z) < 0 {
			return x ^ minus
		}
		return x
	case 1:
		return x
	}
	if f32of(x) < 0 {
		return z
	}
	return z ^ minus
}

func cubeT(x, y, z uint32) uint32 {
	const minus = 1 << 31
	if major(x, y, z) == 1 {
		if f32of(y) < 0 {
			return z ^ minus
		}
		return z
	}
	return y ^ minus
}
