package target

import (
	"fmt"
	"slices"

	"github.com/llir/llvm/ir/types"

	"heddle/internal/ops"
)

// This file has the operations on bits, bytes and halves of words, as AMD's and NVIDIA's
// GPUs have them.

// amdPackedOps are AMDGPU's. LLVM finds v_bfi, v_bfm and v_sad_u32 by itself.
func amdPackedOps() map[string]Expansion {
	word := func(name string) Expansion {
		return func(b *Builder, args ...Value) Value { return b.Intrinsic(name, I32, args...) }
	}
	extract := func(name string) Expansion {
		return func(b *Builder, args ...Value) Value {
			if Bits(args[0].Type()) != 32 {
				return nil
			}
			return b.Intrinsic(name, I32, args...)
		}
	}
	clamped := func(op string, end int) Expansion { // by 32 the result is argument end
		return func(b *Builder, args ...Value) Value {
			return b.Select(b.ICmp("ult", args[2], Int(I32, 32)), b.Do(op, args...), args[end])
		}
	}
	return map[string]Expansion{
		ops.BitExtract:         extract("llvm.amdgcn.sbfe.i32"),
		ops.BitExtractUnsigned: extract("llvm.amdgcn.ubfe.i32"),
		ops.BytePerm:           amdBytePerm,
		ops.FunnelL:            func(b *Builder, args ...Value) Value { return b.FunnelShift(args[1], args[0], args[2]) },
		ops.FunnelLc:           clamped(ops.FunnelL, 0),
		ops.FunnelR: func(b *Builder, args ...Value) Value {
			return b.Intrinsic("llvm.fshr.i32", I32, args[1], args[0], args[2])
		},
		ops.FunnelRc: clamped(ops.FunnelR, 1),
		ops.Sad4:     word("llvm.amdgcn.sad.u8"),
		ops.Sad2:     word("llvm.amdgcn.sad.u16"),
		ops.Dot4:     amdDot4,
		ops.Dot2:     amdDot2,
	}
}

// amdBytePerm makes v_perm's selector, which has a byte for each of the result, and whose
// first word is the upper one.
func amdBytePerm(b *Builder, args ...Value) Value {
	var selector Value = b.Bin("and", args[2], Int(I32, 7))
	for i := int64(1); i < 4; i++ {
		digit := b.Bin("and", args[2], Int(I32, 7<<(4*i)))
		selector = b.Bin("or", selector, b.Bin("shl", digit, Int(I32, 4*i)))
	}
	return b.Intrinsic("llvm.amdgcn.perm", I32, args[1], args[0], selector)
}

// amdDots reports whether a machine before gfx11 has v_dot4 and v_dot2 of integers.
func amdDots(m *Machine) bool {
	return slices.Contains([]string{"gfx906", "gfx908", "gfx90a", "gfx940", "gfx941", "gfx942", "gfx950", "gfx1011", "gfx1012"}, m.CPU) ||
		m.Generation == 10 && m.CPU >= "gfx1030"
}

// amdDot4 does without v_dot4_u32_u8, which LLVM must not know (codegen's withoutDot4).
// The instructions that it uses saturate to signed numbers.
func amdDot4(b *Builder, args ...Value) Value {
	first, second, saturates := args[3], args[4], args[5]
	signed := isTrue(first) && isTrue(second)
	switch {
	case b.M.T.Generation >= 11 && (isTrue(first) || isTrue(second) || !isTrue(saturates)):
		return b.Intrinsic("llvm.amdgcn.sudot4", I32, first, args[0], second, args[1], args[2], saturates)
	case signed && amdDots(b.M.T):
		return b.Intrinsic("llvm.amdgcn.sdot4", I32, args[0], args[1], args[2], saturates)
	}
	return nil
}

func amdDot2(b *Builder, args ...Value) Value {
	signed := isTrue(args[3])
	if !amdDots(b.M.T) || signed != isTrue(args[4]) {
		return nil
	}
	name := "llvm.amdgcn.udot2"
	if signed {
		name = "llvm.amdgcn.sdot2"
	}
	pair := types.NewVector(2, I16)
	return b.Intrinsic(name, I32, b.Cast("bitcast", args[0], pair), b.Cast("bitcast", args[1], pair), args[2], args[5])
}

func isTrue(v Value) bool {
	c, ok := v.(*Const)
	return ok && c.Text == "true"
}

// nvPackedOps are NVPTX's. LLVM has no names for most, in all its releases.
func nvPackedOps() map[string]Expansion {
	word := func(text string) Expansion {
		return func(b *Builder, args ...Value) Value {
			return b.Asm(I32, text+" $0, $1, $2, $3;", "=r,r,r,r", false, args...)
		}
	}
	funnel := func(text string) Expansion { // lo, hi, n
		return word("shf." + text + ".b32")
	}
	return map[string]Expansion{
		ops.BitExtract:         nvExtract("s"),
		ops.BitExtractUnsigned: nvExtract("u"),
		ops.BitInsert: func(b *Builder, args ...Value) Value {
			x, field := args[0], args[1]
			n := Bits(x.Type())
			r := nvLetter(n)
			return b.Asm(x.Type(), fmt.Sprintf("bfi.b%d $0, $1, $2, $3, $4;", n), fmt.Sprintf("=%s,%s,%s,r,r", r, r, r), false, field, x, args[2], args[3])
		},
		ops.BytePerm: func(b *Builder, args ...Value) Value {
			selector := b.Bin("and", args[2], Int(I32, 0x7777)) // the highest bit of a digit repeats a sign
			return word("prmt.b32")(b, args[0], args[1], selector)
		},
		ops.FunnelL:     funnel("l.wrap"),
		ops.FunnelLc:    funnel("l.clamp"),
		ops.FunnelR:     funnel("r.wrap"),
		ops.FunnelRc:    funnel("r.clamp"),
		ops.Sad:         word("sad.s32"),
		ops.SadUnsigned: word("sad.u32"),
		ops.Sad4:        word("vabsdiff4.u32.u32.u32.add"),
		ops.Dot4: func(b *Builder, args ...Value) Value {
			if isTrue(args[5]) {
				return nil
			}
			sign := map[bool]string{true: ".s32", false: ".u32"}
			return word("dp4a"+sign[isTrue(args[3])]+sign[isTrue(args[4])])(b, args[:3]...)
		},
	}
}

func nvExtract(sign string) Expansion {
	return func(b *Builder, args ...Value) Value {
		n := Bits(args[0].Type())
		r := nvLetter(n)
		return b.Asm(args[0].Type(), fmt.Sprintf("bfe.%s%d $0, $1, $2, $3;", sign, n), fmt.Sprintf("=%s,%s,r,r", r, r), false, args...)
	}
}

// nvLetter is the constraint of a register of n bits.
func nvLetter(n int) string {
	if n == 64 {
		return "l"
	}
	return "r"
}

// FastDouble reports whether a machine that makes no float of an int64 in one instruction computes in float64 as fast as in float32, or half as fast.
func (m *Machine) FastDouble() bool {
	return m.LongInt64 && slices.Contains([]string{"gfx906", "gfx908", "gfx90a", "gfx940", "gfx941", "gfx942", "gfx950", "gfx9-4-generic"}, m.CPU)
}
