package intrinsics

import (
	"heddle/internal/ops"
	"heddle/internal/target"
)

// relaxed is the order of all atomics: they order no other accesses.
const relaxed = "monotonic"

func atomicRows() map[string]Row {
	return rows(ops.Facts{Effect: ops.Writes}, map[string]Lowering{
		dsl + "AtomicAdd": func(c *Call) target.Value {
			if isFloat(c) {
				return rmw(c, "fadd", c.Args[1])
			}
			return rmw(c, "add", c.Args[1])
		},
		dsl + "AtomicSub": func(c *Call) target.Value {
			if isFloat(c) {
				return rmw(c, "fadd", c.B.FNeg(c.Args[1]))
			}
			return rmw(c, "sub", c.Args[1])
		},
		dsl + "AtomicMin": extreme("min", "olt"),
		dsl + "AtomicMax": extreme("max", "ogt"),
		dsl + "AtomicAnd": func(c *Call) target.Value { return rmw(c, "and", c.Args[1]) },
		dsl + "AtomicOr":  func(c *Call) target.Value { return rmw(c, "or", c.Args[1]) },
		dsl + "AtomicXor": func(c *Call) target.Value { return rmw(c, "xor", c.Args[1]) },
		dsl + "AtomicExch": func(c *Call) target.Value {
			old := rmw(c, "xchg", asInt(c.B, c.Args[1]))
			return c.B.Cast("bitcast", old, c.Args[1].Type())
		},
		dsl + "AtomicCAS": func(c *Call) target.Value {
			old := c.B.CmpXchg(c.Args[0], asInt(c.B, c.Args[1]), asInt(c.B, c.Args[2]), scope(c), relaxed, relaxed)
			return c.B.Cast("bitcast", old, c.Args[1].Type())
		},
		dsl + "AtomicInc": func(c *Call) target.Value {
			return update(c, func(old, limit target.Value) (target.Value, target.Value) {
				next := c.B.Bin("add", old, target.Int(old.Type(), 1))
				wrap := c.B.ICmp("uge", old, limit)
				return c.B.Select(wrap, target.Zero(old.Type()), next), target.Bool(true)
			})
		},
		dsl + "AtomicDec": func(c *Call) target.Value {
			return update(c, func(old, limit target.Value) (target.Value, target.Value) {
				next := c.B.Bin("sub", old, target.Int(old.Type(), 1)) // 0 gives the greatest: wrap sees both
				wrap := c.B.ICmp("uge", next, limit)
				return c.B.Select(wrap, limit, next), target.Bool(true)
			})
		},
	})
}

func scope(c *Call) string { return c.B.M.T.Scopes[target.Device] }

func isFloat(c *Call) bool { return floatBits(c.Args[1].Type()) > 0 }

//go:noinline
func rmw(c *Call, op string, v target.Value) target.Value {
	return c.B.AtomicRMW(op, c.Args[0], v, scope(c), relaxed)
}

// extreme is AtomicMin or AtomicMax. Floats take a loop: LLVM's
// fmin and fmax differ between its releases in what they do with NaN and -0.
func extreme(op, better string) Lowering {
	return func(c *Call) target.Value {
		if isFloat(c) {
			return update(c, func(old, v target.Value) (target.Value, target.Value) {
				replace := c.B.Bin("or", c.B.FCmp(better, v, old), c.B.FCmp("uno", old, old))
				return v, replace
			})
		}
		if isUnsigned(c.ArgTypes[1]) {
			return rmw(c, "u"+op, c.Args[1])
		}
		return rmw(c, op, c.Args[1])
	}
}

// update replaces the value at the first argument by what next gives for it
// and the second argument, or leaves it if next says so, and returns the
// value before. It is a loop over compare and exchange.
func update(c *Call, next func(old, arg target.Value) (v, replace target.Value)) target.Value {
	b, p, t := c.B, c.Args[0], c.Args[1].Type()
	bits := asInt(b, c.Args[1]).Type()
	first := b.AtomicLoad(bits, p, scope(c), relaxed)
	entry, loop, try, done := b.Cur, b.NewBlock(), b.NewBlock(), b.NewBlock()
	b.Br(loop)

	b.Cur = loop
	old := b.Phi(bits)
	v, replace := next(b.Cast("bitcast", old, t), c.Args[1])
	b.CondBr(replace, try, done)

	b.Cur = try
	seen := b.CmpXchg(p, old, asInt(b, v), scope(c), relaxed, relaxed)
	target.AddIncoming(old, first, entry)
	target.AddIncoming(old, seen, try)
	b.CondBr(b.ICmp("eq", seen, old), done, loop)

	b.Cur = done
	return b.Cast("bitcast", old, t)
}
