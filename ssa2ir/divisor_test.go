package ssa2ir

import (
	"strings"
	"testing"
)

// A divisor that may be zero is checked, also where the division is one of 32 bits; one that cannot is not.
func TestDivisors(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        int // checks
	}{
		{"remainder of small ones", "i % m", 1},
		{"remainder of a thread", "dsl.ThreadIdx().X % m", 1},
		{"remainder of two bytes", "m % int(u[1])", 1},
		{"quotient of small ones", "i / m", 1},
		{"remainder", "n % m", 1},
		{"quotient", "n / k", 1},
		{"remainder by one more", "i % (m + 1)", 0},
		{"quotient by one more", "n / (m + 1)", 0},
		{"remainder by what is no more than a thread", "i % dsl.ThreadIdx().Y", 1},
		{"of 32 bits", "int(int32(n) % int32(m))", 1},
		{"constant", "i % 7", 0},
		{"in a branch", "max(n, 1) % max(m, 1)", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n, k int, out []int, u [3]uint16) {\n\ti, m := dsl.GlobalIdx().X, int(u[0])\n\t_, _ = i, m\n\tfor range 3 {\n\t\tout[0] += " + c.value + "\n\t}\n}\n"
			for _, arch := range []string{"sm_90", "gfx942", "gfx1100", "x86-64-v3"} {
				res := lowered(t, source, arch, Options{}, once)
				n := 0
				for _, s := range res.Sites {
					if strings.Contains(s.Format, "divide by zero") {
						n++
					}
				}
				if n != c.want {
					t.Errorf("%s: %d checks of the divisor, want %d\n%s", arch, n, c.want, res.IR)
				}
			}
		})
	}
}
