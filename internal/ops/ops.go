// Package ops says what operations do that are more than arithmetic: whether they may be
// moved or left out, which threads do them together, for which threads the result is the
// same. A row of package intrinsics says so of a function that a kernel calls; the table
// here says so of the functions that stand for operations in the code of one thread,
// which package spmd makes vector code of.
//
// All parts of the compiler go by these facts. Nothing is known of an operation that is
// in no table: it is done by whole warps, orders memory, and stays where it is.
package ops

import (
	"strings"

	"heddle/internal/lazy"
)

// An Extent is how many threads something is for.
type Extent uint8

// The extents, each a part of the next.
const (
	Thread Extent = iota // each by itself
	Warp
	Block
	Grid
)

// An Effect is what an operation does besides computing a result.
type Effect uint8

// The effects. Each allows the compiler less than the one before, but Unknown, which
// allows nothing.
const (
	Unknown Effect = iota
	Pure           // none: it may be moved, and left out if nobody wants the result
	Reads          // it reads what others change, such as a clock
	Writes         // it changes memory that others see
	Orders         // it orders the accesses to memory of those who do it
	Ends           // it ends the launch, and does not return
)

// A Space is the memory that a result points to.
type Space uint8

// The spaces that results are known to point to.
const (
	AnySpace Space = iota
	StaticShared
	DynamicShared
	DeviceMemory
	// ReadOnly is memory of the device that kernels only read.
	ReadOnly
)

// Facts are what is known of an operation. The zero value is that nothing is.
type Facts struct {
	Effect Effect
	// Together are the threads that do it at once: it must not come to stand where
	// others of them do it, or fewer.
	Together Extent
	// Result are threads that all get the same result, whatever their arguments.
	Result Extent
	// OfArgs: threads with the same arguments get the same result.
	OfArgs bool
	// Atomic: it loads or stores by itself, and that is atomic.
	Atomic bool
	// Panics: it may panic.
	Panics bool
	// Costly: it is not worth computing where its result may not be needed.
	Costly bool
	// Space and NonNil are of a result with addresses: where they point to, and that
	// none is nil.
	Space  Space
	NonNil bool
}

// Free reports whether it makes no difference for the rest of the program when, where and
// how often the operation is done.
func (f Facts) Free() bool { return f.Effect == Pure && f.Together == Thread && !f.Panics }

// Convergent reports whether the operation must not be moved into or out of branches.
func (f Facts) Convergent() bool { return f.Effect == Unknown || f.Together > Thread }

// ByWarp reports whether the lanes of a warp do it together.
func (f Facts) ByWarp() bool { return f.Effect == Unknown || f.Together == Warp }

// Shared reports whether the result points to the block's shared memory.
func (f Facts) Shared() bool { return f.Space == StaticShared || f.Space == DynamicShared }

