package target

import (
	"fmt"

	"github.com/llir/llvm/ir/enum"

	"heddle/internal/abi"
	"heddle/internal/lazy"
	"heddle/internal/ops"
)

// An Expansion makes the code of an operation. It returns the result, None if there is none.
type Expansion func(b *Builder, args ...Value) Value

// None is the result of an operation without one.
var None Value = &Const{Typ: Void}

// Do makes the code of one of package ops' operations for the machine; nil if the machine
// has none, as package ops says of some.
func (b *Builder) Do(op string, args ...Value) Value {
	expand := b.M.T.Ops.Get()[op]
	if expand == nil {
		expand = portable.Get()[op]
	}
	if expand == nil {
		panic(fmt.Sprintf("target: %s has no %s", b.M.T.Name, op))
	}
	v := expand(b, args...)
	if v == nil {
		return nil
	}
	if v.Type().Equal(Void) {
		return None
	}
	return v
}

// warpNumber is ops.WarpNumber by the thread's place in the block.
func warpNumber(b *Builder, _ ...Value) Value {
	t := b.M.T
	thread := t.Geometry(b, ThreadIdx, 2)
	for axis := 1; axis >= 0; axis-- { // no more than MaxBlock in 32 bits
		thread = b.Bin("mul nuw nsw", thread, t.Geometry(b, BlockDim, axis))
		thread = b.Bin("add nuw nsw", thread, t.Geometry(b, ThreadIdx, axis))
	}
	return b.Bin("udiv", thread, Int(I32, int64(t.WarpSize)))
}

// portable are operations as they are made of others: a target without code of its own
// for them has these.
var portable lazy.Value[map[string]Expansion]

func init() { portable.Make = portableOps } // these refer back to it

func portableOps() map[string]Expansion {
	all := map[string]Expansion{
		ops.WarpNumber: warpNumber,
		ops.Any: func(b *Builder, args ...Value) Value {
			return b.ICmp("ne", b.Do(ops.Ballot, args...), Int(I64, 0))
		},
		// No vote against: lanes of the mask that have returned do not count.
		ops.All: func(b *Builder, args ...Value) Value {
			return b.ICmp("eq", b.Do(ops.Ballot, args[0], b.Not(args[1])), Int(I64, 0))
		},
		ops.ActiveMask: func(b *Builder, _ ...Value) Value { return b.Do(ops.Ballot, nil, Bool(true)) },
		ops.BarrierAnd: func(b *Builder, args ...Value) Value {
			return b.ICmp("eq", b.Do(ops.BarrierCount, b.Not(args[0])), Int(I32, 0))
		},
		ops.BarrierOr: func(b *Builder, args ...Value) Value {
			return b.ICmp("ne", b.Do(ops.BarrierCount, args...), Int(I32, 0))
		},
		ops.PrintSink: func(b *Builder, _ ...Value) Value {
			words := Array(4, I64)
			v := b.M.Var(abi.PrintSymbol, words, b.M.T.Global, 8, Zero(words))
			v.ExternallyInitialized, v.Visibility = true, enum.VisibilityProtected
			return v
		},
		ops.RotateLeft: func(b *Builder, args ...Value) Value { return b.FunnelShift(args[0], args[0], args[1]) },
		ops.Sqrt: func(b *Builder, args ...Value) Value {
			t := args[0].Type()
			return b.Intrinsic(overload("llvm.sqrt", t), t, args...)
		},
	}
	for _, op := range []string{
		ops.CopyAsync, ops.CopyCommit, ops.CopyWait, ops.MatchAny, ops.ReduceAdd, ops.ReduceMin, ops.ReduceMax, ops.ReduceUmin, ops.ReduceUmax, ops.ReduceAnd, ops.ReduceOr, ops.ReduceXor,
		ops.BitExtract, ops.BitExtractUnsigned, ops.BitInsert, ops.BytePerm, ops.FunnelL, ops.FunnelLc, ops.FunnelR, ops.FunnelRc,
		ops.AddHalves, ops.AddBFloats, ops.Swap128, ops.BFloatAdd, ops.BFloatSub, ops.BFloatMul, ops.BFloatFma,
		ops.ImageRefused, ops.ImageSample, ops.ImageLod, ops.ImageFetch, ops.ImageGather, ops.ImageLoad, ops.ImageStore,
		ops.AddExact, ops.MulExact, ops.DivExact, ops.Sad, ops.SadUnsigned, ops.Sad4, ops.Sad2, ops.Dot4, ops.Dot2,
	} {
		all[op] = func(*Builder, ...Value) Value { return nil }
	}
	return all
}

// fence is an expansion to a fence that is seen within LLVM's scope of that name.
func fence(scope string) Expansion {
	return func(b *Builder, _ ...Value) Value {
		b.Fence(scope, "seq_cst")
		return None
	}
}

// intrinsic is an expansion to a call of a function without arguments.
func intrinsic(name string, result Type) Expansion {
	return func(b *Builder, _ ...Value) Value { return b.Intrinsic(name, result) }
}
