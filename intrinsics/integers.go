package intrinsics

import (
	"heddle/internal/ops"
	"heddle/internal/target"
)

// integerRows are dsl's bit functions, on integers of 32 and 64 bits.
func integerRows() map[string]Row {
	return rows(ofArgs, map[string]Lowering{
		dsl + "Popc": counted(ones),
		dsl + "Clz":  counted(leadingZeros),
		dsl + "Ctz":  counted(trailingZeros),
		dsl + "Ffs": func(c *Call) target.Value {
			b, x := c.B, c.Args[0]
			place := b.Bin("add", goInt64(b, trailingZeros(b, x)), int64s(1))
			return b.Select(b.ICmp("eq", x, target.Zero(x.Type())), int64s(0), place)
		},
		dsl + "Brev": ofType("bitreverse"),
		dsl + "Mulhi": func(c *Call) target.Value {
			hi, _ := wideProduct(c.B, c.Args[0], c.Args[1], !isUnsigned(c.ArgTypes[0]))
			return hi
		},
	})
}

// bitsRows are package math/bits. What is not here is as good compiled from its Go body.
func bitsRows() map[string]Row {
	all := map[string]Lowering{}
	for _, width := range []string{"", "8", "16", "32", "64"} {
		all[goBits+"OnesCount"+width] = counted(ones)
		all[goBits+"LeadingZeros"+width] = counted(leadingZeros)
		all[goBits+"TrailingZeros"+width] = counted(trailingZeros)
		all[goBits+"Len"+width] = counted(length)
		all[goBits+"Reverse"+width] = ofType("bitreverse")
		all[goBits+"RotateLeft"+width] = rotate
		if width != "8" {
			all[goBits+"ReverseBytes"+width] = ofType("bswap")
		}
		if width == "8" || width == "16" {
			continue
		}
		all[goBits+"Add"+width] = carried("uadd")
		all[goBits+"Sub"+width] = carried("usub")
		all[goBits+"Mul"+width] = func(c *Call) target.Value {
			return target.NewAgg(wideProduct(c.B, c.Args[0], c.Args[1], false))
		}
	}
	return rows(ofArgs, all)
}

// counted returns a small count as a Go int.
func counted(count func(b *target.Builder, x target.Value) target.Value) Lowering {
	return func(c *Call) target.Value { return goInt64(c.B, count(c.B, c.Args[0])) }
}

func goInt64(b *target.Builder, v target.Value) target.Value {
	return b.IntCast(v, target.I64, false)
}

func ones(b *target.Builder, x target.Value) target.Value { return callLLVM(b, "ctpop", x) }

func leadingZeros(b *target.Builder, x target.Value) target.Value { return zeros(b, "ctlz", x) }

func trailingZeros(b *target.Builder, x target.Value) target.Value { return zeros(b, "cttz", x) }

// zeros counts leading or trailing zeros; of 0 that is its width.
func zeros(b *target.Builder, op string, x target.Value) target.Value {
	t := x.Type()
	return b.Intrinsic("llvm."+op+suffix(t), t, x, target.Bool(false))
}

func length(b *target.Builder, x target.Value) target.Value {
	return b.Bin("sub", target.Int(x.Type(), int64(target.Bits(x.Type()))), leadingZeros(b, x))
}

// ofType is an LLVM intrinsic of the argument's type.
func ofType(op string) Lowering {
	return func(c *Call) target.Value { return callLLVM(c.B, op, c.Args[0]) }
}

// rotate turns left by k modulo the width, which is a power of two: a negative k turns right.
func rotate(c *Call) target.Value {
	x := c.Args[0]
	return c.B.Do(ops.RotateLeft, x, c.B.IntCast(c.Args[1], x.Type(), true))
}

// carried makes Add or Sub: two results, the second the carry out.
func carried(op string) Lowering {
	return func(c *Call) target.Value {
		b, t := c.B, c.Args[0].Type()
		step := func(x, y target.Value) (target.Value, target.Value) {
			r := b.Intrinsic("llvm."+op+".with.overflow"+suffix(t), target.Struct(t, target.I1), x, y)
			return b.Extract(r, 0), b.Cast("zext", b.Extract(r, 1), t)
		}
		part, first := step(c.Args[0], c.Args[1])
		sum, second := step(part, c.Args[2])
		return target.NewAgg(sum, b.Bin("or", first, second))
	}
}

// wideProduct is the product of twice the bits, in halves.
func wideProduct(b *target.Builder, x, y target.Value, signed bool) (hi, lo target.Value) {
	t, n := x.Type(), int64(target.Bits(x.Type()))
	wide := target.Type(target.I64)
	if n == 64 {
		wide = target.I128
	}
	p := b.Bin("mul", b.IntCast(x, wide, signed), b.IntCast(y, wide, signed))
	return b.Cast("trunc", b.Bin("lshr", p, target.Int(wide, n)), t), b.Cast("trunc", p, t)
}
