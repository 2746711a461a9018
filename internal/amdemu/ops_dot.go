package amdemu

// This file has dot products of small vectors in a register. Sums of floats are rounded
// at each step, in the order of the documents' text.

// dots is those rows. With iu8 and iu4, neg_lo says which of the two vectors is signed.
var dots = table{
	"v_dot2_f32_f16":    {"f32 b32 b32 f32", dotHalves},
	"v_dot2c_f32_f16":   {"f32 b32 b32 dst", dotHalves},
	"v_dot2acc_f32_f16": {"f32 b32 b32 dst", dotHalves},
	"v_dot2_f32_bf16":   {"f32 b32 b32 f32", dotBrain},
	"v_dot2_f16_f16":    {"f16 b32 b32 f16", dotHalf},

	"v_dot2_i32_i16":  {"i32 b32 b32 i32", dot(16, true, true)},
	"v_dot2c_i32_i16": {"i32 b32 b32 dst", dot(16, true, true)},
	"v_dot2_u32_u16":  {"u32 b32 b32 u32", dot(16, false, false)},
	"v_dot4_i32_i8":   {"i32 b32 b32 i32", dot(8, true, true)},
	"v_dot4c_i32_i8":  {"i32 b32 b32 dst", dot(8, true, true)},
	"v_dot4_u32_u8":   {"u32 b32 b32 u32", dot(8, false, false)},
	"v_dot8_i32_i4":   {"i32 b32 b32 i32", dot(4, true, true)},
	"v_dot8c_i32_i4":  {"i32 b32 b32 dst", dot(4, true, true)},
	"v_dot8_u32_u4":   {"u32 b32 b32 u32", dot(4, false, false)},

	"v_dot4_i32_iu8":                {"i32 b32 b32 i32", dot(8, false, false)},
	"v_dot4_i32_iu8 neg_lo:[1,0,0]": {"i32 b32 b32 i32", dot(8, true, false)},
	"v_dot4_i32_iu8 neg_lo:[0,1,0]": {"i32 b32 b32 i32", dot(8, false, true)},
	"v_dot4_i32_iu8 neg_lo:[1,1,0]": {"i32 b32 b32 i32", dot(8, true, true)},
	"v_dot8_i32_iu4":                {"i32 b32 b32 i32", dot(4, false, false)},
	"v_dot8_i32_iu4 neg_lo:[1,0,0]": {"i32 b32 b32 i32", dot(4, true, false)},
	"v_dot8_i32_iu4 neg_lo:[0,1,0]": {"i32 b32 b32 i32", dot(4, false, true)},
	"v_dot8_i32_iu4 neg_lo:[1,1,0]": {"i32 b32 b32 i32", dot(4, true, true)},
}

// dot makes the function of integers of n bits, signed as said.
func dot(n int, aSigned, bSigned bool) func(a, b, c uint32) uint32 {
	part := func(v uint32, at int, signed bool) uint32 {
		v = v >> at << (32 - n)
		if signed {
			return uint32(int32(v) >> (32 - n))
		}
		return v >> (32 - n)
	}
	return func(a, b, c uint32) uint32 {
		for i := 0; i < 32; i += n {
			c += part(a, i, aSigned) * part(b, i, bSigned)
		}
		return c
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
