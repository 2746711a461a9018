package ssa2ir

import (
	"strings"
	"testing"
)

// Which loops add up in 32 bits; that the sums are right is for the case loop/sums.
func TestSums(t *testing.T) {
	for _, c := range []struct {
		name, loop string
		want       bool
	}{
		{"counts", "for k := range n & 15 { s += int(c[k]) }", true},
		{"some of the counts", "for k := range n & 15 { x := int(c[k]); if k < m { s += x }; b += x }", true},
		{"down", "for k := n & 15; k >= 0; k-- { s += int(c[k]) }", true},
		{"as often as it likes", "for k := range n { s += int(c[k]) }", false},
		{"too often", "for k := range n & (1<<24 - 1) { s += int(c[k]) }", false},
		{"of 64 bits", "for k := range n & 15 { s += l[k] }", false},
		{"of no known beginning", "s = m; for k := range n & 15 { s += int(c[k]) }", false},
		{"of a known beginning", "s = m & 255; for k := range n & 15 { s += int(c[k]) }", true},
		{"less", "for k := range n & 15 { s -= int(c[k]) }", false},
		{"used on the way", "for k := range n & 15 { s += int(c[k]); b = max(b, s) }", false},
		{"an index on the way", "for k := range n & 15 { s += int(c[k]); b ^= int(c[s]) }", false},
		{"doubled", "for k := range n & 15 { s += s + int(c[k]) }", false},
		{"of two", "for k := range n & 15 { s, b = b, s; s += int(c[k]) }", false},
		{"stores", "for k := range n & 15 { s += int(c[k]); l[k] = 1 }", false},
		{"left in the middle", "for k := range n & 15 { x := int(c[k]); if x == 7 { break }; s += x }", false},
		{"of floats", "for k := range n & 15 { s += int(f[k]) }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nfunc K(n, m int, c []int32, l []int, f []float32) {\n\ts, b := 0, 0\n\t" + c.loop + "\n\tl[s] = b\n}\n"
			ir := string(lowered(t, source, "sm_90", Options{}, once).IR)
			if got := strings.Contains(ir, "= or i32 "); got != c.want {
				t.Errorf("adds up in 32 bits: %v, want %v\n%s", got, c.want, ir)
			}
			if strings.Contains(string(lowered(t, source, "sm_90", Options{NoBounds: true}).IR), "= or i32 ") {
				t.Error("without checks, which is for LLVM to do")
			}
		})
	}
}