// The operations of a machine, by the names that package target's tables have them by.
// A mask (i64) names the lanes of a warp that make a call together; a machine whose warps
// never split ignores it where it can. A mask that is nil is that of the active lanes.
const (
	Lane         = "lane"          // (): the lane within the warp, i32
	WarpNumber   = "warp"          // (): the warp's number in its block, i32
	SharedSize   = "shared.size"   // (): the bytes of dynamic shared memory, i32
	Barrier      = "barrier"       // (): waits for the block, and orders its memory
	BarrierCount = "barrier.count" // (i1): a barrier; in how many threads the argument holds, i32
	BarrierAnd   = "barrier.and"   // (i1): a barrier; whether it holds in all, i1
	BarrierOr    = "barrier.or"    // (i1): a barrier; whether it holds in any, i1
	WarpBarrier  = "warp.barrier"  // (mask): waits for the lanes of a warp, for all if the mask is nil, and orders memory among them
	Ballot       = "ballot"        // (mask, i1): bit n is set where lane n takes part and its i1 holds, i64
	Any          = "any"           // (mask, i1): whether it holds in a lane, i1
	All          = "all"           // (mask, i1): whether it fails in no lane of the mask that is active, i1
	ActiveMask   = "activemask"    // (): the lanes that take part, i64
	FenceBlock   = "fence.block"   // (): orders the thread's accesses as its block sees them
	FenceDevice  = "fence.device"  // (): as the device does
	FenceSystem  = "fence.system"  // (): as all devices and the host do
	Clock        = "clock"         // (): a counter of cycles, i64
	WallClock    = "wallclock"     // (): a counter of constant rate, i64
	RotateLeft   = "rotate.left"   // (x, n): x rotated by n modulo its width
	Sqrt         = "sqrt"          // (x): the correctly rounded square root of a float or double
	AddExact     = "add.exact"     // (x, y): the sum that FastMath changes nothing of, nil where flags of the operation are enough
	MulExact     = "mul.exact"     // (x, y): the product, likewise
	DivExact     = "div.exact"     // (x, y): the quotient, likewise
	PrintSink    = "print.sink"    // (): the address of the kernel's abi.PrintSink, in global memory
	Exit         = "exit"          // (): ends the thread (on AMDGPU its wave); the block is then unreachable

	// Where a machine has no code of its own for one of these, target's Do returns nil.
	// Images: package texture's format and number of channels (the channel, of ImageGather), its
	// kind, the descriptor's address, three coordinates, and the layer or slice; the level; a
	// texel's channels. They give a struct of channels, float, i32 or i16 by the format.
	ImageRefused = "image.refused" // (p): why p cannot be used here as an i32, 0 if it can; nil where all can be
	ImageSample  = "image.sample"  // (format, channels, kind, p, x, y, z, layer)
	ImageLod     = "image.lod"     // (format, channels, kind, p, x, y, z, layer, level)
	ImageFetch   = "image.fetch"   // (format, channels, kind, p, x, y, z, layer): of integers
	ImageGather  = "image.gather"  // (format, channel, kind, p, x, y, z, layer): of four texels
	ImageLoad    = "image.load"    // (format, channels, kind, p, x, y, z, slice): of integers
	ImageStore   = "image.store"   // (format, channels, kind, p, x, y, z, slice, channels...)

	AddHalves  = "add.halves"  // (p, x, fast): an atomic addition at the device's scope of a number of 16 bits, or of two, in an integer; fast: in coarse-grained memory, denormals may be flushed
	AddBFloats = "add.bfloats" // (p, x, fast): the same of numbers with a float32's exponent
	Swap128    = "swap.128"    // (p, compare lo, compare hi, lo, hi): compare and swap at the device's scope, {i64, i64}, where Machine.Swap128
	BFloatAdd  = "bfloat.add"  // (x, y): of numbers of 16 bits with a float32's exponent, one, two or four in an integer
	BFloatSub  = "bfloat.sub"  // (x, y)
	BFloatMul  = "bfloat.mul"  // (x, y)
	BFloatFma  = "bfloat.fma"  // (x, y, z): x*y + z, rounded once
	CopyAsync  = "copy.async"  // (dst, src, bytes, alignment): copies while the thread goes on
	CopyCommit = "copy.commit" // (): makes a group of the copies since the last
	CopyWait   = "copy.wait"   // (n): waits for all groups but the last n, with 0 for all copies
	MatchAny   = "match.any"   // (mask, i32 or i64): the lanes whose value is the caller's, i64
	// The reductions, (mask, v): v (i32) of the lanes of the mask combined, which all get it.
	ReduceAdd  = "reduce.add"
	ReduceMin  = "reduce.min"
	ReduceMax  = "reduce.max"
	ReduceUmin = "reduce.umin" // of unsigned numbers
	ReduceUmax = "reduce.umax"
	ReduceAnd  = "reduce.and"
	ReduceOr   = "reduce.or"
	ReduceXor  = "reduce.xor"

	// The shuffles, (mask, v, arg, width): v (i32) of the lane that arg (i64) chooses within
	// runs of width (i64, a power of two up to the warp size), as HIP's __shfl, __shfl_up,
	// __shfl_down and __shfl_xor do; the caller's own where there is no such lane, also
	// for a negative arg (ShuffleLane: modulo width).
	ShuffleLane = "shuffle.idx"
	ShuffleUp   = "shuffle.up"
	ShuffleDown = "shuffle.down"
	ShuffleXor  = "shuffle.xor"

	// Operations on the fields of words, which have no code of their own on some machines.
	// Words are i32.
	BitExtract         = "bit.extract"          // (x, offset, width i32): those bits of x, i32 or i64, with their sign
	BitExtractUnsigned = "bit.extract.unsigned" // without
	BitInsert          = "bit.insert"           // (x, field, offset, width i32): x with field in place of those bits
	BytePerm           = "byte.perm"            // (x, y, selector): as HIP's __byte_perm
	FunnelL            = "funnel.left"          // (lo, hi, n): the upper word of hi:lo << n modulo 32
	FunnelLc           = "funnel.left.clamp"    // no more than 32
	FunnelR            = "funnel.right"         // (lo, hi, n): the lower word of hi:lo >> n modulo 32
	FunnelRc           = "funnel.right.clamp"
	Sad                = "sad" // (x, y, sum): sum and the difference of two words without its sign
	SadUnsigned        = "sad.unsigned"
	Sad4               = "sad.bytes"  // of the four pairs of unsigned bytes
	Sad2               = "sad.halves" // of the two pairs of unsigned halves
	// (a, b, sum, signed i1, signed i1, saturates i1): sum and the dot product of the bytes
	// or halves of a and b, of which each may be signed. The last three are constants.
	Dot4 = "dot.bytes"
	Dot2 = "dot.halves"
)

