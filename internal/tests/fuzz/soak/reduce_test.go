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

// A kernel that is launched without a wrapper is reduced, too; the conditions on which its threads return are kept.
func TestEditsWhole(t *testing.T) {
	const guard = "if me >= len(ins) || ins[me].Skip {\n\t\treturn\n\t}"
	src := "package fuzz\n\nfunc k1(ins []Input, outs []Output) {\n\tme := number1D()\n\t" + guard + "\n\touts[me].put(1, 2)\n\touts[me].put(2, 3)\n}\n"
	small := 0
	for _, e := range editsOf(src) {
		text := src[:e.from] + e.text + src[e.to:]
		if !strings.Contains(text, "func k1") { // it is no program
			continue
		}
		if !strings.Contains(text, guard) {
			t.Errorf("an edit leaves\n%s", text)
		}
		small++
	}
	if small < 3 {
		t.Errorf("%d edits", small)
	}
}
