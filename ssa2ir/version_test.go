package ssa2ir

import (
	"regexp"
	"strings"
	"testing"
)

// Which loops have two versions, on a GPU that has them; what they compute is for the
// conformance suite and random kernels. A loop of which a copy would be wrong has none.
func TestVersions(t *testing.T) {
	for _, c := range []struct {
		name, loop string
		want       bool
	}{
		{"straight", "for k := 0; k < n; k++ { s += a[k+2] }", true},
		{"down", "for k := n; k > 0; k -= 3 { s += a[k] }", true},
		{"rows", "for k := 0; k < n; k++ { b[k] = a[k*n+1] }", true},
		{"ranged", "for k := range n { b[k] = a[k] }", true},
		{"table", "for k := 0; k < n; k++ { s += a[c[k]] }", true},
		{"table behind a condition", "for k := 0; k < n; k++ { if i := c[k]; i >= 0 { s += a[i] } }", true},
		{"of no known length", "k := 0; for u := uint(n); u != 0; u >>= 1 { if u&1 != 0 { s += a[k] }; k++ }", true},
		{"left with nothing done", "for k := 0; k < n; k++ { if a[k] < 0 { break } }", true},
		{"unknown step", "for k := 0; k < n; k += n { s += a[k] }", true},
		{"no checks", "for k := range a { s += a[k] }", false},
		{"left in the middle", "for k := 0; k < n; k++ { b[k] = s; if a[k] < 0 { break } }", false},
		{"table that is written", "for k := 0; k < n; k++ { b[c[0]] = s; b[c[c[0]]] = s; c[k]++ }", false},
		{"barrier", "for k := 0; k < n; k++ { dsl.SyncThreads(); s += a[k] }", false},
		{"atomic", "for k := 0; k < n; k++ { dsl.AtomicAdd(&b[k], s) }", false},
		{"local array", "var l [9]float32; for k := 0; k < n; k++ { l[k] += a[k] }; s = l[n]", false},
		{"chased", "for k := int32(n); k > 0; k = c[k] { s++ }", false},
		{"overflows", "for k := uint64(n); k != 3; k *= 5 { s += a[k] }", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nvar _ = dsl.SyncThreads\n\nfunc K(n int, a, b []float32, c []int32) {\n\tvar s float32\n\t" + c.loop + "\n\tb[0] = s\n}\n"
			if got := strings.Contains(string(lowered(t, source, "sm_90", Options{}).IR), `"branch_weights"`); got != c.want { // only a version's guard has them
				t.Errorf("two versions: %v, want %v", got, c.want)
			}
		})
	}
}

// A nest of constant loops has its checks made by the least and the greatest index, and code
// to find the first that fails that does not grow with the number of iterations.
func TestHoistedEnds(t *testing.T) {
	source := `package p

func K(nx, ny int, in, out []float32) {
	var s float32
	for z := -1; z <= 1; z++ {
		for y := -1; y <= 1; y++ {
			for x := -1; x <= 1; x++ {
				s += in[(z*ny+y)*nx+x]
			}
		}
	}
	out[0] = s
}
`
	// Two ends, two slopes, the one check of the cold path, and that of out[0].
	if n := len(regexp.MustCompile(`icmp (uge|slt i64 %\S+, 0)`).FindAllString(string(lowered(t, source, "sm_90", Options{}).IR), -1)); n != 6 {
		t.Errorf("%d comparisons, want 6", n)
	}
}

// What a check ahead loads is not loaded again by the loop that relies on it: another thread
// may have changed it, against Go's rules, and an index is to be in range all the same.
func TestLoadedAhead(t *testing.T) {
	for _, loop := range []string{
		"for k := 0; k < int(c[0]); k++ { s += a[k] }",
		"for k := 0; k < n; k++ { s += a[k+int(c[0])] }",
		"for k := 0; k < int(c[0]); k++ { s += a[b[k]] }",
	} {
		source := "package p\n\nfunc K(n int, a []float32, b []int32, c []int64) {\n\tvar s float32\n\t" + loop + "\n\ta[0] = s\n}\n"
		ir := string(lowered(t, source, "sm_90", Options{}).IR)
		// once ahead, and once in the loop as it was
		if n := strings.Count(ir, "= load i64"); n != 2 {
			t.Errorf("%s: %d loads of c, want 2\n%s", loop, n, ir)
		}
	}
}
