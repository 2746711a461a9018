package amdemu

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestIntegers32 compares with 64-bit or exact arithmetic, cut to the result's width.
func TestIntegers32(t *testing.T) {
	type wide struct{ u, s int64 } // a source, unsigned and signed
	cut := func(v int64) uint64 { return uint64(uint32(v)) }
	mid := func(v ...int64) int64 { slices.Sort(v); return v[1] }
	i24 := func(x wide) int64 { return x.u << 40 >> 40 }
	u24 := func(x wide) int64 { return x.u & 0xffffff }
	rows := map[string]func(a, b, c wide) uint64{
		"v_add_u32":      func(a, b, _ wide) uint64 { return cut(a.u + b.u) },
		"v_add_nc_u32":   func(a, b, _ wide) uint64 { return cut(a.u + b.u) },
		"v_sub_u32":      func(a, b, _ wide) uint64 { return cut(a.u - b.u) },
		"v_sub_nc_u32":   func(a, b, _ wide) uint64 { return cut(a.u - b.u) },
		"v_subrev_u32":   func(a, b, _ wide) uint64 { return cut(b.u - a.u) },
		"v_add_i32":      func(a, b, _ wide) uint64 { return cut(a.s + b.s) },
		"v_sub_nc_i32":   func(a, b, _ wide) uint64 { return cut(a.s - b.s) },
		"v_add3_u32":     func(a, b, c wide) uint64 { return cut(a.u + b.u + c.u) },
		"v_lshl_add_u32": func(a, b, c wide) uint64 { return cut(a.u<<(b.u%32) + c.u) },
		"v_add_lshl_u32": func(a, b, c wide) uint64 { return cut((a.u + b.u) << (c.u % 32)) },
		"v_xad_u32":      func(a, b, c wide) uint64 { return cut((a.u ^ b.u) + c.u) },
		"v_mul_lo_u32":   func(a, b, _ wide) uint64 { return cut(a.s * b.s) },
		"v_mul_hi_i32":   func(a, b, _ wide) uint64 { return cut(a.s * b.s >> 32) },

		"v_mul_u32_u24":    func(a, b, _ wide) uint64 { return cut(u24(a) * u24(b)) },
		"v_mul_hi_u32_u24": func(a, b, _ wide) uint64 { return cut(u24(a) * u24(b) >> 32) },
		"v_mul_i32_i24":    func(a, b, _ wide) uint64 { return cut(i24(a) * i24(b)) },
		"v_mul_hi_i32_i24": func(a, b, _ wide) uint64 { return cut(i24(a) * i24(b) >> 32) },
		"v_mad_u32_u24":    func(a, b, c wide) uint64 { return cut(u24(a)*u24(b) + c.u) },
		"v_mad_i32_i24":    func(a, b, c wide) uint64 { return cut(i24(a)*i24(b) + c.s) },

		"v_min_u32":    func(a, b, _ wide) uint64 { return cut(min(a.u, b.u)) },
		"v_max_u32":    func(a, b, _ wide) uint64 { return cut(max(a.u, b.u)) },
		"v_min_i32":    func(a, b, _ wide) uint64 { return cut(min(a.s, b.s)) },
		"v_max_i32":    func(a, b, _ wide) uint64 { return cut(max(a.s, b.s)) },
		"v_min3_u32":   func(a, b, c wide) uint64 { return cut(min(a.u, b.u, c.u)) },
		"v_max3_u32":   func(a, b, c wide) uint64 { return cut(max(a.u, b.u, c.u)) },
		"v_med3_u32":   func(a, b, c wide) uint64 { return cut(mid(a.u, b.u, c.u)) },
		"v_min3_i32":   func(a, b, c wide) uint64 { return cut(min(a.s, b.s, c.s)) },
		"v_max3_i32":   func(a, b, c wide) uint64 { return cut(max(a.s, b.s, c.s)) },
		"v_med3_i32":   func(a, b, c wide) uint64 { return cut(mid(a.s, b.s, c.s)) },
		"v_minmax_u32": func(a, b, c wide) uint64 { return cut(max(min(a.u, b.u), c.u)) },
		"v_maxmin_u32": func(a, b, c wide) uint64 { return cut(min(max(a.u, b.u), c.u)) },
		"v_minmax_i32": func(a, b, c wide) uint64 { return cut(max(min(a.s, b.s), c.s)) },
		"v_maxmin_i32": func(a, b, c wide) uint64 { return cut(min(max(a.s, b.s), c.s)) },
	}
	r := rand.New(rand.NewPCG(31, 32))
	for range 3000 {
		x, y, z := random32(r), random32(r), random32(r)
		w := func(v uint32) wide { return wide{int64(v), int64(int32(v))} }
		for name, f := range rows {
			expect(t, name, f(w(x), w(y), w(z)), uint64(x), uint64(y), uint64(z))
		}
		product := new(big.Int).Mul(big.NewInt(int64(x)), big.NewInt(int64(y)))
		expect(t, "v_mul_hi_u32", product.Rsh(product, 32).Uint64(), uint64(x), uint64(y))
		if t.Failed() {
			return
		}
	}
}

