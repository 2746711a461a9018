package conformance

import (
	"heddle/vector"
)

// 8-bit floats: conversions in every way to round, bit for bit. What the host's give is held to
// a second implementation by package vector's tests.

type fp8Out struct {
	Wide    [4]float32
	NaN     [4]bool
	Nearest [4]uint8
	Rounded [4][4][2]uint8 // by format, mode and saturation
	Double  [4]uint8
}

type fp8In struct {
	Bits uint8
	X    float32
}

type fp8Ops struct{}

func (fp8Ops) Do(in fp8In, out *fp8Out) {
	a, b, c, d := vector.FP8E4M3FromBits(in.Bits), vector.FP8E5M2FromBits(in.Bits), vector.FP8E4M3FNUZFromBits(in.Bits), vector.FP8E5M2FNUZFromBits(in.Bits)
	out.NaN = [4]bool{a.IsNaN(), b.IsNaN(), c.IsNaN(), d.IsNaN()}
	wide := [4]float32{a.Float32(), b.Float32(), c.Float32(), d.Float32()}
	for i, w := range wide {
		if !out.NaN[i] {
			out.Wide[i] = w
		}
	}
	x, half := in.X, vector.MakeHalf(in.X).Float32()
	out.Nearest = [4]uint8{vector.MakeFP8E4M3(x).Bits(), vector.MakeFP8E5M2(half).Bits(), vector.MakeFP8E4M3FNUZ(x).Bits(), vector.MakeFP8E5M2FNUZ(half).Bits()}
	for m := range 4 {
		mode := vector.Rounding(m)
		for s := range 2 {
			sat := vector.Saturation(s)
			out.Rounded[0][m][s], out.Rounded[1][m][s] = vector.RoundFP8E4M3(x, mode, sat).Bits(), vector.RoundFP8E5M2(x, mode, sat).Bits()
			out.Rounded[2][m][s], out.Rounded[3][m][s] = vector.RoundFP8E4M3FNUZ(x, mode, sat).Bits(), vector.RoundFP8E5M2FNUZ(x, mode, sat).Bits()
		}
	}
	y := float64(x) * (1 + 1.0/(1<<40))
	out.Double = [4]uint8{
		vector.FP8E4M3FromFloat64(y, vector.RoundNearestEven, vector.NoSat).Bits(), vector.FP8E5M2FromFloat64(y, vector.RoundNearestEven, vector.NoSat).Bits(),
		vector.FP8E4M3FNUZFromFloat64(y, vector.RoundUp, vector.SatFinite).Bits(), vector.FP8E5M2FNUZFromFloat64(y, vector.RoundDown, vector.SatFinite).Bits(),
	}
}

func fp8Cases() []Case {
	var in []fp8In
	for i := range 256 {
		for _, wide := range []float32{vector.FP8E4M3FromBits(uint8(i)).Float32(), vector.FP8E5M2FromBits(uint8(i)).Float32()} {
			for _, by := range []float32{1, 1 + 1.0/16, 1 + 1.0/8, 1 + 3.0/32, 1.0001, 0.9999, 1.25} {
				if x := wide * by; x == x { // which NaN comes in is the machine's
					in = append(in, fp8In{uint8(i), x})
				}
			}
		}
	}
	return []Case{onEach("vector/fp8", "8-bit floats", each[fp8Ops], in)}
}
