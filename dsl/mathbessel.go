package dsl

import "math"

// This file computes Bessel's functions of orders 0 and 1. Beside their zeros beyond 8 the error is
// absolute, as that of sin(x) would be if x were rounded.

const twoByPi = 0.6366197723675814

// The rows of besselPieces.
const (
	pieceJ0 = iota
	pieceJ1 // J1(x)/x
	pieceY0 // Y0 and Y1 from 2 on
	pieceY1
)

// besselPiece is one of these functions of x from 0 to 8.
func besselPiece(which int, x float64) float64 {
	k := int(x) >> 1 & 3
	t := x - float64(2*k+1)
	const terms = len(besselPieces[0][0]) - 2
	p := 0.0
	for i := terms - 1; i >= 0; i-- {
		p = p*t + besselPieces[which][k][i]
	}
	zero, low := besselPieces[which][k][terms], besselPieces[which][k][terms+1]
	if low == 1 {
		return p
	}
	return p * (SubRn(x, zero) - low)
}

// besselFar is J and Y of order 0 or 1 of x from 8 up: of a modulus and a phase, both smooth.
func besselFar(order int, x float64) (j, y float64) {
	if x > math.MaxFloat64 {
		return 0, 0
	}
	w := 8 / x
	t := 2*w*w - 1
	s, c := math.Sincos(x)
	s, c = (s-c)*rootHalfHi, (s+c)*rootHalfHi // of x - pi/4
	m, p := fitModulus0(t), fitPhase0(t)
	if order == 1 {
		s, c = -c, s
		m, p = fitModulus1(t), fitPhase1(t)
	}
	m /= math.Sqrt(x)
	sp, cp := math.Sincos(p / x)
	return m * (c*cp - s*sp), m * (s*cp + c*sp)
}

func besselJ0(x float64) float64 {
	x = math.Abs(x)
	if x < 8 {
		return besselPiece(pieceJ0, x)
	}
	j, _ := besselFar(0, x)
	return j
}

func besselJ1(x float64) float64 {
	a := math.Abs(x)
	if a < 8 {
		return x * besselPiece(pieceJ1, a)
	}
	j, _ := besselFar(1, a)
	return math.Copysign(1, x) * j
}

func besselY0(x float64) float64 {
	switch {
	case x < 0:
		return math.NaN()
	case x < 2:
		return twoByPi*logarithm(x)*besselPiece(pieceJ0, x) + fitY0Near(x*x/2-1)
	case x < 8:
		return besselPiece(pieceY0, x)
	}
	_, y := besselFar(0, x)
	return y
}

func besselY1(x float64) float64 {
	switch {
	case x < 0:
		return math.NaN()
	case x < 2:
		if x < 0x1p-60 {
			return -twoByPi / x
		}
		return twoByPi*(math.Log(x)*x*besselPiece(pieceJ1, x)-1/x) + x*fitY1Near(x*x/2-1)
	case x < 8:
		return besselPiece(pieceY1, x)
	}
	_, y := besselFar(1, x)
	return y
}

func besselJn(n int, x float64) float64 {
	sign := 1.0
	if n < 0 {
		n, x = -n, -x
	}
	if x < 0 {
		x = -x
		if n&1 != 0 {
			sign = -1
		}
	}
	switch {
	case n == 0:
		return besselJ0(x)
	case n == 1:
		return sign * besselJ1(x)
	case x != x:
		return x
	case x > math.MaxFloat64:
		return 0
	case x <= 2:
		return sign * besselSeries(n, x/2)
	case float64(n) <= x:
		a, b := besselJ0(x), besselJ1(x)
		for i := 1; i < n; i++ {
			a, b = b, float64(2*i)/x*b-a
		}
		return sign * b
	}
	return sign * besselDown(n, x)
}

// besselSeries is Jn(2h) for h up to 1: (h^n/n!) (1 - h*h/(n+1) + h^4/(2(n+1)(n+2)) - ...)
func besselSeries(n int, h float64) float64 {
	power := 1.0
	for i := 1; i <= n && power != 0; i++ {
		power *= h / float64(i)
	}
	sum, term := 1.0, 1.0
	for k := 1; k < 18; k++ {
		term *= -h * h / (float64(k) * float64(n+k))
		sum += term
	}
	return power * sum
}

// besselDown is Jn(x) for 2 < x < n: the recurrence is stable downwards, begun far enough above with
// anything, and its scale is that of J0 + 2 J2 + 2 J4 + ... = 1 (J. C. P. Miller).
func besselDown(n int, x float64) float64 {
	above, at, sum, value := 0.0, 1.0, 0.0, 0.0
	for k := (n + int(math.Sqrt(float64(200*n)))) | 1; k > 0; k-- {
		above, at = at, float64(2*k)/x*at-above // at is of order k-1
		if math.Abs(at) > 0x1p200 {
			above, at, sum, value = above*0x1p-200, at*0x1p-200, sum*0x1p-200, value*0x1p-200
		}
		if k-1 == n {
			value = at
		}
		if k&1 != 0 && k > 1 {
			sum += 2 * at
		}
	}
	return value / (sum + at)
}

func besselYn(n int, x float64) float64 {
	sign := 1.0
	if n < 0 {
		n = -n
		if n&1 != 0 {
			sign = -1
		}
	}
	a, b := besselY0(x), besselY1(x)
	switch {
	case n == 0:
		return a
	case x > math.MaxFloat64:
		return 0
	}
	for i := 1; i < n && b >= -math.MaxFloat64; i++ {
		a, b = b, float64(2*i)/x*b-a
	}
	return sign * b
}
