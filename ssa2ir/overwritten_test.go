package ssa2ir

import (
	"strings"
	"testing"
)

// TestOverwritten says which large local variables are not zeroed, as all of them is written before it is read.
func TestOverwritten(t *testing.T) {
	for _, c := range []struct {
		name, body string
		zeroed     int // memsets that the source does not ask for
	}{
		{"cleared in a loop", "var a [64]uint8; for r := range n { clear(a[:]); a[r&63]++; out[r] = int32(a[n&63]) }", 0},
		{"read behind that loop", "var a [64]uint8; for r := range n { clear(a[:]); a[r&63]++ }; out[0] = int32(a[n&63])", 1},
		{"filled", "var a [64]uint8; for i := range a { a[i] = uint8(out[i]) }; out[0] = int32(a[n&63])", 0},
		{"filled by way of a slice", "var a [64]uint8; s := a[:]; for i := range 64 { s[i] = uint8(out[i]) }; out[0] = int32(a[n&63])", 0},
		{"counted", "var a [64]uint8; for i := 0; i < 64; i++ { a[i] = uint8(out[i]) }; out[0] = int32(a[n&63])", 0},
		{"from one", "var a [64]uint8; for i := 1; i < 64; i++ { a[i] = uint8(out[i]) }; out[0] = int32(a[n&63])", 1},
		{"not to the end", "var a [64]uint8; for i := 0; i < 63; i++ { a[i] = uint8(out[i]) }; out[0] = int32(a[n&63])", 1},
		{"each second", "var a [64]uint8; for i := 0; i < 64; i += 2 { a[i] = uint8(out[i]) }; out[0] = int32(a[n&63])", 1},
		{"of the one before", "var a [64]uint8; for i := range a { a[i] = a[(i+63)&63] + uint8(out[i]) }; out[0] = int32(a[n&63])", 1},
		{"not all", "var a [64]uint8; for i := range a { if out[i] > 0 { a[i] = 1 } }; out[0] = int32(a[n&63])", 1},
		{"one of two", "var a [64]uint8; for i := range a { if out[i] > 0 { a[i] = 1 } else { a[i] = 2 } }; out[0] = int32(a[n&63])", 1},
		{"continued", "var a [64]uint8; for i := range a { if out[i] > 0 { continue }; a[i] = 1 }; out[0] = int32(a[n&63])", 1},
		{"left", "var a [64]uint8; for i := range a { if out[i] > 0 { break }; a[i] = 1 }; out[0] = int32(a[n&63])", 1},
		{"left for good", "var a [64]uint8; for i := range a { if out[i] > 0 { return }; a[i] = 1 }; out[0] = int32(a[n&63])", 0},
		{"on one way", "var a [64]uint8; if n > 0 { clear(a[:]) }; out[0] = int32(a[n&63])", 1},
		{"on both", "var a [64]uint8; if n > 0 { clear(a[:]) } else { for i := range a { a[i] = 1 } }; out[0] = int32(a[n&63])", 0},
		{"a part", "var a [64]uint8; clear(a[1:]); out[0] = int32(a[n&63])", 1},
		{"given away", "var a [64]uint8; p := part(a[:], n); clear(a[:]); out[0] = int32(p[0]) + int32(a[n&63])", 1},
		{"rows", "var a [8][8]uint8; for i := range a { for j := range a[i] { a[i][j] = uint8(out[i^j]) } }; out[0] = int32(a[n&7][n&3])", 0},
		{"columns", "var a [8][8]uint8; for j := range 8 { for i := range 8 { a[i][j] = uint8(out[i^j]) } }; out[0] = int32(a[n&7][n&3])", 0},
		{"some rows", "var a [8][8]uint8; for i := range a { if out[i] > 0 { for j := range a[i] { a[i][j] = uint8(out[i^j]) } } }; out[0] = int32(a[n&7][n&3])", 1},
		{"rows that are left", "var a [8][8]uint8; for i := range a { for j := range a[i] { if out[j] > 0 { break }; a[i][j] = uint8(out[i^j]) } }; out[0] = int32(a[n&7][n&3])", 1},
		{"the diagonal", "var a [8][8]uint8; for i := range a { a[i][i] = uint8(out[i]) }; out[0] = int32(a[n&7][n&3])", 1},
		{"one row", "var a [8][8]uint8; for i := range a { a[i][n&7] = uint8(out[i]) }; out[0] = int32(a[n&7][n&3])", 1},
		{"fields", "var a [20]struct{ x, y int32 }; for i := range a { a[i].x, a[i].y = 1, out[i] }; out[0] = a[n%20].y", 0},
		{"one field", "var a [20]struct{ x, y int32 }; for i := range a { a[i].y = out[i] }; out[0] = a[n%20].y", 1},
		{"made in a loop", "for r := range n { var a [64]uint8; a[r&63]++; out[r] = int32(a[n&63]); clear(a[:]) }", 1},
		{"made in the loop that fills", "for r := range 64 { var a [64]uint8; a[r] = 1; if r > 5 { out[r] = int32(a[n&63]) } }", 1},
		{"copied", "var a, b [64]uint8; for i := range a { a[i] = 1 }; copy(b[:], a[:]); out[0] = int32(b[n&63])", 0},
		{"copied from less", "var a [64]uint8; var b [63]uint8; for i := range b { b[i] = 1 }; copy(a[:], b[:]); out[0] = int32(a[n&63])", 1},
		{"ints of 32 bits", "var a [64]int; for i := range a { a[i] = i & 7 }; out[0] = int32(a[n&63])", 0},
	} {
		source := "package p\n\nfunc part(a []uint8, n int) []uint8 { if n > 9 { return a[n:] }; return a[3:] }\n\nfunc K(n int, out []int32) {\n\t" + c.body + "\n}\n"
		for _, arch := range []string{"sm_90", "gfx942"} {
			ir := string(lowered(t, source, arch, Options{}).IR)
			if got := strings.Count(ir, "call void @llvm.memset") - strings.Count(c.body, "clear("); got != c.zeroed {
				t.Errorf("%s, %s: %d zeroed, want %d in\n%s", c.name, arch, got, c.zeroed, ir)
			}
		}
	}
}
