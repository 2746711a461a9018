// Package emu is the driver of emulated AMD GPUs: kernels are compiled to the
// very code object that a GPU would get and executed instruction by instruction
// by package amdemu, with a sanitizer. A device is named by its processor, and
// by its wave size where that has two: emu:gfx942, emu:gfx1100:64.
//
// The environment variable HEDDLE_EMU has options, separated by commas:
//
//	off             no sanitizer but the bounds of memory
//	races=off       accesses of two waves with nothing to order them
//	uninit=off      reads of memory that was never written
//	barriers=off    barriers that not all threads of a block reach
//	budget=N        instructions a wave may execute, 0: no limit
//	workers=N       blocks that run at the same time
package emu
