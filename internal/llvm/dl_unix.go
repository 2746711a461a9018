//go:build unix

package llvm

import "github.com/ebitengine/purego"

// dlopen keeps the library's symbols to itself: several LLVMs live in one
// process where comgr or a graphics driver brings its own.
func dlopen(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func dlsym(lib uintptr, name string) (uintptr, error) { return purego.Dlsym(lib, name) }
