// Package emu adds emulated AMD GPUs to the devices of a program that imports it:
//
//	import _ "heddle/launch/emu"
//
//	dev, err := launch.Open("emu:gfx942")
//
// The emulator executes the very code object that a GPU would get, instruction by
// instruction, with a sanitizer. A device is named by its processor, and by its wave
// size where that has two: emu:gfx942, emu:gfx1100:64. It needs libLLVM.
//
// It is a package of its own because it is for development: a test file is a good
// place for the import, and programs without it are smaller and start sooner.
//
// The environment variable HEDDLE_EMU has options, separated by commas:
//
//	off             no sanitizer but the bounds of memory
//	races=off       accesses of two waves with nothing to order them
//	uninit=off      reads of memory that was never written
//	barriers=off    barriers that not all threads of a block reach
//	budget=N        instructions a wave may execute, 0: no limit
//	workers=N       blocks that run at the same time
//	stats           a line of counts for each launch, to standard error
//	stats=FILE      the same to a file
//	trace=FILE      what one wave of the first launch does, instruction by
//	                instruction beside the lines of Go; - is standard error
//	kernel=TEXT     of the first launch of a kernel with TEXT in its name
//	block=X.Y.Z     of a wave of this block, 0.0.0 by default
//	wave=N          of this wave of the block, 0 by default
//	lines=N         no more lines than these, 2000 by default; 0: no limit
//
// A trace has a line for each instruction: the mask of active lanes, the program
// counter from the kernel's entry, the text, and the registers that it wrote.
// "v2[0-31]=0x0,0x4..0x7c" is what lanes 0 to 31 have, and "0x1*8" eight lanes with
// the same; results of float32 instructions are written as numbers. Positions of Go
// are those of the debug information: after optimisation some lines have no
// instruction, and instructions of several lines alternate. Where a file cannot be read, its lines are missing.
package emu

import (
	"heddle/internal/driver"
	"heddle/internal/driver/emu"
)

func init() { driver.Register(emu.New()) }
