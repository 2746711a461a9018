package ssa2ir

import (
	"encoding/binary"
	"math"
	"regexp"
	"strings"
	"testing"

	"heddle/internal/abi"
)

// apart is an address that is far from all others of a block.
const apart = math.MinInt64

// block are the bytes of arguments that are integers; a slice is three of them.
func argBlock(ints ...int64) (all []byte) {
	for i, n := range ints {
		if n == apart {
			n = int64(i+1) << 40
		}
		all = binary.LittleEndian.AppendUint64(all, uint64(n))
	}
	return all
}

// checks is how many calls panic.
func checks(ir []byte) int {
	return len(regexp.MustCompile(`call void @heddle_panic\(`).FindAll(ir, -1))
}

// unconditional checks that there is no condition where there may be none.
func unconditional(t *testing.T, source string) {
	if lowered(t, source, "gfx942", Options{}).Condition != nil {
		t.Error("there is a condition, and nobody said that there may be one")
	}
	if lowered(t, source, "x86-64-v3", Options{Conditional: true}).Condition != nil {
		t.Error("cpu: there is a condition")
	}
}

// inside ends the threads outside a picture of w by h.
const inside = "x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y; if x >= w || y >= h { return }; "

// launched is a launch of func(w, h int, in, out []float32, table []int): its ints, its slices' lengths, its blocks, and whether the condition holds of it.
type launched struct {
	w, h, in, out, table int64
	grid                 int
	want                 bool
}

