package kernel

import (
	"context"
	"fmt"
	"io/fs"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/errs"
	"heddle/internal/inside"
	"heddle/internal/lazy"
	"heddle/internal/program"
	"heddle/internal/source"
	"heddle/internal/target"
	"heddle/launch"
)

// Options change how a kernel is compiled. The zero value is Go's semantics.
type Options struct {
	// NoBounds drops the checks that make a wrong index, a nil pointer or a
	// division by zero a panic. What a kernel does then is undefined.
	NoBounds bool
	// FastMath lets the compiler reorder floating-point arithmetic, use
	// approximate functions, and assume that no NaN and no infinity occurs
	// (clang's -ffast-math). On NVIDIA GPUs it also flushes float32 denormals to
	// zero (nvcc's -use_fast_math). Of float64 only the order of operations changes.
	// A float that does not fit an int32 converts to any number on GPUs.
	FastMath bool
	// FastAtomics lets floating-point atomics use hardware instructions that
	// ignore denormal and rounding modes, and that need ordinary device memory
	// (hipcc's -munsafe-fp-atomics).
	FastAtomics bool
	// ImageInstructions makes the methods of textures and surfaces (dsl.Texture2D, dsl.Surface2D and their
	// like) image instructions on AMD's GPUs that have them: RDNA 2, 3 and 4. Without it they are the
	// software form there, whose results are the same on all devices. On others of AMD's GPUs, such as
	// gfx90a and gfx942, a kernel with textures does not compile then; on NVIDIA's, which always have
	// instructions, and on cpu and sim it changes nothing. No AMD card has run it yet: only emulated
	// ones have.
	ImageInstructions bool
	// NoAlias promises that no two slices among the arguments, and the fields of
	// these, overlap (__restrict__). The directive //heddle:noalias does the same.
	NoAlias bool
	// MaxThreads and MinBlocks are HIP's __launch_bounds__: threads a block at
	// most, and blocks (CUDA) or warps per execution unit (AMD) at least. The
	// directive //heddle:launchbounds does the same.
	MaxThreads, MinBlocks int
	// Specialize names captured variables whose values become constants of the
	// code: loops over them are unrolled, branches on them disappear. "*" names
	// all that can. Each value that a launch finds in them makes a compile of its
	// own; the latest 64 are kept. Variables that hold addresses cannot be
	// constants; captured strings always are. What a bound method's receiver is
	// called in the method names it.
	Specialize []string
}

// A Kernel is a Go function that can be launched on devices. It is safe for
// concurrent use. Kernels of one function, and of closures of one literal, share
// their code and what is made of it: a kernel for each of a million closures
// costs a million small structs, which the collector takes.
type Kernel struct {
	fn   any // stored here, so that a closure is on the heap, where its layout is known
	typ  reflect.Type
	opts Options
	call uintptr // the return address of the call that made the kernel

	closed atomic.Bool
	last   atomic.Pointer[loaded] // what was launched last
	mu     sync.Mutex
	loaded []*loaded // the latest few
}

// New makes a kernel of fn, a func value without results. It compiles nothing:
// that happens at the first launch, or when Compile asks. It panics if fn is
// not a function, is nil, is variadic or has results.
func New(fn any) *Kernel {
	return newKernel(fn, Options{})
}

// NewWith is New with options.
func NewWith(fn any, opts Options) *Kernel {
	return newKernel(fn, opts)
}

func newKernel(fn any, opts Options) *Kernel {
	k := &Kernel{fn: fn, typ: reflect.TypeOf(fn), opts: opts}
	what := ""
	switch {
	case k.typ == nil || k.typ.Kind() != reflect.Func:
		what = "want a function"
	case reflect.ValueOf(fn).IsNil():
		what = "the function is nil"
	case k.typ.NumOut() != 0:
		what = "a kernel has no results: let it write to a slice"
	case k.typ.IsVariadic():
		what = "a kernel is not variadic: let it take a slice"
	}
	if what != "" {
		panic(fmt.Sprintf("kernel.New(%T): %s", fn, what))
	}
	if k.call = k.madeBefore(); k.call == 0 {
		k.call = caller(2)
	}
	return k
}

