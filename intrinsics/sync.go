package intrinsics

import "heddle/internal/target"

func syncRows() map[string]Row {
	return map[string]Row{
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
		dsl + "SyncWarp": func(c *Call) target.Value {
			c.B.M.T.WarpBarrier(c.B)
			return None
		},
		dsl + "ThreadFenceBlock":  fence(target.Block),
		dsl + "ThreadFence":       fence(target.Device),
		dsl + "ThreadFenceSystem": fence(target.System),
	}
}

func fence(s target.Scope) Row {
	return func(c *Call) target.Value {
		c.B.M.T.Fence(c.B, s)
		return None
	}
}

func not(b *target.Builder, p target.Value) target.Value {
	return b.Bin("xor", p, target.Bool(true))
}
