package intrinsics

import (
	"heddle/internal/ops"
	"heddle/internal/target"
)

func syncRows() map[string]Row {
	return merge(rows(ops.Facts{Effect: ops.Orders, Together: ops.Block, Result: ops.Block}, map[string]Lowering{
		dsl + "SyncThreads":      operation(ops.Barrier),
		dsl + "SyncThreadsCount": func(c *Call) target.Value { return goInt(c.B, c.B.Do(ops.BarrierCount, c.Args...)) },
		dsl + "SyncThreadsAnd":   operation(ops.BarrierAnd),
		dsl + "SyncThreadsOr":    operation(ops.BarrierOr),
	}), rows(ops.Facts{Effect: ops.Orders, Together: ops.Warp}, map[string]Lowering{
		dsl + "SyncWarp": func(c *Call) target.Value { return c.B.Do(ops.WarpBarrier, nil) },
	}), rows(withMask(ops.Facts{Effect: ops.Orders, Together: ops.Warp}), map[string]Lowering{
		dsl + "SyncWarpMask": func(c *Call) target.Value {
			c.checkMask("SyncWarpMask", c.Args[0])
			return c.B.Do(ops.WarpBarrier, c.Args...)
		},
	}), rows(ops.Facts{Effect: ops.Orders}, map[string]Lowering{
		dsl + "ThreadFenceBlock":  operation(ops.FenceBlock),
		dsl + "ThreadFence":       operation(ops.FenceDevice),
		dsl + "ThreadFenceSystem": operation(ops.FenceSystem),
	}))
}
