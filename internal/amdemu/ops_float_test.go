package amdemu

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exactly is a float64 without rounding in what follows.
func exactly(x float64) *big.Float {
	return new(big.Float).SetPrec(5000).SetFloat64(x)
}

// rounded32 is x rounded once to float32, to nearest even; zero has the sign given.
func rounded32(x *big.Float, negativeZero bool) uint32 {
	if x.Sign() == 0 {
		if negativeZero {
			return 1 << 31
		}
		return 0
	}
	f, _ := x.Float32()
	return math.Float32bits(f)
}

func rounded64(x *big.Float, negativeZero bool) uint64 {
	if x.Sign() == 0 {
		if negativeZero {
			return 1 << 63
		}
		return 0
	}
	f, _ := x.Float64()
	return math.Float64bits(f)
}

// float32s has the borders of the format: zeros, denormals, the smallest and largest
// normal numbers, one and its neighbours.
var float32s = []uint32{
	0, 1 << 31, 1, 2, 3, 0x80000001, 0x007fffff, 0x00400000, 0x00800000, 0x00800001, 0x80ffffff,
	0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x3f000000, 0x34000000, 0x33800000, 0x33800001,
	0x7f7fffff, 0xff7fffff, 0x7f000000, 0x7effffff, 0x4b800000, 0x4b800001, 0x00000800, 0x1f800000, 0x20000001,
}

// finite32 is a number, often a border or near one in exponent to another one.
func finite32(r *rand.Rand) uint32 {
	switch r.IntN(4) {
	case 0:
		return float32s[r.IntN(len(float32s))]
	case 1: // few bits: sums that cancel, halfway cases
		return r.Uint32()&(1<<31) | uint32(r.IntN(255))<<23 | 1<<r.IntN(23) | 1<<r.IntN(23)
	}
	for {
		if v := r.Uint32(); v>>23&0xff != 0xff {
			return v
		}
	}
}

func finite64(r *rand.Rand) uint64 {
	switch r.IntN(4) {
	case 0:
		return math.Float64bits(float64(math.Float32frombits(finite32(r))))
	case 1:
		return r.Uint64()&(1<<63) | uint64(r.IntN(2047))<<52 | 1<<r.IntN(52)
	}
	for {
		if v := r.Uint64(); v>>52&0x7ff != 0x7ff {
			return v
		}
	}
}

// near32 is a number of about the exponent of x, so that sums matter.
func near32(r *rand.Rand, x uint32) uint32 {
	e := int(x>>23&0xff) + r.IntN(60) - 30
	return r.Uint32()&^(0xff<<23) | uint32(max(0, min(e, 254)))<<23
}

// TestArithmetic32 compares sums, products and both with exact ones, rounded once.
func TestArithmetic32(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60_000 {
		a, b, c := finite32(r), finite32(r), finite32(r)
		if i%3 == 0 {
			b = near32(r, a)
		}
		x, y, z := float64(math.Float32frombits(a)), float64(math.Float32frombits(b)), float64(math.Float32frombits(c))
		if i%3 == 1 {
			c = near32(r, math.Float32bits(float32(x*y)))
			z = float64(math.Float32frombits(c))
		}
		if i%9 == 1 { // cancels, except for the rounding of the product
			c = math.Float32bits(float32(-x * y))
			if c>>23&0xff == 0xff {
				c = 0
			}
			z = float64(math.Float32frombits(c))
		}
		negative := a>>31 != 0 && b>>31 != 0
		sum := exactly(x).Add(exactly(x), exactly(y))
		expect(t, "v_add_f32", uint64(rounded32(sum, negative)), uint64(a), uint64(b))
		expect(t, "v_sub_f32", uint64(rounded32(sum, negative)), uint64(a), uint64(b^1<<31))
		expect(t, "v_subrev_f32", uint64(rounded32(sum, negative)), uint64(a^1<<31), uint64(b))
		product := exactly(x).Mul(exactly(x), exactly(y))
		productSign := (a^b)>>31 != 0
		p := rounded32(product, productSign)
		expect(t, "v_mul_f32", uint64(p), uint64(a), uint64(b))

		both := exactly(0).Add(product, exactly(z))
		want := rounded32(both, productSign && c>>31 != 0)
		if product.Sign() != 0 && both.Sign() == 0 {
			want = 0 // exact cancellation
		}
		expect(t, "v_fma_f32", uint64(want), uint64(a), uint64(b), uint64(c))
		if p>>23&0xff != 0xff {
			flush := func(v uint32) uint32 { // v_mad knows no denormals
				if v>>23&0xff == 0 {
					return v & (1 << 31)
				}
				return v
			}
			p := flush(p)
			if flush(a) != a || flush(b) != b {
				p = (a ^ b) & (1 << 31) // times a zero
			}
			z := float64(math.Float32frombits(flush(c)))
			twice := exactly(0).Add(exactly(float64(math.Float32frombits(p))), exactly(z))
			want := rounded32(twice, p>>31 != 0 && c>>31 != 0)
			expect(t, "v_mad_f32", uint64(flush(want)), uint64(a), uint64(b), uint64(c))
		}
		if t.Failed() {
			return
		}
	}
}

