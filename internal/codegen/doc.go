// Package codegen compiles one LLVM IR module to the object a driver loads: an
// AMDGPU code object, PTX text, or an ELF object of the host.
//
//	Request --Build--> disk cache hit? --yes--> abi.Object (libLLVM is not even loaded)
//	                        | no
//	                      Emit:  parse, link the device math library, verify, optimise,
//	                             generate code, link (internal/link), check
//
// libLLVM does most of it (internal/llvm). On a ROCm machine AMD's own comgr
// can take its place for AMDGPU; see Backend. Code for the host goes through
// package spmd between two runs of libLLVM; see native.go.
//
// What differs between the kinds of object is a backend (kinds.go), one of amdgpu.go,
// nvptx.go and cpu.go; the rest asks it, and does not ask which it is.
//
// # What is checked
//
// Compilers fail silently in places, so each result is checked before it is
// used: the module is verified, the processor is known to this LLVM, the kernel
// has come out (a wrong wavefront size drops it without a word), the code
// object version is the one asked for, and no symbol is left undefined.
//
// # Device math libraries
//
// A module may call AMD's OCML and OCKL (__ocml_*, __ockl_*) and NVIDIA's
// libdevice (__nv_*) by declaring the functions. The library is then found on
// this machine and the functions that are called are linked in; HasMathLib tells
// beforehand whether it is there. The host's (heddle.math.*) is part of this
// program: internal/cpumath.
package codegen
