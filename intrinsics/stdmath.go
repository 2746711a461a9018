package intrinsics

import (
	"math"

	"heddle/internal/ops"
	"heddle/internal/target"
)

// stdMathRows are package math, except what the device library computes. What is
// not here is lowered from its Go body.
func stdMathRows() map[string]Row {
	return merge(rows(ofArgs, viaLLVM(goMath, map[string]string{
		"Abs": "fabs", "Ceil": "ceil", "Copysign": "copysign", "FMA": "fma", "Floor": "floor",
		"Round": "round", "RoundToEven": "rint", "Trunc": "trunc",
	})), rows(ofArgs, map[string]Lowering{
		goMath + "Sqrt":            operation(ops.Sqrt),
		goMath + "IsNaN":           isNaN,
		goMath + "Float32bits":     reinterpret(target.I32),
		goMath + "Float32frombits": reinterpret(target.F32),
		goMath + "Float64bits":     reinterpret(target.I64),
		goMath + "Float64frombits": reinterpret(target.F64),
		goMath + "NaN":             func(c *Call) target.Value { return goNaN },
		goMath + "Inf": func(c *Call) target.Value {
			return c.B.Select(c.B.ICmp("sge", c.Args[0], int64s(0)), infinity(target.F64, 1), infinity(target.F64, -1))
		},
		goMath + "IsInf": func(c *Call) target.Value {
			b, x, sign := c.B, c.Args[0], c.Args[1]
			above := b.Bin("and", b.ICmp("sge", sign, int64s(0)), b.FCmp("oeq", x, infinity(target.F64, 1)))
			below := b.Bin("and", b.ICmp("sle", sign, int64s(0)), b.FCmp("oeq", x, infinity(target.F64, -1)))
			return b.Bin("or", above, below)
		},
		goMath + "Signbit": func(c *Call) target.Value { return signbit(c.B, c.Args[0]) },
		goMath + "Max":     goExtreme(true, 1),
		goMath + "Min":     goExtreme(false, -1),
		goMath + "Dim": func(c *Call) target.Value {
			b := c.B
			v := b.FBin("fsub", c.Args[0], c.Args[1])
			return b.Select(b.FCmp("ole", v, target.Zero(target.F64)), target.Zero(target.F64), v)
		},
		goMath + "Frexp": frexp,
		goMath + "Ldexp": ldexp,
		goMath + "Modf":  modf,
	}))
}

// goNaN is math.NaN: the libraries agree on a NaN, not on its bits.
var goNaN = target.Float(target.F64, math.NaN())

func infinity(t target.Type, sign int) target.Value { return target.Float(t, math.Inf(sign)) }

//go:noinline
func reinterpret(to target.Type) Lowering {
	return func(c *Call) target.Value { return c.B.Cast("bitcast", c.Args[0], to) }
}

func signbit(b *target.Builder, x target.Value) target.Value {
	return b.ICmp("slt", asInt(b, x), int64s(0))
}

// goExtreme is math.Max or math.Min: an infinity of the given sign comes before NaN,
// NaN before numbers, and -0 is less than +0.
func goExtreme(greater bool, sign int) Lowering {
	return func(c *Call) target.Value {
		b, x, y := c.B, c.Args[0], c.Args[1]
		inf := infinity(target.F64, sign)
		return b.Select(b.Bin("or", b.FCmp("oeq", x, inf), b.FCmp("oeq", y, inf)), inf, b.Extreme(greater, x, y))
	}
}
