package amdemu

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// precise is a number of 200 bits, enough for what functions of floats need.
func precise(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }

// series sums terms, each the one before times x and divided by next(i), until they no
// longer count.
func series(first, x *big.Float, next func(i int) int64) *big.Float {
	sum, term := precise(0).Set(first), precise(0).Set(first)
	for i := 1; term.Sign() != 0 && i < 200; i++ {
		term.Mul(term, x)
		term.Quo(term, precise(float64(next(i))))
		sum.Add(sum, term)
	}
	return sum
}

var ln2, _ = precise(0).SetString("0.69314718055994530941723212145817656807550013436025525412068")
var twoPi, _ = precise(0).SetString("6.28318530717958647692528676655900576839433879875021164194989")

// exp2 is two to the x, |x| < 2^20.
func exp2(x float64) *big.Float {
	whole := math.Floor(x)
	v := precise(x - whole)
	v = series(precise(1), v.Mul(v, ln2), func(i int) int64 { return int64(i) })
	return v.SetMantExp(v, int(whole))
}

// sinOfTurns is the sine of x turns and quarter more quarters.
func sinOfTurns(x float64, quarter float64) *big.Float {
	v := precise(x)
	v.Add(v, precise(quarter/4))
	whole, _ := v.Int(nil)
	v.Sub(v, precise(0).SetInt(whole)).Mul(v, twoPi)
	square := precise(0).Mul(v, v)
	square.Neg(square)
	return series(v, square, func(i int) int64 { return int64(2*i) * int64(2*i+1) })
}

// within says that the float32 got is at most one place off the exact value; denormals
// may be zeros.
func within(t *testing.T, name string, a, got uint32, want *big.Float) {
	t.Helper()
	x := math.Float32frombits(got)
	place := math.Abs(float64(math.Nextafter32(x, 0)) - float64(x))
	w, _ := want.Float64()
	off := precise(0)
	if !math.IsInf(float64(x), 0) {
		off.Sub(want, precise(float64(x)))
	}
	d, _ := off.Float64()
	if math.IsInf(float64(x), 0) {
		if math.Abs(w) < math.MaxFloat32 || math.Signbit(w) != math.Signbit(float64(x)) {
			t.Errorf("%s(%#x) = %v, want %v", name, a, x, w)
		}
		return
	}
	if x == 0 && math.Abs(w) < 0x1p-126 {
		return
	}
	if math.Abs(d) > max(place, 0x1p-149) {
		t.Errorf("%s(%#x) = %v (%#x), want %v", name, a, x, got, w)
	}
}

// TestTranscendental32 has the f32 functions within one unit in the last place.
func TestTranscendental32(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	get := func(name string, a uint32) uint32 { v, _ := laneOf(t, name, uint64(a)); return uint32(v) }
	for range 500 {
		a := finite32(r)
		if a>>23&0xff == 0 {
			continue // denormals: below
		}
		x := float64(math.Float32frombits(a))
		one := precise(1)
		within(t, "v_rcp_f32", a, get("v_rcp_f32", a), precise(0).Quo(one, precise(x)))
		within(t, "v_rcp_iflag_f32", a, get("v_rcp_iflag_f32", a), precise(0).Quo(one, precise(x)))
		if a>>31 == 0 {
			root := precise(0).Sqrt(precise(x))
			within(t, "v_sqrt_f32", a, get("v_sqrt_f32", a), root)
			within(t, "v_rsq_f32", a, get("v_rsq_f32", a), one.Quo(one, root))
			y := get("v_log_f32", a)
			f := math.Float32frombits(y)
			low, high := math.Nextafter32(f, -1000), math.Nextafter32(f, 1000)
			if a != 0x3f800000 && (exp2(float64(low)).Cmp(precise(x)) > 0 || exp2(float64(high)).Cmp(precise(x)) < 0) {
				t.Errorf("v_log_f32(%v) = %v", x, f)
			}
		}
		small := r.Uint32()&^(0xff<<23) | uint32(90+r.IntN(44))<<23
		s := float64(math.Float32frombits(small))
		within(t, "v_exp_f32", small, get("v_exp_f32", small), exp2(s))
		turns := r.Uint32()&^(0xff<<23) | uint32(100+r.IntN(60))<<23
		s = float64(math.Float32frombits(turns))
		within(t, "v_sin_f32", turns, get("v_sin_f32", turns), sinOfTurns(s, 0))
		within(t, "v_cos_f32", turns, get("v_cos_f32", turns), sinOfTurns(s, 1))
		if t.Failed() {
			return
		}
	}
}

