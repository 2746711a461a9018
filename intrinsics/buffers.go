package intrinsics

import (
	"heddle/internal/module"
	"heddle/internal/ops"
	"heddle/internal/target"
)

// symbolRows are the addresses of device variables, whose values in a kernel these are.
func symbolRows() map[string]Row {
	all := map[string]Row{}
	for _, t := range []string{"Global", "Constant", "Managed"} {
		r := Row{
			Facts: ops.Facts{Effect: ops.Pure, Result: ops.Grid, OfArgs: true, Space: ops.DeviceMemory, NonNil: true},
			Lower: func(c *Call) target.Value { return c.Args[0] },
		}
		if t == "Constant" {
			r.Space = ops.ReadOnly
		}
		all["("+dsl+t+"[T]).Ptr"] = r
		all[dsl+"New"+t] = Row{
			Facts: ops.Facts{Effect: ops.Orders},
			Check: func(*Site) (msg, hint string) {
				return "a kernel makes no device variables", "call it where a package variable is declared"
			},
			Lower: func(*Call) target.Value { panic("a call that was refused") },
		}
	}
	return all
}

// bufferRows are the methods of a captured *launch.Buffer, whose value on the
// device is the slice that the buffer holds: {pointer, length, capacity}.
func bufferRows() map[string]Row {
	return rows(ofArgs, map[string]Lowering{
		"(*" + module.Launch + ".Buffer[T]).Device": func(c *Call) target.Value { return c.Args[0] },
		"(*" + module.Launch + ".Buffer[T]).Len":    func(c *Call) target.Value { return c.B.Elem(c.Args[0], 1) },
	})
}
