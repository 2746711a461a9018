package intrinsics

import (
	"heddle/internal/lazy"
	"heddle/internal/ops"
	"heddle/internal/target"
)

// libraryRows are the functions, dsl's and package math's, that the device's math
// library computes. They decline where it is not at hand.
func libraryRows() map[string]Row {
	all := rows(ofArgs, map[string]Lowering{dsl + "Sincos": sincos, goMath + "Sincos": sincos})
	for pkg, names := range map[string]map[string]string{
		dsl: {"Exp10": "exp10", "Lgamma": "lgamma", "Remainder": "remainder", "Rsqrt": "rsqrt"}, goMath: {"Remainder": "remainder"},
	} {
		all = merge(all, rows(ofArgs, viaLibrary(pkg, inBoth.Get())), rows(ofArgs, viaLibrary(pkg, names)))
	}
	bessel := map[string]Lowering{}
	for name, lib := range map[string]string{"J0": "j0", "J1": "j1", "Y0": "y0", "Y1": "y1"} {
		bessel[goMath+name] = func(c *Call) target.Value {
			if c.B.M.T.MathLib && c.B.M.T.LibraryFunc == nil {
				return callLibrary(c.B, lib, c.Args...)
			}
			return someLibrary(c, lib)
		}
	}
	for _, pkg := range []string{dsl, goMath} {
		pow := all[pkg+"Pow"]
		pow.Lower = byConstant(pow.Lower)
		all[pkg+"Pow"] = pow
	}
	return withBodies(merge(all, rows(ofArgs, bessel)))
}

// inBoth are functions that dsl and package math have, by C's names.
var inBoth = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"Acos": "acos", "Acosh": "acosh", "Asin": "asin", "Asinh": "asinh",
		"Atan": "atan", "Atan2": "atan2", "Atanh": "atanh", "Cbrt": "cbrt",
		"Cos": "cos", "Cosh": "cosh", "Erf": "erf", "Erfc": "erfc",
		"Exp": "exp", "Exp2": "exp2", "Expm1": "expm1", "Gamma": "tgamma", "Hypot": "hypot",
		"Log": "log", "Log10": "log10", "Log1p": "log1p", "Log2": "log2",
		"Mod": "fmod", "Pow": "pow",
		"Sin": "sin", "Sinh": "sinh", "Tan": "tan", "Tanh": "tanh",
	}
}}

// mathRows are the rest of dsl's mathematics, on float32 and float64.
func mathRows() map[string]Row {
	return merge(rows(ofArgs, viaLLVM(dsl, map[string]string{
		"Abs": "fabs", "Ceil": "ceil", "Copysign": "copysign", "Floor": "floor", "Fma": "fma",
		"Max": "maxnum", "Min": "minnum", "Rint": "rint", "Round": "round", "Trunc": "trunc",
	})), rows(ofArgs, map[string]Lowering{
		dsl + "Sqrt":  operation(ops.Sqrt),
		dsl + "IsNaN": isNaN,
		dsl + "IsInf": func(c *Call) target.Value {
			return c.B.FCmp("oeq", callLLVM(c.B, "fabs", c.Args[0]), infinity(c.Args[0].Type(), 1))
		},
	}))
}

// viaLibrary are functions of the device's math library.
//
//go:noinline
func viaLibrary(pkg string, names map[string]string) map[string]Lowering {
	all := map[string]Lowering{}
	for name, lib := range names {
		all[pkg+name] = func(c *Call) target.Value {
			if !c.B.M.T.MathLib {
				return nil
			}
			return callLibrary(c.B, lib, c.Args...)
		}
	}
	return all
}

func callLibrary(b *target.Builder, name string, args ...target.Value) target.Value {
	x := args[0]
	t := x.Type()
	symbol := b.M.T.MathFunc(name, floatBits(t))
	if fast := b.M.T.FastMathFunc; b.Fast() && fast != nil && fast(name, floatBits(t)) != "" {
		symbol = fast(name, floatBits(t))
	}
	r := b.Intrinsic(symbol, t, args...)
	if fixed := fixedPoints(t)[name]; fixed != nil {
		r = b.Select(b.FCmp("oeq", x, fixed), x, r)
	}
	return r
}

// fixedPoints are arguments that Go's functions return unchanged and some
// library does not: the sign of a zero is lost, or Go alone has it so.
func fixedPoints(t target.Type) map[string]target.Value {
	return map[string]target.Value{
		"expm1": target.Zero(t), "log1p": target.Zero(t),
		"lgamma": infinity(t, -1),
	}
}

// viaLLVM are LLVM's own intrinsics: those that all targets compute exactly.
//
//go:noinline
func viaLLVM(pkg string, names map[string]string) map[string]Lowering {
	all := map[string]Lowering{}
	for name, op := range names {
		all[pkg+name] = func(c *Call) target.Value { return callLLVM(c.B, op, c.Args...) }
	}
	return all
}

func callLLVM(b *target.Builder, op string, args ...target.Value) target.Value {
	t := args[0].Type()
	v := b.Intrinsic("llvm."+op+suffix(t), t, args...)
	if op == "round" && b.M.T.RoundLosesSign {
		v = b.Intrinsic("llvm.copysign"+suffix(t), t, v, args[0])
	}
	return v
}

// sincos is two calls, of which codegen makes one for GPUs (its sines.go).
func sincos(c *Call) target.Value {
	if !c.B.M.T.MathLib {
		return nil
	}
	return target.NewAgg(callLibrary(c.B, "sin", c.Args[0]), callLibrary(c.B, "cos", c.Args[0]))
}

func isNaN(c *Call) target.Value { return c.B.FCmp("uno", c.Args[0], c.Args[0]) }
