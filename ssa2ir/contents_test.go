package ssa2ir

import (
	"iter"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/target"
)

// Arrays in a thread's memory, by what they hold.
var (
	held32 = regexp.MustCompile(`alloca .* x i32\]+, align 16`)
	held64 = regexp.MustCompile(`alloca .* x i64\]+, align 16`)
)

// TestContents says which local arrays of ints are held in 32 bits: always, where that is asked (two versions), or never.
func TestContents(t *testing.T) {
	const always, asked, never = "always", "asked", "never"
	for _, c := range []struct{ name, body, want string }{
		{"counts", "for i := range 100 { t[(x+i)%20]++ }; s = t[x%20]", always},
		{"likewise, down", "for i := range 100 { t[(x+i)%20] -= 7 }; s = t[x%20]", always},
		{"counts as often as a slice is long", "for i := range in { t[(x+i)%20]++ }; s = t[x%20]", asked},
		{"steps of the kernel's", "for i := range in { t[(x+i)%20] += n }; s = t[x%20]", asked},
		{"edit distance", "for r := range in { d := t[0]; t[0] = r + 1; for k := range 19 { d, t[k+1] = t[k+1], min(d+1, t[k]+1, t[k+1]+1) } }; s = t[19]", asked},
		{"a gap", "for r := range in { for k := range 19 { t[k+1] = max(t[k]-n, t[k+1]-n, int(in[r]>>16)) } }; s = t[19]", asked},
		{"in two dimensions", "var m [5][6]int; for i := range in { m[i%5][x%6] += 2 }; s = m[x%5][1]", asked},
		{"row by row", "var m [5][20]int; for r := range m { for k := range m[r] { m[r][k] += x & 3 } }; s = m[x%5][1]", always},
		{"of a part", "for _, v := range in[n*30 : (n+1)*30] { t[v&15] += 1000 }; s = t[x%20]", always},
		{"great steps", "for i := range 100 { t[(x+i)%20] += 1 << 26 }; s = t[x%20]", never},
		{"edit distance, by checks", "own := [20]int8{}; for r := range in { d := t[0]; t[0] = r + 1; own[r+1] = 1; for k := range wide { d, t[k+1] = t[k+1], min(d+1, t[k]+1, t[k+1]+1) } }; s = t[19] + int(own[x%20])", always},
		{"doubled", "for i := range 10 { t[(x+i)%20] += t[i] }; s = t[x%20]", never},
		{"what is loaded", "for i, v := range wide { t[i%20] += v }; s = t[x%20]", never},
		{"a loop that ends when it will", "for t[x%20] != in2(wide) { t[(x+1)%20]++ }; s = t[x%20]", never},
		{"its counter does not count", "for i := 0; i < n; { t[i%20]++; if wide[i] > 3 { i++ } }; s = t[x%20]", never},
		{"its test is not always made", "for i := 0; ; i++ { t[(i+x)%20]++; if wide[i&7] > 3 && i > n { break } }; s = t[x%20]", never},
		{"a variable that grows", "d := t[0]; for i := range in { d += 2; t[i%20] = d }; s = t[x%20]", never},
		{"a variable that grows by elements", "d := t[0]; for i := range in { d += t[i%20]; t[i%20] = d }; s = t[x%20]", never},
		{"a loop with two ways in", "i := 0; if n > 3 { goto middle }; again: t[(i+x)%20]++; middle: if i++; i < 50 { goto again }; s = t[x%20]", never},
		{"a loop of jumps", "i := 0; again: t[(i+x)%20]++; if i++; i < 50 { goto again }; s = t[x%20]", always},
		{"its address", "p := &t[x%20]; if n > 3 { p = &t[1] }; *p = 1; s = t[x%20]", never},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc in2(a []int) int { return a[2] }\n\nfunc K(n int, in []int32, wide, out []int) {\n\tx := dsl.GlobalIdx().X\n\tif x >= len(out) {\n\t\treturn\n\t}\n\tvar t [20]int\n\ts := t[0]\n\t" +
				c.body + "\n\tout[x] = s\n}\n"
			for _, arch := range []string{"gfx942", "sm_90"} {
				ir := string(lowered(t, source, arch, Options{}, func(t *target.Target) { t.Bounded = target.Everywhere }).IR)
				got := never
				switch narrow, wide := held32.MatchString(ir), held64.MatchString(ir); {
				case narrow && wide && strings.Contains(ir, abi.Decision):
					got = asked
				case narrow:
					got = always
				}
				if got != c.want {
					t.Errorf("%s: held in 32 bits: %s, want %s", arch, got, c.want)
				}
			}
			if held32.MatchString(string(lowered(t, source, "x86-64-v3", Options{}).IR)) {
				t.Error("cpu: held in 32 bits")
			}
		})
	}
}

// What is found of an array holds for all numbers that the kernel is given, also where loops are not run: there are no steps back.
func TestContentsAnywhere(t *testing.T) {
	source := `package p

func K(n, m, k int, out []int) {
	var t [9]int
	t[k&7] = 1000 * k
	for i := 5; i < n; i++ {
		for j := 0; j < m; j++ {
			t[i&7] += 7
		}
	}
	for i := n; i > 3; i-- {
		t[i&7] -= m
	}
	out[0] = t[n&7]
}
`
	prog, err := Check(kernelOf(t, buildSource(t, "k.go", source), "K"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := target.For("gfx942", 0)
	if err != nil {
		t.Fatal(err)
	}
	know := prog.root.evaluator(m, map[*instance]*evaluator{})
	p := newProver(prog.root, know, 1024, m)
	for v := range p.parameters() {
		p.node(v).base = span{0, math.MaxInt32}
	}
	arrays := prog.root.intArrays(know)
	p.findContents(arrays, nil)
	if len(arrays) != 1 || !arrays[0].lo.known || !arrays[0].hi.known {
		t.Fatalf("%d arrays: %v, %v", len(arrays), arrays[0].lo, arrays[0].hi)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		given := map[string]int64{}
		values := map[*node]int64{}
		for v := range p.parameters() {
			given[v.Name()] = r.Int64N(1 << r.IntN(12))
			values[p.node(v)] = given[v.Name()]
		}
		hi := max(1000*given["k"], 0) + 7*max(given["n"]-5, 0)*given["m"]
		lo := -given["m"] * max(given["n"]-3, 0)
		if a := arrays[0]; a.hi.at(values) < hi || a.lo.at(values) > lo {
			t.Fatalf("%v: from %d to %d, and it may hold %d and %d", given, a.lo.at(values), a.hi.at(values), lo, hi)
		}
	}
}

// parameters are the kernel's that are ints.
func (p *prover) parameters() iter.Seq[*ssa.Parameter] {
	return func(yield func(*ssa.Parameter) bool) {
		for _, v := range p.in.fn.Params {
			if t, ok := typeOf(v.Type()); ok && t == goInt && !yield(v) {
				return
			}
		}
	}
}
