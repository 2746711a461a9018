package dsl

import "math"

// Float is the types that mathematical functions work on.
type Float interface{ ~float32 | ~float64 }

// Abs returns the absolute value of x (HIP fabsf, fabs).
func Abs[T Float](x T) T { return T(math.Abs(float64(x))) }

// Acos returns the arc cosine of x in radians, NaN outside [-1, 1] (HIP acosf, acos).
func Acos[T Float](x T) T { return T(math.Acos(float64(x))) }

// Acosh returns the inverse hyperbolic cosine of x, NaN below 1 (HIP acoshf, acosh).
func Acosh[T Float](x T) T { return T(math.Acosh(float64(x))) }

// Asin returns the arc sine of x in radians, NaN outside [-1, 1] (HIP asinf, asin).
func Asin[T Float](x T) T { return T(math.Asin(float64(x))) }

// Asinh returns the inverse hyperbolic sine of x (HIP asinhf, asinh).
func Asinh[T Float](x T) T { return T(math.Asinh(float64(x))) }

// Atan returns the arc tangent of x in radians (HIP atanf, atan).
func Atan[T Float](x T) T { return T(math.Atan(float64(x))) }

// Atan2 returns the angle of the point (x, y) in radians, from -π to π (HIP atan2f, atan2).
func Atan2[T Float](y, x T) T { return T(math.Atan2(float64(y), float64(x))) }

// Atanh returns the inverse hyperbolic tangent of x, NaN outside [-1, 1] (HIP atanhf, atanh).
func Atanh[T Float](x T) T { return T(math.Atanh(float64(x))) }

// Cbrt returns the cube root of x (HIP cbrtf, cbrt).
func Cbrt[T Float](x T) T { return T(math.Cbrt(float64(x))) }

// Ceil returns the least integer not below x (HIP ceilf, ceil).
func Ceil[T Float](x T) T { return T(math.Ceil(float64(x))) }

// Copysign returns the magnitude of x with the sign of sign (HIP copysignf, copysign).
func Copysign[T Float](x, sign T) T { return T(math.Copysign(float64(x), float64(sign))) }

// Cos returns the cosine of x radians (HIP cosf, cos).
func Cos[T Float](x T) T { return T(math.Cos(float64(x))) }

// Cosh returns the hyperbolic cosine of x (HIP coshf, cosh).
func Cosh[T Float](x T) T { return T(math.Cosh(float64(x))) }

// Erf returns the error function of x (HIP erff, erf).
func Erf[T Float](x T) T { return T(math.Erf(float64(x))) }

// Erfc returns the complementary error function of x, 1 - erf(x) (HIP erfcf, erfc).
func Erfc[T Float](x T) T { return T(math.Erfc(float64(x))) }

// Exp returns e to the power x (HIP expf, exp).
func Exp[T Float](x T) T { return T(math.Exp(float64(x))) }

// Exp10 returns 10 to the power x (HIP exp10f, exp10).
func Exp10[T Float](x T) T { return T(math.Pow(10, float64(x))) }

// Exp2 returns 2 to the power x (HIP exp2f, exp2).
func Exp2[T Float](x T) T { return T(math.Exp2(float64(x))) }

// Expm1 returns e to the power x less 1, accurate near 0 (HIP expm1f, expm1).
func Expm1[T Float](x T) T { return T(math.Expm1(float64(x))) }

// Floor returns the greatest integer not above x (HIP floorf, floor).
func Floor[T Float](x T) T { return T(math.Floor(float64(x))) }

// Fma returns x*y + z rounded once (HIP fmaf, fma).
func Fma[T Float](x, y, z T) T {
	if T(1)+T(0x1p-40) != 1 {
		return T(math.FMA(float64(x), float64(y), float64(z)))
	}
	// The product of two float32 is exact in float64. The sum may not be: rounding it
	// to odd keeps the second rounding, to float32, correct.
	p, c := float64(x)*float64(y), float64(z)
	sum := p + c
	back := sum - p
	rest := (p - (sum - back)) + (c - back) // what sum lost
	bits := math.Float64bits(sum)
	if rest != 0 && rest-rest == 0 && bits&1 == 0 {
		if (rest > 0) == (sum > 0) {
			bits++
		} else {
			bits--
		}
	}
	return T(math.Float64frombits(bits))
}

// Gamma returns the gamma function of x (HIP tgammaf, tgamma).
func Gamma[T Float](x T) T { return T(math.Gamma(float64(x))) }

