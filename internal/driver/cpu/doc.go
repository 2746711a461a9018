// Package cpu is the driver of the host's processor: compiled kernels run on
// goroutines, a warp as vector instructions.
//
//	cpu, cpu:32   warps of 32 lanes, as on NVIDIA GPUs and AMD's RDNA
//	cpu:64        warps of 64 lanes, as on AMD's CDNA
//
// Streams, events and memory are internal/driver/host's, and internal/native
// loads the code. What is between that code and this package is in package
// abi, file native.go.
//
// # A launch
//
// The goroutine of the stream runs blocks itself: alone at first, and if that
// has taken some microseconds and blocks are left, it calls for help by other
// goroutines, up to GOMAXPROCS in all. A function remembers what a block of its
// last launch took, so that a large launch calls at once and one of few small
// blocks never does. Every goroutine that runs blocks makes one call of the
// compiled code, which claims blocks in ascending order until none is left, and
// is to Go's scheduler a goroutine in C code: its thread is not held up, and
// nothing is left behind when it returns.
//
// A worker is the memory that such a call needs: the block's shared memory, and
// a stack for each warp that waits at barriers. Workers are kept for the next
// launch.
//
// # Processors
//
// Code is compiled for one of the levels of the x86-64 psABI, the highest that
// the processor has, or for AArch64 with NEON. The environment variable
// HEDDLE_CPU asks for a lower level.
package cpu
