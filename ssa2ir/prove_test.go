package ssa2ir

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"heddle/internal/target"
)

// provedCases are kernels, each with how many of its checks must be left. Those of which
// some are left fail for some launch: a prover that leaves fewer is wrong.
var provedCases = []struct {
	name, body string
	left       int
}{
	// what holds
	{"condition", `if i := dsl.GlobalIdx().X; i < len(x) { x[i] = 1 }`, 0},
	{"and", `if n >= 0 && n < len(x) { x[n] = 1 }`, 0},
	{"or", `if n < 0 || n >= len(x) { return }; x[n] = 1`, 0},
	{"kept bool", `ok := n >= 0 && n < len(x); if ok { x[n] = 1 }`, 0},
	{"unsigned", `if uint(n) < uint(len(x)) { x[n] = 1 }`, 0},
	{"beyond a check", `x[n] = 1; x[n] = 2`, 1},
	{"lower index", `x[n] = 1; dsl.SyncThreads(); if n > 3 { x[n-2] = 1 }`, 1},
	{"equal lengths", `if len(x) != len(y) { return }; for i := range x { y[i] = x[i] }`, 0},
	{"reslice", `y = y[:len(x)]; for i := range x { y[i] = x[i] }`, 1},
	{"mask", `var t [8]int32; x[0] = t[n&7] + t[uint(n)%8]`, 1},
	{"byte", `var t [256]int32; x[0] = t[uint8(n)]`, 1},
	{"shift", `var t [64]int32; x[0] = t[dsl.ThreadIdx().X>>4]`, 1},
	{"thread", `t := dsl.Shared[[1024]int32](); t[dsl.ThreadIdx().X] = 1`, 0},
	{"lane", `t := dsl.Shared[[64]int32](); t[dsl.LaneID()] = 1; t[dsl.WarpID()] = 1`, 0},
	{"thread below", `t := dsl.ThreadIdx().X; s := dsl.SharedSlice[int32](96); if t < 32 { s[3*t+2] = 1 }`, 0},
	{"grid stride", `for i := dsl.GlobalIdx().X; i < len(x); i += dsl.GlobalSize().X { x[i] = 1 }`, 0},
	{"down", `for i := len(x) - 1; i >= 0; i-- { x[i] = 1 }`, 0},
	{"quarters", `for i := 0; i < len(x)/4; i++ { x[4*i] = x[4*i+3] }`, 0},
	{"quarters from there", `for i := range len(x)/4 { p := x[4*i:]; p[0] = p[3] }`, 0},
	{"quarters of a part", `if m := int(y[0]); n >= 0 && n <= m && m <= len(x) { p := x[n:m]; for i := range len(p)/4 { p[4*i] = p[4*i+3] } }`, 2},
	{"quarters of a part, from there", `if m := int(y[0]); n >= 0 && n <= m && m <= len(x) { p := x[n:m]; for i := range len(p)/4 { q := p[4*i:]; q[0] = q[3] } }`, 2},
	{"halves", `s := dsl.Shared[[64]int32](); t := dsl.ThreadIdx().X; for d := 32; d > 0; d >>= 1 { if t < d { s[t] += s[t+d] } }`, 0},
	{"tree", `s := dsl.Shared[[64]int32](); t := dsl.ThreadIdx().X; off := 1; for d := 32; d > 0; d >>= 1 { if t < d { s[off*(2*t+2)-1] += s[off*(2*t+1)-1] }; off *= 2 }; if t == 0 { s[off-1] = 0 }`, 0},
	{"clamp", `if n < 0 { n = 0 }; if n >= len(x) { n = len(x)-1 }; if n >= 0 { x[n] = 1 }`, 0},
	{"min", `if len(x) > 0 { x[min(max(n, 0), len(x)-1)] = 1 }`, 0},
	{"helper", `t := dsl.ThreadIdx().X; s := dsl.Shared[[1100]int32](); s[pad(t)] = 1`, 0},
	{"array loop", `var t [9]int32; for i := range 9 { t[i] = int32(n) }; for i := 0; i < 9; i += 2 { x[0] += t[i] }`, 1},
	{"behind a loop", `var s [8]int32; for j := 0; j < 8; j += 2 { x[n+j] = s[uint(n+j)%8] }; x[n] = x[n+6]`, 1},
	{"behind a loop that goes down", `for j := 5; j > 0; j-- { x[n+j] = 1 }; x[n+1] = x[n+5]`, 1},
	{"behind a loop, the same", `for j := range 4 { y[j] = x[n] }; x[n] = 1`, 2},
	{"threads of AMD's grids", `var t [1]int32; x[0] = t[dsl.GlobalIdx().X>>32] + t[dsl.GlobalSize().Z>>32]`, 1},
	{"threads of AMD's grids, counted", `var t [1]int32; b, d := dsl.BlockIdx(), dsl.BlockDim(); x[0] = t[(b.Y*d.Y+dsl.ThreadIdx().Y)>>32] + t[(d.X*dsl.GridDim().X)>>32]`, 1},
	{"float in a range", `f := float32(n)/8; if f >= 0 && f < float32(len(x)) { x[int(f)] = 1 }`, 0},
	{"float in a range, the other way", `f := float64(n)/8; if float64(len(x)) > f && 0 <= f { x[int(f)] = 1 }`, 0},
	{"float between constants", `var t [9]int32; f := float32(n)/8; if f >= 2.5 && f < 9 { x[0] = t[int(f)-2] + t[int(f)] }`, 1},
	{"float up to a constant", `var t [9]int32; f := float32(n)/8; if f > 0 && f <= 8.5 { x[0] = t[int(f)] }`, 1},
	{"float in a range, less one", `f := float32(n)/8; if f >= 0 && f < float32(len(x)-1) { x[int(f)+1] = x[int(f)] }`, 0},
	{"float that is rounded down", `f := float32(n)/8; if f >= 0 && f < float32(len(x)) { x[int(dsl.Floor(f))] = 1 }`, 0},
	{"float in a helper's range", `f, g := float32(n)/8, float32(n)/9; inside := func() bool { return f >= 0 && g >= 0 && f < float32(len(x)) && g < float32(len(y)) }; if !inside() { return }; x[int(f)] = y[int(g)]`, 0},
	{"average", `var t [256]int32; s, k := 0, 0; for _, v := range y { if v > 3 { s += int(uint8(v)); k++ } }; if k > 0 { x[0] = t[s/k] }`, 1},
	{"average of averages", `var t [256]int32; m := 9; for range n { s, k := 0, 0; for _, v := range y { if int(v) > m { s += int(uint8(v)); k++ } }; if k == 0 { break }; m = s / k }; x[0] = t[m]`, 1},
	{"greatest so far", `var t [16]int32; m := 3; for _, v := range y { if k := int(v) & 15; k > m { m = k } }; x[0] = t[m]`, 1},
	{"greatest so far of inner loops", `var t [16]int32; m := 3; for _, v := range y { k := int(v) & 7; for _, u := range y[1:] { if j := int(u) & 15; j > k { k = j } }; if k > m { m = k } }; x[0] = t[m]`, 1},
	{"place in a ring", `var t [16]int32; k := 0; for _, v := range y { t[k] = v; k++; if k == 16 { k = 0 } }; x[0] = t[n&15]`, 1},
	{"place in a ring, sometimes", `var t [16]int32; k := 0; for _, v := range y { if v > 3 { t[k] = v; k++; if k == 16 { x[0] = 1; k = 0 } } }; x[0] = t[n&15]`, 2},
	{"place in a ring, back", `var t [16]int32; k := 15; for _, v := range y { t[k] = v; k--; if k == -1 { k = 15 } }; x[0] = t[n&15]`, 1},
	{"place in a ring, back, sometimes", `var t [16]int32; k := 15; for _, v := range y { if v > 3 { t[k] = v; k--; if k == -1 { x[0] = 1; k = 15 } } }; x[0] = t[n&15]`, 2},
	{"leading zeros", `var t [33]int32; x[0] = t[bits.LeadingZeros32(uint32(n))] + t[bits.Len32(uint32(n))]`, 1},

	// what does not
	{"greatest so far of more", `var t [16]int32; m := 3; for _, v := range y { if k := int(v) & 15; k > m { m = k + m } }; x[0] = t[m]`, 2},
	{"least so far", `var t [16]int32; m := 3; for _, v := range y { if k := int(int8(v)); k < m { m = k } }; x[0] = t[m]`, 2},
	{"place in a ring that is too great", `var t [16]int32; k := 0; for _, v := range y { t[k] = v; k++; if k == 17 { k = 0 } }; x[0] = t[n&15]`, 2},
	{"place in a ring that goes by two", `var t [16]int32; k := 0; for _, v := range y { t[k] = v; k++; if v > 3 { k++ }; if k == 16 { k = 0 } }; x[0] = t[n&15]`, 2},
	{"place in a ring that begins beyond", `var t [16]int32; k := 16; for _, v := range y { t[k-1] = v; k++; if k == 16 { k = 1 } }; x[0] = t[n&15]`, 2},
	{"place in a ring that begins anywhere", `var t [16]int32; k := int(uint8(n)); for _, v := range y { t[k] = v; k++; if k == 16 { k = 0 } }; x[0] = t[n&15]`, 2},
	{"place in a ring that is compared sometimes", `var t [16]int32; k := 0; for _, v := range y { t[k] = v; k++; if v > 3 && k == 16 { k = 0 } }; x[0] = t[n&15]`, 2},
	{"count of all ints", `var t [256]int32; k := int(uint8(y[0])); if i, m := n, int(y[1])<<40; i < m { for { k++; i++; if i >= m { break } } }; x[0] = t[k]`, 4},
	{"leading zeros of more", `var t [33]int32; x[0] = t[bits.LeadingZeros64(uint64(n))] + t[bits.Len64(uint64(n))]`, 3},
	{"average of what may be negative", `var t [256]int32; s, k := 0, 0; for _, v := range y { s += int(int8(v)); k++ }; if k > 0 { x[0] = t[s/k] }`, 2},
	{"average of more than is counted", `var t [256]int32; s, k := 0, 0; for _, v := range y { s += int(uint8(v)); if v > 3 { k++ } }; if k > 0 { x[0] = t[s/k] }`, 2},
	{"average by another count", `var t [256]int32; s, k := 0, 0; for _, v := range y { s += int(uint8(v)); k += int(int8(v)) }; if k > 0 { x[0] = t[s/k] }`, 2},
	{"average by the count of another loop", `var t [256]int32; s, k := 0, 0; for range y { k++ }; for _, v := range x { s += int(uint8(v)) }; if k > 0 { x[0] = t[s/k] }`, 2},
	{"average of small and large", `var t [256]int32; s, k := 0, 0; for _, v := range y { if v > 3 { s += int(uint8(v)); k++ } else { s += int(uint16(v)); k++ } }; if k > 0 { x[0] = t[s/k] }`, 2},
	{"average of large and small", `var t [256]int32; s, k := 0, 0; for _, v := range y { if v > 3 { s += int(uint16(v)); k++ } else { s += int(uint8(v)); k++ } }; if k > 0 { x[0] = t[s/k] }`, 2},
	{"average of two at once", `var t [256]int32; s, k := 0, 0; for _, v := range y { s += int(uint8(v)); s += int(uint8(v>>1)); k++ }; if k > 0 { x[0] = t[s/k] }`, 2},
	{"average of a sum that begins with another number", `var t [256]int32; s, k := 300, 0; for _, v := range y { s += int(uint8(v)); k++ }; if k > 0 { x[0] = t[s/k] }`, 2},
	{"average of what was counted before", `var t [256]int32; s, k := 0, 0; for _, v := range y { s += int(uint8(v)); k++ }; for _, v := range x { s += int(uint8(v)) }; if k > 0 { x[0] = t[s/k] }`, 2},
	{"float that may be no number", `f := float32(y[0]); if f < 0 || f >= float32(len(x)) { return }; x[int(f)] = 1`, 2},
	{"float that may be negative", `f := float32(n)/8; if f > -2 && f < float32(len(x)) { x[int(f)] = 1 }`, 1},
	{"float that may be great", `f := float32(n)*1e30; if f >= 0 { x[int(f)/(1<<62)] = 1 }`, 1},
	{"float up to a length", `f := float32(n)/8; if f >= 0 && f <= float32(len(x)) { x[int(f)] = 1 }`, 1},
	{"float of less than a negative number", `f := float32(n)/8; if f < float32(n-1) && f > -1 && n < len(x) { x[int(f)] = 1 }`, 1},
	{"float that is rounded up", `f := float32(n)/8; if f >= 0 && f < float32(len(x)) { x[int(dsl.Ceil(f))] = 1 }`, 1},
	{"float of short ints", `f := float32(n); if f >= 0 && f < float32(len(x)) { x[int16(f)] = 1 }`, 1},
	{"another float", `f, g := float32(n)/8, float32(n)/9; if f >= 0 && f < float32(len(x)) { x[int(g)] = 1 }`, 1},
	{"more than the threads of a grid", `var t [1]int32; b, d := dsl.BlockIdx(), dsl.BlockDim(); x[0] = t[(dsl.GridDim().Y*d.Y+dsl.ThreadIdx().Y)>>32] + t[(d.X*b.Y)>>32]`, 3},
	{"behind a loop, further", `for j := 0; j < 8; j += 2 { x[n+j] = 1 }; x[n+7] = 1`, 2},
	{"behind a loop, before", `for j := 2; j < 8; j += 2 { x[n+j] = 1 }; x[n+1] = 1`, 2},
	{"behind a condition in a loop", `for j := range 4 { if y[j] > 0 { x[n+j] = 1 } }; x[n+3] = 1`, 3},
	{"behind a loop that is left", `for j := range 4 { x[n+j] = 1; if y[0] > 0 { break } }; x[n+3] = 1`, 3},
	{"behind an unknown loop", `for j := range int(y[0]) { x[n+j] = 1 }; x[n] = 1`, 3},
	{"behind a loop of uints", `for j := uint(0); j < 4; j++ { x[uint(n)+j] = 1 }; x[n] = 1`, 2},
	{"behind a loop from below", `for j := -3; j < 4; j++ { x[n+j] = 1 }; x[n] = 1`, 2},
	{"overflow", `if n+1 < len(x) { x[n+1] = 1 }`, 1},
	{"overflow below", `if n > 0 && n+5 < len(x) { x[n+5] = 1 }`, 1},
	{"product", `if n >= 0 && n*4 < len(x) { x[n] = 1 }`, 1},
	{"steps past", `for i := 0; i < len(x); i += 2 { x[i+1] = 1 }`, 1},
	{"steps round", `for i := n; i != 0; i += 7 { x[i] = 1 }`, 1},
	{"rises past the end", `for i := n; i < len(x); i++ { x[i] = 1 }`, 1},
	{"narrow loop", `var t [200]int32; for i := int8(100); i > 0; i += 20 { t[i] = 1 }; for i := int8(100); i != 0; i += 20 { t[i] = 1 }; x[0] = t[0]`, 2},
	{"truncated", `if n >= 0 && n < len(x) { x[int32(n)] = 1 }`, 1},
	{"sign", `var t [16]int32; x[0] = t[int8(n)&15] + t[n%16]`, 2},
	{"other length", `for i := range x { y[i] = 1 }`, 1},
	{"changed", `i := dsl.Shared[int](); if *i >= 0 && *i < len(x) { x[*i] = 1 }`, 1},
	{"changed slice", `s := x; if n > 0 { s = y }; for i := range x { s[i] = 1 }`, 1},
	{"not by this way", `ok := n >= 0 && n < len(x) || n > 1000; if ok { x[n] = 1 }`, 1},
	{"phi of a loop", `k := 0; for i := 0; i < len(x); i++ { if k > 2 { x[k] = 1 }; k = i * 3 }`, 1},
	{"earlier state", `var t [7]int32; var s [8]int32; p := 0; for i := 0; i < 4; i++ { if p > 0 { t[p-1] = 1; }; p = i * 4 }; x[0] = s[n&7] + t[0]`, 2},
	{"last state", `var t [4]int32; i := 0; for ; t[i] == 0 && i < 4; i++ { }; x[0] = int32(i)`, 2},
	{"inequality", `if n != len(x) && n >= 0 { x[n] = 1 }`, 1},
	{"at most", `if n >= 0 && n <= len(x) { x[n] = 1 }`, 1},
	{"uint64", `u := uint64(n); if u > 3 { x[u-4] = 1 }`, 1},
	{"huge unsigned", `u := uint64(n); if u < uint64(n)+8 { x[u&^7] = 1 }`, 1},
	{"thread above", `t := dsl.Shared[[1000]int32](); t[dsl.ThreadIdx().X] = 1`, 1},
	{"what shared memory may hold", `t := dsl.ThreadIdx().X; c, s := dsl.Shared[[1024]int32](), dsl.Shared[[4096]int32](); c[t] = int32(n&1); k := 0; for w := range dsl.BlockDim().X { k += int(c[w]) }; s[k] = 1`, 1},
	{"a part of what shared memory may hold", `t := dsl.ThreadIdx().X; c, s := dsl.Shared[[1024]uint32](), dsl.Shared[[4096]int32](); c[t] = uint32(n&1); for w := range dsl.BlockDim().X { a := int(c[w]); b := a + int(c[w^1]); s[b] = 1; s[a] = 2 }`, 2},
	{"half of negative", `var t [8]int32; if n < 8 { x[0] = t[n/2] + t[n>>1] }`, 3},
}

