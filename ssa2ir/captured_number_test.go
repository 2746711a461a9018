package ssa2ir

import "testing"

// TestCapturedNumbers has no checks of planes that take turns, of which closures have the numbers.
func TestCapturedNumbers(t *testing.T) {
	source := `package p

import "heddle/dsl"

func K(n int, out []float32) {
	planes := dsl.Shared[[3][64]float32]()
	before, here, behind := 0, 1, 2
	t := dsl.ThreadIdx().X
	at := func(i int) float32 { return planes[before][i] + planes[here][i] - planes[behind][i] }
	turn := func() { before, here, behind = here, behind, before }
	var s float32
	for k := range n {
		if t < 64 {
			planes[behind][t] = float32(k)
			s += at(t)
		}
		turn()
	}
	if t < len(out) {
		out[t] = s
	}
}
`
	for _, arch := range []string{"gfx942", "sm_90", "x86-64-v3"} {
		if got := checks(lowered(t, source, arch, Options{}).IR); got != 0 {
			t.Errorf("%s: %d checks are left", arch, got)
		}
	}
}
