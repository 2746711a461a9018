package ssa2ir

import (
	"fmt"
	"strings"
	"testing"
)

// A division of floats that a branch leads to has an assembly before it on NVIDIA's GPUs, unless the block stays anyway, or the division is short.
func TestDivisionsBehind(t *testing.T) {
	const stays = `call void asm sideeffect "", ""()`
	for _, c := range []struct {
		name, arch, typ, body string
		fast                  bool
		want                  int
	}{
		{"a division", "sm_90", "float64", "if k > 1 { v /= T(k) }", false, 1},
		{"of float32s", "sm_90", "float32", "if k > 1 { v /= T(k) }", false, 1},
		{"on both ways", "sm_90", "float64", "if k > 1 { v /= T(k) } else { v = T(k) / v }", false, 2},
		{"an approximation", "sm_90", "float32", "if k > 1 { v /= T(k) }", true, 0},
		{"of float64s, fast", "sm_90", "float64", "if k > 1 { v /= T(k) }", true, 1},
		{"by a constant", "sm_90", "float64", "if k > 1 { v /= 3 }", false, 0},
		{"beside a store", "sm_90", "float64", "if k > 1 { v /= T(k); a[1] = v }", false, 0},
		{"behind no branch", "sm_90", "float64", "v /= T(k)", false, 0},
		{"on AMD's", "gfx942", "float64", "if k > 1 { v /= T(k) }", false, 0},
		{"on the processor", "x86-64-v3", "float64", "if k > 1 { v /= T(k) }", false, 0},
	} {
		source := fmt.Sprintf("package p\n\ntype T = %s\n\nfunc K(a []T, k int) {\n\tv := a[0]\n\t%s\n\ta[0] = v\n}\n", c.typ, c.body)
		if got := strings.Count(string(lowered(t, source, c.arch, Options{NoBounds: true, FastMath: c.fast}).IR), stays); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
