package accuracy

// A limit is what may be wrong with a function, for float32 and float64: at most hip units of the
// last place where the absolute error is greatest within HIP's range (HIP's math API page publishes
// that; -1 for functions that it has no number for), and at most most units anywhere.
type limit struct{ hip, most [2]float64 }

// limits are by the functions' names. The second numbers are those of CUDA's and OpenCL's documents
// or more, where HIP's measure says nothing: of Bessel's functions, and beside zeros.
var limits = map[string]limit{
	"Acos": {[2]float64{1, 1}, [2]float64{2, 2}}, "Acosh": {[2]float64{1, 1}, [2]float64{4, 3}}, "Asin": {[2]float64{2, 1}, [2]float64{2, 2}},
	"Asinh": {[2]float64{1, 1}, [2]float64{3, 3}}, "Atan": {[2]float64{2, 1}, [2]float64{2, 2}}, "Atanh": {[2]float64{1, 1}, [2]float64{3, 3}},
	"Cbrt": {[2]float64{2, 1}, [2]float64{2, 2}}, "Cos": {[2]float64{1, 1}, [2]float64{2, 2}}, "Cosh": {[2]float64{1, 1}, [2]float64{2, 2}},
	"Cospi": {[2]float64{1, 2}, [2]float64{2, 2}}, "CylBesselI0": {[2]float64{-1, -1}, [2]float64{6, 6}}, "CylBesselI1": {[2]float64{-1, -1}, [2]float64{6, 6}},
	"Erf": {[2]float64{4, 4}, [2]float64{4, 4}}, "Erfc": {[2]float64{2, 2}, [2]float64{4, 5}}, "Erfcinv": {[2]float64{-1, -1}, [2]float64{4, 6}},
	"Erfcx": {[2]float64{5, 5}, [2]float64{6, 6}}, "Erfinv": {[2]float64{-1, -1}, [2]float64{4, 6}},
	"Exp": {[2]float64{1, 1}, [2]float64{2, 1}}, "Exp10": {[2]float64{1, 1}, [2]float64{2, 2}}, "Exp2": {[2]float64{1, 1}, [2]float64{2, 1}},
	"Expm1": {[2]float64{1, 1}, [2]float64{2, 2}}, "Gamma": {[2]float64{6, 6}, [2]float64{10, 10}}, "Lgamma": {[2]float64{4, 2}, [2]float64{6, 6}},
	"J0": {[2]float64{-1, -1}, [2]float64{32, 9}}, "J1": {[2]float64{-1, -1}, [2]float64{32, 9}}, "Jn": {[2]float64{-1, -1}, [2]float64{32, 32}},
	"Y0": {[2]float64{-1, -1}, [2]float64{32, 9}}, "Y1": {[2]float64{-1, -1}, [2]float64{32, 9}}, "Yn": {[2]float64{-1, -1}, [2]float64{32, 32}},
	"Log": {[2]float64{2, 1}, [2]float64{2, 2}}, "Log10": {[2]float64{2, 1}, [2]float64{3, 2}}, "Log1p": {[2]float64{1, 1}, [2]float64{2, 2}},
	"Log2": {[2]float64{1, 1}, [2]float64{2, 2}}, "Normcdf": {[2]float64{-1, -1}, [2]float64{5, 5}}, "Normcdfinv": {[2]float64{-1, -1}, [2]float64{5, 7}},
	"Rcbrt": {[2]float64{1, 1}, [2]float64{2, 2}}, "Rsqrt": {[2]float64{1, 1}, [2]float64{2, 2}}, "Sin": {[2]float64{1, 1}, [2]float64{2, 2}},
	"Sinh": {[2]float64{1, 1}, [2]float64{3, 2}}, "Sinpi": {[2]float64{2, 2}, [2]float64{2, 2}}, "Tan": {[2]float64{1, 1}, [2]float64{4, 2}},
	"Tanh": {[2]float64{2, 1}, [2]float64{2, 2}}, "Atan2": {[2]float64{1, 1}, [2]float64{3, 2}}, "Hypot": {[2]float64{1, 1}, [2]float64{3, 2}},
	"Pow": {[2]float64{1, 1}, [2]float64{4, 2}}, "Powi": {[2]float64{1, 1}, [2]float64{4, 2}}, "Rhypot": {[2]float64{1, 1}, [2]float64{3, 2}},
	"Norm3D": {[2]float64{1, 1}, [2]float64{3, 2}}, "Norm4D": {[2]float64{2, 2}, [2]float64{3, 2}}, "Rnorm3D": {[2]float64{1, 1}, [2]float64{3, 2}},
	"Rnorm4D": {[2]float64{2, 1}, [2]float64{3, 2}}, "Norm": {[2]float64{1, 1}, [2]float64{2, 2}}, "Rnorm": {[2]float64{1, 1}, [2]float64{2, 2}},

	// The greatest errors of these are beside zeros and far from 0, where nothing bounds them.
	"FastSin": {[2]float64{18}, [2]float64{}}, "FastCos": {[2]float64{4}, [2]float64{}}, "FastTan": {[2]float64{1}, [2]float64{}},
	"FastExp": {[2]float64{6}, [2]float64{}}, "FastExp10": {[2]float64{18}, [2]float64{}}, "FastLog": {[2]float64{2}, [2]float64{}},
	"FastLog2": {[2]float64{1}, [2]float64{}}, "FastLog10": {[2]float64{2}, [2]float64{}}, "FastPow": {[2]float64{1}, [2]float64{}},
}

// coarse are functions with zeros that are no nice numbers: errors of results below a tenth count
// in units of a tenth's last place.
var coarse = map[string]bool{"J0": true, "J1": true, "Jn": true, "Y0": true, "Y1": true, "Yn": true, "Lgamma": true}

// goULPs are the bounds of float64 on the simulator where they are higher: there these functions are Go's own, which
// lose digits of large arguments beside the functions' zeros.
var goULPs = map[string]float64{"Acos": 4, "Cos": 32, "Exp10": 3, "Sin": 8, "Tan": 128}

// nvidiaFast are the bounds on NVIDIA's GPUs of what is outside HIP's there, which are of AMD's: CUDA bounds the
// absolute errors of these, by 2^-21 where results are up to 1.
var nvidiaFast = map[string]float64{"FastCos": 64, "FastSin": 64}
