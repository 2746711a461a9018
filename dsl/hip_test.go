package dsl_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hipMath are the mathematical functions of HIP's kernel-language documents and math API page, of float and
// double, without the suffix f, and what they are called here.
var hipMath = map[string]string{
	"abs": "Abs", "fabs": "Abs", "acos": "Acos", "acosh": "Acosh", "asin": "Asin", "asinh": "Asinh", "atan": "Atan", "atan2": "Atan2", "atanh": "Atanh",
	"cbrt": "Cbrt", "ceil": "Ceil", "copysign": "Copysign", "cos": "Cos", "cosh": "Cosh", "cospi": "Cospi", "cyl_bessel_i0": "CylBesselI0",
	"cyl_bessel_i1": "CylBesselI1", "erf": "Erf", "erfc": "Erfc", "erfcinv": "Erfcinv", "erfcx": "Erfcx", "erfinv": "Erfinv", "exp": "Exp", "exp10": "Exp10",
	"exp2": "Exp2", "expm1": "Expm1", "fdim": "Fdim", "fdivide": "Fdivide", "floor": "Floor", "fma": "Fma", "fmax": "Max", "fmin": "Min", "fmod": "Mod",
	"frexp": "Frexp", "hypot": "Hypot", "ilogb": "Ilogb", "isfinite": "IsFinite", "isinf": "IsInf", "isnan": "IsNaN", "j0": "J0", "j1": "J1", "jn": "Jn",
	"ldexp": "Ldexp", "lgamma": "Lgamma", "llrint": "Llrint", "llround": "Llround", "log": "Log", "log10": "Log10", "log1p": "Log1p", "log2": "Log2",
	"logb": "Logb", "lrint": "Lrint", "lround": "Lround", "modf": "Modf", "nan": "NaN", "nearbyint": "Nearbyint", "nextafter": "Nextafter", "norm": "Norm",
	"norm3d": "Norm3D", "norm4d": "Norm4D", "normcdf": "Normcdf", "normcdfinv": "Normcdfinv", "pow": "Pow", "powi": "Powi", "rcbrt": "Rcbrt",
	"remainder": "Remainder", "remquo": "Remquo", "rhypot": "Rhypot", "rint": "Rint", "rnorm": "Rnorm", "rnorm3d": "Rnorm3D", "rnorm4d": "Rnorm4D",
	"round": "Round", "rsqrt": "Rsqrt", "scalbln": "Scalbln", "scalbn": "Scalbn", "signbit": "Signbit", "sin": "Sin", "sincos": "Sincos",
	"sincospi": "Sincospi", "sinh": "Sinh", "sinpi": "Sinpi", "sqrt": "Sqrt", "tan": "Tan", "tanh": "Tanh", "tgamma": "Gamma", "trunc": "Trunc",
	"y0": "Y0", "y1": "Y1", "yn": "Yn",
	"__cos": "FastCos", "__exp": "FastExp", "__exp10": "FastExp10", "__log": "FastLog", "__log10": "FastLog10", "__log2": "FastLog2", "__pow": "FastPow",
	"__sin": "FastSin", "__sincos": "FastSincos", "__tan": "FastTan", "__fdivide": "FastDivide", "__saturate": "Saturate", "__frsqrt_rn": "RsqrtRn",
}

// roundedHIP are the operations that HIP has in four rounding modes.
var roundedHIP = []string{"Add", "Sub", "Mul", "Div", "Rcp", "Sqrt", "Fma", "Int", "Float", "Float32"}

// Every mathematical function that HIP's documents list is here, and says which one it is.
func TestHIPMathematics(t *testing.T) {
	comments := map[string]string{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				comments[fn.Name.Name] = strings.Join(strings.Fields(fn.Doc.Text()), " ")
			}
		}
	}
	for hip, here := range hipMath {
		if here == "Abs" {
			hip = "fabs"
		}
		text, ok := comments[here]
		if !ok {
			t.Errorf("HIP's %s: there is no %s", hip, here)
		} else if !strings.Contains(text, hip) {
			t.Errorf("%s does not say that it is HIP's %s", here, hip)
		}
	}
	for _, op := range roundedHIP {
		for _, mode := range []string{"Rn", "Rd", "Ru", "Rz"} {
			if text := comments[op+mode]; !strings.Contains(text, "HIP __") || !strings.Contains(text, "_r"+mode[1:]) {
				t.Errorf("%s%s: its comment is %q", op, mode, text)
			}
		}
	}
}
