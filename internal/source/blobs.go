package source

import (
	"embed"
	"strings"
)

//go:generate go run genblobs.go

// blobs holds declarations of standard packages in export format, one file a
// package, "/" written "__".
//
//go:embed blobs
var blobs embed.FS

// blob is the export data of a standard package, nil if there is none.
func blob(importPath string) []byte {
	b, err := blobs.ReadFile("blobs/" + strings.ReplaceAll(importPath, "/", "__"))
	if err != nil {
		return nil
	}
	return b
}
