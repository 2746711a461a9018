// Package simt runs a kernel as ordinary Go code, one simulated thread at a
// time. It is the machine under the sim device: no compiler, no GPU, and the
// oracle that every other device is checked against.
//
// # How threads take turns
//
// Only one simulated thread in the whole process runs at any moment, so "the
// current thread" is a package variable and the functions of package dsl need
// no argument that names it. Threads run on worker coroutines (iter.Pull):
//
//	worker 0:  thread 0, exits; thread 1, exits; thread 2, waits
//	worker 1:                                                     thread 3, waits
//	worker 2:                                                                      thread 4 ...
//
// A worker runs one thread after another until one has to wait; then the next
// worker takes over. A kernel that never waits costs one coroutine in all, and
// a kernel with a barrier one for each thread of a block. Blocks run one after
// another, and the workers serve them all.
//
// # What makes a thread wait
//
//   - [Thread.Barrier]: until every thread of the block waits at the same call.
//   - [Thread.Shuffle] and [Thread.Vote] with a mask: until all lanes of the
//     warp that the mask names, but those that have returned, wait at the same
//     call with the same mask.
//   - The same without a mask: until no lane of the warp can run on. Then the
//     lanes that wait at the same call are the active lanes of that call.
//   - [Thread.Touch], after very many atomics or fences, which look like a spin
//     lock: the other threads get a turn.
//
// "The same call" means the same chain of calls from the kernel down, as if
// every function were inlined into the kernel.
//
// Where lanes wait at different calls without a mask, the call that comes first
// in the source goes first. That is the order in which a GPU reconverges after
// a branch, and after a loop that lanes leave at different times. It differs
// from a GPU where a loop has a call that all lanes make and, below it, one that
// only some make: the lanes that skip the second one arrive at the next
// iteration's first one and go ahead, where a GPU makes them wait. HIP promises
// nothing there but to AMD's lockstep; with masks there is no doubt.
//
// # What it reports
//
// A Go panic ([Panic]), and a barrier that not all threads reach or a masked
// operation that can never complete ([Stuck]); each with block, thread, file and
// line. Shared memory starts out filled with a pattern that reads as NaN or as
// a conspicuous integer, and so does what a lane reads from a lane that is not
// active.
//
// An endless loop without dsl calls, and faults that Go cannot recover from (a
// stack overflow, a concurrent map write), are as in any Go program.
package simt
