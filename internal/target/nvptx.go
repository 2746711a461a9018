package target

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"

	"heddle/internal/abi"
	"heddle/internal/lazy"
	"heddle/internal/ops"
)

// NVPTX is NVIDIA's GPUs from Volta on.
// Source: LLVM's User Guide for the NVPTX Back-end, NVIDIA's PTX ISA.
var NVPTX = Target{
	Name: "nvptx", Triple: "nvptx64-nvidia-cuda", Kind: abi.PTX,
	KernelConv: enum.CallingConvPTXKernel,
	Half:       true,
	Global:     1, Shared: 3, Constant: 4, Private: 0, ReadOnly: 1,
	ParamSpace: 0, ParamAttr: "byval", PartParams: true, UnrollsShort: true, UnrollsMedium: true, Chooses: 1 << 20, Bounded: IfItPays, BoundedArith: true, Joins: true, Versions: true, Groups: true, Narrow: true, TellsShort: true, Disjoint: true, GridYZ: 1<<16 - 1,
	Bank:        true,
	OrdersZeros: true,
	Maximum:     func(m *Machine, t Type) bool { return m.Generation >= 80 && t.Equal(F32) },
	Scopes:      [4]string{"block", "block", "device", ""},
	DebugKind:   enum.EmissionKindDebugDirectivesOnly,

	SatInt: nvSatInt, RoundInt: nvRoundInt, Stays: nvStays,
	Ops: &nvOps, Atomic: nvAtomic, Wraps: System + 1, ExitAfter: nvExitAfter, Uses: nvUses, StreamLoad: nvStreamLoad, Low: nvLow, MulAdd: nvMulAdd,
	Apart: func(b *Builder) {
		b.Emit(Void, `call void asm sideeffect "", ""() nounwind memory(inaccessiblemem: readwrite)`)
	},
	PanicSum: true, // a fence that is never come to slows all atomics of a kernel down, by a quarter
	PanicGeometry: func(b *Builder, r Register, axis int) Value {
		return b.Asm(I32, "mov.u32 $0, %"+nvRegisters[r]+"."+axisName(axis)+";", "=r", true)
	},
	Geometry: func(b *Builder, r Register, axis int) Value {
		lo, most := int64(0), b.M.MaxBlock()
		if r == BlockIdx || r == GridDim {
			most = b.M.T.MostBlocks(axis)
		}
		if r == BlockDim || r == GridDim {
			lo, most = 1, most+1
		}
		return b.Ranged("llvm.nvvm.read.ptx.sreg."+nvRegisters[r]+"."+axisName(axis), lo, most)
	},
	MathFunc: func(name string, bits int) string {
		if bits == 32 {
			name += "f"
		}
		return "__nv_" + name
	},
	LibraryFunc: nvLibraryFunc,
	FastMathFunc: func(name string, bits int) string {
		switch name { // nvcc's -use_fast_math has these
		case "sin", "cos", "tan", "exp", "exp10", "log", "log2", "log10", "pow":
			if bits == 32 {
				return "__nv_fast_" + name + "f"
			}
		}
		return ""
	},
}

var nvRegisters = [...]string{ThreadIdx: "tid", BlockIdx: "ctaid", BlockDim: "ntid", GridDim: "nctaid"}

func init() { // these refer back to NVPTX
	NVPTX.Machine = nvMachine
	NVPTX.Finish = nvFinish
}

// nvExact is arithmetic that LLVM does not see into: unsafe-fp-math, an attribute of whole functions, lets it fuse and
// approximate what has no flags, and it makes plain operations of intrinsics.
func nvExact(op string) Expansion {
	return func(b *Builder, args ...Value) Value {
		t := args[0].Type()
		if t.Equal(F64) {
			return b.Asm(t, op+".rn.f64 $0, $1, $2;", "=d,d,d", false, args...)
		}
		return b.Asm(t, op+".rn.f32 $0, $1, $2;", "=f,f,f", false, args...)
	}
}

// nvExitAfter is Target.ExitAfter. It has no branches, and no register for an address: they took 8 more registers in a scan.
func nvExitAfter(b *Builder, n Value, patience int64, at string) {
	const text = "{ .reg .pred %%some, %%ends; .reg .b32 %%r; and.b32 %%r, $0, %d; setp.eq.u32 %%some, %%r, 0; mov.b32 %%r, 0; " +
		"@%%some ld.relaxed.gpu.global.b32 %%r, [%s]; setp.ne.u32 %%ends, %%r, 0; @%%ends exit; }"
	b.Asm(Void, fmt.Sprintf(text, patience-1, at), "r,~{memory}", true, n)
}

