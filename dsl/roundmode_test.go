package dsl_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"heddle/dsl"
)

// The four rounding modes, as package big knows them.
var bigModes = []big.RoundingMode{big.ToNearestEven, big.ToNegativeInf, big.ToPositiveInf, big.ToZero}

// roundBig is x, which is not 0, as a float of that many bits in a mode, subnormal numbers and
// overflow included.
func roundBig(x *big.Float, bits int, mode big.RoundingMode) float64 {
	prec, least, most := 53, -1074, math.MaxFloat64
	if bits == 32 {
		prec, least, most = 24, -149, math.MaxFloat32
	}
	keep := x.MantExp(nil) - least // bits above the last one that there is
	if keep <= 0 {                 // below the least number, of which it is a part
		whole, half := math.Ldexp(1, least), new(big.Float).SetMantExp(big.NewFloat(1), least-1)
		nearest := new(big.Float).Abs(x).Cmp(half) > 0
		away := map[big.RoundingMode]bool{big.ToNearestEven: nearest, big.ToNegativeInf: x.Sign() < 0, big.ToPositiveInf: x.Sign() > 0}[mode]
		if !away {
			whole = 0
		}
		return math.Copysign(whole, float64(x.Sign()))
	}
	r := new(big.Float).SetMode(mode).SetPrec(uint(min(prec, keep))).Set(x)
	f, _ := r.Float64()
	if new(big.Float).Abs(r).Cmp(big.NewFloat(most)) > 0 {
		toZero := mode == big.ToZero || mode == big.ToNegativeInf && x.Sign() > 0 || mode == big.ToPositiveInf && x.Sign() < 0
		f = math.Inf(x.Sign())
		if toZero {
			f = math.Copysign(most, float64(x.Sign()))
		}
	}
	return f
}

// operands are floats of all sizes, near each other more often than by chance.
func operands(r *rand.Rand, bits int) (x, y, z float64) {
	one := func() float64 {
		special := []float64{0, math.Copysign(0, -1), 1, -1, 1.5, math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64, math.MaxFloat64,
			math.SmallestNonzeroFloat32, math.MaxFloat32, 0x1p-126, 0x1p-1022, 3, 1.0 / 3}
		if r.IntN(4) == 0 {
			return special[r.IntN(len(special))]
		}
		f := 1 + r.Float64()
		if r.IntN(3) == 0 {
			f = float64(float32(f))
		}
		e := r.IntN(2200) - 1100
		if bits == 32 {
			e = r.IntN(290) - 150
		}
		if r.IntN(2) == 0 {
			e = r.IntN(9) - 4
		}
		f = math.Ldexp(f, e)
		if r.IntN(2) == 0 {
			f = -f
		}
		return f
	}
	x, y, z = one(), one(), one()
	switch r.IntN(4) {
	case 0:
		z = -x * y
	case 1:
		y = -x
	case 2:
		z = -x * y * (1 + 0x1p-52)
	}
	if bits == 32 {
		x, y, z = float64(float32(x)), float64(float32(y)), float64(float32(z))
	}
	return x, y, z
}

// A modeOp is an operation in all modes: rn, rd, ru, rz.
type modeOp struct {
	name string
	args int
	f32  [4]func(x, y, z float32) float32
	f64  [4]func(x, y, z float64) float64
	// plain is what specials give, exact the value of finite operands; nil if there is none.
	plain func(x, y, z float64) float64
	exact func(x, y, z *big.Float) *big.Float
}

func three[T dsl.Float](rn, rd, ru, rz func(x, y, z T) T) [4]func(x, y, z T) T {
	return [4]func(x, y, z T) T{rn, rd, ru, rz}
}

func two[T dsl.Float](fs ...func(x, y T) T) (all [4]func(x, y, z T) T) {
	for i, f := range fs {
		all[i] = func(x, y, _ T) T { return f(x, y) }
	}
	return all
}

func ofX[T dsl.Float](fs ...func(x T) T) (all [4]func(x, y, z T) T) {
	for i, f := range fs {
		all[i] = func(x, _, _ T) T { return f(x) }
	}
	return all
}

func wide() *big.Float { return new(big.Float).SetPrec(6000) }

