package ssa2ir

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"sync"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

var (
	testFset     = token.NewFileSet()
	testImporter = sync.OnceValue(func() types.Importer { return importer.ForCompiler(testFset, "source", nil) })
	testMu       sync.Mutex // the source importer is not safe for concurrent use
)

// buildSource is the SSA package of one Go file; imports have types but no bodies.
func buildSource(t testing.TB, name, src string) *ssa.Package {
	t.Helper()
	return buildAs(t, "p", name, src)
}

// buildAs is buildSource of a package with that path, which is its name, too.
func buildAs(t testing.TB, path, name, src string) *ssa.Package {
	t.Helper()
	testMu.Lock()
	defer testMu.Unlock()
	f, err := parser.ParseFile(testFset, name, src, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	conf := &types.Config{Importer: testImporter(), Sizes: sizes}
	pkg, _, err := ssautil.BuildPackage(conf, testFset, types.NewPackage(path, path), []*ast.File{f}, ssa.InstantiateGenerics|ssa.BareInits)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// kernelOf is the package's function of that name as a kernel.
func kernelOf(t testing.TB, pkg *ssa.Package, name string) *Kernel {
	t.Helper()
	fn := pkg.Func(name)
	if fn == nil {
		t.Fatalf("no function %s", name)
	}
	return &Kernel{Name: "p." + name, Fn: fn, Fset: testFset}
}
