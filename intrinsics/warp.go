package intrinsics

import (
	"go/constant"
	"math/big"

	"heddle/internal/ops"
	"heddle/internal/target"
)

func warpRows() map[string]Row {
	return merge(voteRows(), shuffleRows())
}

// withMask are the facts of a warp operation with a mask, which may not name the caller.
func withMask(f ops.Facts) ops.Facts {
	f.Panics = true
	return f
}

// voteRows are Ballot, Any and All with and without a mask, and ActiveMask.
func voteRows() map[string]Row {
	facts := ops.Facts{Effect: ops.Pure, Together: ops.Warp, Result: ops.Warp}
	all := rows(facts, map[string]Lowering{dsl + "ActiveMask": operation(ops.ActiveMask)})
	for name, op := range map[string]string{"Ballot": ops.Ballot, "Any": ops.Any, "All": ops.All} {
		all[dsl+name] = Row{Facts: facts, Lower: func(c *Call) target.Value { return c.B.Do(op, nil, c.Args[0]) }}
		all[dsl+name+"Sync"] = Row{Facts: withMask(facts), Lower: func(c *Call) target.Value {
			c.checkMask(name+"Sync", c.Args[0])
			return c.B.Do(op, c.Args...)
		}}
	}
	return all
}

// shuffleRows are the shuffles, each with and without a mask and a width:
// Shfl, ShflSync, ShflWidth, ShflSyncWidth.
func shuffleRows() map[string]Row {
	all := map[string]Row{}
	for name, op := range map[string]string{
		"Shfl": ops.ShuffleLane, "ShflUp": ops.ShuffleUp, "ShflDown": ops.ShuffleDown, "ShflXor": ops.ShuffleXor,
	} {
		for _, sync := range []bool{false, true} {
			full, facts := name, ops.Facts{Effect: ops.Pure, Together: ops.Warp}
			if sync {
				full, facts = full+"Sync", withMask(facts)
			}
			all[dsl+full] = Row{Facts: facts, Check: checkExchange, Lower: shuffle(full, op, sync, false)}
			all[dsl+full+"Width"] = Row{Facts: facts, Check: checkWidth, Lower: shuffle(full+"Width", op, sync, true)}
		}
	}
	return all
}

// checkWidth is checkExchange, and refuses a constant width, the last argument, that no
// warp size allows.
func checkWidth(s *Site) (msg, hint string) {
	if msg, hint := checkExchange(s); msg != "" {
		return msg, hint
	}
	v := s.Consts[len(s.Consts)-1]
	if v == nil {
		return "", ""
	}
	if n, ok := constant.Int64Val(v); ok && n > 0 && n <= 64 && n&(n-1) == 0 {
		return "", ""
	}
	return "width " + v.String(), "want a power of two up to the warp size"
}

func shuffle(name, op string, sync, width bool) Lowering {
	return func(c *Call) target.Value {
		args := c.Args
		var mask target.Value
		if sync {
			mask, args = args[0], args[1:]
			c.checkMask(name, mask)
		} else {
			mask = c.B.Do(ops.ActiveMask)
		}
		w := int64s(int64(c.B.M.T.WarpSize))
		if width {
			w = args[2]
		}
		return exchange(c.B, args[0], func(part target.Value) target.Value {
			return c.B.Do(op, mask, part, args[1], w)
		})
	}
}

// checkMask panics where a mask leaves out the lane that calls, on machines that can tell.
func (c *Call) checkMask(name string, mask target.Value) {
	if c.PanicIf == nil || !c.B.M.T.ChecksMasks {
		return
	}
	warp := uint64(1)<<(c.B.M.T.WarpSize-1)<<1 - 1
	if k, ok := mask.(*target.Const); ok {
		if n, ok := new(big.Int).SetString(k.Text, 10); ok && n.And(n, new(big.Int).SetUint64(warp)).Cmp(new(big.Int).SetUint64(warp)) == 0 {
			return
		}
	}
	lane := c.B.Cast("zext", c.B.Do(ops.Lane), target.I64)
	named := c.B.Bin("and", mask, c.B.Bin("shl", int64s(1), lane))
	c.PanicIf(c.B.ICmp("eq", named, int64s(0)), "dsl."+name+": mask %x does not name the calling lane %d", c.B.Bin("and", mask, int64s(int64(warp))), lane)
}
