// Package program has a kernel's checked program and what is made of it: objects for
// machines, and their forms on the way there. Package kernel finds it by a func value,
// package ahead by a declaration.
package program

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"heddle/dsl"
	"heddle/dsl/cg"
	"heddle/internal/codegen"
	"heddle/internal/diag"
	"heddle/internal/errs"
	"heddle/internal/lazy"
	"heddle/internal/source"
	"heddle/internal/target"
	"heddle/intrinsics"
	"heddle/ssa2ir"
	"heddle/texture"
	"heddle/vector"
)

// Options are kernel.Options, which has their meaning.
type Options struct {
	NoBounds              bool
	FastMath              bool
	FastAtomics           bool
	ImageInstructions     bool
	NoAlias               bool
	MaxThreads, MinBlocks int
	Specialize            []string
}

// A Program is a kernel's function in SSA form, checked for the functions that its
// func-typed captures held when it was found, and for the values of the captured
// variables that became constants.
type Program struct {
	Src     *source.Func
	Checked *ssa2ir.Program
	*Captured
	Bodies bool          // it has the bodies of functions that a device may lack; see With
	Took   time.Duration // to find and check it

	vars     []variable
	objects  sync.Map // objectKey -> *built
	lowered  sync.Map // objectKey -> *lowered, of what Condition has lowered and nobody has compiled yet
	recorded sync.Map // those of objects that Remember has seen
}

// RegisterOwn makes the sources of heddle's device packages known: kernels call into
// them wherever they run.
func RegisterOwn() error { return registerOwn.Get() }

var registerOwn = lazy.Value[error]{Make: func() error {
	return errs.Join(source.RegisterOwn(dsl.SyncThreads), source.RegisterOwn(vector.MakeFloat4), source.RegisterOwn(texture.Describe), source.RegisterOwn(cg.ThisThreadBlock))
}}

// With calls f with a kernel's program and the machine it is for (see Machine); name is the
// kernel's. Functions that devices have of their own, such
// as math.Sin, may be without bodies in the program that find returns, which saves loading
// package math; if f's error says that the machine lacks one, f is called again with a
// program that has the bodies.
func With(name, arch string, warpSize, codeObject int, find func(bodies bool) (*Program, error), f func(*Program, *target.Machine) error) error {
	m, merr := Machine(arch, warpSize, codeObject)
	if merr == nil {
		go codegen.Fingerprint(m.Kind) // while the source is being found
	}
	p, err := find(false)
	if err != nil {
		return err
	}
	if merr != nil {
		return errs.F("kernel %s: %w", name, merr)
	}
	err = f(p, m)
	var e *diag.Error
	if p.Bodies || !errors.As(err, &e) || !e.NeedsBody {
		return err
	}
	p, ferr := find(true)
	if ferr != nil {
		return ferr
	}
	return f(p, m)
}

// Machine is what to compile for: an architecture at a warp size (0: its default) with a code
// object version (0: its own), and with the math library that is here.
func Machine(arch string, warpSize, codeObject int) (*target.Machine, error) {
	m, err := target.For(arch, warpSize)
	if err != nil {
		return nil, err
	}
	if codeObject != 0 {
		m.CodeObject = codeObject
	}
	_, m.MathLib = codegen.HasMathLib(m.Kind)
	return m, nil
}

// IsIntrinsic says whether calls of f never need its body: because they are lowered
// without it, or refused. To look for the bodies of fmt.Println and all that it calls
// would take seconds.
func IsIntrinsic(f *types.Func) bool { return intrinsics.Always(f.FullName()) || ssa2ir.CannotRun(f) }

// HasRow says whether calls of f may not need its body.
func HasRow(f *types.Func) bool {
	return intrinsics.Lookup(f.FullName()) != nil || ssa2ir.CannotRun(f)
}

// Check makes the checked program of a found function, obj being the closure
// whose variables become constants; nil for a function that is only declared.
func Check(src *source.Func, opts Options, obj unsafe.Pointer) (*Program, error) {
	p := &Program{Src: src}
	in, err := p.input(opts, obj)
	if err != nil {
		return nil, err
	}
	if p.Checked, err = ssa2ir.Check(in); err != nil {
		return nil, err
	}
	p.Captured = captured(src, p.vars)
	return p, nil
}

// A variable is a captured variable that is no func, of the kernel or of a func
// that it captures, or the receiver of a method value.
type variable struct {
	*source.Capture
	of       *source.Func
	through  []source.Field // the funcs that lead there
	constant *ssa2ir.Value  // nil: it is passed at each launch
}

