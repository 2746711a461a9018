package ssa2ir

import (
	"strings"
	"testing"
)

// TestPassed says which large parameters stay where they are passed.
func TestPassed(t *testing.T) {
	for _, c := range []struct {
		name, body string
		copies     int // on GPUs
		bank       int // and more on NVIDIA's
	}{
		{"an element", "out[0] = table.of[n%40]", 0, 0},
		{"several", "for i := range n { out[i] = table.of[i%40] + table.of[n%40] + table.size }", 0, 0},
		{"one of each thread", "out[0] = table.of[dsl.ThreadIdx().X%40]", 0, 1},
		{"of a helper", "out[0] = at(table, n)", 0, 0},
		{"what is written to", "table.of[n%40] = 1; out[0] = table.of[3]", 1, 0},
		{"what is written as a whole", "if n > 8 { table = other }; out[0] = table.of[n%40]", 2, 0},
		{"whose address is known", "p := &table; if n > 8 { p = &other }; out[0] = p.of[n%40]", 2, 0},
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nvar _ = dsl.ThreadIdx\n\ntype big struct {\n\tof   [40]int32\n\tsize int32\n}\n\nfunc at(b big, n int) int32 { return b.of[n%40] }\n\n" +
			"func K(n int, out []int32, table, other big) {\n\t" + c.body + "\n}\n"
		for arch, alike := range map[string]bool{"sm_90": true, "gfx942": true, "x86-64-v3": false} {
			got := strings.Count(string(lowered(t, source, arch, Options{}).IR), "call void @llvm.memcpy")
			want := c.copies
			if arch == "sm_90" {
				want += c.bank
			}
			if alike && got != want || !alike && got == 0 {
				t.Errorf("%s, %s: %d copies, want %d", c.name, arch, got, want)
			}
		}
	}
}
