package ssa2ir

import (
	"testing"

	"heddle/internal/abi"
)

// TestRelative says whether what a loop's variable has gone is known to be in a window.
func TestRelative(t *testing.T) {
	for _, c := range []struct {
		name, body string
		known      bool
	}{
		{"from a start", "for v := y - r; v < y+r+1; v++ { out[y*w+x] += mask[v-y+r] }", true},
		{"between bounds", "for v := max(y-r, 0); v <= min(y+r, h-1); v++ { out[y*w+x] += mask[v-y+r] }", true},
		{"backwards", "for v := y + r; v >= y-r; v-- { out[y*w+x] += mask[y+r-v] }", true},
		{"of another", "for v := y - r; v < x+r+1; v++ { out[y*w+x] += mask[v-y+r] }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(w, h, r int, mask, out []float32) {\n\tx, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y\n\tif x >= w || y >= h {\n\t\treturn\n\t}\n\t" + c.body + "\n}\n"
			// The mask has 2*r+1 elements.
			l := &abi.Launch{Args: argBlock(1000, 1000, 3, apart, 7, 7, apart, 1000000, 1000000), Grid: [3]int{100, 100, 1}, Block: [3]int{10, 10, 1}}
			res := lowered(t, source, "sm_90", Options{Conditional: true, Launch: l})
			if got := checks(res.IR) == 0; got != c.known {
				t.Errorf("%d checks, known: %v", checks(res.IR), c.known)
			}
		})
	}
}
