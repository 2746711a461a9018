//go:build amd64 || arm64

package typed

import "unsafe"

// Regs are the registers of a call: integers, then floats.
type Regs [intRegs + floatRegs]uint64

// stub is what func values run. It is called by its address only: args is whatever the stack
// has of the arguments.
//
//lint:ignore U1000 assembly takes its address
func stub(args uintptr)

// code is the address of stub.
var code uintptr

// entry is called by stub; its parameters are on the stack.
//
//lint:ignore U1000 assembly calls it
func entry(h *Head, regs *Regs, stack unsafe.Pointer) { h.Call(h, regs, stack) }
