package ssa2ir

import (
	"testing"

	"heddle/internal/abi"
)

// TestSteps says whether an index is known that moves with loops, and for which lengths the host lets such a kernel run.
func TestSteps(t *testing.T) {
	launched := func(length int64) *abi.Launch { // 3 rows of 5 steps of 7
		return &abi.Launch{Args: argBlock(3, 5, 7, 0, 100, 100, 0, length, length), Grid: [3]int{1, 1, 1}, Block: [3]int{7, 1, 1}}
	}
	for _, c := range []struct {
		name, body string
		least      int64 // the length from which on it runs without checks; 0: it has checks
	}{
		{"a loop", "for range h { out[at] = 1; at += step }", 3 * 7},
		{"a loop in a loop", "for y := 0; y < h; y++ { for x := 0; x < w; x++ { out[at] = 1; at += step } }", 3 * 5 * 7},
		{"turned loops", "for range h { for range w { out[at] = 1; at += step } }", 3 * 5 * 7},
		{"from 1 on", "for y := 1; y <= h; y++ { for x := 1; x <= w; x++ { out[at] = 1; at += step } }", 3 * 5 * 7},
		{"behind the loop", "for y := 0; y < h; y++ { for x := 0; x < w; x++ { at += step } }; out[at] = 1", 3*5*7 + 7},
		{"between the loops", "for y := 0; y < h; y++ { out[at] = 1; for x := 0; x < w; x++ { at += step } }", 2*5*7 + 7},
		{"more than once", "for y := 0; y < h; y++ { at += step; out[at] = 1; at += 2 }", 3*7 + 2*2 + 7},
		{"now and then", "for y := 0; y < h; y++ { out[at] = 1; if in[y] > 0 { at += step } }", 0},
		{"or by something else", "for y := 0; y < h; y++ { out[at] = 1; if in[y] > 0 { at += step } else { at++ } }", 0},
		{"by data", "for y := 0; y < h; y++ { out[at] = 1; at += int(in[y]) }", 0},
		{"without a test each time", "for y := 0; ; y++ { out[at] = 1; at += step; if in[y] > 0 { continue }; if y >= h { break } }", 0},
		{"as long as data say", "for y := 0; y < int(in[0]); y++ { out[at] = 1; at += step }", 0},
		{"with a counter that stops", "for y := 0; y < h; { out[at] = 1; at += step; if in[at] > 0 { y++ } }", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(h, w, step int, in []int32, out []float32) {\n\tat := dsl.GlobalIdx().X\n\tif at >= step || h > 50 {\n\t\treturn\n\t}\n\t" + c.body + "\n}\n"
			for _, arch := range []string{"sm_90", "gfx942"} {
				res := lowered(t, source, arch, Options{Conditional: true})
				if c.least == 0 {
					if checks(res.IR) == 0 {
						t.Errorf("%s: no checks", arch)
					}
					continue
				}
				if checks(res.IR) != 0 || !res.Condition.Holds(launched(c.least)) || res.Condition.Holds(launched(c.least-1)) {
					t.Errorf("%s: %d checks; %v and %v of %d elements and one less", arch, checks(res.IR), res.Condition.Holds(launched(c.least)), res.Condition.Holds(launched(c.least-1)), c.least)
				}
			}
		})
	}
}

// TestManyFactors has the index of a batch of pictures that are made the columns of a matrix: a product of six numbers.
func TestManyFactors(t *testing.T) {
	source := `package p

import "heddle/dsl"

func K(n, c, kh, kw, h, w int, out []float32) {
	i := dsl.GlobalIdx().X
	if i >= n*c*h*w {
		return
	}
	x, y, b, of := i%w, i/w%h, i/w/h%n, i/w/h/n
	at := ((of*kh*kw*n+b)*h+y)*w + x
	for range kh {
		for range kw {
			out[at] = 1
			at += n * h * w
		}
	}
}
`
	for _, by := range []int64{0, 1} {
		const n, c, kh, kw, h, w = 2, 3, 3, 5, 7, 11
		length := n*c*kh*kw*h*w - by
		l := &abi.Launch{Args: argBlock(n, c, kh, kw, h, w, 0, length, length), Grid: [3]int{4, 1, 1}, Block: [3]int{128, 1, 1}}
		for _, arch := range []string{"sm_90", "gfx942"} {
			res := lowered(t, source, arch, Options{Conditional: true})
			if checks(res.IR) != 0 || res.Condition.Holds(l) != (by == 0) {
				t.Errorf("%s: %d checks; %d elements are enough: %v", arch, checks(res.IR), length, res.Condition.Holds(l))
			}
		}
	}
}
