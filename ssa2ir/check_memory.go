package ssa2ir

// This file judges loads, stores and addresses: a kernel does not write what it
// captured, nor package variables, and reads of these only what cannot change.

import (
	"errors"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// checkStore refuses writes to captured variables and package-level ones.
func checkStore(c *checker, i ssa.Instruction) {
	st := i.(*ssa.Store)
	switch root := addressRoot(st.Addr).(type) {
	case *ssa.Global:
		c.errorf(st.Pos(), "write results to a slice parameter", "write to package variable %s in kernel", root.Name())
	case *ssa.FreeVar, *ssa.Parameter:
		if c.in.captured(root) {
			c.errorf(st.Pos(), "copy it to a local variable, or write results to a slice parameter", "write to captured variable %s in kernel", root.Name())
		}
	}
}

// addressRoot follows an address to the variable it lies in.
func addressRoot(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			if _, ok := x.X.Type().Underlying().(*types.Pointer); !ok {
				return v
			}
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			return v
		}
	}
}

// checkUnOp refuses reads of package-level variables that may change.
func checkUnOp(c *checker, i ssa.Instruction) {
	op := i.(*ssa.UnOp)
	if op.Op == token.ARROW {
		c.errorf(op.Pos(), "threads communicate through shared or global memory and barriers", "channel receive in kernel")
		return
	}
	if op.Op == token.MUL && bufferElem(op.X.Type()) != nil {
		c.errorf(op.Pos(), "use its methods Device and Len", "launch.Buffer by value in kernel")
		return
	}
	if op.Op == token.MUL && runtimeError(op) == "" {
		c.checkGlobal(op.X, op.Pos())
	}
}

func checkAddr(c *checker, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.IndexAddr:
		c.checkGlobal(i.X, i.Pos())
	case *ssa.FieldAddr:
		c.checkGlobal(i.X, i.Pos())
	case *ssa.Slice:
		c.checkGlobal(i.X, i.Pos())
	}
}

func (c *checker) checkGlobal(v ssa.Value, pos token.Pos) {
	g, ok := v.(*ssa.Global)
	if !ok {
		return
	}
	if err := c.k.checkTable(g); err != nil {
		c.errorf(pos, "pass it as an argument, or capture a copy in a closure", "package variable %s in kernel: %v", g.Name(), err)
	}
}

// checkAddresses refuses numbers that are addresses, as in unsafe.Pointer(uintptr(8)):
// go/ssa has no instruction for the conversion of a constant.
func (c *checker) checkAddresses(i ssa.Instruction) {
	for _, op := range i.Operands(nil) {
		k, ok := (*op).(*ssa.Const)
		if !ok || k.Value == nil {
			continue
		}
		if b, ok := k.Type().Underlying().(*types.Basic); ok && b.Kind() == types.UnsafePointer {
			c.errorf(i.Pos(), "index slices", "conversion between a pointer and an integer in kernel")
			return
		}
	}
}

// checkGlobals refuses uses of a package variable's address that are neither loads
// nor stores: what is done with it there is not known.
func (c *checker) checkGlobals(i ssa.Instruction) {
	switch i.(type) {
	case *ssa.UnOp, *ssa.IndexAddr, *ssa.FieldAddr, *ssa.Slice, *ssa.DebugRef:
		return // judged by their own rules
	}
	for _, op := range i.Operands(nil) {
		g, ok := (*op).(*ssa.Global)
		if !ok {
			continue
		}
		if st, ok := i.(*ssa.Store); ok && op == &st.Addr {
			continue // judged as a write
		}
		err := c.k.checkTable(g)
		if _, isSlice := deref(g.Type()).Underlying().(*types.Slice); err == nil && isSlice {
			err = errors.New("a slice is a table of its elements, and has no address")
		}
		if err != nil {
			c.errorf(i.Pos(), "use an element of a slice parameter: &x[0]", "address of package variable %s in kernel: %v", g.Name(), err)
		}
	}
}
