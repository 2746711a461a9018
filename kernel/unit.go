package kernel

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

	"heddle/internal/codegen"
	"heddle/internal/errs"
	"heddle/internal/source"
	"heddle/internal/target"
	"heddle/intrinsics"
	"heddle/ssa2ir"
)

// A unit is a kernel's checked program: the function in SSA form for the
// functions that its func-typed captures held when it was found, and for the
// values of the captured variables that became constants.
type unit struct {
	src      *source.Unit
	prog     *ssa2ir.Program
	captures int // of the signature
	vars     []variable
	hasFuncs bool
	hasConst bool
	bodies   bool          // it has the bodies of functions that a device may lack; see withProgram
	objects  sync.Map      // objectKey -> *built
	took     time.Duration // to find and check it

	loading sync.Mutex
	loaded  []*loaded // one for each device
}

// withProgram calls f with the kernel's program and the machine it is for.
// Functions that devices have of their own, such as math.Sin, are without bodies
// in the program, which saves loading package math; if f's error says that the
// machine lacks one, f is called again with a program that has the bodies.
func (k *Kernel) withProgram(arch string, warpSize, codeObject int, f func(*unit, *target.Machine) error) error {
	m, merr := target.For(arch, warpSize)
	if merr == nil {
		go codegen.Fingerprint(m.Kind) // while the source is being found
	}
	u, err := k.find(false)
	if err != nil {
		return err
	}
	if merr != nil {
		return errs.F("kernel %s: %w", k.Name(), merr)
	}
	if codeObject != 0 {
		m.CodeObject = codeObject
	}
	_, m.MathLib = codegen.HasMathLib(m.Kind)
	err = f(u, m)
	var e *ssa2ir.Error
	if u.bodies || !errors.As(err, &e) || !e.NeedsBody {
		return err
	}
	u, ferr := k.find(true)
	if ferr != nil {
		return ferr
	}
	return f(u, m)
}

// find is the program for what the closure captures now, with bodies if so asked.
func (k *Kernel) find(bodies bool) (*unit, error) {
	if k.unit != nil {
		return k.unit, nil
	}
	id, err := source.IdentifyAt(k.fn, k.file, k.line)
	if err != nil {
		return nil, errs.F("kernel %s: %w", k.Name(), err)
	}
	key := codeKey{id.ID, k.opts.settings()}
	if u := k.sharedUnit(key, bodies); u != nil {
		return u, nil
	}
	start := time.Now()
	if err := registerOwn.Get(); err != nil {
		return nil, err
	}
	intrinsic := hasRow
	if bodies {
		intrinsic = isIntrinsic
	}
	src, err := source.Find(k.fn, source.Options{CallFile: k.file, CallLine: k.line, Intrinsic: intrinsic})
	if err != nil {
		return nil, errs.F("kernel %s: %w", k.Name(), err)
	}
	u, err := check(src, k.opts, closure(&k.fn))
	if err != nil {
		return nil, err
	}
	u.bodies, u.took = bodies, time.Since(start)
	return k.share(key, u), nil
}

// isIntrinsic says whether calls of f never need its body: because they are lowered
// without it, or refused. To look for the bodies of fmt.Println and all that it calls
// would take seconds.
func isIntrinsic(f *types.Func) bool { return intrinsics.Always(f.FullName()) || ssa2ir.CannotRun(f) }

// hasRow says whether calls of f may not need its body.
func hasRow(f *types.Func) bool {
	return intrinsics.Lookup(f.FullName()) != nil || ssa2ir.CannotRun(f)
}

// check makes the checked program of a found function, obj being the closure
// whose variables become constants; nil for a function that is only declared.
func check(src *source.Unit, opts Options, obj unsafe.Pointer) (*unit, error) {
	u := &unit{src: src}
	in, err := u.input(opts, obj)
	if err != nil {
		return nil, err
	}
	if u.prog, err = ssa2ir.Check(in); err != nil {
		return nil, err
	}
	for _, p := range u.prog.Sig.Params {
		if p.Capture {
			u.captures++
		}
	}
	u.hasFuncs = hasFuncs(src)
	return u, nil
}

