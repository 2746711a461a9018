package intrinsics

import (
	"go/constant"
	"go/types"

	"heddle/internal/ops"
	"heddle/internal/target"
)

// relaxed is the order of all atomics but Atomic's methods: they order no other accesses.
const relaxed = "monotonic"

// An atomicForm is the scope and the order of an atomic, and what floats may be.
type atomicForm struct {
	scope target.Scope
	order string
	float target.FloatAtomic
}

// An atomicOp makes an atomic of a form: of Args[1], at the address Args[0].
type atomicOp func(c *Call, f atomicForm) target.Value

// atomicOps are the operations, by their names in functions; "Exch" and "CAS" are methods of
// other names.
func atomicOps() map[string]atomicOp {
	return map[string]atomicOp{
		"Add": func(c *Call, f atomicForm) target.Value {
			if isFloat(c) {
				return f.rmw(c, "fadd", c.Args[1])
			}
			return f.rmw(c, "add", c.Args[1])
		},
		"Sub": func(c *Call, f atomicForm) target.Value {
			if isFloat(c) {
				return f.rmw(c, "fadd", c.B.FNeg(c.Args[1]))
			}
			return f.rmw(c, "sub", c.Args[1])
		},
		"Min": extreme("min", "olt"),
		"Max": extreme("max", "ogt"),
		"And": func(c *Call, f atomicForm) target.Value { return f.rmw(c, "and", c.Args[1]) },
		"Or":  func(c *Call, f atomicForm) target.Value { return f.rmw(c, "or", c.Args[1]) },
		"Xor": func(c *Call, f atomicForm) target.Value { return f.rmw(c, "xor", c.Args[1]) },
		"Exch": func(c *Call, f atomicForm) target.Value {
			old := f.rmw(c, "xchg", asInt(c.B, c.Args[1]))
			return c.B.Cast("bitcast", old, c.Args[1].Type())
		},
		"CAS": func(c *Call, f atomicForm) target.Value {
			old := f.swap(c, asInt(c.B, c.Args[1]), asInt(c.B, c.Args[2]))
			return c.B.Cast("bitcast", old, c.Args[1].Type())
		},
		"Inc": func(c *Call, f atomicForm) target.Value {
			return f.around(c, "uinc_wrap", func(old, limit target.Value) (target.Value, target.Value) {
				next := c.B.Bin("add", old, target.Int(old.Type(), 1))
				wrap := c.B.ICmp("uge", old, limit)
				return c.B.Select(wrap, target.Zero(old.Type()), next), target.Bool(true)
			})
		},
		"Dec": func(c *Call, f atomicForm) target.Value {
			return f.around(c, "udec_wrap", func(old, limit target.Value) (target.Value, target.Value) {
				next := c.B.Bin("sub", old, target.Int(old.Type(), 1)) // 0 gives the greatest: wrap sees both
				wrap := c.B.ICmp("uge", next, limit)
				return c.B.Select(wrap, limit, next), target.Bool(true)
			})
		},
	}
}