// caller is the return address of a call, skip frames above caller's own. To find its line costs more, and few kernels need it.
func caller(skip int) uintptr {
	var pc [1]uintptr
	runtime.Callers(skip+2, pc[:])
	return pc[0]
}

// sourceOptions has the place of the call that made the kernel: it may name type arguments.
func (k *Kernel) sourceOptions() source.Options {
	frame, _ := runtime.CallersFrames([]uintptr{k.call}).Next()
	return source.Options{CallFile: frame.File, CallLine: frame.Line}
}

// params are the types of the function's parameters.
func (k *Kernel) params() []reflect.Type {
	in := make([]reflect.Type, k.typ.NumIn())
	for i := range in {
		in[i] = k.typ.In(i)
	}
	return in
}

// Source registers the embedded sources of the calling package, so that its
// kernels compile where there is neither Go nor the source tree:
//
//	//go:embed *.go
//	var src embed.FS
//	var _ = kernel.Source(src)
//
// It returns true. Packages whose functions the kernels call need the same,
// except heddle's own.
func Source(fsys fs.FS) bool {
	source.RegisterCaller(fsys, 1)
	return true
}

// Name is the kernel's Go function: "main.Saxpy".
func (k *Kernel) Name() string {
	return runtime.FuncForPC(reflect.ValueOf(k.fn).Pointer()).Name()
}

// Close says that the kernel is not needed any more: launches of it are errors
// from now on. Those that are queued are not affected. Nothing has to be closed:
// the collector takes kernels like anything else. Closing twice is fine.
func (k *Kernel) Close() error {
	k.closed.Store(true)
	k.last.Store(nil)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.loaded = nil
	return nil
}

// A loaded kernel is ready to launch on one device. All kernels of a program share it.
type loaded struct {
	dev  *launch.Device
	f    inside.Func
	plan inside.Plan
	prog *sharedProgram // nil on the simulator if there is no source
	// next is the form for launches of which the condition of this one does not hold, once there was one: one for the first of
	// these, if it is any use, and one for all then.
	next     atomic.Pointer[loaded]
	tailored bool
	// pending is a form whose code is not compiled, as its condition may not hold of the first launch; made is what was compiled since.
	pending bool
	making  sync.Mutex
	made    atomic.Pointer[loaded]
	late    *simCheck // of the simulator, nil if there is none under way
}

// current reports whether l is what a launch of k on dev wants.
func (l *loaded) current(k *Kernel, dev *launch.Device) bool {
	return l.dev == dev && l.prog.current(k) && !l.late.finished()
}

// Launch queues the kernel on a stream. args are checked against the function's
// parameters: a scalar, array or struct by value and of exactly its type, a
// *launch.Buffer[T], or what its Device returned or a part of that, for a []T, or
// for a *T. Captured variables are read now. It
// returns at once (on the simulator, when a closure has run); what goes wrong on
// the device is returned by the stream's next call that waits.
func (k *Kernel) Launch(s *launch.Stream, cfg launch.Config, args ...any) error {
	return k.launch(context.Background(), s, cfg, args)
}

// LaunchContext is [Kernel.Launch]; where that waits, as on the simulator for a
// closure, for as long as ctx lasts, as [launch.Stream.SyncContext] does. It does not
// limit how long the kernel runs: calls that wait for it do.
func (k *Kernel) LaunchContext(ctx context.Context, s *launch.Stream, cfg launch.Config, args ...any) error {
	return k.launch(ctx, s, cfg, args)
}

func (k *Kernel) launch(ctx context.Context, s *launch.Stream, cfg launch.Config, args []any) error {
	l, err := k.ready(s.Device())
	if err != nil {
		return err
	}
	err = k.enqueue(ctx, l, s, &cfg, args)
	for wantsOther(err) {
		if l, err = k.other(l, s, err); err == nil {
			err = k.enqueue(ctx, l, s, &cfg, args)
		}
	}
	return err
}

