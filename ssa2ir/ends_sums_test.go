package ssa2ir

import (
	"regexp"
	"testing"
)

// TestAverages says whether what is averaged over a window is known to be in the picture, and that the sums then have 32 bits.
func TestAverages(t *testing.T) {
	const loops = "for v := max(cy-r, 0); v <= min(cy+r, h-1); v++ { for u := max(cx-r, 0); u <= min(cx+r, w-1); u++ { "
	const end = " } }; if n == 0 { break }; cx, cy = sx/n, sy/n }; out[y*w+x] = in[cy*w+cx]"
	wide := regexp.MustCompile(`= phi i64 `)
	for _, c := range []struct {
		name, body string
		known      bool
	}{
		{"each time", "for range 3 { sx, sy, n := 0, 0, 0; " + loops + "if in[v*w+u] > 0 { sx += u; sy += v; n++ }" + end, true},
		{"on and on, for a number of times", "sx, sy, n := 0, 0, 0; for range 3 { " + loops + "if in[v*w+u] > 0 { sx += u; sy += v; n++ }" + end, false},
		{"on and on", "sx, sy, n := 0, 0, 0; for in[0] > 1 { " + loops + "if in[v*w+u] > 0 { sx += u; sy += v; n++ }" + end, false},
		{"another count", "for range 3 { sx, sy, n := 0, 0, 0; " + loops + "if in[v*w+u] > 0 { sx += u; sy += v }; n += int(int8(in[0]))" + end, false},
		{"counted now and then", "for range 3 { sx, sy, n := 0, 0, 0; " + loops + "sx += u; sy += v; if in[v*w+u] > 0 { n++ }" + end, false},
		{"more than the window", "for range 3 { sx, sy, n := 0, 0, 0; " + loops + "sx += u + r; sy += v + r; n++" + end, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(w, h, r int, in, out []float32) {\n\tx, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y\n\tif x >= w || y >= h {\n\t\treturn\n\t}\n\tcx, cy := x, y\n\t" + c.body + "\n}\n"
			res := lowered(t, source, "sm_90", Options{Conditional: true})
			if got := checks(res.IR) == 0; got != c.known {
				t.Errorf("%d checks, known: %v", checks(res.IR), c.known)
			}
			if got := !wide.Match(res.IR); c.known && !got {
				t.Errorf("phi nodes of 64 bits in\n%s", res.IR)
			}
		})
	}
}
