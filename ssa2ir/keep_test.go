package ssa2ir

import (
	"bytes"
	"testing"
)

// TestKeptSums says that the panic of a check is told what a loop of few iterations has added up, on NVIDIA's GPUs.
func TestKeptSums(t *testing.T) {
	for _, c := range []struct {
		name, cpu, loop string
		kept            bool
	}{
		{"few", "sm_90", "range 4", true},
		{"AMD", "gfx942", "range 4", false},
		{"any number", "sm_90", "range n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nfunc K(n int, in, out []float32) {\n\tsum := float32(0)\n\tfor k := " + c.loop + " {\n\t\tsum += in[(n>>k)*n]\n\t}\n\tout[0] = sum\n}\n"
			res := lowered(t, source, c.cpu, Options{})
			if got := bytes.Contains(res.IR, []byte(`asm sideeffect "", "f"`)); got != c.kept {
				t.Errorf("kept: %v, and not %v\n%s", got, c.kept, res.IR)
			}
		})
	}
}