// TestTranscendentalSpecial has exact results, and what is no number.
func TestTranscendentalSpecial(t *testing.T) {
	const inf, minus, nan, one = 0x7f800000, 1 << 31, 0x7fc00000, 0x3f800000
	for _, c := range []struct {
		name    string
		a, want uint64
	}{
		{"v_rcp_f32", 0, inf}, {"v_rcp_f32", minus, inf | minus}, {"v_rcp_f32", inf | minus, minus}, {"v_rcp_f32", 0x40000000, 0x3f000000},
		{"v_rcp_f32", 1, inf}, {"v_rcp_f32", minus | 0x7fffff, inf | minus}, // denormals are zeros
		{"v_rcp_f32", 0x7f000000, 0}, // and results 2^-127
		{"v_rcp_f32", 0x7e800000, 0x00800000}, {"v_rcp_f32", 0x7f800001, nan | 1},
		{"v_rsq_f32", 0, inf}, {"v_rsq_f32", minus, inf | minus}, {"v_rsq_f32", inf, 0}, {"v_rsq_f32", minus | one, nan}, {"v_rsq_f32", 0x40800000, 0x3f000000},
		{"v_sqrt_f32", 0, 0}, {"v_sqrt_f32", minus, minus}, {"v_sqrt_f32", inf, inf}, {"v_sqrt_f32", minus | one, nan}, {"v_sqrt_f32", 0x41100000, 0x40400000},
		{"v_exp_f32", 0, one}, {"v_exp_f32", minus, one}, {"v_exp_f32", inf, inf}, {"v_exp_f32", inf | minus, 0}, {"v_exp_f32", 0x42fe0000, 0x7f000000},
		{"v_exp_f32", 0x43000000, inf}, {"v_exp_f32", 0xc2fc0000, 0x00800000}, {"v_exp_f32", 0xc2fe0000, 0}, {"v_exp_f32", 0xffc00005, 0xffc00005},
		{"v_log_f32", 0, inf | minus}, {"v_log_f32", minus, inf | minus}, {"v_log_f32", one, 0}, {"v_log_f32", inf, inf}, {"v_log_f32", minus | one, nan},
		{"v_log_f32", 0x41000000, 0x40400000}, {"v_log_f32", 1, inf | minus}, {"v_log_f32", 0x00800000, 0xc2fc0000}, {"v_log_f32", 0x3f000000, minus | one},
		{"v_sin_f32", 0, 0}, {"v_sin_f32", minus, minus}, {"v_sin_f32", 0x3e800000, one}, {"v_sin_f32", 0x3f000000, 0}, {"v_sin_f32", 0x3f400000, one | minus},
		{"v_sin_f32", 0xbe800000, one | minus}, {"v_sin_f32", inf, nan}, {"v_sin_f32", 0x43800000, 0},
		{"v_cos_f32", 0, one}, {"v_cos_f32", 0x3e800000, 0}, {"v_cos_f32", 0x3f000000, one | minus}, {"v_cos_f32", 0x3f400000, 0}, {"v_cos_f32", inf | minus, nan},
		{"v_rcp_f64", 0x4000 << 48, 0x3fe0 << 48}, {"v_rcp_f64", 0x8000 << 48, 0xfff0 << 48}, {"v_rcp_f64", 0x7ff0 << 48, 0},
		{"v_rsq_f64", 0x4010 << 48, 0x3fe0 << 48}, {"v_rsq_f64", 0x8000 << 48, 0xfff0 << 48}, {"v_rsq_f64", 0xbff0 << 48, 0x7ff8 << 48},
		{"v_sqrt_f64", 0x4022 << 48, 0x4008 << 48}, {"v_sqrt_f64", 0xfff0 << 48, 0x7ff8 << 48}, {"v_sqrt_f64", 0x7ff0<<48 | 1, 0x7ff8<<48 | 1},
		{"v_rcp_f16", 0x4000, 0x3800}, {"v_rcp_f16", 0x0001, 0x7c00}, {"v_rcp_f16", 0x7bff, 0x0100}, {"v_rcp_f16", 0x8000, 0xfc00},
		{"v_rsq_f16", 0x4400, 0x3800}, {"v_sqrt_f16", 0x0004, 0x1000}, {"v_sqrt_f16", 0xbc00, 0x7e00}, {"v_exp_f16", 0xcc00, 0x0100}, {"v_exp_f16", 0x4c00, 0x7c00},
		{"v_log_f16", 0x0001, 0xce00}, {"v_log_f16", 0x8000, 0xfc00}, {"v_sin_f16", 0x3400, 0x3c00}, {"v_cos_f16", 0x3800, 0xbc00},
		{"v_rcp_legacy_f32", 0, 0}, {"v_rcp_clamp_f32", minus, 0xff7fffff}, {"v_log_clamp_f32", 0, 0xff7fffff}, {"v_rsq_clamp_f64", 0, 0x7fef_ffff_ffff_ffff},
		{"v_s_rcp_f32", 0x40000000, 0x3f000000},
		{"v_sin_f32 gfx9", 0x43800000, 0}, {"v_sin_f32 gfx9", 0x43802000, 0}, {"v_sin_f32", 0x43802000, one}, // 256, 256.25
		{"v_cos_f32 gfx9", 0x43804000, one}, {"v_cos_f32", 0x43804000, one | minus}, {"v_cos_f32 gfx9", inf, nan},
		{"v_sin_f16 gfx9", 0x5c01, 0}, {"v_sin_f16", 0x5c01, 0x3c00}, {"v_cos_f16 gfx9", 0xdc02, 0x3c00}, {"v_cos_f16", 0xdc02, 0xbc00},
	} {
		if c.want == nan || c.want == 0x7e00 || c.want == 0x7ff8<<48 { // a new NaN, of either sign
			got, _ := laneOf(t, c.name, c.a)
			if got&^(1<<31|1<<15|1<<63) != c.want&^(1<<31|1<<15|1<<63) {
				t.Errorf("%s(%#x) = %#x", c.name, c.a, got)
			}
			continue
		}
		expect(t, c.name, c.want, c.a)
	}
}

// TestTranscendental16 has all positive f16 numbers, within a unit in the last place.
func TestTranscendental16(t *testing.T) {
	for h := range uint64(0x7c00) {
		if h == 0 {
			continue
		}
		x := float64(unhalf(uint16(h)))
		for name, want := range map[string]float64{
			"v_rcp_f16": 1 / x, "v_sqrt_f16": math.Sqrt(x), "v_rsq_f16": math.Pow(x, -0.5),
			"v_log_f16": math.Log(x) / math.Ln2, "v_exp_f16": math.Exp(x * math.Ln2),
			"v_sin_f16": math.Sin(2 * math.Pi * math.Mod(x, 1)), "v_cos_f16": math.Cos(2 * math.Pi * math.Mod(x, 1)),
		} {
			got, _ := laneOf(t, name, h)
			y := float64(unhalf(uint16(got)))
			if math.IsInf(y, 1) && want >= 65520 {
				continue
			}
			if math.Abs(y-want) > math.Abs(want)/1024+0x1p-25 {
				t.Errorf("%s(%v) = %v, want %v", name, x, y, want)
			}
		}
		if t.Failed() {
			return
		}
	}
}
