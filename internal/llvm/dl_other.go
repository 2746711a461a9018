//go:build !unix && !windows

package llvm

import (
	"fmt"
	"runtime"
)

func dlopen(path string) (uintptr, error) {
	return 0, fmt.Errorf("%s: loading libLLVM is not supported on %s", path, runtime.GOOS)
}

func dlsym(uintptr, string) (uintptr, error) {
	return 0, fmt.Errorf("no libLLVM on %s", runtime.GOOS)
}
