// Package sources is where packages put their sources for kernels to be compiled
// from. It imports next to nothing of heddle, so a package whose functions kernels call
// can do so at no cost to programs that have no kernels. Files that "heddle generate"
// writes use it; kernel.Source does the same.
package sources

import (
	"io/fs"
	"runtime"

	"heddle/internal/embeds"
)

// Embed registers the sources of the calling package, the Go files at the root of
// fsys:
//
//	//go:embed *.go
//	var src embed.FS
//	var _ = sources.Embed(src)
//
// It returns true.
func Embed(fsys fs.FS) bool {
	pc, file, _, _ := runtime.Caller(1)
	embeds.Put(embeds.Package{FS: fsys, PC: pc, File: file})
	return true
}