// TestFMAHalfway has products and sums next to the middle between two float32s, where
// rounding to float64 first errs.
func TestFMAHalfway(t *testing.T) {
	for _, c := range []struct{ a, b, c, want uint32 }{
		// 1 + 2^-24 is halfway between 1 and the next number; a bit more decides.
		{0x33800000, 0x3f800000, 0x3f800000, 0x3f800000},
		{0x33800001, 0x3f800000, 0x3f800000, 0x3f800001},
		// 1 + 2^-23 and 2^-24 - 2^-70, which float64 takes for 2^-24.
		{0x3f800001, 0x337ffffe, 0x3f800001, 0x3f800001},
		// 1 and 2^-24 + 2^-46 - 2^-70; -1 and the same.
		{0x3f800001, 0x33800000, 0x3f800000, 0x3f800001},
		{0x3f800001, 0xb3800000, 0xbf800000, 0xbf800001},
		// The least denormal times less than, exactly and more than a half.
		{1, 0x3effffff, 0, 0}, {1, 0x3f000000, 0, 0}, {1, 0x3f000001, 0, 1}, {3, 0x3f000000, 0, 2},
		// The same, with a denormal added: 1.5 and a bit less or more of the last place.
		{1, 0x3effffff, 1, 1}, {1, 0x3f000000, 1, 2}, {1, 0x3f000001, 1, 2}, {1, 0x3f000000, 2, 2},
		{0x80000001, 0x00000001, 0x00000001, 1}, // 2^-149 - 2^-298
		// Overflow: the largest number and half of its last place.
		{0x73000000, 0x3f800000, 0x7f7fffff, 0x7f800000},
		{0x72ffffff, 0x3f800000, 0x7f7fffff, 0x7f7fffff},
	} {
		expect(t, "v_fma_f32", uint64(c.want), uint64(c.a), uint64(c.b), uint64(c.c))
	}
	// Half of the last place of c, less or more by a square of 2^-23's multiple: float64
	// cannot tell most of them from the half.
	r := rand.New(rand.NewPCG(3, 4))
	for range 30_000 {
		c := r.Uint32()&^(0xff<<23) | uint32(60+r.IntN(150))<<23
		place := c>>23&0xff - 24 // the exponent of the half
		k := uint32(r.IntN(40))
		a, b := place<<23+k, uint32(0x3f800000)-2*k
		if r.IntN(2) == 0 {
			b = 0x3f800000 + k
		}
		a |= r.Uint32() & (1 << 31)
		x := exactly(float64(math.Float32frombits(a)))
		x.Mul(x, exactly(float64(math.Float32frombits(b))))
		x.Add(x, exactly(float64(math.Float32frombits(c))))
		expect(t, "v_fma_f32", uint64(rounded32(x, false)), uint64(a), uint64(b), uint64(c))
		if t.Failed() {
			return
		}
	}
}

func TestArithmetic64(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		a, b, c := finite64(r), finite64(r), finite64(r)
		x, y, z := exactly(math.Float64frombits(a)), exactly(math.Float64frombits(b)), exactly(math.Float64frombits(c))
		sum := exactly(0).Add(x, y)
		expect(t, "v_add_f64", rounded64(sum, a>>63 != 0 && b>>63 != 0), a, b)
		product := exactly(0).Mul(x, y)
		sign := (a^b)>>63 != 0
		expect(t, "v_mul_f64", rounded64(product, sign), a, b)
		both := exactly(0).Add(product, z)
		if product.Sign() != 0 && both.Sign() == 0 {
			sign = false
		}
		expect(t, "v_fma_f64", rounded64(both, sign && c>>63 != 0), a, b, c)
		if t.Failed() {
			return
		}
	}
}

