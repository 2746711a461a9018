package cpumath

// TanhF32 is the hyperbolic tangent of a float32.
func TanhF32(x float32) float32 {
	a := abs32(x)
	z := a * a
	p := float32(-0.00569123821)
	p = p*z + 0.0206273664
	p = p*z - 0.0537363216
	p = p*z + 0.133314043
	p = p*z - 0.333332807
	near := a + a*z*p
	if a > 10 {
		a = 10
	}
	y := 1 - 2/(exp32(2*a)+1)
	if !(a >= 0.625) {
		y = near
	}
	return signed32(y, x)
}

// SinhF32 is the hyperbolic sine of a float32.
func SinhF32(x float32) float32 {
	a := abs32(x)
	z := a * a
	p := float32(2.78221273e-06)
	p = p*z + 0.000198428956
	p = p*z + 0.00833331048
	p = p*z + 0.166666672
	near := a + a*z*p
	e := half32(a)
	y := e - 0.25/e
	if a < 1 {
		y = near
	}
	return signed32(y, x)
}

// CoshF32 is the hyperbolic cosine of a float32.
func CoshF32(x float32) float32 {
	e := half32(abs32(x))
	return e + 0.25/e
}

// half32 is exp(x) / 2 for x >= 0.
func half32(x float32) float32 {
	if x > 91 {
		x = 91 // exp overflows
	}
	r, t := reduceExp32(x)
	n := wholePart32(t)
	return scale32(exponential32(r), n-1)
}
