// Package sim is the driver of the simulated device: kernels run as ordinary Go
// functions on internal/simt, device memory is Go memory, and nothing of a GPU
// or a compiler is needed.
//
//	sim, sim:32   warps of 32 lanes, as on NVIDIA GPUs and AMD's RDNA
//	sim:64        warps of 64 lanes, as on AMD's CDNA
//
// Streams, events and memory are internal/driver/host's. Of all kernels in the
// process one runs at a time.
//
// # Errors
//
// A call that cannot work (an address outside every allocation, arguments that
// do not fit the kernel) fails at once and queues nothing. A kernel that fails
// while it runs leaves its error with its stream, which works on; Stream.Sync
// and Device.Sync return the first such error and forget it. It is a
// *driver.SimPanic for a Go panic, and otherwise an error that says which
// threads wait where.
//
// # Memory
//
// New and freed memory is filled with a pattern that is NaN in floats, so that
// reading what was never written shows. Memory must not hold Go pointers: the
// collector does not look into it.
package sim
