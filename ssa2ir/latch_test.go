package ssa2ir

import (
	"strings"
	"testing"
)

// A loop with several ways back gets a block for them that LLVM does not take away, on GPUs.
func TestOneWayBack(t *testing.T) {
	const head = "package p\n\nfunc K(n int, a []float32) {\n\tk := 0\n\t"
	for _, c := range []struct {
		name, loop string
		want       bool
	}{
		{"continue", "for { k++; if a[k] < 0 { continue }; a[k] = 1; if k > n { break } }", true},
		{"an if at the end", "for k < n { k++; if a[k] > 0 { a[k] = 0 } }", true},
		{"one way", "for k < n { a[k] = 0; k++ }", false},
		{"continue with a step", "for ; k < n; k++ { if a[k] < 0 { continue }; a[k] = 1 }", false},
	} {
		for _, arch := range []string{"sm_90", "gfx942", "x86-64-v3"} {
			ir := string(lowered(t, head+c.loop+"\n}\n", arch, Options{NoBounds: true}).IR)
			if got, want := strings.Contains(ir, "call void @llvm.sideeffect()"), c.want && arch != "x86-64-v3"; got != want {
				t.Errorf("%s, %s: stays is %t, want %t", c.name, arch, got, want)
			}
		}
	}
}
