package ssa2ir

import (
	"regexp"
	"testing"
)

// widened is a phi of 32 bits that is widened behind the phis of its block.
const widened = `phi i32 .*\n(\s*%\S+ = phi .*\n)*\s*%\S+ = [sz]ext i32`

var narrowCases = []struct {
	name, body string
	pattern    string // of what is made with 32 bits
	want       bool
	unchecked  bool // likewise, without checks
}{
	{"counts to a limit of launches", "for w := range dsl.BlockDim().X / 32 { s += t[w&7] }", widened, true, true},
	{"counts down", "for w := dsl.ThreadIdx().X; w >= 0; w -= 3 { s += t[w&7] }", widened, true, true},
	{"counts past 32 bits", "for w := dsl.ThreadIdx().X; w < 1<<33; w += 1 << 30 { s += t[w&7] }", widened, false, false},
	{"counts to a parameter", "for w := 0; w < n; w++ { s += t[w&7] }", widened, false, false},
	{"one of two", "w := 5; if n < 0 { w = dsl.ThreadIdx().X }; s = t[w&7]", widened, true, true},
	{"of uint32", "k := int(c[0]) ^ 1; s = t[k&7]", `xor i32`, true, true},
	{"more than the operand", "k := int(c[0]) + 1; s = t[k&7]", `add i32`, false, false},
	{"low bits of a parameter", "k := n & 0xffff; s = t[k&7]", `and i32`, true, true},
	{"high bits of a parameter", "k := n >> 3; s = t[k&7]", `[al]shr i32`, false, false},
	{"what a check has passed", "s = t[n]; k := n + 1; s += t[k&7]", `add (nuw )?(nsw )?i32`, true, false},
	{"adds in few iterations", "k := 0; for w := range dsl.BlockDim().X / 32 { if c[w] != 0 { k += 2 } }; s = t[k&7]", `trunc i64 2 to i32`, true, true},
	{"adds and subtracts", "k := 9; for w := range dsl.BlockDim().X { if k += int(c[w] & 3); k&1 != 0 { k -= 70 } }; s = t[k&7]", `trunc i64 70 to i32`, true, true},
	{"adds in any number of iterations", "k := 0; for w := range n { if c[w] != 0 { k += 2 } }; s = t[k&7]", `trunc i64 2 to i32`, false, false},
	{"adds more than fits", "k := 0; for w := range dsl.BlockDim().X { if c[w] != 0 { k += 1 << 23 } }; s = t[k&7]", `trunc i64 8388608 to i32`, false, false},
	{"adds while a byte goes round", "k := 0; for b := byte(n); b != 1; b += 3 { if c[b] != 0 { k += 2 } }; s = t[k&7]", `trunc i64 2 to i32`, false, false},
	{"adds what an inner loop adds", "k := 0; for range dsl.BlockDim().X { for m := n; m > 0; m >>= 1 { k += 2 } }; s = t[k&7]", `trunc i64 2 to i32`, false, false},
	{"adds while an int16 rises from anywhere to anywhere", "k := 0; for i := int16(c[0]); i < int16(c[1]); i++ { if c[i&7] != 0 { k += 2 } }; s = t[k&7]", `trunc i64 2 to i32`, true, true},
	{"adds while an int16 rises up to anything", "k := 0; for i := int16(c[0]); i <= int16(c[1]); i++ { if c[i&7] != 0 { k += 2 } }; s = t[k&7]", `trunc i64 2 to i32`, false, false},
	{"adds while an int rises from anywhere to anywhere", "k := 0; if i := n; i < len(t) { for { if c[i&7] != 0 { k += 2 }; i++; if i >= len(t) { break } } }; s = t[k&7]", `trunc i64 2 to i32`, false, false},
	{"what a condition has passed", "if n > 0 && n < 9 { k := n + 1; s += t[k&7] }", `add (nuw )?(nsw )?i32`, true, true},
}

// Where a loop adds up what is loaded from a shared variable, 32 bits suffice if they do for what is stored there.
func TestSharedCounts(t *testing.T) {
	sum := regexp.MustCompile(`= trunc i64 .* to i32.*\n\s*%\d+ = add i32 `) // which may wrap around
	const add = "; for w := range dsl.BlockDim().X / 32 { k += int(counts[w]) }"
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"bits", "counts[n&31] = int32(bits.OnesCount64(uint64(n)))" + add, true},
		{"low bits", "counts[n&31] = int32(n & 1023); counts[0] = 3" + add, true},
		{"any number", "counts[n&31] = int32(n & 1023); counts[0] = int32(n)" + add, false},
		{"negative", "counts[n&31] = -int32(n & 1023)" + add, false},
		{"of itself", "counts[n&31]++" + add, false},
		{"once", "counts[n&31] = 5; k = int(counts[n&7]) + n", false},
		{"of 32 bits", "counts[n&31] = 5; var s int32; for w := range dsl.BlockDim().X { s += counts[w&31] }; k = int(s)", false},
		{"passed to a function", "counts[n&31] = 5; set(counts, n)" + add, false},
		{"by an atomic", "counts[n&31] = 5; dsl.AtomicAdd(&counts[0], 1)" + add, false},
		{"as a slice", "counts[n&31] = 5; counts[:][1] = int32(n)" + add, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport (\n\t\"math/bits\"\n\n\t\"heddle/dsl\"\n)\n\nvar _ = bits.Len\n\nfunc set(p *[32]int32, n int) { p[3] = int32(n) }\n\n" +
				"func K(n int, out []int) {\n\tk := 0\n\tcounts := dsl.Shared[[32]int32]()\n\t" + c.body + "\n\tout[0] = k\n}\n"
			for _, arch := range []string{"sm_90", "gfx942"} {
				if got := sum.Match(unpanicked(lowered(t, source, arch, Options{}).IR)); got != c.want {
					t.Errorf("%s: in 32 bits: %v, want %v", arch, got, c.want)
				}
				for what, ir := range map[string][]byte{"without checks": lowered(t, source, arch, Options{NoBounds: true}).IR, "on cpu": lowered(t, source, cpuArch, Options{}).IR} {
					if sum.Match(ir) {
						t.Errorf("%s, %s: in 32 bits", arch, what)
					}
				}
			}
		})
	}
}