// conditions are bodies of kernels, how many checks are left in them, and launches.
var conditions = []struct {
	name, body string
	checks     int
	args       []launched
}{
	{"rows", inside + "out[y*w+x] = in[y*w+x]", 0, []launched{
		{3, 4, 12, 12, 0, 1, true}, {3, 4, 11, 12, 0, 1, false}, {3, 4, 12, 11, 0, 1, false}, {0, 4, 0, 0, 0, 1, false}, {1, 4, 4, 4, 0, 1, true}, {-3, 4, 12, 12, 0, 1, false},
		{1 << 16, 1 << 16, 1 << 32, 1 << 32, 0, 1, false}, {1 << 32, 0, 12, 12, 0, 1, false}, {3, 4, 12, 12, 0, 1 << 30, false},
	}},
	{"no check, ints of 32 bits", inside + "out[0] = float32(x * h)", 0, []launched{
		{3, 4, 1, 1, 0, 1, true}, {-3, 4, 1, 1, 0, 1, false}, {3, 1<<31 - 1, 1, 1, 0, 1, false}, {3, -1 << 31, 1, 1, 0, 1, false}, {3, 1 << 29, 1, 1, 0, 1, true}, {3, 1 << 30, 1, 1, 0, 1, false},
	}},
	{"rows that are cut off", inside + "s := float32(0); for k := range w { for _, v := range in[k*h : (k+1)*h] { s += v } }; out[y*w+x] = s", 0, []launched{
		{3, 4, 12, 12, 0, 1, true}, {3, 4, 11, 12, 0, 1, false}, {3, -4, 12, 12, 0, 1, false}, {0, 4, 0, 0, 0, 1, false},
	}},
	{"cut off by a constant", inside + "s := float32(0); for _, v := range in[2:6] { s += v }; out[y*w+x] = s", 0, []launched{
		{3, 4, 6, 12, 0, 1, true}, {3, 4, 5, 12, 0, 1, false},
	}},
	{"from there on", inside + "for _, v := range in[w:] { out[y*w+x] += v }", 0, []launched{
		{3, 4, 3, 12, 0, 1, true}, {3, 4, 2, 12, 0, 1, false},
	}},
	{"a search's limit", inside + "n, lo, hi := len(table), 0, len(table); if x >= n { return }; for lo < hi { if mid := (lo + hi) / 2; table[mid] < x { lo = mid + 1 } else { hi = mid } }; out[y*w+x] = in[min(lo, n-1)]", 0, []launched{
		{3, 4, 9, 12, 9, 1, true}, {3, 4, 9, 12, 10, 1, false}, {3, 4, 1, 12, 1, 1, true},
	}},
	{"ints on the way to an index", inside + "k := 8*x - 1; out[y*w+x] = in[y*w+min(max(k, 0), w-1)]", 0, []launched{
		{3, 4, 12, 12, 0, 1, true}, {1 << 27, 1, 1 << 27, 1 << 27, 0, 1, true}, {1 << 28, 1, 1 << 28, 1 << 28, 0, 1, false},
	}},
	{"a bound that holds in no launch", "var a [4]float32; t := dsl.ThreadIdx().X; if t < len(in) && t < 4 { a[t] = in[t] }; d := dsl.BlockDim().X / 2; if t < d { out[t] = a[(t+d)&3] + in[t+d] }", 0, []launched{
		{0, 0, 8, 8, 0, 1, true}, {0, 0, 7, 8, 0, 1, false},
	}},
	{"blocks", "i := dsl.BlockIdx().X*8; for k := range 8 { out[i+k] = in[i+k] }", 0, []launched{
		{0, 0, 32, 32, 0, 4, true}, {0, 0, 31, 32, 0, 4, false}, {0, 0, 32, 24, 0, 4, false},
	}},
	{"a step", "i := dsl.BlockIdx().X*32; for k := 0; k < 32; k += 8 { out[i+k+7] = in[i+k] }", 0, []launched{
		{0, 0, 25, 32, 0, 1, true}, {0, 0, 24, 32, 0, 1, false}, {0, 0, 25, 31, 0, 1, false},
	}},
	{"what is never within", "var a [4]float32; for k := range 5 { if k < len(in) { a[k&3] = in[k]; out[k] = a[k] } }", 1, []launched{
		{0, 0, 5, 5, 0, 1, true}, {0, 0, 3, 5, 0, 1, true}, {0, 0, 5, 3, 0, 1, false},
	}},
	{"a width that nothing is compared with", "x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y; if x < 8 && y < 8 { out[y*w+x] = in[y+x*h] }", 0, []launched{
		{9, 10, 78, 71, 0, 1, true}, {9, 10, 77, 71, 0, 1, false}, {9, 10, 78, 70, 0, 1, false}, {0, 10, 78, 71, 0, 1, false}, {1, 1, 15, 15, 0, 1, true}, {-1, 1, 15, 15, 0, 1, false},
	}},
	{"parts", inside + "out[y*w+x] = in[(y*w+x)/4] * in[(y*w+x)>>2]", 0, []launched{
		{3, 4, 3, 12, 0, 1, true}, {3, 4, 2, 12, 0, 1, false}, {1, 5, 2, 5, 0, 1, true}, {1, 5, 1, 5, 0, 1, false}, {1 << 16, 1 << 16, 1 << 30, 1 << 32, 0, 1, false},
	}},
	{"parts of an array's length", inside + "var a [4]float32; a[w&3] = in[0]; out[y*w+x] = a[(y*w+x)/3]", 0, []launched{
		{3, 4, 1, 12, 0, 1, true}, {13, 1, 1, 13, 0, 1, false}, {12, 1, 1, 12, 0, 1, true},
	}},
	{"a quotient", "if i := dsl.GlobalIdx().X; i < len(out) { out[i] = in[i/w] * in[i/w/h] }", 0, []launched{
		{3, 4, 4, 12, 0, 1, true}, {3, 4, 3, 12, 0, 1, false}, {0, 4, 12, 12, 0, 1, false}, {3, 0, 12, 12, 0, 1, false}, {-1, 4, 12, 12, 0, 1, false}, {1, 1, 12, 12, 0, 1, true}, {1, 1, 11, 12, 0, 1, false},
	}},
	{"a quotient by a block's place", "if i := dsl.GlobalIdx().X; i < len(out) { out[i] = in[i/(dsl.BlockIdx().X*4+1)] }", 1, []launched{{0, 0, 4, 16, 0, 2, true}}},
	{"a quotient that falls from block to block", "if i := dsl.GlobalIdx().X; i < len(out) { out[i] = in[(w-dsl.BlockIdx().X)/2] }", 1, []launched{{16, 0, 8, 16, 0, 2, true}}},
	{"a quotient that rises from block to block", "if i := dsl.GlobalIdx().X; i < len(out) { out[i] = in[(w+dsl.BlockIdx().X)/2] }", 0, []launched{{16, 0, 8, 16, 0, 2, false}, {16, 0, 9, 16, 0, 2, true}, {16, 0, 9, 16, 0, 3, false}}},
	{"a divisor that is computed", "if i := dsl.GlobalIdx().X; i < len(out) { out[i] = in[i%(w+h)] + in[i/((w+2*h)/w+1)] }", 0, []launched{
		{1, 2, 3, 12, 0, 1, true}, {1, 2, 2, 12, 0, 1, false}, {3, 4, 7, 21, 0, 1, true}, {3, 4, 7, 22, 0, 1, true}, {3, 4, 6, 21, 0, 1, false}, {-1, 1, 12, 12, 0, 1, false}, {1 << 30, 1 << 30, 1 << 29, 12, 0, 1, false},
	}},
	{"a divisor that is positive by a branch alone", "n := w + h; if w > 0 { out[0] = in[dsl.GlobalIdx().X%n] }", 0, []launched{
		{1, 2, 3, 1, 0, 1, true}, {1, 2, 2, 1, 0, 1, false}, {0, 0, 3, 1, 0, 1, false},
	}},
	{"a mask of one less than a length", "mask := len(table) - 1; if x := dsl.GlobalIdx().X; x < len(out) { out[x] = float32(table[x&mask] + table[(table[x&mask]+1)&mask]) }", 0, []launched{
		{0, 0, 0, 12, 16, 1, true}, {0, 0, 0, 12, 0, 1, false}, {0, 0, 0, 12, 1, 1, true}, {0, 0, 0, 12, 5, 1, true},
	}},
	{"a mask of one less than what is passed", "if x := dsl.GlobalIdx().X; x < len(out) { out[x] = float32(table[table[x&(w-1)]&(w-1)]) }", 0, []launched{
		{16, 0, 0, 12, 16, 1, true}, {16, 0, 0, 12, 15, 1, false}, {0, 0, 0, 12, 16, 1, false}, {-3, 0, 0, 12, 16, 1, false},
	}},
	{"a mask that is passed", "if x := dsl.GlobalIdx().X; x < len(out) { out[x] = float32(table[table[x&w]&w]) }", 0, []launched{
		{15, 0, 0, 12, 16, 1, true}, {15, 0, 0, 12, 15, 1, false}, {0, 0, 0, 12, 1, 1, true}, {-3, 0, 0, 12, 16, 1, false},
	}},
	{"probes of a table", "if x := dsl.GlobalIdx().X; x < len(out) { at := x & w; for table[at] > 0 { if table[at] == x { out[x] = 1 }; at = (at + 1) & w } }", 0, []launched{
		{15, 0, 0, 12, 16, 1, true}, {15, 0, 0, 12, 15, 1, false}, {-1, 0, 0, 12, 16, 1, false},
	}},
	{"averages over a window", inside + "cx, cy := x, y; for range 3 { sx, sy, n := 0, 0, 0; for v := max(cy-len(table), 0); v <= min(cy+len(table), h-1); v++ { for u := max(cx-len(table), 0); u <= min(cx+len(table), w-1); u++ { if in[v*w+u] > 0 { sx += u; sy += v; n++ } } }; if n == 0 { break }; cx, cy = sx/n, sy/n }; out[y*w+x] = in[cy*w+cx]", 0, []launched{
		{3, 4, 12, 12, 2, 1, true}, {3, 4, 11, 12, 2, 1, false}, {100, 100, 10000, 10000, 1 << 8, 1, true}, {100, 100, 10000, 10000, 1 << 12, 1, false}, {1, 1, 1, 1, 0, 1, true},
	}},
	{"a mask without a sign", "if x := dsl.GlobalIdx().X; x < len(out) { out[x] = float32(table[uint32(table[x&w])*2654435761&uint32(w)]) }", 0, []launched{
		{15, 0, 0, 12, 16, 1, true}, {15, 0, 0, 12, 15, 1, false}, {-1, 0, 0, 12, 16, 1, false},
	}},
	{"a mask that rises from block to block", "if x := dsl.GlobalIdx().X; x < len(out) { out[x] = float32(table[table[0]&(dsl.BlockIdx().X-w)]) }", 0, []launched{
		{0, 0, 0, 16, 4, 4, true}, {0, 0, 0, 16, 3, 4, false}, {1, 0, 0, 16, 4, 4, false}, {1, 0, 0, 16, 4, 5, false},
	}},
	{"a mask that falls from block to block", "if x := dsl.GlobalIdx().X; x < len(out) { out[x] = float32(table[table[1]&(w-dsl.BlockIdx().X)]) }", 0, []launched{
		{3, 0, 0, 16, 4, 4, true}, {3, 0, 0, 16, 3, 4, false}, {3, 0, 0, 16, 4, 5, false}, {5, 0, 0, 16, 4, 2, false},
	}},
	{"bits that change places", "t := dsl.GlobalIdx().X; if t < len(out) { out[t] = float32(table[t&^31 | (t<<1|t>>4&1)&31]) }", 0, []launched{
		{0, 0, 0, 32, 32, 1, true}, {0, 0, 0, 32, 31, 1, false}, {0, 0, 0, 40, 64, 1, true}, {0, 0, 0, 40, 63, 1, false}, {0, 0, 0, 64, 64, 1, true},
	}},
	{"bits that are cleared, of any number", "t := dsl.GlobalIdx().X; if t < len(out) { out[t] = float32(table[t&^5]) }", 0, []launched{
		{0, 0, 0, 32, 32, 1, true}, {0, 0, 0, 32, 31, 1, false},
	}},
	{"bits of two numbers", "t := dsl.GlobalIdx().X; if t < len(out) { out[t] = float32(table[t|w] + table[t^w]) }", 0, []launched{
		{8, 0, 0, 8, 16, 1, true}, {8, 0, 0, 8, 15, 1, false}, {-1, 0, 0, 8, 16, 1, false},
	}},
	{"a part of an array", "s := dsl.Shared[[64]int32](); if x := dsl.GlobalIdx().X; x < len(out) { p := s[w:]; q := p[2*h:]; out[x] = float32(q[x]) }", 0, []launched{
		{4, 0, 0, 60, 0, 1, true}, {4, 0, 0, 61, 0, 1, false}, {0, 0, 0, 64, 0, 1, true}, {-1, 0, 0, 4, 0, 1, false}, {4, 10, 0, 40, 0, 1, true}, {4, 10, 0, 41, 0, 1, false}, {4, -1, 0, 4, 0, 1, false}, {65, 0, 0, 0, 0, 1, false},
	}},
	{"a part of an array from the block's index", "s := dsl.Shared[[64]int32](); if x := dsl.ThreadIdx().X; x < w { p := s[(dsl.BlockIdx().X*8):]; out[0] = float32(p[x]) }", 0, []launched{
		{8, 0, 0, 1, 0, 8, true}, {9, 0, 0, 1, 0, 8, false}, {16, 0, 0, 1, 0, 7, true}, {1, 0, 0, 1, 0, 9, false},
	}},
	{"a window that wraps around", inside + "for i := -2; i <= 2; i++ { k := x + i; if k < 0 { k += w }; if k >= w { k -= w }; out[y*w+x] += in[y*w+k] }", 0, []launched{
		{3, 4, 12, 12, 0, 1, true}, {2, 4, 8, 8, 0, 1, true}, {1, 4, 4, 4, 0, 1, false}, {3, 4, 11, 12, 0, 1, false}, {3, 4, 12, 11, 0, 1, false},
	}},
	{"what goes around once", inside + "for o := 1; o <= h; o++ { k, l := x + o, x - o; if k >= w { k -= w }; if l < 0 { l += w }; out[x] += in[k] + in[l] }", 0, []launched{
		{3, 3, 3, 3, 0, 1, true}, {9, 1, 9, 9, 0, 1, true}, {3, 4, 3, 3, 0, 1, false}, {9, 1, 8, 9, 0, 1, false},
	}},
	{"what goes around once, or is clamped", inside + "for o := 1; o <= h; o++ { k, l := x + o, x - o; if k >= w { if len(table) > 3 { k = w-1 } else { k -= w } }; if l < 0 { if len(table) > 3 { l = 0 } else { l += w } }; out[x] += in[k] + in[l] }", 0, []launched{
		{3, 3, 3, 3, 0, 1, true}, {9, 1, 9, 9, 0, 1, true}, {3, 4, 3, 3, 0, 1, false}, {9, 1, 8, 9, 0, 1, false},
	}},
	{"a window that is reflected", inside + "for i := -2; i <= 2; i++ { k := x + i; if k < 0 { k = -k }; if k >= w { k = 2*w-2-k }; out[y*w+x] += in[y*w+k] }", 0, []launched{
		{9, 4, 36, 36, 0, 1, true}, {2, 4, 8, 8, 0, 1, false}, {9, 4, 35, 36, 0, 1, false}, {9, 4, 36, 35, 0, 1, false},
	}},
	{"a window that is clamped", inside + "for i := -2; i <= 2; i++ { k := x + i; if k < 0 { k = 0 }; if k >= w { k = w-1 }; out[y*w+x] += in[y*w+k] }", 0, []launched{
		{9, 4, 36, 36, 0, 1, true}, {1, 4, 4, 4, 0, 1, true}, {9, 4, 35, 36, 0, 1, false}, {9, 4, 36, 35, 0, 1, false},
	}},
	{"what is left of a length", "if x := dsl.GlobalIdx().X; x < len(out) { out[x] = float32(table[x%len(table)]) }", 0, []launched{
		{0, 0, 0, 12, 16, 1, true}, {0, 0, 0, 12, 0, 1, false}, {0, 0, 0, 12, 1, 1, true},
	}},
	{"a stencil whose neighbours' bounds are one", "x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y; if x >= 2 && y >= 2 && x <= w-3 && y <= w-3 { out[y*w+x] = in[(y-2)*w+x] + in[y*w+x+2] }", 0, []launched{
		{7, 0, 49, 49, 0, 1, true}, {7, 0, 35, 33, 0, 1, true}, {7, 0, 34, 33, 0, 1, false}, {7, 0, 35, 32, 0, 1, false},
	}},
	{"a product of what may be negative", "x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y+h; if x < 4 && y <= 4 { out[x] = in[(y-1)*w+x] }", 0, []launched{
		{3, 1, 13, 4, 0, 1, true}, {3, 1, 12, 4, 0, 1, false}, {3, 0, 13, 4, 0, 1, false}, {4, 1, 16, 4, 0, 1, true}, {4, 1, 15, 4, 0, 1, false},
	}},
	{"columns out of order", "var a [24]float32; a[w&3] = in[0]; t := dsl.ThreadIdx().X; c := 2*t - 7*(t/4) + 1; out[c] = a[c+h&1*9]", 0, []launched{
		{0, 0, 1, 9, 0, 1, true}, {0, 0, 1, 8, 0, 1, false},
	}},
	{"a place in a row by a shift", "t := dsl.ThreadIdx().X; out[t-4*(t>>2)] = in[t*2-3*(t/2)]", 0, []launched{
		{0, 0, 6, 4, 0, 1, true}, {0, 0, 5, 4, 0, 1, false}, {0, 0, 6, 3, 0, 1, false},
	}},
	{"by closures that call one", "at := func(y, x int) int { return y*w + x }; get := func(y, x int) float32 { return in[at(y, x)] }; " + inside + "out[at(y, x)] = get(y, x)", 0, []launched{
		{3, 4, 12, 12, 0, 1, true}, {3, 4, 12, 11, 0, 1, false}, {3, 4, 11, 12, 0, 1, false},
	}},
	{"an index that is loaded", inside + "out[y*w+x] = in[table[x]]", 1, []launched{
		{3, 4, 1, 12, 3, 1, true}, {3, 4, 1, 12, 2, 1, false},
	}},
}

