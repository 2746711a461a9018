// Package embeds keeps the sources that packages embed until package source takes them.
package embeds

import (
	"io/fs"
	"sync"
)

// A Package is what one package has embedded.
type Package struct {
	FS   fs.FS   // its Go files, and perhaps a bundle
	PC   uintptr // of the call of sources.Embed, which is in the package
	File string  // that holds the call
}

var all struct {
	sync.Mutex
	packages []Package
}

// Put adds a package.
func Put(p Package) {
	all.Lock()
	defer all.Unlock()
	all.packages = append(all.packages, p)
}

// Take returns what was put here since it was last called.
func Take() []Package {
	all.Lock()
	defer all.Unlock()
	taken := all.packages
	all.packages = nil
	return taken
}
