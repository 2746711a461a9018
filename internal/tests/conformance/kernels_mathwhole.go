package conformance

import (
	"math"

	"heddle/dsl"
)

// The rest of dsl's mathematics: parts of floats, rounding modes, conversions, special functions.

type partsOut[T float] struct {
	Sign, Finite, IsNaN                      bool
	Dim, Quo, Fraction, Ldexp, Scalbn        T
	Scalbln, Logb, Whole, Rest, Next, Nearby T
	Remainder, RemquoRest                    T
	Exponent, Ilogb, Lrint, Lround, Quotient int
	Llrint, Llround                          int64
}

type partsOps[T float] struct{}

func (partsOps[T]) Do(in pair[T], out *partsOut[T]) {
	x, y := in.X, in.Y
	out.Sign, out.Finite, out.IsNaN = dsl.Signbit(x), dsl.IsFinite(x), dsl.IsNaN(dsl.NaN[T]())
	out.Dim, out.Quo = dsl.Fdim(x, y), dsl.Fdivide(x, y)
	out.Fraction, out.Exponent = dsl.Frexp(x)
	n := int(math.Float64bits(float64(y))>>45&0xfff) - 2048
	out.Ldexp, out.Scalbn, out.Scalbln = dsl.Ldexp(x, n), dsl.Scalbn(x, -n), dsl.Scalbln(x, int64(n)>>5)
	out.Logb, out.Ilogb = dsl.Logb(x), dsl.Ilogb(x)
	out.Whole, out.Rest = dsl.Modf(x)
	out.Next, out.Nearby = dsl.Nextafter(x, y), dsl.Nearbyint(x)
	// Beyond an int64 the result is that of Go's int(x), which differs by the host's processor.
	if math.Abs(float64(x)) < 1<<63 {
		out.Lrint, out.Lround, out.Llrint, out.Llround = dsl.Lrint(x), dsl.Lround(x), dsl.Llrint(x), dsl.Llround(x)
	}
	if q := math.Abs(float64(x) / float64(y)); !(q > 1<<20) || q > math.MaxFloat64 { // a device may take a step for each bit of the quotient
		out.Remainder = dsl.Remainder(x, y)
		out.RemquoRest, out.Quotient = dsl.Remquo(x, y)
	}
}

type modesOut[T float] struct {
	Add, Sub, Mul, Div, Fma, Sqrt, Rcp [4]T
}

type modesOps[T float] struct{}

func (modesOps[T]) Do(in pair[T], out *modesOut[T]) {
	x, y := in.X, in.Y
	z := -x * y * T(1+0x1p-20)
	out.Add = [4]T{dsl.AddRn(x, y), dsl.AddRd(x, y), dsl.AddRu(x, y), dsl.AddRz(x, y)}
	out.Sub = [4]T{dsl.SubRn(x, y), dsl.SubRd(x, y), dsl.SubRu(x, y), dsl.SubRz(x, y)}
	out.Mul = [4]T{dsl.MulRn(x, y), dsl.MulRd(x, y), dsl.MulRu(x, y), dsl.MulRz(x, y)}
	out.Div = [4]T{dsl.DivRn(x, y), dsl.DivRd(x, y), dsl.DivRu(x, y), dsl.DivRz(x, y)}
	out.Fma = [4]T{dsl.FmaRn(x, y, z), dsl.FmaRd(x, y, z), dsl.FmaRu(x, y, z), dsl.FmaRz(x, y, z)}
	out.Sqrt = [4]T{dsl.SqrtRn(x), dsl.SqrtRd(x), dsl.SqrtRu(x), dsl.SqrtRz(x)}
	out.Rcp = [4]T{dsl.RcpRn(x), dsl.RcpRd(x), dsl.RcpRu(x), dsl.RcpRz(x)}
}

type intoOut struct {
	I32 [4]int32
	U32 [4]uint32
	I64 [4]int64
	U64 [4]uint64
	F32 [4]float32
	I   int
	U   uint
	Hi  int32
	Lo  int32
	Joined,
	Rsqrt float64
}