// Hypot returns the square root of x*x + y*y without undue overflow (HIP hypotf, hypot).
func Hypot[T Float](x, y T) T { return T(math.Hypot(float64(x), float64(y))) }

// IsInf reports whether x is an infinity of either sign (HIP isinf).
func IsInf[T Float](x T) bool { return math.IsInf(float64(x), 0) }

// IsNaN reports whether x is not a number (HIP isnan).
func IsNaN[T Float](x T) bool { return x != x }

// Lgamma returns the logarithm of the absolute value of the gamma function of x (HIP lgammaf, lgamma).
func Lgamma[T Float](x T) T {
	l, _ := math.Lgamma(float64(x))
	return T(l)
}

// Log returns the natural logarithm of x, NaN below 0 (HIP logf, log).
func Log[T Float](x T) T { return T(logarithm(float64(x))) }

// logarithm is math.Log, which Go has in assembly on some machines, wrong for subnormal numbers.
func logarithm(x float64) float64 {
	if Arch().IsSim() && x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p60) - 60*math.Ln2
	}
	return math.Log(x)
}

// Log10 returns the decimal logarithm of x, NaN below 0 (HIP log10f, log10).
func Log10[T Float](x T) T {
	return T(logarithm(float64(x)) * (1 / math.Ln10)) // math.Log10 cancels near 1
}

// Log1p returns the natural logarithm of 1 + x, accurate near 0 (HIP log1pf, log1p).
func Log1p[T Float](x T) T { return T(math.Log1p(float64(x))) }

// Log2 returns the binary logarithm of x, NaN below 0 (HIP log2f, log2).
func Log2[T Float](x T) T {
	m, e := math.Frexp(float64(x))
	if m < math.Sqrt2/2 { // so that near 1, where math.Log2 cancels, e is 0
		m, e = 2*m, e-1
	}
	return T(math.Log(m)*(1/math.Ln2) + float64(e))
}

// Max returns the greater of x and y; a NaN gives way to a number, unlike in
// Go's own max (HIP fmaxf, fmax).
func Max[T Float](x, y T) T {
	if y > x || x != x {
		return y
	}
	return x
}

// Min returns the lesser of x and y; a NaN gives way to a number, unlike in Go's
// own min (HIP fminf, fmin).
func Min[T Float](x, y T) T {
	if y < x || x != x {
		return y
	}
	return x
}

// Mod returns the remainder of x/y with the sign of x (HIP fmodf, fmod).
func Mod[T Float](x, y T) T { return T(math.Mod(float64(x), float64(y))) }

// Pow returns x to the power y (HIP powf, pow).
func Pow[T Float](x, y T) T { return T(math.Pow(float64(x), float64(y))) }

// Rint returns the integer nearest to x, an even one if two are (HIP rintf, rint).
func Rint[T Float](x T) T { return T(math.RoundToEven(float64(x))) }

// Round returns the integer nearest to x, the one away from 0 if two are (HIP roundf, round).
func Round[T Float](x T) T { return T(math.Round(float64(x))) }

// Rsqrt returns 1 divided by the square root of x (HIP rsqrtf, rsqrt).
func Rsqrt[T Float](x T) T { return T(1 / math.Sqrt(float64(x))) }

// Sin returns the sine of x radians (HIP sinf, sin).
func Sin[T Float](x T) T { return T(math.Sin(float64(x))) }

// Sincos returns the sine and the cosine of x radians (HIP sincosf, sincos).
func Sincos[T Float](x T) (sin, cos T) {
	s, c := math.Sincos(float64(x))
	return T(s), T(c)
}

// Sinh returns the hyperbolic sine of x (HIP sinhf, sinh).
func Sinh[T Float](x T) T { return T(math.Sinh(float64(x))) }

// Sqrt returns the square root of x, NaN below 0 (HIP sqrtf, sqrt).
func Sqrt[T Float](x T) T { return T(math.Sqrt(float64(x))) }

// Tan returns the tangent of x radians (HIP tanf, tan).
func Tan[T Float](x T) T { return T(math.Tan(float64(x))) }

// Tanh returns the hyperbolic tangent of x (HIP tanhf, tanh).
func Tanh[T Float](x T) T { return T(math.Tanh(float64(x))) }

// Trunc returns the integer nearest to x towards 0 (HIP truncf, trunc).
func Trunc[T Float](x T) T { return T(math.Trunc(float64(x))) }
