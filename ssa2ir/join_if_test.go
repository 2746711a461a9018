package ssa2ir

import (
	"regexp"
	"testing"
)

// Which checks are made ahead of a branch to them: there the comparison counts only if the branch is taken.
func TestCheckAhead(t *testing.T) {
	ahead := regexp.MustCompile(`select i1 %\S+, i1 %\S+, i1 false`)
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"shared", "if m == 0 { s[n] = 1 }", true},
		{"on nothing else", "if m != 0 { } else { s[n] = 1 }", true},
		{"read and written", "if m == 0 { s[n] += 2 }", true},
		{"proved", "if m == 0 { s[n&7] = 1 }", false},
		{"proved by the condition", "if n >= 0 && n < 8 { s[n] = 1 }", false},
		{"global", "if m == 0 { out[n] = 1 }", false},
		{"of what global memory says", "if m == 0 { s[out[3]] = 1 }", false},
		{"two", "if m == 0 { s[n] = s[n*3] }", false},
		{"behind a quotient", "if m == 0 { s[n] = 7 / n }", false},
		{"one of two ways", "if m == 0 { s[n] = 1 } else { s[n+1] = 2 }", false},
		{"behind a store", "if m == 0 { out[0] = 1; s[n] = 1 }", false},
		{"in a loop", "for k := range m { if k == 3 { s[n] = 1 } }", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n, m int, out []int) {\n\ts := dsl.Shared[[8]int]()\n\t" + c.body + "\n\tout[1] = s[1]\n}\n"
			ir := lowered(t, source, "sm_90", Options{}).IR
			if got := ahead.Match(ir); got != c.want {
				t.Errorf("ahead: %v, want %v\n%s", got, c.want, ir)
			}
		})
	}
}
