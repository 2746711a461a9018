package intrinsics

import (
	"go/types"
	"math"

	"heddle/internal/target"
)

// This file makes integers of floats by a rounding mode, the nearest there is of what does not fit and 0 of NaN: dsl.IntRn and its family. The Go bodies are branches,
// and all in float64.

func roundIntRows() map[string]Row {
	all := map[string]Lowering{}
	for mode, llvm := range map[string]string{"n": "rint", "d": "floor", "u": "ceil", "z": "trunc"} {
		all[dsl+"IntR"+mode] = func(c *Call) target.Value { return roundInt(c, mode, llvm) }
	}
	return rows(ofArgs, all)
}

func roundInt(c *Call, mode, llvm string) target.Value {
	b, x := c.B, c.Args[0]
	to := c.Lower(c.TypeArgs[0])
	basic, _ := c.TypeArgs[0].Underlying().(*types.Basic)
	signed := basic == nil || basic.Info()&types.IsUnsigned == 0
	if has := b.M.T.RoundInt; has != nil {
		if bits := target.Bits(to); bits >= 32 {
			return has(b, x, bits, signed, mode)
		}
		n, least, most := has(b, x, 32, true, mode), int64(0), int64(1)<<target.Bits(to)-1
		if signed {
			least, most = -(most+1)/2, most/2
		}
		n = b.Intrinsic("llvm.smin.i32", target.I32, n, target.Int(target.I32, most))
		return b.IntCast(b.Intrinsic("llvm.smax.i32", target.I32, n, target.Int(target.I32, least)), to, signed)
	}
	return roundAndLimit(b, callLLVM(b, llvm, x), to, signed)
}

// roundAndLimit is an integer of x, which is whole or NaN. Where it does not fit, the conversion's result is not chosen.
func roundAndLimit(b *target.Builder, x target.Value, to target.Type, signed bool) target.Value {
	bits, t := target.Bits(to), x.Type()
	number := func(p float64) target.Value { return target.Float(t, p) }
	if !signed {
		n := b.Select(b.FCmp("oge", x, number(math.Ldexp(1, bits))), target.Int(to, -1), b.Cast("fptoui", x, to))
		return b.Select(b.FCmp("ogt", x, number(0)), n, target.Int(to, 0))
	}
	half := math.Ldexp(1, bits-1)
	n := b.Select(b.FCmp("oge", x, number(half)), target.Int(to, math.MaxInt64>>(64-bits)), b.Cast("fptosi", x, to))
	n = b.Select(b.FCmp("ole", x, number(-half)), target.Int(to, math.MinInt64>>(64-bits)), n)
	return b.Select(b.FCmp("uno", x, x), target.Int(to, 0), n)
}
