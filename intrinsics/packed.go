package intrinsics

import (
	"heddle/internal/ops"
	"heddle/internal/target"
)

// packedRows are functions on fields of words: bits, bytes and halves. They are plain Go;
// most machines have an instruction.
func packedRows() map[string]Row {
	return withBodies(rows(ofArgs, map[string]Lowering{
		// LLVM finds the instructions in the bodies of these.
		dsl + "Fns": nil, dsl + "Hadd": nil, dsl + "Rhadd": nil, dsl + "Mul24": nil,
		dsl + "BitExtract":    bitExtract,
		dsl + "BitInsert":     bitInsert,
		dsl + "BytePerm":      operation(ops.BytePerm),
		dsl + "FunnelShiftL":  operation(ops.FunnelL),
		dsl + "FunnelShiftLc": operation(ops.FunnelLc),
		dsl + "FunnelShiftR":  operation(ops.FunnelR),
		dsl + "FunnelShiftRc": operation(ops.FunnelRc),
		dsl + "Sad":           bySign(ops.Sad, ops.SadUnsigned),
		dsl + "Sad4":          operation(ops.Sad4),
		dsl + "Sad2":          operation(ops.Sad2),
		dsl + "Dot4":          dot(ops.Dot4, false),
		dsl + "Dot4Sat":       dot(ops.Dot4, true),
		dsl + "Dot2":          dot(ops.Dot2, false),
		dsl + "Dot2Sat":       dot(ops.Dot2, true),
	}))
}

// bySign is an operation that depends on whether the first argument has a sign.
func bySign(signed, unsigned string) Lowering {
	return func(c *Call) target.Value {
		if isUnsigned(c.ArgTypes[0]) {
			return c.B.Do(unsigned, c.Args...)
		}
		return c.B.Do(signed, c.Args...)
	}
}

func bitExtract(c *Call) target.Value {
	offset, width := bitField(c, 1)
	if offset == nil {
		return nil
	}
	op := ops.BitExtract
	if isUnsigned(c.ArgTypes[0]) {
		op = ops.BitExtractUnsigned
	}
	return c.B.Do(op, c.Args[0], offset, width)
}

func bitInsert(c *Call) target.Value {
	offset, width := bitField(c, 2)
	if offset == nil {
		return nil
	}
	return c.B.Do(ops.BitInsert, c.Args[0], c.Args[1], offset, width)
}

// bitField is argument i and the next modulo the bits of the first, as i32; nil if both
// are constants: shifts by known numbers are better left to LLVM.
func bitField(c *Call, i int) (offset, width target.Value) {
	_, known := target.IntConst(c.Args[i])
	if _, both := target.IntConst(c.Args[i+1]); known && both {
		return nil, nil
	}
	within := target.Int(target.I32, int64(target.Bits(c.Args[0].Type()))-1)
	low := func(v target.Value) target.Value {
		return c.B.Bin("and", c.B.IntCast(v, target.I32, false), within)
	}
	return low(c.Args[i]), low(c.Args[i+1])
}

// dot is a dot product. An operation that saturates does so to int32, that of two unsigned
// arguments to uint32.
func dot(op string, saturates bool) Lowering {
	return func(c *Call) target.Value {
		signs := [3]bool{}
		for i, t := range c.ArgTypes {
			signs[i] = !isUnsigned(t)
		}
		if saturates && signs[2] != (signs[0] || signs[1]) {
			return nil
		}
		return c.B.Do(op, append(c.Args[:3:3], target.Bool(signs[0]), target.Bool(signs[1]), target.Bool(saturates))...)
	}
}
