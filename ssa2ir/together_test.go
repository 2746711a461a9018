package ssa2ir

import (
	"strings"
	"testing"
)

// A struct of two or four numbers in a slice is loaded by one instruction on GPUs; what is no vector, and on cpu all, field by field.
func TestLoadTogether(t *testing.T) {
	for body, want := range map[string]string{
		"p := twos[i]; if p.a > 1 { out[i] = p.b }":           "load <2 x float>",
		"p := fours[i]; if p.a > 1 { out[i] = float32(p.d) }": "load <4 x i32>",
		"p := wides[i]; if p.a > 1 { out[i] = float32(p.b) }": "load <2 x double>",
		"p := threes[i]; if p.a > 1 { out[i] = p.c }":         "",
		"p := mixed[i]; if p.a > 1 { out[i] = float32(p.b) }": "",
		"p := bytes[i]; if p.a > 1 { out[i] = float32(p.b) }": "",
		"p := long[i]; if p.a > 1 { out[i] = float32(p.d) }":  "",
		"out[i] = twos[i].b":              "", // a field
		"p := *twice; out[i] = p.a + p.b": "", // no element
	} {
		source := `package p

import "heddle/dsl"

type two struct{ a, b float32 }
type four struct{ a, b, c, d int32 }
type wide struct{ a, b float64 }
type three struct{ a, b, c float32 }
type mix struct { a float32; b int32 }
type byt struct{ a, b uint8 }
type lon struct{ a, b, c, d int64 }

func K(twos []two, fours []four, wides []wide, threes []three, mixed []mix, bytes []byt, long []lon, twice *two, out []float32) {
	i := dsl.GlobalIdx().X
	` + body + `
}
`
		for _, arch := range []string{"sm_90", "gfx942", "x86-64-v3"} {
			vectors := ""
			for line := range strings.Lines(string(lowered(t, source, arch, Options{}).IR)) {
				if _, load, ok := strings.Cut(line, " = load <"); ok {
					vectors, _, _ = strings.Cut("load <"+load, ",")
				}
			}
			if expected := map[bool]string{true: want}[arch != "x86-64-v3"]; vectors != expected {
				t.Errorf("%s: %s: %q, want %q", arch, body, vectors, expected)
			}
		}
	}
}