// place is where the variable's value is.
func (v *variable) place() source.Place { return source.Place{Through: v.through, Field: v.Field} }

// variables lists those of a function, the receiver first, then in the signature's order.
func variables(src *source.Func, through []source.Field) (vs []variable) {
	if src.Recv != nil {
		vs = append(vs, variable{src.Recv, src, through, nil})
	}
	for i := range src.Captures {
		c := &src.Captures[i]
		if c.Func != nil {
			vs = append(vs, variables(c.Func, append(slices.Clip(through), c.Field))...)
		} else {
			vs = append(vs, variable{c, src, through, nil})
		}
		for j, p := range c.Parts {
			if p.Func != nil {
				vs = append(vs, variables(p.Func, append(slices.Clip(through), c.PartField(j)))...)
			}
		}
	}
	return vs
}

// input describes the function to the compiler, and makes constants of
// what obj captures; of a nil obj, which stands for no closure, it makes none.
func (p *Program) input(opts Options, obj unsafe.Pointer) (*ssa2ir.Kernel, error) {
	p.vars = variables(p.Src, nil)
	if obj != nil {
		b := specializer{names: opts.Specialize, met: map[string]bool{}}
		var failed error
		for i := range p.vars {
			v := &p.vars[i]
			at, err := v.place(), error(nil)
			v.constant, err = b.value(v.of, v.Capture, at.Addr(obj))
			failed = errs.Join(failed, err)
		}
		if failed == nil {
			failed = b.unknown(p.Src)
		}
		if failed != nil {
			return nil, failed
		}
	}
	next := 0
	value := func() *ssa2ir.Value {
		next++
		return p.vars[next-1].constant
	}
	return compilerInput(p.Src, opts, value)
}

// compilerInput is input for a function; value is called for each captured
// variable in the order of visit, and returns the constant that it is.
func compilerInput(src *source.Func, opts Options, value func() *ssa2ir.Value) (*ssa2ir.Kernel, error) {
	k := &ssa2ir.Kernel{
		Name: src.Name, Fn: src.Fn, Fset: src.Fset, Receiver: src.Recv != nil,
		Init: func(g *ssa.Global) (ast.Expr, *types.Info) {
			if !src.ReadOnly(g) {
				return nil, nil
			}
			if e, info := src.Init(g); info != nil {
				return e, info
			}
			return nil, new(types.Info) // it stays zero
		},
		Writer: src.Writer,
		NoBody: func(fn *ssa.Function) (why, hint string) { return src.Missing(fn), "" },
		Directives: func(fn *ssa.Function) (ds []ssa2ir.Directive) {
			for _, d := range src.DirectivesOf(fn) {
				ds = append(ds, ssa2ir.Directive{Pos: src.Fset.Position(d.Pos), Name: d.Name, Args: d.Args})
			}
			return ds
		},
		Unroll: func(loop token.Pos) (ssa2ir.Unroll, string) { return unroll(src.LoopDirectives(loop)) },
		Bounds: ssa2ir.LaunchBounds{MaxThreads: opts.MaxThreads, MinBlocks: opts.MinBlocks}, NoAlias: opts.NoAlias,
	}
	if k.Receiver {
		k.ReceiverValue = value()
	}
	for i := range src.Captures {
		c := &src.Captures[i]
		ic := ssa2ir.Capture{Name: c.Name, Type: c.Type}
		var err error
		if c.Func != nil {
			ic.Func, err = compilerInput(c.Func, Options{}, value)
		} else {
			ic.Value = value()
		}
		for _, p := range c.Parts {
			part := ssa2ir.Part{At: int64(p.At)}
			if p.Func != nil && err == nil {
				part.Func, err = compilerInput(p.Func, Options{}, value)
			}
			ic.Parts = append(ic.Parts, part)
		}
		if err != nil {
			return nil, err
		}
		k.Captures = append(k.Captures, ic)
	}
	for _, d := range src.Directives {
		if err := k.Apply(src.Fset.Position(d.Pos), d.Name, d.Args); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// unroll reads the directive //heddle:unroll, with a factor or without, above
// a loop; problem is what is wrong with it.
func unroll(ds []source.Directive) (u ssa2ir.Unroll, problem string) {
	for _, d := range ds {
		if d.Name == "unroll" {
			return ssa2ir.ReadUnroll(d.Args)
		}
	}
	return 0, ""
}
