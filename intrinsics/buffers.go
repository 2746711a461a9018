package intrinsics

import "heddle/internal/target"

// bufferRows are the methods of a captured *launch.Buffer, whose value on the
// device is the slice that the buffer holds: {pointer, length, capacity}.
func bufferRows() map[string]Row {
	return map[string]Row{
		"(*heddle/launch.Buffer[T]).Device": func(c *Call) target.Value { return c.Args[0] },
		"(*heddle/launch.Buffer[T]).Len":    func(c *Call) target.Value { return c.B.Elem(c.Args[0], 1) },
	}
}
