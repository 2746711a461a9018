package ssa2ir

// This file keeps errors to one a cause: what follows from a parameter that
// was refused is not said again, and what is wrong within a library is
// said at the call of it.

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/diag"
	"heddle/internal/module"
)

// tainted reports whether an instruction works on a refused parameter or
// captured variable of the kernel, or on a value of such a type that comes of
// one: whatever is wrong with it has been said.
func (c *checker) tainted(i ssa.Instruction) bool {
	if c.in.fn != c.k.Fn {
		return false
	}
	for _, op := range i.Operands(nil) {
		if *op != nil && c.refused(*op) {
			return true
		}
	}
	return false
}

func (c *checker) refused(v ssa.Value) bool {
	if bad, known := c.bad[v]; known {
		return bad
	}
	if c.bad == nil {
		c.bad = map[ssa.Value]bool{}
	}
	c.bad[v] = false // while a cycle of phi nodes is followed
	bad := false
	switch v := v.(type) {
	case *ssa.Parameter:
		bad = notPassed(v.Type()) || isFunc(v.Type()) && c.in.resolve(v) == nil
	case *ssa.FreeVar:
		p, ok := v.Type().Underlying().(*types.Pointer)
		bad = ok && (impossible(p.Elem()) || notPassed(p.Elem()) && !c.in.followed(v) || isFunc(p.Elem()) && c.in.resolve(v) == nil)
	case *ssa.Range, *ssa.Next:
		bad = c.tainted(v.(ssa.Instruction))
	case ssa.Instruction:
		bad = (notPassed(v.(ssa.Value).Type()) || isFunc(v.(ssa.Value).Type())) && c.tainted(v)
	}
	c.bad[v] = bad
	return bad
}

// notPassed reports whether a launch cannot pass values of a type.
func notPassed(t types.Type) bool {
	why, _ := unsupportedOutside(t)
	return why != ""
}

// followed reports whether it is known what the funcs in a captured variable hold.
func (in *instance) followed(v *ssa.FreeVar) bool {
	b := in.free[slices.Index(in.fn.FreeVars, v)]
	return len(b.parts) > 0 && !slices.ContainsFunc(b.parts, func(h held) bool { return h.fun == nil })
}

// holdsRefused reports whether v is the local copy of a refused parameter.
func (c *checker) holdsRefused(v ssa.Value) bool {
	a, ok := v.(*ssa.Alloc)
	if !ok || c.in.fn != c.k.Fn {
		return false
	}
	for _, r := range *a.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Addr == a && c.refused(s.Val) {
			return true
		}
	}
	return false
}

func impossible(t types.Type) bool {
	why, _ := unsupported(t)
	return why != ""
}

// captured reports whether an address is that of a captured variable of the
// kernel, or lies within one.
func (in *instance) captured(addr ssa.Value) bool {
	switch root := addressRoot(addr).(type) {
	case *ssa.FreeVar:
		for i, q := range in.fn.FreeVars {
			if q == root {
				return in.free[i].captured
			}
		}
		if b := bindingOf(root); b != nil && root.Parent() != in.fn {
			return in.captured(b)
		}
	case *ssa.Parameter:
		for i, q := range in.fn.Params {
			if q == root {
				return in.params[i].captured
			}
		}
	}
	return false
}

// intoLibrary plans a callee. Where the call leads from the user's code into the standard
// library or heddle's own, the first error found there becomes an error of the call.
func (c *checker) intoLibrary(fn *ssa.Function, call token.Pos, plan func() *instance) *instance {
	if !c.isLibrary(fn) || c.isLibrary(c.in.fn) {
		return plan()
	}
	outer := c.errs
	c.errs = &errorList{}
	in := plan()
	inner := c.errs.list
	c.errs = outer
	if len(inner) > 0 {
		if c.failed == nil {
			c.failed = map[*instance]*diag.Error{}
		}
		c.failed[in] = inner[0]
	}
	if e := c.failed[in]; e != nil {
		at := fmt.Sprintf("%s:%d", filepath.Base(e.Pos.Filename), e.Pos.Line)
		c.errorf(call, libraryHint(fn), "call of %s, which cannot run on a device: %s: %s", readable(fn), at, e.Msg)
	}
	return in
}

// fixed reports whether a function's signature is not the user's to change, to have type parameters.
func (c *checker) fixed(fn *ssa.Function) bool { return c.isLibrary(fn) && len(fn.TypeArgs()) == 0 }

// libraryHint is the advice about a library's function that cannot be called.
func libraryHint(fn *ssa.Function) string {
	if hint := hostHint(fn); hint != "" {
		return hint
	}
	return "write what you need of it with what kernels can do"
}

// withFlags plans a library's function. Where that fails it is planned again with the bool
// arguments that are constants: strconv's formatBits makes a string but where append_ is true.
func (c *checker) withFlags(fn *ssa.Function, cl *callee, call *ssa.Call, plan func() *instance) *instance {
	args := arguments(&call.Call)
	isFlag := func(a ssa.Value) bool {
		k := constantOf(a)
		return k != nil && k.Kind() == constant.Bool
	}
	if !c.isLibrary(fn) || !slices.ContainsFunc(args, isFlag) {
		return plan()
	}
	outer := c.errs
	c.errs = &errorList{}
	in := plan()
	inner := c.errs
	if len(inner.list) > 0 {
		c.errs = &errorList{}
		for i, a := range args {
			if isFlag(a) {
				cl.args[i].flag = constantOf(a)
			}
		}
		in = plan()
		inner = c.errs
	}
	c.errs = outer
	c.errs.list = append(c.errs.list, inner.list...)
	return in
}

// isLibrary reports whether a function is of a library: of heddle, or Go's own.
func (c *checker) isLibrary(fn *ssa.Function) bool {
	return libraryOf(packagePath(fn), packagePath(c.k.Fn))
}

// libraryOf reports whether a package is heddle's, and that of the kernel, own, is not,
// or the standard library's, as far as its path tells: no domain, and not the beginning
// of the kernel's own.
func libraryOf(path, own string) bool {
	if module.Has(path) {
		return !module.Has(own)
	}
	first, _, _ := strings.Cut(path, "/")
	ownFirst, _, _ := strings.Cut(own, "/")
	return first != "" && first != ownFirst && first != "main" && first != "command-line-arguments" && !strings.Contains(first, ".")
}

// packagePath is the import path of a function's package, "" if it has none.
func packagePath(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn.Pkg != nil {
		return fn.Pkg.Pkg.Path()
	}
	if o := fn.Object(); o != nil && o.Pkg() != nil {
		return o.Pkg().Path()
	}
	return ""
}

// liveBlocks are the blocks that a function can get to where conditions are known from what
// interfaces hold, and constants: the compiler leaves the others out of what it builds, and
// a tool that builds whole packages does not.
func (c *checker) liveBlocks() map[*ssa.BasicBlock]bool {
	fn := c.in.fn
	live := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock)
	walk = func(b *ssa.BasicBlock) {
		if live[b] {
			return
		}
		live[b] = true
		succs := b.Succs
		if i, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
			cond := c.in.decided(i.Cond)
			if k, ok := i.Cond.(*ssa.Const); ok && c.k.Partial {
				cond = k.Value
			}
			if cond != nil && constant.BoolVal(cond) {
				succs = succs[:1]
			} else if cond != nil {
				succs = succs[1:]
			}
		}
		for _, s := range succs {
			walk(s)
		}
	}
	walk(fn.Blocks[0])
	if fn.Recover != nil {
		walk(fn.Recover)
	}
	return live
}
