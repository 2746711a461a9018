package dsl_test

import (
	"math"
	"math/big"
	"testing"

	"heddle/dsl"
	"heddle/vector"
)

// endOf is the least or greatest integer of I.
func endOf[I dsl.AnyInteger](greatest bool) *big.Int {
	least, most := new(big.Int), new(big.Int)
	var width uint
	for x := I(1); x != 0; x <<= 1 {
		width++
	}
	if ^I(0) < 0 {
		least.Neg(new(big.Int).Lsh(big.NewInt(1), width-1))
		width--
	}
	most.Sub(new(big.Int).Lsh(big.NewInt(1), width), big.NewInt(1))
	if greatest {
		return most
	}
	return least
}

func bigOf[I dsl.AnyInteger](n I) *big.Int {
	if n < 0 {
		return big.NewInt(int64(n))
	}
	return new(big.Int).SetUint64(uint64(n))
}

// wholeBig is x rounded to a whole number in a mode.
func wholeBig(x float64, mode big.RoundingMode) *big.Int {
	n, accuracy := big.NewFloat(x).Int(nil) // to zero
	away := false
	switch rest := math.Abs(x - math.Trunc(x)); {
	case accuracy == big.Exact:
	case mode == big.ToNegativeInf:
		away = x < 0
	case mode == big.ToPositiveInf:
		away = x > 0
	case mode == big.ToNearestEven:
		away = rest > 0.5 || rest == 0.5 && n.Bit(0) != 0
	}
	if away {
		n.Add(n, big.NewInt(int64(math.Copysign(1, x))))
	}
	return n
}

// intFrom holds the conversions of numbers of 16 bits to I to package big.
func intFrom[I dsl.AnyInteger](t *testing.T) {
	t.Helper()
	least, most := endOf[I](false), endOf[I](true)
	for b := range 1 << 16 {
		for _, x := range []float32{vector.HalfFromBits(uint16(b)).Float32(), vector.BFloat16FromBits(uint16(b)).Float32()} {
			for m, got := range []I{dsl.IntRn[I](x), dsl.IntRd[I](x), dsl.IntRu[I](x), dsl.IntRz[I](x)} {
				want := new(big.Int)
				switch w := float64(x); {
				case w != w:
				case w <= -1<<64:
					want = least
				case w >= 1<<64:
					want = most
				default:
					want = wholeBig(w, bigModes[m])
				}
				if want.Cmp(least) < 0 {
					want = least
				}
				if want.Cmp(most) > 0 {
					want = most
				}
				if bigOf(got).Cmp(want) != 0 {
					t.Fatalf("%v to %T in mode %v is %v, want %v", x, got, bigModes[m], got, want)
				}
			}
		}
	}
}

func TestFloat16ToInt(t *testing.T) {
	intFrom[int8](t)
	intFrom[uint8](t)
	intFrom[int16](t)
	intFrom[uint16](t)
	intFrom[int32](t)
	intFrom[uint32](t)
	intFrom[int64](t)
	intFrom[uint64](t)
}

// wholes are integers of I: all of a short one, of others those about powers of two, numbers of 16 bits and
// their middles.
func wholes[I dsl.AnyInteger]() (all []I) {
	if endOf[I](true).BitLen() <= 16 {
		for n := range 1 << 16 {
			all = append(all, I(n))
		}
		return all
	}
	for shift := range 64 {
		for _, top := range []uint64{1, 2, 3, 0x81, 0x82, 0x83, 0xff, 0x101, 0x103, 0x401, 0x402, 0x403, 0x7ff, 0x801, 0x803, 0xfff, 0x1001, 0x1ffffff, 0x1000001, 0x1000003} {
			for d := range uint64(5) {
				n := I(top<<shift + d - 2)
				all = append(all, n, -n, ^n)
			}
		}
	}
	for n := uint64(65400); n < 65700; n++ {
		all = append(all, I(n), -I(n))
	}
	return all
}

// fromInt holds the conversions of I to a number of 16 bits, of that precision and greatest number, to package big.
func fromInt[T dsl.Float16[T], I dsl.AnyInteger](t *testing.T, prec uint, greatest float64) {
	t.Helper()
	for _, n := range wholes[I]() {
		for m, got := range []T{dsl.Float16Rn[T](n), dsl.Float16Rd[T](n), dsl.Float16Ru[T](n), dsl.Float16Rz[T](n)} {
			mode := bigModes[m]
			r := new(big.Float).SetPrec(prec).SetMode(mode).SetInt(bigOf(n))
			want, _ := r.Float64()
			if math.Abs(want) > greatest {
				want = math.Inf(r.Sign())
				if mode == big.ToZero || mode == big.ToNegativeInf && n > 0 || mode == big.ToPositiveInf && n < 0 {
					want = math.Copysign(greatest, want)
				}
			}
			if g := float64(got.Float32()); g != want || math.Signbit(g) != math.Signbit(want) {
				t.Fatalf("%T(%v) in mode %v is %v, want %v", got, n, mode, g, want)
			}
		}
	}
}

func fromInts[T dsl.Float16[T]](t *testing.T, prec uint, greatest float64) {
	t.Helper()
	fromInt[T, int8](t, prec, greatest)
	fromInt[T, uint8](t, prec, greatest)
	fromInt[T, int16](t, prec, greatest)
	fromInt[T, uint16](t, prec, greatest)
	fromInt[T, int32](t, prec, greatest)
	fromInt[T, uint32](t, prec, greatest)
	fromInt[T, int64](t, prec, greatest)
	fromInt[T, uint64](t, prec, greatest)
}

func TestIntToFloat16(t *testing.T) {
	fromInts[vector.Half](t, 11, 65504)
	fromInts[vector.BFloat16](t, 8, 0x1.fep127)
}

// HDot rounds a*b + c twice, each time once.
func TestHDot(t *testing.T) {
	for i := range 20000 {
		a, b := vector.Half2FromBits(uint32(i)*2654435761), vector.Half2FromBits(uint32(i)*40503507+77)
		c := math.Float32frombits(uint32(i) * 747796405)
		x, y := a.Float2(), b.Float2()
		exact := func(p, q, r float32) float32 {
			if s := p*q + r; s-s != 0 { // infinite or NaN
				return s
			}
			z := new(big.Float).SetPrec(600)
			z.Add(z.Mul(big.NewFloat(float64(p)), big.NewFloat(float64(q))), big.NewFloat(float64(r)))
			if z.Sign() == 0 {
				return p*q + r
			}
			return float32(roundBig(z, 32, big.ToNearestEven))
		}
		ok := func(f float32) bool { return f-f == 0 }
		if !ok(x.X) || !ok(x.Y) || !ok(y.X) || !ok(y.Y) || !ok(c) {
			if got := dsl.HDot(a, b, c); ok(got) {
				t.Errorf("%v, %v, %v: %v", x, y, c, got)
			}
			continue
		}
		if got, want := dsl.HDot(a, b, c), exact(x.X, y.X, exact(x.Y, y.Y, c)); got != want {
			t.Errorf("%v, %v, %v: %v, want %v", x, y, c, got, want)
		}
	}
}
