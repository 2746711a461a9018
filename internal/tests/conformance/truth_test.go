package conformance

import (
	"math"
	"reflect"
	"runtime"
	"testing"
)

// Known values, from tables: to catch a series that is wrong.
func TestTruths(t *testing.T) {
	for _, c := range []struct {
		name string
		x, y float64
		want float64
	}{
		{"Sin", math.MaxFloat64, 0, 0.004961954789184062},
		{"Cos", 1e22, 0, 0.5232147853951389},
		{"Tan", 1.5707963267948966, 0, 16331239353195370},
		{"Atan", 1, 0, math.Pi / 4},
		{"Asin", -0.5, 0, -math.Pi / 6},
		{"Acos", -1, 0, math.Pi},
		{"Atan2", -1, -1, -3 * math.Pi / 4},
		{"Exp", 1, 0, math.E},
		{"Exp", -745, 0, 5e-324},
		{"Expm1", 1e-300, 0, 1e-300},
		{"Log", 5e-324, 0, -744.4400719213812},
		{"Log2", 8, 0, 3},
		{"Log10", 1e10, 0, 10},
		{"Log1p", -1e-310, 0, -1e-310},
		{"Sinh", 1e-310, 0, 1e-310},
		{"Tanh", 20, 0, 1},
		{"Asinh", -1e-200, 0, -1e-200},
		{"Acosh", 1.5430806348152437, 0, 1},
		{"Atanh", 0.5, 0, 0.5493061443340549},
		{"Erf", 0.5, 0, 0.5204998778130465},
		{"Erfc", 5, 0, 1.5374597944280349e-12},
		{"Gamma", 5, 0, 24},
		{"Gamma", 0.5, 0, 1.772453850905516},
		{"Gamma", -1.5, 0, 2.363271801207355},
		{"Lgamma", 100, 0, 359.1342053695754},
		{"Cbrt", -27, 0, -3},
		{"Pow", 2, 0.5, math.Sqrt2},
		{"Hypot", 3e200, 4e200, 5e200},
	} {
		y := newBig(precision).SetFloat64(c.y)
		got, _ := truths[c.name](newBig(precision).SetFloat64(c.x), y).Float64()
		if distance(got, c.want, 64) > 1 {
			t.Errorf("%s(%g, %g) = %g, want %g", c.name, c.x, c.y, got, c.want)
		}
	}
}

// Every bound is of a function that a case computes.
func TestBounds(t *testing.T) {
	fields := map[string]bool{}
	for _, out := range []any{trigOut[float64]{}, hyperOut[float64]{}, expOut[float64]{}, specialOut[float64]{}, binaryOut[float64]{}} {
		for f := range reflect.TypeOf(out).Fields() {
			fields[f.Name] = true
		}
	}
	for name := range ulps {
		if !fields[name] {
			t.Errorf("ulps has %s, which no case computes", name)
		}
	}
	for name := range truths {
		if !fields[name] {
			t.Errorf("truths has %s, which no case computes", name)
		}
	}
}

// The rule for floats that do not fit an integer is what gc does on amd64.
func TestFitted(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("gc's code for " + runtime.GOARCH + " has another rule")
	}
	fittedAsGC(t, between[float32]())
	fittedAsGC(t, between[float64]())
}

func fittedAsGC[T float](t *testing.T, xs []T) {
	for _, x := range xs {
		var got, want converted
		fitted(x, &got)
		fromFloat[T]{}.Do(x, &want)
		got.F32, got.F64, got.C, want.F32, want.F64, want.C = 0, 0, 0, 0, 0, 0 // NaN
		if got != want {
			t.Errorf("%T(%v): %+v, gc has %+v", x, x, got, want)
		}
	}
}
