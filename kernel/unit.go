package kernel

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/codegen"
	"heddle/internal/source"
	"heddle/internal/target"
	"heddle/intrinsics"
	"heddle/ssa2ir"
)

// A unit is a kernel's checked program: the function in SSA form for the
// functions that its func-typed captures held when it was found.
type unit struct {
	src      *source.Unit
	prog     *ssa2ir.Program
	captures int // of the signature
	hasFuncs bool
	bodies   bool     // it has the bodies of functions that a device may lack; see withProgram
	objects  sync.Map // objectKey -> *built
}

// withProgram calls f with the kernel's program and the machine it is for.
// Functions that devices have of their own, such as math.Sin, are without bodies
// in the program, which saves loading package math; if f's error says that the
// machine lacks one, f is called again with a program that has the bodies. unit
// is k.unit, or k.lockedUnit.
func (k *Kernel) withProgram(unit func(bodies bool) (*unit, error), arch string, warpSize, codeObject int, f func(*unit, *target.Machine) error) error {
	m, merr := target.For(arch, warpSize)
	if merr == nil {
		go codegen.Fingerprint(m.Kind) // while the source is being found
	}
	u, err := unit(false)
	if err != nil {
		return err
	}
	if merr != nil {
		return fmt.Errorf("kernel %s: %w", k.Name(), merr)
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
	if u, err = unit(true); err != nil {
		return err
	}
	return f(u, m)
}

// lockedUnit is unit for callers that do not hold k.mu.
func (k *Kernel) lockedUnit(bodies bool) (*unit, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.unit(bodies)
}

// unit finds, or makes, the program for what the closure captures now, with
// bodies if so asked. The caller holds k.mu.
func (k *Kernel) unit(bodies bool) (*unit, error) {
	for _, u := range k.units {
		if (u.bodies || !bodies) && u.current(k) {
			return u, nil
		}
	}
	if err := registerOwn(); err != nil {
		return nil, err
	}
	intrinsic := hasRow
	if bodies {
		intrinsic = isIntrinsic
	}
	src, err := source.FindWith(k.fn, source.Options{CallFile: k.file, CallLine: k.line, Intrinsic: intrinsic})
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", k.Name(), err)
	}
	u, err := shared(src, k.opts, bodies)
	if err != nil {
		return nil, err
	}
	k.units = append(k.units, u)
	return u, nil
}

// isIntrinsic says whether calls of f never need its body.
func isIntrinsic(f *types.Func) bool { return intrinsics.Always(f.FullName()) }

// hasRow says whether calls of f may not need its body.
func hasRow(f *types.Func) bool { return intrinsics.Lookup(f.FullName()) != nil }

// units of the whole process: kernels made twice of one function share code.
var units struct {
	sync.Mutex
	byKey map[unitKey]*unit
}

type unitKey struct {
	id     source.ID
	funcs  string // identities of captured functions
	opts   Options
	bodies bool
}

func shared(src *source.Unit, opts Options, bodies bool) (*unit, error) {
	key := unitKey{src.ID, funcsKey(src), opts, bodies}
	units.Lock()
	defer units.Unlock()
	if u := units.byKey[key]; u != nil {
		return u, nil
	}
	u, err := check(src, opts)
	if err != nil {
		return nil, err
	}
	u.bodies = bodies
	if units.byKey == nil {
		units.byKey = map[unitKey]*unit{}
	}
	units.byKey[key] = u
	return u, nil
}

// check makes the checked program of a found function.
func check(src *source.Unit, opts Options) (*unit, error) {
	in, err := input(src, opts)
	if err != nil {
		return nil, err
	}
	u := &unit{src: src}
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

func funcsKey(src *source.Unit) string {
	var b strings.Builder
	for i := range src.Captures {
		if f := src.Captures[i].Func; f != nil {
			fmt.Fprintf(&b, "%d:%x.%x(%s)", i, f.ID.PC, f.ID.Dict, funcsKey(f))
		}
	}
	return b.String()
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

// current reports whether the unit still fits the functions k captures: a
// captured func variable may have been assigned another function.
func (u *unit) current(k *Kernel) bool {
	return u == nil || !u.hasFuncs || u.src.Current(closure(&k.fn))
}

// addresses appends where the captured variables' values are now, in the
// signature's order.
func (u *unit) addresses(k *Kernel, to []unsafe.Pointer) []unsafe.Pointer {
	obj := closure(&k.fn)
	if u.src.Recv != nil {
		to = append(to, u.src.Recv.Addr(obj))
	}
	return captureAddresses(u.src, obj, to)
}

func captureAddresses(src *source.Unit, obj unsafe.Pointer, to []unsafe.Pointer) []unsafe.Pointer {
	for i := range src.Captures {
		c := &src.Captures[i]
		if c.Func != nil {
			to = captureAddresses(c.Func, c.FuncObj(obj), to)
		} else {
			to = append(to, c.Addr(obj))
		}
	}
	return to
}

// input describes a found function to the compiler.
func input(src *source.Unit, opts Options) (*ssa2ir.Kernel, error) {
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
		NoBody: func(fn *ssa.Function) (why, hint string) { return src.Missing(fn), "" },
		NoInline: func(fn *ssa.Function) bool {
			return slices.ContainsFunc(src.DirectivesOf(fn), func(d source.Directive) bool { return d.Name == "go:noinline" })
		},
		Unroll: func(loop token.Pos) (ssa2ir.Unroll, string) { return unroll(src.LoopDirectives(loop)) },
		Bounds: ssa2ir.LaunchBounds{MaxThreads: opts.MaxThreads, MinBlocks: opts.MinBlocks}, NoAlias: opts.NoAlias,
	}
	for i := range src.Captures {
		c := &src.Captures[i]
		ic := ssa2ir.Capture{Name: c.Name, Type: c.Type}
		if c.Func != nil {
			var err error
			if ic.Func, err = input(c.Func, Options{}); err != nil {
				return nil, err
			}
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