// TestCarries compares results and carries with exact sums.
func TestCarries(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	check := func(name string, exact *big.Int, bits uint, a ...uint64) {
		t.Helper()
		limit := new(big.Int).Lsh(big.NewInt(1), bits)
		low := new(big.Int).Mod(exact, limit) // not below 0
		v, carry := laneOf(t, name, a...)
		if v != low.Uint64() || carry != (low.Cmp(exact) != 0) {
			t.Errorf("%s(%s) = %#x, %v; want %v", name, hexes(a), v, carry, exact)
		}
	}
	for range 5000 {
		a, b, c := uint64(random32(r)), uint64(random32(r)), uint64(r.IntN(2))
		x, y, z := int64(a), int64(b), int64(c)
		check("v_add_co_u32", big.NewInt(x+y), 32, a, b)
		check("v_sub_co_u32", big.NewInt(x-y), 32, a, b)
		check("v_subrev_co_u32", big.NewInt(y-x), 32, a, b)
		for _, name := range []string{"v_addc_co_u32", "v_add_co_ci_u32"} {
			check(name, big.NewInt(x+y+z), 32, a, b, c)
		}
		for _, name := range []string{"v_subb_co_u32", "v_sub_co_ci_u32"} {
			check(name, big.NewInt(x-y-z), 32, a, b, c)
		}
		for _, name := range []string{"v_subbrev_co_u32", "v_subrev_co_ci_u32"} {
			check(name, big.NewInt(y-x-z), 32, a, b, c)
		}
		d := random64(r)
		sum := new(big.Int).Mul(big.NewInt(x), big.NewInt(y))
		sum.Add(sum, new(big.Int).SetUint64(d))
		check("v_mad_u64_u32", sum, 64, a, b, d)
		check("v_mad_co_u64_u32", sum, 64, a, b, d)

		product := int64(int32(a)) * int64(int32(b))
		sum = new(big.Int).Add(big.NewInt(product), big.NewInt(int64(d)))
		v, top := laneOf(t, "v_mad_i64_i32", a, b, d)
		if v != uint64(product)+d || top != (sum.Bit(64) != 0) {
			t.Errorf("v_mad_i64_i32(%#x, %#x, %#x) = %#x, %v", a, b, d, v, top)
		}
		expect(t, "v_lshl_add_u64", d<<(b%64)+a, d, b, a)
		if t.Failed() {
			return
		}
	}
}

