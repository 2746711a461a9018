package program

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"heddle/internal/abi"
	"heddle/internal/codegen"
	"heddle/internal/diag"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/target"
	"heddle/ssa2ir"
)

type objectKey struct {
	arch       string
	warpSize   int
	codeObject int
	mathLib    bool
	level      string // what HEDDLE_OPT says
	general    bool   // for all launches
}

// built is one compile, done once however many goroutines ask.
type built struct {
	once sync.Once
	obj  *abi.Object
	err  error
}

// A lowered program is not compiled yet.
type lowered struct {
	req  *codegen.Request
	res  *ssa2ir.Result
	took time.Duration
}

// Condition is an object without code for what Compile would make: it has its Condition, so that code which would not do for
// a launch need not be made. It is nil where nothing would be gained.
func (p *Program) Condition(m *target.Machine, opts Options) (*abi.Object, error) {
	key := keyOf(m, false)
	if _, made := p.objects.Load(key); made || len(codegen.Archives()) > 0 {
		return nil, nil
	}
	start := time.Now()
	req, res, err := p.Request(m, opts, false)
	if err != nil {
		return nil, err
	}
	p.lowered.Store(key, &lowered{req, res, time.Since(start)})
	if len(res.Condition) < 2 {
		return nil, nil
	}
	obj := &abi.Object{Kind: m.Kind}
	p.finish(obj, res)
	return obj, nil
}

// Forget gives up what Condition has lowered.
func (p *Program) Forget(m *target.Machine) { p.lowered.Delete(keyOf(m, false)) }

func keyOf(m *target.Machine, general bool) objectKey {
	return objectKey{m.CPU, m.WarpSize, m.CodeObject, m.MathLib, env.Get(codegen.EnvOpt), general}
}

// Compile is the program compiled for a machine, from memory, from disk or anew. What has a Condition serves launches
// of which that holds.
func (p *Program) Compile(m *target.Machine, opts Options) (*abi.Object, error) {
	return p.compile(m, opts, false)
}

// General is Compile for any launch.
func (p *Program) General(m *target.Machine, opts Options) (*abi.Object, error) {
	return p.compile(m, opts, true)
}

// Tailored is Compile with a condition that holds of a launch, and that is made for it.
func (p *Program) Tailored(m *target.Machine, opts Options, launch *abi.Launch) (*abi.Object, error) {
	return p.build(m, opts, launch, false)
}

func (p *Program) compile(m *target.Machine, opts Options, general bool) (*abi.Object, error) {
	key := keyOf(m, general)
	x, _ := p.objects.LoadOrStore(key, new(built))
	b := x.(*built)
	b.once.Do(func() { b.obj, b.err = p.build(m, opts, nil, general) })
	if b.err != nil {
		p.objects.CompareAndDelete(key, x) // what was missing may be there next time
	}
	return b.obj, b.err
}

func (p *Program) build(m *target.Machine, opts Options, launch *abi.Launch, general bool) (*abi.Object, error) {
	start := time.Now()
	var lacks error
	if launch == nil {
		var obj *abi.Object
		if obj, _, lacks = p.Archived(m, opts, general, codegen.Archives()); obj != nil {
			logCompile(obj, "archive", p.Took, 0, time.Since(start))
			return obj, nil
		}
	}
	low, err := p.lower(m, opts, launch, general)
	if err != nil {
		return nil, err
	}
	req, res, start := low.req, low.res, time.Now()
	obj, fromDisk, err := codegen.Build(req)
	if too := res.Largest.Explain(p.Src.Name, err); too != nil {
		return nil, too
	}
	if err != nil {
		// lacks makes With try again with bodies, for the archive's sake
		return nil, errs.Join(errs.F("kernel %s: compiling for %s%s: %w", p.Src.Name, m.CPU, archiveNote(m.Kind), err), lacks)
	}
	p.finish(obj, res)
	logCache(obj, fromDisk)
	from := "compiler"
	if fromDisk {
		from = "disk"
	}
	logCompile(obj, from, p.Took, low.took, time.Since(start))
	return obj, p.dumpAll(m, req, res)
}

// lower is what Condition has lowered, or is lowered now.
func (p *Program) lower(m *target.Machine, opts Options, launch *abi.Launch, general bool) (*lowered, error) {
	if launch == nil && !general {
		if x, ok := p.lowered.LoadAndDelete(keyOf(m, false)); ok {
			return x.(*lowered), nil
		}
	}
	start := time.Now()
	req, res, err := p.request(m, opts, ssa2ir.Options{Conditional: !general, Launch: launch})
	return &lowered{req, res, time.Since(start)}, err
}

