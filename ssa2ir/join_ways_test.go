package ssa2ir

import (
	"regexp"
	"testing"
)

// TestCheckWays says how many branches checks of conditional loads are, and that what is asked on the way counts.
func TestCheckWays(t *testing.T) {
	counts := regexp.MustCompile(`select i1 %\S+, i1 %\S+, i1 false`)
	for _, c := range []struct {
		name, body string
		joined     bool
	}{
		{"two loads", "if x >= 0 { v = in[x+m] }\nif x < m { w = in[x-m] }", true},
		{"on two conditions each", "if x >= 0 && y >= 0 { v = in[x+m*y] }\nif x < m && y < m { w = in[x-m*y] }", true},
		{"either of two", "if x >= 0 { v = in[x+m] } else { v = in[x-m] }", true},
		{"one in another", "if x >= 0 { v = in[x+m]; if y >= 0 { w = in[y-m] } }", true},
		{"with a sum", "if x >= 0 { v += in[x+m] * 2 }\nif x < m { v += in[x-m] * 3 }", true},
		{"one load", "if x >= 0 { v = in[x+m] }", false},
		{"a store between", "if x >= 0 { out[1] = in[x+m] }\nif x < m { w = in[x-m] }", false},
		{"on what is loaded", "if x >= 0 { v = in[x+m] }\nif v < 3 { w = in[x-m] }", false},
		{"a return between", "if x >= 0 { v = in[x+m] } else { return }\nif x < m { w = in[x-m] }", false},
		{"a quotient between", "if x >= 0 { v = in[x+m] }\nif x < m { w = in[x/y] }", false},
		{"a loop between", "for v < 3 { v += in[x] }\nif x < m { w = in[x-m] }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(m, x, y int, in, out []float32) {\n\tvar v, w float32\n\tm += dsl.GlobalIdx().X\n\t" + c.body + "\n\tout[0] = v + w\n}\n"
			if ir := lowered(t, source, "sm_90", Options{}).IR; counts.Match(ir) != c.joined {
				t.Errorf("joined: %v\n%s", !c.joined, ir)
			}
			if ir := lowered(t, source, "gfx942", Options{}).IR; counts.Match(ir) {
				t.Errorf("joined for AMD's GPUs\n%s", ir)
			}
		})
	}
}
