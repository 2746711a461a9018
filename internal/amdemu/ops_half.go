package amdemu

// This file has the arithmetic of f16: in float32 or float64, where sums and
// products are exact or wide enough to be rounded twice without harm, then rounded
// to f16 once.

// halfArithmetic is the rows of f16 that compute.
var halfArithmetic = table{
	"v_add_f16":    {"f16 f16 f16", add16},
	"v_sub_f16":    {"f16 f16 f16", sub16},
	"v_subrev_f16": {"f16 f16 f16", func(a, b uint32) uint32 { return sub16(b, a) }},
	"v_mul_f16":    {"f16 f16 f16", mul16},
	"v_fma_f16":    {"f16 f16 f16 f16", fma16},
	"v_fmac_f16":   {"f16 f16 f16 dst", fma16},
	"v_fmaak_f16":  {"f16 f16 f16 f16", fma16},
	"v_fmamk_f16":  {"f16 f16 f16 f16", fma16},
	"v_mad_f16":    {"f16 f16 f16 f16", mad16},
	"v_mac_f16":    {"f16 f16 f16 dst", mad16},
	"v_madak_f16":  {"f16 f16 f16 f16", mad16},
	"v_madmk_f16":  {"f16 f16 f16 f16", mad16},
	"v_ldexp_f16":  {"f16 f16 i16", ldexp16},

	"v_pk_add_f16":  {"v2f16 v2f16 v2f16", add16},
	"v_pk_mul_f16":  {"v2f16 v2f16 v2f16", mul16},
	"v_pk_fma_f16":  {"v2f16 v2f16 v2f16 v2f16", fma16},
	"v_pk_fmac_f16": {"v2f16 v2f16 v2f16 dst", fma16},

	"v_pack_b32_f16": {"b32 f16 f16", func(a, b uint32) uint32 { return b<<16 | a }},
}

func nan16(a, b, c uint32) uint32 { return format16.result(a, b, c) }

func add16(a, b uint32) uint32 {
	x := f16of(a) + f16of(b)
	if x != x {
		return nan16(a, b, 0)
	}
	return bits16(x)
}

func sub16(a, b uint32) uint32 {
	x := f16of(a) - f16of(b)
	if x != x {
		return nan16(a, b, 0)
	}
	return bits16(x)
}

func mul16(a, b uint32) uint32 {
	x := f16of(a) * f16of(b)
	if x != x {
		return nan16(a, b, 0)
	}
	return bits16(x)
}

// mad16 is rounded twice and takes denormals for zeros, like mad32.
func mad16(a, b, c uint32) uint32 {
	product := bits16(f16of(normal16(a)) * f16of(normal16(b)))
	x := f16of(normal16(product)) + f16of(normal16(c))
	if x != x {
		return nan16(a, b, c)
	}
	return normal16(bits16(x))
}

// normal16 is a, or zero for denormals.
func normal16(a uint32) uint32 {
	if a&format16.inf == 0 {
		return a & format16.sign
	}
	return a
}

func fma16(a, b, c uint32) uint32 {
	product, addend := float64(f16of(a))*float64(f16of(b)), float64(f16of(c))
	sum := product + addend
	if sum != sum {
		return nan16(a, b, c)
	}
	return uint32(half64(toOdd(product, addend, sum)))
}

func ldexp16(a, b uint32) uint32 {
	if format16.nan(a) {
		return a | format16.quiet
	}
	return uint32(half64(scale(float64(f16of(a)), int(int16(b)))))
}
