package dsl_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"heddle/dsl"
)

// Parts of floats are what package math makes of them, of float32 rounded once.
func TestParts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 4))
	for range 40000 {
		x, y, _ := operands(r, 64)
		f, n := dsl.Frexp(x)
		if wf, wn := math.Frexp(x); !same(f, wf) || n != wn {
			t.Fatalf("Frexp(%g) = %g, %d, want %g, %d", x, f, n, wf, wn)
		}
		s := float32(x)
		f32, n := dsl.Frexp(s)
		if wf, wn := math.Frexp(float64(s)); !same(float64(f32), wf) || n != wn {
			t.Fatalf("Frexp(float32(%g)) = %g, %d, want %g, %d", s, f32, n, wf, wn)
		}
		e := r.IntN(700) - 350
		if got, want := dsl.Ldexp(s, e), float32(math.Ldexp(float64(s), e)); !same(float64(got), float64(want)) {
			t.Fatalf("Ldexp(%g, %d) = %g, want %g", s, e, got, want)
		}
		if got, want := dsl.Nextafter(x, y), math.Nextafter(x, y); !same(got, want) && !(x == y) {
			t.Fatalf("Nextafter(%g, %g) = %g, want %g", x, y, got, want)
		}
		if got, want := dsl.Nextafter(s, float32(y)), math.Nextafter32(s, float32(y)); !same(float64(got), float64(want)) && s != float32(y) {
			t.Fatalf("Nextafter(%g, %g) = %g, want %g", s, float32(y), got, want)
		}
		if x-x == 0 && y-y == 0 && y != 0 {
			rest, quo := dsl.Remquo(x, y)
			if q := nearestQuotient(x, y); q != nil && int64(quo)&7 != new(big.Int).And(q, big.NewInt(7)).Int64() && rest == math.Remainder(x, y) {
				t.Fatalf("Remquo(%g, %g) = %g, %d; the quotient is %v", x, y, rest, quo, q)
			}
		}
	}
}

// nearestQuotient is the integer nearest to x/y, of two the even one; nil if it is very large.
func nearestQuotient(x, y float64) *big.Int {
	if math.Abs(x/y) > 1e30 {
		return nil
	}
	q := new(big.Rat).Quo(new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y))
	twice := new(big.Int).Mul(q.Num(), big.NewInt(2))
	n, rest := new(big.Int).DivMod(twice.Add(twice, q.Denom()), new(big.Int).Mul(q.Denom(), big.NewInt(2)), new(big.Int))
	if rest.Sign() == 0 && n.Bit(0) == 1 {
		n.Sub(n, big.NewInt(1))
	}
	return n
}

// Conversions to integers saturate, and are rounded as package math rounds.
func TestIntModes(t *testing.T) {
	for _, x := range []float64{0, 0.5, 1.5, 2.5, -0.5, -1.5, 1e9 + 0.75, -1e9 - 0.25, 2147483647.5, -2147483648.5, 4294967295.5, 1e19, -1e19, 1e30, 9223372036854774784, math.Inf(1), math.Inf(-1)} {
		for i, c := range []struct {
			f    func(float64) float64
			i32  func(float64) int32
			u64  func(float64) uint64
			back func(int64) float32
		}{
			{math.RoundToEven, dsl.IntRn[int32, float64], dsl.IntRn[uint64, float64], dsl.FloatRn[float32, int64]},
			{math.Floor, dsl.IntRd[int32, float64], dsl.IntRd[uint64, float64], dsl.FloatRd[float32, int64]},
			{math.Ceil, dsl.IntRu[int32, float64], dsl.IntRu[uint64, float64], dsl.FloatRu[float32, int64]},
			{math.Trunc, dsl.IntRz[int32, float64], dsl.IntRz[uint64, float64], dsl.FloatRz[float32, int64]},
		} {
			whole, _ := big.NewFloat(c.f(x)).Int(nil)
			if math.IsInf(x, 0) {
				whole = new(big.Int).Lsh(big.NewInt(int64(math.Copysign(1, x))), 80)
			}
			clamp := func(lo, hi *big.Int) *big.Int {
				if whole.Cmp(lo) < 0 {
					return lo
				} else if whole.Cmp(hi) > 0 {
					return hi
				}
				return whole
			}
			if got, want := int64(c.i32(x)), clamp(big.NewInt(math.MinInt32), big.NewInt(math.MaxInt32)).Int64(); got != want {
				t.Errorf("mode %d: int32 of %g is %d, want %d", i, x, got, want)
			}
			if got, want := c.u64(x), clamp(new(big.Int), new(big.Int).SetUint64(math.MaxUint64)).Uint64(); got != want {
				t.Errorf("mode %d: uint64 of %g is %d, want %d", i, x, got, want)
			}
			n := int64(math.Float64bits(x))
			want := float64(float32(0))
			if n != 0 {
				want = roundBig(new(big.Float).SetInt64(n), 32, bigModes[i])
			}
			if got := c.back(n); float64(got) != want {
				t.Errorf("mode %d: float32 of %d is %g, want %g", i, n, got, want)
			}
		}
	}
}
