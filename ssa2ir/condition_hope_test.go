package ssa2ir

import (
	"strings"
	"testing"

	"heddle/internal/abi"
)

// TestTailoredHolds has code that is made for a launch be such that the launch may run it, with as few checks as can be: what is asked for holds in all
// blocks, and not just in the last one.
func TestTailoredHolds(t *testing.T) {
	const volume = "x, y, z := dsl.GlobalIdx().X, dsl.GlobalIdx().Y, dsl.GlobalIdx().Z\n\tif x >= 4 && y >= 4 && z >= 4 && x <= n-5 && y <= n-5 && z <= n-5 {\n\t\t"
	const part = "b, blocks := dsl.BlockIdx().X, dsl.GridDim().X\n\t"
	const last = "start := b * size\n\tstop := start + size\n\tif b == blocks-1 {\n\t\tstop = len(in)\n\t}\n\tif i := start + dsl.ThreadIdx().X; i < stop {\n\t\tout[i] = in[i] + float32(m)\n\t}"
	const tile = part + "tile := dsl.Shared[[16]float32]()\n\tt, end := dsl.ThreadIdx().X, 15\n\ttile[t] = in[t]\n\tdsl.SyncThreads()\n\t" +
		"if b == blocks-1 {\n\t\tend = n - 1 - 14*b\n\t}\n\tif t < end {\n\t\tout[t] = tile[t+1] + float32(m)\n\t}"
	for name, c := range map[string]struct {
		body        string
		n, in, out  int64
		grid, block [3]int
		checks      int
	}{
		"a stencil of high order":                    {volume + "out[z*m*n+y*n+x] = in[z*m*n+y*n+x+4] - in[z*m*n+y*n+x-4] + in[(z+4)*m*n+y*n+x] - in[(z-4)*m*n+y*n+x]\n\t}", 16, 4096, 4096, [3]int{2, 2, 2}, [3]int{8, 8, 8}, 0},
		"of which a part is indexed":                 {volume + "out[z*m*n+y*n+x] = in[z*m*n+y*n+x+4] * out[z*m*n+y*n+x-1] - in[z*m*n+y*n+x-4] * out[z*m*n+y*n+x-3] + in[z*m*n+y*n+x-3]\n\t}", 16, 3008, 3004, [3]int{2, 2, 2}, [3]int{8, 8, 8}, 0},
		"what is behind the first in the last block": {"if i := dsl.GlobalIdx().X; i < len(out) && m != 0 {\n\t\tout[i] = in[i-1]\n\t}", 16, 64, 64, [3]int{4, 1, 1}, [3]int{16, 1, 1}, 1},
		"the last block goes on to the end":          {part + "size := len(in) / dsl.GridDim().X\n\t" + last, 16, 70, 70, [3]int{4, 1, 1}, [3]int{32, 1, 1}, 0},
		"or not as far as others would":              {part + "size := n\n\t" + last, 20, 64, 64, [3]int{4, 1, 1}, [3]int{32, 1, 1}, 1},
		"the last block has a smaller tile":          {tile, 48, 64, 64, [3]int{4, 1, 1}, [3]int{16, 1, 1}, 0},
		"or a larger one":                            {tile, 64, 64, 64, [3]int{4, 1, 1}, [3]int{16, 1, 1}, 1},
		"the first block of a group":                 {"b := dsl.BlockIdx().X\n\tout[b-b&(n/2-1)] = in[b]", 4, 4, 4, [3]int{4, 1, 1}, [3]int{32, 1, 1}, 0},
		"or something before it":                     {"b := dsl.BlockIdx().X\n\tout[b-(b+1)&(n/2-1)] = in[b]", 4, 4, 4, [3]int{4, 1, 1}, [3]int{32, 1, 1}, 1},
		"by blocks, of which a constant is taken":    {"i := dsl.BlockIdx().X*16\n\tif m != 0 {\n\t\tout[i] = in[i-16]\n\t}", 16, 64, 64, [3]int{4, 1, 1}, [3]int{16, 1, 1}, 1},
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n, m int, in, out []float32) {\n\t" + c.body + "\n}\n"
		l := &abi.Launch{Args: argBlock(c.n, c.n, apart, c.in, c.in, apart, c.out, c.out), Grid: c.grid, Block: c.block}
		for _, arch := range []string{"gfx942", "gfx1100", "sm_90"} {
			res := lowered(t, source, arch, Options{Conditional: true, Launch: l})
			if res.Condition == nil || !res.Condition.Holds(l) {
				t.Errorf("%s: %s: the condition does not hold of the launch that it is made for", arch, name)
			}
			if got := checks(res.IR); got != c.checks {
				t.Errorf("%s: %s: %d checks are left, want %d", arch, name, got, c.checks)
			}
		}
	}
}

