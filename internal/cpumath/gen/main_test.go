package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"heddle/internal/cpumath"
	"heddle/internal/zips"
)

// TestLibrary fails if the IR in lib or lib.deflate is out of date: go generate makes it anew.
func TestLibrary(t *testing.T) {
	want := map[string]bool{"README": true}
	texts := map[string][]byte{}
	for name, widths := range functions {
		for i, width := range []string{".f32", ".f64"} {
			text, err := compile(widths[i], name+width)
			if err != nil {
				t.Fatal(err)
			}
			file := name + width + ".ll"
			want[file], texts[name+width] = true, text
			have, err := os.ReadFile(filepath.Join("..", "lib", file))
			if err != nil || !bytes.Equal(have, text) {
				t.Errorf("lib/%s is out of date: run go generate (%v)", file, err)
			}
			if packed, _ := cpumath.Text(name + width); !bytes.Equal(packed, text) {
				t.Errorf("%s in lib.deflate is out of date: run go generate", file)
			}
		}
	}
	packed, err := os.ReadFile("../lib.deflate")
	if err != nil {
		t.Fatal(err)
	}
	if all, err := zips.Unpack(string(packed)); err != nil || !maps.EqualFunc(all, split(texts), func(have string, want []byte) bool { return have == string(want) }) {
		t.Errorf("lib.deflate holds something else than the %d functions: run go generate (%v)", len(texts), err)
	}
	for _, name := range []string{"nosuch.f32", "000"} {
		if _, ok := cpumath.Text(name); ok {
			t.Errorf("lib.deflate has a text for %q, which is no function", name)
		}
	}
	files, err := os.ReadDir("../lib")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !want[f.Name()] {
			t.Errorf("lib/%s belongs to no function", f.Name())
		}
	}
}
