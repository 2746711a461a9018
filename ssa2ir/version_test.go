package ssa2ir

import (
	"regexp"
	"strings"
	"testing"

	"heddle/internal/target"
)

// Which loops have two versions, on a GPU that has them; what they compute is for the
// conformance suite and random kernels. A loop of which a copy would be wrong has none.
func TestVersions(t *testing.T) {
	for _, c := range []struct {
		name, loop string
		want       bool
	}{
		{"straight", "for k := 0; k < n; k++ { s += a[k+2] }", true},
		{"down", "for k := n; k > 0; k -= 3 { s += a[k] }", true},
		{"rows", "for k := 0; k < n; k++ { b[k] = a[k*n+1] }", true},
		{"ranged", "for k := range n { b[k] = a[k] }", true},
		{"table", "for k := 0; k < n; k++ { s += a[c[k]] }", true},
		{"table behind a condition", "for k := 0; k < n; k++ { if i := c[k]; i >= 0 { s += a[i] } }", true},
		{"of no known length", "k := 0; for u := uint(n); u != 0; u = u * 3 >> 1 & 255 { if u&1 != 0 { s += a[k] }; k++ }", true},
		{"left with nothing done", "for k := 0; k < n; k++ { if a[k] < 0 { break } }", true},
		{"unknown step", "for k := 0; k < n; k += n { s += a[k] }", true},
		{"no checks", "for k := range a { s += a[k] }", false},
		{"left in the middle", "for k := 0; k < n; k++ { b[k] = s; if a[k] < 0 { break } }", false},
		{"table that is written", "for k := 0; k < n; k++ { b[c[0]] = s; b[c[c[0]]] = s; c[k]++ }", false},
		{"barrier", "for k := dsl.ThreadIdx().X; k < n; k++ { dsl.SyncThreads(); s += a[k] }", false},
		{"atomic", "for k := 0; k < n; k++ { dsl.AtomicAdd(&b[k], s) }", false},
		{"local array", "var l [9]float32; for k := 0; k < n; k++ { l[k] += a[k] }; s = l[n]", false},
		{"chased", "for k := int32(n); k > 0; k = c[k] { s++ }", false},
		{"overflows", "for k := uint64(n); k != 3; k *= 5 { s += a[k] }", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nvar _ = dsl.SyncThreads\n\nfunc K(n int, a, b []float32, c []int32) {\n\tvar s float32\n\t" + c.loop + "\n\tb[0] = s\n}\n"
			if got := strings.Contains(string(lowered(t, source, "sm_90", Options{}).IR), `"branch_weights"`); got != c.want { // only a version's guard has them
				t.Errorf("two versions: %v, want %v", got, c.want)
			}
		})
	}
}

// Where lanes vote, loops have two versions if that pays, and a wave takes one of them.
func TestVotes(t *testing.T) {
	for _, c := range []struct {
		name, loop string
		want       int // branches to the loop as it was
	}{
		{"straight", "for k := 0; k < n; k++ { s += a[k+2] }", 1},
		{"two of three", "for k := dsl.ThreadIdx().X; k < n; k++ { s += a[k+2]*b[k]*a[c[k]] }", 1},
		{"one of two", "for k := dsl.ThreadIdx().X; k < n; k++ { s += a[c[k]] }", 0},
		{"groups of lanes in step", "for k := 0; k < n; k++ { s += a[c[k]] }", 7},
		{"groups, behind a branch", "for k := 0; k < n; k++ { if a[c[k]] > s { s++ } }", 7},
		{"a bound of each lane", "for k := 0; k < int(s)+dsl.ThreadIdx().X; k++ { s += a[c[k]] }", 0},
		{"the same each time", "for k := 0; k < n; k++ { s += a[n] }", 0},
		{"the same each time, behind another check", "for k := dsl.ThreadIdx().X; k < n; k++ { s += b[c[k]]*a[n] }", 1},
		{"the same each time, ahead of another check", "for k := dsl.ThreadIdx().X; k < n; k++ { s += a[n]*b[c[k]] }", 0},
		{"few trips", "for k := range dsl.BlockDim().X / dsl.WarpSize() { s += a[k] }", 0},
		{"of all threads", "for k := dsl.ThreadIdx().X; k < n; k += dsl.BlockDim().X { s += a[k] }", 0},
		{"of all threads, two checks", "for k := dsl.GlobalIdx().X; k < n; k += dsl.GlobalSize().X { s += a[k]*b[k] }", 1},
		{"of a warp's threads", "for k := dsl.ThreadIdx().X; k < n; k += 64 { s += a[k]*b[k] }", 0},
		{"constant", "for k := range 4 { b[k*n] = a[k*n+1] }", 1},
		{"constant, one check", "for k := range 4 { b[k+n] = a[0] }", 0},
		{"constant, one check of a row", "for k := range 4 { b[k*n] = a[0] }", 1},
		{"local array", "var l [4]float32; l[n&3] = 1; for k, x := range l { b[k*n] = a[k*n+1]*x }", 0},
		{"of no known length", "k := 0; for u := uint(n); u != 0; u = u * 3 >> 1 & 255 { s += a[k]; k++ }", 0},
		{"bits", "k := 0; for u := uint(n); u != 0; u >>= 1 { s += a[k]; k++ }", 1},
		{"bound from memory", "for k := 0; k < int(c[0]); k++ { s += a[k] }", 2}, // and of the check of c[0]
		{"offset from memory", "for k := 0; k < n; k++ { s += a[k+int(c[0])] }", 2},
		{"offset from memory behind a condition", "for k := 0; k < n; k++ { s += a[k]; if b[k] > 1 { s += b[k+int(c[0])] } }", 1}, // which does not load it
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nvar _ = dsl.SyncThreads\n\nfunc K(n int, a, b []float32, c []int32) {\n\tvar s float32\n\t" + c.loop + "\n\tb[0] = s\n}\n"
			for arch, ballot := range map[string]string{"gfx942": "call i64 @llvm.amdgcn.ballot.i64(", "gfx1100": "call i32 @llvm.amdgcn.ballot.i32("} {
				ir := string(lowered(t, source, arch, Options{}, once).IR)
				if n := strings.Count(ir, `"branch_weights"`) * strings.Count(ir, ", !prof !"); n != c.want {
					t.Errorf("%s: %d branches, want %d", arch, n, c.want)
				}
				if n := strings.Count(ir, ballot); n != c.want {
					t.Errorf("%s: %d votes, want %d\n%s", arch, n, c.want, ir)
				}
			}
		})
	}
}

