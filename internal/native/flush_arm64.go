package native

import "unsafe"

// flush makes the instruction fetch see what was written to b.
func flush(b []byte) {
	if len(b) > 0 {
		flushRange(unsafe.Pointer(&b[0]), unsafe.Pointer(&b[len(b)-1]))
	}
}

// flushRange cleans the data cache and invalidates the instruction cache for
// the lines from the one of first to the one of last.
//
//go:noescape
func flushRange(first, last unsafe.Pointer)