func hasFuncs(src *source.Unit) bool {
	for i := range src.Captures {
		if src.Captures[i].Func != nil {
			return true
		}
	}
	return false
}

// closure is the closure object of a func value.
func closure(fn *any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(fn))[1] }

// current reports whether the unit still fits what k captures: a captured func
// variable may have been assigned another function, and one that became a
// constant another value.
func (u *unit) current(k *Kernel) bool {
	if u == nil || !u.hasFuncs && !u.hasConst {
		return true
	}
	obj := closure(&k.fn)
	if u.hasFuncs && !u.src.Current(obj) {
		return false
	}
	for i := range u.vars {
		if v := &u.vars[i]; v.constant != nil && !v.constant.holds(v.at(obj)) {
			return false
		}
	}
	return true
}

// addresses appends where the captured variables' values are now, in the
// signature's order.
func (u *unit) addresses(k *Kernel, to []unsafe.Pointer) []unsafe.Pointer {
	obj := closure(&k.fn)
	for i := range u.vars {
		if v := &u.vars[i]; v.constant == nil {
			to = append(to, v.at(obj))
		}
	}
	return to
}

// A variable is a captured variable that is no func, of the kernel or of a func
// that it captures, or the receiver of a method value.
type variable struct {
	*source.Capture
	of       *source.Unit
	through  []*source.Capture // the funcs that lead there
	constant *baked            // nil: it is passed at each launch
}

// at is where the variable's value is now; obj is the kernel's closure.
func (v *variable) at(obj unsafe.Pointer) unsafe.Pointer {
	for _, f := range v.through {
		obj = f.FuncObj(obj)
	}
	return v.Addr(obj)
}

// variables lists those of a unit, the receiver first, then in the signature's order.
func variables(src *source.Unit, through []*source.Capture) (vs []variable) {
	if src.Recv != nil {
		vs = append(vs, variable{src.Recv, src, through, nil})
	}
	for i := range src.Captures {
		c := &src.Captures[i]
		if c.Func != nil {
			vs = append(vs, variables(c.Func, append(slices.Clip(through), c))...)
		} else {
			vs = append(vs, variable{c, src, through, nil})
		}
	}
	return vs
}

// input describes the unit's function to the compiler, and makes constants of
// what obj captures; of a nil obj, which stands for no closure, it makes none.
func (u *unit) input(opts Options, obj unsafe.Pointer) (*ssa2ir.Kernel, error) {
	u.vars = variables(u.src, nil)
	if obj != nil {
		b := baker{names: opts.Specialize, met: map[string]bool{}}
		var failed error
		for i := range u.vars {
			v := &u.vars[i]
			value, err := b.value(v.of, v.Capture, v.at(obj))
			if value != nil {
				v.constant = &baked{value, v.Type}
				u.hasConst = true
			}
			failed = errs.Join(failed, err)
		}
		if failed == nil {
			failed = b.unknown(u.src)
		}
		if failed != nil {
			return nil, failed
		}
	}
	next := 0
	value := func() *ssa2ir.Value {
		next++
		if c := u.vars[next-1].constant; c != nil {
			return c.value
		}
		return nil
	}
	return compilerInput(u.src, opts, value)
}

// compilerInput is input for a function; value is called for each captured
// variable in the order of visit, and returns the constant that it is.
func compilerInput(src *source.Unit, opts Options, value func() *ssa2ir.Value) (*ssa2ir.Kernel, error) {
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
		NoInline: func(fn *ssa.Function) bool {
			return slices.ContainsFunc(src.DirectivesOf(fn), func(d source.Directive) bool { return d.Name == "go:noinline" })
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
