package cpu

import (
	"errors"
	"os"
	"syscall"
	"unsafe"

	"heddle/internal/lazy"
)

var pageSize = os.Getpagesize()

// Advice to the system: a guard needs no mapping of its own, from Linux 6.13.
const (
	populateRead = 22  // MADV_POPULATE_READ
	guardInstall = 102 // MADV_GUARD_INSTALL
)

// hasGuards reports whether guards can be installed, by trying one: emulators
// ignore the advice and report success, and then the page can be read.
var hasGuards = lazy.Value[bool]{Make: func() bool {
	var page region
	if page.grow(pageSize) != nil {
		return false
	}
	defer page.free()
	return syscall.Madvise(page, guardInstall) == nil && syscall.Madvise(page, populateRead) == syscall.EFAULT
}}

// A region is memory of the system's own, which pages are given to as they are used.
type region []byte

// grow makes the region n bytes of zeros; what was in it is lost.
func (r *region) grow(n int) error {
	if err := r.free(); err != nil {
		return err
	}
	b, err := syscall.Mmap(-1, 0, max(n, pageSize), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err == nil {
		*r = b
	}
	return err
}

// forbid makes a use of the n bytes at offset at a fault: whole pages.
func (r region) forbid(at, n int) error {
	var err error
	if !hasGuards.Get() || syscall.Madvise(r[at:at+n], guardInstall) != nil {
		err = syscall.Mprotect(r[at:at+n], syscall.PROT_NONE)
	}
	if errors.Is(err, syscall.ENOMEM) {
		// The process has as many mappings as it may (vm.max_map_count): do without.
		err = nil
	}
	return err
}

func (r region) address() uintptr { return uintptr(unsafe.Pointer(&r[0])) }

// free gives the memory back.
func (r *region) free() error {
	b := *r
	*r = nil
	if b == nil {
		return nil
	}
	return syscall.Munmap(b)
}