// What is loaded for a loop's first test and for those behind its iterations stays two loads.
func TestReadAhead(t *testing.T) {
	source := `package p

func K(a []int32, v int32) {
	for p := a[v]; p != v; p = a[v] {
		v = p
	}
	a[0] = v
}
`
	for arch, want := range map[string]int{"gfx942": 2, "gfx1100": 2, "sm_90": 0} {
		if n := strings.Count(string(lowered(t, source, arch, Options{}).IR), "= freeze i32"); n != want {
			t.Errorf("%s: %d loads are frozen, want %d", arch, n, want)
		}
	}
}

// A nest of constant loops has its checks made by the least and the greatest index, and code
// to find the first that fails that does not grow with the number of iterations.
func TestHoistedEnds(t *testing.T) {
	source := `package p

func K(nx, ny int, in, out []float32) {
	var s float32
	for z := -1; z <= 1; z++ {
		for y := -1; y <= 1; y++ {
			for x := -1; x <= 1; x++ {
				s += in[(z*ny+y)*nx+x]
			}
		}
	}
	out[0] = s
}
`
	// Two ends, two slopes, the one check of the cold path, and that of out[0].
	if n := len(regexp.MustCompile(`icmp (uge|slt i64 %\S+, 0)`).FindAllString(string(lowered(t, source, "sm_90", Options{}).IR), -1)); n != 6 {
		t.Errorf("%d comparisons, want 6", n)
	}
}

// What a check ahead loads is not loaded again by the loop that relies on it: another thread
// may have changed it, against Go's rules, and an index is to be in range all the same.
func TestLoadedAhead(t *testing.T) {
	for _, loop := range []string{
		"for k := 0; k < int(c[0]); k++ { s += a[k] }",
		"for k := 0; k < n; k++ { s += a[k+int(c[0])] }",
		"for k := 0; k < int(c[0]); k++ { s += a[b[k]] }",
	} {
		source := "package p\n\nfunc K(n int, a []float32, b []int32, c []int64) {\n\tvar s float32\n\t" + loop + "\n\ta[0] = s\n}\n"
		for _, arch := range []string{"sm_90", "gfx942"} {
			if arch == "gfx942" && strings.Contains(loop, "b[k]") {
				continue // has no versions there
			}
			ir := string(lowered(t, source, arch, Options{}, once).IR)
			// once ahead, and once in the loop as it was
			if n := strings.Count(ir, "= load i64"); n != 2 {
				t.Errorf("%s, %s: %d loads of c, want 2\n%s", arch, loop, n, ir)
			}
		}
	}
}

