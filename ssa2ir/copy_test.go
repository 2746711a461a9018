package ssa2ir

import (
	"strings"
	"testing"
)

// TestCopyLocal says which copies are made element by element.
func TestCopyLocal(t *testing.T) {
	for _, c := range []struct {
		name, body string
		moves      int
	}{
		{"from a local array", "var a [8]int32; a[n&7] = 1; copy(out, a[:])", 0},
		{"to a local array", "var a [8]int32; copy(a[:], out); out[0] = a[n&7]", 0},
		{"from a part", "var a [40]int32; a[n%40] = 1; copy(out, a[3:9])", 0},
		{"from one to another", "var a, b [8]int32; a[n&7] = 1; copy(b[:], a[:]); out[0] = b[n&7]", 0},
		{"within one", "var a [8]int32; a[n&7] = 1; copy(a[1:], a[:]); out[0] = a[n&7]", 0},
		{"bytes", "var a [16]uint8; copy(a[:], text); out[0] = int32(a[n&15])", 0},
		{"a long one", "var a [17]int32; a[n%17] = 1; copy(out, a[:])", 1},
		{"a part of no known length", "var a [8]int32; copy(a[n:], out); out[0] = a[n&7]", 1},
		{"structures", "var a [8]struct{ x, y int32 }; a[n&7].x = 1; copy(pairs, a[:])", 1},
		{"no local array", "copy(out, out[n:])", 1},
	} {
		source := "package p\n\nfunc K(n int, out []int32, text []uint8, pairs []struct{ x, y int32 }) {\n\t" + c.body + "\n}\n"
		for arch, more := range map[string]bool{"sm_90": false, "gfx942": false, "x86-64-v3": true} {
			want := c.moves
			if more {
				want = 1 // a call is no loss there
			}
			if got := strings.Count(string(lowered(t, source, arch, Options{}).IR), "call void @llvm.memmove"); got != want {
				t.Errorf("%s, %s: %d moved, want %d", c.name, arch, got, want)
			}
		}
	}
}
