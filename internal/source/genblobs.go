//go:build ignore

// Genblobs writes the declarations, without bodies, of the few packages of the
// standard library that kernels name, in the toolchain's export format: what a
// binary needs to check kernels where there is no Go installation.
package main

import (
	"bytes"
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
		"cmp", "iter", "math", "math/bits", "math/cmplx")
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
}
