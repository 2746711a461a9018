package intrinsics

import (
	"heddle/internal/ops"
	"heddle/internal/target"
)

// togetherRows are the functions in which lanes compare and combine their values. They
// are plain Go; some machines have an instruction.
func togetherRows() map[string]Row {
	warp := withMask(ops.Facts{Effect: ops.Pure, Together: ops.Warp})
	block := ops.Facts{Effect: ops.Orders, Together: ops.Block}
	all := map[string]Row{
		dsl + "MatchAnySync":       {Facts: warp, Lower: matchAny},
		dsl + "BlockReduce":        {Facts: ops.Facts{Effect: ops.Orders, Together: ops.Block, Result: ops.Block}, Check: checkExchange},
		dsl + "BlockInclusiveScan": {Facts: block, Check: checkExchange},
		dsl + "BlockExclusiveScan": {Facts: block, Check: checkExchange},
	}
	for _, name := range []string{"MatchAny", "MatchAll", "MatchAllSync"} {
		all[dsl+name] = Row{Facts: warp}
	}
	for _, name := range []string{"Reduce", "InclusiveScan", "ExclusiveScan"} {
		all[dsl+"Warp"+name] = Row{Facts: warp, Check: checkExchange}
		all[dsl+"Warp"+name+"Sync"] = Row{Facts: warp, Check: checkExchange}
	}
	for name, op := range map[string][2]string{
		"Add": {ops.ReduceAdd, ops.ReduceAdd}, "Min": {ops.ReduceMin, ops.ReduceUmin}, "Max": {ops.ReduceMax, ops.ReduceUmax},
		"And": {ops.ReduceAnd, ops.ReduceAnd}, "Or": {ops.ReduceOr, ops.ReduceOr}, "Xor": {ops.ReduceXor, ops.ReduceXor},
	} {
		all[dsl+"Reduce"+name+"Sync"] = Row{Facts: warp, Lower: reduce(op[0], op[1])}
	}
	return withBodies(all)
}

func matchAny(c *Call) target.Value {
	v := asInt(c.B, c.Args[1])
	if target.Bits(v.Type()) < 32 {
		v = c.B.Cast("zext", v, target.I32)
	}
	return c.B.Do(ops.MatchAny, c.Args[0], v)
}

// reduce is an operation of signed or unsigned integers of up to 32 bits.
func reduce(signed, unsigned string) Lowering {
	return func(c *Call) target.Value {
		t := c.Args[1].Type()
		if n := target.Bits(t); n == 0 || n > 32 {
			return nil
		}
		op, isSigned := signed, !isUnsigned(c.ArgTypes[1])
		if !isSigned {
			op = unsigned
		}
		r := c.B.Do(op, c.Args[0], c.B.IntCast(c.Args[1], target.I32, isSigned))
		if r == nil {
			return nil
		}
		return c.B.IntCast(r, t, false)
	}
}
