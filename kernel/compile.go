package kernel

import (
	"errors"
	"slices"
	"sync"
	"time"

	"heddle/dsl"
	"heddle/internal/abi"
	"heddle/internal/codegen"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/lazy"
	"heddle/internal/source"
	"heddle/internal/target"
	"heddle/ssa2ir"
	"heddle/vector"
)

// registerOwn makes the sources of heddle's device packages known: kernels
// call into them wherever they run.
var registerOwn = lazy.Value[error]{Make: func() error {
	return errs.Join(source.RegisterOwn(dsl.SyncThreads), source.RegisterOwn(vector.MakeFloat4))
}}

type objectKey struct {
	arch       string
	warpSize   int
	codeObject int
	mathLib    bool
	level      string // what HEDDLE_OPT says
}

// built is one compile, done once however many goroutines ask.
type built struct {
	once sync.Once
	obj  *abi.Object
	err  error
}

// compile is the unit compiled for a machine, from memory, from disk or anew.
func (u *unit) compile(m *target.Machine, opts Options) (*abi.Object, error) {
	key := objectKey{m.CPU, m.WarpSize, m.CodeObject, m.MathLib, env.Get(codegen.EnvOpt)}
	x, _ := u.objects.LoadOrStore(key, new(built))
	b := x.(*built)
	b.once.Do(func() { b.obj, b.err = u.build(m, opts) })
	if b.err != nil {
		u.objects.CompareAndDelete(key, x) // what was missing may be there next time
	}
	return b.obj, b.err
}

func (u *unit) build(m *target.Machine, opts Options) (*abi.Object, error) {
	start := time.Now()
	obj, _, lacks := u.archived(m, opts, codegen.Archives())
	if obj != nil {
		logCompile(u, m, "archive", 0, time.Since(start), obj)
		return obj, nil
	}
	req, res, err := u.request(m, opts)
	if err != nil {
		return nil, err
	}
	lowered := time.Now()
	var fromDisk bool
	obj, fromDisk, err = codegen.Build(req)
	if err != nil {
		// lacks makes withProgram try again with bodies, for the archive's sake
		return nil, errs.Join(errs.F("kernel %s: compiling for %s%s: %w", u.src.Name, m.CPU, archiveNote(m.Kind), err), lacks)
	}
	u.finish(obj, res)
	from := "compiler"
	if fromDisk {
		from = "disk"
	}
	logCompile(u, m, from, lowered.Sub(start), time.Since(lowered), obj)
	return obj, u.dumpAll(m, req, res)
}

// archived is the unit's object from archives, and its key; nil if none has it. It
// is looked for as the machine that made an archive would have compiled it, with a
// math library or without. lacks says that this could not be told without the
// bodies of functions that this machine has of its own.
func (u *unit) archived(m *target.Machine, opts Options, archives []*codegen.Archive) (obj *abi.Object, key string, lacks error) {
	for _, mathLib := range []bool{true, false} {
		alike := slices.DeleteFunc(slices.Clone(archives), func(a *codegen.Archive) bool { return !slices.Contains(a.MathLibs(m.Kind), mathLib) })
		if len(alike) == 0 {
			continue
		}
		as := *m
		as.MathLib = mathLib
		req, res, err := u.request(&as, opts)
		var e *ssa2ir.Error
		if errors.As(err, &e) && e.NeedsBody && !u.bodies {
			lacks = err
		}
		if err != nil {
			continue
		}
		for _, a := range alike {
			if obj, key := a.Find(req); obj != nil {
				u.finish(obj, res)
				return obj, key, nil
			}
		}
	}
	return nil, "", lacks
}

// finish completes what the code generator made with what only the front end knows.
//
//go:noinline
func (u *unit) finish(obj *abi.Object, res *ssa2ir.Result) {
	obj.Name, obj.Sig, obj.Files = u.src.Name, u.prog.Sig, res.Files
	obj.Dynamic, obj.Unshared = res.Dynamic, !res.Shared
	obj.Sites, obj.Frames = res.Sites, res.Frames
	obj.Shared, obj.MaxThreads = obj.Res.LDS, u.prog.Kernel.Bounds.MaxThreads
}

// request lowers the unit and says what to make of it.
func (u *unit) request(m *target.Machine, opts Options) (*codegen.Request, *ssa2ir.Result, error) {
	res, err := u.prog.Lower(m, ssa2ir.Options{NoBounds: opts.NoBounds, FastMath: opts.FastMath, FastAtomics: opts.FastAtomics})
	if err != nil {
		return nil, nil, err
	}
	return &codegen.Request{
		IR: res.IR, Triple: m.Triple, CPU: m.CPU, Features: m.Features, Kind: m.Kind, Kernel: res.Symbol,
		WarpSize: m.WarpSize, CodeObject: m.CodeObject, FastMath: opts.FastMath,
	}, res, nil
}
