package cpumath

import "math"

// halfExp is exp(x) / 2 = hi + lo for x from 0 to 712.
func halfExp(x float64) (hi, lo float64) {
	hi, lo, n := exponential(x, 0)
	return scale64(hi, n-1), scale64(lo, n-1)
}

// CoshF64 is the hyperbolic cosine of a float64.
func CoshF64(x float64) float64 {
	a := math.Abs(x)
	if a > 712 {
		a = 712 // exp overflows
	}
	h, l := halfExp(a)
	y := h + (l + 0.25/h)
	if h > math.MaxFloat64 {
		y = h
	}
	return y
}

// SinhF64 is the hyperbolic sine of a float64.
func SinhF64(x float64) float64 {
	a := math.Abs(x)
	z := a * a
	p := 6.479620918569441e-15
	p = p*z + 7.503139066953043e-13
	p = p*z + 1.6061340550915127e-10
	p = p*z + 2.505208940589994e-08
	p = p*z + 2.7557319310105282e-06
	p = p*z + 0.0001984126984106115
	p = p*z + 0.008333333333333573
	p = p*z + 0.16666666666666666
	near := a + a*z*p
	if a > 712 {
		a = 712
	}
	h, l := halfExp(a)
	y := h + (l - 0.25/h)
	if h > math.MaxFloat64 {
		y = h
	}
	if !(a >= 1) {
		y = near
	}
	return signed64(y, x)
}

// TanhF64 is the hyperbolic tangent of a float64.
func TanhF64(x float64) float64 {
	a := math.Abs(x)
	z := a * a
	p := -1.606910146526715e-05
	p = p*z + 7.713729331562674e-05
	p = p*z - 0.0002285580033752716
	p = p*z + 0.0005863134743746137
	p = p*z - 0.0014549579425301962
	p = p*z + 0.003591988991660112
	p = p*z - 0.008863220980049455
	p = p*z + 0.021869487574371013
	p = p*z - 0.053968253931192436
	p = p*z + 0.1333333333326193
	p = p*z - 0.33333333333332854
	near := a + a*z*p
	if a > 20 {
		a = 20
	}
	hi, lo, t := reduceExp64(2 * a)
	e := addExponent64(1+(hi+(tail64(hi-lo)-lo)), t)
	y := 1 - 2/(e+1)
	if !(a >= 0.625) {
		y = near
	}
	return signed64(y, x)
}
