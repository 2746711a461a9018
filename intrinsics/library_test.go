package intrinsics

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"

	gpu "heddle/dsl"
	"heddle/internal/codegen"
	"heddle/internal/target"
)

// computed are the functions with rows that call the device's math library.
var computed = map[string][]any{
	"Acos": {math.Acos, gpu.Acos[float32], gpu.Acos[float64]}, "Acosh": {math.Acosh, gpu.Acosh[float32], gpu.Acosh[float64]},
	"Asin": {math.Asin, gpu.Asin[float32], gpu.Asin[float64]}, "Asinh": {math.Asinh, gpu.Asinh[float32], gpu.Asinh[float64]},
	"Atan": {math.Atan, gpu.Atan[float32], gpu.Atan[float64]}, "Atan2": {math.Atan2, gpu.Atan2[float32], gpu.Atan2[float64]},
	"Atanh": {math.Atanh, gpu.Atanh[float32], gpu.Atanh[float64]}, "Cbrt": {math.Cbrt, gpu.Cbrt[float32], gpu.Cbrt[float64]},
	"Cos": {math.Cos, gpu.Cos[float32], gpu.Cos[float64]}, "Cosh": {math.Cosh, gpu.Cosh[float32], gpu.Cosh[float64]},
	"Erf": {math.Erf, gpu.Erf[float32], gpu.Erf[float64]}, "Erfc": {math.Erfc, gpu.Erfc[float32], gpu.Erfc[float64]},
	"Exp": {math.Exp, gpu.Exp[float32], gpu.Exp[float64]}, "Exp2": {math.Exp2, gpu.Exp2[float32], gpu.Exp2[float64]},
	"Exp10": {gpu.Exp10[float32], gpu.Exp10[float64]}, "Expm1": {math.Expm1, gpu.Expm1[float32], gpu.Expm1[float64]},
	"Gamma": {math.Gamma, gpu.Gamma[float32], gpu.Gamma[float64]}, "Hypot": {math.Hypot, gpu.Hypot[float32], gpu.Hypot[float64]},
	"Lgamma": {gpu.Lgamma[float32], gpu.Lgamma[float64]},
	"Log":    {math.Log, gpu.Log[float32], gpu.Log[float64]}, "Log10": {math.Log10, gpu.Log10[float32], gpu.Log10[float64]},
	"Log1p": {math.Log1p, gpu.Log1p[float32], gpu.Log1p[float64]}, "Log2": {math.Log2, gpu.Log2[float32], gpu.Log2[float64]},
	"Mod": {math.Mod, gpu.Mod[float32], gpu.Mod[float64]}, "Pow": {math.Pow, gpu.Pow[float32], gpu.Pow[float64]},
	"Remainder": {math.Remainder}, "Rsqrt": {gpu.Rsqrt[float32], gpu.Rsqrt[float64]},
	"Sin": {math.Sin, gpu.Sin[float32], gpu.Sin[float64]}, "Sinh": {math.Sinh, gpu.Sinh[float32], gpu.Sinh[float64]},
	"Tan": {math.Tan, gpu.Tan[float32], gpu.Tan[float64]}, "Tanh": {math.Tanh, gpu.Tanh[float32], gpu.Tanh[float64]},
}

var specialFloats = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, -2, 3, -3, 0.001, 40, 1000, -1000, 1e-30,
	math.Inf(1), math.Inf(-1), math.NaN()}

// The library rows treat special cases as Go does, as far as LLVM can fold
// the library's code: all but what takes a square root.
func TestLibraryRowsCompute(t *testing.T) {
	m := machine(t, "gfx906", 0)
	if _, m.MathLib = codegen.HasMathLib(m.Kind); !m.MathLib {
		t.Skip("no math library for this target on this machine")
	}
	folded := 0
	for _, name := range slices.Sorted(maps.Keys(computed)) {
		for i, fn := range computed[name] {
			pkg := dsl
			if i == 0 && len(computed[name]) != 2 {
				pkg = goMath
			}
			folded += compareLibrary(t, m, pkg+name, reflect.ValueOf(fn))
		}
	}
	if folded < 4500 {
		t.Errorf("%d results folded", folded)
	}
}

func compareLibrary(t *testing.T, m *target.Machine, name string, fn reflect.Value) (folded int) {
	k := newKernel(m, "library")
	var calls [][]reflect.Value
	for _, x := range specialFloats {
		args := []reflect.Value{reflect.ValueOf(x).Convert(fn.Type().In(0))}
		if fn.Type().NumIn() == 1 {
			calls = append(calls, args)
			continue
		}
		for _, y := range specialFloats {
			calls = append(calls, append(slices.Clone(args), reflect.ValueOf(y).Convert(fn.Type().In(1))))
		}
	}
	for _, args := range calls {
		v := asInt(k.Builder, table.Get()[name].Lower(k.constCall(t, name, args)))
		k.Emit(target.Void, "store volatile ", target.T(k.IntCast(v, target.I64, false)), ", ", target.T(k.out))
	}
	k.finish()
	text, err := codegen.OptimisedIR(k.request())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	found := stored.FindAllStringSubmatch(text, -1)
	if len(found) != len(calls) {
		t.Fatalf("%s: %d results of %d", name, len(found), len(calls))
	}
	for i, args := range calls {
		n, err := strconv.ParseInt(found[i][1], 10, 64)
		if err != nil {
			continue
		}
		folded++
		want := fn.Call(args)[0]
		got, tolerance := math.Float64frombits(uint64(n)), 0x1p-48
		if want.Kind() == reflect.Float32 {
			got, tolerance = float64(math.Float32frombits(uint32(n))), 0x1p-20
		}
		if !near(got, want.Float(), tolerance) {
			t.Errorf("%s%v = %v, want %v", name, fmt.Sprint(interfaces(args)...), got, want)
		}
	}
	return folded
}

// near compares with a relative tolerance; zeros, infinities and NaN must be the same.
func near(got, want, tolerance float64) bool {
	if math.IsNaN(want) || want == 0 || math.IsInf(want, 0) {
		return math.IsNaN(got) && math.IsNaN(want) || got == want && math.Signbit(got) == math.Signbit(want)
	}
	return math.Abs(got-want) <= tolerance*math.Abs(want)
}

// Bessel's functions of float64 are libdevice's neither for dsl nor for package math: it has ten thousand units in
// the last place beside their zeros. OCML's are both's.
func TestBesselRows(t *testing.T) {
	for machineName, want := range map[string]bool{"sm_90": false, "gfx942": true} {
		m := machine(t, machineName, 0)
		m.MathLib = true
		for _, name := range []string{"J0", "J1", "Y0", "Y1"} {
			for _, pkg := range []string{dsl, goMath} {
				k := newKernel(m, "bessel")
				c := k.constCall(t, pkg+name, []reflect.Value{reflect.ValueOf(1.5)})
				if got := table.Get()[pkg+name].Lower(c) != nil; got != want {
					t.Errorf("%s: %s%s has a library's function: %v, want %v", machineName, pkg, name, got, want)
				}
			}
		}
	}
}
