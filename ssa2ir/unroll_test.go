package ssa2ir

import (
	"strings"
	"testing"

	"heddle/internal/target"
)

// Loops of medium length, and those whose end nothing tells before, are unrolled four times for
// NVIDIA's GPUs, and again by ptxas if they read elements and store nothing; others are as LLVM takes them.
func TestUnrollsMedium(t *testing.T) {
	const calculation = "s += float32(k)*x + y; x, y = y-x*s, x+y*s; s = s*x + y*x - s*y; x += s*y; y -= s*x; s += x*y + x/y; x *= s; y += s*s - x; s -= y*3;"
	const long = "s += a[k]*x + a[k+1]*y; x, y = y-x*s, x+y*s; s = s*x + y*x - s*y; x += s*y; y -= s*x; s += x*y + x/y;"
	for _, c := range []struct {
		name, loop string
		want       bool
		again      bool
	}{
		{"short", "for k := 0; k < n; k++ { s += a[k] }", false, false},
		{"medium", "for k := 0; k < n; k++ { " + long + " }", true, true},
		{"with a store", "for k := 0; k < n; k++ { " + long + " a[k] = s }", true, false},
		{"without elements", "for k := 0; k < n; k++ { " + calculation + " }", true, false},
		{"continued", "for k := 0; k < n; k++ { if a[k] < 0 { continue }; " + long + " }", true, true},
		{"left", "for k := 0; k < n; k++ { if a[k] < 0 { break }; " + long + " }", false, false},
		{"of a range", "for k := range n { " + long + " }", true, true},
		{"long", "for k := 0; k < n; k++ { " + strings.Repeat(long, 3) + " }", true, true},
		{"long, with a store", "for k := 0; k < n; k++ { " + strings.Repeat(long, 3) + "; a[k] = s }", false, false},
		{"longer", "for k := 0; k < n; k++ { " + strings.Repeat(long, 5) + " }", false, false},
		{"bits", "for u := uint(n); u != 0; u >>= 1 { if u&1 != 0 { s += a[n] }; n++; x += y }", true, true},
		{"few", "for u := uint(n); u != 0; u >>= 1 { n++ }", false, false},
		{"a library's function", "for k := 0; k < n; k++ { " + long + " s += float32(math.Pow(float64(x), 2)) }", false, false},
		{"a library's function that another one calls", "for k := 0; k < n; k++ { " + long + " s += power(x) }", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"math\"\n\nfunc power(x float32) float32 { return float32(math.Pow(float64(x), 2)) }\n\nfunc K(n int, x, y float32, a []float32) {\n\tvar s float32\n\t" + c.loop + "\n\ta[0] = s + x + y + float32(n)\n}\n"
			for _, arch := range []string{"sm_90", "gfx942"} {
				ir := string(lowered(t, source, arch, Options{NoBounds: true}).IR)
				if got, want := strings.Contains(ir, `"llvm.loop.unroll.count"`), c.want && arch == "sm_90"; got != want {
					t.Errorf("%s: unrolled: %v, want %v", arch, got, want)
				}
				if got, want := strings.Contains(ir, `"heddle.unrolled"`), c.again && arch == "sm_90"; got != want {
					t.Errorf("%s: to be unrolled again: %v, want %v", arch, got, want)
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
		{"as often as a constant loop counts", "for i := 1; i < 16; i++ { for j := 0; j < i; j++ { s += a[i*16+j] } }", false, false},
		{"from where a constant loop counts", "for i := 5; i >= 0; i-- { for j := i + 1; j < 6; j++ { s += a[i*16+j] } }", false, false},
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

// Loops over what a warp's lanes share are unrolled eight times for NVIDIA's GPUs, also without checks, where it is sure that
// their variable does not wrap around.
func TestUnrollsStrides(t *testing.T) {
	for _, c := range []struct {
		name, loop         string
		checked, unchecked bool
	}{
		{"by the warp's size", "for k := dsl.LaneID(); k < n; k += dsl.WarpSize() { s += a[k] }", true, true},
		{"by a constant", "for k := i; k < n; k += 4 { s += a[k] }", true, true},
		{"by one", "for k := i; k < n; k++ { s += a[k] }", false, false},
		{"from a constant", "for k := 0; k < n; k += 4 { s += a[k] }", false, false},
		{"that may wrap around", "for k := i; k < n; k += 4 { s += float32(k) }", false, false},
		{"of what is not loaded", "for k := i; k < n; k += 4 { if p := &a[k]; s > 9 { s += *p } }", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(i, n int, a []float32) {\n\tvar s float32\n\t" + c.loop + "\n\ta[0] = s + float32(dsl.LaneID())\n}\n"
			for unchecked, want := range map[bool]bool{false: c.checked, true: c.unchecked} {
				if got := strings.Contains(string(lowered(t, source, "sm_90", Options{NoBounds: unchecked}, func(t *target.Target) { t.Versions, t.Groups = false, false }).IR), `"llvm.loop.unroll.count", i32 8`); got != want {
					t.Errorf("unrolled: %v, want %v (unchecked: %v)", got, want, unchecked)
				}
			}
		})
	}
}

// A part of a slice of known length is known to be so long, and a loop over it is unrolled wholly.
func TestPartLengths(t *testing.T) {
	for part, want := range map[string]string{
		"a[i*24 : (i+1)*24]":                 "24",
		"a[24*i : i*24+24]":                  "24",
		"a[i-n : i-n+3]":                     "3",
		"a[(i+1)*(i+1) : i*i+2*i+8]":         "7",
		"a[uint(i)+2 : uint(i)+5]":           "3",
		"a[:7]":                              "7",
		"a[:n]":                              "n",
		"a[i*n : (i+1)*n]":                   "n",
		"a[n*i : i*n+n]":                     "n",
		"a[i : i]":                           "0",
		"a[i*n : (i+1)*n+1]":                 "",
		"a[int(int32(i)) : int(int32(i)+1)]": "",
		"a[i*n*n : i*n*n+n*n]":               "",
		"a[i : n]":                           "",
		"a[i<<1 : i<<1+4]":                   "4",
		"a[(i+1)*(1<<62)*4 : i*(1<<62)*4+5]": "5", // 1<<64 more is the same
		"a[i%7 : i%7+2]":                     "2",
		"a[min(i, n) : min(i, n)+2]":         "2",
	} {
		source := "package p\n\nfunc K(i, n int, a []float32) {\n\tpart := " + part + "\n\ta[0] = float32(len(part))\n}\n"
		ir := string(lowered(t, source, "sm_90", Options{NoBounds: true}).IR)
		got := ""
		for line := range strings.Lines(ir) {
			if _, x, ok := strings.Cut(line, " = sitofp i64 "); ok {
				got, _, _ = strings.Cut(x, " to ")
			}
		}
		if got == "%n.1" {
			got = "n"
		}
		if strings.HasPrefix(got, "%") {
			got = ""
		}
		if got != want {
			t.Errorf("%s: a length of %q, want %q", part, got, want)
		}
	}
}

// A loop over a part of known length is unrolled wholly, also where the part ends where an array does.
func TestPartLoops(t *testing.T) {
	for body, want := range map[string]bool{
		"for k, v := range a[i*24 : (i+1)*24] { a[k] = v }":                                       true,
		"for k, v := range a[i*24:] { a[k] = v }":                                                 false,
		"b := [16]float32{1, a[0], 3}; for _, v := range b[1:] { a[0] += v }":                     true,
		"b := [16]float32{1, a[0], 3}; for _, v := range b[2:][1:7][:4] { a[0] += v }":            true,
		"b := [16]float32{1, a[0], 3}; for _, v := range b[i:] { a[0] += v }":                     false,
		"b := [16]float32{1, a[0], 3}; c := b[:]; for _, v := range c[i : i+5][2:] { a[0] += v }": true,
		"b := [16]float32{1, a[0], 3}; c := b[:]; for _, v := range c[2:][:3] { a[0] += v }":      true,
		"for _, v := range a[2:5][1:] { a[0] += v }":                                              true,
		"for _, v := range a[2:5][4:] { a[0] += v }":                                              false, // it panics
	} {
		source := "package p\n\nfunc K(i int, a []float32) {\n\t" + body + "\n}\n"
		ir := string(lowered(t, source, "sm_90", Options{}).IR)
		if got := strings.Contains(ir, "llvm.loop.unroll.full"); got != want {
			t.Errorf("%s: unrolled: %v", body, got)
		}
		if strings.Contains(ir, "llvm.loop.unroll.count") && want {
			t.Errorf("%s: a loop is unrolled some times", body)
		}
	}
}

// The test of a loop whose variable needs 32 bits is one of 32 bits, for NVIDIA's GPUs also where its bound may need more or be less than 0: then that
// is clamped.
func TestClampedBounds(t *testing.T) {
	for body, want := range map[string]string{
		"for _, v := range a[ends[i]:ends[i+1]] { s += v }":                         "short",   // it is no longer than a
		"n := int(ends[i]) - int(ends[i+1]); for k := 0; k < n; k++ { s += a[k] }":  "clamped", // a difference of two int32
		"for k := 0; k < int(ends[i])-int(ends[i+1]); k++ { s += a[k] }":            "",        // it is loaded each time
		"for k := 0; k < int(ends[i])*4; k++ { s += a[k] }":                         "",        // the bound needs more
		"for k := 0; k < int(ends[i]); k++ { s += a[k] }":                           "",        // it needs 32 bits with its sign
		"for k := 0; k < int(ends[i])-int(ends[k]); k++ { s += a[k] }":              "",        // it is another one each time
		"for k := int(ends[1]); k < int(ends[i])-int(ends[0]); k++ { s += a[k&3] }": "",
		"if i < int(ends[i])-int(ends[i+1]) { s += a[i] }":                          "", // no loop
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(ends []int32, a, out []float32) {\n\ti := dsl.GlobalIdx().X\n\tif i >= len(out) {\n\t\treturn\n\t}\n\tvar s float32\n\t" + body + "\n\tout[i] = s\n}\n"
		for _, arch := range []string{"sm_90", "gfx942"} {
			ir := string(lowered(t, source, arch, Options{NoBounds: true, Conditional: true}).IR)
			got := ""
			switch {
			case strings.Contains(ir, "@llvm.smax.i64("):
				got = "clamped"
			case strings.Contains(ir, " = icmp ult i32 "):
				got = "short"
			}
			if want := map[bool]string{true: want}[arch == "sm_90" || want == "short"]; got != want {
				t.Errorf("%s: %s: %q, want %q", arch, body, got, want)
			}
		}
	}
}

// The check of an index counts for the length of a loop, unless it is known not to fail.
func TestUnrollsChecked(t *testing.T) {
	const long = "s += a[k]*x + a[k+1]*y; x, y = y-x*s, x+y*s; s = s*x + y*x - s*y; x += s*y; y -= s*x; s += x*y + x/y; a[k] = s; s += a[k+2]"
	for loop, want := range map[string]bool{
		"for k := 0; k < len(a)-2; k++ { " + long + " }":                          true,
		"for k := 0; k < len(a)-2; k++ { " + long + "; s += a[b[b[b[b[k&7]]]]] }": false,
	} {
		source := "package p\n\nfunc K(n int, x, y float32, a []float32, b []int32) {\n\tvar s float32\n\t" + loop + "\n\ta[0] = s + x + y + float32(n)\n}\n"
		if got := strings.Contains(string(lowered(t, source, "sm_90", Options{}).IR), `"llvm.loop.unroll.count"`); got != want {
			t.Errorf("%s: unrolled: %v, want %v", loop, got, want)
		}
	}
}
