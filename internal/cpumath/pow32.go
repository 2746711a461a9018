package cpumath

import "math"

// RsqrtF32 is 1 / sqrt(x) of a float32.
func RsqrtF32(x float32) float32 {
	y := rsqrt32(x)
	if unusualLog32(x) {
		y = edgeRsqrt32(x)
	}
	return y
}

// rsqrt32 is 1 / sqrt(x) of a normal, positive number.
func rsqrt32(x float32) float32 {
	return halley32(x, estimateRsqrt32(x))
}

// estimateRsqrt32 is 1 / sqrt(x) of a normal, positive number with an error below 1/2048. The cpu device
// takes a processor's instruction for it where there is one (Estimated).
func estimateRsqrt32(x float32) float32 {
	return halley32(x, math.Float32frombits(0x5f375a86-math.Float32bits(x)>>1)) // the guess has an error of 3.5%
}

// halley32 makes a better one of y, which is about 1 / sqrt(x), by Halley's method.
func halley32(x, y float32) float32 {
	r := 1 - x*y*y
	return y + y*(r*(0.5+0.375*r))
}

// edgeRsqrt32 is 1 / sqrt(x) of any other number. It is no root and division: LLVM would
// take those for cheap, and do them always instead of branching.
func edgeRsqrt32(x float32) float32 {
	y := rsqrt32(x*0x1p24) * 0x1p12
	if x == 0 {
		y = math.Float32frombits(math.Float32bits(x) | 0x7f800000)
	}
	if x > math.MaxFloat32 {
		y = 0
	}
	if !(x >= 0) {
		y = nan32()
	}
	return y
}

// PowF32 is x to the power y of float32.
func PowF32(x, y float32) float32 {
	r, l := power(math.Float32bits(x), y)
	if unusualLog32(x) || !(math.Abs(l) <= 126) {
		r = edgePow32(x, y)
	}
	return r
}

// power is 2^l, where l is y times the binary logarithm of a positive number.
func power(bits uint32, y float32) (r float32, l float64) {
	f32, k := reduceLog32(bits)
	f := float64(f32)
	p := 0.15750912586011934
	p = p*f - 0.16610012969628415
	p = p*f + 0.12357329942846632
	p = p*f - 0.13746266620046566
	p = p*f + 0.16088998890863573
	p = p*f - 0.18080589166267091
	p = p*f + 0.2060760384608145
	p = p*f - 0.24043366865159452
	p = p*f + 0.2885394403255298
	p = p*f - 0.3606739784558331
	p = p*f + 0.48089834396947195
	p = p*f - 0.7213475195702134
	p = p*f + 1.4426950408923398
	l = float64(y) * (float64(k) + f*p)
	t := l + round64
	e := power2of32(float32(l - (t - round64)))
	return math.Float32frombits(math.Float32bits(e) + uint32(math.Float64bits(t))<<23), l
}

// edgePow32 is pow of any x and y.
func edgePow32(x, y float32) float32 {
	a := abs32(x)
	_, l := power(normal32(a), y)
	// of l within the range of results
	c := l
	if c > 129 {
		c = 129
	}
	if c < -151 {
		c = -151
	}
	t := c + round64
	r := scale32(power2of32(float32(c-(t-round64))), int32(uint32(math.Float64bits(t))))
	if c <= -151 {
		r = 0
	}
	if a == 0 || !(a <= math.MaxFloat32) || !(abs32(y) <= math.MaxFloat32) {
		r = infinite32(a, y)
	}
	b := math.Abs(float64(y))
	whole := math.Trunc(b) == b
	odd := whole && math.Trunc(b/2) != b/2
	if math.Float32bits(x)&sign32 != 0 {
		if odd {
			r = -r
		}
		if !whole && a != 0 && a <= math.MaxFloat32 {
			r = nan32()
		}
	}
	if x != x || y != y {
		r = nan32()
	}
	if x == 1 || y == 0 || x == -1 && b > math.MaxFloat64 {
		r = 1
	}
	return r
}

// infinite32 is a^y where a is 0 or infinite, or y is infinite.
func infinite32(a, y float32) float32 {
	r := float32(0)
	if (a > 1) == (y > 0) {
		r = infinity32()
	}
	return r
}
