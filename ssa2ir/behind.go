package ssa2ir

// This file keeps divisions of floats behind the branches that lead to them. LLVM takes a division for as cheap as a product on NVIDIA's GPUs and computes it whatever
// the branch says; it is ten instructions and a question whether a function has to be called.
//
//	if k > 1 { x /= float64(k); k-- }     not: x /= max(k, 1)

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// staysBehind has LLVM leave what is computed next where it is, if it is a division that a branch leads to, in a block that LLVM would do away with.
func (f *function) staysBehind(op *ssa.BinOp) {
	if op.Op != token.QUO || f.M.T.Stays == nil || !isFloat(op.Type()) || f.Fast() && sizeof(op.Type()) == 4 {
		return
	}
	if _, byConst := op.Y.(*ssa.Const); !byConst && isShortcut(op.Block()) {
		f.M.T.Stays(f.Builder)
	}
}

// isShortcut reports whether a block is one that a branch leads to, and computes numbers and nothing else.
func isShortcut(b *ssa.BasicBlock) bool {
	if len(b.Preds) != 1 || len(b.Succs) != 1 || len(b.Preds[0].Succs) != 2 {
		return false
	}
	for _, i := range b.Instrs {
		switch i := i.(type) {
		case *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.Field, *ssa.Extract, *ssa.Call, *ssa.Jump, *ssa.DebugRef:
		case *ssa.UnOp:
			if i.Op == token.MUL {
				return false
			}
		default:
			return false
		}
	}
	return true
}
