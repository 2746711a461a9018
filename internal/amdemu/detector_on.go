//go:build race

package amdemu

// detector: the program is built with Go's race detector. Then one wave runs at a
// time, because the sanitizer's records, and the memory of kernels that race, are
// shared without locks: that is to be the kernel's affair and not the program's.
const detector = true
