package codegen

import (
	"fmt"
	"slices"
	"strings"

	"heddle/internal/lazy"
	"heddle/internal/llvm"
)

// This file makes one call of the device math library of a sine and a cosine of the same
// argument, as a Fourier transform has them: most of either is to bring the argument down to an
// eighth of a turn, with a branch for large ones, over which LLVM does not merge two calls that
// it has inlined.
//
//	%s = call float @__ocml_sin_f32(float %x)     %s = call float @__ocml_sincos_f32(float %x, ptr addrspace(5) %cos)
//	%c = call float @__ocml_cos_f32(float %x)     %c = load float, ptr addrspace(5) %cos

// sineOf are the functions with such a pair: what they are called up to sin or cos, and behind.
var sineOf = lazy.Regexp{Expr: `^(?:tail )?call (?:[a-z]+ )*(float|double) @(__(?:ocml|nv)_)(sin|cos)(pi)?(|f|_f32|_f64)\((?:float|double) (?:noundef )?(%[^),]+)\)`}

// pairOfSines matches a module that may have one.
var pairOfSines = lazy.Regexp{Expr: `(?s)@__(?:ocml|nv)_sin(?:pi)?(?:|f|_f32|_f64)\(.*@__(?:ocml|nv)_cos|@__(?:ocml|nv)_cos(?:pi)?(?:|f|_f32|_f64)\(.*@__(?:ocml|nv)_sin`}

// joinSines is a parsed module with such calls joined, before its libraries are linked.
func (r *Request) joinSines(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) (*llvm.Module, error) {
	if r.level() == 0 || !pairOfSines.Get().Match(r.IR) {
		return m, nil
	}
	// Functions that compute one of both are inlined, and equal arguments are one value.
	if err := m.RunPasses("always-inline,cgscc(inline),function(sroa,early-cse),"+nameAll, tm); err != nil {
		return nil, err
	}
	n := 0
	text := eachFunction(m.String(), func(body string) string {
		f := parseFlow(body)
		if before := n; f.joinSines(&n) == before {
			return body
		}
		return strings.Join(f.lines, "\n")
	})
	if n == 0 {
		return m, nil
	}
	for _, d := range sinesDeclared(text) {
		text = declareMissing(text, d)
	}
	joined, err := c.ParseIR(r.Kernel+".ll", []byte(text))
	if err != nil {
		return nil, err
	}
	joined.SetTarget(tm)
	return joined, nil
}

// A sineCall is a call of a sine or a cosine: m is what sineOf matches.
type sineCall struct {
	name string
	*flowValue
	m    []string
	done bool
}

// joinSines does it in a function. n makes names.
func (f *flow) joinSines(n *int) int {
	var calls []*sineCall
	for _, name := range f.order {
		if m := sineOf.Get().FindStringSubmatch(f.values[name].text); m != nil {
			calls = append(calls, &sineCall{name: name, flowValue: f.values[name], m: m})
		}
	}
	for _, first := range calls {
		var with []*sineCall
		both := false
		for _, c := range calls {
			if !c.done && !first.done && f.sameTurn(first, c) {
				with = append(with, c)
				both = both || c.m[3] != first.m[3]
			}
		}
		if both {
			f.joinCalls(first, with, *n)
			*n++
		}
	}
	return *n
}

// sameTurn reports whether two calls are of one argument and the first comes before the other,
// whichever way, or is the other.
func (f *flow) sameTurn(first, c *sineCall) bool {
	if same := slices.Clone(c.m[1:]); true {
		same[2] = first.m[3]
		if !slices.Equal(same, first.m[1:]) {
			return false
		}
	}
	if first.block == c.block {
		return first.line <= c.line
	}
	// Does every way lead by?
	seen := map[*flowBlock]bool{first.block: true}
	work := []*flowBlock{f.blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		if seen[b] = true; b == c.block {
			return false
		}
		work = append(work, b.succs...)
	}
	return true
}

// joinCalls makes one call of some.
func (f *flow) joinCalls(first *sineCall, with []*sineCall, n int) {
	typ, space := first.m[1], ""
	if first.m[2] == "__ocml_" {
		space = " addrspace(5)"
	}
	slot := func(which string) string { return fmt.Sprintf("ptr%s %%heddle.%s.%d", space, which, n) }
	for _, c := range with {
		c.done = true
		f.lines[c.line] = fmt.Sprintf("  %s = load %s, %s", c.name, typ, slot(c.m[3]))
	}
	args := typ + " " + first.m[6]
	symbol := first.m[2] + "sincos" + first.m[4] + first.m[5]
	call := fmt.Sprintf("  call void @%s(%s, %s, %s)\n", symbol, args, slot("sin"), slot("cos"))
	if space != "" {
		call = fmt.Sprintf("  %%heddle.sine.%d = call %s @%s(%s, %s)\n  store %s %%heddle.sine.%d, %s\n", n, typ, symbol, args, slot("cos"), typ, n, slot("sin"))
	}
	f.lines[first.line] = call + f.lines[first.line]
	begin := f.blocks[0].begin
	for _, which := range []string{"sin", "cos"} {
		f.lines[begin] = fmt.Sprintf("  %%heddle.%s.%d = alloca %s%s\n", which, n, typ, strings.Replace(space, " ", ", ", 1)) + f.lines[begin]
	}
}

var sinesUsed = lazy.Regexp{Expr: `call (void|float|double) (@__(?:ocml|nv)_sincos[\w]*)\((float|double) `}

// sinesDeclared is how the functions are declared that a text calls for both.
func sinesDeclared(text string) (all []string) {
	for _, m := range sinesUsed.Get().FindAllStringSubmatch(text, -1) {
		last := "ptr, ptr"
		if m[1] != "void" {
			last = "ptr addrspace(5)"
		}
		if d := fmt.Sprintf("%s %s(%s, %s)", m[1], m[2], m[3], last); !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	return all
}