// Archived is the program's object from archives, and its key; nil if none has it. It
// is looked for as the machine that made an archive would have compiled it, with a
// math library or without. lacks says that this could not be told without the
// bodies of functions that this machine has of its own.
func (p *Program) Archived(m *target.Machine, opts Options, general bool, archives []*codegen.Archive) (obj *abi.Object, key string, lacks error) {
	for _, mathLib := range []bool{true, false} {
		alike := slices.DeleteFunc(slices.Clone(archives), func(a *codegen.Archive) bool { return !slices.Contains(a.MathLibs(m.Kind), mathLib) })
		if len(alike) == 0 {
			continue
		}
		as := *m
		as.MathLib = mathLib
		req, res, err := p.Request(&as, opts, general)
		var e *diag.Error
		if errors.As(err, &e) && e.NeedsBody && !p.Bodies {
			lacks = err
		}
		if err != nil {
			continue
		}
		for _, a := range alike {
			if obj, key := a.Find(req); obj != nil {
				p.finish(obj, res)
				return obj, key, nil
			}
		}
	}
	return nil, "", lacks
}

// finish completes what the code generator made with what only the front end knows.
//
//go:noinline
func (p *Program) finish(obj *abi.Object, res *ssa2ir.Result) {
	obj.Name, obj.Sig, obj.Condition, obj.Files = p.Src.Name, p.Checked.Sig, res.Condition, res.Files
	obj.Dynamic, obj.Unshared, obj.Largest = res.Dynamic, !res.Shared, res.Largest
	obj.Sites, obj.Frames, obj.Prints, obj.Symbols, obj.Atomics = res.Sites, res.Frames, res.Prints, res.Symbols, res.Atomics
	obj.Shared, obj.MaxThreads = obj.Res.LDS, p.Checked.Kernel.Bounds.MaxThreads
}

// Request lowers the program, for any launch or for those of which a condition holds, and says what to make of it.
func (p *Program) Request(m *target.Machine, opts Options, general bool) (*codegen.Request, *ssa2ir.Result, error) {
	return p.request(m, opts, ssa2ir.Options{Conditional: !general})
}

func (p *Program) request(m *target.Machine, opts Options, o ssa2ir.Options) (*codegen.Request, *ssa2ir.Result, error) {
	if opts.ImageInstructions {
		with := *m
		with.Images, m = true, &with
	}
	o.NoBounds, o.FastMath, o.FastAtomics = opts.NoBounds, opts.FastMath, opts.FastAtomics
	res, err := p.Checked.Lower(m, o)
	if err != nil {
		return nil, nil, err
	}
	return &codegen.Request{
		IR: res.IR, Triple: m.Triple, CPU: m.CPU, Features: m.Features, Kind: m.Kind, Kernel: res.Symbol,
		WarpSize: m.WarpSize, CodeObject: m.CodeObject, FastMath: opts.FastMath,
	}, res, nil
}

// badArchive is why an archive cannot be used.
var badArchive atomic.Pointer[error]

// archiveNote is what archives have to do with a kernel that cannot be compiled,
// "" for nothing.
func archiveNote(kind abi.Kind) string {
	switch err := badArchive.Load(); {
	case err != nil:
		return fmt.Sprintf(", while the program's archive cannot be used (%v)", *err)
	case carriesArchive(kind):
		return " (it is not in the embedded archive: rebuild that with heddle build -arch ...)"
	}
	return ""
}

// carriesArchive says whether an archive has objects of a kind.
func carriesArchive(kind abi.Kind) bool {
	return slices.ContainsFunc(codegen.Archives(), func(a *codegen.Archive) bool { return len(a.MathLibs(kind)) > 0 })
}

// AddArchive makes the kernels of an archive known. An error says why it cannot be used,
// and is a part of later compiles' errors; native reports that it has code for the host.
func AddArchive(data []byte) (native bool, err error) {
	if err = codegen.AddArchive(data); err != nil {
		badArchive.CompareAndSwap(nil, &err)
	}
	return carriesArchive(abi.Native), err
}

// ForgetArchives forgets what was wrong with archives, for tests.
func ForgetArchives() { badArchive.Store(nil) }
