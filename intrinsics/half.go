package intrinsics

import (
	"heddle/internal/module"
	"heddle/internal/target"
)

// halfRows are the conversions of numbers of 16 bits. Where those are but their bits
// the Go bodies serve.
func halfRows() map[string]Row {
	return withBodies(rows(ofArgs, map[string]Lowering{
		module.Vector + ".MakeHalf":            convertHalf("fptrunc", target.F16),
		"(" + module.Vector + ".Half).Float32": convertHalf("fpext", target.F32),
	}))
}

func convertHalf(op string, to target.Type) Lowering {
	return func(c *Call) target.Value {
		if !c.B.M.T.Half {
			return nil
		}
		return c.B.Cast(op, c.Args[0], to)
	}
}
