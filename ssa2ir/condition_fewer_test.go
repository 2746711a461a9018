package ssa2ir

import (
	"strings"
	"testing"
)

// TestShortSlices says of which slices the code generator is told that they have less than 1<<31 elements.
func TestShortSlices(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"elements", "out[i] = in[i]", "in out"},
		{"a part that ends where the slice does", "s := in[i:]; out[i] = s[0]", "in out"},
		{"a part that ends before", "s := in[:i+1]; out[i] = s[0]", "in out"}, // the host sees to the capacity
		{"a part of a part", "s := in[i:]; s = s[:4]; out[i] = s[0]", "in out"},
		{"one of two slices", "s := in; if i > 4 { s = out }; s = s[:n]; out[i] = s[0]", ""},
		{"from an address", "s := unsafe.Slice(&in[0], n); out[i] = s[i]", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport (\n\t\"heddle/dsl\"\n\t\"unsafe\"\n)\n\nvar _ unsafe.Pointer\n\nfunc K(n int, in, out []float32) {\n\ti := dsl.GlobalIdx().X\n\tif i >= n {\n\t\treturn\n\t}\n\t" +
				c.body + "\n}\n"
			for arch, want := range map[string]string{"sm_90": c.want, "gfx942": ""} {
				res := lowered(t, source, arch, Options{Conditional: true})
				head, _, _ := strings.Cut(string(res.IR)[strings.Index(string(res.IR), "_kernel void"):], "{")
				var got []string
				for _, p := range strings.Split(head, ", ") {
					if name, ok := strings.CutPrefix(p[strings.LastIndex(p, " ")+1:], "%"); ok && strings.Contains(p, `"heddle.short"="4"`) {
						got = append(got, name)
					}
				}
				if strings.Join(got, " ") != want {
					t.Errorf("%s: %q, want %q: %s", arch, got, want, head)
				}
			}
			if res := lowered(t, source, "sm_90", Options{}); strings.Contains(string(res.IR), "heddle.short") {
				t.Error("without a condition there are such slices")
			}
		})
	}
}
