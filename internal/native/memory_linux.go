package native

import (
	"syscall"

	"github.com/ebitengine/purego"
)

// mapMemory returns n bytes of zeros, n a multiple of the page.
func mapMemory(n int) ([]byte, error) {
	return syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
}

func unmapMemory(b []byte) error { return syscall.Munmap(b) }

// protectMemory makes pages read-only, or executable.
func protectMemory(b []byte, exec bool) error {
	p := syscall.PROT_READ
	if exec {
		p |= syscall.PROT_EXEC
	}
	return syscall.Mprotect(b, p)
}

func dlopen(file string) (uintptr, error) {
	return purego.Dlopen(file, purego.RTLD_LAZY|purego.RTLD_LOCAL)
}

func dlsym(lib uintptr, name string) (uintptr, error) { return purego.Dlsym(lib, name) }
