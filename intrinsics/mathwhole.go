package intrinsics

import (
	"strings"

	"heddle/internal/ops"
	"heddle/internal/target"
)

// wholeRows are functions that some devices' libraries have, and operations that are fused with
// nothing and always exact. The Go bodies of the rest are lowered as they are.
func wholeRows() map[string]Row {
	library := map[string]Lowering{dsl + "Sincospi": func(c *Call) target.Value {
		sin, cos := someLibrary(c, "sinpi"), someLibrary(c, "cospi")
		if sin == nil || cos == nil {
			return nil
		}
		return target.NewAgg(sin, cos)
	}}
	for name, lib := range map[string]string{
		"Erfcinv": "erfcinv", "Erfcx": "erfcx", "Erfinv": "erfinv", "J0": "j0", "J1": "j1", "Y0": "y0", "Y1": "y1",
		"Normcdf": "normcdf", "Normcdfinv": "normcdfinv", "Norm3D": "norm3d", "Norm4D": "norm4d",
		"Rnorm3D": "rnorm3d", "Rnorm4D": "rnorm4d", "Rhypot": "rhypot", "Rcbrt": "rcbrt", "Sinpi": "sinpi", "Cospi": "cospi",
		"CylBesselI0": "cyl_bessel_i0", "CylBesselI1": "cyl_bessel_i1",
		"FastSin": "fast_sin", "FastCos": "fast_cos", "FastTan": "fast_tan", "FastExp": "fast_exp", "FastExp10": "fast_exp10",
		"FastLog": "fast_log", "FastLog2": "fast_log2", "FastLog10": "fast_log10", "FastPow": "fast_pow", "FastDivide": "fast_fdivide",
		"Saturate": "saturate", "RsqrtRn": "rsqrt_rn",
	} {
		library[dsl+name] = func(c *Call) target.Value { return someLibrary(c, lib) }
	}
	strict := map[string]Lowering{}
	for name, lower := range map[string]Lowering{
		"Add": exactly("fadd", ops.AddExact), "Sub": exactly("fsub", ops.AddExact), "Mul": exactly("fmul", ops.MulExact), "Div": exactly("fdiv", ops.DivExact),
		"Sqrt": strictly(operation(ops.Sqrt)),
		"Fma":  strictly(func(c *Call) target.Value { return callLLVM(c.B, "fma", c.Args...) }),
	} {
		strict[dsl+name+"Rn"] = lower
		for _, mode := range []string{"Rd", "Ru", "Rz"} {
			if name != "Sub" { // it is Add of -y
				library[dsl+name+mode] = func(c *Call) target.Value { return someLibrary(c, strings.ToLower(name+"_"+mode)) }
			}
		}
	}
	for _, mode := range []string{"Rd", "Ru", "Rz"} {
		library[dsl+"Rcp"+mode] = func(c *Call) target.Value { return someLibrary(c, strings.ToLower("rcp_"+mode)) }
	}
	return merge(withBodies(rows(ofArgs, library)), rows(ofArgs, strict))
}

// someLibrary calls a function of the device's library, if that is at hand and has it.
func someLibrary(c *Call, name string) target.Value {
	m, t := c.B.M.T, c.Args[0].Type()
	if !m.MathLib || m.LibraryFunc == nil {
		return nil
	}
	symbol := m.LibraryFunc(name, floatBits(t))
	if symbol == "" {
		return nil
	}
	return c.B.Intrinsic(symbol, t, c.Args...)
}

// exactly is arithmetic that FastMath changes nothing of: LLVM's operation without flags, or where FastMath is more than flags the
// machine's, which for a difference is a sum.
func exactly(op, machines string) Lowering {
	return func(c *Call) target.Value {
		fast := c.B.Fast()
		defer func(flags string) { c.B.FMF = flags }(c.B.FMF)
		c.B.FMF = ""
		x, y := c.Args[0], c.Args[1]
		if !fast {
			return c.B.FBin(op, x, y)
		}
		other := y
		if op == "fsub" {
			other = c.B.FNeg(y)
		}
		if v := c.B.Do(machines, x, other); v != nil {
			return v
		}
		return c.B.FBin(op, x, y)
	}
}

// strictly is a lowering without fast-math's flags: nothing is fused with it or simplified.
func strictly(lower Lowering) Lowering {
	return func(c *Call) target.Value {
		defer func(flags string) { c.B.FMF = flags }(c.B.FMF)
		c.B.FMF = ""
		return lower(c)
	}
}
