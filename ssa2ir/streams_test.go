package ssa2ir

import (
	"strings"
	"testing"
)

// What a loop loads once leaves the cache to what it gathers, on NVIDIA's GPUs whose PTX has a word for it.
func TestStreams(t *testing.T) {
	const evict = "ld.global.L1::evict_unchanged"
	for _, c := range []struct {
		name, loop string
		want       bool
	}{
		{"a warp's step", "for k := dsl.LaneID(); k < n; k += 32 { s += a[k] * b[c[k]] }", true},
		{"rows", "for k := range m { s += a[k*n] * b[c[k*n]] }", true},
		{"a block's step", "by := dsl.BlockDim().X; for k := m; k < n; k += by { s += a[k] * b[c[k]] }", true},
		{"the next element", "for k := m; k < n; k++ { s += a[k] * b[c[k]] }", false},
		{"nothing gathered", "for k := m; k < n; k += 32 { s += a[k] }", false},
		{"of shared memory", "t := dsl.Shared[[64]int32](); for k := m; k < n; k += 32 { s += b[t[k&63]] }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nvar _ = dsl.LaneID\n\nfunc K(n, m int, a, b []float32, c []int32, out []float32) {\n\tvar s float32\n\t" + c.loop + "\n\tout[0] = s\n}\n"
			for _, o := range []Options{{}, {NoBounds: true}} {
				for arch, has := range map[string]bool{"sm_90": true, "sm_80": true, "sm_75": false, "gfx942": false} {
					if got := strings.Contains(string(lowered(t, source, arch, o).IR), evict); got != (has && c.want) {
						t.Errorf("%s, %+v: %v, want %v", arch, o, got, has && c.want)
					}
				}
			}
		})
	}
}

// Without checks, branched iterations gather for four at once, but with FastMath.
func TestLoads(t *testing.T) {
	const head = "package p\n\nfunc K(n int, a []float32, c []int32, out []float32) {\n\tvar s float32\n\tfor k := range n {\n\t\t"
	for _, c := range []struct {
		body string
		o    Options
		want bool
	}{
		{"x := a[c[k]]; if x > 3 { continue }; s += x * x", Options{NoBounds: true}, true},
		{"x := a[c[k]]; if x > 3 { continue }; s += x * x", Options{NoBounds: true, FastMath: true}, false},
		{"s += a[c[k]]", Options{NoBounds: true}, false},
		{"x := a[k]; if x > 3 { continue }; s += x * x", Options{NoBounds: true}, false},
	} {
		source := head + c.body + "\n\t}\n\tout[0] = s\n}\n"
		if got := strings.Contains(string(lowered(t, source, "sm_90", c.o).IR), `asm sideeffect "", "`); got != c.want {
			t.Errorf("%s, %+v: %v, want %v", c.body, c.o, got, c.want)
		}
	}
}
