package amdemu

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// divide32 is LLVM's sequence for a division of f32 with denormals (AMDGPU's
// LowerFDIV32), by the rows of the table.
func divide32(t *testing.T, n, d uint64) uint64 {
	const minus, one = 1 << 31, 0x3f800000
	get := func(name string, a ...uint64) uint64 { v, _ := laneOf(t, name, a...); return v }
	ds := get("v_div_scale_f32", d, d, n)
	ns, moved := laneOf(t, "v_div_scale_f32", n, d, n)
	r := get("v_rcp_f32", ds)
	r = get("v_fma_f32", get("v_fma_f32", ds^minus, r, one), r, r)
	q := get("v_mul_f32", ns, r)
	q = get("v_fma_f32", get("v_fma_f32", ds^minus, q, ns), r, q)
	e := get("v_fma_f32", ds^minus, q, ns)
	q = get("v_div_fmas_f32", e, r, q, flag(moved))
	return get("v_div_fixup_f32", q, d, n)
}

// divide64 is LowerFDIV64's. The seed v_rcp_f64 is made as bad as the
// hardware's first.
func divide64(t *testing.T, n, d uint64) uint64 {
	const minus, one = 1 << 63, 0x3ff0 << 48
	get := func(name string, a ...uint64) uint64 { v, _ := laneOf(t, name, a...); return v }
	ds := get("v_div_scale_f64", d, d, n)
	ns, moved := laneOf(t, "v_div_scale_f64", n, d, n)
	r := get("v_rcp_f64", ds) &^ (1<<26 - 1)
	r = get("v_fma_f64", r, get("v_fma_f64", ds^minus, r, one), r)
	r = get("v_fma_f64", r, get("v_fma_f64", ds^minus, r, one), r)
	q := get("v_mul_f64", ns, r)
	e := get("v_fma_f64", ds^minus, q, ns)
	q = get("v_div_fmas_f64", e, r, q, flag(moved))
	return get("v_div_fixup_f64", q, d, n)
}

// TestDivision puts the steps together: the quotient is the exact one, rounded once,
// for all exponents, denormals among operands and results.
func TestDivision(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i := range 40_000 {
		n, d := uint64(finite32(r)), uint64(finite32(r))
		if i%4 == 0 { // quotients about the limits
			e := int(n>>23&0xff) + []int{126, -127}[r.IntN(2)] + r.IntN(24) - 12
			d = d&^(0xff<<23) | uint64(max(0, min(e, 254)))<<23
		}
		x, y := math.Float32frombits(uint32(n)), math.Float32frombits(uint32(d))
		want := uint64(math.Float32bits(x / y))
		if x == 0 && y == 0 {
			want = 0xffc00000
		}
		if got := divide32(t, n, d); got != want {
			t.Fatalf("%#x / %#x = %#x, want %#x (%v / %v)", n, d, got, want, x, y)
		}
	}
	for i := range 40_000 {
		n, d := finite64(r), finite64(r)
		if i%4 == 0 {
			e := int(n>>52&0x7ff) + []int{1022, -1023}[r.IntN(2)] + r.IntN(60) - 30
			d = d&^(0x7ff<<52) | uint64(max(0, min(e, 2046)))<<52
		}
		x, y := math.Float64frombits(n), math.Float64frombits(d)
		want := math.Float64bits(x / y)
		if x == 0 && y == 0 {
			want = 0xfff8 << 48
		}
		if got := divide64(t, n, d); got != want {
			t.Fatalf("%#x / %#x = %#x, want %#x (%v / %v)", n, d, got, want, x, y)
		}
	}
	const inf, minus, nan = 0x7f800000, 1 << 31, 0x7fc00000
	for _, c := range []struct{ n, d, want uint64 }{
		{inf, 0x40000000, inf}, {inf, 0xc0000000, inf | minus}, {0x40000000, inf, 0}, {0x40000000, inf | minus, minus},
		{inf, inf, nan | minus}, {0, 0, nan | minus}, {0, inf, 0}, {inf, 0, inf}, {minus, inf, minus},
		{nan | 7, 0, nan | 7}, {0x3f800000, 0x7f800009, nan | 9}, {nan | 1, nan | 2, nan | 1}, {0x3f800000, minus, inf | minus},
	} {
		if got := divide32(t, c.n, c.d); got != c.want {
			t.Errorf("%#x / %#x = %#x, want %#x", c.n, c.d, got, c.want)
		}
	}
}

