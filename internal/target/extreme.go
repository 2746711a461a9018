package target

import "math"

// Extreme is the lesser or the greater of two floats of 32 or 64 bits by Go's rule: NaN if one of them is, and -0 below +0.
func (b *Builder) Extreme(greater bool, x, y Value) Value {
	t := x.Type()
	if has := b.M.T.Maximum; has != nil && has(b.M.T, t) {
		return b.Intrinsic(pick(greater, "llvm.maximum.", "llvm.minimum.")+pick(t.Equal(F32), "f32", "f64"), t, x, y)
	}
	return b.Select(b.FCmp("uno", x, y), Float(t, math.NaN()), b.number(greater, x, y))
}

// number is Extreme of numbers.
func (b *Builder) number(greater bool, x, y Value) Value {
	t := x.Type()
	if b.M.T.OrdersZeros {
		return b.Intrinsic(pick(greater, "llvm.maxnum.", "llvm.minnum.")+pick(t.Equal(F32), "f32", "f64"), t, x, y)
	}
	bits := pick[Type](t.Equal(F32), I32, I64)
	zero := b.Cast("bitcast", b.Bin(pick(greater, "and", "or"), b.Cast("bitcast", x, bits), b.Cast("bitcast", y, bits)), t)
	return b.Select(b.FCmp("oeq", x, y), zero, b.Select(b.FCmp(pick(greater, "ogt", "olt"), x, y), x, y))
}

func pick[T any](first bool, x, y T) T {
	if first {
		return x
	}
	return y
}
