package target

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"

	"heddle/internal/abi"
	"heddle/internal/lazy"
	"heddle/internal/ops"
)

// amdTarget is the target's name.
const amdTarget = "amdgpu"

// AMDGPU is AMD's GPUs under ROCm: GFX8, GFX9, CDNA and RDNA.
// Source: LLVM's User Guide for the AMDGPU Backend.
var AMDGPU = Target{
	Name: amdTarget, Triple: "amdgcn-amd-amdhsa", Kind: abi.HSACO,
	KernelConv: enum.CallingConvAMDGPUKernel,
	Half:       true,
	FastAdd:    amdFastAdd,
	Wraps:      System, // PCI Express has no such operation
	Global:     1, Shared: 3, Constant: 4, Private: 5, ReadOnly: 4,
	ParamSpace: 4, ParamAttr: "byref", PartParams: true, Chooses: 16, UnrollsShort: true, Versions: true, Groups: true, Votes: true, Bounded: IfItPays, Narrow: true, LongInt64: true,
	GridThreads: math.MaxUint32, // what a dispatch packet holds, and HIP's limit of hipModuleLaunchKernel
	Scopes:      [4]string{"wavefront", "workgroup", "agent", ""},
	DebugKind:   enum.EmissionKindFullDebug,

	Geometry: amdGeometry, ShortParams: true, SatInt: amdSatInt,
	Ops: &amdOps,
	// LLVM before release 18 adds a 0 to what is cut off
	RoundLosesSign: true,
	OrdersZeros:    true,
	Maximum:        func(m *Machine, _ Type) bool { return m.Generation >= 12 },
	LibraryFunc:    amdLibraryFunc,
	MathFunc:       func(name string, bits int) string { return fmt.Sprintf("__ocml_%s_f%d", name, bits) },
}

func init() { // these refer back to AMDGPU
	AMDGPU.Machine = amdMachine
	AMDGPU.Finish = amdFinish
}

// amdOps are AMDGPU's operations.
var amdOps = lazy.Value[map[string]Expansion]{Make: func() map[string]Expansion {
	all := amdPackedOps()
	amdImages(all)
	maps.Copy(all, map[string]Expansion{
		ops.Lane:         func(b *Builder, _ ...Value) Value { return amdLane(b) },
		ops.SharedSize:   amdSharedSize,
		ops.Barrier:      amdBarrier,
		ops.BarrierCount: amdBarrierCount,
		ops.WarpBarrier: func(b *Builder, _ ...Value) Value {
			b.Fence("wavefront", "release")
			b.Intrinsic("llvm.amdgcn.wave.barrier", Void)
			b.Fence("wavefront", "acquire")
			return None
		},
		ops.Ballot:      amdBallot,
		ops.ShuffleLane: amdShuffle(ops.ShuffleLane),
		ops.ShuffleUp:   amdShuffle(ops.ShuffleUp),
		ops.ShuffleDown: amdShuffle(ops.ShuffleDown),
		ops.ShuffleXor:  amdShuffle(ops.ShuffleXor),
		ops.FenceBlock:  fence("workgroup"),
		ops.FenceDevice: fence("agent"),
		ops.FenceSystem: fence(""),
		ops.Exit: func(b *Builder, _ ...Value) Value {
			b.CallAttr(b.M.Declare("llvm.amdgcn.endpgm", Void), "noreturn")
			b.Unreachable()
			return None
		},
		ops.Clock: intrinsic("llvm.readcyclecounter", I64),
		ops.WallClock: func(b *Builder, _ ...Value) Value {
			if b.M.T.Generation >= 11 {
				return b.Intrinsic("llvm.amdgcn.s.sendmsg.rtn.i64", I64, Int(I32, 131)) // MSG_RTN_GET_REALTIME
			}
			return b.Intrinsic("llvm.amdgcn.s.memrealtime", I64)
		},
		ops.Sqrt:       func(b *Builder, args ...Value) Value { return amdSqrt(b, args[0]) },
		ops.AddHalves:  amdAddPair("v2f16.p0.v2f16", F16),
		ops.AddBFloats: amdAddPair("v2bf16.p0", I16),
	})
	return all
}}

