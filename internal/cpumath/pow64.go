package cpumath

import "math"

// logarithm is log(x) = hi + lo of a positive number's bits, to 65 bits.
func logarithm(bits uint64) (hi, lo float64) {
	f, k := reduceLog64(bits)
	// s = f / (2 + f) as sh + sl
	d := 2 + f
	v := 1 / d
	s := f * v
	sh := top(s)
	dh := top(d)
	dl := (d - dh) + (f - (d - 2))
	sl := v * ((f - sh*dh) - sh*dl)
	// log(1 + f) = 2/3 s (3 + z + z^2 p) with z = s^2
	s = sh + sl
	z := s * s
	p := 0.17997873778259146
	p = p*z + 0.17510481185911766
	p = p*z + 0.2000456318320304
	p = p*z + 0.23076833021284784
	p = p*z + 0.2727272833922693
	p = p*z + 0.33333333326028214
	p = p*z + 0.42857142857168806
	p = p*z + 0.5999999999999996
	u, e := fastSum(3, sh*sh)
	e += sl*(sh+s) + z*z*p
	uh := top(u + e)
	ul := (u - uh) + e
	h, l := fastSum(sh*uh, sl*(u+e)+sh*ul)
	// times 2/3
	hh := top(h)
	hl := (h - hh) + l
	const third, rest = 0.6666666567325592, 9.934107462565104e-09
	h, l = fastSum(hh*third, hl*third+(hh+hl)*rest)
	hi, e = fastSum(k*ln2Hi64, h)
	return fastSum(hi, e+(l+k*ln2Lo64))
}

// PowF64 is x to the power y of float64.
func PowF64(x, y float64) float64 {
	hi, lo := logarithm(math.Float64bits(x))
	h, l := times(hi, lo, y)
	eh, el, t := reduceExp64(h)
	el -= l
	p := 1 + (eh + (tail64(eh-el) - el))
	r := addExponent64(p, t)
	if unusualLog64(x) || !(math.Abs(h) <= 708 && math.Abs(y) <= 0x1p900) {
		r = edgePow64(x, y)
	}
	return r
}

// times is (hi + lo) y.
func times(hi, lo, y float64) (h, l float64) {
	hh, yh := top(hi), top(y)
	hl, yl := (hi-hh)+lo, y-yh
	return fastSum(hh*yh, hh*yl+hl*y)
}

// edgePow64 is pow of any x and y.
func edgePow64(x, y float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	hi, lo := logarithm(normal64(a))
	// a larger exponent changes nothing: |log a| is 0 or 2^-53 at least
	e := y
	if b > 0x1p70 {
		e = signed64(0x1p70, y)
	}
	h, l := times(hi, lo, e)
	over, under := h > 710, h < -746
	if over || under {
		h, l = 0, 0
	}
	hi, lo, n := exponential(h, l)
	r := scale64(hi+lo, n)
	if under {
		r = 0
	}
	if over {
		r = infinity64()
	}
	if a == 0 || !(a <= math.MaxFloat64) || !(b <= math.MaxFloat64) {
		r = 0
		if (a > 1) == (y > 0) {
			r = infinity64()
		}
	}
	whole := math.Trunc(b) == b
	if math.Float64bits(x)&sign64 != 0 {
		if whole && math.Trunc(b*0.5) != b*0.5 {
			r = -r
		}
		if !whole && a != 0 && a <= math.MaxFloat64 {
			r = nan64()
		}
	}
	if x != x || y != y {
		r = nan64()
	}
	if x == 1 || y == 0 || x == -1 && b > math.MaxFloat64 {
		r = 1
	}
	return r
}

// RsqrtF64 is 1 / sqrt(x) of a float64. The square root of the inverse is the more
// accurate one.
func RsqrtF64(x float64) float64 {
	y := math.Sqrt(1 / x)
	if !(x >= 0x1p-1000 && x <= 0x1p1000) {
		s, r := x, 1.0
		if x < 0x1p-1000 {
			s, r = x*0x1p200, 0x1p100
		}
		if x > 0x1p1000 {
			s, r = x*0x1p-200, 0x1p-100
		}
		y = math.Sqrt(1/s) * r
		if x == 0 {
			y = 1 / x
		}
		if x < 0 {
			y = nan64()
		}
	}
	return y
}

// CbrtF64 is the cube root of a float64.
func CbrtF64(x float64) float64 {
	a, s := math.Abs(x), 1.0
	if a < 0x1p-1022 {
		a, s = a*0x1p54, 0x1p-18
	}
	// y approaches a^(-1/3): a first guess with an error of 4%, then twice a method
	// of fourth order
	y := math.Float64frombits(uint64(0x553ef0ff-uint32(math.Float64bits(a)>>32)/3) << 32)
	y = inverseCube(a, y)
	y = inverseCube(a, y)
	t := top(a * y * y)
	p, e := product(t*t, t) // t^2 is exact
	c := ((a - p) - e) * (y * y * (1.0 / 3))
	t += c + c*c*y
	t *= s
	if a == 0 || !(a <= math.MaxFloat64) {
		t = a
	}
	return signed64(t, x)
}

// inverseCube improves y, about a^(-1/3).
func inverseCube(a, y float64) float64 {
	r := 1 - a*y*y*y
	return y + y*(r*(1.0/3+r*(2.0/9+r*(14.0/81))))
}

// HypotF64 is sqrt(x^2 + y^2) of float64.
func HypotF64(x, y float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	if a < b {
		a, b = b, a
	}
	e := int32(math.Float64bits(a)>>52) - 1023
	if e > 1000 {
		e = 1000
	}
	if e < -1000 {
		e = -1000
	}
	s := power64(-e)
	c, d := a*s, b*s
	r := math.Sqrt(c*c+d*d) * power64(e)
	if a > math.MaxFloat64 || b > math.MaxFloat64 {
		r = infinity64()
	}
	return r
}
