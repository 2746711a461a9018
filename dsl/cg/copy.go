package cg

import "heddle/dsl"

// MemcpyAsync copies src to dst, of the same length, by all threads of a group, and makes
// the copies a group of each thread's (HIP's memcpy_async): see [dsl.CopyAsync]. [Wait]
// waits for it.
func MemcpyAsync[G Group, T any](group G, dst, src []T) {
	for i := group.ThreadRank(); i < len(src); i += group.Size() {
		dsl.CopyAsync(&dst[i], &src[i])
	}
	dsl.CopyAsyncCommit()
}

// Wait waits for all copies of the group's threads, and for the threads (HIP's wait).
func Wait[G Group](group G) {
	dsl.CopyAsyncWait(0)
	group.Sync()
}

// WaitPrior waits for all copies of the group's threads but those of the last pending
// calls of [MemcpyAsync], and for the threads (HIP's wait_prior): so the next parts of an
// array are on their way while a part is used, as in a pipeline of as many stages. More
// than 7 wait as 7 do.
func WaitPrior[G Group](group G, pending int) {
	switch {
	case pending <= 0:
		dsl.CopyAsyncWait(0)
	case pending == 1:
		dsl.CopyAsyncWait(1)
	case pending == 2:
		dsl.CopyAsyncWait(2)
	case pending == 3:
		dsl.CopyAsyncWait(3)
	case pending == 4:
		dsl.CopyAsyncWait(4)
	case pending == 5:
		dsl.CopyAsyncWait(5)
	case pending == 6:
		dsl.CopyAsyncWait(6)
	default:
		dsl.CopyAsyncWait(7)
	}
	group.Sync()
}
