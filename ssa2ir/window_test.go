package ssa2ir

import (
	"fmt"
	"strings"
	"testing"
)

// A loop through a window that borders cut off is unrolled wholly for NVIDIA's GPUs, where the window is small.
func TestWindows(t *testing.T) {
	for body, want := range map[string]int{
		"for k := max(x-1, 0); k < min(x+2, w); k++ { s += a[k] }":                              3,
		"from, to := 2*x-1, min(2*x+4, w); for k := max(from, 0); k < to; k++ { s += a[k] }":    5,
		"to := x + 3; if to > w { to = w }; for k := x; k < to; k++ { s += a[k] }":              3,
		"for k := max(x-4, 0); k < min(x+4, w); k++ { s += a[k] }":                              8,
		"for k := max(x-4, 0); k < min(x+5, w); k++ { s += a[k] }":                              0, // nine
		"for k := max(x-1, 0); k < w; k++ { s += a[k] }":                                        0, // many
		"for k := max(x-1, 0); k < min(x+2, w); k += 2 { s += a[k] }":                           0, // another step
		"for k, to := x, min(x+3, w); k < to; k++ { s += a[k]; if s < 0 { to = w } }":           0, // it moves
		"for k := x; k < x+3; k++ { s += a[k] }":                                                3,
		"for j := max(x-1, 0); j < min(x+2, w); j++ { for k := 0; k < w; k++ { s += a[k+j] } }": 0, // not the inner one
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(w int, a, out []float32) {\n\tx := dsl.GlobalIdx().X\n\tif x >= w {\n\t\treturn\n\t}\n\tvar s float32\n\t" + body + "\n\tout[x] = s\n}\n"
		for _, arch := range []string{"sm_90", "gfx942"} {
			ir := string(lowered(t, source, arch, Options{NoBounds: true, Conditional: true}).IR)
			hint := fmt.Sprintf(`"llvm.loop.unroll.count", i32 %d}`, want)
			if got := strings.Contains(ir, hint); got != (want > 0 && arch == "sm_90") {
				t.Errorf("%s: %s: %v", arch, body, got)
			}
		}
	}
}
