package codegen

import (
	"math"
	"strings"
	"testing"
)

func TestHideZeros(t *testing.T) {
	const zero = "  %heddle.zero.1 = call float asm \"\", \"=s,0\"(float 0.000000e+00) nounwind readnone\n"
	for in, want := range map[string]string{
		"  %1 = fsub float 0.000000e+00, %x, !dbg !5":                 zero + "  %1 = fsub float %heddle.zero.1, %x, !dbg !5",
		"  %\"a b\" = fadd ninf contract float %x, 0.000000e+00":      zero + "  %\"a b\" = fadd ninf contract float %x, %heddle.zero.1",
		"  %1 = fsub <2 x float> zeroinitializer, %x":                 zero + "  %heddle.zero.2 = insertelement <2 x float> zeroinitializer, float %heddle.zero.1, i32 0\n  %heddle.zero.3 = insertelement <2 x float> %heddle.zero.2, float %heddle.zero.1, i32 1\n  %1 = fsub <2 x float> %heddle.zero.3, %x",
		"  %1 = fsub <2 x float> <float 1.0, float 0.000000e+00>, %x": zero + "  %heddle.zero.2 = insertelement <2 x float> <float 1.0, float 0.000000e+00>, float %heddle.zero.1, i32 1\n  %1 = fsub <2 x float> %heddle.zero.2, %x",
		"  %1 = fsub nsz float 0.000000e+00, %x":                      "",
		"  %1 = fsub fast float 0.000000e+00, %x":                     "",
		"  %1 = fsub float -0.000000e+00, %x":                         "",
		"  %1 = fsub float %x, 0.000000e+00":                          "",
		"  %1 = fmul float 0.000000e+00, %x":                          "",
	} {
		got, ok := hideZeros(in)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%s\nis now\n%s\nwant\n%s", in, got, want)
		}
	}
}

// A difference from zero, and a sum with it, keep their sign where another instruction
// could take a negation: that of source code, and what LLVM makes of loops.
func TestSignOfZero(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	x := [4]float64{0, math.Copysign(0, -1), 1.5, -2}
	in := make([][4]uint64, threads)
	for i := range in {
		in[i][0], in[i][1] = math.Float64bits(x[i&3]), math.Float64bits(x[i>>2&3])
	}
	for _, typ := range []string{"double", "float"} {
		for _, f := range []struct {
			text string // computes %r from %x and %y
			want func(x, y float64) float64
		}{
			{"%s = fsub T 0.0, %x\n%r = fsub T %s, %y", func(x, y float64) float64 { return (0 - x) - y }},
			{"%s = fsub T 0.0, %x\n%t = fsub T 0.0, %s\n%r = fmul T %t, %y", func(x, y float64) float64 { return (0 - (0 - x)) * y }},
			{"%n = fneg T %x\n%s = fadd T %n, 0.0\n%r = fadd T %s, %y", func(x, y float64) float64 { return (-x + 0) + y }},
			{"%n = fneg T %x\n%m = fmul T %n, %y\n%s = fadd T 0.0, %m\n%r = fmul T %s, -1.0", func(x, y float64) float64 { return (0 + -x*y) * -1 }},
		} {
			for _, arch := range []string{"gfx90a", "gfx1100"} {
				for _, passes := range []string{"default<O0>", "default<O3>"} {
					if !cpus.Get()[arch].has(major) {
						continue
					}
					toX, back, toY := "fptrunc double %dx to float", "fpext float %r to double", "fptrunc double %dy to float"
					if typ == "double" {
						toX, back, toY = "bitcast i64 %a to double", "bitcast double %r to double", "bitcast i64 %b to double"
					}
					r := request(inputsHead+`  %p = getelementptr double, ptr addrspace(1) %out, i64 %i
  %dx = bitcast i64 %a to double
  %dy = bitcast i64 %b to double
  %x = `+toX+`
  %y = `+toY+`
`+strings.ReplaceAll(f.text, "T ", typ+" ")+`
  %d = `+back+`
  store double %d, ptr addrspace(1) %p
  ret void
}
`, "k", arch)
					r.Passes = passes
					out := make([]float64, threads)
					if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
						t.Fatal(err)
					}
					for i := range out[:16] {
						if got, want := out[i], f.want(x[i&3], x[i>>2&3]); math.Float64bits(got) != math.Float64bits(want) {
							t.Errorf("LLVM %d, %s, %s, %s of %s at %g, %g: %g, want %g", major, arch, passes, f.text, typ, x[i&3], x[i>>2&3], got, want)
						}
					}
				}
			}
		}
	}
}