// Of a group's indices that differ by constants one is compared, and floats that become indices
// in each iteration do so in 32 bits.
func TestGroupChecks(t *testing.T) {
	for _, c := range []struct {
		name, loop, pattern string
		times               int // at least; 0: never
	}{
		{"neighbours", "for k := 0; k < n; k++ { i := int(c[k]); s += a[i] * a[i+1] * a[i-2] }", `@llvm\.usub\.sat\.i64\(i64 %\S+, i64 3\)`, grouped},
		{"of no known length", "k := 0; for u := uint(n); u != 0; u = u * 3 >> 1 & 255 { if u&1 != 0 { s += a[k] }; k += 2 }", `@llvm\.usub\.sat\.i64\(i64 %\S+, i64 6\)`, 1},
		{"backwards", "k := n; for u := uint(n); u != 0; u = u * 3 >> 1 & 255 { if u&1 != 0 { s += a[k] }; k -= 2 }", `@llvm\.usub\.sat\.i64\(i64 %\S+, i64 6\)`, 1},
		{"a float's whole part", "for k := 0; k < n; k++ { i := int(b[k]); s += a[i+n] }", `freeze i32`, grouped},
		{"bits", "k := 0; for u := uint(n); u != 0; u >>= 1 { if u&1 != 0 { s += a[k] }; k += 2 }", `, 126\b`, 1},
		{"bits that are set", "k := n; for u := uint16(n); u != 0; u &= u - 1 { s += a[k]; k-- }", `, -15\b`, 1},
		{"digits", "k := 0; for u := int32(n); u > 0; u /= 10 { s += a[k]; k += 3 }", `, 93\b`, 1},
		{"bits of what may be negative", "k := 0; for u := n; u != 0; u >>= 1 { if u&1 != 0 { s += a[k] }; k += 2 }", `, 126\b`, 0},
		{"gathered by 32 bits", "for k := 0; k < n; k++ { s += a[c[k]] }", `icmp uge i32`, grouped + 2},
		{"gathered by 64 bits", "for k := 0; k < n; k++ { s += a[n/(k+1)] }", `icmp uge i32`, 0},
		{"sometimes a float's", "for k := 0; k < n; k++ { if c[k] > 0 { s += a[int(b[k])] } }", `freeze i32`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nfunc K(n int, a, b []float32, c []int32) {\n\tvar s float32\n\t" + c.loop + "\n\tb[0] = s\n}\n"
			ir := lowered(t, source, "sm_90", Options{}).IR
			if n := len(regexp.MustCompile(c.pattern).FindAll(ir, -1)); n < c.times || c.times == 0 && n > 0 {
				t.Errorf("%d times %s, want %d\n%s", n, c.pattern, c.times, ir)
			}
		})
	}
}

// What the launch sees to is loaded ahead, of a loop and of a group of iterations, without a check.
func TestSureAhead(t *testing.T) {
	const ofDeep = 8 + 4 + 2 // where loads wait for others
	for _, c := range []struct {
		name, loop, arch, pattern string
		times                     int
	}{
		{"a group's indices", "for k := 0; k < n; k++ { s += a[c[k*n+i]] }", "sm_90", `icmp uge i32`, ofDeep + 1}, // and i's
		{"rows", "for k := 0; k < n; k++ { s += a[int(c[k])*n+i] }", "sm_90", `mad\.wide\.u32`, ofDeep},
		{"rows beside one", "for k := 0; k < n; k++ { s += a[(i+int(c[k]))*n+i+int(c[k+n])] }", "sm_90", `mad\.wide\.u32`, ofDeep},
		{"rows from one on", "for k := 0; k < n; k++ { s += a[(i-int(c[k]))*n] }", "sm_90", `mad\.wide\.u32`, ofDeep},
		{"rows that may need 33 bits", "for k := 0; k < n; k++ { s += a[(i+int(c[k])+int(c[k+n]))*n+i] }", "sm_90", `mad\.wide\.u32`, 0},
		{"rows, and more than 33 bits", "for k := 0; k < n; k++ { s += a[int(c[k])*n+int(c[k+n])*n] }", "sm_90", `mad\.wide\.u32`, 0},
		{"rows of no known width", "for k := 0; k < n; k++ { s += a[int(c[k])*int(c[i])+i] }", "sm_90", `mad\.wide\.u32`, 0},
		{"a bound", "for k := c[i]; k < c[i+1]; k++ { s += a[k] }", "gfx942", `icmp uge i32`, 3}, // of i, and of a's index ahead of the loop and in the loop as it was
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, a []float32, c []int32) {\n\tvar s float32\n\ti := dsl.GlobalIdx().X\n\tif i >= n {\n\t\treturn\n\t}\n\t" + c.loop + "\n\ta[0] = s\n}\n"
			ir := lowered(t, source, c.arch, Options{Conditional: true}).IR
			if n := len(regexp.MustCompile(c.pattern).FindAll(ir, -1)); n != c.times {
				t.Errorf("%d times %s, want %d\n%s", n, c.pattern, c.times, ir)
			}
		})
	}
}