type intoOps[T float] struct{}

func (intoOps[T]) Do(x T, out *intoOut) {
	out.I32 = [4]int32{dsl.IntRn[int32](x), dsl.IntRd[int32](x), dsl.IntRu[int32](x), dsl.IntRz[int32](x)}
	out.U32 = [4]uint32{dsl.IntRn[uint32](x), dsl.IntRd[uint32](x), dsl.IntRu[uint32](x), dsl.IntRz[uint32](x)}
	out.I64 = [4]int64{dsl.IntRn[int64](x), dsl.IntRd[int64](x), dsl.IntRu[int64](x), dsl.IntRz[int64](x)}
	out.U64 = [4]uint64{dsl.IntRn[uint64](x), dsl.IntRd[uint64](x), dsl.IntRu[uint64](x), dsl.IntRz[uint64](x)}
	w := float64(x)
	out.F32 = [4]float32{dsl.Float32Rn(w), dsl.Float32Rd(w), dsl.Float32Ru(w), dsl.Float32Rz(w)}
	out.I, out.U = dsl.IntRd[int](x), dsl.IntRu[uint](x)
	out.Rsqrt = float64(dsl.RsqrtRn(float32(x)))
	if !dsl.IsNaN(x) {
		out.Hi, out.Lo = dsl.HighInt(w), dsl.LowInt(w)
		out.Joined = dsl.FromHighLow(dsl.HighInt(w), dsl.LowInt(w))
	}
}

type outOfInt struct {
	I64, U64 [4]float64
	S64, V64 [4]float32
	S32, V32 [4]float32
}

type outOfOps struct{}

func (outOfOps) Do(n int64, out *outOfInt) {
	u, s, v := uint64(n), int32(n), uint32(n)
	out.I64 = [4]float64{dsl.FloatRn[float64](n), dsl.FloatRd[float64](n), dsl.FloatRu[float64](n), dsl.FloatRz[float64](n)}
	out.U64 = [4]float64{dsl.FloatRn[float64](u), dsl.FloatRd[float64](u), dsl.FloatRu[float64](u), dsl.FloatRz[float64](u)}
	out.S64 = [4]float32{dsl.FloatRn[float32](n), dsl.FloatRd[float32](n), dsl.FloatRu[float32](n), dsl.FloatRz[float32](n)}
	out.V64 = [4]float32{dsl.FloatRn[float32](u), dsl.FloatRd[float32](u), dsl.FloatRu[float32](u), dsl.FloatRz[float32](u)}
	out.S32 = [4]float32{dsl.FloatRn[float32](s), dsl.FloatRd[float32](s), dsl.FloatRu[float32](s), dsl.FloatRz[float32](s)}
	out.V32 = [4]float32{dsl.FloatRn[float32](v), dsl.FloatRd[float32](v), dsl.FloatRu[float32](v), dsl.FloatRz[float32](v)}
}

type rarerOut[T float] struct {
	Erfcinv, Erfcx, Erfinv, Normcdf, Normcdfinv, Rcbrt T
	Sinpi, Cospi, SincospiSin, SincospiCos             T
	J0, J1, J2, Y0, Y1, Y3, I0, I1                     T
}

type rarerOps[T float] struct{}

