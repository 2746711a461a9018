//go:build !unix && !windows

package dl

import (
	"fmt"
	"runtime"
)

// Open fails.
func Open(path string) (uintptr, error) {
	return 0, fmt.Errorf("%s: loading libraries is not supported on %s", path, runtime.GOOS)
}

// OpenGlobal fails.
func OpenGlobal(path string) (uintptr, error) { return Open(path) }

// Sym fails.
func Sym(uintptr, string) (uintptr, error) {
	return 0, fmt.Errorf("no libraries on %s", runtime.GOOS)
}
