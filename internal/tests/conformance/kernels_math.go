package conformance

import (
	"math"
	"reflect"

	"heddle/dsl"
)

// Mathematics: dsl's functions on both float types, and package math's.

type trigOut[T float] struct {
	Sin, Cos, Tan, Asin, Acos, Atan, SincosSin, SincosCos T
}

type trigOps[T float] struct{}

func (trigOps[T]) Do(x T, out *trigOut[T]) {
	out.Sin, out.Cos, out.Tan = dsl.Sin(x), dsl.Cos(x), dsl.Tan(x)
	out.Asin, out.Acos, out.Atan = dsl.Asin(x), dsl.Acos(x), dsl.Atan(x)
	out.SincosSin, out.SincosCos = dsl.Sincos(x)
}

type hyperOut[T float] struct {
	Sinh, Cosh, Tanh, Asinh, Acosh, Atanh T
}

type hyperOps[T float] struct{}

func (hyperOps[T]) Do(x T, out *hyperOut[T]) {
	out.Sinh, out.Cosh, out.Tanh = dsl.Sinh(x), dsl.Cosh(x), dsl.Tanh(x)
	out.Asinh, out.Acosh, out.Atanh = dsl.Asinh(x), dsl.Acosh(x), dsl.Atanh(x)
}

type expOut[T float] struct {
	Exp, Exp2, Exp10, Expm1, Log, Log2, Log10, Log1p T
}

type expOps[T float] struct{}

func (expOps[T]) Do(x T, out *expOut[T]) {
	out.Exp, out.Exp2, out.Exp10, out.Expm1 = dsl.Exp(x), dsl.Exp2(x), dsl.Exp10(x), dsl.Expm1(x)
	out.Log, out.Log2, out.Log10, out.Log1p = dsl.Log(x), dsl.Log2(x), dsl.Log10(x), dsl.Log1p(x)
}

type specialOut[T float] struct {
	Erf, Erfc, Gamma, Lgamma, Cbrt, Sqrt, Rsqrt T
}

type specialOps[T float] struct{}

func (specialOps[T]) Do(x T, out *specialOut[T]) {
	out.Erf, out.Erfc = dsl.Erf(x), dsl.Erfc(x)
	out.Cbrt, out.Sqrt, out.Rsqrt = dsl.Cbrt(x), dsl.Sqrt(x), dsl.Rsqrt(x)
	if x > -2 { // their errors are absolute beside the poles and zeros further below
		out.Gamma, out.Lgamma = dsl.Gamma(x), dsl.Lgamma(x)
	}
}

type roundingOut[T float] struct {
	Abs, Ceil, Floor, Rint, Round, Trunc T
	IsInf, IsNaN                         bool
}

type roundingOps[T float] struct{}

func (roundingOps[T]) Do(x T, out *roundingOut[T]) {
	out.Abs, out.Ceil, out.Floor = dsl.Abs(x), dsl.Ceil(x), dsl.Floor(x)
	out.Rint, out.Round, out.Trunc = dsl.Rint(x), dsl.Round(x), dsl.Trunc(x)
	out.IsInf, out.IsNaN = dsl.IsInf(x), dsl.IsNaN(x)
}

type binaryOut[T float] struct {
	Atan2, Copysign, Hypot, Max, Min, Mod, Pow, Fma T
}

type binaryOps[T float] struct{}

func (binaryOps[T]) Do(in pair[T], out *binaryOut[T]) {
	x, y := in.X, in.Y
	out.Atan2, out.Copysign, out.Hypot = dsl.Atan2(x, y), dsl.Copysign(x, y), dsl.Hypot(x, y)
	out.Max, out.Min = dsl.Max(x, y), dsl.Min(x, y)
	if q := math.Abs(float64(x) / float64(y)); !(q > 1<<20) || q > math.MaxFloat64 { // a device may take a step for each bit of the quotient
		out.Mod = dsl.Mod(x, y)
	}
	out.Pow, out.Fma = dsl.Pow(x, y), dsl.Fma(x, y, x)
}

// stdOut is package math's, in float64.
type stdOut struct {
	Sin, Cos, Exp, Log, Pow, Atan2, Tanh, Cbrt, Hypot, Erf, Log1p, Sqrt float64
	Abs, Ceil, Floor, Trunc, Round, RoundToEven                         float64
	Max, Min, Dim, Mod, Remainder, Copysign, FMA, Ldexp, Frac, Int      float64
	Frexp, Signum                                                       float64
	Exponent                                                            int
	NaN, Inf, Neg                                                       bool
}

type stdOps struct{}

func (stdOps) Do(in pair[float64], out *stdOut) {
	x, y := in.X, in.Y
	out.Sin, out.Cos, out.Exp, out.Log, out.Pow, out.Atan2 = math.Sin(x), math.Cos(x), math.Exp(x), math.Log(x), math.Pow(x, y), math.Atan2(x, y)
	out.Tanh, out.Cbrt, out.Hypot, out.Erf, out.Log1p, out.Sqrt = math.Tanh(x), math.Cbrt(x), math.Hypot(x, y), math.Erf(x), math.Log1p(x), math.Sqrt(x)
	out.Abs, out.Ceil, out.Floor, out.Trunc = math.Abs(x), math.Ceil(x), math.Floor(x), math.Trunc(x)
	out.Round, out.RoundToEven = math.Round(x), math.RoundToEven(x)
	out.Max, out.Min, out.Dim, out.Copysign = math.Max(x, y), math.Min(x, y), math.Dim(x, y), math.Copysign(x, y)
	if q := math.Abs(x / y); !(q > 1<<20) || q > math.MaxFloat64 {
		out.Mod, out.Remainder = math.Mod(x, y), math.Remainder(x, y)
	}
	out.FMA, out.Ldexp = math.FMA(x, y, -x), math.Ldexp(x, int(math.Float64bits(y)>>50&63)-32)
	out.Int, out.Frac = math.Modf(x)
	out.Frexp, out.Exponent = math.Frexp(x)
	out.NaN, out.Inf, out.Neg = math.IsNaN(x), math.IsInf(x, 1), math.Signbit(x)
	if x != 0 && !out.NaN {
		out.Signum = x / math.Abs(x)
	}
}

