package cpumath

import "math"

// The parts of pi/2: whole numbers below 2^7 times one of the first two are exact.
const (
	pi32A, pi32B, pi32C = 1.5707855224609375, 1.0804273188114166e-05, 6.07710051e-11
	// reducible32 is up to where arguments are reduced with those.
	reducible32 = 199
)

// reduceFar32 is reduceQuarter32 above that.
func reduceFar32(a float32) (r float32, n uint32) {
	const hi, lo = 1.5707963267341256, 6.077100506506192e-11 // pi/2; hi has 32 bits
	x := float64(a)
	t := x*(2/math.Pi) + round64
	k := t - round64
	h, n64 := (x-k*hi)-k*lo, math.Float64bits(t)
	if !(a <= 0x1p20) {
		h, _, n64 = reduceHuge(x)
	}
	return float32(h), uint32(n64)
}

// quadrant32 is the sine of r + n pi/2, where n is in the two lowest bits and |r| <= pi/4.
func quadrant32(r float32, n uint32) float32 {
	z := r * r
	p := float32(-0.000195180721)
	p = p*z + 0.00833218824
	p = p*z - 0.166666552
	s := r + r*z*p
	q := float32(2.44323273e-05)
	q = q*z - 0.00138873095
	q = q*z + 0.0416666456
	c := (1 - 0.5*z) + z*z*q
	if n&1 != 0 {
		s = c
	}
	return math.Float32frombits(math.Float32bits(s) ^ n>>1<<31)
}

// reduceQuarter32 is |x| modulo quarter turns: |x| is n quarter turns and r, where
// n is in the two lowest bits and |r| <= pi/4.
func reduceQuarter32(x float32) (r float32, n uint32) {
	a := abs32(x)
	t := a*(2/math.Pi) + round32
	k := t - round32
	r, n = ((a-k*pi32A)-k*pi32B)-k*pi32C, math.Float32bits(t)
	if !(a <= reducible32) {
		r, n = reduceFar32(a)
	}
	return r, n
}

// SinF32 is the sine of a float32.
func SinF32(x float32) float32 {
	r, n := reduceQuarter32(x)
	return math.Float32frombits(math.Float32bits(quadrant32(r, n)) ^ math.Float32bits(x)&sign32)
}

// CosF32 is the cosine of a float32.
func CosF32(x float32) float32 {
	r, n := reduceQuarter32(x)
	return quadrant32(r, n+1)
}

// TanF32 is the tangent of a float32.
func TanF32(x float32) float32 {
	r, n := reduceQuarter32(x)
	z := r * r
	p := float32(0.00939482357)
	p = p*z + 0.00310412864
	p = p*z + 0.0244399179
	p = p*z + 0.0534085482
	p = p*z + 0.133388326
	p = p*z + 0.333331555
	y := r + r*z*p
	if n&1 != 0 {
		y = -1 / y
	}
	return math.Float32frombits(math.Float32bits(y) ^ math.Float32bits(x)&sign32)
}
