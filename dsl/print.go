package dsl

import "heddle/internal/simt"

// Printf prints args as package fmt's Printf does, on the host (HIP printf). Each call's
// text is written whole, those of a thread in order; nothing is said of the order of
// different threads. It is written to where [heddle/launch.Device.SetOutput] says, the
// standard output if it was not called: at the next call that waits, and now and then
// while the kernel runs.
//
// The format is a constant. The arguments are numbers, bools, pointers and slices (%p, their
// address), and constant strings, 24 numbers at most. A verb that does not fit its argument is an
// error while compiling, as it is one of go vet, and so is one that would call a method of
// the argument.
//
// The memory in between holds a hundred thousand calls or more. Where the host cannot keep
// up, calls are dropped; a line of the output says how many. A kernel that calls Printf
// nowhere pays nothing.
func Printf(format string, args ...any) {
	simt.Running("Printf").Printf(format, args...)
}

// Assert panics if cond does not hold, with the text "assertion failed: " and the message,
// which is a constant (HIP assert). A kernel with Options.NoBounds does not check it.
func Assert(cond bool, message string) {
	if !cond {
		simt.Running("Assert")
		panic("assertion failed: " + message)
	}
}
