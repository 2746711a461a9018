package ssa2ir

import (
	"strings"
	"testing"
)

// A shuffle of what lanes do not exchange is refused, at the user's line.
func TestExchanged(t *testing.T) {
	const head = "package p\n\nimport \"heddle/dsl\"\n\ntype big struct{ a [5]float64 }\ntype ptr struct{ p *int }\ntype many [20]int8\n" +
		"type fits struct { a int8; b float64; c [2]bool; d complex64 }\n\nfunc K(s []int) {\n"
	for _, c := range []struct{ body, want string }{
		{"v := dsl.Shfl(big{}, 1); s[0] = int(v.a[0])", "k.go:11:14: call of heddle/dsl.Shfl[p.big]: a value of p.big has 40 bytes (exchange its parts, or 32 bytes at most)"},
		{"v := dsl.ShflXorWidth(ptr{&s[0]}, 1, 8); s[0] = *v.p", "k.go:11:22: call of heddle/dsl.ShflXorWidth[p.ptr]: p.ptr holds an address (exchange numbers; an index can stand for the address)"},
		{"v := dsl.ShflUpSync(1, many{}, 1); s[0] = int(v[0])", "k.go:11:20: call of heddle/dsl.ShflUpSync[p.many]: p.many has 20 parts (use wider numbers: 16 at most)"},
		{"v := dsl.ShflDownWidth(int8(1), 1, 3); s[0] = int(v)", "width 3"},
		{"v := dsl.Shfl(fits{}, 1); s[0] = int(v.b)", ""},
	} {
		_, err := Check(kernelOf(t, buildSource(t, "k.go", head+c.body+"\n}\n"), "K"))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.body, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.body, err, c.want)
		}
	}
}
