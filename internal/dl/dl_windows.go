package dl

import (
	"fmt"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// Open loads a DLL. One without a path is looked for in the program's and in the
// system's directories only, never in the working directory or in PATH; one with a
// path may have what it needs beside it.
func Open(name string) (uintptr, error) {
	flags := uintptr(windows.LOAD_LIBRARY_SEARCH_DEFAULT_DIRS)
	if filepath.IsAbs(name) {
		flags |= windows.LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR
	}
	lib, err := windows.LoadLibraryEx(name, 0, flags)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return uintptr(lib), nil
}

// OpenGlobal is Open: a DLL's symbols are looked for in that DLL only.
func OpenGlobal(path string) (uintptr, error) { return Open(path) }

// Sym is the address of a function of a library.
func Sym(lib uintptr, name string) (uintptr, error) {
	return windows.GetProcAddress(windows.Handle(lib), name)
}
