package intrinsics

import (
	"math"

	"heddle/internal/target"
)

// This file takes float64 apart and puts it together: math.Frexp, Ldexp and Modf.

const (
	fractionBits = 52
	exponentMask = 0x7FF
	exponentBias = 1023
)

// modf splits off the integer part; both parts have the sign of x.
func modf(c *Call) target.Value {
	b, x := c.B, c.Args[0]
	whole := callLLVM(b, "trunc", x)
	rest := b.FBin("fsub", x, whole)
	return target.NewAgg(whole, callLLVM(b, "copysign", rest, x))
}

// parts are a float64 as bits without the exponent, and the exponent without its
// bias. Denormals come normalised.
func parts(b *target.Builder, x target.Value) (rest, exp target.Value) {
	denormal := b.FCmp("olt", callLLVM(b, "fabs", x), target.Float(target.F64, 0x1p-1022))
	scaled := b.FBin("fmul", x, target.Float(target.F64, 1<<fractionBits))
	bits := asInt(b, b.Select(denormal, scaled, x))
	rest = b.Bin("and", bits, int64s(^(exponentMask << fractionBits)))
	exp = b.Bin("and", b.Bin("lshr", bits, int64s(fractionBits)), int64s(exponentMask))
	exp = b.Bin("sub", exp, b.Select(denormal, int64s(exponentBias+fractionBits), int64s(exponentBias)))
	return rest, exp
}

// joined is the float64 of parts.
func joined(b *target.Builder, rest, exp target.Value) target.Value {
	field := b.Bin("shl", b.Bin("add", exp, int64s(exponentBias)), int64s(fractionBits))
	return b.Cast("bitcast", b.Bin("or", rest, field), target.F64)
}

// unsplittable reports whether x has no mantissa and exponent: 0, an infinity or NaN.
func unsplittable(b *target.Builder, x target.Value) target.Value {
	return b.Bin("or", b.FCmp("oeq", x, target.Zero(target.F64)), b.FCmp("ueq", callLLVM(b, "fabs", x), infinity(target.F64, 1)))
}

func frexp(c *Call) target.Value {
	b, x := c.B, c.Args[0]
	rest, exp := parts(b, x)
	self := unsplittable(b, x)
	return target.NewAgg(
		b.Select(self, x, joined(b, rest, int64s(-1))),
		b.Select(self, int64s(0), b.Bin("add", exp, int64s(1))))
}

func ldexp(c *Call) target.Value {
	b, x := c.B, c.Args[0]
	rest, exp := parts(b, x)
	exp = b.Bin("add", c.Args[1], exp)
	// A denormal result is made 2^53 times too large, so as to be rounded once.
	denormal := b.ICmp("slt", exp, int64s(-1022))
	down := b.Select(denormal, target.Float(target.F64, 0x1p-53), target.Float(target.F64, 1))
	near := b.Select(denormal, b.Bin("add", exp, int64s(53)), exp)
	r := b.FBin("fmul", down, joined(b, rest, near))
	signed := func(f float64) target.Value { return callLLVM(b, "copysign", target.Float(target.F64, f), x) }
	r = b.Select(b.ICmp("slt", exp, int64s(-1075)), signed(0), r)
	r = b.Select(b.ICmp("sgt", exp, int64s(1023)), signed(math.Inf(1)), r)
	return b.Select(unsplittable(b, x), x, r)
}
