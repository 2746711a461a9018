package dsl

import "math"

// This file has the error function's relatives and Bessel's functions.

const (
	twoByRootPi = 1.1283791670955126 // 2 / sqrt(pi)
	rootHalfHi  = 0.7071067811865476 // sqrt(1/2), and what a float64 lacks of it
	rootHalfLo  = -4.833646656726457e-17
)

// Erfcx returns the scaled complementary error function of x, e^(x*x) * erfc(x) (HIP erfcxf, erfcx).
func Erfcx[T Float](x T) T { return T(erfcx(float64(x))) }

func erfcx(x float64) float64 {
	a := math.Abs(x)
	if !(a < 1e50) {
		switch {
		case x < 0:
			return math.Inf(1)
		case x > math.MaxFloat64:
			return 0
		}
		return (twoByRootPi / 2) / x // NaN too
	}
	y := fitErfcx((a-4)/(a+4)) / (1 + 2*a)
	if x < 0 {
		h := MulRn(x, x)
		e := math.Exp(h)
		y = 2*(e+e*FmaRn(x, x, -h)) - y
		if h > 710 {
			y = math.Inf(1)
		}
	}
	return y
}

// Erfinv returns the inverse error function of x, infinite at -1 and 1, NaN beyond (HIP erfinvf, erfinv).
func Erfinv[T Float](x T) T { return T(erfinv(float64(x))) }

func erfinv(x float64) float64 {
	a := math.Abs(x)
	if a <= 0.5 {
		return x * fitErfinv(8*x*x-1)
	}
	return math.Copysign(erfcinvSmall(1-a), x)
}

// Erfcinv returns the inverse complementary error function of x, infinite at 0 and 2, NaN beyond
// (HIP erfcinvf, erfcinv).
func Erfcinv[T Float](x T) T { return T(erfcinv(float64(x))) }

func erfcinv(x float64) float64 {
	switch {
	case x > 1.5:
		return -erfcinvSmall(2 - x)
	case x >= 0.5:
		return erfinv(1 - x)
	}
	return erfcinvSmall(x)
}

// erfcinvSmall is the inverse complementary error function from 0 to 1/2.
func erfcinvSmall(y float64) float64 {
	switch {
	case y == 0:
		return math.Inf(1)
	case !(y > 0):
		return math.NaN()
	}
	s := math.Sqrt(-logarithm(y))
	switch {
	case s < 5.0/3:
		return s * fitErfcinv((s-1.25)*2.4)
	case s < 10.0/3:
		return s * fitErfcinvMid((s-2.5)*1.2)
	}
	return s * erfcinvTail(s)
}

// erfcinvTail is erfcinv(y)/s for an s = sqrt(-log(y)) of 10/3 or more.
func erfcinvTail(s float64) float64 {
	switch {
	case s < 20.0/3:
		return fitErfcinvLow((s - 5) * 0.6)
	case s < 40.0/3:
		return fitErfcinvFar((s - 10) * 0.3)
	}
	return fitErfcinvLeast((s - 20.75) * 2 / 15)
}

// Normcdf returns the standard normal distribution function of x, erfc(-x/sqrt(2))/2 (HIP normcdff,
// normcdf).
func Normcdf[T Float](x T) T { return T(normcdf(float64(x))) }

func normcdf(x float64) float64 {
	z := MulRn(x, -rootHalfHi)
	y := math.Erfc(z)
	if math.Abs(z) < 30 {
		low := FmaRn(x, -rootHalfHi, -z) - x*rootHalfLo
		if z > 1 { // the slope is e^(-z*z), which erfcx is without
			y -= y * (twoByRootPi / erfcx(z) * low)
		} else {
			y -= twoByRootPi * math.Exp(-z*z) * low
		}
	}
	return y / 2
}

// Normcdfinv returns the inverse of the standard normal distribution function, infinite at 0 and 1,
// NaN beyond (HIP normcdfinvf, normcdfinv).
func Normcdfinv[T Float](x T) T {
	w := float64(x)
	if w < 0.25 || w > 0.75 {
		return T(-math.Sqrt2 * erfcinv(2*w))
	}
	return T(math.Sqrt2 * erfinv(2*w-1))
}

// J0 returns Bessel's function of the first kind of order 0 (HIP j0f, j0).
func J0[T Float](x T) T { return T(besselJ0(float64(x))) }

// J1 returns Bessel's function of the first kind of order 1 (HIP j1f, j1).
func J1[T Float](x T) T { return T(besselJ1(float64(x))) }

// Jn returns Bessel's function of the first kind of order n (HIP jnf, jn).
func Jn[T Float](n int, x T) T { return T(besselJn(n, float64(x))) }

// Y0 returns Bessel's function of the second kind of order 0, -Inf at 0, NaN below (HIP y0f, y0).
func Y0[T Float](x T) T { return T(besselY0(float64(x))) }

// Y1 returns Bessel's function of the second kind of order 1, -Inf at 0, NaN below (HIP y1f, y1).
func Y1[T Float](x T) T { return T(besselY1(float64(x))) }

// Yn returns Bessel's function of the second kind of order n, NaN below 0 (HIP ynf, yn).
func Yn[T Float](n int, x T) T { return T(besselYn(n, float64(x))) }

// CylBesselI0 returns the regular modified Bessel function of order 0 (HIP cyl_bessel_i0f, cyl_bessel_i0).
func CylBesselI0[T Float](x T) T {
	a := math.Abs(float64(x))
	if a <= 8 {
		return T(fitI0(a * a / 4))
	}
	return T(grown(a, fitI0Far(16/a-1)))
}

// CylBesselI1 returns the regular modified Bessel function of order 1 (HIP cyl_bessel_i1f, cyl_bessel_i1).
func CylBesselI1[T Float](x T) T {
	a := math.Abs(float64(x))
	if a <= 8 {
		return T(float64(x) / 2 * fitI1(a*a/4))
	}
	return T(math.Copysign(grown(a, fitI1Far(16/a-1)), float64(x)))
}

// grown is p * e^a / sqrt(a); a part of it is finite where e^a is not.
func grown(a, p float64) float64 {
	if a <= 700 {
		return math.Exp(a) * (p / math.Sqrt(a))
	}
	if a > 800 {
		return math.Inf(1)
	}
	e := math.Exp(a / 2)
	return e * (p / math.Sqrt(a)) * e
}
