// Package llvm drives libLLVM's C API, and AMD's comgr, without cgo: the
// shared library is found on this machine, opened with dlopen and called
// through purego.
//
// The way of one compile:
//
//	lib, err := llvm.Open()                  // once per process
//	err = lib.Do(func(c *llvm.Context) error {
//		m, err := c.ParseIR("kernel.ll", text)     // IR text, opaque pointers
//		tm, err := lib.NewTargetMachine(llvm.Target{Triple: "amdgcn-amd-amdhsa", CPU: "gfx942", Level: 3})
//		defer tm.Close()
//		m.SetTarget(tm)                            // triple and data layout
//		err = m.Verify()
//		err = m.RunPasses("default<O3>", tm)       // tm brings the target's own passes
//		obj, err := m.Emit(tm, llvm.Object)
//		...
//	})
//
// # Errors
//
// LLVM reports errors in three ways, and all three come back as Go errors:
// a status with a message (parser, verifier, pass pipeline), a diagnostic sent
// to the context's handler (shared memory over the limit, bad inline assembly),
// and report_fatal_error ("Cannot select"), which would end the process.
// Do therefore runs its function on an OS thread of its own, and the fatal-error
// handler hands its message over and then never returns: that thread and its
// context are given up, and later compiles go on. Only a crash inside LLVM
// (SIGSEGV, abort) still ends the process.
//
// # Concurrency
//
// Contexts are independent of each other, so any number of Do calls may run at
// once. One Context, and all that came from it, belongs to its Do call.
package llvm
