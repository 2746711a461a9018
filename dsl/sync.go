package dsl

import "heddle/internal/simt"

// SyncThreads waits until every thread of the block has made this call; then
// all see each other's writes to shared and global memory (HIP
// __syncthreads). A call that only some threads of the block reach is an
// error: the simulator reports it, a GPU may hang.
func SyncThreads() { simt.Running("SyncThreads").Barrier("SyncThreads", false) }

// SyncThreadsCount is [SyncThreads], and returns for how many threads of the
// block p is true (HIP __syncthreads_count).
func SyncThreadsCount(p bool) int {
	return simt.Running("SyncThreadsCount").Barrier("SyncThreadsCount", p)
}

// SyncThreadsAnd is [SyncThreads], and reports whether p is true for every
// thread of the block (HIP __syncthreads_and).
func SyncThreadsAnd(p bool) bool {
	return simt.Running("SyncThreadsAnd").Barrier("SyncThreadsAnd", !p) == 0
}

// SyncThreadsOr is [SyncThreads], and reports whether p is true for some
// thread of the block (HIP __syncthreads_or).
func SyncThreadsOr(p bool) bool {
	return simt.Running("SyncThreadsOr").Barrier("SyncThreadsOr", p) > 0
}

// SyncWarp waits until every lane of the warp that has not returned from the
// kernel has made this call; then they see each other's writes (HIP __syncwarp
// with its default, full mask).
func SyncWarp() { simt.Running("SyncWarp").Vote("SyncWarp", true, true, fullMask) }

// SyncWarpMask is [SyncWarp] for the lanes of mask (HIP __syncwarp with a mask).
func SyncWarpMask(mask uint64) {
	simt.Running("SyncWarpMask").Vote("SyncWarpMask", true, true, mask)
}

// ThreadFence orders the calling thread's memory accesses before the call
// against those after it, as seen by all threads of the device (HIP __threadfence).
func ThreadFence() { simt.Running("ThreadFence").Touch() }

// ThreadFenceBlock is [ThreadFence] as seen by the threads of the block (HIP
// __threadfence_block).
func ThreadFenceBlock() { simt.Running("ThreadFenceBlock").Touch() }

// ThreadFenceSystem is [ThreadFence] as seen by all devices and the host (HIP
// __threadfence_system).
func ThreadFenceSystem() { simt.Running("ThreadFenceSystem").Touch() }
