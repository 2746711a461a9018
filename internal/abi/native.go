package abi

// This file is the contract between compiled host code (Kind Native) and the
// cpu driver. An object defines two symbols:
//
//	i32 heddle_run(NativeLaunch*, NativeWorker*)   C calling convention
//	heddle_info                                    a constant NativeInfo
//
// heddle_run claims blocks from Next, Chunk at a time in ascending order, and
// runs them until none is left. Once Stop is set it claims no more, and returns
// from the next branch back of a loop that it comes to. It runs on the stacks that the
// worker provides and never on its caller's; where a block's warps wait for
// each other at barriers, each warp has a stack, else only the first is used.
// It returns 0, or 1 if a thread panicked here, or was in a loop when Stop was set:
// then the record behind Sink is complete (whoever swapped Lock from 0 to 1 filled
// it; its State says which of the two it was) and Stop is set.
// Other symbols that an object leaves undefined are the C library's and
// libm's, by C's names.

// Names of a native object's symbols.
const (
	NativeRun  = "heddle_run"
	NativeInfo = "heddle_info"
)

// NativeStack is how many bytes of stack each warp of a kernel has besides those that its
// NativeInfoData asks for: wide code has much to spill.
const NativeStack = 512 << 10

// NativeInfoData is what heddle_info holds.
type NativeInfoData struct {
	Lanes    uint32 // threads that one call of the warp function runs: a power of two
	Barriers uint32 // 0 if its gangs need no stacks of their own, else for how many blocks there are stacks: 1 or NativeSeveral
	Shared   uint64 // static shared memory of a block in bytes
	Stack    uint64 // bytes of stack that one warp takes besides NativeStack: its private arrays, or more
	Waits    uint64 // 1 if it has loops that do nothing but wait for other threads
}

// NativeSeveral is how many blocks take turns with each other where the code wants it, as far as NativeStacks stacks do.
// They have their static shared memory NativeStride apart.
const (
	NativeSeveral = 4
	NativeStacks  = 64
)

func NativeStride(shared uint64) uint64 { return (shared + 127) / 64 * 64 }

// StacksOf is how many stacks a block of so many threads needs, or several such blocks.
func (i *NativeInfoData) StacksOf(threads int) int {
	one := (threads + int(i.Lanes) - 1) / int(i.Lanes)
	return max(one, min(one*int(i.Barriers), NativeStacks))
}

// NativeLaunch is one launch, shared by its workers. Offsets are part of the
// contract; size 88 bytes.
type NativeLaunch struct {
	Next   uint64    // 0: the next block to claim, atomic
	Blocks uint64    // 8: how many there are
	Chunk  uint64    // 16: how many to claim at a time, at least 1
	Ending uint32    // 24: no more than this part of what is left is claimed, 1 / (1 << Ending), but at least 1
	Shared uint32    // 28: dynamic shared memory, bytes
	Grid   [3]uint32 // 32
	Block  [3]uint32 // 44
	Args   uintptr   // 56: the kernel-argument block (Signature), 16-byte aligned
	Sink   uintptr   // 64: *PanicRecord, 0 only for a kernel without sites
	Lock   uint32    // 72: atomic, 0 until a thread panics
	Stop   uint32    // 76: not 0: end; atomic, and on another line of the cache than Next
	Print  uintptr   // 80: *PrintSink, 0 only for a kernel that does not print
}

// NativeWorker is what one running call of heddle_run has to itself; size 160.
type NativeWorker struct {
	Shared uintptr // 0: the block's shared memory, static then dynamic (from the next multiple of 16), 64-byte aligned
	Stacks uintptr // 8: the lowest address of the first stack, page aligned
	Stride uint64  // 16: bytes from one stack to the next; the last page below each may be a guard
	Size   uint64  // 24: usable bytes of each stack, ending at Stacks + i*Stride + Size
	Fibers uintptr // 32: 16 bytes for each stack, for heddle_run's use
	_      [64]byte
	// Where NativeInfoData.Waits is 1, heddle_run adds to:
	Spins uint64 // 104: the iterations of loops that wait
	Enter uint64 // 112: how often such a loop was entered
	Begun uint64 // 120: blocks begun
	_     [32]byte
}
