package intrinsics

import (
	"heddle/internal/ops"
	"heddle/internal/target"
)

// This file makes products of powers by small constants: a library computes any power by a logarithm, in some 200 instructions.
//
//	math.Pow(x, 2)   ->   %1 = fmul double %x, %x

// byConstant is pow where the second argument is no constant that power knows.
func byConstant(pow Lowering) Lowering {
	return func(c *Call) target.Value {
		if y, ok := c.Args[1].(*target.Const); ok {
			if r := power(c.B, c.Args[0], y); r != nil {
				return r
			}
		}
		return pow(c)
	}
}

// power is x to the power of some constants, nil of others. No result is further from the truth than a library's: squares, inverses and roots are rounded
// once, others twice.
func power(b *target.Builder, x target.Value, y *target.Const) target.Value {
	t := x.Type()
	is := func(k float64) bool { return y.Text == target.Float(t, k).Text }
	square := func(x target.Value) target.Value { return b.FBin("fmul", x, x) }
	inverse := func() target.Value { return b.FBin("fdiv", target.Float(t, 1), x) }
	switch {
	case is(2):
		return square(x)
	case is(3):
		return b.FBin("fmul", square(x), x)
	case is(4):
		return square(square(x))
	case is(-1):
		return inverse()
	case is(-2): // a square might be too large, or too small
		return square(inverse())
	case is(0.5):
		// of the least infinity that is the greatest, and of -0 it is 0
		least := b.FCmp("oeq", x, infinity(t, -1))
		return b.FBin("fadd", b.Do(ops.Sqrt, b.Select(least, infinity(t, 1), x)), target.Float(t, 0))
	}
	return nil
}
