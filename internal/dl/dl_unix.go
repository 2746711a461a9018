//go:build unix

package dl

import "github.com/ebitengine/purego"

// Open loads a library. It keeps the library's symbols to itself: several LLVMs live
// in one process where comgr or a graphics driver brings its own.
func Open(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

// OpenGlobal is Open for a library whose plugins look for its symbols among those of all libraries.
func OpenGlobal(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
}

// Sym is the address of a function of a library.
func Sym(lib uintptr, name string) (uintptr, error) { return purego.Dlsym(lib, name) }
