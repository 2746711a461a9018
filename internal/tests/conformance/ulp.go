package conformance

import (
	"heddle/internal/abi"
	"heddle/internal/codegen"
	"heddle/internal/inside"
)

// ulps bounds the error of mathematical functions, for float32 and float64, in
// units of the last place: the greater of what CUDA's programming guide and the
// measurements of AMD's device libraries allow, and never above what OpenCL's
// full profile demands of them. A function that is not here is exact, or
// rounded correctly.
var ulps = map[string][2]float64{
	"Acos": {2, 2}, "Acosh": {4, 3}, "Asin": {2, 2}, "Asinh": {3, 3}, "Atan": {2, 2}, "Atan2": {3, 2}, "Atanh": {3, 2},
	"Cbrt": {1, 1}, "Cos": {2, 2}, "Cosh": {2, 1}, "Erf": {2, 2}, "Erfc": {4, 5},
	"Exp": {2, 1}, "Exp10": {2, 1}, "Exp2": {2, 1}, "Expm1": {1, 1},
	"Gamma": {6, 10}, "Hypot": {3, 2}, "Lgamma": {6, 4}, "Log": {1, 1}, "Log10": {2, 1}, "Log1p": {1, 1}, "Log2": {1, 1},
	"Max": {0.5, 0.5}, "Min": {0.5, 0.5}, // of two zeros, either
	"Pow": {4, 2}, "Rsqrt": {2, 1}, "Sin": {2, 2}, "Sinh": {3, 2}, "Tan": {4, 2}, "Tanh": {2, 2},
	"SincosSin": {2, 2}, "SincosCos": {2, 2},
}

// withoutLibrary is how much worse mathematics may be on a device that has no
// library for it: there Go's own is compiled, with contraction.
const withoutLibrary = 2

// library is the bound b on t's device.
func (t *T) library(b bound) bound {
	kind := map[string]abi.Kind{"amdgpu": abi.HSACO, "nvptx": abi.PTX}[inside.Driver(t.Dev).Target]
	if _, ok := codegen.HasMathLib(kind); ok || t.simulated() {
		return b
	}
	return func(field string, bits int) float64 {
		ulps := b(field, bits)
		if ulps >= 1 {
			ulps += withoutLibrary
		}
		return ulps
	}
}

// accuracy is the bound of a function's result, in the field of its name.
func accuracy(function string, bits int) float64 { return ulps[function][bits/32-1] }
