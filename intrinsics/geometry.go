package intrinsics

import (
	"go/constant"

	"heddle/internal/ops"
	"heddle/internal/target"
)

func geometryRows() map[string]Row {
	return merge(rows(same(ops.Thread), map[string]Lowering{
		dsl + "ThreadIdx": register(target.ThreadIdx),
		dsl + "GlobalIdx": axes(func(b *target.Builder, axis int) target.Value {
			start, read := product(b, axis, target.BlockIdx, target.BlockDim)
			return b.IntCast(b.Bin("add nuw nsw", start, read(b, target.ThreadIdx, axis)), target.I64, false)
		}),
		dsl + "LaneID": func(c *Call) target.Value { return goInt(c.B, c.B.Do(ops.Lane)) },
	}), rows(same(ops.Block), map[string]Lowering{
		dsl + "BlockIdx": register(target.BlockIdx),
	}), rows(same(ops.Grid), map[string]Lowering{
		dsl + "BlockDim": register(target.BlockDim),
		dsl + "GridDim":  register(target.GridDim),
		dsl + "GlobalSize": axes(func(b *target.Builder, axis int) target.Value {
			all, _ := product(b, axis, target.GridDim, target.BlockDim)
			return b.IntCast(all, target.I64, false)
		}),
	}), map[string]Row{
		dsl + "WarpSize": known(func(m *target.Machine) constant.Value { return constant.MakeInt64(int64(m.WarpSize)) }),
		dsl + "Arch":     known(func(m *target.Machine) constant.Value { return constant.MakeString(m.CPU) }),
	}, rows(same(ops.Warp), map[string]Lowering{
		dsl + "WarpID": func(c *Call) target.Value { return goInt(c.B, c.B.Do(ops.WarpNumber)) },
	}), rows(ops.Facts{Effect: ops.Reads}, map[string]Lowering{
		dsl + "Clock":       operation(ops.Clock),
		dsl + "Clock64":     operation(ops.Clock),
		dsl + "WallClock64": operation(ops.WallClock),
	}))
}

// read is one axis of a register as a Go int. Widened from 32 bits, it is
// known not to be negative, and LLVM narrows what is computed from it again.
func read(b *target.Builder, r target.Register, axis int) target.Value {
	return goInt(b, b.M.T.Geometry(b, r, axis))
}

// product is that of the blocks along an axis and their size, in 32 bits where they suffice; how
// is the way to read what is added to it.
func product(b *target.Builder, axis int, x, y target.Register) (v target.Value, how func(*target.Builder, target.Register, int) target.Value) {
	how = read
	if t := b.M.T; t.Narrow && (b.M.ShortGrid || t.MostBlocks(axis)*b.M.MaxBlock() < 1<<31) {
		how = t.Geometry
	}
	return b.Bin("mul nuw nsw", how(b, x, axis), how(b, y, axis)), how
}

// axes returns a Dim3.
func axes(f func(b *target.Builder, axis int) target.Value) Lowering {
	return func(c *Call) target.Value { return target.NewAgg(f(c.B, 0), f(c.B, 1), f(c.B, 2)) }
}

//go:noinline
func register(r target.Register) Lowering {
	return axes(func(b *target.Builder, axis int) target.Value { return read(b, r, axis) })
}
