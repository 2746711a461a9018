package ssa2ir

import (
	"strings"
	"testing"
)

// A loop is not unrolled on NVIDIA's GPUs where the number of its iterations is a quotient that a loop around it would compute anew each time.
func TestDividesAgain(t *testing.T) {
	for _, c := range []struct {
		name, around, loop string
		want               bool
	}{
		{"begins and ends elsewhere", "for v := 1; v < n; v++ {", "d := int(ends[v]); for u := tx - d; u <= d; u += by {", true},
		{"ends elsewhere", "for v := 1; v < n; v++ {", "for u := tx; u <= int(ends[v]); u += by {", true},
		{"ends where the loop counts", "for v := 1; v < n; v++ {", "for u := tx; u < v; u += by {", true},
		{"down", "for v := 1; v < n; v++ {", "for u := int(ends[v]); u > tx; u -= by {", true},
		{"the same each time", "for v := 1; v < n; v++ {", "for u := tx; u < n; u += by {", false},
		{"the same each time, computed", "for v := 1; v < n; v++ {", "for u := dsl.ThreadIdx().X + n; u < n*n; u += dsl.BlockDim().X {", false},
		{"by a constant", "for v := 1; v < n; v++ {", "d := int(ends[v]); for u := tx - d; u <= d; u += 32 {", false},
		{"in no loop", "{ v := n", "d := int(ends[v]); for u := tx - d; u <= d; u += by {", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, ends []int32, in, out []float32) {\n\ttx, by := dsl.ThreadIdx().X, dsl.BlockDim().X\n\ts := float32(0)\n\t" +
				c.around + "\n" + c.loop + "\n s += in[u] * float32(v) } }\n\tout[tx+by*0] = s\n}\n"
			for _, arch := range []string{"sm_90", "gfx942"} {
				ir := string(lowered(t, source, arch, Options{NoBounds: true}).IR)
				if got, want := strings.Contains(ir, `"llvm.loop.unroll.disable"`), c.want && arch == "sm_90"; got != want {
					t.Errorf("%s: not to be unrolled: %v, want %v", arch, got, want)
				}
			}
		})
	}
}
