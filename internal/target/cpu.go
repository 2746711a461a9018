package target

import (
	"fmt"
	"strings"

	"github.com/llir/llvm/ir"

	"heddle/internal/abi"
	"heddle/internal/lazy"
	"heddle/internal/ops"
)

// CPU is the host's processor. Its IR is what one thread does; what depends on
// the thread, or touches other threads, is a call of a function "heddle.*" that
// package spmd replaces when it makes vector code of a warp.
var CPU = Target{
	Name: "cpu", Triple: "x86_64-unknown-linux-gnu", Kind: abi.Native,
	ParamAttr: "byref", LoopSites: true, ChecksMasks: true,

	Ops:      &cpuOps,
	Attrs:    cpuAttrs,
	Geometry: cpuGeometry,
	SharedVar: func(b *Builder, name string, size int64) Value {
		return b.Intrinsic("heddle.shared", b.M.T.Pointer(), Int(I64, b.M.sharedOffset(name, size)))
	},
	DynamicVar: func(b *Builder) Value { return b.Intrinsic("heddle.dynamic", b.M.T.Pointer()) },
	Panic: func(b *Builder, site, x, y Value) {
		b.Intrinsic("heddle.panic", Void, site, x, y)
		b.Unreachable()
	},
	MathFunc: func(name string, bits int) string { return fmt.Sprintf("heddle.math.%s.f%d", name, bits) },
}

func init() { // these refer back to CPU
	CPU.Machine = cpuMachine
	CPU.Finish = cpuFinish
}

// cpuOps are CPU's operations.
var cpuOps = lazy.Value[map[string]Expansion]{Make: func() map[string]Expansion {
	return map[string]Expansion{
		ops.Lane: func(b *Builder, _ ...Value) Value {
			return b.Ranged(ops.Prefix+ops.Lane, 0, int64(b.M.T.WarpSize))
		},
		ops.WarpNumber: func(b *Builder, _ ...Value) Value {
			return b.Ranged(ops.Prefix+ops.WarpNumber, 0, (b.M.MaxBlock()+int64(b.M.T.WarpSize)-1)/int64(b.M.T.WarpSize))
		},
		ops.SharedSize: func(b *Builder, _ ...Value) Value { return b.Ranged(ops.Prefix+ops.SharedSize, 0, 1<<30) },
		ops.Barrier: func(b *Builder, _ ...Value) Value {
			return b.Intrinsic(ops.Prefix+ops.Barrier, Void, b.divergence())
		},
		ops.BarrierCount: func(b *Builder, args ...Value) Value {
			return b.Ranged(ops.Prefix+ops.BarrierCount, 0, b.M.MaxBlock()+1, args[0], b.divergence())
		},
		ops.WarpBarrier: intrinsic(ops.Prefix+ops.WarpBarrier, Void),
		ops.Ballot: func(b *Builder, args ...Value) Value {
			votes := b.Intrinsic(ops.Prefix+ops.Ballot, I64, args[1])
			if mask := args[0]; mask != nil {
				return b.Bin("and", votes, mask)
			}
			return votes
		},
		ops.ShuffleLane: cpuShuffle(ops.ShuffleLane),
		ops.ShuffleUp:   cpuShuffle(ops.ShuffleUp),
		ops.ShuffleDown: cpuShuffle(ops.ShuffleDown),
		ops.ShuffleXor:  cpuShuffle(ops.ShuffleXor),
		// One thread of the host runs all of a block.
		ops.FenceBlock:  fence("singlethread"),
		ops.FenceDevice: fence(""),
		ops.FenceSystem: fence(""),
		ops.PrintSink: func(b *Builder, _ ...Value) Value {
			return b.Intrinsic(ops.Prefix+ops.PrintSink, b.M.T.Pointer())
		},
		ops.Swap128:   cpuSwap128,
		ops.Clock:     intrinsic(ops.Prefix+ops.Clock, I64),
		ops.WallClock: intrinsic(ops.Prefix+ops.WallClock, I64),
	}
}}

func cpuShuffle(op string) Expansion {
	return func(b *Builder, args ...Value) Value { return b.Intrinsic(ops.Prefix+op, I32, args[1:]...) }
}

