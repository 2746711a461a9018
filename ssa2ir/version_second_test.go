package ssa2ir

import (
	"strings"
	"testing"
)

// TestSecondTests says which loops with two tests take iterations by groups, with checks and without. What they compute is for the conformance suite.
func TestSecondTests(t *testing.T) {
	for _, c := range []struct {
		name, loop  string
		checked, no bool
	}{
		{"a tile", "for k := 0; k < 32 && j+k < m; k++ { s += a[c[k+j]] }", true, true},
		{"the other way round", "for k := 0; j+k < m && k < 32; k++ { s += a[c[k+j]] }", false, false},
		{"to the last", "for k := 0; k <= 31 && j+3*k <= m; k++ { s += a[c[k+j]] }", true, true},
		{"a sum", "for k := 0; k < 32 && j+k < m; k++ { s += a[int(c[k+j])+j] }", true, true},
		{"of any length", "for k := 0; k < m && j+k < n; k++ { s += a[c[k+j]] }", true, true},
		{"what may wrap around", "for k := 0; k < 32 && n+k < m; k++ { s += a[c[k+j]] }", false, false},
		{"what goes down", "for k := 0; k < 32 && j-k < m; k++ { s += a[c[k+j]] }", false, false},
		{"what is loaded", "for k := 0; k < 32 && int(c[k]) < m; k++ { s += a[c[k+j]] }", false, false},
		{"what is computed in the loop", "for k := 0; k < 32 && j+k < m; k++ { s += a[c[k+j]]; m = int(c[k]) }", false, false},
		{"another way out", "for k := 0; k < 32 && j+k < m; k++ { if s > 9 { break }; s += a[c[k+j]] }", false, false},
		{"a store", "for k := 0; k < 32 && j+k < m; k++ { b[j] += a[c[k+j]] }", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nfunc K(n int, a, b []float32, c []int32) {\n\tj, m := int(c[0])&1023, int(c[1])\n\tvar s float32\n\t" + c.loop + "\n\tb[0] = s\n}\n"
			for _, arch := range []string{"sm_90", "gfx942"} {
				for _, o := range []Options{{}, {NoBounds: true}} {
					want := (c.checked && !o.NoBounds || c.no && o.NoBounds) && arch == "sm_90"
					if n := strings.Count(string(lowered(t, source, arch, o).IR), "= fadd "); (n > 4) != want {
						t.Errorf("%s, %v: %d additions, want groups: %v", arch, o, n, want)
					}
				}
			}
		})
	}
}