func atomicRows() map[string]Row {
	all := map[string]Row{}
	row := func(name string, facts ops.Facts, lower Lowering) { all[name] = Row{Facts: facts, Lower: lower} }
	writes := ops.Facts{Effect: ops.Writes, Atomic: true}
	for name, op := range atomicOps() {
		for suffix, scope := range map[string]target.Scope{"": target.Device, "Block": target.Block, "System": target.System} {
			row(dsl+"Atomic"+name+suffix, writes, func(c *Call) target.Value { return op(c, atomicForm{scope: scope, order: relaxed}) })
		}
	}
	row(dsl+"SafeAtomicAdd", writes, func(c *Call) target.Value {
		f := atomicForm{scope: target.Device, order: relaxed, float: target.FloatSafe}
		if !c.B.M.FastAtomics {
			return f.rmw(c, "fadd", c.Args[1])
		}
		// Some releases of LLVM make all of a kernel's additions fast.
		return f.update(c, func(old, v target.Value) (target.Value, target.Value) {
			return c.B.Bin("fadd", old, v), target.Bool(true)
		})
	})
	row(dsl+"UnsafeAtomicAdd", writes, func(c *Call) target.Value {
		return atomicForm{scope: target.Device, order: relaxed, float: target.FloatUnsafe}.rmw(c, "fadd", c.Args[1])
	})
	all[dsl+"AtomicCAS128"] = Row{
		Facts: ops.Facts{Effect: ops.Writes, Atomic: true, Panics: true},
		Needs: func(m *target.Machine) string {
			if m.Swap128 {
				return ""
			}
			return "compare and swap of 128 bits"
		},
		Lower: func(c *Call) target.Value {
			b, p := c.B, c.Args[0]
			if c.PanicIf != nil {
				low := b.Bin("and", b.Cast("ptrtoint", p, target.I64), int64s(15))
				c.PanicIf(b.ICmp("ne", low, int64s(0)), "AtomicCAS128 of an address that is not a multiple of 16")
			}
			args := []target.Value{p}
			for _, a := range c.Args[1:] {
				args = append(args, b.Elem(a, 0), b.Elem(a, 1))
			}
			old := b.Do(ops.Swap128, args...)
			return &target.Agg{Typ: target.Array(2, target.I64), Elems: []target.Value{b.Extract(old, 0), b.Extract(old, 1)}}
		},
	}
	return all
}

// atomicMethods are those of dsl.Atomic, whose last two arguments are the scope and the order.
func atomicMethods() map[string]Row {
	all := map[string]Row{}
	row := func(name string, args int, kind accessKind, op atomicOp) {
		all["(*"+dsl+"Atomic[T])."+name] = Row{
			Facts: ops.Facts{Effect: ops.Orders, Atomic: true}, Const: []int{args - 2, args - 1},
			Check: func(s *Site) (msg, hint string) { return checkOrder(s, args-2, kind) },
			Lower: func(c *Call) target.Value { return op(c, formOf(c, args-2)) },
		}
	}
	named := map[string]string{"Exch": "Exchange"}
	for name, op := range atomicOps() {
		switch name {
		case "Inc", "Dec", "CAS":
			continue
		case "And", "Or", "Xor":
			row(name, 4, bitwise, op)
			continue
		}
		if other := named[name]; other != "" {
			name = other
		}
		row(name, 4, updates, op)
	}
	row("Load", 3, loads, func(c *Call, f atomicForm) target.Value {
		t := c.Lower(elemOf(c.ArgTypes[0]))
		return c.B.Cast("bitcast", f.access(c, "load", nil, target.Zero(intOf(t))), t)
	})
	row("Store", 4, stores, func(c *Call, f atomicForm) target.Value {
		return f.access(c, "store", nil, asInt(c.B, c.Args[1]))
	})
	row("CompareExchange", 5, updates, func(c *Call, f atomicForm) target.Value {
		compare := asInt(c.B, c.Args[1])
		old := f.swap(c, compare, asInt(c.B, c.Args[2]))
		return target.NewAgg(c.B.Cast("bitcast", old, c.Args[1].Type()), c.B.ICmp("eq", old, compare))
	})
	return all
}

// elemOf is T of a *Atomic[T].
func elemOf(t types.Type) types.Type {
	return types.Unalias(t.Underlying().(*types.Pointer).Elem()).(*types.Named).TypeArgs().At(0)
}

// intOf is the integer type of a number's size.
func intOf(t target.Type) target.Type {
	if target.Bits(t) == 64 || floatBits(t) == 64 {
		return target.I64
	}
	return target.I32
}

// What a method of Atomic does.
type accessKind uint8

const (
	updates accessKind = iota
	bitwise
	loads
	stores
)

// orders are LLVM's names for dsl's.
var orders = [...]string{relaxed, "acquire", "release", "acq_rel", "seq_cst"}

