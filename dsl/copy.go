package dsl

// CopyAsync copies *src to *dst, which the calling thread may read after [CopyAsyncWait],
// and others of its block after a barrier behind that (HIP's and CUDA's memcpy_async,
// __pipeline_memcpy_async). Until then neither may be written. From global to shared
// memory, values of 4, 8 and 16 bytes at addresses that are multiples of that are copied by
// NVIDIA GPUs from sm_80 on while the thread goes on (cp.async); all else is copied at once.
func CopyAsync[T any](dst, src *T) { *dst = *src }

// CopyAsyncCommit makes a group of the thread's copies since the last one (HIP's and
// CUDA's __pipeline_commit).
func CopyAsyncCommit() {}

// CopyAsyncWait waits until at most pending of the thread's last groups of copies are not
// done, 0: until all are done, those without a group too (HIP's and CUDA's
// __pipeline_wait_prior). A pending that is no constant stands for 0.
func CopyAsyncWait(pending int) {}