// TestDivFixup16 has f16's special cases; otherwise the quotient passes, with the sign
// of the operands.
func TestDivFixup16(t *testing.T) {
	const inf, minus, nan = 0x7c00, 0x8000, 0x7e00
	for _, name := range []string{"v_div_fixup_f16", "v_div_fixup_legacy_f16"} {
		for _, c := range []struct{ q, d, n, want uint64 }{
			{0x3555, 0x4200, 0x3c00, 0x3555}, {0xb555, 0x4200, 0x3c00, 0x3555}, {0x3555, 0xc200, 0x3c00, 0xb555},
			{0x0001, 0x7bff, 0x8001, 0x8001}, {nan, 0x0001, 0x3c00, inf},
			{1, 0, 0, minus | nan}, {1, inf, inf | minus, minus | nan}, {1, minus, 0x3c00, inf | minus}, {1, 0x3c00, inf, inf},
			{1, inf, 0xbc00, minus}, {1, 0xbc00, 0, minus}, {1, 0x7c01, nan | 5, nan | 5}, {1, 0x7c01, 0x3c00, nan | 1},
		} {
			expect(t, name, c.want, c.q, c.d, c.n)
		}
	}
}

// TestDivScale has the cases that tests of RDNA3 hardware state (tinygrad's), and one
// of each of the document's branches.
func TestDivScale(t *testing.T) {
	f := func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }
	for _, c := range []struct {
		n, d             float64
		scaledN, scaledD float64
		moved            bool
	}{
		{1, 4, 1, 4, false},
		{math.MaxFloat32, 1, math.MaxFloat32, 0x1p64, true}, // the quotient is near the limit
		{0x1p-126, 1, 0x1p-62, 1, true},                     // it may be a denormal
		{1, 0x1p127, 1, 0x1p63, true},                       // and so may 1/d
		{0x1p100, 0x1p127, 0x1p36, 0x1p63, false},           // only 1/d
		{1, 0x1p-130, 1, 0x1p-66, true},                     // d is, and n/d near the limit
		{0x1p-60, 0x1p-130, 0x1p4, 0x1p-66, false},          // d is
		{0x1p-110, 0x1p-100, 0x1p-46, 0x1p-36, false},       // n is tiny
		{math.Inf(1), 1, math.Inf(1), 1, false},
	} {
		for _, which := range []struct{ x, want float64 }{{c.n, c.scaledN}, {c.d, c.scaledD}} {
			got, moved := laneOf(t, "v_div_scale_f32", f(which.x), f(c.d), f(c.n))
			if got != f(which.want) || moved != c.moved {
				t.Errorf("%v of %v/%v: %v, %v; want %v, %v", which.x, c.n, c.d,
					math.Float32frombits(uint32(got)), moved, which.want, c.moved)
			}
		}
	}
	for _, zero := range [][3]uint64{{0, f(1), 0}, {f(1), 0, f(1)}, {f(1), 1 << 31, f(1)}} {
		if got, _ := laneOf(t, "v_div_scale_f32", zero[:]...); got != 0x7fc00000 {
			t.Errorf("with a zero: %#x", got)
		}
	}
	expect(t, "v_div_fmas_f32", f(7), f(2), f(3), f(1), 0)
	expect(t, "v_div_fmas_f32", f(3*0x1p64), f(1), f(1), f(2), 1)
	expect(t, "v_div_fmas_f32", f(7*0x1p-64), f(2), f(3), f(1), 1)
}

// TestDivFmasRoundsOnce moves sums into the denormals.
func TestDivFmasRoundsOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 5000 {
		a, b := uint64(finite32(r)), uint64(r.Uint32()&0x807fffff|uint32(100+r.IntN(30))<<23)
		a = a&0x807fffff | uint64(30+r.IntN(20))<<23
		c := uint64(r.Uint32()&0x807fffff | uint32(30+r.IntN(40))<<23) // about 2^-80
		x := exactly(float64(math.Float32frombits(uint32(a))))
		x.Mul(x, exactly(float64(math.Float32frombits(uint32(b)))))
		x.Add(x, exactly(float64(math.Float32frombits(uint32(c)))))
		x.Mul(x, exactly(0x1p-64))
		expect(t, "v_div_fmas_f32", uint64(rounded32(x, false)), a, b, c, 1)

		a = r.Uint64()&(1<<63|1<<52-1) | uint64(40+r.IntN(60))<<52
		b = r.Uint64()&(1<<63|1<<52-1) | uint64(980+r.IntN(60))<<52
		c = r.Uint64()&(1<<63|1<<52-1) | uint64(60+r.IntN(90))<<52
		y := new(big.Float).SetPrec(5000).Mul(exactly(math.Float64frombits(a)), exactly(math.Float64frombits(b)))
		y.Add(y, exactly(math.Float64frombits(c)))
		y.Mul(y, exactly(0x1p-128))
		expect(t, "v_div_fmas_f64", rounded64(y, false), a, b, c, 1)
		if t.Failed() {
			return
		}
	}
}