// nvClass is the class of registers that inline assembly has for a type, "" if there is none.
func nvClass(t Type) string {
	for class, of := range map[string]Type{"h": I16, "r": I32, "l": I64, "f": F32, "d": F64} {
		if t.Equal(of) {
			return class
		}
	}
	return ""
}

// nvUses is Target.Uses.
func nvUses(b *Builder, v Value) {
	if class := nvClass(v.Type()); class != "" {
		b.Emit(Void, `call void asm sideeffect "", "`, class, `"(`, T(v), ") nounwind memory(inaccessiblemem: readwrite)")
	}
}

// nvStays is Target.Stays: a block with an assembly that does something is not done away with.
func nvStays(b *Builder) {
	b.Emit(Void, `call void asm sideeffect "", ""() nounwind memory(inaccessiblemem: readwrite)`)
}

// nvStreamLoad is Target.StreamLoad. The PTX ISA has evict_unchanged from 7.4 on; LLVM's loads have no such thing.
func nvStreamLoad(b *Builder, t Type, p Value) Value {
	bits := 32
	if t.Equal(I64) || t.Equal(F64) {
		bits = 64
	}
	if b.M.T.Generation < 80 {
		return b.Load(t, p, bits/8)
	}
	p = b.Cast("addrspacecast", p, Ptr(b.M.T.Global))
	return b.Emit(t, "call ", t.String(), fmt.Sprintf(` asm "ld.global.L1::evict_unchanged.b%d $0, [$1];", "=%s,l"(`, bits, nvClass(t)), T(p), ") nounwind willreturn memory(argmem: read)")
}

// nvSatInt is Target.SatInt.
func nvSatInt(b *Builder, x Value) Value {
	if x.Type().Equal(F64) {
		return b.Intrinsic("llvm.nvvm.d2i.rz", I32, x)
	}
	return b.Intrinsic("llvm.nvvm.f2i.rz", I32, x)
}

// nvRoundInt is Target.RoundInt. Of a NaN the instruction makes 0 only where neither has 64 bits. It is an assembly, as LLVM takes the intrinsic that rounds to
// zero for its own conversion, which is undefined of what does not fit.
func nvRoundInt(b *Builder, x Value, bits int, signed bool, mode string) Value {
	to := pick[Type](bits == 64, I64, I32)
	modes := map[string]string{"n": "rni", "d": "rmi", "u": "rpi", "z": "rzi"}
	code := fmt.Sprintf("cvt.%s.%s%d.%s $0, $1;", modes[mode], pick(signed, "s", "u"), bits, pick(x.Type().Equal(F64), "f64", "f32"))
	n := b.Emit(to, "call ", to.String(), fmt.Sprintf(` asm "%s", "=%s,%s"(`, code, nvClass(to), nvClass(x.Type())), T(x), ") nounwind willreturn memory(none)")
	if bits == 32 && x.Type().Equal(F32) {
		return n
	}
	return b.Select(b.FCmp("uno", x, x), Int(to, 0), n)
}

// nvSqrt is a square root. LLVM takes it for so cheap that it goes ahead of a condition; of what is negative, which a program
// asks for first, ptxas calls a function.
//
//	if d >= 0 { t = sqrt(d) }
//
// LLVM's approximate root of a double is no better than a float. It is for doubles that were floats; others have all their bits, as nvcc's fast
// mathematics gives them.
func nvSqrt(b *Builder, args ...Value) Value {
	t := args[0].Type()
	_, isConst := args[0].(*Const)
	if approximate := b.Fast() && (!t.Equal(F64) || wasFloat(args[0])); isConst || approximate || !t.Equal(F32) && !t.Equal(F64) {
		return b.Intrinsic(overload("llvm.sqrt", t), t, args...)
	}
	code := `"sqrt.rn.f32 $0, $1;", "=f,f"`
	if t.Equal(F64) {
		code = `"sqrt.rn.f64 $0, $1;", "=d,d"`
	}
	return b.Emit(t, "call ", t.String(), " asm ", code, "(", T(args[0]), ") nounwind willreturn memory(none)")
}

// wasFloat reports whether a double was widened from a float.
func wasFloat(v Value) bool {
	i, ok := v.(*Inst)
	return ok && len(i.parts) > 0 && i.parts[0] == "fpext"
}

// nvLow is Target.Low. LLVM takes the i64 for as good as the i32, and makes sums of it that it then masks.
func nvLow(b *Builder, v Value, small bool) Value {
	low := b.Emit(I32, `call i32 asm "cvt.u32.u64 $0, $1;", "=r,l"(`, T(v), ") nounwind willreturn memory(none)")
	if small {
		low.parts = append(low.parts, ", !range ", metadataRef{b.M.Tuple("low", Int(I32, 0), Int(I32, math.MinInt32))})
	}
	return low
}

