package cpumath

import "math"

// This file has the float32 functions that are computed in float64: the rarer
// ones, where an accurate result matters more than the time it takes.

// AcosF32 is the arc cosine of a float32.
func AcosF32(x float32) float32 { return float32(AcosF64(float64(x))) }

// AcoshF32 is the inverse hyperbolic cosine of a float32.
func AcoshF32(x float32) float32 { return float32(AcoshF64(float64(x))) }

// AsinF32 is the arc sine of a float32.
func AsinF32(x float32) float32 { return float32(AsinF64(float64(x))) }

// AsinhF32 is the inverse hyperbolic sine of a float32.
func AsinhF32(x float32) float32 { return float32(AsinhF64(float64(x))) }

// AtanF32 is the arc tangent of a float32.
func AtanF32(x float32) float32 { return float32(AtanF64(float64(x))) }

// Atan2F32 is the angle of the point (x, y) of float32.
func Atan2F32(y, x float32) float32 { return float32(Atan2F64(float64(y), float64(x))) }

// AtanhF32 is the inverse hyperbolic tangent of a float32.
func AtanhF32(x float32) float32 { return float32(AtanhF64(float64(x))) }

// CbrtF32 is the cube root of a float32.
func CbrtF32(x float32) float32 { return float32(CbrtF64(float64(x))) }

// ErfcF32 is 1 - erf(x) of a float32.
func ErfcF32(x float32) float32 { return float32(ErfcF64(float64(x))) }

// FmodF32 is C's fmod of float32.
func FmodF32(x, y float32) float32 { return float32(FmodF64(float64(x), float64(y))) }

// HypotF32 is sqrt(x^2 + y^2) of float32.
func HypotF32(x, y float32) float32 {
	a, b := float64(x), float64(y)
	r := float32(math.Sqrt(a*a + b*b))
	if abs32(x) > math.MaxFloat32 || abs32(y) > math.MaxFloat32 {
		r = infinity32()
	}
	return r
}

// LgammaF32 is the logarithm of the absolute value of a float32's gamma function.
func LgammaF32(x float32) float32 { return float32(LgammaF64(float64(x))) }

// RemainderF32 is C's remainder of float32.
func RemainderF32(x, y float32) float32 { return float32(RemainderF64(float64(x), float64(y))) }

// TgammaF32 is the gamma function of a float32.
func TgammaF32(x float32) float32 { return float32(TgammaF64(float64(x))) }
