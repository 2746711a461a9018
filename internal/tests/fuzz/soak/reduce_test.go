package main

import (
	"strings"
	"testing"
)

// What is made small is the function, never the kernel that runs it: without it
// every output differs.
func TestEdits(t *testing.T) {
	const kernel = "func k1(in []Input, out []Output, u Uniform) { eachOf(f1, in, out, u) }"
	src := "package fuzz\n\nfunc f1(in *Input, out *Output, u Uniform) {\n\tout.put(1, 2)\n\tout.put(2, 3)\n}\n\n" + kernel + "\n"
	edits := editsOf(src)
	if len(edits) < 3 {
		t.Errorf("%d edits", len(edits))
	}
	for _, e := range edits {
		if text := src[:e.from] + e.text + src[e.to:]; !strings.Contains(text, kernel) {
			t.Errorf("an edit leaves\n%s", text)
		}
	}
}