// nvMulAdd is Target.MulAdd.
func nvMulAdd(b *Builder, x, y, z Value) Value {
	return b.Emit(I64, `call i64 asm "mad.wide.u32 $0, $1, $2, $3;", "=l,r,r,l"(`, T(x), ", ", T(y), ", ", T(z), ") nounwind willreturn memory(none)")
}

// nvOps are NVPTX's operations.
var nvOps = lazy.Value[map[string]Expansion]{Make: func() map[string]Expansion {
	all := nvPackedOps()
	maps.Copy(all, map[string]Expansion{
		ops.Lane:       func(b *Builder, _ ...Value) Value { return b.Ranged("llvm.nvvm.read.ptx.sreg.laneid", 0, 32) },
		ops.SharedSize: nvRead(I32, "mov.u32 $0, %dynamic_smem_size;", false),
		ops.Barrier:    func(b *Builder, _ ...Value) Value { return nvSync(b, "llvm.nvvm.barrier0", Void) },
		ops.BarrierCount: func(b *Builder, args ...Value) Value {
			return nvSync(b, "llvm.nvvm.barrier0.popc", I32, b.Cast("zext", args[0], I32))
		},
		ops.WarpBarrier: func(b *Builder, args ...Value) Value {
			mask := Value(Int(I32, -1))
			if args[0] != nil {
				mask = nvMask(b, args[0])
			}
			return nvSync(b, "llvm.nvvm.bar.warp.sync", Void, mask)
		},
		ops.Ballot: func(b *Builder, args ...Value) Value {
			if c, ok := args[1].(*Const); ok && c.Text == "true" && args[0] == nil {
				return b.Do(ops.ActiveMask)
			}
			return b.Cast("zext", nvSync(b, "llvm.nvvm.vote.ballot.sync", I32, nvMask(b, args[0]), args[1]), I64)
		},
		ops.ActiveMask:  func(b *Builder, _ ...Value) Value { return b.Cast("zext", nvMask(b, nil), I64) },
		ops.Swap128:     nvSwap128,
		ops.Sqrt:        nvSqrt,
		ops.AddExact:    nvExact("add"),
		ops.MulExact:    nvExact("mul"),
		ops.DivExact:    nvExact("div"),
		ops.AddHalves:   nvAddSmall("f16", 70),
		ops.AddBFloats:  nvAddSmall("bf16", 90),
		ops.MatchAny:    nvMatchAny,
		ops.ReduceAdd:   nvReduce("add.u32"),
		ops.ReduceMin:   nvReduce("min.s32"),
		ops.ReduceMax:   nvReduce("max.s32"),
		ops.ReduceUmin:  nvReduce("min.u32"),
		ops.ReduceUmax:  nvReduce("max.u32"),
		ops.ReduceAnd:   nvReduce("and.b32"),
		ops.ReduceOr:    nvReduce("or.b32"),
		ops.ReduceXor:   nvReduce("xor.b32"),
		ops.ShuffleLane: nvShuffle(ops.ShuffleLane, "idx"),
		ops.ShuffleUp:   nvShuffle(ops.ShuffleUp, "up"),
		ops.ShuffleDown: nvShuffle(ops.ShuffleDown, "down"),
		ops.ShuffleXor:  nvShuffle(ops.ShuffleXor, "bfly"),
		ops.FenceBlock:  intrinsic("llvm.nvvm.membar.cta", Void),
		ops.FenceDevice: intrinsic("llvm.nvvm.membar.gl", Void),
		ops.FenceSystem: intrinsic("llvm.nvvm.membar.sys", Void),
		ops.Exit: func(b *Builder, _ ...Value) Value {
			b.Asm(Void, "exit;", "", true)
			b.Unreachable()
			return None
		},
		ops.Clock:     nvRead(I64, "mov.u64 $0, %clock64;", true),
		ops.WallClock: nvRead(I64, "mov.u64 $0, %globaltimer;", true),
		// LLVM before release 19 rotates 64 bits without reducing the count. A funnel shift
		// whose halves it cannot see to be equal does.
		ops.RotateLeft: func(b *Builder, args ...Value) Value {
			x, n := args[0], args[1]
			low := x
			if _, constant := n.(*Const); !constant && Bits(x.Type()) == 64 {
				low = b.Asm(I64, "mov.b64 $0, $1;", "=l,l", false, x)
			}
			return b.FunnelShift(x, low, n)
		},
	})
	nvCopies(all)
	nvImages(all)
	nvBFloats(all)
	return all
}}