func (rarerOps[T]) Do(x T, out *rarerOut[T]) {
	out.Erfcinv, out.Erfcx, out.Erfinv = dsl.Erfcinv(x), dsl.Erfcx(x), dsl.Erfinv(x)
	out.Normcdf, out.Normcdfinv, out.Rcbrt = dsl.Normcdf(x), dsl.Normcdfinv(x), dsl.Rcbrt(x)
	out.Sinpi, out.Cospi = dsl.Sinpi(x), dsl.Cospi(x)
	out.SincospiSin, out.SincospiCos = dsl.Sincospi(x)
	out.I0, out.I1 = dsl.CylBesselI0(x), dsl.CylBesselI1(x)
	// Beside their zeros the errors of these are absolute; for large numbers they are those of sines.
	if a := dsl.Abs(x); a < 30 {
		out.J0, out.J1, out.J2 = dsl.J0(x)+2, dsl.J1(x)+2, dsl.Jn(2, x)+2
		if a > 0.01 {
			out.Y0, out.Y1, out.Y3 = dsl.Y0(x)+4, dsl.Y1(x), dsl.Yn(3, x)
			if a > 1 {
				out.Y1, out.Y3 = out.Y1+4, out.Y3+64
			}
		}
	}
}

type normsOut[T float] struct {
	Norm3D, Norm4D, Rnorm3D, Rnorm4D, Rhypot, Norm, Rnorm, Powi T
}

type normsOps[T float] struct{}

func (normsOps[T]) Do(in pair[T], out *normsOut[T]) {
	x, y := in.X, in.Y
	v := [5]T{x, y, x * 2, y / 4, x + y}
	out.Norm3D, out.Norm4D = dsl.Norm3D(x, y, v[2]), dsl.Norm4D(v[0], v[1], v[2], v[3])
	out.Rnorm3D, out.Rnorm4D = dsl.Rnorm3D(x, y, v[2]), dsl.Rnorm4D(v[0], v[1], v[2], v[3])
	out.Rhypot, out.Norm, out.Rnorm = dsl.Rhypot(x, y), dsl.Norm(v[:]), dsl.Rnorm(v[:])
	if a := dsl.Abs(x); a > 0.1 && a < 100 {
		out.Powi = dsl.Powi(x, int(math.Float64bits(float64(y))>>50&15)-8)
	}
}

type fastOut struct {
	FastSin, FastCos, SincosFast, CosFast, FastTan, FastExp, FastExp10   float32
	FastLog, FastLog2, FastLog10, FastPow, FastDivide, Saturate, Between float32
}

type fastOps struct{}

func (fastOps) Do(x float32, out *fastOut) {
	// Sums with 2 make errors absolute: those of approximations beside the functions' zeros are.
	out.Saturate, out.Between = dsl.Saturate(x), dsl.Saturate(x/8+0.5)
	if a := dsl.Abs(x); a < 3 {
		s, c := dsl.FastSincos(x)
		out.FastSin, out.FastCos, out.SincosFast, out.CosFast = dsl.FastSin(x)+2, dsl.FastCos(x)+2, s+2, c+2
		out.FastExp10 = dsl.FastExp10(x)
		if a < 1.5 {
			out.FastTan = dsl.FastTan(x)
		}
	}
	if x > -10 && x < 10 {
		out.FastExp = dsl.FastExp(x)
	}
	if x > 1e-6 && x < 1e6 {
		out.FastLog, out.FastLog2, out.FastLog10 = dsl.FastLog(x)+64, dsl.FastLog2(x)+64, dsl.FastLog10(x)+64
		out.FastDivide = dsl.FastDivide(x, x+3)
		if x < 4 {
			out.FastPow = dsl.FastPow(x, 2.5)
		}
	}
}

// stdRestOps are functions of package math that no device has: Go's own are compiled.
type stdRestOps struct{}

type stdRestOut struct {
	J0, Y1, Erfinv, Erfcinv, Gamma, Exp2, Acos, Pow10, Atanh float64
	Lgamma                                                   float64
	Sign                                                     int
	Next                                                     float64
}

func (stdRestOps) Do(x float64, out *stdRestOut) {
	if a := math.Abs(x); a < 30 {
		out.J0 = math.J0(x) + 2
		if a > 0.01 {
			out.Y1 = math.Y1(x)
			if a > 1 {
				out.Y1 += 4
			}
		}
	}
	out.Erfinv, out.Erfcinv = math.Erfinv(x), math.Erfcinv(x)
	out.Exp2, out.Acos, out.Atanh = math.Exp2(x), math.Acos(x), math.Atanh(x)
	out.Pow10 = math.Pow10(int(math.Float64bits(x) >> 50 & 63))
	if x > -2 {
		out.Gamma = math.Gamma(x)
		out.Lgamma, out.Sign = math.Lgamma(x)
	}
	out.Next = math.Nextafter(x, 7)
}