func (k *Kernel) enqueue(ctx context.Context, l *loaded, s *launch.Stream, cfg *launch.Config, args []any) error {
	if l.prog == nil || len(l.prog.captured.Vars) == 0 {
		return inside.Launch(ctx, s, l.f, l.plan, unsafe.Pointer(cfg), args, nil)
	}
	var few [16]unsafe.Pointer
	return inside.Launch(ctx, s, l.f, l.plan, unsafe.Pointer(cfg), args, l.prog.captured.Addresses(closure(&k.fn), few[:0]))
}

// wantsOther reports whether the error of a launch says that another form is to be launched.
func wantsOther(err error) bool { return err == inside.ErrGeneral || err == inside.ErrPending }

// other is the form to launch after such an error of l's launch.
func (k *Kernel) other(l *loaded, s *launch.Stream, err error) (*loaded, error) {
	if err == inside.ErrPending {
		return k.compile(l)
	}
	return k.next(l, s)
}

// newest is what has been compiled since of a pending form, else the form itself.
func (l *loaded) newest() *loaded {
	if l != nil && l.pending {
		if n := l.made.Load(); n != nil {
			return n
		}
	}
	return l
}

// compile is a pending form with its code.
func (k *Kernel) compile(l *loaded) (*loaded, error) {
	l.making.Lock()
	defer l.making.Unlock()
	if n := l.made.Load(); n != nil {
		return n, nil
	}
	info := inside.Driver(l.dev)
	obj, err := k.complete(l.prog, info.Arch, info.WarpSize, info.CodeObject)
	if err != nil {
		return nil, err
	}
	n, err := k.loadObject(l.dev, l.prog, obj)
	if err != nil {
		return nil, err
	}
	n.next.Store(l.next.Load())
	l.made.Store(n)
	return n, nil
}

// next is the form for a launch on s of which the condition of l's code does not hold.
func (k *Kernel) next(l *loaded, s *launch.Stream) (*loaded, error) {
	if n := l.next.Load(); n != nil {
		return n, nil
	}
	info, launched := inside.Driver(l.dev), inside.Packed(s)
	err := k.with(info.Arch, info.WarpSize, info.CodeObject, func(p *sharedProgram, m *target.Machine) error {
		obj, tailored, err := k.otherwise(p, m, launched, l.tailored)
		if err != nil {
			return err
		}
		n, err := k.loadObject(l.dev, p, obj)
		if err != nil {
			return err
		}
		n.tailored = tailored
		p.Forget(m)
		l.next.CompareAndSwap(nil, n) // or another launch was first
		return nil
	})
	return l.next.Load(), err
}

// otherwise compiles the program for a launch: so that its condition holds of that, if that is possible and not general.
func (k *Kernel) otherwise(p *sharedProgram, m *target.Machine, launched *abi.Launch, general bool) (obj *abi.Object, tailored bool, err error) {
	opts := program.Options(k.opts)
	if !general && len(launched.Args) == p.Checked.Sig.Size { // else the stream has gone on
		obj, err := p.Tailored(m, opts, launched)
		if err != nil {
			return nil, false, err
		}
		if obj.Condition.Holds(launched) {
			p.Remember(k.Name(), opts, m, obj, closure(&k.fn))
			return obj, true, nil
		}
	}
	obj, err = p.General(m, opts)
	return obj, false, err
}

// ready is the kernel's loaded form for a launch.
func (k *Kernel) ready(dev *launch.Device) (*loaded, error) {
	l := k.last.Load()
	if l == nil && dev != nil && !k.closed.Load() { // it is new: another of the same code may have been launched
		if l = k.loadedHere(dev).newest(); l != nil {
			k.last.Store(l)
			return l, nil
		}
	}
	if n := l.newest(); n != l {
		k.last.CompareAndSwap(l, n)
		l = n
	}
	if l == nil || !l.current(k, dev) {
		var err error
		if l, err = k.load(dev); err != nil {
			return nil, err
		}
		k.last.Store(l)
	}
	return l, nil
}

// closure is the closure object of a func value.
func closure(fn *any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(fn))[1] }