// TestArithmetic16 compares sums and products with exact ones: all of 200 operands with
// one another, and random ones for multiply and add.
func TestArithmetic16(t *testing.T) {
	value := func(h uint64) *big.Float { // without unhalf
		fraction, exponent := float64(h&0x3ff), int(h>>10&0x1f)
		v := math.Ldexp(fraction, -24)
		if exponent != 0 {
			v = math.Ldexp(fraction+1024, exponent-25)
		}
		if h>>15&1 != 0 {
			v = -v
		}
		return exactly(v)
	}
	// to16 rounds by comparing with the neighbours' middle.
	to16 := func(x *big.Float, negativeZero bool) uint64 {
		sign := uint64(0)
		if x.Sign() < 0 || x.Sign() == 0 && negativeZero {
			sign = 0x8000
		}
		x = exactly(0).Abs(x)
		low, high := uint64(0), uint64(0x7c00)
		for high-low > 1 { // low <= x < high
			if m := (low + high) / 2; value(m).Cmp(x) <= 0 {
				low = m
			} else {
				high = m
			}
		}
		middle := exactly(0).Add(value(low), value(high))
		middle.Quo(middle, exactly(2))
		if c := x.Cmp(middle); c > 0 || c == 0 && low&1 != 0 {
			low++
		}
		return low | sign
	}
	r := rand.New(rand.NewPCG(7, 8))
	some := []uint64{0, 0x8000, 1, 0x8001, 2, 0x3ff, 0x400, 0x401, 0x83ff, 0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x7bff, 0xfbff, 0x7800, 0x1400, 0x1001}
	for len(some) < 120 {
		if v := uint64(r.Uint32() & 0xffff); v&0x7c00 != 0x7c00 {
			some = append(some, v)
		}
	}
	for _, a := range some {
		for _, b := range some {
			sum := exactly(0).Add(value(a), value(b))
			minus := a>>15 != 0 && b>>15 != 0
			expect(t, "v_add_f16", to16(sum, minus), a, b)
			expect(t, "v_sub_f16", to16(sum, minus), a, b^0x8000)
			expect(t, "v_subrev_f16", to16(sum, minus), a^0x8000, b)
			product := exactly(0).Mul(value(a), value(b))
			sign := (a^b)>>15 != 0
			expect(t, "v_mul_f16", to16(product, sign), a, b)
			c := some[r.IntN(len(some))]
			both := exactly(0).Add(product, value(c))
			if product.Sign() != 0 && both.Sign() == 0 {
				sign = false
			}
			expect(t, "v_fma_f16", to16(both, sign && c>>15 != 0), a, b, c)
			if p := to16(product, (a^b)>>15 != 0); p&0x7c00 != 0x7c00 { // rounded twice
				flush := func(v uint64) uint64 {
					if v&0x7c00 == 0 {
						return v & 0x8000
					}
					return v
				}
				if p = flush(p); flush(a) != a || flush(b) != b {
					p = (a ^ b) & 0x8000
				}
				twice := exactly(0).Add(value(p), value(flush(c)))
				expect(t, "v_mad_f16", flush(to16(twice, p>>15 != 0 && c>>15 != 0)), a, b, c)
			}
			if t.Failed() {
				return
			}
		}
	}
	// 2^-24 * 2^-24 + (2048 + 1 of 11 bits): lost in float64's sum, but halfway.
	expect(t, "v_fma_f16", 0x6801, 0x0001, 0x0001, 0x6801)
	expect(t, "v_fma_f16", to16(exactly(0).Add(exactly(0).Mul(value(0x3801), value(0x3801)), value(0x6801)), false), 0x3801, 0x3801, 0x6801)
}