// checkOrder judges the scope, argument n, the order after it, and T.
func checkOrder(s *Site, n int, kind accessKind) (msg, hint string) {
	if kind == bitwise {
		if b, ok := elemOf(s.ArgTypes[0]).Underlying().(*types.Basic); ok && b.Info()&types.IsInteger == 0 {
			return "it is of integers only", "make it an Atomic of an unsigned integer"
		}
	}
	if s.Consts[n] == nil || s.Consts[n+1] == nil {
		return "", "" // it depends on the machine
	}
	scope, _ := constant.Int64Val(s.Consts[n])
	order, _ := constant.Int64Val(s.Consts[n+1])
	switch {
	case scope < 0 || scope > int64(target.System):
		return "no such scope", "pass dsl.ScopeWarp, ScopeBlock, ScopeDevice or ScopeSystem"
	case order < 0 || order >= int64(len(orders)):
		return "no such order", "pass dsl.Relaxed, Acquire, Release, AcqRel or SeqCst"
	case kind == loads && (orders[order] == "release" || orders[order] == "acq_rel"):
		return "a load releases nothing", "pass dsl.Relaxed, Acquire or SeqCst"
	case kind == stores && (orders[order] == "acquire" || orders[order] == "acq_rel"):
		return "a store acquires nothing", "pass dsl.Relaxed, Release or SeqCst"
	}
	return "", ""
}

// formOf is the form that the arguments from n on name.
func formOf(c *Call, n int) atomicForm {
	scope, _ := target.IntConst(c.Args[n])
	order, _ := target.IntConst(c.Args[n+1])
	return atomicForm{scope: target.Scope(scope), order: orders[order]}
}

func isFloat(c *Call) bool { return floatBits(c.Args[1].Type()) > 0 }

//go:noinline
func (f atomicForm) access(c *Call, op string, old, v target.Value) target.Value {
	return c.B.Atomic(target.Access{Op: op, P: c.Args[0], Old: old, V: v, Scope: f.scope, Order: f.order, Float: f.float})
}

func (f atomicForm) rmw(c *Call, op string, v target.Value) target.Value {
	return f.access(c, op, nil, v)
}

func (f atomicForm) swap(c *Call, old, v target.Value) target.Value {
	return f.access(c, "cmpxchg", old, v)
}

// around is an operation that begins anew at a limit: the machine's, or a loop.
func (f atomicForm) around(c *Call, op string, next func(old, limit target.Value) (v, replace target.Value)) target.Value {
	if f.scope < c.B.M.T.Wraps {
		return f.rmw(c, op, c.Args[1])
	}
	return f.update(c, next)
}

// extreme is the lesser or the greater. Floats take a loop: LLVM's
// fmin and fmax differ between its releases in what they do with NaN and -0.
func extreme(op, better string) atomicOp {
	return func(c *Call, f atomicForm) target.Value {
		if isFloat(c) {
			return f.update(c, func(old, v target.Value) (target.Value, target.Value) {
				replace := c.B.Bin("or", c.B.FCmp(better, v, old), c.B.FCmp("uno", old, old))
				return v, replace
			})
		}
		if isUnsigned(c.ArgTypes[1]) {
			return f.rmw(c, "u"+op, c.Args[1])
		}
		return f.rmw(c, op, c.Args[1])
	}
}

// update replaces the value at the first argument by what next gives for it
// and the second argument, or leaves it if next says so, and returns the
// value before. It is a loop over compare and exchange.
func (f atomicForm) update(c *Call, next func(old, arg target.Value) (v, replace target.Value)) target.Value {
	b, t := c.B, c.Args[1].Type()
	bits := asInt(b, c.Args[1]).Type()
	load := f
	load.order = target.FailureOrder(f.order)
	first := load.access(c, "load", nil, target.Zero(bits))
	entry, loop, try, done := b.Cur, b.NewBlock(), b.NewBlock(), b.NewBlock()
	b.Br(loop)

	b.Cur = loop
	old := b.Phi(bits)
	v, replace := next(b.Cast("bitcast", old, t), c.Args[1])
	b.CondBr(replace, try, done)

	b.Cur = try
	seen := f.swap(c, old, asInt(b, v))
	target.AddIncoming(old, first, entry)
	target.AddIncoming(old, seen, b.Cur)
	b.CondBr(b.ICmp("eq", seen, old), done, loop)

	b.Cur = done
	return b.Cast("bitcast", old, t)
}