func modeOps() []modeOp {
	return []modeOp{
		{"Add", 2, two(dsl.AddRn[float32], dsl.AddRd, dsl.AddRu, dsl.AddRz), two(dsl.AddRn[float64], dsl.AddRd, dsl.AddRu, dsl.AddRz),
			func(x, y, _ float64) float64 { return x + y }, func(x, y, _ *big.Float) *big.Float { return wide().Add(x, y) }},
		{"Sub", 2, two(dsl.SubRn[float32], dsl.SubRd, dsl.SubRu, dsl.SubRz), two(dsl.SubRn[float64], dsl.SubRd, dsl.SubRu, dsl.SubRz),
			func(x, y, _ float64) float64 { return x - y }, func(x, y, _ *big.Float) *big.Float { return wide().Sub(x, y) }},
		{"Mul", 2, two(dsl.MulRn[float32], dsl.MulRd, dsl.MulRu, dsl.MulRz), two(dsl.MulRn[float64], dsl.MulRd, dsl.MulRu, dsl.MulRz),
			func(x, y, _ float64) float64 { return x * y }, func(x, y, _ *big.Float) *big.Float { return wide().Mul(x, y) }},
		{"Div", 2, two(dsl.DivRn[float32], dsl.DivRd, dsl.DivRu, dsl.DivRz), two(dsl.DivRn[float64], dsl.DivRd, dsl.DivRu, dsl.DivRz),
			func(x, y, _ float64) float64 { return x / y }, func(x, y, _ *big.Float) *big.Float { return quoOrNil(x, y) }},
		{"Rcp", 1, ofX(dsl.RcpRn[float32], dsl.RcpRd, dsl.RcpRu, dsl.RcpRz), ofX(dsl.RcpRn[float64], dsl.RcpRd, dsl.RcpRu, dsl.RcpRz),
			func(x, _, _ float64) float64 { return 1 / x }, func(x, _, _ *big.Float) *big.Float { return quoOrNil(big.NewFloat(1), x) }},
		{"Sqrt", 1, ofX(dsl.SqrtRn[float32], dsl.SqrtRd, dsl.SqrtRu, dsl.SqrtRz), ofX(dsl.SqrtRn[float64], dsl.SqrtRd, dsl.SqrtRu, dsl.SqrtRz),
			func(x, _, _ float64) float64 { return math.Sqrt(x) }, func(x, _, _ *big.Float) *big.Float {
				if x.Sign() <= 0 {
					return nil
				}
				return new(big.Float).SetPrec(400).Sqrt(x)
			}},
		{"Fma", 3, three(dsl.FmaRn[float32], dsl.FmaRd, dsl.FmaRu, dsl.FmaRz), three(dsl.FmaRn[float64], dsl.FmaRd, dsl.FmaRu, dsl.FmaRz),
			math.FMA, func(x, y, z *big.Float) *big.Float { p := wide().Mul(x, y); return wide().Add(p, z) }},
	}
}

func quoOrNil(x, y *big.Float) *big.Float {
	if y.Sign() == 0 {
		return nil
	}
	return new(big.Float).SetPrec(400).Quo(x, y)
}

// wantMode is what an operation gives in a mode.
func wantMode(op modeOp, x, y, z float64, bits, mode int) float64 {
	finite := x-x == 0 && (op.args < 2 || y-y == 0) && (op.args < 3 || z-z == 0)
	var exact *big.Float
	if op.args < 2 {
		y = 0
	}
	if op.args < 3 {
		z = 0
	}
	if finite {
		exact = op.exact(big.NewFloat(x), big.NewFloat(y), big.NewFloat(z))
	}
	if exact == nil {
		return op.plain(x, y, z)
	}
	if exact.Sign() != 0 {
		return roundBig(exact, bits, bigModes[mode])
	}
	// a zero: the sign of products, and of sums whose parts have one; else +, or - rounding down
	neg := func(f float64) bool { return math.Signbit(f) }
	a, b := neg(x) != neg(y), neg(z)
	switch op.name {
	case "Add":
		a, b = neg(x), neg(y)
	case "Sub":
		a, b = neg(x), !neg(y)
	case "Fma":
	default:
		return op.plain(x, y, z)
	}
	if a != b {
		a = mode == 1
	}
	if a {
		return math.Copysign(0, -1)
	}
	return 0
}

func TestRoundingModes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	for _, op := range modeOps() {
		bad := 0
		for range 20000 {
			for _, bits := range []int{32, 64} {
				x, y, z := operands(r, bits)
				for mode := range 4 {
					var got float64
					if bits == 32 {
						got = float64(op.f32[mode](float32(x), float32(y), float32(z)))
					} else {
						got = op.f64[mode](x, y, z)
					}
					if want := wantMode(op, x, y, z, bits, mode); !same(got, want) {
						if bad++; bad < 5 {
							t.Errorf("%s, mode %d of %d bits, of %g (%x), %g, %g: %g (%x), want %g (%x)", op.name, mode, bits, x, x, y, z, got, got, want, want)
						}
					}
				}
			}
		}
	}
}

func TestRsqrtRn(t *testing.T) {
	for b := uint32(1); b < 0x7f800000; b += 4099 {
		x := math.Float32frombits(b)
		exact := new(big.Float).SetPrec(300).Quo(big.NewFloat(1), new(big.Float).SetPrec(300).Sqrt(big.NewFloat(float64(x))))
		if want, _ := exact.Float32(); dsl.RsqrtRn(x) != want {
			t.Fatalf("RsqrtRn(%g) = %g, want %g", x, dsl.RsqrtRn(x), want)
		}
	}
	for x, want := range map[float32]float64{0: math.Inf(1), float32(math.Copysign(0, -1)): math.Inf(-1), -1: math.NaN(), float32(math.Inf(1)): 0} {
		if got := float64(dsl.RsqrtRn(x)); !same(got, want) && x != 0 {
			t.Errorf("RsqrtRn(%g) = %g, want %g", x, got, want)
		}
	}
}
