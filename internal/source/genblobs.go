//go:build ignore

// Genblobs writes what a binary needs to compile kernels where there is no Go
// installation: the declarations of the few packages of the standard library
// that kernels name, in the toolchain's export format. It writes the
// declarations of heddle's own packages too, which are quicker to read than
// their sources: run it again when these change.
package main

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"log"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	root := "../.." // of this module
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile},
		"cmp", "iter", "maps", "math", "math/bits", "math/cmplx", "slices", "unicode/utf8")
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range pkgs {
		write(p.Fset, p.Types)
	}
	fset, own := token.NewFileSet(), imports{}
	for _, p := range []string{"heddle/vector", "heddle/dsl"} {
		own[p] = declarations(fset, own, root, p)
		write(fset, own[p])
	}
}

// write writes a package's declarations.
func write(fset *token.FileSet, p *types.Package) {
	var b bytes.Buffer
	if err := gcexportdata.Write(&b, fset, p); err != nil {
		log.Fatalf("%s: %v", p.Path(), err)
	}
	name := filepath.Join("blobs", strings.ReplaceAll(p.Path(), "/", "__"))
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
}

// imports are the packages that a package of heddle's own may refer to in what
// it exports.
type imports map[string]*types.Package

// Import gives every other package without declarations.
func (m imports) Import(p string) (*types.Package, error) {
	if m[p] == nil {
		m[p] = types.NewPackage(p, path.Base(p))
		m[p].MarkComplete()
	}
	return m[p], nil
}

// declarations are those of a package of this module, at positions in files
// named as a build with -trimpath names them.
func declarations(fset *token.FileSet, own imports, root, importPath string) *types.Package {
	dir := filepath.Join(root, strings.TrimPrefix(importPath, "heddle/"))
	bp, err := build.ImportDir(dir, 0)
	if err != nil {
		log.Fatal(err)
	}
	var files []*ast.File
	for _, name := range bp.GoFiles {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			log.Fatal(err)
		}
		f, err := parser.ParseFile(fset, importPath+"/"+name, text, parser.SkipObjectResolution)
		if err != nil {
			log.Fatal(err)
		}
		files = append(files, f)
	}
	// What only bodies and unexported functions mention may be unknown.
	conf := types.Config{Importer: own, IgnoreFuncBodies: true, Error: func(error) {}}
	p, _ := conf.Check(importPath, fset, files, nil)
	return p
}
