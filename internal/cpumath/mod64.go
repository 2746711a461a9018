package cpumath

import "math"

// exponent is floor(log2(x)) of a positive finite number.
func exponent(x float64) int32 {
	return int32(normal64(x)>>32)>>20 - 1023
}

// modulo is a modulo b of positive finite numbers, without error.
func modulo(a, b float64) float64 {
	eb := exponent(b)
	for a >= b {
		// take off a whole multiple, below 2^25, of c = b 2^n
		c := b
		n := exponent(a) - eb - 23
		if n > 1000 {
			c *= 0x1p1000
			n -= 1000
		}
		if n > 1000 {
			c *= 0x1p1000
			n -= 1000
		}
		if n > 0 {
			c *= power64(n)
		}
		s := 1.0
		if a > 0x1p1000 { // room for rounding up
			a, c, s = a*0x1p-60, c*0x1p-60, 0x1p60
		}
		q := math.Trunc(a / c)
		// c = h + l with l <= 0; the products with q are exact, and so are the differences
		h := math.Float64frombits((math.Float64bits(c) + (1<<27 - 1)) &^ (1<<27 - 1))
		a = (a - q*h) - q*(c-h)
		if a < 0 {
			a += c
		}
		a *= s
	}
	return a
}

// FmodF64 is C's fmod of float64: x less a whole multiple of y, with the sign of x.
func FmodF64(x, y float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	usual := a <= math.MaxFloat64 && b <= math.MaxFloat64 && b > 0
	r := a
	if usual {
		r = modulo(a, b)
	}
	if !usual && !(a <= math.MaxFloat64 && b > math.MaxFloat64) {
		r = nan64()
	}
	return signed64(r, x)
}

// RemainderF64 is C's remainder of float64: x less the whole multiple of y that is
// nearest to it, an even one of two.
func RemainderF64(x, y float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	usual := a <= math.MaxFloat64 && b <= math.MaxFloat64 && b > 0
	r := a
	if usual {
		if b < 0x1p1023 {
			r = modulo(a, b+b)
		}
		// 2 r is compared with b without overflow or underflow
		if r > b || r > b-r {
			r -= b
			if r >= 0 && r >= b-r {
				r -= b
			}
		}
	}
	if !usual && !(a <= math.MaxFloat64 && b > math.MaxFloat64) {
		r = nan64()
	}
	return math.Float64frombits(math.Float64bits(r) ^ math.Float64bits(x)&sign64)
}