// amdMachine takes gfxMMms: generation in decimal, minor and stepping in hexadecimal.
func amdMachine(cpu string, warp int) (*Machine, error) {
	digits, ok := strings.CutPrefix(cpu, "gfx")
	if !ok || len(digits) < 3 {
		return nil, nil
	}
	gen, err := strconv.Atoi(digits[:len(digits)-2])
	if err != nil || gen < 8 || gen > 12 {
		return nil, fmt.Errorf("architecture %q: heddle compiles for gfx8 to gfx12", cpu)
	}
	m := &Machine{Target: &AMDGPU, CPU: cpu, Generation: gen, CodeObject: 5}
	if gen < 10 {
		m.WarpSize, err = warpOf(cpu, warp, 64)
	} else {
		m.WarpSize, err = warpOf(cpu, warp, 32, 64)
		m.Features = fmt.Sprintf("+wavefrontsize%d", m.WarpSize)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

func amdFinish(m *Module, f *ir.Func, k KernelInfo) {
	bound := MaxBlock
	if k.MaxThreads > 0 {
		bound = k.MaxThreads
	}
	attr := func(key, value string) {
		f.FuncAttrs = append(f.FuncAttrs, ir.AttrPair{Key: key, Value: value})
	}
	attr("amdgpu-flat-work-group-size", fmt.Sprintf("1,%d", bound))
	attr("uniform-work-group-size", "true")
	if k.MinBlocks > 0 {
		attr("amdgpu-waves-per-eu", strconv.Itoa(k.MinBlocks))
	}
	if m.FastAtomics {
		attr("amdgpu-unsafe-fp-atomics", "true")
	}
}

// amdFastAdd says of a float addition what LLVM before release 20 takes from the kernel's
// attribute: that memory is the device's own, and that denormals may be flushed.
func amdFastAdd(m *Module) []any {
	none := metadataRef{m.Tuple("none")}
	return []any{", !amdgpu.no.fine.grained.memory ", none, ", !amdgpu.no.remote.memory ", none, ", !amdgpu.ignore.denormal.mode ", none}
}

// amdAddPair is the addition to two numbers of 16 bits that gfx942's family and gfx12 have, in
// memory that is not fine-grained.
func amdAddPair(suffix string, elem Type) Expansion {
	return func(b *Builder, a ...Value) Value {
		p, v := a[0], a[1]
		if has := b.M.T.Generation == 12 || b.M.T.CPU >= "gfx940" && b.M.T.Generation == 9; !has || Bits(v.Type()) != 32 || !isTrue(a[2]) {
			return nil
		}
		pair := Vector(2, elem)
		return b.Cast("bitcast", b.Intrinsic("llvm.amdgcn.flat.atomic.fadd."+suffix, pair, p, b.Cast("bitcast", v, pair)), I32)
	}
}

// Byte offsets in hsa_kernel_dispatch_packet_t and in code object v5's implicit arguments.
const (
	packetBlockDim     = 4  // 3 x uint16
	packetGridSize     = 12 // 3 x uint32, in threads
	packetGroupSegment = 28 // uint32
	implicitBlockCount = 0  // 3 x uint32
	implicitBlockDim   = 12 // 3 x uint16
)

func dispatchPacket(b *Builder) Value { return b.Intrinsic("llvm.amdgcn.dispatch.ptr", Ptr(4)) }

// amdSatInt is Target.SatInt: v_cvt_i32_f32, of which LLVM knows less than the instruction does.
func amdSatInt(b *Builder, x Value) Value {
	if x.Type().Equal(F64) {
		return b.Asm(I32, "v_cvt_i32_f64 $0, $1", "=v,v", false, x)
	}
	return b.Asm(I32, "v_cvt_i32_f32 $0, $1", "=v,v", false, x)
}

// amdGeometry reads sizes from the implicit arguments where the code object
// has them, else from the dispatch packet. heddle launches whole blocks only.
func amdGeometry(b *Builder, r Register, axis int) Value {
	switch r {
	case ThreadIdx:
		return b.Ranged("llvm.amdgcn.workitem.id."+axisName(axis), 0, b.M.MaxBlock())
	case BlockIdx:
		return b.Ranged("llvm.amdgcn.workgroup.id."+axisName(axis), 0, MaxGrid)
	}
	at := func(base Value, offset int64) Value { return b.GEP(I8, base, Int(I64, offset)) }
	blockDim := func(base Value, offset int64) Value {
		return b.Cast("zext", b.Load(I16, at(base, offset+2*int64(axis)), 2), I32)
	}
	if b.M.T.CodeObject >= 5 {
		args := b.Intrinsic("llvm.amdgcn.implicitarg.ptr", Ptr(4))
		if r == BlockDim {
			return blockDim(args, implicitBlockDim)
		}
		return b.Load(I32, at(args, implicitBlockCount+4*int64(axis)), 4)
	}
	p := dispatchPacket(b)
	size := blockDim(p, packetBlockDim)
	if r == BlockDim {
		return size
	}
	return b.Bin("udiv", b.Load(I32, at(p, packetGridSize+4*int64(axis)), 4), size)
}

func amdSharedSize(b *Builder, _ ...Value) Value {
	total := b.Load(I32, b.GEP(I8, dispatchPacket(b), Int(I64, packetGroupSegment)), 4)
	return b.Bin("sub", total, b.Intrinsic("llvm.amdgcn.groupstaticsize", I32))
}

func amdBallot(b *Builder, args ...Value) Value {
	t := Type(I64)
	if b.M.T.WarpSize == 32 {
		t = I32
	}
	votes := b.IntCast(b.Intrinsic(fmt.Sprintf("llvm.amdgcn.ballot.%v", t), t, args[1]), I64, false)
	if mask := args[0]; mask != nil {
		return b.Bin("and", votes, mask)
	}
	return votes
}

func amdBarrier(b *Builder, _ ...Value) Value {
	b.Fence("workgroup", "release")
	b.CallAttr(b.M.Declare("llvm.amdgcn.s.barrier", Void), "convergent")
	b.Fence("workgroup", "acquire")
	return None
}

// amdBarrierCount counts in shared memory: all threads clear the counter, all
// add to it, all read it, with a barrier after each step.
func amdBarrierCount(b *Builder, args ...Value) Value {
	p := b.M.Var("heddle_barrier_count", I32, b.M.T.Shared, 4, Poison(I32))
	p.Linkage = enum.LinkageInternal
	b.Store(Int(I32, 0), p, 4)
	amdBarrier(b)
	b.AtomicRMW("add", p, b.Cast("zext", args[0], I32), "workgroup", "monotonic")
	amdBarrier(b)
	n := b.Load(I32, p, 4)
	amdBarrier(b)
	return n
}

func amdLane(b *Builder) Value {
	if b.M.T.WarpSize == 32 {
		return b.Ranged("llvm.amdgcn.mbcnt.lo", 0, 32, Int(I32, -1), Int(I32, 0))
	}
	lo := b.Ranged("llvm.amdgcn.mbcnt.lo", 0, 33, Int(I32, -1), Int(I32, 0))
	return b.Ranged("llvm.amdgcn.mbcnt.hi", 0, 64, Int(I32, -1), lo)
}

func amdShuffle(op string) Expansion {
	return func(b *Builder, args ...Value) Value {
		arg, width := args[2], args[3]
		n, one := IntConst(arg)
		if w, ok := IntConst(width); ok && one && op == ops.ShuffleLane && w == 64 && (b.M.T.Generation == 10 || b.M.T.Generation == 11) {
			return b.CallAttr(b.M.Declare(readlane, I32, I32, I32), "convergent", args[1], Int(I32, n&63))
		}
		return amdReadLane(b, args[1], amdSource(b, op, arg, width), amdWithin32(op, arg, width))
	}
}

// amdWithin32 reports whether lanes are known to read within their half of a warp of 64.
func amdWithin32(op string, arg, width Value) bool {
	if op == ops.ShuffleXor {
		n, ok := IntConst(arg)
		return ok && n < 32 // of a negative number there is no lane
	}
	n, ok := IntConst(width)
	return ok && n <= 32
}

// amdSource is the lane that a shuffle reads from.
func amdSource(b *Builder, op string, arg, width Value) Value {
	lane := amdLane(b)
	width = b.IntCast(width, I32, true)
	within := b.Bin("sub", width, Int(I32, 1))
	place := b.Bin("and", lane, within)
	if op == ops.ShuffleLane {
		return b.Bin("or", b.Bin("sub", lane, place), b.Bin("and", b.IntCast(arg, I32, true), within))
	}
	// No lane is 64 away, nor any negative number as an unsigned one.
	far := Int(I64, 64)
	d := b.Cast("trunc", b.Select(b.ICmp("ult", arg, far), arg, far), I32)
	var from, ok Value
	switch op {
	case ops.ShuffleUp:
		from, ok = b.Bin("sub", lane, d), b.ICmp("ule", d, place)
	case ops.ShuffleDown:
		from, ok = b.Bin("add", lane, d), b.ICmp("ult", b.Bin("add", place, d), width)
	case ops.ShuffleXor:
		from = b.Bin("xor", lane, d)
		ok = b.ICmp("ult", from, b.Bin("add", b.Bin("sub", lane, place), width))
	}
	return b.Select(ok, from, lane)
}

// amdReadLane is ds_bpermute, which addresses lanes by bytes. On GFX10 and 11
// it stays within 32 lanes even in wave64; there a loop over v_readlane serves. (That
// GFX11 can exchange the halves is no help: lanes would read by way of others, which may
// not be active.)
func amdReadLane(b *Builder, v, lane Value, within32 bool) Value {
	if g := b.M.T.Generation; g < 10 || g > 11 || b.M.T.WarpSize == 32 || within32 {
		return b.CallAttr(b.M.Declare("llvm.amdgcn.ds.bpermute", I32, I32, I32), "convergent", b.Bin("shl", lane, Int(I32, 2)), v)
	}
	return amdReadEach(b, v, lane)
}

const readlane = "llvm.amdgcn.readlane"

// amdReadEach is v of a lane, by reading all lanes.
func amdReadEach(b *Builder, v, lane Value) Value {
	before, loop, done := b.Cur, b.NewBlock(), b.NewBlock()
	b.Br(loop)
	b.Cur = loop
	i, acc := b.Phi(I32), b.Phi(I32)
	x := b.CallAttr(b.M.Declare(readlane, I32, I32, I32), "convergent", v, i)
	r := b.Select(b.ICmp("eq", lane, i), x, acc)
	next := b.Bin("add", i, Int(I32, 1))
	AddIncoming(i, Int(I32, 0), before)
	AddIncoming(i, next, loop)
	AddIncoming(acc, Int(I32, 0), before)
	AddIncoming(acc, r, loop)
	b.CondBr(b.ICmp("ult", next, Int(I32, 64)), loop, done)
	b.Cur = done
	return r
}
