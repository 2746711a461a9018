package intrinsics

import (
	"go/constant"

	"heddle/internal/ops"
	"heddle/internal/target"
)

// copyRows are copies that go on while the thread does something else. Where a machine has
// none, they are done at once, by the Go bodies.
func copyRows() map[string]Row {
	wait := Row{Facts: ops.Facts{Effect: ops.Orders}, Check: checkPending, Lower: func(c *Call) target.Value {
		n, _ := target.IntConst(c.Args[0])
		return c.B.Do(ops.CopyWait, int64s(n))
	}}
	return withBodies(map[string]Row{
		dsl + "CopyAsync":       {Facts: ops.Facts{Effect: ops.Writes}, Lower: copyAsync},
		dsl + "CopyAsyncCommit": {Facts: ops.Facts{Effect: ops.Orders}, Lower: operation(ops.CopyCommit)},
		dsl + "CopyAsyncWait":   wait,
	})
}

func copyAsync(c *Call) target.Value {
	size, align := c.Size(c.TypeArgs[0])
	if size != 4 && size != 8 && size != 16 {
		return nil
	}
	return c.B.Do(ops.CopyAsync, c.Args[0], c.Args[1], int64s(size), int64s(align))
}

// checkPending refuses a negative count of groups.
func checkPending(s *Site) (msg, hint string) {
	if n := s.Consts[0]; n != nil && constant.Sign(n) < 0 {
		return n.String() + " groups of copies", "want 0 or more"
	}
	return "", ""
}
