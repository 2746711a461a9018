package intrinsics

import (
	"heddle/internal/target"

	"heddle/internal/module"
)

// bufferRows are the methods of a captured *launch.Buffer, whose value on the
// device is the slice that the buffer holds: {pointer, length, capacity}.
func bufferRows() map[string]Row {
	return rows(ofArgs, map[string]Lowering{
		"(*" + module.Launch + ".Buffer[T]).Device": func(c *Call) target.Value { return c.Args[0] },
		"(*" + module.Launch + ".Buffer[T]).Len":    func(c *Call) target.Value { return c.B.Elem(c.Args[0], 1) },
	})
}