// plainOps are functions of package math that no device has.
type plainOps struct{}

type plainOut struct {
	Logb, Nextafter float64
	Next32          float32
	Ilogb           int
}

func (plainOps) Do(in pair[float64], out *plainOut) {
	x, y := in.X, in.Y
	out.Logb, out.Nextafter = math.Logb(x), math.Nextafter(x, y)
	out.Next32 = math.Nextafter32(float32(x), float32(y))
	if !math.IsNaN(x) {
		out.Ilogb = math.Ilogb(x)
	}
}

// spread is floats and a net of ordinary numbers.
func spread[T float]() []T {
	xs := floats[T]()
	for i := -60; i <= 60; i++ {
		xs = append(xs, T(i)/6, T(math.Exp(float64(i)/3)), T(-math.Exp(float64(i)/7)))
	}
	return xs
}

// paired is some of the pairs of xs: each with a few others.
func paired[T any](xs []T) []pair[T] {
	var all []pair[T]
	for i, x := range xs {
		for _, d := range []int{0, 1, 5, 17, 40, 89, 111} {
			all = append(all, pair[T]{x, xs[(i+d)%len(xs)]})
		}
	}
	return all
}

// narrowed copies the fields of a struct of float64 to one of float32.
func narrowed(from, to any) {
	f, t := reflect.ValueOf(from).Elem(), reflect.ValueOf(to).Elem()
	for i := range f.NumField() {
		if v := f.Field(i); v.CanFloat() {
			t.Field(i).SetFloat(float64(float32(v.Float())))
		} else {
			t.Field(i).Set(v)
		}
	}
}

// half makes the truth for float32 from that for float64.
func half[Out, Wide any](f func(float64, *Wide)) func(float32, *Out) {
	return func(x float32, out *Out) {
		var w Wide
		f(float64(x), &w)
		narrowed(&w, out)
	}
}

func halfPair[Out, Wide any](f func(pair[float64], *Wide)) func(pair[float32], *Out) {
	return func(in pair[float32], out *Out) {
		var w Wide
		f(pair[float64]{float64(in.X), float64(in.Y)}, &w)
		narrowed(&w, out)
	}
}

func mathCases() []Case {
	row := "math, float32 and float64"
	x32, x64 := spread[float32](), spread[float64]()
	binary := halfPair[binaryOut[float32]](binaryOps[float64]{}.Do)
	cases := []Case{
		onEachWithin("math/trig/float32", row, each[trigOps[float32]], x32, accuracy, half[trigOut[float32]](trigOps[float64]{}.Do)),
		onEachWithin("math/trig/float64", row, each[trigOps[float64]], x64, accuracy, finely(trigOps[float64]{}.Do)),
		onEachWithin("math/hyper/float32", row, each[hyperOps[float32]], x32, accuracy, half[hyperOut[float32]](hyperOps[float64]{}.Do)),
		onEachWithin("math/hyper/float64", row, each[hyperOps[float64]], x64, accuracy, finely(hyperOps[float64]{}.Do)),
		onEachWithin("math/exp/float32", row, each[expOps[float32]], x32, accuracy, half[expOut[float32]](expOps[float64]{}.Do)),
		onEachWithin("math/exp/float64", row, each[expOps[float64]], x64, accuracy, finely(expOps[float64]{}.Do)),
		onEachWithin("math/special/float32", row, each[specialOps[float32]], x32, accuracy, half[specialOut[float32]](specialOps[float64]{}.Do)),
		onEachWithin("math/special/float64", row, each[specialOps[float64]], x64, accuracy, finely(specialOps[float64]{}.Do)),
		onEach("math/rounding/float32", row, each[roundingOps[float32]], x32),
		onEach("math/rounding/float64", row, each[roundingOps[float64]], x64),
		onEachWithin("math/binary/float32", row, each[binaryOps[float32]], paired(x32), accuracy, func(in pair[float32], out *binaryOut[float32]) {
			binary(in, out)
			out.Fma = dsl.Fma(in.X, in.Y, in.X) // the wide one rounds twice
		}),
		onEachWithin("math/binary/float64", row, each[binaryOps[float64]], paired(x64), accuracy, finelyPair(binaryOps[float64]{}.Do)),
		onEachWithin("math/std", row+"; the standard math package", each[stdOps], paired(x64), accuracy, finelyPair(stdOps{}.Do)),
		onEach("math/plain", row+"; the standard math package", each[plainOps], paired(x64)),
	}
	for i := range cases { // where a device has no library of its own, Go's is compiled
		cases[i] = cases[i].std()
	}
	return cases
}
