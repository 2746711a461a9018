package ssa2ir

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"heddle/internal/abi"
	"heddle/internal/target"
)

// TestBounded says which kernels have a section in two versions, and how many checks are left in the first.
func TestBounded(t *testing.T) {
	const outside = "x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y; if x >= w || y >= h { return }; "
	for _, c := range []struct {
		name, body string
		twice      bool
		nvidia     bool // likewise, there
		left       int  // comparisons of an index and a length
	}{
		{"rows", outside + "out[y*w+x] = in[y*w+x] + in[max(y-1, 0)*w+x] + in[min(y+1, h-1)*w+x] + in[y*w+max(x-1, 0)] + in[y*w+min(x+1, w-1)]", true, true, 0},
		{"one index is not known", outside + "out[y*w+x] = in[y*w+x] + in[max(y-1, 0)*w+x] + in[min(y+1, h-1)*w+x] + in[y*w+max(x-1, 0)] + in[y*w+min(x+1, w-1)] + in[max(y-2, 0)*w+x] + in[table[x]]", true, true, 1},
		{"few checks", outside + "out[y*w+x] = 1", false, false, 0},
		{"no bound", "x := table[0]; out[x] = in[x] + in[x+1] + in[x+2] + in[x+3]", false, false, 0},
		{"by the launch", "x := dsl.GlobalIdx().X; out[x] = in[x] + in[x+1] + in[x+2] + in[x+3] + in[x+4] + in[x+5] + in[x+6] + in[x+7] + in[x+8]", true, false, 0},
		{"a loop", outside + "s := float32(0); for k := 0; k < h; k++ { s += in[k*w+x] * in[y*w] * in[k*w] }; out[y*w+x] = s", true, true, 0},
		{"a loop whose test is at its end", outside + "s := float32(0); for k := range h { s += in[k*w+x] * in[y*w] * in[k*w] }; out[y*w+x] = s", true, true, 0},
		{"clamped", outside + "i := min(max(table[x], 0), w-1); for k := range h { in[k*w+i] += in[k*w]; out[k*w+i] += in[k*w+x] }", true, true, 0},
		{"an array in memory", outside + "var own [40]float32; for i := range own { own[i] = in[y*w+x] }; out[y*w+x] = own[w&31] + in[y*w] + in[x]", false, false, 0},
		{"sorted", outside + "var own [8]float32; for k := range own { own[k] = in[(y+k*h)*w+x] }; for own[w%8] > 0 { own[w%8] -= own[0]; w++ }; out[y*w+x] = own[1]", false, false, 0},
		{"a section in a loop", "for x := table[0]; x < table[1]; x++ { if x < w { out[x] = in[x] + in[x+1] + in[w-1-x] } }", true, true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nvar _ = dsl.SyncThreads\n\nfunc K(w, h int, in, out []float32, table []int) {\n\t" + c.body + "\n}\n"
			for arch, want := range map[string]bool{"gfx942": c.twice, "gfx1100": c.twice, "sm_90": c.nvidia} {
				ir := string(lowered(t, source, arch, Options{}).IR)
				twice := strings.Contains(ir, abi.Decision)
				if twice != want {
					t.Errorf("%s: two versions: %v, want %v", arch, twice, want)
				}
				if !twice {
					continue
				}
				checks := func(ir string) int { return strings.Count(ir, "icmp uge i64") }
				if left := checks(ir) - checks(string(lowered(t, source, arch, Options{}, once).IR)); left != c.left && arch != "sm_90" { // several are one branch there
					t.Errorf("%s: %d checks in the first version, want %d", arch, left, c.left)
				}
			}
		})
	}
}

// TestShortened shows that what the first version takes for less than 1<<31 is an i32 there, of which LLVM makes no i64: its loops count
// and compare in 32 bits, and neighbours are one address and constants.
func TestShortened(t *testing.T) {
	source := `package p

import "heddle/dsl"

func K(w, h int, in, out []float32) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x < 1 || x >= w-1 || y >= h {
		return
	}
	s := in[y*w+x-1] + in[y*w+x+1] + in[max(y-1, 0)*w+x] + in[min(y+1, h-1)*w+x]
	for k := x; k < w; k += 32 {
		s += in[y*w+k]
	}
	out[y*w+x] = s
}
`
	ir := string(lowered(t, source, "sm_90", Options{}).IR)
	if low := regexp.MustCompile(`asm "cvt\.u32\.u64 \$0, \$1;", "=r,l"\(i64 %w\.0\)[^\n]*, !range `); !low.MatchString(ir) {
		t.Errorf("w has 64 bits in\n%s", ir)
	}
	for _, want := range []string{", i64 -4", ", i64 4", `"llvm.loop.unroll.count", i32 8`, `asm sideeffect "", ""()`} {
		if !strings.Contains(ir, want) {
			t.Errorf("no %q in\n%s", want, ir)
		}
	}
	ir = string(lowered(t, source, "gfx942", Options{}, func(t *target.Target) { t.Bounded = target.Everywhere }).IR)
	_, section, ok := strings.Cut(ir, abi.Decision)
	low := regexp.MustCompile(`(%\d+) = trunc i64 %w\.0 to i32`).FindAllStringSubmatch(section, -1)
	if !ok || !slices.ContainsFunc(low, func(m []string) bool { return strings.Contains(section, "zext i32 "+m[1]+" to i64") }) {
		t.Errorf("w has 64 bits in\n%s", ir)
	}
}