// nvRead is an instruction that reads a register, as it stands.
func nvRead(t Type, text string, volatile bool) Expansion {
	constraint := "=r"
	if t == Type(I64) {
		constraint = "=l"
	}
	return func(b *Builder, _ ...Value) Value { return b.Asm(t, text, constraint, volatile) }
}

func nvMachine(cpu string, warp int) (*Machine, error) {
	digits, ok := strings.CutPrefix(cpu, "sm_")
	if !ok {
		return nil, nil
	}
	gen, err := strconv.Atoi(strings.TrimRight(digits, "af"))
	if err != nil || gen < 70 {
		return nil, fmt.Errorf("architecture %q: heddle compiles for sm_70 and later", cpu)
	}
	m := &Machine{Target: &NVPTX, CPU: cpu, Generation: gen, Swap128: gen >= 90}
	m.WarpSize, err = warpOf(cpu, warp, 32)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// nvFinish says that f is a kernel, and its bounds, in the metadata that every
// LLVM reads (newer ones upgrade it to attributes).
func nvFinish(m *Module, f *ir.Func, k KernelInfo) {
	say := func(key string, v int) {
		ref := &Const{Ptr(0), f.Ident()}
		m.Named("nvvm.annotations", m.Tuple("", ref, &metadata.String{Value: key}, Int(I32, int64(v))))
	}
	say("kernel", 1)
	if k.MaxThreads > 0 {
		say("maxntidx", k.MaxThreads)
	}
	if k.MinBlocks > 0 {
		say("minctasm", k.MinBlocks)
	}
}

// nvMask is the 32-bit mask of the lanes that take part. HIP's warp functions
// without a mask mean the active ones.
func nvMask(b *Builder, mask Value) Value {
	if mask == nil {
		return b.Asm(I32, "activemask.b32 $0;", "=r", true)
	}
	return b.Cast("trunc", mask, I32)
}

// nvShuffle is PTX's shfl, which agrees with HIP's, except that it uses the low five bits of arg only.
func nvShuffle(op, mode string) Expansion {
	return func(b *Builder, args ...Value) Value {
		mask, v, arg, width := args[0], args[1], args[2], args[3]
		// The last operand: 32-width in bits 8 to 12, and how far lanes may be read.
		clamp := b.Bin("shl", b.Bin("sub", Int(I32, 32), b.IntCast(width, I32, true)), Int(I32, 8))
		if op != ops.ShuffleUp {
			clamp = b.Bin("or", clamp, Int(I32, 31))
		}
		r := nvSync(b, "llvm.nvvm.shfl.sync."+mode+".i32", I32, nvMask(b, mask), v, b.IntCast(arg, I32, true), clamp)
		if op == ops.ShuffleLane {
			return r
		}
		return b.Select(b.ICmp("ult", arg, Int(I64, 32)), r, v)
	}
}

// nvMatchAny is match.any. It is an assembly, as releases of LLVM differ in the type of
// its result.
func nvMatchAny(b *Builder, args ...Value) Value {
	of, class := "b32", "r"
	if Bits(args[1].Type()) == 64 {
		of, class = "b64", "l"
	}
	lanes := b.Asm(I32, "match.any.sync."+of+" $0, $1, $2;", "=r,"+class+",r", true, args[1], nvLanes(b, args[0]))
	return b.Cast("zext", lanes, I64)
}

// nvReduce is redux, which sm_80 and later have.
func nvReduce(op string) Expansion {
	return func(b *Builder, args ...Value) Value {
		if b.M.T.Generation < 80 {
			return nil
		}
		return b.Asm(I32, "redux.sync."+op+" $0, $1, $2;", "=r,r,r", true, args[1], nvLanes(b, args[0]))
	}
}

// nvLanes is a mask for an assembly: as it is if it is constant, else the lanes that vote,
// since a vote is what codegen's masks are placed in.
func nvLanes(b *Builder, mask Value) Value {
	m := nvMask(b, mask)
	if _, constant := mask.(*Const); constant {
		return m
	}
	return nvSync(b, "llvm.nvvm.vote.ballot.sync", I32, m, Bool(true))
}

// nvSync calls an operation that lanes must reach together.
func nvSync(b *Builder, name string, ret Type, args ...Value) Value {
	ts := make([]Type, len(args))
	for i, a := range args {
		ts[i] = a.Type()
	}
	return b.CallAttr(b.M.Declare(name, ret, ts...), "convergent", args...)
}
