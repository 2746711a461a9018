package ssa2ir

import (
	"strings"
	"testing"
)

// Loops of medium length, and those whose end nothing tells before, are unrolled four times for
// NVIDIA's GPUs; others are as LLVM takes them.
func TestUnrollsMedium(t *testing.T) {
	const long = "s += a[k]*x + a[k+1]*y; x, y = y-x*s, x+y*s; s = s*x + y*x - s*y; x += s*y; y -= s*x; s += x*y + x/y;"
	for _, c := range []struct {
		name, loop string
		want       bool
	}{
		{"short", "for k := 0; k < n; k++ { s += a[k] }", false},
		{"medium", "for k := 0; k < n; k++ { " + long + " }", true},
		{"continued", "for k := 0; k < n; k++ { if a[k] < 0 { continue }; " + long + " }", true},
		{"left", "for k := 0; k < n; k++ { if a[k] < 0 { break }; " + long + " }", false},
		{"long", "for k := 0; k < n; k++ { " + strings.Repeat(long, 3) + " }", false},
		{"bits", "for u := uint(n); u != 0; u >>= 1 { if u&1 != 0 { s += a[n] }; n++; x += y }", true},
		{"few", "for u := uint(n); u != 0; u >>= 1 { n++ }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nfunc K(n int, x, y float32, a []float32) {\n\tvar s float32\n\t" + c.loop + "\n\ta[0] = s + x + y + float32(n)\n}\n"
			for _, arch := range []string{"sm_90", "gfx942"} {
				if got, want := strings.Contains(string(lowered(t, source, arch, Options{NoBounds: true}).IR), `"llvm.loop.unroll.count"`), c.want && arch == "sm_90"; got != want {
					t.Errorf("%s: unrolled: %v, want %v", arch, got, want)
				}
			}
		})
	}
}

// Loops of few iterations are unrolled by four for AMD's GPUs; what LLVM would do is not reached.
func TestUnrollsFew(t *testing.T) {
	for _, c := range []struct {
		name, loop string
		wide, slim bool // at warp size 64, 32
	}{
		{"over the warps", "for w := range dsl.BlockDim().X / dsl.WarpSize() { s += a[w] }", true, false},
		{"to seven", "for k := 0; k < n&7; k++ { s += a[k] }", true, true},
		{"to any number", "for k := 0; k < n; k++ { s += a[k] }", false, false},
		{"left", "for k := 0; k < n&7 && a[k] > s; k++ { s += a[k] }", false, false},
		{"the outer one", "for k := 0; k < n&7; k++ { for j := 0; j < n; j++ { s += a[j] } }", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, a []float32) {\n\tvar s float32\n\t" + c.loop + "\n\ta[0] = s + float32(dsl.LaneID())\n}\n"
			for arch, want := range map[string]bool{"gfx942": c.wide, "gfx1100": c.slim, "sm_90": false} {
				if got := strings.Contains(string(lowered(t, source, arch, Options{NoBounds: true}).IR), `"llvm.loop.vectorize.enable"`); got != want {
					t.Errorf("%s: unrolled: %v, want %v", arch, got, want)
				}
			}
		})
	}
}
