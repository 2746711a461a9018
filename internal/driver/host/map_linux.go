package host

import (
	"syscall"
	"unsafe"
)

// hugePage is the size and alignment of a large page on the usual machines.
const hugePage = 2 << 20

// mapPages returns n bytes of zeros, aligned for large pages, and the mapping
// that they are in, for unmapPages.
func mapPages(n int) (mapping, bytes []byte, err error) {
	const (
		protection = syscall.PROT_READ | syscall.PROT_WRITE
		flags      = syscall.MAP_PRIVATE | syscall.MAP_ANON | syscall.MAP_NORESERVE
		adviceHuge = 14 // MADV_HUGEPAGE
	)
	mapping, err = syscall.Mmap(-1, 0, n+hugePage, protection, flags)
	if err != nil {
		return nil, nil, err
	}
	first := -uintptr(unsafe.Pointer(&mapping[0])) % hugePage
	bytes = mapping[first:][:n]
	_ = syscall.Madvise(bytes, adviceHuge) // a wish: a kernel without large pages refuses
	return mapping, bytes, nil
}

// unmapPages undoes mapPages; nil is fine.
func unmapPages(mapping []byte) error {
	if mapping == nil {
		return nil
	}
	return syscall.Munmap(mapping)
}
