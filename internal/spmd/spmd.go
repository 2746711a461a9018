// Package spmd turns the LLVM IR of one thread into that of a warp.
package spmd

import "errors"

// Version tells vectorisers apart: raise it when what Vectorize makes changes.
const Version = 0

// Options say what to make.
type Options struct {
	Kernel   string // the symbol of the kernel
	ISA      string // "x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64"
	WarpSize int    // 32 or 64
	Lanes    int    // threads that one call runs; 0: what suits kernel and ISA
}

// Vectorize turns the module of a kernel for one thread into one that runs
// blocks: it defines what internal/abi's native.go says.
func Vectorize(text string, o Options) (string, error) {
	return "", errors.New("spmd: not yet")
}