// TestConditions says of which launches the conditions of kernels hold, and that checks which they stand for are not made.
func TestConditions(t *testing.T) {
	for _, c := range conditions {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nvar _ = dsl.SyncThreads\n\nfunc K(w, h int, in, out []float32, table []int) {\n\t" + c.body + "\n}\n"
			for _, arch := range []string{"gfx942", "gfx1100", "sm_90"} {
				res := lowered(t, source, arch, Options{Conditional: true})
				if res.Condition == nil {
					t.Errorf("%s: there is no condition", arch)
					continue
				}
				if got := checks(res.IR); got != c.checks {
					t.Errorf("%s: %d checks, want %d", arch, got, c.checks)
				}
				if strings.Contains(string(res.IR), abi.Decision) {
					t.Errorf("%s: there are two versions", arch)
				}
				for _, a := range c.args {
					block := argBlock(a.w, a.h, apart, a.in, a.in, apart, a.out, a.out, apart, a.table, a.table)
					if err := res.Condition.Check(len(block)); err != nil {
						t.Fatalf("%s: %v", arch, err)
					}
					if got := res.Condition.Holds(&abi.Launch{Args: block, Grid: [3]int{a.grid, 1, 1}, Block: [3]int{8, 8, 1}}); got != a.want {
						t.Errorf("%s: %v: it holds: %v", arch, a, got)
					}
				}
			}
			unconditional(t, source)
		})
	}
}

