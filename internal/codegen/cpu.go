package codegen

import (
	"heddle/internal/abi"
	"heddle/internal/llvm"
)

// This file makes code for the host. It has a pipeline of its own, in native.go.

var cpuBackend = backend{
	normal: noCodeObject, ownPasses: true, external: true, memmove: true,
	emit:     func(r *Request) ([]byte, error) { return r.native(llvm.Object, nil) },
	check:    (*Request).checkNative,
	compile:  (*Request).native,
	mathLib:  func() string { return "built in" },
	mathDirs: func() []string { return nil },
	version:  nativeVersion,
}

func init() { backends[abi.Native] = &cpuBackend } // its functions refer to backends
