package main

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"
)

// TestUpToDate checks that the committed kernels are those of this generator.
func TestUpToDate(t *testing.T) {
	want, err := file(1, 120, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if have, err := os.ReadFile("../zz_generated.go"); err != nil || !bytes.Equal(have, want) {
		t.Errorf("internal/fuzz/zz_generated.go is stale: run go generate in internal/fuzz (%v)", err)
	}
}

// TestValid checks that what any seed gives is Go.
func TestValid(t *testing.T) {
	fset := token.NewFileSet()
	var lib []*ast.File
	for _, name := range []string{"lib.go", "data.go"} {
		f, err := parser.ParseFile(fset, filepath.Join("..", name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		lib = append(lib, f)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Error: func(err error) { t.Error(err) }}
	for seed := range uint64(4) {
		src, err := file(seed+100, 25, 0, every)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(fset, "generated.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conf.Check("fuzz", fset, append(lib[:2:2], f), nil)
	}
}
