// Package exe reads the running executable: which function a func value is, where that
// starts, what types its closures are allocated as, and its symbols. It knows nothing of
// source code.
//
// # Identity
//
// A symbol's name does not identify a function: inlining rewrites it. What
// does, in every build mode, is the file of the outermost frame at the entry
// and the start line that the function table keeps for the profiler. Generic
// functions share code between instances, so an ID also has the dictionary
// word of the closure.
//
// For the type of a closure to be found in the machine code that allocates it, the closure
// must be on the heap, which it is when it reaches Identify.
package exe
