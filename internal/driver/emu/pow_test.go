package emu_test

import (
	"math"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
)

// How many powers powersOf makes.
const powers = 11

// powersOf makes powers by constants, and by none.
func powersOf(out []float64, x float64) {
	f := float32(x)
	out[0], out[1], out[2] = math.Pow(x, 2), math.Pow(x, 3), math.Pow(x, 4)
	out[3], out[4], out[5] = dsl.Pow(x, -1), dsl.Pow(x, -2), dsl.Pow(x, 0.5)
	out[6], out[7], out[8] = float64(dsl.Pow(f, 2)), float64(dsl.Pow(f, 3)), float64(dsl.Pow(f, 0.5))
	out[9], out[10] = float64(dsl.Pow(f, -2)), math.Pow(x, 0)
}

func powersKernel(out, in []float64) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		powersOf(out[i*powers:(i+1)*powers], in[i])
	}
}

// TestPow: powers by constants, which are products, are within two units of the last place of what Go's are, and so are all that are no numbers.
func TestPow(t *testing.T) {
	in := []float64{0, math.Copysign(0, -1), 1, -1, 3, -3, 0.1, 1e10, -1e-10, 1e100, 1e155, 1e-155, 3e-162, 1e308, 5e-324, math.Inf(1), math.Inf(-1), math.NaN(), 1.0000001, 12345.678}
	want := make([]float64, len(in)*powers)
	for i, x := range in {
		powersOf(want[i*powers:(i+1)*powers], x)
	}
	for _, name := range []string{"emu:gfx942", "emu:gfx1100"} {
		d := open(t, name)
		got := afterLaunch(t, d, kernel.New(powersKernel), make([]float64, len(want)), in)
		for i := range want {
			ulp := math.Nextafter(math.Abs(want[i]), math.Inf(1)) - math.Abs(want[i])
			if k := i % powers; k >= 6 && k < 10 {
				f := math.Abs(float64(float32(want[i])))
				ulp = float64(math.Nextafter32(float32(f), float32(math.Inf(1)))) - f
			}
			same := got[i] == want[i] && math.Signbit(got[i]) == math.Signbit(want[i]) || got[i] != got[i] && want[i] != want[i]
			if !same && !(math.Abs(got[i]-want[i]) <= 2*ulp) {
				t.Errorf("%s: power %d of %v: %v, want %v", name, i%powers, in[i/powers], got[i], want[i])
			}
		}
	}
}
