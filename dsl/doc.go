// Package dsl holds everything a kernel may call: indices, shared memory,
// barriers, warp exchanges, atomics and mathematics, under HIP's names in Go's
// case. Where C++ has a default argument there is a second function with a
// suffix: [Shfl] and [ShflWidth].
//
//	func BlockSum(in, out []float32) {
//		tile := dsl.Shared[[256]float32]()
//		t := dsl.ThreadIdx().X
//		tile[t] = in[dsl.GlobalIdx().X]
//		dsl.SyncThreads()
//		for d := dsl.BlockDim().X / 2; d > 0; d /= 2 {
//			if t < d {
//				tile[t] += tile[t+d]
//			}
//			dsl.SyncThreads()
//		}
//		if t == 0 {
//			out[dsl.BlockIdx().X] = tile[0]
//		}
//	}
//
// On a GPU the compiler replaces a call by the instructions it stands for. On
// the sim device the functions' own bodies run. The mathematical functions are
// plain Go and work anywhere; all others panic outside a kernel.
//
// # Warps
//
// A block's threads are numbered with x running fastest, and each run of
// [WarpSize] of them is a warp: 32 lanes on NVIDIA GPUs and on AMD's RDNA, 64
// on AMD's CDNA. Masks of lanes are uint64 at either size; with 32 lanes the
// upper half is 0 in results and ignored in arguments. The last warp of a block
// may have fewer lanes than WarpSize.
//
// Functions without Sync in their name work among the lanes that are active, as
// in HIP: those that make this very call together. A value read from a lane
// that is not active is undefined; the simulator gives one that is easy to see,
// NaN for floats. Functions with Sync take the mask of the lanes that must make
// the call together, each with its own bit set (sim and cpu panic where it is not);
// lanes that have returned from the kernel do not count. Only the Sync functions are sure to work on all GPUs
// where lanes have taken different branches.
//
// # Atomics
//
// Atomics work on global and on shared memory, are atomic among all threads of
// the device, order no other memory accesses (see [ThreadFence]), and return
// the value that was there before.
package dsl

//go:generate go run ./gen