// Compile makes the kernel ready to launch on a device, so that its first
// launch is as quick as the others.
func (k *Kernel) Compile(dev *launch.Device) error {
	_, err := k.ahead(dev)
	return err
}

// ahead is load, with the code.
func (k *Kernel) ahead(dev *launch.Device) (*loaded, error) {
	l, err := k.load(dev)
	if err == nil && l.pending {
		return k.compile(l)
	}
	return l, err
}

// Resident returns how many blocks of cfg.Block threads and cfg.Shared bytes dev runs at
// once, which is the largest grid of a cooperative launch (HIP
// hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, times the multiprocessors). It
// compiles the kernel if need be.
func (k *Kernel) Resident(dev *launch.Device, cfg launch.Config) (blocks int, err error) {
	l, err := k.ahead(dev)
	if err != nil {
		return 0, err
	}
	return inside.Resident(l.f, unsafe.Pointer(&cfg))
}

// maxLoaded is how many loaded forms a kernel remembers: devices times values
// of specialised variables.
const maxLoaded = 16

// load finds or makes the kernel's loaded form for a device.
func (k *Kernel) load(dev *launch.Device) (*loaded, error) {
	switch {
	case dev == nil:
		return nil, errs.F("kernel %s: launch on a nil stream or device", k.Name())
	case k.closed.Load():
		return nil, errs.F("kernel %s is closed", k.Name())
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, l := range k.loaded {
		if l.current(k, dev) {
			return l, nil
		}
	}
	l, err := k.loadFor(dev)
	if err != nil {
		return nil, err
	}
	if len(k.loaded) == maxLoaded {
		k.loaded = slices.Delete(k.loaded, 0, 1)
	}
	k.loaded = append(k.loaded, l)
	return l, nil
}

// loadFor makes the kernel's loaded form for a device, or takes the one that
// another kernel of the same code has made.
func (k *Kernel) loadFor(dev *launch.Device) (*loaded, error) {
	info := inside.Driver(dev)
	if info.Target == "" { // the simulator runs the function itself
		return k.loadSim(dev)
	}
	if l := k.loadedHere(dev); l != nil {
		return l, nil
	}
	machine := machineKey{info.Arch, info.WarpSize, info.CodeObject}
	p, obj, err := k.compiled(info.Arch, info.WarpSize, info.CodeObject)
	if err != nil {
		return nil, err
	}
	if p.Program == nil {
		p = k.shareFor(machine, p)
	}
	return p.loadedOn(dev, func() (*loaded, error) { return k.loadObject(dev, p, obj) })
}

// loadedHere is loadedBefore for a device; nil on the simulator.
func (k *Kernel) loadedHere(dev *launch.Device) *loaded {
	info := inside.Driver(dev)
	if info.Target == "" {
		return nil
	}
	return k.loadedBefore(dev, machineKey{info.Arch, info.WarpSize, info.CodeObject})
}

// mayCapture reports whether a function of that name at run time may capture
// variables: a literal, of which inlining may have changed the name's beginning.
func mayCapture(name string) bool { return literalName.Get().MatchString(name) }

var literalName = lazy.Regexp{Expr: `\.(func|gowrap|deferwrap)?\d+(\.\d+|-range\d+)*$`}

func (k *Kernel) loadObject(dev *launch.Device, p *sharedProgram, obj *abi.Object) (*loaded, error) {
	l := &loaded{dev: dev, prog: p}
	err := obj.Condition.Check(obj.Sig.Size)
	if err == nil {
		l.plan, err = inside.NewPlan(&obj.Sig, k.params())
	}
	if err != nil {
		return nil, errs.F("kernel %s: %w", k.Name(), err)
	}
	if l.pending = isPending(obj); l.pending {
		l.f = inside.Pending(dev, obj)
		return l, nil
	}
	if l.f, err = inside.Load(dev, obj); err != nil {
		if too := obj.Largest.Explain(k.Name(), err); too != nil {
			return nil, too
		}
		return nil, errs.F("kernel %s: loading its %s for %s: %w", k.Name(), obj.Kind, obj.Arch, err)
	}
	return l, nil
}
