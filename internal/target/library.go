package target

import (
	"fmt"
	"strings"
)

// This file has the names that device libraries give to functions that not all of them have.

// amdName is OCML's name of a function of HIP, "" if it has none. It has I0 and
// I1, but makes NaN of large negative numbers.
func amdName(name string) string {
	switch name {
	case "erfcinv", "erfcx", "erfinv", "j0", "j1", "y0", "y1", "rhypot", "rcbrt", "sinpi", "cospi":
		return name
	case "normcdf":
		return "ncdf"
	case "normcdfinv":
		return "ncdfinv"
	case "norm3d":
		return "len3"
	case "norm4d":
		return "len4"
	case "rnorm3d":
		return "rlen3"
	case "rnorm4d":
		return "rlen4"
	case "fast_sin", "fast_cos", "fast_exp", "fast_exp10", "fast_log", "fast_log2", "fast_log10":
		return "native_" + strings.TrimPrefix(name, "fast_")
	}
	return ""
}

func amdLibraryFunc(name string, bits int) string {
	if name = amdName(name); name == "" {
		return ""
	}
	return fmt.Sprintf("__ocml_%s_f%d", name, bits)
}

// nvLibraryFunc is libdevice's, less jn, which is NaN at 0, and the fast tan and pow, which are outside HIP's bounds: operations in a rounding mode ("add_rd") have the type before
// their name, others behind it.
func nvLibraryFunc(name string, bits int) string {
	op, mode, rounded := strings.Cut(name, "_r")
	switch name {
	case "j0", "j1", "y0", "y1": // of double they are ten thousand units off beside zeros
		if bits == 32 {
			return "__nv_" + name + "f"
		}
	case "erfcinv", "erfcx", "erfinv", "rhypot", "rcbrt", "sinpi", "cospi", "normcdf", "normcdfinv",
		"norm3d", "norm4d", "rnorm3d", "rnorm4d", "cyl_bessel_i0", "cyl_bessel_i1", "saturate",
		"fast_sin", "fast_cos", "fast_exp", "fast_exp10", "fast_log", "fast_log2", "fast_log10", "fast_fdivide":
		if bits == 32 {
			name += "f"
		}
		return "__nv_" + name
	}
	if !rounded {
		return ""
	}
	letter := "d"
	switch {
	case op == "fma" && bits == 32:
		op, letter = "fmaf", ""
	case op == "fma":
		letter = ""
	case bits == 32:
		letter = "f"
	}
	return "__nv_" + letter + op + "_r" + mode
}
