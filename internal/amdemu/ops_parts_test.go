package amdemu

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// integerPart is x rounded to an integer by the rule of an instruction's name.
func integerPart(name string, x *big.Float) *big.Float {
	down, _ := x.Int(nil) // towards zero
	whole := new(big.Float).SetPrec(5000).SetInt(down)
	rest := new(big.Float).SetPrec(5000).Sub(x, whole) // of x's sign, below one
	step := func(n int64) { whole.Add(whole, new(big.Float).SetInt64(n)) }
	switch name {
	case "v_ceil":
		if rest.Sign() > 0 {
			step(1)
		}
	case "v_floor":
		if rest.Sign() < 0 {
			step(-1)
		}
	case "v_rndne":
		half := new(big.Float).Abs(rest).Cmp(big.NewFloat(0.5))
		if half > 0 || half == 0 && down.Bit(0) != 0 {
			step(int64(rest.Sign()))
		}
	}
	return whole
}

// TestRounding compares with exact integers. Zeros keep the sign of what was rounded.
func TestRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for i := range 6_000 {
		a := finite32(r)
		if i%2 == 0 { // where fractions are
			a = a&^(0xff<<23) | uint32(120+r.IntN(34))<<23
			if i%8 == 0 {
				a = math.Float32bits(float32(r.IntN(2000)-1000) / 2)
			}
		}
		x := float64(math.Float32frombits(a))
		b := finite64(r)
		if i%2 == 0 {
			b = b&^(0x7ff<<52) | uint64(1017+r.IntN(62))<<52
			if i%8 == 0 {
				b = math.Float64bits(float64(r.IntN(2000)-1000) / 2)
			}
		}
		y := math.Float64frombits(b)
		for _, name := range []string{"v_ceil", "v_floor", "v_trunc", "v_rndne"} {
			expect(t, name+"_f32", uint64(rounded32(integerPart(name, exactly(x)), a>>31 != 0)), uint64(a))
			expect(t, name+"_f64", rounded64(integerPart(name, exactly(y)), b>>63 != 0), b)
		}
		fraction := exactly(0).Sub(exactly(x), integerPart("v_floor", exactly(x)))
		expect(t, "v_fract_f32", uint64(min(rounded32(fraction, false), 0x3f7fffff)), uint64(a))
		fraction = exactly(0).Sub(exactly(y), integerPart("v_floor", exactly(y)))
		expect(t, "v_fract_f64", min(rounded64(fraction, false), 0x3fef_ffff_ffff_ffff), b)
		if t.Failed() {
			return
		}
	}
	for h := range uint64(1 << 16) { // f16 by f32, which was compared above
		if h&0x7c00 == 0x7c00 {
			continue
		}
		a := uint64(math.Float32bits(unhalf(uint16(h))))
		for _, name := range []string{"v_ceil", "v_floor", "v_trunc", "v_rndne"} {
			wide, _ := laneOf(t, name+"_f32", a)
			narrow, _ := laneOf(t, name+"_f16", h)
			if got := uint64(math.Float32bits(unhalf(uint16(narrow)))); got != wide {
				t.Fatalf("%s_f16(%#x) = %#x", name, h, narrow)
			}
		}
	}
	const inf, minus, nan, signaling = 0x7f800000, 1 << 31, 0x7fc00000, 0x7f800001
	for _, name := range []string{"v_ceil_f32", "v_floor_f32", "v_trunc_f32", "v_rndne_f32"} {
		for a, want := range map[uint64]uint64{inf: inf, inf | minus: inf | minus, signaling: nan | 1, 0: 0, minus: minus} {
			expect(t, name, want, a)
		}
	}
	expect(t, "v_fract_f32", nan, inf)
	expect(t, "v_fract_f32", 0x3f7fffff, minus|1)
	expect(t, "v_fract_f32", 0, minus)
	expect(t, "v_fract_f16", 0x3bff, 0x8001)
	expect(t, "v_fract_f16", 0x3800, 0xb800)
	expect(t, "v_floor_f64", 0xfff8<<48|1, 0xfff0<<48|1)
	expect(t, "v_fract_f64", 0x7ff8<<48, 0x7ff0<<48)
}