// cpuSwap128 is ops.Swap128: an instruction of x86-64-v2 and later and of 64-bit ARM.
func cpuSwap128(b *Builder, a ...Value) Value {
	join := func(lo, hi Value) Value {
		high := b.Bin("shl", b.Cast("zext", hi, I128), Int(I128, 64))
		return b.Bin("or", high, b.Cast("zext", lo, I128))
	}
	old := b.CmpXchg(a[0], join(a[1], a[2]), join(a[3], a[4]), "", "monotonic", "monotonic")
	r := b.Insert(Zero(Struct(I64, I64)), b.Cast("trunc", old, I64), 0)
	return b.Insert(r, b.Cast("trunc", b.Bin("lshr", old, Int(I128, 64)), I64), 1)
}

// cpuTriple is the triple of a processor, "" if there is none of that name: they are
// x86-64's levels, with SSE4.2, AVX2 and FMA, and AVX-512, and 64-bit ARM.
func cpuTriple(cpu string) string {
	switch cpu {
	case "x86-64-v2", "x86-64-v3", "x86-64-v4":
		return "x86_64-unknown-linux-gnu"
	case "aarch64":
		return "aarch64-unknown-linux-gnu"
	}
	return ""
}

func cpuMachine(cpu string, warp int) (*Machine, error) {
	triple := cpuTriple(cpu)
	if triple == "" {
		if strings.HasPrefix(cpu, "x86") {
			return nil, fmt.Errorf("architecture %q: heddle compiles for x86-64-v2, x86-64-v3 and x86-64-v4", cpu)
		}
		return nil, nil
	}
	size, err := warpOf(cpu, warp, 32, 64)
	if err != nil {
		return nil, err
	}
	t := CPU
	t.Triple = triple
	return &Machine{Target: &t, CPU: cpu, WarpSize: size, Swap128: true}, nil
}

// cpuAttrs are LLVM's attributes for what package ops knows of a function "heddle.*".
func cpuAttrs(name string) (ret, f []string) {
	if !strings.HasPrefix(name, ops.Prefix) {
		return nil, nil
	}
	facts := ops.Of(name)
	switch {
	case facts.Effect == ops.Ends:
		f = []string{"cold", "noreturn", "nounwind"}
	case facts.Effect == ops.Reads:
		f = []string{"nofree", "nounwind", "willreturn", "inaccessiblememonly"}
	case facts.Effect != ops.Pure:
		f = []string{"convergent", "nounwind"}
	case facts.Convergent():
		f = []string{"convergent", "nofree", "nounwind", "willreturn", "readnone"}
	case facts.Costly:
		f = []string{"nofree", "nosync", "nounwind", "willreturn", "readnone"}
	default:
		f = []string{"nofree", "nosync", "nounwind", "speculatable", "willreturn", "readnone"}
	}
	if facts.NonNil {
		ret = append(ret, "nonnull")
	}
	if facts.Shared() {
		ret = append(ret, fmt.Sprint("align ", sharedAlign))
	}
	return ret, f
}

var cpuRegisters = [...]string{ThreadIdx: "thread", BlockIdx: "block", BlockDim: "dim", GridDim: "grid"}

func cpuGeometry(b *Builder, r Register, axis int) Value {
	lo, hi := int64(0), int64(MaxGrid)
	switch r {
	case ThreadIdx:
		hi = b.M.MaxBlock()
	case BlockDim:
		lo, hi = 1, b.M.MaxBlock()+1
	case GridDim:
		lo = 1
	}
	return b.Ranged("heddle."+cpuRegisters[r]+"."+axisName(axis), lo, hi)
}

// divergence is the site of a barrier that some threads of a block do not reach.
// The record's arguments are how many wait there, and how many there are.
func (b *Builder) divergence() Value {
	site := Int(I32, 0)
	if b.Site != nil {
		site = b.Site("barrier divergence: %u of %u threads wait here; every thread of a block must reach the same barrier")
	}
	return site
}

// sharedAlign is the alignment of every shared variable, and of where dynamic
// shared memory begins.
const sharedAlign = 16

// sharedOffset places the static shared variable of that name, once.
func (m *Module) sharedOffset(name string, size int64) int64 {
	at, ok := m.shared[name]
	if !ok {
		at = (m.sharedSize + sharedAlign - 1) / sharedAlign * sharedAlign
		m.shared[name], m.sharedSize = at, at+size
	}
	return at
}

// cpuFinish notes what the vectoriser and the driver must know.
func cpuFinish(m *Module, _ *ir.Func, _ KernelInfo) {
	for _, c := range []struct {
		name  string
		value *Const
	}{
		{"heddle_shared_size", Int(I64, m.sharedSize)},
		{"heddle_warp", Int(I32, int64(m.T.WarpSize))},
	} {
		m.Var(c.name, c.value.Typ, 0, 0, c.value).Immutable = true
	}
}