// Loops that call long functions are not grouped, unless those are short with FastMath.
func TestLongFunctionsNotGrouped(t *testing.T) {
	for _, c := range []struct {
		call    string
		fast    bool
		grouped bool
	}{{"dsl.Sqrt", false, true}, {"dsl.Sin", false, false}, {"dsl.Sin", true, true}} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, a, b []float32, c []int32) {\n\tvar s float32\n\tfor k := 0; k < n; k++ { s += " + c.call + "(a[k]) * b[c[k]] }\n\ta[0] = s\n}\n"
		prog, err := Check(kernelOf(t, buildSource(t, "k.go", source), "K"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := target.For("sm_90", 0)
		if err != nil {
			t.Fatal(err)
		}
		m.MathLib = true
		res, err := prog.Lower(m, Options{FastMath: c.fast})
		if err != nil {
			t.Fatal(err)
		}
		ir := string(res.IR)
		if got := strings.Count(ir, "= load float") > 4; got != c.grouped { // a loop's two, in two versions, are four
			t.Errorf("%s, FastMath %v: grouped: %v, want %v", c.call, c.fast, got, c.grouped)
		}
	}
}

// On AMD's GPUs the checks ahead of a loop of int32s are of 32 bits, and nothing is asked of how far it goes. What begins with an int of 64 bits, or is no
// index itself, is checked in 64.
func TestLowGuards(t *testing.T) {
	for _, c := range []struct {
		name, loop string
		bits       string // of the comparisons of the first index, or the last one, with 0
		far        bool   // there is a comparison of how far the loop goes
		sizes      bool   // the launch sees to the sizes of slices
	}{
		{"bounds from memory", "for k := c[n]; k < c[n+1]; k++ { s += a[k]*b[k] }", "32", false, true},
		{"of any length", "for k := c[n]; k < c[n+1]; k++ { s += a[k]*b[k] }", "64", true, false},
		{"backwards", "for k := c[n+1]-1; k >= c[n]; k-- { s += a[k]*b[k] }", "32", false, true},
		{"of 64 bits", "for k := d[n]; k < d[n+1]; k++ { s += a[k]*b[k] }", "64", true, true},
		{"ints of these", "for k := int(c[n]); k < int(c[n+1]); k++ { s += a[k]*b[k] }", "32", false, true},
		{"shifted", "for k := int(c[n]); k < int(c[n+1]); k++ { s += a[k+9]*b[k+9] }", "64", false, true},
		{"in steps", "for k := c[n]; k < c[n+1]; k += 3 { s += a[k]*b[k] }", "32", false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nfunc K(n int, a, b []float32, c []int32, d []int) {\n\tvar s float32\n\tif n < 0 || n+1 >= len(c) || n+1 >= len(d) { return }\n\t" + c.loop + "\n\tb[0] = s\n}\n"
			var change []func(*target.Target)
			if !c.sizes {
				change = append(change, once)
			}
			ir := string(lowered(t, source, "gfx942", Options{Conditional: c.sizes}, change...).IR)
			for _, bits := range []string{"32", "64"} {
				if n := len(regexp.MustCompile(`icmp slt i`+bits+` %\d+, 0`).FindAllString(ir, -1)); (n > 0) != (bits == c.bits) {
					t.Errorf("%d comparisons of %s bits\n%s", n, bits, ir)
				}
			}
			if far := strings.Contains(ir, ", 1099511627776"); far != c.far {
				t.Errorf("how far it goes is compared: %v\n%s", far, ir)
			}
		})
	}
}

// What is the same in all iterations is loaded ahead of them where a check comes before it, from an array: lanes that run no iteration load its first element.
func TestLoadStaying(t *testing.T) {
	for _, c := range []struct {
		name, loop string
		chosen     bool
	}{
		{"behind a check", "for _, k := range c[:n] { s += l[k]*l[m] }", true},
		{"ahead of a check", "for _, k := range c[:n] { s += l[m]*l[k] }", false},
		{"of what is written", "for _, k := range c[:n] { s += l[k]*l[m]; l[8] = s }", false},
		{"of what may be nil", "for _, k := range c[:n] { s += l[k]*q[m] }", false},
		{"of a slice", "for _, k := range c[:n] { s += l[k]*a[m] }", false},
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n, m int, a []float32, c []int32) {\n\tl := dsl.Shared[[64]float32]()\n\tvar q *[64]float32\n\tif n > 9 { q = l }\n\t_ = q\n\tvar s float32\n\t" + c.loop + "\n\ta[0] = s\n}\n"
		ir := string(lowered(t, source, "gfx942", Options{}, once).IR)
		if chosen := regexp.MustCompile(`select i1 %\d+, i64 %\S+, i64 0\b`).MatchString(ir); chosen != c.chosen {
			t.Errorf("%s: the place of a load ahead is chosen: %v\n%s", c.name, chosen, ir)
		}
	}
}
