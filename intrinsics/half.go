package intrinsics

import (
	"strings"

	"heddle/internal/module"
	"heddle/internal/ops"
	"heddle/internal/target"
)

// halfRows are conversions of numbers of 16 bits and their arithmetic, in vectors of them too.
// Where a machine has no code for those the Go bodies serve.
func halfRows() map[string]Row {
	all := withBodies(rows(ofArgs, map[string]Lowering{
		module.Vector + ".MakeHalf":            convertHalf("fptrunc", target.F16),
		"(" + module.Vector + ".Half).Float32": convertHalf("fpext", target.F32),
	}))
	for _, n := range []string{"", "2", "4"} {
		for name, lower := range map[string]Lowering{
			"Add": halves("fadd"), "Sub": halves("fsub"), "Mul": halves("fmul"), "Fma": halves(""),
		} {
			all["("+module.Vector+".Half"+n+")."+name] = Row{Facts: ofArgs, Lower: lower, Body: true}
		}
		for name, op := range map[string]string{"Add": ops.BFloatAdd, "Sub": ops.BFloatSub, "Mul": ops.BFloatMul, "Fma": ops.BFloatFma} {
			all["("+module.Vector+".BFloat16"+n+")."+name] = Row{Facts: ofArgs, Lower: operation(op), Body: true}
		}
	}
	for name, op := range map[string]string{
		"Half": ops.AddHalves, "Half2": ops.AddHalves, "BFloat16": ops.AddBFloats, "BFloat162": ops.AddBFloats,
	} {
		all[dsl+"AtomicAdd"+name] = addSmall(op, false)
		if strings.HasSuffix(name, "2") {
			all[dsl+"UnsafeAtomicAdd"+name] = addSmall(op, true)
		}
	}
	// In words it is the Go body: NVIDIA's instruction makes another NaN of a NaN.
	all["("+module.Vector+".Half).Neg"] = Row{Facts: ofArgs, Lower: halves("fneg"), Body: true}
	return all
}

// addSmall is an atomic addition, by an instruction where there is one for it.
func addSmall(op string, fast bool) Row {
	return Row{Facts: ops.Facts{Effect: ops.Writes, Atomic: true}, Body: true, Lower: func(c *Call) target.Value {
		b, v := c.B, c.Args[1]
		bits := target.I32
		if !v.Type().Equal(bits) {
			bits = target.I16
		}
		old := b.Do(op, c.Args[0], b.Cast("bitcast", v, bits), target.Bool(fast || b.M.FastAtomics))
		if old == nil {
			return nil
		}
		return b.Cast("bitcast", old, v.Type())
	}}
}

func convertHalf(op string, to target.Type) Lowering {
	return func(c *Call) target.Value {
		if !c.B.M.T.Half {
			return nil
		}
		return c.B.Cast(op, c.Args[0], to)
	}
}

// halves is an operation of numbers of 16 bits, or of words of them: two or four at once. It is
// rounded once, and fused with nothing. No name is that of a*b + c.
func halves(op string) Lowering {
	return func(c *Call) target.Value {
		b, word := c.B, c.Args[0].Type()
		if !b.M.T.Half {
			return nil
		}
		typ, suffix := target.Type(target.F16), ".f16"
		switch {
		case word.Equal(target.I32):
			typ, suffix = target.Vector(2, target.F16), ".v2f16"
		case word.Equal(target.I64):
			typ, suffix = target.Vector(4, target.F16), ".v4f16"
		}
		var args []target.Value
		for _, a := range c.Args {
			args = append(args, b.Cast("bitcast", a, typ))
		}
		var v target.Value
		switch op {
		case "":
			v = b.Intrinsic("llvm.fma"+suffix, typ, args...)
		case "fneg":
			v = b.Emit(typ, "fneg ", target.T(args[0]))
		default:
			v = b.Bin(op, args[0], args[1])
		}
		return b.Cast("bitcast", v, word)
	}
}
