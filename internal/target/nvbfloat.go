package target

import "heddle/internal/ops"

// This file is NVIDIA's arithmetic of bfloat16. Its fma is there from sm_80 on; sums and products
// are made of it: x*1 + y, and x*y + -0, which leaves the sign of a zero as it is.

// nvBFloats adds the operations.
func nvBFloats(all map[string]Expansion) {
	const one, minusOne, minusZero = 0x3f80, 0xbf80, 0x8000
	all[ops.BFloatAdd] = func(b *Builder, a ...Value) Value { return nvBFloat(b, a[0], nvEach(a[0], one), a[1]) }
	all[ops.BFloatSub] = func(b *Builder, a ...Value) Value { return nvBFloat(b, a[1], nvEach(a[0], minusOne), a[0]) }
	all[ops.BFloatMul] = func(b *Builder, a ...Value) Value { return nvBFloat(b, a[0], a[1], nvEach(a[0], minusZero)) }
	all[ops.BFloatFma] = func(b *Builder, a ...Value) Value { return nvBFloat(b, a[0], a[1], a[2]) }
}

// nvEach is the constant that has the same bits in each number of a word like v.
func nvEach(v Value, bits uint64) Value {
	switch t := v.Type(); Bits(t) {
	case 64:
		return Int(t, int64(bits*0x0001000100010001))
	case 32:
		return Int(t, int64(int32(bits*0x00010001)))
	default:
		return Int(t, int64(int16(bits)))
	}
}

// nvBFloat is x*y + z of one, two or four numbers; nil where the machine has none.
func nvBFloat(b *Builder, x, y, z Value) Value {
	if b.M.T.Generation < 80 {
		return nil
	}
	switch Bits(x.Type()) {
	case 16:
		return b.Asm(I16, "fma.rn.bf16 $0, $1, $2, $3;", "=h,h,h,h", false, x, y, z)
	case 32:
		return b.Asm(I32, "fma.rn.bf16x2 $0, $1, $2, $3;", "=r,r,r,r", false, x, y, z)
	}
	part := func(v Value, shift int64) Value {
		return b.Cast("trunc", b.Bin("lshr", v, Int(I64, shift)), I32)
	}
	lo, hi := nvBFloat(b, part(x, 0), part(y, 0), part(z, 0)), nvBFloat(b, part(x, 32), part(y, 32), part(z, 32))
	return b.Bin("or", b.Cast("zext", lo, I64), b.Bin("shl", b.Cast("zext", hi, I64), Int(I64, 32)))
}