// TestFrexp: mantissa times two to the exponent is the number, and the mantissa is of
// [0.5, 1).
func TestFrexp(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	check := func(suffix, exponents string, a uint64, value func(uint64) float64) {
		t.Helper()
		e, _ := laneOf(t, "v_frexp_exp_"+exponents+"_"+suffix, a)
		m, _ := laneOf(t, "v_frexp_mant_"+suffix, a)
		x, fraction := value(a), value(m)
		power := int(int32(uint32(e)))
		if exponents == "i16" {
			power = int(int16(uint16(e)))
		}
		if x == 0 {
			if e != 0 || m != a {
				t.Errorf("%s: zero has %d and %#x", suffix, power, m)
			}
			return
		}
		back := exactly(fraction)
		if back.SetMantExp(back, power).Cmp(exactly(x)) != 0 || math.Abs(fraction) < 0.5 || math.Abs(fraction) >= 1 {
			t.Errorf("%s: %v is %v * 2^%d", suffix, x, fraction, power)
		}
	}
	for range 5000 {
		check("f32", "i32", uint64(finite32(r)), func(a uint64) float64 { return float64(math.Float32frombits(uint32(a))) })
		check("f64", "i32", finite64(r), math.Float64frombits)
	}
	for h := range uint64(1 << 16) {
		if h&0x7c00 != 0x7c00 {
			check("f16", "i16", h, func(a uint64) float64 { return float64(unhalf(uint16(a))) })
		}
	}
	for _, a := range []uint64{0x7f800000, 0xff800000, 0x7fc00000} {
		expect(t, "v_frexp_exp_i32_f32", 0, a)
		expect(t, "v_frexp_mant_f32", a, a)
	}
}

// TestLdexp has products with powers of two, rounded once where they are denormals.
func TestLdexp(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for range 10_000 {
		a, b, e := uint64(finite32(r)), finite64(r), r.IntN(600)-300
		x := exactly(float64(math.Float32frombits(uint32(a))))
		want := uint64(rounded32(x.SetMantExp(x, e), a>>31 != 0))
		expect(t, "v_ldexp_f32", want, a, uint64(uint32(int32(e))))
		e *= 9
		y := exactly(math.Float64frombits(b))
		expect(t, "v_ldexp_f64", rounded64(y.SetMantExp(y, e), b>>63 != 0), b, uint64(uint32(int32(e))))
		h := uint64(r.Uint32() & 0xfbff)
		e = r.IntN(80) - 40
		want = uint64(half64(math.Ldexp(float64(unhalf(uint16(h))), e))) // exact before rounding
		expect(t, "v_ldexp_f16", want, h, uint64(uint16(int16(e))))
		if t.Failed() {
			return
		}
	}
	const most, least = 0x7fffffff, 0x80000000
	expect(t, "v_ldexp_f32", 0x7f800000, 1, most)
	expect(t, "v_ldexp_f32", 1<<31, 0xff7fffff, least)
	expect(t, "v_ldexp_f32", 1<<31, 1<<31, most)
	expect(t, "v_ldexp_f32", 0xff800000, 0xff800000, least)
	expect(t, "v_ldexp_f32", 0x7fc00001, 0x7f800001, 0)
	expect(t, "v_ldexp_f64", 0x7ff0<<48, 1, most)
	expect(t, "v_ldexp_f64", 0, 0x7fef<<48, least)
	expect(t, "v_ldexp_f16", 0x7c00, 1, 0x7fff)
}

// TestTrigPreop computes 2/pi by Machin's formula and takes the bits the document says.
func TestTrigPreop(t *testing.T) {
	const places = 1600
	one := new(big.Int).Lsh(big.NewInt(1), places)
	arctan := func(inverse int64) *big.Int {
		sum, term := new(big.Int), new(big.Int).Quo(one, big.NewInt(inverse))
		for i := int64(1); term.Sign() != 0; i += 2 {
			part := new(big.Int).Quo(term, big.NewInt(i))
			if i%4 == 3 {
				part.Neg(part)
			}
			sum.Add(sum, part)
			term.Quo(term, big.NewInt(inverse*inverse))
		}
		return sum
	}
	pi := arctan(5)
	pi.Mul(pi, big.NewInt(4)).Sub(pi, arctan(239)).Mul(pi, big.NewInt(4))
	fraction := new(big.Int).Lsh(big.NewInt(2), 1201+places)
	fraction.Quo(fraction, pi) // 1201 bits of 2/pi
	for exponent := range uint64(2047) {
		for place := range uint64(32) {
			if exponent%13 != 0 && exponent != 1077 && exponent != 1078 && exponent != 1967 && exponent != 1968 {
				continue
			}
			shift := int(place) * 53
			if exponent > 1077 {
				shift += int(exponent) - 1077
			}
			// The bits shifted out at the top are gone; the next 53 are kept.
			v := new(big.Int).Lsh(fraction, uint(shift))
			v.Rsh(v, 1201-53).And(v, big.NewInt(1<<53-1))
			e := -53 - shift
			if exponent >= 1968 {
				e += 128
			}
			x := exactly(0).SetInt(v)
			want := rounded64(x.SetMantExp(x, e), false)
			expect(t, "v_trig_preop_f64", want, exponent<<52|0x123456789abcd, place)
		}
		if t.Failed() {
			return
		}
	}
}
