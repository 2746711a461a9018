package dsl

import "math"

// This file has lengths of vectors, roots, and sines of half turns.

// Norm3D returns the square root of x*x + y*y + z*z without undue overflow (HIP norm3df, norm3d).
func Norm3D[T Float](x, y, z T) T { return root[T](ordered(x, y, z, 0)) }

// Norm4D returns the square root of x*x + y*y + z*z + w*w without undue overflow (HIP norm4df,
// norm4d).
func Norm4D[T Float](x, y, z, w T) T { return root[T](ordered(x, y, z, w)) }

// Rhypot returns 1 divided by the square root of x*x + y*y (HIP rhypotf, rhypot).
func Rhypot[T Float](x, y T) T { return inverseRoot[T](ordered(x, y, 0, 0)) }

// Rnorm3D returns 1 divided by the square root of x*x + y*y + z*z (HIP rnorm3df, rnorm3d).
func Rnorm3D[T Float](x, y, z T) T { return inverseRoot[T](ordered(x, y, z, 0)) }

// Rnorm4D returns 1 divided by the square root of x*x + y*y + z*z + w*w (HIP rnorm4df, rnorm4d).
func Rnorm4D[T Float](x, y, z, w T) T { return inverseRoot[T](ordered(x, y, z, w)) }

// Norm returns the square root of the sum of the squares of a's elements without undue overflow,
// 0 for none (HIP normf, norm).
func Norm[T Float](a []T) T { return root[T](sumOfSquares(a)) }

// Rnorm returns 1 divided by the square root of the sum of the squares of a's elements (HIP
// rnormf, rnorm).
func Rnorm[T Float](a []T) T { return inverseRoot[T](sumOfSquares(a)) }

// A square is the sum of some squares, (hi + lo) * 4^exp: an infinity if one of them was, NaN
// if one was and none was an infinity.
type square struct {
	hi, lo float64
	exp    int
}

// ordered is the sum of four squares.
func ordered[T Float](x, y, z, w T) square {
	a, b := math.Abs(float64(x)), math.Abs(float64(y))
	c, d := math.Abs(float64(z)), math.Abs(float64(w))
	if a > math.MaxFloat64 || b > math.MaxFloat64 || c > math.MaxFloat64 || d > math.MaxFloat64 {
		return square{hi: math.Inf(1)}
	}
	s := square{exp: exponentOf(max(a, b, c, d))}
	if single[T]() {
		s.exp = 0
	}
	s.add(a)
	s.add(b)
	s.add(c)
	s.add(d)
	return s
}

func sumOfSquares[T Float](a []T) square {
	most, infinite := 0.0, false
	for _, x := range a {
		if v := math.Abs(float64(x)); v > most {
			most = v
		}
		infinite = infinite || IsInf(x)
	}
	if infinite {
		return square{hi: most}
	}
	s := square{exp: exponentOf(most)}
	if single[T]() {
		s.exp = 0
	}
	for _, x := range a {
		s.add(float64(x))
	}
	return s
}

// exponentOf is the exponent that a number is scaled by, so that its square is far from the
// ends of float64: 0 for numbers of middling size.
func exponentOf(x float64) int {
	switch {
	case x > 0x1p500:
		return 600
	case x < 0x1p-400:
		return -600
	}
	return 0
}

// add adds the square of x.
func (s *square) add(x float64) {
	if s.exp != 0 {
		x *= power2(-s.exp)
	}
	p := MulRn(x, x)
	sum, rest := twoSum(s.hi, p)
	s.hi, s.lo = sum, s.lo+(rest+FmaRn(x, x, -p))
}

// root is the square root of s.
func root[T Float](s square) T {
	r := SqrtRn(s.hi)
	if r > 0 && r <= math.MaxFloat64 {
		r += (FmaRn(-r, r, s.hi) + s.lo) / (2 * r)
	}
	return T(math.Ldexp(r, s.exp))
}

// inverseRoot is 1 divided by the square root of s.
func inverseRoot[T Float](s square) T {
	r := DivRn(1, SqrtRn(s.hi))
	if r > 0 && r <= math.MaxFloat64 {
		t := MulRn(s.hi, r)
		r += r * ((FmaRn(-t, r, 1) - r*(FmaRn(s.hi, r, -t)+s.lo*r)) / 2)
	}
	return T(math.Ldexp(r, -s.exp))
}

// Rcbrt returns 1 divided by the cube root of x (HIP rcbrtf, rcbrt).
func Rcbrt[T Float](x T) T {
	a, scale := float64(x), 1.0
	if single[T]() || x == 0 || x-x != 0 {
		return T(1 / math.Cbrt(a))
	}
	switch { // keep 1/x away from the ends
	case math.Abs(a) < 0x1p-900:
		a, scale = a*0x1p300, 0x1p100
	case math.Abs(a) > 0x1p900:
		a, scale = a*0x1p-300, 0x1p-100
	}
	r := 1 / math.Cbrt(a)
	square := MulRn(r, r)
	cube := MulRn(square, r)
	rest := FmaRn(square, r, -cube) + FmaRn(r, r, -square)*r
	return T((r + r*((FmaRn(-a, cube, 1)-a*rest)/3)) * scale)
}

// Powi returns x to the power n (HIP powif, powi).
func Powi[T Float](x T, n int) T {
	if single[T]() && -1<<24 <= n && n <= 1<<24 {
		return Pow(x, T(n))
	}
	return T(math.Pow(float64(x), float64(n)))
}

// Sinpi returns the sine of x half turns, sin(pi*x): 0 with the sign of x for integers (HIP sinpif,
// sinpi).
func Sinpi[T Float](x T) T {
	sin, _ := Sincospi(x)
	return sin
}

// Cospi returns the cosine of x half turns, cos(pi*x) (HIP cospif, cospi).
func Cospi[T Float](x T) T {
	_, cos := Sincospi(x)
	return cos
}

// Sincospi returns [Sinpi] and [Cospi] of x (HIP sincospif, sincospi).
func Sincospi[T Float](x T) (sin, cos T) {
	if a := Abs(x); a >= 1<<54 && IsFinite(a) { // an even number
		return Copysign(0, x), 1
	}
	// x is n quarters of a turn and t, exactly
	n := Rint(x * 2)
	t := FmaRn(n, -0.5, x)
	quarter := int(n - 4*Floor(n/4))
	s, c := sincosHalf(t)
	switch quarter & 3 {
	case 1:
		s, c = c, -s
	case 2:
		s, c = -s, -c
	case 3:
		s, c = -c, s
	}
	if s == 0 {
		s = Copysign(0, x)
	}
	return s, c + 0 // 0 is positive
}

// sincosHalf is the sine and the cosine of t half turns, for |t| <= 1/4.
func sincosHalf[T Float](t T) (sin, cos T) {
	const low = 1.2246467991473532e-16 // pi less the float64
	w := float64(t)
	hi := MulRn(w, math.Pi)
	lo := FmaRn(w, math.Pi, -hi) + w*low
	s, c := math.Sincos(hi)
	return T(s + c*lo), T(c - s*lo)
}