// TestShortElements says what the decision asks for so that offsets have 32 bits: that the greatest index, times the size, is
// below 1<<32.
func TestShortElements(t *testing.T) {
	for elem, shift := range map[string]string{"uint8": "", "uint16": "", "float32": "30", "float64": "29", "[3]float32": "28"} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(w, h int, in []" + elem + ", out []bool) {\n\tx, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y\n\tif x >= w || y >= h {\n\t\treturn\n\t}\n" +
			"\tout[y*w+x] = in[y*w+x] == in[max(y-1, 0)*w+x] && in[min(y+1, h-1)*w+x] == in[y*w+max(x-1, 0)]\n}\n"
		ir := string(lowered(t, source, "gfx942", Options{}, func(t *target.Target) { t.Bounded = target.Everywhere }).IR)
		decision, _, ok := strings.Cut(ir, abi.Decision)
		if !ok {
			t.Fatalf("%s: one version", elem)
		}
		// a shift by 31 is for the signs
		got := ""
		for line := range strings.Lines(decision) {
			if _, by, ok := strings.Cut(line, ", "); ok && strings.Contains(line, " = lshr i32 ") && !strings.HasPrefix(by, "31") {
				got += by[:2]
			}
		}
		if got != shift {
			t.Errorf("%s: shifts by %q, want %q, in\n%s", elem, got, shift, decision)
		}
	}
}

// TestRowLengths shows that the length of a row is known, and that a search in it stays in range: no check is left but those of the row's bounds.
func TestRowLengths(t *testing.T) {
	for body, want := range map[string]int{
		"row := in[k*n : (k+1)*n]; for i := range n { s += row[i] }":     0,
		"row := in[k*16 : k*16+16]; s = row[15]":                         0,
		"row := in[k*16 : k*16+16]; s = row[16]":                         1,
		"row := in[k : k+n]; for i := 0; i < n; i++ { s += row[n-1-i] }": 0,
		"row := in[k : k+n]; for i := 0; i <= n; i++ { s += row[i] }":    1,
		"row := in[k*n : (k+1)*n]; lo, hi := 0, n-1; for hi-lo > 1 { if mid := (lo + hi) / 2; row[mid] > 1 { hi = mid } else { lo = mid } }; s = float32(lo)": 0,
		"lo, hi := 0, len(in); for lo < hi { if mid := (lo + hi) / 2; in[mid] > 1 { hi = mid } else { lo = mid + 1 } }; s = float32(lo)":                      0,
		"lo, hi := 0, len(in); for lo < hi { if mid := int(uint(lo+hi) >> 1); in[mid] > 1 { hi = mid } else { lo = mid + 1 } }; s = float32(lo)":              0,
		"lo, hi := 0, len(in)-1; for lo <= hi { if mid := (lo + hi) / 2; in[mid] > 1 { hi = mid - 1 } else { lo = mid + 1 } }; s = float32(lo)":               0,
		"lo, hi := 0, len(in); for lo <= hi { if mid := (lo + hi) / 2; in[mid] > 1 { hi = mid - 1 } else { lo = mid + 1 } }; s = float32(lo)":                 1,
		"lo, hi := -1, len(in); for hi-lo > 1 { if mid := (lo + hi) / 2; in[mid] > 1 { hi = mid } else { lo = mid } }; s = float32(lo)":                       0,
	} {
		source := "package p\n\nfunc K(k, n int, in []float32, out *[1]float32) {\n\ts := float32(0)\n\t" + body + "\n\tout[0] = s\n}\n"
		ir := string(lowered(t, source, "gfx942", Options{}, once, func(t *target.Target) { t.Versions = false }).IR)
		if n := strings.Count(ir, "icmp uge i64"); n != want {
			t.Errorf("%s: %d checks, want %d", body, n, want)
		}
	}
}

// Without checks a section is in two versions on AMD's GPUs for what costs many instructions of 64 bits, and not for products. On a
// processor with registers of 64 bits there is nothing to gain.
func TestBoundedUnchecked(t *testing.T) {
	for name, c := range map[string]struct {
		index string
		twice bool
	}{
		"divisions":              {"y*w+(x+w/2)%w", true},
		"divisions by constants": {"y*w+(x+w)%100+(y+h)%99+(x+h)%98+(y+w)%97+(x+y)%96", false},
		"minima and maxima":      {"min(max(y+h/4-9, 0), h-1)*w+min(max(x+w/4-9, 0), w-1)", true},
		"products":               {"y*w*h+x*h", false},
	} {
		t.Run(name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(w, h int, in, out []float32) {\n\tx, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y\n\tif x >= w || y >= h {\n\t\treturn\n\t}\n" +
				"\tfor k := range 3 {\n\t\tout[y*w+x] += in[" + c.index + "] + float32(k)\n\t}\n}\n"
			for _, arch := range []string{"gfx942", "gfx1100"} {
				if got := strings.Contains(string(lowered(t, source, arch, Options{NoBounds: true}).IR), abi.Decision); got != c.twice {
					t.Errorf("%s: two versions: %v, want %v", arch, got, c.twice)
				}
			}
			everywhere := func(t *target.Target) { t.Bounded = target.Everywhere }
			if strings.Contains(string(lowered(t, source, "x86-64-v3", Options{NoBounds: true}, everywhere).IR), abi.Decision) {
				t.Error("cpu: two versions")
			}
		})
	}
}
