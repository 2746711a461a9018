package main

import (
	"bytes"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// TestUpToDate checks that the committed kernels are those of this generator, as
// the go:generate line in ../doc.go runs it.
func TestUpToDate(t *testing.T) {
	doc, err := os.ReadFile("../doc.go")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^//go:generate go run \./gen -seed (\d+) -n (\d+) -features (\S+) -o zz_generated\.go$`).FindStringSubmatch(string(doc))
	if m == nil {
		t.Fatal("doc.go has no go:generate line of that form")
	}
	seed, err1 := strconv.ParseUint(m[1], 10, 64)
	n, err2 := strconv.Atoi(m[2])
	on, err3 := parseFeatures(m[3])
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	want, err := file(seed, n, 0, on)
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
