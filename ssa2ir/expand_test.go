package ssa2ir

import (
	"go/token"
	"maps"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
)

const planes = `package p

import "heddle/dsl"

type Plane struct {
	Pix  []float32
	W, H int
}

func (p Plane) At(x, y int) float32      { return p.Pix[y*p.W+x] }
func (p Plane) Set(x, y int, v float32)  { p.Pix[y*p.W+x] = v }
func (p Plane) Inside(x, y int) bool     { return x < p.W && y < p.H }
func (p Plane) Near(x, y int) float32    { return p.At(clamp(x, p.W-1), clamp(y, p.H-1)) }

func clamp(v, most int) int {
	if v < 0 {
		return 0
	}
	if v > most {
		return most
	}
	return v
}

func limit(k *int, most int) {
	if *k > most {
		*k = most
	}
}

func share(k, n int) float32 { return float32(k) / float32(n) }

func half(v float32) float32 { return v / 2 }

func K(w, h int, in, out []float32) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	src, dst := Plane{in, w, h}, Plane{out, w, h}
	if !dst.Inside(x, y) {
		return
	}
	BODY
}
`

// TestExpanded says of which kernels the checks in what they call are seen: these have no function but their own, and a section without
// a check of an index.
func TestExpanded(t *testing.T) {
	for _, c := range []struct {
		name, body string
		functions  int // besides the kernel's
		twice      bool
	}{
		{"a method", "s := src.At(0, y); for k := range w { s += src.At(k, y) * src.At(x, y) }; dst.Set(x, y, s)", 0, true},
		{"methods that branch", "s := float32(0); for k := range w { s += src.Near(x-k, y) * src.Near(x+k, y) }; dst.Set(x, y, s)", 0, true},
		{"what stores an index", "s := float32(0); for k := range w { l := x + k; limit(&l, w-1); s += src.Pix[y*w+l] }; dst.Set(x, y, s)", 0, false},
		{"what makes floats of ints", "dst.Set(x, y, src.Pix[0]*share(x, w))", 0, false},
		{"what only floats go through", "dst.Set(x, y, half(src.Pix[0]))", 1, false},
		{"a closure", "at := func(k int) float32 { return src.Pix[y*w+k] }; s := at(x); for k := range w { s += at(k) * at(w-1-k) }; dst.Set(x, y, s)", 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := strings.Replace(planes, "BODY", c.body, 1)
			ir := string(lowered(t, source, "gfx942", Options{}).IR)
			functions := strings.Count(ir, "define internal") - strings.Count(ir, "define internal void @heddle_panic")
			if functions-1 != c.functions {
				t.Errorf("%d functions, want %d, in\n%s", functions-1, c.functions, ir)
			}
			if twice := strings.Contains(ir, abi.Decision); twice != c.twice {
				t.Errorf("a section in two versions: %v, want %v", twice, c.twice)
			}
		})
	}
}

// TestExpandedPlaces shows that a panic in what has become part of the kernel is one of its function, by each of the calls.
func TestExpandedPlaces(t *testing.T) {
	res := lowered(t, strings.Replace(planes, "BODY", "dst.Set(x, y, src.Near(x-1, y) +\n\t\tsrc.At(y, x))", 1), "gfx942", Options{})
	at := map[string]int{}
	for _, s := range res.Sites {
		f := res.Frames[s.Frame]
		if s.Func != f.Func {
			t.Errorf("a site in %s has the frame of %s", s.Func, f.Func)
		}
		at[s.Func]++
	}
	if at["(p.Plane).At"] != 2 || at["(p.Plane).Set"] != 1 {
		t.Errorf("sites: %v", at)
	}
	calls := map[string]int{}
	for _, f := range res.Frames {
		for _, c := range f.Calls {
			calls[f.Func+" from "+res.Frames[c.From].Func]++
		}
	}
	for _, want := range []string{"(p.Plane).At from (p.Plane).Near", "(p.Plane).At from p.K", "(p.Plane).Near from p.K", "(p.Plane).Set from p.K"} {
		if calls[want] != 1 {
			t.Errorf("%s: %d calls, want 1, among %v", want, calls[want], calls)
		}
	}
}

// TestExpandedAsAsked shows that a helper stays a call where a directive says so.
func TestExpandedAsAsked(t *testing.T) {
	const source = `package p

func sum(x []float32, n int) (s float32) {
	for i := range n {
		s += x[i]
	}
	return s
}

func K(n int, x, y []float32) { y[0] = sum(x, n) }
`
	for _, c := range []struct {
		name string
		ask  func(*Kernel)
		want bool // it is part of the kernel
	}{
		{"nothing", func(*Kernel) {}, true},
		{"go:noinline", func(k *Kernel) {
			k.Directives = func(*ssa.Function) []Directive { return []Directive{{Name: "go:noinline"}} }
		}, false},
		{"unroll", func(k *Kernel) { k.Unroll = func(token.Pos) (Unroll, string) { return 2, "" } }, true},
	} {
		k := kernelOf(t, buildSource(t, "k.go", source), "K")
		c.ask(k)
		prog, err := Check(k)
		if err != nil {
			t.Fatal(err)
		}
		if part := len(prog.root.order) == 0; part != c.want {
			t.Errorf("%s: the helper is part of the kernel: %v, want %v", c.name, part, c.want)
		}
	}
}

// TestExpandedLoops shows that what is asked of a helper's loops holds where it is part of the kernel, of each of them.
func TestExpandedLoops(t *testing.T) {
	const source = `package p

func sum(x []float32, n, m int) (s float32) {
	for i := range n { // 3
		for j := range m { // 5
			s += x[i*m+j]
		}
	}
	for i := range n {
		s += x[i]
	}
	return s
}

func twice(x []float32, n, m int) float32 {
	s := float32(0)
	for k := 0; k < n; k++ { // 7
		s += sum(x, k, m)
	}
	return s
}

func K(n, m int, x, y []float32) {
	y[0] = sum(x, n, m)
	for k := 0; k < n; k++ {
		y[0] += twice(x, n+1, m)
	}
}
`
	k := kernelOf(t, buildSource(t, "k.go", source), "K")
	k.Unroll = func(p token.Pos) (Unroll, string) {
		line, _, _ := strings.Cut(strings.Split(source, "\n")[k.Fn.Prog.Fset.Position(p).Line-1], "\n")
		_, n, _ := strings.Cut(line, "// ")
		u, _ := strconv.Atoi(n)
		return Unroll(u), ""
	}
	prog, err := Check(k)
	if err != nil {
		t.Fatal(err)
	}
	if len(prog.root.order) > 0 {
		t.Fatal("the helpers are not part of the kernel")
	}
	got := map[Unroll]int{}
	for header := range prog.root.loops {
		got[prog.root.unroll[header]]++
	}
	if want := map[Unroll]int{unrollAsIs: 3, 3: 2, 5: 2, 7: 1}; !maps.Equal(got, want) {
		t.Errorf("loops by what is asked of them: %v, want %v", got, want)
	}
}
