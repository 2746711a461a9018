package ssa2ir

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"heddle/internal/abi"
)

// TestDisjoint says which slices lie apart from all that is written, as the host sees to that.
func TestDisjoint(t *testing.T) {
	const loop = "for i := dsl.GlobalIdx().X; i < min(len(x), len(y), len(z)); i += n { "
	param := regexp.MustCompile(`ptr addrspace\(1\) [^%,]*noalias[^%,]* %([\w.]+)`)
	for _, c := range []struct{ name, body, apart string }{
		{"a loop", loop + "y[i] = 2 * x[i] }", "x"},
		{"what is written, too", loop + "y[i] += x[i] }", "x"},
		{"all but what is written", loop + "z[i] = x[i] + y[i] }", "x y"},
		{"nothing behind a store", "if i := dsl.GlobalIdx().X; i < min(len(x), len(y)) { y[i] = 2 * x[i] }", ""},
		{"behind a store", "if i := dsl.GlobalIdx().X; i < min(len(x), len(y)-1) { y[i] = x[i]; y[i+1] = x[i] * x[0] }", "x"},
		{"nothing but the block's memory", "var s [40]float32; for i := range 32 { s[i] = x[i]; y[0] += s[i] * s[n&31] }", "x"},
		{"a field", loop + "y[i] = p.in[i] }", "p.in"},
		{"stores to parts", "w := y[n:]; for i := range 8 { w[i] = x[i] }", "x"},
		{"one of two", "w := y; if n > 8 { w = z }; for i := range 8 { w[i] = x[i] }", "x"},
		{"one of two that is read", "w := x; if n > 8 { w = z }; for i := range 8 { y[i] = w[i] }", "x z"},
		{"a slice that a slice holds", loop + "p.all[i][0] = x[i] }", ""},
		{"an address that is computed", loop + "*(*float32)(unsafe.Add(unsafe.Pointer(&y[0]), 4*i)) = x[i] }", ""},
		{"numbers that are changed at once", loop + "dsl.AtomicAdd(&count[i&3], 1); y[i] = x[i] }", "x"},
		{"a flag", loop + "y[i] = x[i]; dsl.ThreadFence(); dsl.AtomicExch(&count[0], 1) }", ""},
		{"a barrier", loop + "y[i] = x[i]; dsl.SyncThreads() }", "x"},
	} {
		source := "package p\n\nimport (\n\t\"unsafe\"\n\n\t\"heddle/dsl\"\n)\n\nvar _ unsafe.Pointer\n\ntype pair struct {\n\tin  []float32\n\tall ALL\n}\n\n" +
			"func K(n int, x, y, z []float32, count []int32, p pair) {\n\t_ = dsl.ThreadIdx()\n\t" + c.body + "\n}\n"
		all := "int"
		if strings.Contains(c.body, "p.all") {
			all = "[4][]float32"
		}
		source = strings.Replace(source, "ALL", all, 1)
		var got []string
		for _, m := range param.FindAllStringSubmatch(string(lowered(t, source, "sm_90", Options{Conditional: true}).IR), -1) {
			got = append(got, m[1])
		}
		if slices.Sort(got); strings.Join(got, " ") != c.apart {
			t.Errorf("%s: %q lie apart, want %q", c.name, got, c.apart)
		}
		for _, arch := range []string{"sm_90", "gfx942"} {
			if o := (Options{Conditional: arch != "sm_90"}); param.Match(lowered(t, source, arch, o).IR) {
				t.Errorf("%s: slices lie apart on %s with %v", c.name, arch, o)
			}
		}
	}
}

// TestOverlap has the condition hold of slices that lie apart, and code be made for those that do not.
func TestOverlap(t *testing.T) {
	source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, x, y []float32) {\n\tfor i := dsl.GlobalIdx().X; i < min(len(x), len(y)); i += n {\n\t\ty[i] = 2 * x[i]\n\t}\n}\n"
	res := lowered(t, source, "sm_90", Options{Conditional: true})
	for _, c := range []struct {
		x, y int64
		want bool
	}{{4096, 4096 + 400, true}, {4096, 4096 + 396, false}, {4096, 4096, false}, {4096 + 400, 4096, true}, {4096 + 396, 4096, false}, {4096, 1 << 46, true}} {
		l := &abi.Launch{Args: argBlock(1, c.x, 100, 100, c.y, 100, 100), Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1}}
		if got := res.Condition.Holds(l); got != c.want {
			t.Errorf("%v: it holds: %v", c, got)
		}
		tailored := lowered(t, source, "sm_90", Options{Conditional: true, Launch: l})
		if !tailored.Condition.Holds(l) || strings.Contains(string(tailored.IR), "noalias") != c.want {
			t.Errorf("%v: code for that launch holds of it: %v\n%s", c, tailored.Condition.Holds(l), tailored.IR)
		}
	}
}
