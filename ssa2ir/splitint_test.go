package ssa2ir

import (
	"regexp"
	"testing"
)

// An int of a float has two parts if min limits it and the float is not far below 0; also where a loop's guard computes with it.
func TestSplitInts(t *testing.T) {
	for _, c := range []struct {
		body, arch string
		parts      int // numbers that are limited in 32 bits
	}{
		{"y := min(int(max(f, 0)), n-1); a[y] = float32(y)", "gfx942", 1},
		{"y := min(n-1, int(dsl.Abs(f)*3)); y1 := min(y+1, n-1); a[y1] = float32(y)", "gfx942", 2},
		{"y := min(int(f), n-1); a[y] = 1", "gfx942", 0},
		{"y := min(int(max(f, -1e10)), n-1); a[y] = 1", "gfx942", 0},
		{"y := int(max(f, 0)); a[min(y, n-1)] = float32(y/3)", "gfx942", 0},
		{"y := min(int(max(f, 0)), n-1); a[y] = 1", "sm_90", 0},
		{"y := min(int(max(f, 0)), n-1); for k := 0; k < n; k++ { s += a[k+min(y, n)]*a[k] }", "gfx942", 2},
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nvar _ = dsl.Abs[float32]\n\nfunc K(n int, f float32, a []float32) {\n\tvar s float32\n\t" + c.body + "\n\ta[0] += s\n}\n"
		for _, once := range []bool{true, false} {
			ir := string(lowered(t, source, c.arch, Options{Conditional: once}).IR)
			if n := len(regexp.MustCompile(`call i32 @llvm\.smin\.i32`).FindAllString(ir, -1)); once && (n < c.parts || c.parts == 0 && n > 0) {
				t.Errorf("%s, %s: %d parts, want %d\n%s", c.arch, c.body, n, c.parts, ir)
			}
		}
	}
}
