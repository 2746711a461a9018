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

func TestBesselOfOrder(t *testing.T) {
	for _, n := range []int{-3, -2, 0, 1, 2, 3, 7, 20, 60} {
		for x := 1e-3; x < 100; x *= 1.01 {
			for _, x := range []float64{x, -x} {
				got, want := dsl.Jn(n, x), math.Jn(n, x)
				if math.Abs(got-want) > 1e-13*math.Abs(want)+2e-15 {
					t.Fatalf("Jn(%d, %g) = %g, want %g", n, x, got, want)
				}
			}
			got, want := dsl.Yn(n, x), math.Yn(n, x)
			if math.Abs(got-want) > 1e-12*math.Abs(want)+1e-14 && got != want {
				t.Fatalf("Yn(%d, %g) = %g, want %g", n, x, got, want)
			}
		}
		for _, x := range []float64{0, math.Inf(1), math.NaN()} {
			if got, want := dsl.Jn(n, x), math.Jn(n, x); !same(got, want) && got != want && !(n == 0 && x == 0) {
				t.Errorf("Jn(%d, %g) = %g, want %g", n, x, got, want)
			}
		}
	}
}
