package amdemu

import "math"

// This file has dot products of small vectors in a register. Sums of floats are rounded
// at each step, in the order of the documents' text.

// dots is those rows.
var dots = func() table {
	t := table{
		"v_dot2_f32_f16":    {"f32 v2f16 v2f16 f32", dotHalves},
		"v_dot2c_f32_f16":   {"f32 v2f16 v2f16 dst", dotHalves},
		"v_dot2acc_f32_f16": {"f32 v2f16 v2f16 dst", dotHalves},
		"v_dot2_f32_bf16":   {"f32 v2f16 v2f16 f32", dotBrain},
		"v_dot2_f16_f16":    {"f16 v2f16 v2f16 f16", dotHalf},
		"v_dot2_bf16_bf16":  {"b16 v2f16 v2f16 b16", dotBrainOnly},
	}
	for _, k := range []struct {
		name, types string
		bits        int
		a, b        bool // signed
	}{
		{"v_dot2_i32_i16", "i32 v2i16 v2i16 i32", 16, true, true},
		{"v_dot2c_i32_i16", "i32 v2i16 v2i16 dst", 16, true, true},
		{"v_dot2_u32_u16", "u32 v2u16 v2u16 u32", 16, false, false},
		{"v_dot4_i32_i8", "i32 b32 b32 i32", 8, true, true},
		{"v_dot4c_i32_i8", "i32 b32 b32 dst", 8, true, true},
		{"v_dot4_u32_u8", "u32 b32 b32 u32", 8, false, false},
		{"v_dot8_i32_i4", "i32 b32 b32 i32", 4, true, true},
		{"v_dot8c_i32_i4", "i32 b32 b32 dst", 4, true, true},
		{"v_dot8_u32_u4", "u32 b32 b32 u32", 4, false, false},
		// neg_lo says which source is signed; the sum is.
		{"v_dot4_i32_iu8", "i32 b32 b32 i32", 8, false, false},
		{"v_dot4_i32_iu8 neg_lo:[1,0,0]", "i32 b32 b32 i32", 8, true, false},
		{"v_dot4_i32_iu8 neg_lo:[0,1,0]", "i32 b32 b32 i32", 8, false, true},
		{"v_dot4_i32_iu8 neg_lo:[1,1,0]", "i32 b32 b32 i32", 8, true, true},
		{"v_dot8_i32_iu4", "i32 b32 b32 i32", 4, false, false},
		{"v_dot8_i32_iu4 neg_lo:[1,0,0]", "i32 b32 b32 i32", 4, true, false},
		{"v_dot8_i32_iu4 neg_lo:[0,1,0]", "i32 b32 b32 i32", 4, false, true},
		{"v_dot8_i32_iu4 neg_lo:[1,1,0]", "i32 b32 b32 i32", 4, true, true},
	} {
		t[k.name] = row{k.types, dot(k.bits, k.a, k.b)}
		t[k.name+" clamp"] = row{k.types, dotClamped(k.bits, k.a, k.b, k.types[0] == 'i')}
	}
	return t
}()

// element is element i of n bits.
func element(v uint32, n, i int, signed bool) int64 {
	v = v >> (n * i) << (32 - n)
	if signed {
		return int64(int32(v) >> (32 - n))
	}
	return int64(v >> (32 - n))
}

// product is the dot product of integers of n bits, signed as said.
func product(a, b uint32, n int, aSigned, bSigned bool) (sum int64) {
	for i := range 32 / n {
		sum += element(a, n, i, aSigned) * element(b, n, i, bSigned)
	}
	return sum
}

func dot(n int, aSigned, bSigned bool) func(a, b, c uint32) uint32 {
	return func(a, b, c uint32) uint32 { return uint32(product(a, b, n, aSigned, bSigned)) + c }
}

// dotClamped stops at the ends of the sum's range.
func dotClamped(n int, aSigned, bSigned, signed bool) func(a, b, c uint32) uint32 {
	return func(a, b, c uint32) uint32 {
		sum := product(a, b, n, aSigned, bSigned)
		if signed {
			return uint32(max(math.MinInt32, min(sum+int64(int32(c)), math.MaxInt32)))
		}
		return uint32(max(0, min(sum+int64(c), math.MaxUint32)))
	}
}

func dotHalves(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 16 {
		c = add32(c, mul32(bits32(f16of(a>>i)), bits32(f16of(b>>i))))
	}
	return c
}

func dotBrain(a, b, c uint32) uint32 {
	c = add32(c, mul32(a<<16, b<<16))
	return add32(c, mul32(a&^0xffff, b&^0xffff))
}

func dotHalf(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 16 {
		c = add16(c, mul16(a>>i&0xffff, b>>i&0xffff))
	}
	return c
}

// dotBrainOnly rounds each step to bf16.
func dotBrainOnly(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 16 {
		c = brain(add32(c<<16, brain(mul32(a>>i<<16, b>>i<<16))<<16))
	}
	return c
}

// brain is the f32 a rounded to bf16, to nearest even.
func brain(a uint32) uint32 {
	if format32.nan(a) {
		return (a | format32.quiet) >> 16
	}
	return (a + 0x7fff + a>>16&1) >> 16
}
