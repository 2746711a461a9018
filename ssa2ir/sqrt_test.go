package ssa2ir

import (
	"strings"
	"testing"
)

// On NVIDIA GPUs a square root is inline assembly, which LLVM does not compute ahead of a condition. On AMD GPUs, and with FastMath, there is no such assembly.
func TestSquareRoots(t *testing.T) {
	source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(a []float32, b []float64) {\n\tif a[1] >= 0 { a[0] = dsl.Sqrt(a[1]) }\n\tif b[1] >= 0 { b[0] = dsl.Sqrt(b[1]) }\n}\n"
	for _, c := range []struct {
		arch     string
		opts     Options
		assembly bool
	}{{"sm_90", Options{}, true}, {"sm_90", Options{FastMath: true}, false}, {"gfx942", Options{}, false}} {
		ir := string(lowered(t, source, c.arch, c.opts).IR)
		for _, text := range []string{"asm \"sqrt.rn.f32", "asm \"sqrt.rn.f64"} {
			if strings.Contains(ir, text) != c.assembly {
				t.Errorf("%s, %+v: %s is there: %v", c.arch, c.opts, text, !c.assembly)
			}
		}
	}
}
