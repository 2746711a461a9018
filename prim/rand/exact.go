package rand

import (
	"math"

	"heddle/dsl"
)

// The transforms here are made of operations that every device does exactly, or rounds once: conversions, fused
// multiplication and addition, division, square root, and integers. A product that is added to something is always
// fma's, so no compiler can choose.

func fma[T Float](x, y, z T) T { return dsl.FmaRn(x, y, z) }

// mul is x*y, never fused with what comes after.
func mul[T Float](x, y T) T { return dsl.MulRn(x, y) }

func add[T Float](x, y T) T { return dsl.AddRn(x, y) }

func sub[T Float](x, y T) T { return dsl.SubRn(x, y) }

// unit32 is (w + 1/2) / 2^32, rounded: in [2^-33, 1].
func unit32(w uint32) float32 { return fma(float32(w), 0x1p-32, 0x1p-33) }

// unit64 is (w + 1/2) / 2^64, rounded: in [2^-65, 1].
func unit64(w uint64) float64 { return fma(float64(w), 0x1p-64, 0x1p-65) }

// log32 is the logarithm of x, which is normal and positive (Cephes, logf).
func log32(x float32) float32 { return series32(split32(x)) }

// logUnit32 is the logarithm of (w + 1/2) / 2^32: near 1 that of 1 less the distance to 1, which float32 has
// more exactly.
func logUnit32(w uint32) float32 {
	e, f := split32(unit32(w))
	if w > 0xb504f333 { // sqrt(1/2)
		e, f = 0, -unit32(^w)
	}
	return series32(e, f)
}

// split32 makes (1+f) 2^e of x, with f from sqrt(1/2)-1 to sqrt(2)-1.
func split32(x float32) (e, f float32) {
	const half = 0x3f3504f3 // sqrt(1/2)
	k := int32(math.Float32bits(x)) - half
	return float32(k >> 23), sub(math.Float32frombits(uint32(k&0x7fffff+half)), 1)
}

func series32(e, f float32) float32 {
	z := mul(f, f)
	p := fma[float32](7.0376836292e-2, f, -1.1514610310e-1)
	p = fma(p, f, 1.1676998740e-1)
	p = fma(p, f, -1.2420140846e-1)
	p = fma(p, f, 1.4249322787e-1)
	p = fma(p, f, -1.6668057665e-1)
	p = fma(p, f, 2.0000714765e-1)
	p = fma(p, f, -2.4999993993e-1)
	p = fma(p, f, 3.3333331174e-1)
	p = mul(mul(p, f), z)
	p = fma(e, -2.12194440e-4, p)
	p = fma(-0.5, z, p)
	return fma(e, 0.693359375, add(f, p))
}

// log64 is the logarithm of x, which is normal and positive (FreeBSD, e_log.c).
func log64(x float64) float64 { return series64(split64(x)) }

// logUnit64 is the logarithm of (w + 1/2) / 2^64, as logUnit32.
func logUnit64(w uint64) float64 {
	k, f := split64(unit64(w))
	if w > 0xb504f333f9de6484 { // sqrt(1/2)
		k, f = 0, -unit64(^w)
	}
	return series64(k, f)
}

func split64(x float64) (k, f float64) {
	const half = 0x3fe6a09e667f3bcd // sqrt(1/2)
	n := int64(math.Float64bits(x)) - half
	return float64(int32(n >> 52)), sub(math.Float64frombits(uint64(n&(1<<52-1)+half)), 1)
}

func series64(k, f float64) float64 {
	s := dsl.DivRn(f, add(2, f))
	z := mul(s, s)
	r := fma(1.479819860511658591e-01, z, 1.531383769920937332e-01)
	r = fma(r, z, 1.818357216161805012e-01)
	r = fma(r, z, 2.222219843214978396e-01)
	r = fma(r, z, 2.857142874366239149e-01)
	r = fma(r, z, 3.999999999940941908e-01)
	r = fma(r, z, 6.666666666666735130e-01)
	h := mul(mul(0.5, f), f)
	r = fma(r, z, h)
	return fma(k, 6.93147180369123816490e-01, sub(f, sub(h, fma(s, r, mul(k, 1.90821492927058770002e-10)))))
}

