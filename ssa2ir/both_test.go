package ssa2ir

import (
	"regexp"
	"strings"
	"testing"
)

// Two conditions of a loop are one branch where it is the branch that costs, if the second can do no harm.
func TestBoth(t *testing.T) {
	for _, c := range []struct {
		name, loop string
		want       bool
	}{
		{"floats", "for n < limit && x*x+y*y < 4 { x, y = x*x-y*y, 2*x*y; n++ }", true},
		{"integers", "for n < limit && n&m != m { n += 3 }", true},
		{"three", "for n < limit && x < 4 && y < 4 { x, y = x*x-y*y, 2*x*y; n++ }", true},
		{"or", "for n < limit || x < 4 { x, y = x*x-y*y, 2*x*y; n++ }", false},
		{"a quotient", "for n < limit && limit/n > m { n++ }", false},
		{"a load", "for n < limit && out[n] > 0 { n++ }", false},
		{"much", "for n < limit && x*x+y*y+x*y+x-y < 4 { x, y = x*x-y*y, 2*x*y; n++ }", false},
		{"another result", "for { if n >= limit { x = 1; break }; if x > 4 { x = 2; break }; x, n = x*x+y, n+1 }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nfunc K(limit, m int, x, y float32, out []float32) {\n\tn := 0\n\t" + c.loop + "\n\tout[0] = x + y + float32(n)\n}\n"
			for arch, want := range map[string]bool{"sm_90": c.want, "gfx942": false} {
				ir := string(lowered(t, source, arch, Options{}).IR)
				if got := regexp.MustCompile(`select i1 %\d+, i1 %\d+, i1 false`).MatchString(ir); got != want {
					t.Errorf("%s: one branch: %v, want %v\n%s", arch, got, want, ir)
				}
			}
		})
	}
}

// In a nest by rows that the program does not name, an index is the first one and steps.
func TestLines(t *testing.T) {
	source := "package p\n\nfunc K(n int, in, out []float32) {\n\tvar s float32\n\tfor y := -1; y <= 1; y++ { for x := 2; x < 5; x++ { s += in[(y+7)*n+x] } }\n\tout[0] = s\n}\n"
	for _, c := range []struct {
		arch string
		opts Options
		want int
	}{
		{"sm_90", Options{}, 1}, {"gfx942", Options{}, 1}, {"gfx942", Options{NoBounds: true}, 1}, {"sm_90", Options{NoBounds: true}, 0}, {"x86-64-v3", Options{}, 0},
	} {
		ir := string(lowered(t, source, c.arch, c.opts).IR)
		for _, first := range []string{"-1", "2"} {
			if n := len(regexp.MustCompile(`sub i64 %\d+, `+first+`\b`).FindAllString(ir, -1)); n != c.want {
				t.Errorf("%s, %+v: %d steps from %s, want %d\n%s", c.arch, c.opts, n, first, c.want, ir)
			}
		}
	}
}

// Loops that gather are unrolled, and may be again.
func TestGathers(t *testing.T) {
	for loop, want := range map[string]bool{
		"for k := 0; k < n; k++ { s += a[k] * b[c[k]] }":             true,
		"for k := 0; k < n; k++ { s += a[k] * b[k] }":                false,
		"for k := 0; k < n; k++ { s += a[k] * b[c[k]]; a[k] = s }":   false,
		"for k := 0; k < n; k++ { b[c[k]] = a[k] * float32(n) + s }": false,
	} {
		source := "package p\n\nfunc K(n int, a, b []float32, c []int32) {\n\tvar s float32\n\t" + loop + "\n\ta[0] = s\n}\n"
		for arch, want := range map[string]bool{"sm_90": want, "gfx942": false} {
			if got := strings.Contains(string(lowered(t, source, arch, Options{NoBounds: true}).IR), "followup_unrolled"); got != want {
				t.Errorf("%s, %s: %v, want %v", arch, loop, got, want)
			}
		}
	}
}
