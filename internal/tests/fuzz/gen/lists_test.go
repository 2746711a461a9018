package main

import (
	"regexp"
	"testing"
)

// Kernels of slices of structs and of windows have each of the forms that they are for, often.
func TestForms(t *testing.T) {
	for on, forms := range map[feature][]string{
		lists: {
			`Lists: &list\[.*plain: `, `held: `, `captures: `, `apart: true`, `noalias: true`, // parameters
			`(?m)^v\d+ := (l\.A|a)\[.*\]$`, `(?m)^v\d+ := (l\.B|b)\[.*\]\.F\d$`, `= \*v\d+p`, `:= at\(window\(`, // loads
			`(?m)^(own|l\.Own|mine)\[[^.=]*\] = `, `(?m)^(own|l\.Own|mine)\[[^=]*\]\.F\d = `, `(alias|l\.Alias)\[beside\(`, `alias\[apart\(`, // stores
			`:= copy\(mine`, `range s\d+ {`, `\]vector\.\w+\d`, `pair\[`, `F\d \[\d\]`, // copies, types
			`for w\d+ := max\(`, `\[uint\(int\([ab]\[`, // windows, indices that are loaded
		},
		lists | warp: {`dsl\.Shared\[\[\d+\](r\d|vector|pair)`, `(?m)^sh\d+\[i\d+\]\.F\d = `, `:= at\(window\(sh`, `(?m)^sh\d+\[numberInBlock\(\)\]\.F\d.* = `},
		windows:      {`< 0 \|\| .* >= \S+ {`, `:= min\(max\(`, `:= int32\(w\d+\) - \d`, `max\(-1, -w\d+\)`, ` \* w\d+\[w\d+\+\d\]\)`, `(?m)^for w\d+ := range 2\*`},
	} {
		src, kernels := "", 0
		for i := 0; kernels < 150; i++ {
			if g := newGen(3, i, on); g.on == on {
				src += g.kernel() + g.entry()
				kernels++
			}
		}
		for _, form := range forms {
			if n := len(regexp.MustCompile(form).FindAllString(src, -1)); n < 3 {
				t.Errorf("features %b: %s: %d times in 150 kernels", on, form, n)
			}
		}
	}
}
