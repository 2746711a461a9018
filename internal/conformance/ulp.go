package conformance

// ulps bounds the error of mathematical functions, for float32 and float64, in
// units of the last place: the greater of what CUDA's programming guide and the
// measurements of AMD's device libraries allow, and never above what OpenCL's
// full profile demands of them. A function that is not here is exact, or
// rounded correctly. The float64 truth is Go's own, itself within one unit; the
// bounds for float64 have one more for it.
var ulps = map[string][2]float64{
	"Acos": {2, 3}, "Acosh": {4, 4}, "Asin": {2, 3}, "Asinh": {3, 4}, "Atan": {2, 3}, "Atan2": {3, 3}, "Atanh": {3, 3},
	"Cbrt": {1, 2}, "Cos": {2, 3}, "Cosh": {2, 2}, "Erf": {2, 3}, "Erfc": {4, 6},
	"Exp": {2, 2}, "Exp10": {2, 3}, "Exp2": {2, 2}, "Expm1": {1, 2},
	"Gamma": {11, 11}, "Max": {0.5, 0.5}, "Min": {0.5, 0.5}, // of two zeros, either
	"Hypot": {3, 3}, "Lgamma": {6, 8}, "Log": {1, 2}, "Log10": {2, 2}, "Log1p": {1, 2}, "Log2": {1, 2},
	"Pow": {8, 3}, "Rsqrt": {2, 2}, "Sin": {2, 3}, "Sinh": {3, 3}, "Tan": {4, 3}, "Tanh": {2, 2},
	"SincosSin": {2, 3}, "SincosCos": {2, 3},
}

// accuracy is the bound of a function's result, in the field of its name.
func accuracy(function string, bits int) float64 { return ulps[function][bits/32-1] }
