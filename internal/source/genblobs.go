//go:build ignore

// Genblobs writes what a binary needs to compile kernels where there is no Go
// installation: the declarations of the few packages of the standard library
// that kernels name, in the toolchain's export format, and std.zip, the sources
// of those that kernels call.
package main

import (
	"archive/zip"
	"bytes"
	"go/build"
	"log"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile},
		"cmp", "iter", "maps", "math", "math/bits", "math/cmplx", "slices", "unicode/utf8")
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range pkgs {
		var b bytes.Buffer
		if err := gcexportdata.Write(&b, p.Fset, p.Types); err != nil {
			log.Fatalf("%s: %v", p.PkgPath, err)
		}
		name := filepath.Join("blobs", strings.ReplaceAll(p.PkgPath, "/", "__"))
		if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join("blobs", "std.zip"), sources("cmp", "iter", "maps", "math", "math/bits", "math/cmplx", "slices", "unicode/utf8"), 0o666); err != nil {
		log.Fatal(err)
	}
}

// sources is an archive of Go's licence and of packages' files, chosen as package source chooses
// them in GOROOT: see portableContext there.
func sources(paths ...string) []byte {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled, ctx.BuildTags = "linux", "mips64le", false, []string{"purego"}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name, file string) {
		text, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		w, err := z.Create(name)
		if err != nil {
			log.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			log.Fatal(err)
		}
	}
	add("LICENSE", filepath.Join(ctx.GOROOT, "LICENSE"))
	for _, p := range paths {
		pkg, err := ctx.Import(p, "", 0)
		if err != nil {
			log.Fatal(err)
		}
		for _, name := range pkg.GoFiles {
			add(p+"/"+name, filepath.Join(pkg.Dir, name))
		}
	}
	if err := z.Close(); err != nil {
		log.Fatal(err)
	}
	return b.Bytes()
}