// TestSpecialOperands has what rounding does not explain: infinities, NaNs and zeros.
func TestSpecialOperands(t *testing.T) {
	const inf, minus, nan, signaling = 0x7f800000, 1 << 31, 0x7fc00000, 0x7f800001
	for _, c := range []struct {
		name string
		want uint64
		a    []uint64
	}{
		{"v_add_f32", nan, []uint64{inf, inf | minus}},
		{"v_add_f32", inf, []uint64{inf, 0xff7fffff}},
		{"v_add_f32", signaling | 0x400000, []uint64{0, signaling}},
		{"v_add_f32", 0x7fc12345, []uint64{0x7fc12345, 0x7fc54321}},
		{"v_add_f32", 0, []uint64{0, minus}},
		{"v_add_f32", minus, []uint64{minus, minus}},
		{"v_sub_f32", nan, []uint64{inf, inf}},
		{"v_mul_f32", nan, []uint64{inf, minus}},
		{"v_mul_f32", minus, []uint64{0, minus | 1}},
		{"v_fma_f32", nan, []uint64{inf, 0, 0x3f800000}},
		{"v_fma_f32", nan, []uint64{inf, 0x3f800000, inf | minus}},
		{"v_fma_f32", 0x7fc00007, []uint64{0x3f800000, 0x3f800000, 0x7f800007}},
		{"v_fma_f32", inf, []uint64{0x7f7fffff, 0x7f7fffff, 0xff7fffff}},
		{"v_fma_f32", inf | minus, []uint64{0x7f7fffff, 0x7f7fffff, inf | minus}},
		{"v_fma_f64", 0x7ff8 << 48, []uint64{0x7ff0 << 48, 0, 0}},
		{"v_add_f64", 0x7ff8<<48 | 5, []uint64{0x7ff0<<48 | 5, 0}},
		{"v_mul_f64", 0xfff0 << 48, []uint64{0x7ff0 << 48, 0xbff0 << 48}},
		{"v_add_f16", 0x7e00, []uint64{0x7c00, 0xfc00}},
		{"v_mul_f16", 0x7e01, []uint64{0x7c01, 0}},
		{"v_fma_f16", 0x7c00, []uint64{0x7bff, 0x7bff, 0xfbff}},
		{"v_mul_legacy_f32", 0, []uint64{minus, inf}},
		{"v_mul_legacy_f32", 0, []uint64{nan, 0}},
		{"v_mul_legacy_f32", 0x40c00000, []uint64{0x40000000, 0x40400000}},
		{"v_fma_legacy_f32", 0x40c00000, []uint64{0, nan, 0x40c00000}},
		{"v_fma_legacy_f32", minus, []uint64{0, inf, minus}},
		{"v_fma_mixlo_f16", 0x3c00, []uint64{0x3f000000, 0x40000000, 0}},
		{"v_cubeid_f32", 0x40a00000, []uint64{0x3f800000, 0x3f800000, 0xc0000000}}, // -z
		{"v_cubeid_f32", 0x40000000, []uint64{0x3f800000, 0x40000000, 0x3f800000}}, // +y
		{"v_cubeid_f32", 0x3f800000, []uint64{0xc0000000, 0x3f800000, 0x3f800000}}, // -x
		{"v_cubema_f32", 0xc0800000, []uint64{0xc0000000, 0x3f800000, 0x3f800000}},
		{"v_cubesc_f32", 0x3f800000, []uint64{0xc0000000, 0x3f800000, 0x3f800000}},
		{"v_cubetc_f32", 0xbf800000, []uint64{0xc0000000, 0x3f800000, 0x3f800000}},
	} {
		expect(t, c.name, c.want, c.a...)
	}
}

func BenchmarkLane(b *testing.B) {
	const x, y, z = 0x3f812345, 0xbf654321, 0x3f000001
	for _, name := range []string{"v_add_f32", "v_mul_f32", "v_fma_f32", "v_max_f32", "v_cvt_i32_f32", "v_rcp_f32"} {
		b.Run(name, func(b *testing.B) {
			switch f := ops[name].fn.(type) {
			case func(a uint32) uint32:
				for b.Loop() {
					f(x)
				}
			case func(a, b uint32) uint32:
				for b.Loop() {
					f(x, y)
				}
			case func(a, b, c uint32) uint32:
				for b.Loop() {
					f(x, y, z)
				}
			}
		})
	}
	b.Run("v_fma_f64", func(b *testing.B) {
		f := ops["v_fma_f64"].fn.(func(a, b, c uint64) uint64)
		for b.Loop() {
			f(0x3ff1234512345123, 0xbff2345123451234, 0x4001234512345123)
		}
	})
}
