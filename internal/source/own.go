package source

import (
	_ "embed"

	"heddle/internal/lazy"
	"heddle/internal/module"
	"heddle/internal/zips"
)

//go:generate go run genown.go

// Declarations of standard packages, and of heddle's own that kernels import, in export
// format, by their paths; and the sources of ownPackages, "heddle/dsl/math.go". Both are
// packed: few kernels need the sources.
//
//go:embed declarations.deflate
var packedDeclarations string

//go:embed sources.deflate
var packedSources string

var blobs = lazy.Value[map[string]string]{Make: func() map[string]string { return unpack(packedDeclarations) }}

var ownSources = lazy.Value[map[string]string]{Make: func() map[string]string { return unpack(packedSources) }}

// unpack unpacks what is a part of heddle.
func unpack(packed string) map[string]string {
	texts, err := zips.Unpack(packed)
	if err != nil {
		panic("heddle: the declarations and sources inside it are damaged: " + err.Error())
	}
	return texts
}

// ownPackages are heddle's packages that kernels import, dependencies first. Few
// kernels need a body of theirs.
var ownPackages = []string{module.Vector, module.DSL, module.CG}

// hostPackage is the package of heddle whose types kernels capture but do not
// look into: what its blob declares has no unexported fields.
const hostPackage = module.Launch

// blob is the export data of a package, "" if there is none.
func blob(importPath string) string { return blobs.Get()[importPath] }