// wholeULPs bounds the functions of this file, as ulps does.
var wholeULPs = map[string][2]float64{
	"Erfcinv": {6, 8}, "Erfcx": {8, 8}, "Erfinv": {6, 8}, "Normcdf": {8, 8}, "Normcdfinv": {8, 10}, "Rcbrt": {2, 2},
	"Sinpi": {2, 2}, "Cospi": {2, 2}, "SincospiSin": {2, 2}, "SincospiCos": {2, 2},
	"J0": {8, 8}, "J1": {8, 8}, "J2": {8, 8}, "Y0": {12, 12}, "Y1": {12, 12}, "Y3": {20, 20}, "I0": {8, 8}, "I1": {8, 8},
	"Norm3D": {4, 3}, "Norm4D": {4, 3}, "Rnorm3D": {4, 3}, "Rnorm4D": {4, 3}, "Rhypot": {3, 3}, "Norm": {2, 2}, "Rnorm": {2, 2}, "Powi": {4, 3},
	"FastSin": {20, 0}, "FastCos": {20, 0}, "SincosFast": {20, 0}, "CosFast": {20, 0}, "FastTan": {80, 0}, "FastExp": {20, 0}, "FastExp10": {20, 0},
	"FastLog": {4, 0}, "FastLog2": {4, 0}, "FastLog10": {4, 0}, "FastPow": {30, 0}, "FastDivide": {3, 0},
	"Gamma": {0, 10}, "Exp2": {0, 1}, "Acos": {0, 2}, "Atanh": {0, 2}, "Pow10": {0, 0}, "Lgamma": {0, 4},
}

func wholeAccuracy(function string, bits int) float64 { return wholeULPs[function][bits/32-1] }

func mathWholeCases() []Case {
	row := "math, float32 and float64"
	x32, x64 := spread[float32](), spread[float64]()
	cases := []Case{
		onEach("math/parts/float32", row, each[partsOps[float32]], paired(x32)),
		onEach("math/parts/float64", row, each[partsOps[float64]], paired(x64)),
		onEach("math/modes/float32", row+"; rounding modes", each[modesOps[float32]], paired(x32)),
		onEach("math/modes/float64", row+"; rounding modes", each[modesOps[float64]], paired(x64)),
		onEach("math/into/float32", row+"; rounding modes", each[intoOps[float32]], between[float32]()),
		onEach("math/into/float64", row+"; rounding modes", each[intoOps[float64]], between[float64]()),
		onEach("math/outof", row+"; rounding modes", each[outOfOps], awkward()),
		onEachWithin("math/rarer/float32", row, each[rarerOps[float32]], x32, wholeAccuracy, half[rarerOut[float32]](rarerOps[float64]{}.Do)),
		onEachWithin("math/rarer/float64", row, each[rarerOps[float64]], x64, wholeAccuracy, rarerOps[float64]{}.Do),
		onEachWithin("math/norms/float32", row, each[normsOps[float32]], paired(x32), wholeAccuracy, normsOps[float32]{}.Do),
		onEachWithin("math/norms/float64", row, each[normsOps[float64]], paired(x64), wholeAccuracy, normsOps[float64]{}.Do),
		onEachWithin("math/fast", row+"; fast", each[fastOps], x32, wholeAccuracy, fastOps{}.Do),
		onEachWithin("math/stdrest", row+"; the standard math package", each[stdRestOps], x64, wholeAccuracy, finely(stdRestOps{}.Do)),
	}
	for i := range cases {
		cases[i] = cases[i].std()
	}
	return cases
}
