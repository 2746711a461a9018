package source

import (
	"embed"
	"strings"

	"heddle/internal/module"
)

//go:generate go run genblobs.go

// blobs holds declarations of standard packages, and of heddle's own that
// kernels import, in export format, one file a package, "/" written "__".
//
//go:embed blobs
var blobs embed.FS

// ownPackages are heddle's packages that kernels import, dependencies first. Few
// kernels need a body of theirs.
var ownPackages = []string{module.Vector, module.DSL}

// hostPackage is the package of heddle whose types kernels capture but do not
// look into: what its blob declares has no unexported fields.
const hostPackage = module.Launch

// blob is the export data of a package, nil if there is none.
func blob(importPath string) []byte {
	b, err := blobs.ReadFile("blobs/" + strings.ReplaceAll(importPath, "/", "__"))
	if err != nil {
		return nil
	}
	return b
}
