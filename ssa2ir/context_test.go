package ssa2ir

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"heddle/internal/abi"
	"heddle/internal/target"
)

// tower is a kernel whose functions each call the next one twice, on one line each.
func tower(height int) string {
	var b strings.Builder
	b.WriteString("package p\n\nfunc K(s []int, n int) { s[0] = f0(s, n) }\n")
	for i := range height {
		fmt.Fprintf(&b, "\nfunc f%d(s []int, n int) int {\n\tx := f%d(s, n)\n\treturn x + f%d(s, n+1)\n}\n", i, i+1, i+1)
	}
	fmt.Fprintf(&b, "\nfunc f%d(s []int, n int) int { return s[n] }\n", height)
	return b.String()
}

// lowered is what kernel K of a source becomes on an architecture.
func lowered(t *testing.T, source, arch string, opts Options, change ...func(*target.Target)) *Result {
	t.Helper()
	prog, err := Check(kernelOf(t, buildSource(t, "k.go", source), "K"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := target.For(arch, 0)
	if err != nil {
		t.Fatal(err)
	}
	own := *m.Target
	m.Target = &own
	for _, f := range change {
		f(&own)
	}
	res, err := prog.Lower(m, opts)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

var (
	definition = regexp.MustCompile(`(?m)^define internal \S+ @heddle_p_f(\d+)\(`)
	callAdd    = regexp.MustCompile(`%(\d+) = add i32 %context, (\d+)`)
	fail       = regexp.MustCompile(`call void @heddle\.panic\(i32 %(\d+),`)
)

// The number that a way through the calls adds up to names this way.
func TestContexts(t *testing.T) {
	const height = 12
	res := lowered(t, tower(height), "x86-64-v3", Options{})
	obj := &abi.Object{Sites: res.Sites, Frames: res.Frames}
	adds := map[int][]int{} // by function, of its calls in their order; of the last one, of its panic
	ends := definition.FindAllStringSubmatchIndex(string(res.IR), -1)
	for i, at := range ends {
		body := string(res.IR[at[1]:])
		if i+1 < len(ends) {
			body = string(res.IR[at[1]:ends[i+1][0]])
		}
		f, _ := strconv.Atoi(string(res.IR[at[2]:at[3]]))
		for _, m := range callAdd.FindAllStringSubmatch(body, -1) {
			k, _ := strconv.Atoi(m[2])
			adds[f] = append(adds[f], k)
		}
	}
	if len(adds) != height+1 || len(adds[height]) != 1 || !fail.Match(res.IR) {
		t.Fatalf("the contexts are %v in\n%s", adds, res.IR)
	}
	for range 200 {
		number := adds[height][0]
		want := []int{3} // lines, outermost first
		for f := range height {
			way := rand.IntN(2)
			number += adds[f][way]
			want = append(want, 6+5*f+way)
		}
		site, calls := obj.Site(uint32(number))
		if site == nil || site.Line != 5+5*height || len(calls) != len(want) {
			t.Fatalf("number %d is %v, %v; want line %d by %v", number, site, calls, 5+5*height, want)
		}
		for i, c := range calls {
			if w := want[len(want)-1-i]; c.Line != w {
				t.Fatalf("number %d: call %d is in line %d, want %d", number, i, c.Line, w)
			}
		}
	}
	last := adds[height][0] + 1<<height - 1
	for n, known := range map[int]bool{0: true, last: true, last + 1: false} {
		if site, _ := obj.Site(uint32(n)); (site != nil) != known {
			t.Errorf("number %d is %v", n, site)
		}
	}
}

// A kernel of too many ways compiles, and its panics name no calls.
func TestTooManyContexts(t *testing.T) {
	res := lowered(t, tower(40), "x86-64-v3", Options{})
	if strings.Contains(string(res.IR), "%context") {
		t.Error("functions have contexts")
	}
	last := len(res.Sites) - 1
	site, calls := (&abi.Object{Sites: res.Sites, Frames: res.Frames}).Site(res.Sites[last].First)
	if site == nil || site.Line != 5+5*40 || len(calls) > 0 {
		t.Errorf("the last site is %v, called from %v", site, calls)
	}
}
