package accuracy

import (
	"math"

	"heddle/dsl"
	"heddle/kernel"
)

// functions are those that are measured, in the order of the numbers by which eval knows them.
var functions = []string{
	"Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cbrt", "Cos", "Cosh", "Cospi", "CylBesselI0", "CylBesselI1",
	"Erf", "Erfc", "Erfcinv", "Erfcx", "Erfinv", "Exp", "Exp10", "Exp2", "Expm1", "Gamma",
	"J0", "J1", "Jn", "Lgamma", "Log", "Log10", "Log1p", "Log2", "Normcdf", "Normcdfinv", "Rcbrt", "Rsqrt",
	"Sin", "Sinh", "Sinpi", "Tan", "Tanh", "Y0", "Y1", "Yn",
	"Atan2", "Hypot", "Pow", "Powi", "Rhypot", "Norm3D", "Norm4D", "Rnorm3D", "Rnorm4D", "Norm", "Rnorm",
}

// fastFunctions are those of float32, each after the function that it is near.
var fastFunctions = [][2]string{
	{"Sin", "FastSin"}, {"Cos", "FastCos"}, {"Tan", "FastTan"}, {"Exp", "FastExp"}, {"Exp10", "FastExp10"},
	{"Log", "FastLog"}, {"Log2", "FastLog2"}, {"Log10", "FastLog10"}, {"Pow", "FastPow"},
}

var (
	kernel32 = kernel.New(each[float32])
	kernel64 = kernel.New(each[float64])
	fast32   = kernel.New(eachFast)

	fastDouble = kernel.NewWith(func(x, out []float64) {
		if i := dsl.GlobalIdx().X; i < len(x) {
			operations(x[i], out[i*fastOperations:][:fastOperations])
		}
	}, kernel.Options{FastMath: true})
)

// fastOperations is how many results operations stores.
const fastOperations = 8

// operations has those of float64 for which GPUs have approximations of less bits.
func operations(x float64, out []float64) {
	root := math.Sqrt(x)
	out[0] = root
	out[1] = 1 / root
	out[2] = 3 / x
	out[3] = x / (x + 2)
	out[4] = math.Exp(-x)
	out[5] = math.Log(x)
	out[6] = math.Sin(root)
	out[7] = math.Cos(root) / math.Sqrt(x+1)
}

func each[T dsl.Float](which int, x, y, out []T) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	switch {
	case which < 22:
		out[i] = first(which, x[i])
	case which < 42:
		out[i] = second(which, x[i])
	default:
		out[i] = ofTwo(which, x[i], y[i])
	}
}

func first[T dsl.Float](which int, x T) T {
	switch which {
	case 0:
		return dsl.Acos(x)
	case 1:
		return dsl.Acosh(x)
	case 2:
		return dsl.Asin(x)
	case 3:
		return dsl.Asinh(x)
	case 4:
		return dsl.Atan(x)
	case 5:
		return dsl.Atanh(x)
	case 6:
		return dsl.Cbrt(x)
	case 7:
		return dsl.Cos(x)
	case 8:
		return dsl.Cosh(x)
	case 9:
		return dsl.Cospi(x)
	case 10:
		return dsl.CylBesselI0(x)
	case 11:
		return dsl.CylBesselI1(x)
	case 12:
		return dsl.Erf(x)
	case 13:
		return dsl.Erfc(x)
	case 14:
		return dsl.Erfcinv(x)
	case 15:
		return dsl.Erfcx(x)
	case 16:
		return dsl.Erfinv(x)
	case 17:
		return dsl.Exp(x)
	case 18:
		return dsl.Exp10(x)
	case 19:
		return dsl.Exp2(x)
	case 20:
		return dsl.Expm1(x)
	}
	return dsl.Gamma(x)
}

func second[T dsl.Float](which int, x T) T {
	switch which {
	case 22:
		return dsl.J0(x)
	case 23:
		return dsl.J1(x)
	case 24:
		return dsl.Jn(2, x)
	case 25:
		return dsl.Lgamma(x)
	case 26:
		return dsl.Log(x)
	case 27:
		return dsl.Log10(x)
	case 28:
		return dsl.Log1p(x)
	case 29:
		return dsl.Log2(x)
	case 30:
		return dsl.Normcdf(x)
	case 31:
		return dsl.Normcdfinv(x)
	case 32:
		return dsl.Rcbrt(x)
	case 33:
		return dsl.Rsqrt(x)
	case 34:
		return dsl.Sin(x)
	case 35:
		return dsl.Sinh(x)
	case 36:
		return dsl.Sinpi(x)
	case 37:
		return dsl.Tan(x)
	case 38:
		return dsl.Tanh(x)
	case 39:
		return dsl.Y0(x)
	case 40:
		return dsl.Y1(x)
	}
	return dsl.Yn(2, x)
}

func ofTwo[T dsl.Float](which int, x, y T) T {
	switch which {
	case 42:
		return dsl.Atan2(x, y)
	case 43:
		return dsl.Hypot(x, y)
	case 44:
		return dsl.Pow(dsl.Abs(x), y)
	case 45:
		return dsl.Powi(dsl.Abs(x), int(y))
	case 46:
		return dsl.Rhypot(x, y)
	case 47:
		return dsl.Norm3D(x, y, y)
	case 48:
		return dsl.Norm4D(x, x, y, y)
	case 49:
		return dsl.Rnorm3D(x, y, y)
	case 50:
		return dsl.Rnorm4D(x, x, y, y)
	}
	v := [4]T{x, y, x, y}
	if which == 51 {
		return dsl.Norm(v[:])
	}
	return dsl.Rnorm(v[:])
}

// eachFast is fastFunctions, by their places.
func eachFast(which int, x, y, out []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	v := x[i]
	switch which {
	case 0:
		v = dsl.FastSin(v)
	case 1:
		v = dsl.FastCos(v)
	case 2:
		v = dsl.FastTan(v)
	case 3:
		v = dsl.FastExp(v)
	case 4:
		v = dsl.FastExp10(v)
	case 5:
		v = dsl.FastLog(v)
	case 6:
		v = dsl.FastLog2(v)
	case 7:
		v = dsl.FastLog10(v)
	default:
		v = dsl.FastPow(dsl.Abs(v), y[i])
	}
	out[i] = v
}
