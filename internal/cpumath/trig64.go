package cpumath

import "math"

// The parts of pi/2: whole numbers below 2^19 times one of the first three are
// exact in float64, and so are the first two differences in the reduction.
const (
	pi64A, pi64B = 1.570796325802803, 9.920935184482005e-10
	pi64C, pi64D = 6.12323399538461e-17, 3.5215598651832e-27
	// reducible64 is up to where arguments are reduced with those.
	reducible64 = 1 << 19
)

// sincos64 are the sine and cosine of r for |r| <= pi/4.
func sincos64(r float64) (s, c float64) {
	z := r * r
	p := 1.589544698409751e-10
	p = p*z - 2.5050734616659304e-08
	p = p*z + 2.755731353988659e-06
	p = p*z - 0.00019841269829362117
	p = p*z + 0.008333333333321844
	p = p*z - 0.1666666666666663
	s = r + r*z*p
	q := -1.1358694614185683e-11
	q = q*z + 2.0875704452374967e-09
	q = q*z - 2.755731421111374e-07
	q = q*z + 2.4801587288986182e-05
	q = q*z - 0.0013888888888873327
	q = q*z + 0.041666666666666595
	h := 0.5 * z
	w := 1 - h
	return s, w + (((1 - w) - h) + z*z*q)
}

// quadrant64 is the sine of r + n pi/2, where n is in the two lowest bits.
func quadrant64(r float64, n uint64) float64 {
	s, c := sincos64(r)
	if n&1 != 0 {
		s = c
	}
	return math.Float64frombits(math.Float64bits(s) ^ n>>1<<63)
}

// reduceQuarter64 is |x| modulo quarter turns: |x| is n quarter turns and r, where
// n is in the two lowest bits and |r| <= pi/4.
func reduceQuarter64(x float64) (r float64, n uint64) {
	a := math.Abs(x)
	t := a*(2/math.Pi) + round64
	k := t - round64
	r, n = (((a-k*pi64A)-k*pi64B)-k*pi64C)-k*pi64D, math.Float64bits(t)
	if !(a <= reducible64) {
		r, _, n = reduceHuge(a)
	}
	return r, n
}

// SinF64 is the sine of a float64.
func SinF64(x float64) float64 {
	r, n := reduceQuarter64(x)
	return math.Float64frombits(math.Float64bits(quadrant64(r, n)) ^ math.Float64bits(x)&sign64)
}

// CosF64 is the cosine of a float64.
func CosF64(x float64) float64 {
	r, n := reduceQuarter64(x)
	return quadrant64(r, n+1)
}

// TanF64 is the tangent of a float64.
func TanF64(x float64) float64 {
	a := math.Abs(x)
	t := a*(2/math.Pi) + round64
	k, n := t-round64, math.Float64bits(t)
	d := (a - k*pi64A) - k*pi64B
	r := d - k*pi64C
	e := ((d - r) - k*pi64C) - k*pi64D
	if !(a <= reducible64) {
		r, e, n = reduceHuge(a)
	}
	// h is the tangent of half the angle
	r *= 0.5
	z := r * r
	p := 0.0003287392227387922
	p = p*z + 0.0005591149001798345
	p = p*z + 0.0014615523907838134
	p = p*z + 0.0035914983585718825
	p = p*z + 0.008863277985471455
	p = p*z + 0.021869486813612823
	p = p*z + 0.05396825400769297
	p = p*z + 0.13333333333289143
	p = p*z + 0.33333333333333504
	h := r + (0.5*e + r*z*p)
	// 2 h / (1 - h^2), or the inverse's negative
	y, v := 2*h, 1-h*h
	if n&1 != 0 {
		y, v = -v, y
	}
	y /= v
	return math.Float64frombits(math.Float64bits(y) ^ math.Float64bits(x)&sign64)
}
