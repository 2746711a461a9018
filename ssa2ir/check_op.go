package ssa2ir

// This file judges operations on values: of strings, maps and pointers few exist.

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/errs"
)

func checkPanic(c *checker, i ssa.Instruction) {
	if runtimeError(i.(*ssa.Panic).X) != "" {
		return
	}
	if _, ok := i.(*ssa.Panic).X.(*ssa.MakeInterface); !ok {
		if k, ok := i.(*ssa.Panic).X.(*ssa.Const); !ok || k.Value != nil {
			c.errorf(i.Pos(), "panic with a constant string or a number", "panic with an interface value in kernel")
		}
	}
}

func checkBinOp(c *checker, i ssa.Instruction) {
	op := i.(*ssa.BinOp)
	t := op.X.Type()
	why, hint := unsupported(t)
	switch {
	case c.in.decided(op) != nil:
		return
	case c.in.dynamic(op.X) != nil || c.in.dynamic(op.Y) != nil:
		c.errorf(op.Pos(), "compare what they hold", "comparison of interfaces in kernel")
		return
	case why != "":
		if _, ok := op.X.(*ssa.Const); ok { // else the operand is refused where it comes from
			c.errorf(op.Pos(), hint, "comparison of %s in kernel", errs.A(why))
		}
		return
	case inRegisters(t):
		c.errorf(op.Pos(), "compare what its package's functions make of it", "comparison of %s in kernel", typeName(t))
	case isString(t) && op.Op == token.ADD:
		c.errorf(op.Pos(), "strings on the device are constants", "string concatenation in kernel")
	case isFunc(t):
		if fn := comparedFunc(op); c.in.resolve(fn) == nil {
			c.unfollowed(op.Pos(), fn, "comparison of a func value")
		}
	case bufferElem(t) != nil:
		c.errorf(op.Pos(), "compare its Len with 0", "comparison of *launch.Buffer in kernel")
	}
	if op.Op == token.QUO || op.Op == token.REM {
		if k, ok := op.Y.(*ssa.Const); ok && isInteger(t) && k.Value != nil && constant.Sign(k.Value) == 0 {
			c.errorf(op.Pos(), "divide by what is not zero", "division by constant zero in kernel")
		}
	}
}

func checkConvert(c *checker, i ssa.Instruction) {
	v := i.(*ssa.Convert)
	from, to := v.X.Type(), v.Type()
	_, fromBasic := from.Underlying().(*types.Basic)
	switch {
	case isString(from) && isString(to):
	case isString(to):
		isRead, written := compared(v)
		if isRead {
			break
		}
		hint := "strings on the device are constants"
		if _, ok := from.Underlying().(*types.Slice); ok {
			hint = `keep the bytes, or compare at once: string(b) == "abc"`
		}
		if written {
			hint = "keep the bytes, or store nothing before the last use of the string: a store may change what it is made of"
		}
		c.errorf(v.Pos(), hint, "conversion of %s to string in kernel", from)
	case isString(from) && isMade(v):
	case isString(from):
		c.errorf(v.Pos(), "index the string: s[i] is a byte", "conversion of string to %s in kernel", to)
	case isKind(to, types.IsInteger) && (!fromBasic || isUnsafePointer(from)) || isInteger(from) && !isKind(to, types.IsNumeric):
		c.errorf(v.Pos(), "index slices", "conversion between a pointer and an integer in kernel")
	}
}

func checkRange(c *checker, i ssa.Instruction) {
	r := i.(*ssa.Range)
	if isString(r.X.Type()) {
		return
	}
	c.errorf(r.Pos(), "use a slice", "range over a map in kernel")
}

func checkSliceMake(c *checker, i ssa.Instruction) {
	c.errorf(i.Pos(), "use an array, dsl.Shared or dsl.DynamicShared, or pass a buffer", "make of a size known only at run time")
}

func checkLookup(c *checker, i ssa.Instruction) {
	if !isString(i.(*ssa.Lookup).X.Type()) {
		c.errorf(i.Pos(), "use a slice, sorted or hashed by hand", "map lookup in kernel")
	}
}

func isUnsafePointer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}