// A grid has less than 1<<16 blocks along y and z on NVIDIA's GPUs, so that coordinates need 32 bits there.
func TestNarrowCoordinates(t *testing.T) {
	made := regexp.MustCompile(`add (nuw )?(nsw )?i32`)
	for _, c := range []struct {
		arch, axis string
		want       bool
	}{{"sm_90", "X", false}, {"sm_90", "Y", true}, {"sm_90", "Z", true}, {"gfx942", "X", false}, {"gfx942", "Y", false}} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(out []int) {\n\tout[0] = dsl.GlobalSize()." + c.axis + " + 1\n}\n"
		if got := made.Match(unpanicked(lowered(t, source, c.arch, Options{}).IR)); got != c.want {
			t.Errorf("%s, %s: with 32 bits: %v, want %v", c.arch, c.axis, got, c.want)
		}
	}
}

// Of several checks that are made together the first that fails is chosen without a branch; few keep theirs.
func TestFirstOfMany(t *testing.T) {
	source := func(body string) string {
		return "package p\n\nfunc K(i, j, k, l int, a, b []int) {\n\t" + body + "\n}\n"
	}
	chosen := regexp.MustCompile(`select i1 %\S+, i32 `)
	for _, c := range []struct {
		body string
		want int
	}{{"b[0] = a[i] + a[j]", 0}, {"b[0] = a[i] + a[j] + a[k] + a[l]", 4}, {"b[0] = a[i-1] + a[i] + a[i+1] + a[j-2] + a[j+2]", 5}} {
		if got := len(chosen.FindAll(lowered(t, source(c.body), "sm_90", Options{}).IR, -1)); got != c.want {
			t.Errorf("%s: %d selections of a site, want %d", c.body, got, c.want)
		}
		if got := len(chosen.FindAll(lowered(t, source(c.body), "gfx942", Options{}).IR, -1)); got != 0 {
			t.Errorf("%s: %d selections on gfx942", c.body, got)
		}
	}
}

// What needs 32 bits is made with 32 on GPUs, also without checks, where checks tell nothing.
func TestNarrow(t *testing.T) {
	for _, c := range narrowCases {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, c []uint32, out []float32) {\n\tvar s float32\n\tt := dsl.Shared[[8]float32]()\n\t" + c.body + "\n\tout[0] = s\n}\n"
			made := regexp.MustCompile(c.pattern)
			for _, arch := range []string{"sm_90", "gfx942"} {
				if got := made.Match(unpanicked(lowered(t, source, arch, Options{}).IR)); got != c.want {
					t.Errorf("%s: with 32 bits: %v, want %v", arch, got, c.want)
				}
				if got := made.Match(lowered(t, source, arch, Options{NoBounds: true}).IR); got != c.unchecked {
					t.Errorf("%s, without checks: with 32 bits: %v, want %v", arch, got, c.unchecked)
				}
			}
		})
	}
}

// The test of a loop that counts down to what is computed ahead of it has signs, and a bound above the least number.
func TestCountsDownTo(t *testing.T) {
	down := regexp.MustCompile(`llvm\.smax\.i32\(i32 %\d+, i32 -2147483647\).*\n(\s*%\d+ = .*\n)?\s*%\d+ = icmp sge i32`)
	for _, c := range []struct {
		loop string
		want bool
	}{
		{"for j := t; j >= low; j-- { s += a[j&255] }", true},
		{"for j := t; j >= low; j -= 3 { s += a[j&255] }", true},
		{"for j := t; j >= 2; j-- { s += a[j&255] }", false},              // LLVM knows
		{"for j := t; j > low; j-- { s += a[j&255] }", false},             // likewise
		{"for j := 0; j >= low-9; j++ { s += a[j&255] }", false},          // it counts up
		{"for j := t; j >= int(a[0]); j-- { s += a[j&255] }", false},      // what is loaded in the loop
		{"for j := t; j >= low; j = j / 2 { s += a[j&255]; j-- }", false}, // it goes down otherwise
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(a []int32) {\n\tvar s int32\n\tt := dsl.ThreadIdx().X + 7\n\tlow := max(dsl.BlockIdx().X&31, t-5)\n\t" + c.loop + "\n\ta[t&255] = s + int32(low)\n}\n"
		for arch, want := range map[string]bool{"sm_90": c.want, "gfx942": false} {
			ir := string(lowered(t, source, arch, Options{Conditional: true}).IR)
			if got := down.MatchString(ir); got != want {
				t.Errorf("%s, %s: %v, want %v", c.loop, arch, got, want)
			}
		}
	}
}

var panicFunction = regexp.MustCompile(`(?ms)^define [^\n]*@heddle_panic\(.*?^}\n`)

// unpanicked is a module without the function that writes a panic's record.
func unpanicked(ir []byte) []byte { return panicFunction.ReplaceAll(ir, nil) }