// Prefix begins the names of the functions of the table, and Math those of the
// mathematical ones.
const (
	Prefix = "heddle."
	Math   = Prefix + "math."
	// Estimate is a function that some processors of the host have: (x), of a normal and positive float, 1 / sqrt(x)
	// with an error below 1/2048.
	Estimate = Prefix + "estimate"
)

// table are the operations in the code of one thread, by their names without the prefix.
var table = lazy.Value[map[string]Facts]{Make: func() map[string]Facts {
	all := map[string]Facts{
		"shared":     {Effect: Pure, Result: Block, Space: StaticShared, NonNil: true},
		"dynamic":    {Effect: Pure, Result: Block, Space: DynamicShared, NonNil: true},
		"panic":      {Effect: Ends},
		Lane:         {Effect: Pure},
		WarpNumber:   {Effect: Pure, Result: Warp},
		SharedSize:   {Effect: Pure, Result: Grid},
		PrintSink:    {Effect: Pure, Result: Grid},
		Barrier:      {Effect: Orders, Together: Block},
		BarrierCount: {Effect: Orders, Together: Block, Result: Block},
		WarpBarrier:  {Effect: Orders, Together: Warp},
		Ballot:       {Effect: Pure, Together: Warp, Result: Warp},
		Clock:        {Effect: Reads, Result: Warp}, // one reading for all lanes
		WallClock:    {Effect: Reads, Result: Warp},
	}
	all[strings.TrimPrefix(Estimate, Prefix)] = Facts{Effect: Pure}
	for _, shuffle := range []string{ShuffleLane, ShuffleUp, ShuffleDown, ShuffleXor} {
		all[shuffle] = Facts{Effect: Pure, Together: Warp}
	}
	for _, axis := range []string{"x", "y", "z"} {
		all["thread."+axis] = Facts{Effect: Pure}
		all["block."+axis] = Facts{Effect: Pure, Result: Block}
		all["dim."+axis] = Facts{Effect: Pure, Result: Grid}
		all["grid."+axis] = Facts{Effect: Pure, Result: Grid}
	}
	return all
}}

// Known reports whether a function is one of the table.
func Known(symbol string) bool {
	name, ok := strings.CutPrefix(symbol, Prefix)
	_, known := table.Get()[name]
	return ok && known
}

// Of are the facts of a function, by its symbol. The zero value is of those that are not
// in the table.
func Of(symbol string) Facts {
	if strings.HasPrefix(symbol, Math) {
		return Facts{Effect: Pure, OfArgs: true, Costly: true}
	}
	if name, ok := strings.CutPrefix(symbol, Prefix); ok {
		return table.Get()[name]
	}
	return Facts{}
}
