// Package sources is where packages put their sources for kernels to be compiled
// from. It imports nothing of heddle, so a package whose functions kernels call can
// do so at no cost to programs that have no kernels. Files that "heddle generate"
// writes use it; kernel.Source does the same.
package sources

import (
	"io/fs"
	"runtime"
	"sync"
)

// A Package is what one package has put here.
type Package struct {
	FS   fs.FS   // its Go files, and perhaps a bundle
	PC   uintptr // of the call of Embed, which is in the package
	File string  // that holds the call
}

var all struct {
	sync.Mutex
	packages []Package
}

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
	all.Lock()
	defer all.Unlock()
	all.packages = append(all.packages, Package{fsys, pc, file})
	return true
}

// Take returns what was registered since it was last called, for heddle.
func Take() []Package {
	all.Lock()
	defer all.Unlock()
	taken := all.packages
	all.packages = nil
	return taken
}