const provedSource = `package p

import (
	"math/bits"

	"heddle/dsl"
)

var (
	_ dsl.Dim3
	_ = bits.Len
)

func pad(i int) int { return i + i>>5 }

`

var panicCalls = regexp.MustCompile(`call void @heddle_panic\(`)

// TestProved counts the checks that are left of kernels.
func TestProved(t *testing.T) {
	for _, c := range provedCases {
		t.Run(c.name, func(t *testing.T) {
			pkg := buildSource(t, "k.go", provedSource+"func K(n int, x, y []int32) {\n"+c.body+"\n}")
			prog, err := Check(kernelOf(t, pkg, "K"))
			if err != nil {
				t.Fatal(err)
			}
			if got := checksLeft(t, prog); got != c.left {
				t.Errorf("%d checks are left, want %d", got, c.left)
			}
		})
	}
}

// checksLeft is how many checks a kernel has on a machine; joined ones count one by one.
func checksLeft(t testing.TB, prog *Program) int {
	t.Helper()
	m, err := target.For(goldenArch, 0)
	if err != nil {
		t.Fatal(err)
	}
	m.CodeObject = 4
	res, err := prog.Lower(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return len(panicCalls.FindAll(res.IR, -1))
}

// TestSpans holds the arithmetic of intervals to that of all numbers in them, for types
// that are small enough to try all.
func TestSpans(t *testing.T) {
	ends := map[bool][]int64{true: {-128, -127, -9, -8, -1, 0, 1, 2, 7, 8, 31, 126, 127}, false: {0, 1, 2, 7, 8, 31, 127, 128, 254, 255}}
	for _, signed := range []bool{true, false} {
		typ := intType{8, signed}
		for _, op := range spanOps {
			for _, x := range spansOf(ends[signed]) {
				for _, y := range spansOf(ends[signed]) {
					trySpans(t, op, typ, x, y)
				}
			}
		}
	}
}

func spansOf(ends []int64) (all []span) {
	for i, lo := range ends {
		for _, hi := range ends[i:] {
			all = append(all, span{lo, hi})
		}
	}
	return all
}

func (s span) String() string {
	return "[" + strconv.FormatInt(s.lo, 10) + "," + strconv.FormatInt(s.hi, 10) + "]"
}

func trySpans(t *testing.T, op spanOp, typ intType, x, y span) {
	t.Helper()
	got, exact := spanOf(op.token, typ, typ, x, y)
	for _, a := range some(x) {
		for _, b := range some(y) {
			r, ok := op.of(a, b)
			if !ok {
				continue
			}
			wrapped := int64(uint8(r))
			if typ.signed {
				wrapped = int64(int8(r))
			}
			if wrapped < got.lo || wrapped > got.hi {
				t.Fatalf("%s of %v, %v: %v, but %d, %d gives %d", op.token, x, y, got, a, b, wrapped)
			}
			if exact && wrapped != r {
				t.Fatalf("%s of %v, %v is called exact, but %d, %d wraps around", op.token, x, y, a, b)
			}
		}
	}
}

// some are numbers of a span: the ends, those beside them, and one between.
func some(s span) (all []int64) {
	for _, n := range []int64{s.lo, s.lo + 1, (s.lo + s.hi) / 2, s.hi - 1, s.hi} {
		if n >= s.lo && n <= s.hi {
			all = append(all, n)
		}
	}
	return all
}

// TestProofIsLimited compiles a function in which every check leads to the next.
func TestProofIsLimited(t *testing.T) {
	var b strings.Builder
	b.WriteString("package p\nfunc K(n int, x, y []int32) {\n")
	for i := range 400 {
		fmt.Fprintf(&b, "if n+%d < len(x) { y[n%%%d] = x[n+%d]; n += int(x[n&%d]) }\n", i, i+2, i, i)
	}
	b.WriteString("}\n")
	pkg := buildSource(t, "k.go", b.String())
	prog, err := Check(kernelOf(t, pkg, "K"))
	if err != nil {
		t.Fatal(err)
	}
	if checksLeft(t, prog) == 0 {
		t.Error("no check is left")
	}
}
