package ssa2ir

import (
	"strings"
	"testing"
)

// TestChoose says of which local arrays all elements are looked at: a load selects between them, and a store selects for each.
func TestChoose(t *testing.T) {
	for _, c := range []struct {
		name, body string
		selects    int
		amd        int // where variables with such arrays have 16 bytes at most
	}{
		{"load of two", "var a [2]int32; a[0], a[1] = out[0], out[1]; out[2] = a[n&1]", 1, 1},
		{"load of four", "var a [4]int32; a[0], a[3] = out[0], out[1]; out[2] = a[n&3]", 3, 3},
		{"store", "var a [4]int32; a[n&3] = 1; out[0] = a[0] + a[1]", 4, 4},
		{"a field", "var a [2]struct{ x, y int32 }; a[n&1].y = 1; out[0] = a[0].y + a[1].x", 2, 2},
		{"structs", "var a [2]struct{ x, y int32 }; a[1].x = 1; s := a[n&1]; out[0] = s.x + s.y", 2, 2},
		{"larger", "var a [4]int64; a[0], a[3] = int64(out[0]), int64(out[1]); out[2] = int32(a[n&3])", 3, 0},
		{"part of what is larger", "var v struct { a [4]int32; b int32 }; v.a[0], v.a[3] = out[0], out[1]; v.b = out[4]; out[2] = v.a[n&3] + v.b", 3, 0},
		{"five", "var a [5]int32; a[n%5] = 1; out[0] = a[0]", 0, 0},
		{"large elements", "var a [2][8]int32; a[n&1][3] = 1; out[0] = a[0][0]", 0, 0},
		{"a part", "var a [4]int32; a[n&3] = 1; p := a[:]; for i := range p { out[i] = p[i] }", 0, 0},
		{"unrolled", "var a [4]int32; for i := range a { a[i] = out[i] }; out[5] = a[0] + a[2]", 0, 0},
		{"unrolled, with a part that is not known", "var a [4]int32; a[0], a[3] = out[0], out[1]; for i := range 2 { out[i+5] = a[(i+n)&3] }", 3, 3},
		{"unrolled structures", "var a [4]struct{ x, y uint8 }; a[1].x = 1; for i := range 2 { out[i+5] = int32(a[(i+n)&3].x) }", 3, 3},
		{"no local array", "out[n&3] = out[n&1]", 0, 0},
	} {
		source := "package p\n\nfunc K(n int, out []int32) {\n\t" + c.body + "\n}\n"
		for arch, want := range map[string]int{"sm_90": c.selects, "gfx942": c.amd} {
			if got := strings.Count(string(lowered(t, source, arch, Options{NoBounds: true}).IR), " = select i1 "); got != want {
				t.Errorf("%s, %s: %d selects, want %d", c.name, arch, got, want)
			}
		}
	}
}

// TestSliceBounds shows the checks of a slice's bounds as one branch, behind which the first that fails is told in Go's order.
func TestSliceBounds(t *testing.T) {
	source := "package p\n\nfunc K(i, j, k int, in, out []int32) {\n\tout[0] = int32(cap(in[i:j:k]))\n}\n"
	for arch, want := range map[string]string{"sm_90": "or or br br br", "gfx942": "br br br"} {
		ir := string(lowered(t, source, arch, Options{}).IR)
		var got []string
		for line := range strings.Lines(ir) {
			switch {
			case strings.Contains(line, "= or i1"):
				got = append(got, "or")
			case strings.Contains(line, "br i1"):
				got = append(got, "br")
			}
		}
		if s := strings.Join(got, " "); !strings.HasPrefix(s, want+" ") || strings.Count(s, "or") != strings.Count(want, "or") {
			t.Errorf("%s: %q, want %q and others in\n%s", arch, s, want, ir)
		}
	}
}
