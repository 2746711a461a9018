package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"heddle/internal/cpumath"
)

// TestLibrary fails if the IR in lib is out of date: go generate makes it anew.
func TestLibrary(t *testing.T) {
	want := map[string]bool{"README": true}
	for name, widths := range functions {
		for i, width := range []string{".f32", ".f64"} {
			text, err := compile(widths[i], name+width)
			if err != nil {
				t.Fatal(err)
			}
			file := name + width + ".ll"
			want[file] = true
			have, err := os.ReadFile(filepath.Join("..", "lib", file))
			if err != nil || !bytes.Equal(have, text) {
				t.Errorf("lib/%s is out of date: run go generate (%v)", file, err)
			}
			if packed, _ := cpumath.Text(name + width); !bytes.Equal(packed, text) {
				t.Errorf("%s in lib.zip is out of date: run go generate", file)
			}
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
