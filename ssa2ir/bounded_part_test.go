package ssa2ir

import "testing"

// TestPartAgain has an index of a part be asked for behind another one, by which the part's length is known to be more than a constant.
func TestPartAgain(t *testing.T) {
	for body, want := range map[string]int{
		"for l := range 4 { y[l] = 1; y[l+32] = 1 }":      0,
		"for l := range 4 { y[l+32] = 1; y[l] = 1 }":      0,
		"for l := range n { y[l] = 1; y[int(x[0])] = 1 }": 1, // of what is loaded
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, x []int32, yy []float32) {\n\ti, tid := dsl.BlockIdx().X, dsl.ThreadIdx().X\n\ty := yy[i*256+64*(tid/8)+4*(tid%8):]\n\t" + body + "\n}\n"
		if got := checks(lowered(t, source, "sm_90", Options{Conditional: true}).IR); got < want || want == 0 && got > 0 {
			t.Errorf("%s: %d checks, want %d", body, got, want)
		}
	}
}
