package ssa2ir

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// hopeless is a kernel whose checks need what is known at run time only, of parts of parts, with many facts of the same values: there are
// millions of ways to combine these.
const hopeless = `package p

import "heddle/dsl"

func K(n, rounds int, x []float32) {
	a := dsl.DynamicShared[float32]()
	b := a[n+1:]
	c := b[n+1:]
	d := c[n+1:]
	e := d[n+1:]
	i := dsl.ThreadIdx().X
	a[i], b[i], c[i], d[i] = x[i], x[i+n], x[i+2*n], x[i+3*n]
	delta := 1
	for range rounds {
		var v, w float32
		if i < delta {
			v = b[i] - a[i+delta]*c[i]/b[i+delta]
			w = d[i] - d[i+delta]*c[i] - c[i+delta]
		} else if n-i-1 < delta {
			v = b[i] - c[i-delta]*a[i]/b[i-delta]
			w = d[i] - d[i-delta]*a[i] - a[i-delta]
		} else {
			v = b[i] - c[i-delta]*a[i] - a[i+delta]*c[i]
			w = d[i] - d[i-delta]*a[i]/b[i-delta] - d[i+delta]*c[i]/b[i+delta] - a[i-delta] - c[i+delta]
		}
		dsl.SyncThreads()
		a[i], b[i], c[i], d[i] = v, w, v, w
		delta *= 2
		dsl.SyncThreads()
	}
	if i < delta {
		j := i + delta
		e[i] = b[j]*b[i] - c[i]*a[j] + d[i] - d[j]
		e[j] = b[j]*d[i] - d[j]*a[j]
	}
	x[i] = e[i]
}
`

// TestHopeless asks of every check of such a kernel, and counts the claims that are tried.
func TestHopeless(t *testing.T) {
	p, all, left := askAll(t, hopeless)
	if left == 0 || left == all {
		t.Errorf("%d checks of %d are left", left, all)
	}
	if n := len(p.failed); n > 10_000 {
		t.Errorf("%d claims were tried", n)
	}
}

// askAll has a prover asked of every index of a kernel, and says how many checks there are and are left.
func askAll(t *testing.T, source string) (p *prover, all, left int) {
	t.Helper()
	prog, err := Check(kernelOf(t, buildSource(t, "k.go", source), "K"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := target.For(goldenArch, 0)
	if err != nil {
		t.Fatal(err)
	}
	p = newProver(prog.root, prog.root.evaluator(m, map[*instance]*evaluator{}), 1024, m)
	for _, b := range prog.root.fn.Blocks {
		for _, i := range b.Instrs {
			if a, ok := i.(*ssa.IndexAddr); ok {
				all++
				if !p.inRange(p.node(a.Index), p.length(a.X), a) {
					left++
				}
			}
		}
	}
	return p, all, left
}

// TestLoopsInLoops asks of loops that cannot be followed, in others of whose variables something is supposed, and counts the steps.
func TestLoopsInLoops(t *testing.T) {
	p, all, left := askAll(t, `package p

func K(n int, x []int, line []byte) {
	total := 0
	for len(line) > 0 {
		i, digits := 0, 0
		for i < len(line) && line[i] != 10 {
			k, value, sign := 0, 0, 1
			for ; k < len(x) && x[k] > i; k++ {
				j, scale := 0, 1
				for ; j < n && x[j&3] < k; j++ {
					scale *= 10
				}
				value += scale * sign
				sign = -sign
			}
			digits += value & 7
			i++
		}
		total += digits
		line = line[min(i+1, len(line)):]
	}
	x[0] = total
}
`)
	if left > 3 { // of x[j&3] and x[0], and of one that takes more steps than there are, as guesses of smaller spans take most
		t.Errorf("%d checks of %d are left", left, all)
	}
	if n := maxProof - p.total; n > 78_000 { // 79,873 if loops are tried again for each guess
		t.Errorf("%d steps were taken", n)
	}
}

// The same fact is kept once, where it is met first, but only if that is on the way.
func TestSameFacts(t *testing.T) {
	for body, want := range map[string]int{
		"if y[0] > 0 { x[n] = 1; x[n] = 2 } else { x[n] = 3; x[n] = 4 }":     3,
		"if y[0] > 0 { x[n] = 1 } else { x[n] = 2 }; x[n] = 3; x[n] = 4":     4,
		"x[n] = 1; if n < 100 { x[n+1] = 2; x[n+1] = 3; x[n] = 4 }":          2,
		"if n < 100 { x[n+1] = 1; x[n] = 2 }; x[n] = 3":                      3,
		"if n > 9 && n < 100 { x[n+1] = 1; x[n] = 2; x[n-9] = x[n+1] }":      1,
		"if n > 9 && n < 100 { x[n-1] = 1; x[n+1] = 2; x[n] = 3; x[n+2]++ }": 3,
	} {
		pkg := buildSource(t, "k.go", provedSource+"func K(n int, x, y []int32) {\n"+body+"\n}")
		prog, err := Check(kernelOf(t, pkg, "K"))
		if err != nil {
			t.Fatal(err)
		}
		if got := checksLeft(t, prog); got != want {
			t.Errorf("%s: %d checks are left, want %d", body, got, want)
		}
	}
}
