package ssa2ir

// This file judges loads, stores and addresses: a kernel does not write what it
// captured, nor package variables, and reads of these only what cannot change.

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/ops"
)

// checkStore refuses writes to captured variables and package-level ones.
func checkStore(c *checker, i ssa.Instruction) {
	st := i.(*ssa.Store)
	c.checkFuncStore(st.Pos(), st.Val, st.Addr, "")
	switch root := addressRoot(st.Addr).(type) {
	case *ssa.Call:
		c.checkConstant(root, st.Pos())
	case *ssa.Global:
		c.errorf(st.Pos(), "write results to a slice parameter, or declare it with dsl.NewGlobal", "write to package variable %s in kernel", c.variable(root))
	case *ssa.FreeVar, *ssa.Parameter:
		if c.in.captured(root) {
			c.errorf(st.Pos(), "copy it to a local variable, or write results to a slice parameter", "write to captured variable %s in kernel", root.Name())
		}
	}
}

// checkFuncStore refuses to store funcs where the compiler would not find them: what is read
// there must be known to hold them. That a variable holds what is stored by its name is; by a
// pointer to it, a slice of it or in a closure no others may be.
func (c *checker) checkFuncStore(pos token.Pos, val, addr ssa.Value, from way) {
	t := val.Type()
	if from == throughPointer {
		t = elemOf(t)
		from += toElement
	}
	for _, p := range c.funcPaths(t) {
		to := throughPointer + p
		if from != "" {
			to = from + p
		}
		v, held := c.in.resolveAt(val, from+p), c.in.resolveAt(addr, to)
		if v == nil || held == nil {
			if v == nil && isFunc(t) {
				continue // said where it comes from
			}
			c.chosen(pos, followFuncs, "store of a func value that the compiler cannot follow")
			return
		}
		if !v.within(held) {
			c.chosen(pos, "store it by the name of the variable, where that is declared", "store of a func through a pointer, a slice or a closure in kernel")
			return
		}
	}
}

// checkConstant refuses a write to what a call's result points to, where that is memory
// which kernels only read.
func (c *checker) checkConstant(call *ssa.Call, pos token.Pos) {
	if callee := c.in.calls[call]; callee != nil && callee.row != nil && callee.row.Space == ops.ReadOnly {
		c.errorf(pos, "declare it with dsl.NewGlobal", "write to a %s in kernel", typeName(call.Call.Args[0].Type()))
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
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Extract:
			a, ok := x.Tuple.(*ssa.TypeAssert)
			if !ok || x.Index != 0 {
				return v
			}
			v = a.X
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
	err := c.global(g)
	if err == nil {
		return
	}
	what, hint, held := "package", "pass it as an argument, capture a copy in a closure, or declare it with dsl.NewGlobal", deref(g.Type())
	if kind, elem := symbolType(held); elem != nil {
		what, hint, held = "device", fmt.Sprintf("declare it as var %s = dsl.New%v(initial), and assign nothing to it", g.Name(), kind), elem
	}
	if holdsFuncs(held) {
		hint = "make it in the kernel, or capture a copy in a closure"
	}
	c.errorf(pos, hint, "%s variable %s in kernel: %v", what, c.variable(g), err)
}

// global says why a kernel may not have a package variable, nil if it may.
func (c *checker) global(g *ssa.Global) error {
	if _, elem := symbolType(deref(g.Type())); elem != nil {
		return c.k.checkSymbol(g)
	}
	return c.k.checkTable(g)
}

// variable is the name of a package variable with the line that declares it.
func (c *checker) variable(g *ssa.Global) string {
	p := c.pos(g.Pos())
	if !p.IsValid() {
		return g.Name()
	}
	return fmt.Sprintf("%s (%s:%d)", g.Name(), filepath.Base(p.Filename), p.Line)
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
			c.errorf(i.Pos(), "use an element of a slice parameter: &x[0]", "address of package variable %s in kernel: %v", c.variable(g), err)
		}
	}
}
