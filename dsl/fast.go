package dsl

// This file has the fast functions of float32: approximations on GPUs, whose errors docs/math.md has. On
// the simulator and the cpu device they are the accurate ones.

// FastSin returns roughly the sine of x radians, best from -pi to pi (HIP __sinf).
func FastSin(x float32) float32 { return Sin(x) }

// FastCos returns roughly the cosine of x radians, best from -pi to pi (HIP __cosf).
func FastCos(x float32) float32 { return Cos(x) }

// FastSincos returns [FastSin] and [FastCos] of x (HIP __sincosf).
func FastSincos(x float32) (sin, cos float32) { return FastSin(x), FastCos(x) }

// FastTan returns roughly the tangent of x radians (HIP __tanf).
func FastTan(x float32) float32 { return Tan(x) }

// FastExp returns roughly e to the power x (HIP __expf).
func FastExp(x float32) float32 { return Exp(x) }

// FastExp10 returns roughly 10 to the power x (HIP __exp10f).
func FastExp10(x float32) float32 { return Exp10(x) }

// FastLog returns roughly the natural logarithm of x (HIP __logf).
func FastLog(x float32) float32 { return Log(x) }

// FastLog2 returns roughly the binary logarithm of x (HIP __log2f).
func FastLog2(x float32) float32 { return Log2(x) }

// FastLog10 returns roughly the decimal logarithm of x (HIP __log10f).
func FastLog10(x float32) float32 { return Log10(x) }

// FastPow returns roughly x to the power y (HIP __powf).
func FastPow(x, y float32) float32 { return Pow(x, y) }

// FastDivide returns roughly x / y; with |y| above 2^126 it may be 0, or NaN for an infinite x (HIP
// __fdividef).
func FastDivide(x, y float32) float32 { return x / y }

// Saturate returns x, but 0 below 0 and for NaN, and 1 above 1 (HIP __saturatef).
func Saturate(x float32) float32 {
	switch {
	case !(x > 0):
		return 0
	case x > 1:
		return 1
	}
	return x
}
