package cpumath

import "math"

const (
	piLo     = 1.2246467991473532e-16 // what pi is more than math.Pi
	halfPiLo = piLo / 2
	ln2      = 0.6931471805599453
)

// arctan is atan(t) - t for t from 0 to 1.
func arctan(t float64) float64 {
	z := t * t
	p := 1.3227291937963445e-05
	p = p*z - 0.00015218514067101856
	p = p*z + 0.0008314444255399539
	p = p*z - 0.002885297340745717
	p = p*z + 0.0071973057589429295
	p = p*z - 0.013901795782949493
	p = p*z + 0.021986284419516038
	p = p*z - 0.029905130955833567
	p = p*z + 0.0366427897901513
	p = p*z - 0.04219226353876755
	p = p*z + 0.047223421736636156
	p = p*z - 0.05253525079765716
	p = p*z + 0.05880529455707237
	p = p*z - 0.06666404369657002
	p = p*z + 0.0769227988310616
	p = p*z - 0.09090907007375527
	p = p*z + 0.11111111007322935
	p = p*z - 0.1428571428258763
	p = p*z + 0.19999999999951745
	p = p*z - 0.3333333333333307
	return t * z * p
}

// AtanF64 is the arc tangent of a float64.
func AtanF64(x float64) float64 {
	a := math.Abs(x)
	n, d := a, 1.0
	if a > 1 {
		n, d = 1, a
	}
	t := n / d
	p := arctan(t)
	y := t + p
	if a > 1 {
		y = math.Pi/2 - (t + (p - halfPiLo))
	}
	return signed64(y, x)
}

// Atan2F64 is the angle of the point (x, y) of float64.
func Atan2F64(y, x float64) float64 {
	a, b := math.Abs(y), math.Abs(x)
	n, d := a, b
	if a > b {
		n, d = b, a
	}
	t := n / d
	if d == 0 {
		t = 0
	}
	if n > math.MaxFloat64 { // both are infinite
		t = 1
	}
	p := arctan(t)
	// the angle is c + s (t + p)
	c, l, s := 0.0, 0.0, 1.0
	if math.Float64bits(x)&sign64 != 0 {
		c, l, s = math.Pi, piLo, -1
	}
	if a > b {
		c, l, s = math.Pi/2, halfPiLo, -s
	}
	r := c + (s*t + (s*p + l))
	if a != a || b != b {
		r = nan64()
	}
	return signed64(r, y)
}

// arcsin is (asin(x) - x) / x as a function of z = x^2 from 0 to 1/4.
func arcsin(z float64) float64 {
	p := 0.032647699306037656
	p = p*z - 0.02102809235183494
	p = p*z + 0.02172685647869195
	p = p*z + 0.0036989170996260235
	p = p*z + 0.010782097044515094
	p = p*z + 0.01139861042521903
	p = p*z + 0.013980853707137598
	p = p*z + 0.017351609604781795
	p = p*z + 0.022372215098046384
	p = p*z + 0.030381942704918032
	p = p*z + 0.04464285717464223
	p = p*z + 0.07499999999970813
	p = p*z + 0.1666666666666676
	return z * p
}

// AsinF64 is the arc sine of a float64.
func AsinF64(x float64) float64 {
	a := math.Abs(x)
	z := a * a
	if a > 0.5 {
		z = 0.5 * (1 - a)
	}
	p := arcsin(z)
	y := a + a*p
	if a > 0.5 {
		// pi/2 - 2 asin(sqrt(z)); sqrt(z) is s + e
		s := math.Sqrt(z)
		h := top(s)
		e := (z - h*h) / (s + h)
		if z == 0 {
			e = 0
		}
		y = math.Pi/4 - (2*s*p - (halfPiLo - 2*e)) - (2*h - math.Pi/4)
	}
	return signed64(y, x)
}

// AcosF64 is the arc cosine of a float64.
func AcosF64(x float64) float64 {
	a := math.Abs(x)
	z := a * a
	if a > 0.5 {
		z = 0.5 * (1 - a)
	}
	p := arcsin(z)
	y := math.Pi/2 - (x - (halfPiLo - x*p))
	if a > 0.5 {
		s := math.Sqrt(z)
		y = 2 * (s + s*p)
		if x < 0 {
			y = math.Pi - (y - piLo)
		}
	}
	return y
}

// AsinhF64 is the inverse hyperbolic sine of a float64.
func AsinhF64(x float64) float64 {
	a := math.Abs(x)
	z := a * a
	y := Log1pF64(a + z/(1+math.Sqrt(1+z)))
	if a > 0x1p500 {
		y = LogF64(a) + ln2
	}
	return signed64(y, x)
}

// AcoshF64 is the inverse hyperbolic cosine of a float64.
func AcoshF64(x float64) float64 {
	t := x - 1
	y := Log1pF64(t + math.Sqrt(2*t+t*t))
	if x > 0x1p500 {
		y = LogF64(x) + ln2
	}
	if x < 1 {
		y = nan64()
	}
	return y
}

// AtanhF64 is the inverse hyperbolic tangent of a float64.
func AtanhF64(x float64) float64 {
	a := math.Abs(x)
	t := 2 * a
	u := t + t*a/(1-a)
	if a >= 0.5 {
		u = t / (1 - a)
	}
	return signed64(0.5*Log1pF64(u), x)
}