// exp32 is e to the power x (Cephes, expf).
func exp32(x float32) float32 {
	switch {
	case x > 89:
		return float32(math.Inf(1))
	case x < -104:
		return 0
	case x != x:
		return x
	}
	k := dsl.Rint(mul(x, 1.44269504088896341))
	r := fma(k, 2.12194440e-4, fma(k, -0.693359375, x))
	p := fma[float32](1.9875691500e-4, r, 1.3981999507e-3)
	p = fma(p, r, 8.3334519073e-3)
	p = fma(p, r, 4.1665795894e-2)
	p = fma(p, r, 1.6666665459e-1)
	p = fma(p, r, 5.0000001201e-1)
	p = add(fma(p, mul(r, r), r), 1)
	i := int32(k)
	h := i / 2 // 2^k in two steps: it may be no number by itself
	return mul(mul(p, math.Float32frombits(uint32(h+127)<<23)), math.Float32frombits(uint32(i-h+127)<<23))
}

// exp64 is e to the power x: Taylor's series, after multiples of ln 2 are taken away.
func exp64(x float64) float64 {
	switch {
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	case x != x:
		return x
	}
	k := dsl.Rint(mul(x, math.Log2E))
	r := fma(k, -1.90821492927058770002e-10, fma(k, -6.93147180369123816490e-01, x))
	p := 1.0 / 6227020800
	p = fma(p, r, 1.0/479001600)
	p = fma(p, r, 1.0/39916800)
	p = fma(p, r, 1.0/3628800)
	p = fma(p, r, 1.0/362880)
	p = fma(p, r, 1.0/40320)
	p = fma(p, r, 1.0/5040)
	p = fma(p, r, 1.0/720)
	p = fma(p, r, 1.0/120)
	p = fma(p, r, 1.0/24)
	p = fma(p, r, 1.0/6)
	p = fma(p, r, 1.0/2)
	p = add(fma(p, mul(r, r), r), 1)
	i := int64(k)
	h := i / 2
	return mul(mul(p, math.Float64frombits(uint64(h+1023)<<52)), math.Float64frombits(uint64(i-h+1023)<<52))
}

// turn32 is sine and cosine of w/2^32 of a full turn (Cephes, sinf and cosf on an eighth of one).
func turn32(w uint32) (sin, cos float32) {
	quarter := (w + 1<<29) >> 30
	a := mul(float32(int32(w-quarter<<30)), 0x1p-30*math.Pi/2)
	z := mul(a, a)
	s := fma[float32](-1.9515295891e-4, z, 8.3321608736e-3)
	s = fma(s, z, -1.6666654611e-1)
	s = fma(mul(s, z), a, a)
	c := fma[float32](2.443315711809948e-5, z, -1.388731625493765e-3)
	c = fma(c, z, 4.166664568298827e-2)
	c = fma(mul(c, z), z, fma(-0.5, z, 1))
	return quarters(quarter, s, c)
}

// turn64 is sine and cosine of w/2^64 of a full turn (Cephes, sin and cos on an eighth of one).
func turn64(w uint64) (sin, cos float64) {
	quarter := (w + 1<<61) >> 62
	a := mul(float64(int64(w-quarter<<62)), 0x1p-62*math.Pi/2)
	z := mul(a, a)
	s := fma(1.58962301576546568060e-10, z, -2.50507477628578072866e-8)
	s = fma(s, z, 2.75573136213857245213e-6)
	s = fma(s, z, -1.98412698295895385996e-4)
	s = fma(s, z, 8.33333333332211858878e-3)
	s = fma(s, z, -1.66666666666666307295e-1)
	s = fma(mul(s, z), a, a)
	c := fma(-1.13585365213876817300e-11, z, 2.08757008419747316778e-9)
	c = fma(c, z, -2.75573141792967388112e-7)
	c = fma(c, z, 2.48015872888517045348e-5)
	c = fma(c, z, -1.38888888888730564116e-3)
	c = fma(c, z, 4.16666666666665929218e-2)
	c = fma(mul(c, z), z, fma(-0.5, z, 1))
	return quarters(uint32(quarter), s, c)
}

// quarters turns (c, s) by quarters.
func quarters[T Float](n uint32, s, c T) (sin, cos T) {
	if n&1 != 0 {
		s, c = c, -s
	}
	if n&2 != 0 {
		s, c = -s, -c
	}
	return s, c
}
