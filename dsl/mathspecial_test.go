package dsl_test

import (
	"math"
	"testing"

	"heddle/dsl"
)

// Bessel's functions agree with package math's, which are made in another way.
func TestBessel(t *testing.T) {
	for _, c := range []struct {
		name string
		f, g func(float64) float64
	}{{"J0", dsl.J0[float64], math.J0}, {"J1", dsl.J1[float64], math.J1}, {"Y0", dsl.Y0[float64], math.Y0}, {"Y1", dsl.Y1[float64], math.Y1}} {
		for x := 1e-9; x < 1e6; x *= 1.0007 {
			got, want := c.f(x), c.g(x)
			if scale := max(math.Abs(want), 1/math.Sqrt(x)); math.Abs(got-want) > 4e-15*max(scale, 1/scale*1e-3) && math.Abs(got-want) > 1e-15*scale*max(1, math.Sqrt(x)/8) {
				t.Errorf("%s(%g) = %.17g, want %.17g", c.name, x, got, want)
				break
			}
		}
		for _, x := range []float64{0, math.Inf(1), math.NaN(), -1, -30, math.Inf(-1), 1e300} {
			if got, want := c.f(x), c.g(x); !same(got, want) && !(math.Abs(got-want) < 1e-15) {
				t.Errorf("%s(%g) = %.17g, want %.17g", c.name, x, got, want)
			}
		}
	}
}
