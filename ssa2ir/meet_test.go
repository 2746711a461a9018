package ssa2ir

import (
	"strings"
	"testing"
)

// Two ways that store what they load, and lead to where others do, meet in a block of their own on NVIDIA's GPUs, which both branch to.
func TestWaysMeet(t *testing.T) {
	const stays = `call void asm sideeffect "", ""()`
	for _, c := range []struct {
		name, arch, body string
		want             int
	}{
		{"of a border", "sm_90", "if i == 0 { if n > 9 { out[0] = in[n] } else { out[0] = in[i+1] } }", 1},
		{"two borders", "sm_90", "if i == 0 { if n > 9 { out[0] = in[n] } else { out[0] = in[i+1] } } else if i == 5 { if n > 8 { out[1] = in[n] } else { out[1] = in[i+2] } }", 2},
		{"nobody else", "sm_90", "if n > 9 { out[0] = in[n] } else { out[0] = in[i+1] }", 0},
		{"a number", "sm_90", "if i == 0 { if n > 9 { out[0] = 3 } else { out[0] = in[i+1] } }", 0},
		{"one way", "sm_90", "if i == 0 { if n > 9 { out[0] = in[n] } }", 0},
		{"a phi", "sm_90", "v := float32(2); if i == 0 { if n > 9 { out[0] = in[n]; v = 3 } else { out[0] = in[i+1] } }; out[2] = v", 0},
		{"on AMD's", "gfx942", "if i == 0 { if n > 9 { out[0] = in[n] } else { out[0] = in[i+1] } }", 0},
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(in, out []float32, n int) {\n\ti := dsl.GlobalIdx().X\n\t" + c.body + "\n\tout[3] = 1\n}\n"
		ir := string(lowered(t, source, c.arch, Options{NoBounds: true}).IR)
		at := strings.Index(ir, stays)
		if got := strings.Count(ir, stays); got != c.want {
			t.Errorf("%s: %d, want %d:\n%s", c.name, got, c.want, ir)
		} else if at > 0 {
			before := strings.TrimSpace(ir[:at])
			label := "label %" + strings.TrimSuffix(before[strings.LastIndex(before, "\n")+1:], ":")
			if got := strings.Count(ir, "br "+label+",") + strings.Count(ir, "br "+label+"\n"); got != 2 {
				t.Errorf("%s: %d branches to %s, want 2:\n%s", c.name, got, label, ir)
			}
		}
	}
}