// TestTailored has a condition hold of a launch: checks that fail there, or that seem to, stay.
func TestTailored(t *testing.T) {
	source := `package p

import "heddle/dsl"

func K(n int, in, out []float32) {
	i := dsl.GlobalIdx().X
	if i < len(out) {
		out[i] = in[i%n] + in[min(i, 7)]
	}
}
`
	for _, c := range []struct {
		n, in, out int64
		checks     int
	}{{5, 8, 16, 0}, {9, 8, 16, 1}, {5, 7, 16, 1}, {9, 7, 16, 2}, {1 << 40, 8, 16, 2}} {
		l := &abi.Launch{Args: argBlock(c.n, apart, c.in, c.in, apart, c.out, c.out), Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1}}
		res := lowered(t, source, "gfx942", Options{Conditional: true, Launch: l})
		if res.Condition == nil || !res.Condition.Holds(l) {
			t.Errorf("%v: the condition does not hold of the launch that it is made for", c)
		}
		if got := checks(res.IR); got != c.checks {
			t.Errorf("%v: %d checks are left, want %d", c, got, c.checks)
		}
	}
}

// TestPassedDivisors has the host see to it that what is passed and divides is not negative, if it is not so in the launch that code is made for.
func TestPassedDivisors(t *testing.T) {
	source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n, by int, out []int) {\n\ti := dsl.GlobalIdx().X\n\tif i < len(out) { out[i] = i/by + i%by/8 + i/(n*n) }\n}\n"
	for _, c := range []struct {
		n, by int64
		signs int // divisions by what may be negative
	}{{0, 0, 0}, {3, 4, 0}, {-3, 4, 1}, {3, -4, 2}} { // n*n may be where n is
		l := &abi.Launch{Args: argBlock(c.n, c.by, apart, 8, 8), Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1}}
		if c.by == 0 {
			l = nil
		}
		for _, arch := range []string{"gfx942", "sm_90"} {
			res := lowered(t, source, arch, Options{Conditional: true, Launch: l})
			if l != nil && !res.Condition.Holds(l) {
				t.Errorf("%s: %v: the condition does not hold of the launch that it is made for", arch, c)
			}
			if !res.Condition.Holds(&abi.Launch{Args: argBlock(3, 4, apart, 8, 8), Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1}}) {
				t.Errorf("%s: %v: the condition does not hold of another launch", arch, c)
			}
			if got := res.Condition.Holds(&abi.Launch{Args: argBlock(3, -4, apart, 8, 8), Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1}}); got != (c.by < 0) {
				t.Errorf("%s: %v: the condition holds of a negative divisor: %v", arch, c, got)
			}
			ir := string(res.IR)
			if got := strings.Count(ir, "call i32 @llvm.abs.i32("); got != c.signs || strings.Contains(ir, "div i64") || strings.Contains(ir, "rem i64") {
				t.Errorf("%s: %v: %d divisors have signs, want %d\n%s", arch, c, got, c.signs, ir)
			}
		}
	}
}

