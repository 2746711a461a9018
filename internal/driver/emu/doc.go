// Package emu is the driver of emulated AMD GPUs: kernels are compiled to the
// very code object that a GPU would get and executed instruction by instruction
// by package amdemu, with a sanitizer. A device is named by its processor, and
// by its wave size where that has two: emu:gfx942, emu:gfx1100:64.
//
// Programs add it by importing heddle/launch/emu, whose documentation has the
// options of HEDDLE_EMU.
package emu
