package amdemu

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// saturated is x without its fraction, as an integer of n bits, signed or not, cut to n
// bits.
func saturated(x float64, n uint, signed bool) uint64 {
	if math.IsNaN(x) {
		return 0
	}
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), n)
	if signed {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	high.Sub(high, big.NewInt(1))
	v := high
	switch {
	case math.IsInf(x, -1):
		v = low
	case !math.IsInf(x, 1):
		v, _ = big.NewFloat(x).Int(nil)
		if v.Cmp(low) < 0 {
			v = low
		}
		if v.Cmp(high) > 0 {
			v = high
		}
	}
	return uint64(v.Int64()) & (1<<n - 1)
}

// TestFloatToInteger: fractions are dropped, what is out of range becomes the end of it.
func TestFloatToInteger(t *testing.T) {
	edges := []float64{
		0, math.Copysign(0, -1), 0.5, -0.5, 0.99999, -0.99999, 1, -1, 1.5, 254.9, 255, 255.5, 256, 32766.5, 32767, 32767.5,
		32768, -32768, -32768.5, -32769, 65535, 65535.5, 65536, 2147483520, 2147483647, 2147483647.5, 2147483648, -2147483648,
		-2147483648.5, -2147483649, 4294967040, 4294967295, 4294967295.5, 4294967296, 1e10, -1e10, 1e300, -1e300,
		math.Inf(1), math.Inf(-1), math.NaN(), 0x1p-149, -0x1p-1074,
	}
	r := rand.New(rand.NewPCG(21, 22))
	for i := range 10_000 {
		y := math.Float64frombits(r.Uint64()&(1<<63|1<<52-1) | uint64(1010+r.IntN(60))<<52)
		if i < len(edges) {
			y = edges[i]
		}
		b := math.Float64bits(y)
		expect(t, "v_cvt_i32_f64", saturated(y, 32, true), b)
		expect(t, "v_cvt_u32_f64", saturated(y, 32, false), b)
		x := float64(float32(y))
		a := uint64(math.Float32bits(float32(y)))
		expect(t, "v_cvt_i32_f32", saturated(x, 32, true), a)
		expect(t, "v_cvt_u32_f32", saturated(x, 32, false), a)
		expect(t, "v_cvt_flr_i32_f32", saturated(math.Floor(x), 32, true), a)
		expect(t, "v_cvt_pk_i16_f32", saturated(x, 16, true)|0x8000<<16, a, 0xff800000)
		expect(t, "v_cvt_pk_u16_f32", saturated(x, 16, false)<<16|0xffff, 0x7f800000, a)
		expect(t, "v_cvt_pkaccum_u8_f32", saturated(x, 8, false)<<24|0x345678, a, 3, 0x12345678)
		expect(t, "v_cvt_pk_u8_f32", saturated(x, 8, false)<<16|0x12004567, a, 2, 0x12344567)
	}
	for h := range uint64(1 << 16) {
		x := float64(unhalf(uint16(h)))
		expect(t, "v_cvt_i16_f16", saturated(x, 16, true), h)
		expect(t, "v_cvt_u16_f16", saturated(x, 16, false), h)
	}
	for x, want := range map[float32]int32{0.5: 1, -0.5: 0, -0.75: -1, 1.5: 2, 2.5: 3, -2.5: -2, 3e9: math.MaxInt32, -3e9: math.MinInt32} {
		expect(t, "v_cvt_rpi_i32_f32", uint64(uint32(want)), uint64(math.Float32bits(x)))
		expect(t, "v_cvt_nearest_i32_f32", uint64(uint32(want)), uint64(math.Float32bits(x)))
	}
}

// TestIntegerToFloat: to nearest even.
func TestIntegerToFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for range 10_000 {
		v := random32(r)
		if r.IntN(3) == 0 { // halfway
			v = uint32(1<<24+r.IntN(1<<24))<<7 | 0x40
		}
		a := uint64(v)
		u, s := new(big.Float).SetUint64(a), new(big.Float).SetInt64(int64(int32(v)))
		expect(t, "v_cvt_f32_u32", uint64(rounded32(u, false)), a)
		expect(t, "v_cvt_f32_i32", uint64(rounded32(s, false)), a)
		expect(t, "v_cvt_f64_u32", rounded64(u, false), a)
		expect(t, "v_cvt_f64_i32", rounded64(s, false), a)
		for i, name := range []string{"v_cvt_f32_ubyte0", "v_cvt_f32_ubyte1", "v_cvt_f32_ubyte2", "v_cvt_f32_ubyte3"} {
			expect(t, name, uint64(rounded32(new(big.Float).SetUint64(a>>(8*i)&0xff), false)), a)
		}
	}
	for v := range uint64(1 << 16) { // both float16s and float32s are enough for 11 bits
		x, _ := laneOf(t, "v_cvt_f16_u16", v)
		y, _ := laneOf(t, "v_cvt_f16_i16", v)
		if a := float64(unhalf(uint16(x))); math.Abs(a-float64(v)) > float64(v)/2048 && v < 65520 {
			t.Fatalf("v_cvt_f16_u16(%d) = %v", v, a)
		}
		if a, s := float64(unhalf(uint16(y))), float64(int16(v)); math.Abs(a-s) > math.Abs(s)/2048 {
			t.Fatalf("v_cvt_f16_i16(%v) = %v", s, a)
		}
	}
	expect(t, "v_cvt_f16_u16", 0x7c00, 65520)
	expect(t, "v_cvt_f16_u16", 0x7bff, 65519)
	expect(t, "v_cvt_f16_u16", 0x6800, 2049) // halfway, to the even 2048
	expect(t, "v_cvt_f16_u16", 0x6802, 2051)
	for i, want := range []float32{0, 0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375, -0.5, -0.4375, -0.375, -0.3125, -0.25, -0.1875, -0.125, -0.0625} {
		expect(t, "v_cvt_off_f32_i4", uint64(math.Float32bits(want)), uint64(i)|0xabcdef0)
	}
	expect(t, "v_cvt_i32_i16", 0xffff8000, 0x8000)
	expect(t, "v_cvt_u32_u16", 0x8000, 0x8000)
}