// TestShortParameters shows an int that is passed as one of 32 bits, where LLVM has no i64 to compute with.
func TestShortParameters(t *testing.T) {
	source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, big int64, out []int) {\n\tif i := dsl.GlobalIdx().X; i < n && i < len(out) { out[i] = int(big) }\n}\n"
	for arch, want := range map[string]bool{"gfx942": true, "sm_90": false} {
		ir := string(lowered(t, source, arch, Options{Conditional: true}).IR)
		for _, name := range []string{"%n", "%out.len"} {
			if got := strings.Contains(ir, "<2 x i32> "+name); got != want {
				t.Errorf("%s: %s has 32 bits: %v", arch, name, got)
			}
		}
		if !strings.Contains(ir, "i64 %big") || strings.Contains(ir, "<2 x i32> %big") {
			t.Errorf("%s: the int64 is another one", arch)
		}
	}
}

// Where the condition implies a least length, the slice's pointer is dereferenceable that far.
func TestLeastPassed(t *testing.T) {
	source := "package p\n\nimport \"heddle/dsl\"\n\ntype pair struct{ in []int16; n int }\n\n" +
		"func K(a []float32, p pair, b, out []float32) {\n\ti := dsl.GlobalIdx().X\n\tif i < len(out) {\n\t\tout[i] = a[7] + b[i] + float32(p.in[2])\n\t}\n}\n"
	short := regexp.MustCompile(` "heddle.short"="\d+"`) // see TestShortSlices
	ir := short.ReplaceAllString(string(lowered(t, source, "sm_90", Options{Conditional: true}).IR), "")
	for _, want := range []string{"dereferenceable(32) align 16 %a,", "dereferenceable(6) align 2 %p.in,"} {
		if !strings.Contains(strings.ReplaceAll(ir, "align 4 %a,", "align 16 %a,"), want) {
			t.Errorf("there is no %q in\n%s", want, ir)
		}
	}
	if strings.Contains(string(lowered(t, source, "sm_90", Options{}).IR), "dereferenceable") {
		t.Error("a pointer is dereferenceable in code without a condition")
	}
	for body, want := range map[string]string{
		"if n >= 0 { out[0] = a[n+7] }":              "dereferenceable(32)", // the host sees to it that n is not negative
		"out[0] = a[n&3+7]":                          "dereferenceable(44)",
		"out[0] = a[len(out)+7]":                     "dereferenceable(32)",
		"out[0] = a[7-n]":                            "", // n may be 7
		"out[dsl.BlockIdx().X] = a[7-n] + a[7]":      "dereferenceable(32)",
		"for k := 7; k < n; k++ { out[0] += a[k] }":  "",
		"if len(a) > n { out[0] = a[n]; _ = a[2] }":  "dereferenceable(12)",
		"for _, v := range a[3:5] { out[0] += v }":   "dereferenceable(20)",
		"i := 8; if n > 2 { i = 3 }; out[0] = a[i]":  "dereferenceable(36)",
		"out[0] = a[max(n, 0)*2+1] + a[min(n, 0)+3]": "dereferenceable(16)",
	} {
		res := lowered(t, "package p\n\nimport \"heddle/dsl\"\n\nvar _ = dsl.SyncThreads\n\nfunc K(n int, a, out []float32) {\n\t"+body+"\n}\n", "sm_90", Options{Conditional: true})
		if want != "" { // a has fewer bytes than that, whatever else is passed
			for _, n := range []int64{-7, -1, 0, 1, 5} {
				if res.Condition.Holds(&abi.Launch{Args: argBlock(n, apart, 2, 2, apart, 100, 100), Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1}}) {
					t.Errorf("%s: the condition holds where n is %d and a has 2 elements", body, n)
				}
			}
		}
		ir := short.ReplaceAllString(string(res.IR), "")
		if got := regexp.MustCompile(`dereferenceable\(\d+\)(?: align \d+)? %a,`).FindString(ir); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// TestPartOfSeveral has no checks of a volume's indices that is a part of all, as long as the product of three numbers.
func TestPartOfSeveral(t *testing.T) {
	source := `package p

import "heddle/dsl"

func K(nx, ny, nz int, which []int32, all, out []float32) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= nx-1 || y >= ny-1 || len(out) == 0 || len(which) == 0 {
		return
	}
	size, v := nx*ny*nz, int(which[0])
	values := all[v*size : (v+1)*size]
	for z := 0; z < nz-1; z++ {
		i := (z*ny+y)*nx + x
		out[0] += values[i] + values[i+1] + values[i+nx] + values[i+nx*ny]
	}
}
`
	for _, arch := range []string{"gfx942", "sm_90"} {
		if got := checks(lowered(t, source, arch, Options{Conditional: true}).IR); got > 2 { // those of the part's bounds
			t.Errorf("%s: %d checks are left", arch, got)
		}
	}
}