// TestHopelessArray does without 32 bits for an array that needs more, for all that is known, and has the checks of what the host can tell about.
func TestHopelessArray(t *testing.T) {
	source := `package p

import "heddle/dsl"

func K(from, to []byte, starts []int32, out []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	a, b := from[starts[i]:starts[i+1]], to[starts[i]:starts[i+1]]
	var costs [33]int
	var moves [33][33]uint8
	for j := range b {
		costs[j+1] = j + 1
		moves[0][j+1] = 1
	}
	for i, x := range a {
		diagonal := costs[0]
		costs[0] = i + 1
		moves[i+1][0] = 2
		for j, y := range b {
			cost := diagonal
			if x != y {
				cost = diagonal + 1
			}
			diagonal, costs[j+1] = costs[j+1], min(cost, costs[j+1]+1, costs[j]+1)
			moves[i+1][j+1] = uint8(cost)
		}
	}
	out[i] = int32(costs[len(b)]) + int32(moves[len(a)][len(b)])
}
`
	for _, arch := range []string{"gfx942", "gfx1100", "sm_90"} {
		res := lowered(t, source, arch, Options{Conditional: true})
		if res.Condition == nil || !res.Condition.Holds(&abi.Launch{Args: argBlock(apart, 9, 9, apart, 9, 9, apart, 5, 5, apart, 4, 4), Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1}}) {
			t.Errorf("%s: there is no condition, or it does not hold", arch)
		}
	}
}

// TestTailoredArray holds an array in 32 bits by what its integers are in the launch: one of 24 and what is added for each character.
func TestTailoredArray(t *testing.T) {
	source := `package p

import "heddle/dsl"

func K(words, word []byte, out []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	own := words[i*24 : (i+1)*24]
	var row [24 + 1]int
	for k := range row {
		row[k] = k
	}
	for r, c := range word {
		diagonal := row[0]
		row[0] = r + 1
		for k, o := range own {
			cost := 1
			if o == c {
				cost = 0
			}
			best := min(diagonal+cost, row[k]+1, row[k+1]+1)
			diagonal = row[k+1]
			row[k+1] = best
		}
	}
	out[i] = int32(row[24])
}
`
	for _, word := range []int64{23, 24, 25} {
		l := &abi.Launch{Args: argBlock(apart, 7200, 7200, apart, word, word, apart, 300, 300), Grid: [3]int{3, 1, 1}, Block: [3]int{128, 1, 1}}
		for _, arch := range []string{"gfx942", "sm_90"} {
			res := lowered(t, source, arch, Options{Conditional: true, Launch: l})
			if res.Condition == nil || !res.Condition.Holds(l) || !strings.Contains(string(res.IR), "alloca [25 x i32]") || checks(res.IR) > 0 {
				t.Errorf("%s: a word of %d: the array needs 64 bits, there are checks, or the condition does not hold", arch, word)
			}
		}
	}
}

// TestLargeSlices has a condition hold of slices of 4 GB and more: of AMD's, if the code is made for them.
func TestLargeSlices(t *testing.T) {
	source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(in, out []float64) {\n\tif i := dsl.GlobalIdx().X; i < len(out) {\n\t\tout[i] = in[i]\n\t}\n\tfor _, v := range in[:len(out)] {\n\t\tout[0] += v\n\t}\n}\n"
	for _, n := range []int64{1<<29 - 1, 1 << 29, 1 << 30} {
		l := &abi.Launch{Args: argBlock(apart, n, n, apart, n, n), Grid: [3]int{1 << 20, 1, 1}, Block: [3]int{1024, 1, 1}}
		for arch, most := range map[string]int64{"gfx942": 1<<29 - 1, "gfx1100": 1<<29 - 1, "sm_90": 1 << 30} {
			if got := lowered(t, source, arch, Options{Conditional: true}).Condition.Holds(l); got != (n <= most) {
				t.Errorf("%s: the condition holds of %d elements: %v", arch, n, got)
			}
			res := lowered(t, source, arch, Options{Conditional: true, Launch: l})
			if res.Condition == nil || !res.Condition.Holds(l) || checks(res.IR) > 1 { // of out[0]
				t.Errorf("%s: the condition of code for %d elements is %v, and there are %d checks", arch, n, res.Condition, checks(res.IR))
			}
		}
	}
}

// TestKnownOnes finds conditions that never hold.
func TestKnownOnes(t *testing.T) {
	arg := abi.Step{Op: abi.StepArg, Y: 8}
	konst := func(k uint64) abi.Step { return abi.Step{Op: abi.StepConst, K: k} }
	for _, c := range []struct {
		steps abi.Condition
		want  uint64
	}{
		{abi.Condition{arg}, 0},
		{abi.Condition{konst(5)}, 5},
		{abi.Condition{arg, konst(4), {Op: abi.StepOr, X: 0, Y: 1}}, 4},
		{abi.Condition{arg, konst(4), {Op: abi.StepAdd, X: 0, Y: 1}}, 0},
		{abi.Condition{arg, konst(0), konst(4), {Op: abi.StepSub32, X: 1, Y: 2}, {Op: abi.StepOr, X: 0, Y: 3}, konst(31), {Op: abi.StepShr, X: 4, Y: 5}}, 1},
		{abi.Condition{arg, konst(6 << 32), {Op: abi.StepOr, X: 0, Y: 1}, {Op: abi.StepLow, X: 2}}, 0},
		{abi.Condition{konst(7<<32 | 9), {Op: abi.StepLow, X: 0}, konst(3), {Op: abi.StepMul, X: 1, Y: 2}}, 27},
		{abi.Condition{konst(7), konst(0), {Op: abi.StepDiv, X: 0, Y: 1}}, 7},
		{abi.Condition{arg, konst(1), {Op: abi.StepShr, X: 1, Y: 0}}, 0},
	} {
		if got := knownOnes(c.steps); got != c.want {
			t.Errorf("%v: %#x, want %#x", c.steps, got, c.want)
		}
	}
}
