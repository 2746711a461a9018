package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestUpToDate checks that the generated files are there, as this program makes them, and no others.
func TestUpToDate(t *testing.T) {
	all, err := files()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range all {
		if have, err := os.ReadFile(filepath.Join("..", name)); err != nil || !bytes.Equal(have, want) {
			t.Errorf("dsl/%s is stale: run go generate in dsl (%v)", name, err)
		}
	}
	have, err := filepath.Glob("../*_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range have {
		if all[filepath.Base(name)] == nil {
			t.Errorf("%s is no longer generated: remove it", name)
		}
	}
}
