package ssa2ir

import (
	"strings"
	"testing"
)

// TestRises says which ints of floats have no limits of their own in 32 bits: those of which nothing is made but what is more by constants.
func TestRises(t *testing.T) {
	for body, want := range map[string]bool{
		"d := int(dsl.Floor(f)); if d < 0 || d+1 >= w { return }; row := in[y*w : (y+1)*w]; out[y] = row[d] + row[d+1]*(f-float32(d))": true,
		"if d := int(f); d >= 0 && d < w { out[y] = in[d] }":                                                                           true,
		"out[y] = in[min(max(int(f), 0), w-1)]":                                                                                        true,
		"if d := int(f) - 1; d >= 0 && d < w { out[y] = in[d] }":                                                                       false,
		"d := int(f); if d+2000 < w && d >= 0 { out[y] = in[d] }":                                                                      false,
		"e := int(f) + 1; if e < 1 || e >= w { return }; out[y] = in[e*w]":                                                             false,
		"d := int(f); if w > d+1 && d >= 0 { out[y] = in[d] }":                                                                         false,
		"d := int(f); if d < 0 { d = -d }; out[y] = in[min(d, w-1)]":                                                                   false,
		"d := int(f); for k := range 2 { if d >= 0 && d < w { out[y+k] = in[d] }; d = d + 1 }":                                         false,
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nvar _ = dsl.Floor[float32]\n\nfunc K(w int, at, in, out []float32) {\n\ty := dsl.GlobalIdx().X\n\tif y >= len(out) {\n\t\treturn\n\t}\n\tf := at[y]\n\t" + body + "\n}\n"
		ir := string(lowered(t, source, "sm_90", Options{Conditional: true}).IR)
		limits := strings.Contains(ir, "i32 2147482623)")
		if got := !limits && strings.Contains(ir, "i32 -2147483648"); got != want {
			t.Errorf("%s: it has no limits: %v", body, got)
		}
	}
}

// TestRowEnds shows that the ends of a row are in order where its width is not negative.
func TestRowEnds(t *testing.T) {
	for body, want := range map[string]int{
		"if w > 0 && w < 1<<40 && k < 9 { s = in[k*w : (k+1)*w] }": 0,
		"if w > 0 && w < 1<<40 && k < 9 { s = in[k*w : w*(k+2)] }": 0,
		"if k < 9 { s = in[k*w : (k+1)*w] }":                       1,
		"if w > 0 && w < 1<<40 && k < 9 { s = in[(k+1)*w : k*w] }": 1,
		"if w > 0 { s = in[k*w<<40 : (k<<40+1)*w] }":               1,
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(w int, in []float32, out []int) {\n\tk := dsl.ThreadIdx().X\n\ts := in\n\t" + body + "\n\tout[k] = len(s)\n}\n"
		if n := strings.Count(string(lowered(t, source, "gfx942", Options{}, once).IR), "icmp ugt i64"); n != want+1 { // the upper end is checked
			t.Errorf("%s: %d checks of the order, want %d", body, n, want)
		}
	}
}
