package target

import (
	"fmt"
	"strings"

	"github.com/llir/llvm/ir"

	"heddle/internal/abi"
	"heddle/internal/ops"
)

// CPU is the host's processor. Its IR is what one thread does; what depends on
// the thread, or touches other threads, is a call of a function "heddle.*" that
// package spmd replaces when it makes vector code of a warp.
var CPU = Target{
	Name: "cpu", Triple: "x86_64-unknown-linux-gnu", Kind: abi.Native,
	ParamAttr: "byref", LoopSites: true, ChecksMasks: true,

	Attrs:         cpuAttrs,
	Geometry:      cpuGeometry,
	DynamicShared: func(b *Builder) Value { return b.Ranged("heddle.shared.size", 0, 1<<30) },
	SharedVar: func(b *Builder, name string, size int64) Value {
		return b.Intrinsic("heddle.shared", Ptr(0), Int(I64, b.M.sharedOffset(name, size)))
	},
	DynamicVar: func(b *Builder) Value { return b.Intrinsic("heddle.dynamic", Ptr(0)) },
	Lane:       func(b *Builder) Value { return b.Ranged("heddle.lane", 0, int64(b.M.T.WarpSize)) },
	Barrier:    func(b *Builder) { b.Intrinsic("heddle.barrier", Void, b.divergence()) },
	BarrierCount: func(b *Builder, pred Value) Value {
		return b.Ranged("heddle.barrier.count", 0, b.M.maxBlock()+1, pred, b.divergence())
	},
	WarpBarrier: func(b *Builder) { b.Intrinsic("heddle.warp.barrier", Void) },
	Ballot: func(b *Builder, mask, pred Value) Value {
		votes := b.Intrinsic("heddle.ballot", I64, pred)
		if mask == nil {
			return votes
		}
		return b.Bin("and", votes, mask)
	},
	Shuffle: func(b *Builder, kind ShuffleKind, _, v, arg, width Value) Value {
		return b.Intrinsic("heddle.shuffle."+[...]string{"idx", "up", "down", "xor"}[kind], I32, v, arg, width)
	},
	// One thread of the host runs all of a block.
	Fence: func(b *Builder, s Scope) { b.Fence([...]string{"singlethread", "", ""}[s], "seq_cst") },
	Panic: func(b *Builder, site, x, y Value) {
		b.Intrinsic("heddle.panic", Void, site, x, y)
		b.Unreachable()
	},
	Clock:      func(b *Builder) Value { return b.Intrinsic("heddle.clock", I64) },
	WallClock:  func(b *Builder) Value { return b.Intrinsic("heddle.wallclock", I64) },
	RotateLeft: func(b *Builder, x, n Value) Value { return b.FunnelShift(x, x, n) },
	Sqrt: func(b *Builder, x Value) Value {
		return b.Intrinsic(overload("llvm.sqrt", x.Type()), x.Type(), x)
	},
	MathFunc: func(name string, bits int) string { return fmt.Sprintf("heddle.math.%s.f%d", name, bits) },
}

func init() { // these refer back to CPU
	CPU.Machine = cpuMachine
	CPU.Finish = cpuFinish
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
	return &Machine{Target: &t, CPU: cpu, WarpSize: size}, nil
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
		hi = b.M.maxBlock()
	case BlockDim:
		lo, hi = 1, b.M.maxBlock()+1
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
