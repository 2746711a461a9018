package ssa2ir

import (
	"go/token"
	"regexp"
	"strings"
	"testing"

	"heddle/internal/target"
)

// together are calls that threads make together.
var together = regexp.MustCompile(`call [^@]*@llvm\.nvvm\.(shfl|barrier0)|call float @heddle_p_both\(`)

// Loops with barriers or shuffles in them, of which all threads make as many iterations, make four at a time for NVIDIA's GPUs and then the rest.
func TestRepeats(t *testing.T) {
	const shuffle, barrier = "s += dsl.ShflXor(s, 1)", "dsl.SyncThreads(); a[k] = s"
	long := strings.Repeat("s = s*x[k] + 1; ", 25) // too long for four times
	for _, c := range []struct {
		name, body string
		want       int // shuffles or barriers in the code
	}{
		{"to a number that is passed", "for k := 0; k < n; k++ { " + barrier + " }", 5},
		{"over an int", "for k := range n { _ = k; " + shuffle + " }", 5},
		{"to a length", "for k := 0; k < len(a); k++ { " + barrier + " }", 5},
		{"of a block", "for k := dsl.BlockIdx().X; k < n; k += 8 { " + barrier + " }", 5},
		{"of all blocks", "for k := dsl.BlockIdx().X; k < n; k += dsl.GridDim().X { " + barrier + " }", 1},
		{"to what all load", "for k := range p[dsl.BlockIdx().X] { _ = k; " + shuffle + " }", 5},
		{"to what each loads", "for k := range p[t] { _ = k; " + shuffle + " }", 1},
		{"to what all load, with atomic operations", "dsl.AtomicAdd(&p[1], 1); for k := range p[0] { _ = k; " + shuffle + " }", 1},
		{"to a number that is passed, with atomic operations", "dsl.AtomicAdd(&p[1], 1); for k := range n { _ = k; " + shuffle + " }", 5},
		{"of each thread", "for k := t; k < n; k++ { " + shuffle + " }", 1},
		{"of each warp", "for k := dsl.WarpID(); k < n; k++ { " + shuffle + " }", 1},
		{"to what some threads change", "m := n; if t < 3 { m++ }; for k := range m { _ = k; " + shuffle + " }", 1},
		{"to what all threads change", "m := n; if p[0] < 3 { m++ }; for k := range m { _ = k; " + shuffle + " }", 5},
		{"some threads have returned", "m := n; if t == 3 { return }; if n > 3 { m++ }; for k := range m { _ = k; " + shuffle + " }", 5},
		{"in a loop of all threads", "for m := range n { if t < m { s++ }; for k := range m { _ = k; " + shuffle + " } }", 5},
		{"in a loop of each thread", "for m := 0; m < t; m++ { for k := range m { _ = k; " + shuffle + " } }", 5},
		{"behind a loop of each thread", "m := 0; for m < t { m++ }; for k := range m { _ = k; " + shuffle + " }", 1},
		{"behind a loop of each thread, by what is computed of it", "m := 0; for m < t { m++ }; d := m*2 + 1; for k := range d { _ = k; " + shuffle + " }", 1},
		{"behind a loop that threads leave", "m := 0; for m < n { if t == m { break }; m++ }; for k := range m { _ = k; " + shuffle + " }", 1},
		{"behind a loop, by what it made", "m, d := 0, 0; for i := 0; i < t; i++ { d = m*m; m++ }; for k := range d { _ = k; " + shuffle + " }", 1},
		{"left early", "for k := range n { if a[k] < 0 { break }; " + shuffle + " }", 1},
		{"with a branch", "for k := range n { if a[k] < 0 { " + shuffle + " } }", 5},
		{"continued", "for k := 0; k < n; k++ { if a[k] < 0 { continue }; " + shuffle + " }", 5},
		{"of a few iterations", "for k := range 4 { _ = k; " + shuffle + " }", 1},
		{"that ends with a panic", "for k := range n { if t < 0 { panic(1) }; _ = k; " + shuffle + " }", 1},
		{"with another loop", "for k := range n { for j := range k { s += float32(j) }; " + shuffle + " }", 1},
		{"longer", "for k := range len(x) { " + long + shuffle + " }", 3},
		{"long", "for k := range len(x) { " + long + long + shuffle + " }", 1},
		{"by a helper", "for k := range n { _ = k; s += both(s, 1) }", 6},
		{"with a shared variable", "for k := range n { v := dsl.Shared[[64]float32](); v[t] = s; " + barrier + " }", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc both(x float32, by int) float32 { if x < 0 { return dsl.ShflXor(x, by) }; return x }\n\n" +
				"func K(n int, p []int, a, x []float32) {\n\tt, s := dsl.ThreadIdx().X, float32(0)\n\t" + c.body + "\n\ta[t] = s\n}\n"
			if got := len(together.FindAll(unpanicked(lowered(t, source, "sm_90", Options{NoBounds: true}).IR), -1)); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
			if ir := string(lowered(t, source, "gfx942", Options{NoBounds: true}).IR); strings.Count(ir, "call void @llvm.amdgcn.s.barrier()") > 1 {
				t.Error("an AMD GPU makes several iterations at a time")
			}
		})
	}
}

// TestRepeatsAsAsked: a directive says how many iterations are made at a time.
func TestRepeatsAsAsked(t *testing.T) {
	const source = "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, a []float32) {\n\tfor k := range n {\n\t\ta[k]++\n\t\tdsl.SyncThreads()\n\t}\n}\n"
	for asked, want := range map[Unroll]int{unrollAsIs: 5, UnrollEnable: 5, 1: 1, 3: 4, 8: 9} {
		k := kernelOf(t, buildSource(t, "k.go", source), "K")
		k.Unroll = func(token.Pos) (Unroll, string) { return asked, "" }
		prog, err := Check(k)
		if err != nil {
			t.Fatal(err)
		}
		m, err := target.For("sm_90", 0)
		if err != nil {
			t.Fatal(err)
		}
		res, err := prog.Lower(m, Options{NoBounds: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(together.FindAllString(string(res.IR), -1)); got != want {
			t.Errorf("//heddle:unroll %d: %d, want %d", asked, got, want)
		}
	}
}