// TestFloatToFloat rounds once to nearest even; NaNs become quiet.
func TestFloatToFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for range 10_000 {
		b := finite64(r)
		if r.IntN(2) == 0 { // halfway between float32s, denormals too
			b = math.Float64bits(float64(math.Float32frombits(finite32(r)))) | 1<<28
			b |= uint64(r.IntN(3))
		}
		expect(t, "v_cvt_f32_f64", uint64(rounded32(exactly(math.Float64frombits(b)), b>>63 != 0)), b)
		a := finite32(r)
		expect(t, "v_cvt_f64_f32", rounded64(exactly(float64(math.Float32frombits(a))), a>>31 != 0), uint64(a))
	}
	for h := range uint64(1 << 16) {
		a, _ := laneOf(t, "v_cvt_f32_f16", h)
		x := math.Float32frombits(uint32(a))
		back, _ := laneOf(t, "v_cvt_f16_f32", a)
		if x == x && back != h || x != x && back != h|0x200 {
			t.Fatalf("f16 %#x to f32 %#x and back %#x", h, a, back)
		}
	}
	for _, c := range []struct {
		name    string
		want, a uint64
	}{
		{"v_cvt_f32_f64", 0x7fc00000, 0x7ff0<<48 | 1},
		{"v_cvt_f32_f64", 0xffc00000, 0xfff8 << 48},
		{"v_cvt_f32_f64", 0x7f800000, 0x47ef_ffff_f000_0000}, // halfway past the largest
		{"v_cvt_f32_f64", 0x7f7fffff, 0x47ef_ffff_efff_ffff},
		{"v_cvt_f64_f32", 0x7ff8_0000_2000_0000, 0x7f800001},
		{"v_cvt_f64_f32", 0xfff0 << 48, 0xff800000},
		{"v_cvt_f16_f32", 0x7c00, 0x477ff000}, // 65520
		{"v_cvt_f16_f32", 0x7bff, 0x477fefff},
		{"v_cvt_f16_f32", 0x0000, 0x33000000}, // 2^-25
		{"v_cvt_f16_f32", 0x0001, 0x33000001},
		{"v_cvt_f16_f32", 0x7e00, 0x7f800001},
		{"v_cvt_f32_f16", 0x7fc02000, 0x7c01},
	} {
		expect(t, c.name, c.want, c.a)
	}
	expect(t, "v_cvt_pkrtz_f16_f32", 0x3bff_7bff, 0x477fffff, 0x3f7fffff)
	expect(t, "v_cvt_pkrtz_f16_f32", 0xfbff_7c00, 0x7f800000, 0xff7fffff)
	expect(t, "v_cvt_pkrtz_f16_f32", 0x0000_8000, 0xb37fffff, 0x337fffff)
}

// TestNorm: -1 to 1 is -32767 to 32767, 0 to 1 is 0 to 65535.
func TestNorm(t *testing.T) {
	f := func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }
	for _, c := range []struct {
		x      float64
		signed int16
		zeroUp uint16
	}{
		{0, 0, 0}, {1, 32767, 65535}, {-1, -32767, 0}, {2, 32767, 65535}, {-2, -32767, 0}, {0.5, 16384, 32768},
		{-0.5, -16384, 0}, {0.25, 8192, 16384}, {math.Inf(1), 32767, 65535}, {math.Inf(-1), -32767, 0}, {math.NaN(), 0, 0},
		{1.0 / 65536, 0, 1},
	} {
		s, u := uint64(uint16(c.signed)), uint64(c.zeroUp)
		expect(t, "v_cvt_pknorm_i16_f32", s|32767<<16, f(c.x), f(1))
		expect(t, "v_cvt_pk_norm_u16_f32", 65535|u<<16, f(1), f(c.x))
		h := uint64(half(float32(c.x)))
		expect(t, "v_cvt_norm_i16_f16", s, h)
		expect(t, "v_cvt_norm_u16_f16", u, h)
		expect(t, "v_cvt_pk_norm_i16_f16", s, h, 0)
		expect(t, "v_cvt_pknorm_u16_f16", u, h, 0)
	}
}

func TestPackedConversions(t *testing.T) {
	expect(t, "v_cvt_pk_i16_i32", 0x8000_7fff, 0x8000, 0xffff7fff)
	expect(t, "v_cvt_pk_i16_i32", 0xffff_8000, 0x80000000, 0xffffffff)
	expect(t, "v_cvt_pk_i16_i32", 0x7fff_7ffe, 0x7ffe, 0x7fffffff)
	expect(t, "v_cvt_pk_u16_u32", 0xffff_1234, 0x1234, 0x10000)
	expect(t, "v_cvt_pk_u16_u32", 0xffff_ffff, 0xffff, 0xffffffff)
	for v := range uint64(1 << 16) {
		want := uint64(max(0, min(int(int16(v)), 255)))
		expect(t, "v_sat_pk_u8_i16", want|0xff00, v|0x7fff<<16)
		expect(t, "v_sat_pk_u8_i16", want<<8, v<<16|0x8000)
	}
}
