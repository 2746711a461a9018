// Package kernel is heddle's front door: it makes a GPU kernel of an ordinary
// Go function and launches it.
//
//	func Saxpy(a float32, x, y []float32) {
//		if i := dsl.GlobalIdx().X; i < len(y) {
//			y[i] += a * x[i]
//		}
//	}
//
//	var saxpy = kernel.New(Saxpy)
//
//	err := saxpy.Launch(dev.Stream(), launch.Linear(n, 256), float32(2), x, y)
//
// The first launch on an architecture finds the function's source, checks it,
// translates it and compiles it; later launches reuse the code, from memory or,
// in a later run of the program, from disk. Every mistake in the kernel is
// reported at once, as file:line:col: message (what to do).
//
// # What a kernel may be
//
// Any func value without results: a declared function, an instance of a
// generic one, a method value, a closure. What it captures becomes hidden
// arguments, read at each launch. It may call any Go function whose source is
// at hand and which keeps to the same subset of Go: no maps, channels,
// goroutines, defers, interfaces, strings other than constants, no memory that
// outlives the call. Package dsl has what Go lacks: thread indices, shared
// memory, barriers, warp functions, atomics.
//
// # Where the source comes from
//
// In development heddle asks the go command, as gopls does. A program that is
// to run elsewhere carries its kernels' sources, and what they need of other
// modules and of the standard library. The command "heddle generate" writes that;
// where a package's own files are enough, so does
//
//	//go:embed *.go
//	var src embed.FS
//	var _ = kernel.Source(src)
//
// "heddle build" compiles kernels ahead of time, for programs that are to run
// where there is no compiler either: see [Archive].
//
// # What closures capture
//
// Numbers, bools, arrays and structs are read at each launch. A captured
// *launch.Buffer is its memory: b.Device() is the slice, b.Len() the length.
// Slices and pointers must be of device memory. Strings, and what
// [Options].Specialize names, are constants of the code.
package kernel
