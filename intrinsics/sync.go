package intrinsics

import (
	"heddle/internal/ops"
	"heddle/internal/target"
)

func syncRows() map[string]Row {
	return merge(rows(ops.Facts{Effect: ops.Orders, Together: ops.Block, Result: ops.Block}, map[string]Lowering{
		dsl + "SyncThreads": func(c *Call) target.Value {
			c.B.M.T.Barrier(c.B)
			return None
		},
		dsl + "SyncThreadsCount": func(c *Call) target.Value {
			return goInt(c.B, c.B.M.T.BarrierCount(c.B, c.Args[0]))
		},
		dsl + "SyncThreadsAnd": func(c *Call) target.Value {
			n := c.B.M.T.BarrierCount(c.B, not(c.B, c.Args[0]))
			return c.B.ICmp("eq", n, target.Int(target.I32, 0))
		},
		dsl + "SyncThreadsOr": func(c *Call) target.Value {
			n := c.B.M.T.BarrierCount(c.B, c.Args[0])
			return c.B.ICmp("ne", n, target.Int(target.I32, 0))
		},
	}), rows(ops.Facts{Effect: ops.Orders, Together: ops.Warp}, map[string]Lowering{
		dsl + "SyncWarp": func(c *Call) target.Value {
			c.B.M.T.WarpBarrier(c.B)
			return None
		},
	}), rows(ops.Facts{Effect: ops.Orders}, map[string]Lowering{
		dsl + "ThreadFenceBlock":  fence(target.Block),
		dsl + "ThreadFence":       fence(target.Device),
		dsl + "ThreadFenceSystem": fence(target.System),
	}))
}

func fence(s target.Scope) Lowering {
	return func(c *Call) target.Value {
		c.B.M.T.Fence(c.B, s)
		return None
	}
}

func not(b *target.Builder, p target.Value) target.Value {
	return b.Bin("xor", p, target.Bool(true))
}