// TestClamp has integers that stop at the end of their range.
func TestClamp(t *testing.T) {
	const top, bottom = 0x7fffffff, 0x80000000
	for _, c := range []struct {
		name string
		want uint64
		a    []uint64
	}{
		{"v_add_u32 clamp", 0xffffffff, []uint64{0xffffffff, 1}},
		{"v_add_nc_u32 clamp", 0xfffffffe, []uint64{0xfffffffd, 1}},
		{"v_sub_u32 clamp", 0, []uint64{1, 2}},
		{"v_subrev_nc_u32 clamp", 1, []uint64{1, 2}},
		{"v_add_i32 clamp", top, []uint64{top, 1}},
		{"v_add_nc_i32 clamp", bottom, []uint64{bottom, 0xffffffff}},
		{"v_sub_i32 clamp", bottom, []uint64{bottom, 1}},
		{"v_sub_nc_i32 clamp", top, []uint64{0, bottom}},
		{"v_add_nc_u16 clamp", 0xffff, []uint64{0xffff, 0xffff}},
		{"v_sub_u16 clamp", 0, []uint64{0, 1}},
		{"v_add_i16 clamp", 0x7fff, []uint64{0x7000, 0x7000}},
		{"v_sub_i16 clamp", 0x8000, []uint64{0x8000, 0x7fff}},
		{"v_mad_u16 clamp", 0xffff, []uint64{0xffff, 0xffff, 0}},
		{"v_mad_i16 clamp", 0x8000, []uint64{0x8000, 0x7fff, 0}},
		{"v_mad_u32_u24 clamp", 0xffffffff, []uint64{0xffffff, 0xffffff, 0}},
		{"v_mad_i32_i24 clamp", top, []uint64{0x800000, 0x800000, 0}},
		{"v_mad_i32_i24 clamp", 0xffffffff, []uint64{0xffffff, 1, 0}},
		{"v_mad_u32_u16 clamp", 0xffffffff, []uint64{0xffff, 0xffff, 0xffffffff}},
		{"v_mad_i32_i16 clamp", top, []uint64{0x8000, 0x8000, top}},
		{"v_pk_add_u16 clamp", 0xffff, []uint64{0x8000, 0x8000}},
		{"v_pk_sub_i16 clamp", 0x8000, []uint64{0x8000, 1}},
		{"v_subrev_u16 clamp", 0, []uint64{1, 0}},
		{"v_subrev_u32 clamp", 0, []uint64{2, 1}},
		{"v_sub_nc_u32 clamp", 0, []uint64{1, 2}},
		{"v_dot4_i32_i8 clamp", top, []uint64{0x01, 0x01, top}},
		{"v_dot4_i32_i8 clamp", bottom, []uint64{0x80, 0x7f, bottom}},
		{"v_dot4_i32_i8 clamp", top - 1, []uint64{0xff, 0x01, top}},
		{"v_dot4_u32_u8 clamp", 0xffffffff, []uint64{0x80000000, 0x02000000, 0xffffff00}},
		{"v_dot4_u32_u8 clamp", 0xffffff02, []uint64{0x01, 0x02, 0xffffff00}},
		{"v_dot8_u32_u4 clamp", 0xffffffff, []uint64{0xffffffff, 0xffffffff, 0xffffff00}},
		{"v_dot8_i32_i4 clamp", bottom, []uint64{0x77777777, 0x88888888, bottom + 9}},
		{"v_dot2_i32_i16 clamp", top, []uint64{0x80008000, 0x80008000, top}},
		{"v_dot2c_i32_i16 clamp", top, []uint64{0x80008000, 0x80008000, 0}},
		{"v_dot2_u32_u16 clamp", 0xffffffff, []uint64{0xffffffff, 0xffffffff, 0}},
		{"v_dot4_i32_iu8 neg_lo:[1,0,0] clamp", bottom, []uint64{0x80, 0xff, bottom}},
		{"v_dot4_i32_iu8 neg_lo:[0,1,0] clamp", bottom, []uint64{0xff, 0x80, bottom}},
		{"v_dot4_i32_iu8 clamp", top, []uint64{0xff, 0xff, top}},
		{"v_dot8_i32_iu4 neg_lo:[1,0,0] clamp", bottom, []uint64{0x8, 0xf, bottom}},
		{"v_dot8_i32_iu4 neg_lo:[0,1,0] clamp", bottom, []uint64{0xf, 0x8, bottom}},
		{"v_dot8_i32_iu4 clamp", top, []uint64{0xf, 0xf, top}},
		{"v_msad_u8 clamp", 0xffffffff, []uint64{0, 0xff, 0xffffff01}},
		{"v_msad_u8 clamp", 0xffffff01, []uint64{0xff, 0, 0xffffff01}},
		{"v_sad_u16 clamp", 0xffffffff, []uint64{0xffff, 0, 0xffff0001}},
		{"v_sad_u8 clamp", 0xffffffff, []uint64{0xff, 0, 0xffffff01}},
		{"v_sad_hi_u8 clamp", 0xffffffff, []uint64{0xff, 0, 0xff010000}},
		{"v_sad_u32 clamp", 0xffffffff, []uint64{0, 0xffffffff, 1}},
	} {
		expect(t, c.name, c.want, c.a...)
	}
}

// TestIntegers16 has numbers from all of the range against the edges, both ways.
func TestIntegers16(t *testing.T) {
	type wide struct{ u, s int }
	cut := func(v int) uint64 { return uint64(uint16(v)) }
	mid := func(v ...int) int { slices.Sort(v); return v[1] }
	rows := map[string]func(a, b, c wide) uint64{
		"v_add_u16":    func(a, b, _ wide) uint64 { return cut(a.u + b.u) },
		"v_add_nc_u16": func(a, b, _ wide) uint64 { return cut(a.u + b.u) },
		"v_sub_u16":    func(a, b, _ wide) uint64 { return cut(a.u - b.u) },
		"v_subrev_u16": func(a, b, _ wide) uint64 { return cut(b.u - a.u) },
		"v_sub_nc_i16": func(a, b, _ wide) uint64 { return cut(a.s - b.s) },
		"v_mul_lo_u16": func(a, b, _ wide) uint64 { return cut(a.s * b.s) },
		"v_mad_u16":    func(a, b, c wide) uint64 { return cut(a.u*b.u + c.u) },
		"v_mad_i16":    func(a, b, c wide) uint64 { return cut(a.s*b.s + c.s) },
		"v_min_u16":    func(a, b, _ wide) uint64 { return cut(min(a.u, b.u)) },
		"v_max_u16":    func(a, b, _ wide) uint64 { return cut(max(a.u, b.u)) },
		"v_min_i16":    func(a, b, _ wide) uint64 { return cut(min(a.s, b.s)) },
		"v_max_i16":    func(a, b, _ wide) uint64 { return cut(max(a.s, b.s)) },
		"v_min3_u16":   func(a, b, c wide) uint64 { return cut(min(a.u, b.u, c.u)) },
		"v_max3_u16":   func(a, b, c wide) uint64 { return cut(max(a.u, b.u, c.u)) },
		"v_min3_i16":   func(a, b, c wide) uint64 { return cut(min(a.s, b.s, c.s)) },
		"v_mov_b16":    func(a, _, _ wide) uint64 { return cut(a.u) },
		"v_max3_i16":   func(a, b, c wide) uint64 { return cut(max(a.s, b.s, c.s)) },
		"v_med3_u16":   func(a, b, c wide) uint64 { return cut(mid(a.u, b.u, c.u)) },
		"v_med3_i16":   func(a, b, c wide) uint64 { return cut(mid(a.s, b.s, c.s)) },

		"v_lshlrev_b16": func(a, b, _ wide) uint64 { return cut(b.u << (a.u % 16)) },
		"v_lshrrev_b16": func(a, b, _ wide) uint64 { return cut(b.u >> (a.u % 16)) },
		"v_ashrrev_i16": func(a, b, _ wide) uint64 { return cut(b.s >> (a.u % 16)) },
		"v_not_b16":     func(a, _, _ wide) uint64 { return cut(^a.u) },
		"v_and_b16":     func(a, b, _ wide) uint64 { return cut(a.u & b.u) },
		"v_or_b16":      func(a, b, _ wide) uint64 { return cut(a.u | b.u) },
		"v_xor_b16":     func(a, b, _ wide) uint64 { return cut(a.u ^ b.u) },

		"v_pk_add_u16":     func(a, b, _ wide) uint64 { return cut(a.u + b.u) },
		"v_pk_sub_i16":     func(a, b, _ wide) uint64 { return cut(a.u - b.u) },
		"v_pk_mul_lo_u16":  func(a, b, _ wide) uint64 { return cut(a.u * b.u) },
		"v_pk_mad_i16":     func(a, b, c wide) uint64 { return cut(a.s*b.s + c.s) },
		"v_pk_min_i16":     func(a, b, _ wide) uint64 { return cut(min(a.s, b.s)) },
		"v_pk_max_u16":     func(a, b, _ wide) uint64 { return cut(max(a.u, b.u)) },
		"v_pk_lshlrev_b16": func(a, b, _ wide) uint64 { return cut(b.u << (a.u % 16)) },
		"v_pk_ashrrev_i16": func(a, b, _ wide) uint64 { return cut(b.s >> (a.u % 16)) },

		"v_mad_u32_u16": func(a, b, c wide) uint64 { return uint64(uint32(a.u*b.u + c.u)) },
		"v_mad_i32_i16": func(a, b, c wide) uint64 { return uint64(uint32(a.s*b.s + c.u)) },
	}
	some := []int{0, 1, 15, 16, 0x7f, 0xff, 0x100, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff, 0x1234}
	w := func(v int) wide { return wide{v, int(int16(v))} }
	for a := 0; a < 1<<16; a += 1 + a%197 {
		for i, b := range some {
			c := some[(a+i)%len(some)]
			for name, f := range rows {
				expect(t, name, f(w(a), w(b), w(c)), uint64(a), uint64(b), uint64(c))
				expect(t, name, f(w(b), w(a), w(c)), uint64(b), uint64(a), uint64(c))
			}
		}
		if t.Failed() {
			return
		}
	}
}
