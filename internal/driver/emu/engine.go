package emu

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/amdemu"
	"heddle/internal/driver"
	"heddle/internal/driver/host"
)

// engine implements host.Engine and host.Watcher.
type engine struct {
	info    driver.Info
	options options
	record  *recorder
	memory  *amdemu.Memory
	disasm  amdemu.Disassembler
	stopped atomic.Bool
}

func newEngine(i driver.Info, r *recorder, d amdemu.Disassembler) *engine {
	return &engine{info: i, options: r.options, record: r, memory: amdemu.NewMemory(r.check), disasm: d}
}

// Allocated implements host.Watcher. What the host writes itself counts as written. An
// allocation ends with its last dword, which compare and swap of smaller numbers takes whole; memory
// of Go that begins within one ends as it is.
func (e *engine) Allocated(p unsafe.Pointer, n int, pinned bool) error {
	whole := n
	if uintptr(p)%4 == 0 {
		whole = (n + 3) &^ 3
	}
	if err := e.memory.Add(p, whole, "the buffer", pinned); err != nil {
		return err
	}
	if whole > n {
		e.memory.MarkWritten(unsafe.Add(p, n), whole-n)
	}
	return nil
}

// Freed implements host.Watcher.
func (e *engine) Freed(p unsafe.Pointer) error { return e.memory.Remove(p) }

// Written implements host.Watcher.
func (e *engine) Written(p unsafe.Pointer, n int) { e.memory.MarkWritten(p, n) }

// Copied implements host.Watcher.
func (e *engine) Copied(dst, src unsafe.Pointer, n int) { e.memory.MarkCopied(dst, src, n) }

// Stop implements host.Engine: kernels end where they are.
func (e *engine) Stop() { e.stopped.Store(true) }

// Close implements host.Engine.
func (e *engine) Close() error { return nil }

// function implements driver.Function.
type function struct {
	host.Panic
	engine  *engine
	object  *abi.Object
	program *amdemu.Program
	kernel  *amdemu.Kernel
	// The panic record is in memory that the kernel may touch; sink keeps it.
	sink *abi.PanicRecord
	lock *uint32

	mu     sync.Mutex // held by launches: they share the record
	closed atomic.Bool
}

// Load implements host.Engine.
func (e *engine) Load(o *abi.Object) (driver.Function, error) {
	if o.Kind != abi.HSACO {
		return nil, fmt.Errorf("%s: kernel %s is %s code, want %s", e.info.Name, o.Name, o.Kind, abi.HSACO)
	}
	p, err := amdemu.Load(o.Code, e.memory, e.disasm)
	if err != nil {
		return nil, fmt.Errorf("%s: loading kernel %s: %w", e.info.Name, o.Name, err)
	}
	p.Files, p.Wrapped = o.Files, true
	places := map[amdemu.Place]bool{}
	for _, a := range o.Atomics {
		places[amdemu.Place(a)] = true
	}
	p.Atomics(places)
	own := *o
	f := &function{engine: e, object: &own, program: p}
	if err := f.bind(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: kernel %s: %w", e.info.Name, o.Name, err), f.Close())
	}
	return f, nil
}

// bind finds the kernel and gives it a place to write a panic to.
func (f *function) bind() (err error) {
	if f.program.Arch() != f.engine.info.Arch {
		return fmt.Errorf("code for %s on %s", f.program.Arch(), f.engine.info.Arch)
	}
	if f.kernel, err = f.program.Kernel(f.object.Kernel); err != nil {
		return err
	}
	f.kernel.Name = f.object.Name
	if f.object.Unshared {
		f.kernel.Own = f.object.Res.LDS
	}
	if f.kernel.WaveSize() != f.engine.info.WarpSize {
		return fmt.Errorf("code for waves of %d", f.kernel.WaveSize())
	}
	if len(f.object.Sites) == 0 {
		return nil
	}
	sink, size, ok := f.program.Symbol(abi.SinkSymbol)
	lock, lockSize, ok2 := f.program.Symbol(abi.LockSymbol)
	if !ok || !ok2 || size != int(unsafe.Sizeof(uintptr(0))) || lockSize != 4 {
		return fmt.Errorf("the code object has no %s and %s", abi.SinkSymbol, abi.LockSymbol)
	}
	f.sink = new(abi.PanicRecord)
	if err := f.engine.memory.Add(unsafe.Pointer(f.sink), int(unsafe.Sizeof(*f.sink)), "the panic record", true); err != nil {
		return err
	}
	*(*uintptr)(sink) = uintptr(unsafe.Pointer(f.sink))
	f.lock = (*uint32)(lock)
	return nil
}

// SetPrints implements driver.Function.
func (f *function) SetPrints(p abi.PrintSink) error {
	sink, size, ok := f.program.Symbol(abi.PrintSymbol)
	if !ok || size != int(unsafe.Sizeof(p)) {
		return fmt.Errorf("the code object has no %s", abi.PrintSymbol)
	}
	*(*abi.PrintSink)(sink) = p
	f.engine.memory.Ordered(*(*unsafe.Pointer)(unsafe.Pointer(&p.Ring)))
	return nil
}

// SetSymbols implements driver.Function.
func (f *function) SetSymbols(at []driver.Ptr) error {
	slots, size, ok := f.program.Symbol(abi.SymbolsSymbol)
	if !ok || size != len(at)*int(unsafe.Sizeof(at[0])) {
		return fmt.Errorf("the code object has no %s of %d addresses", abi.SymbolsSymbol, len(at))
	}
	copy(unsafe.Slice((*driver.Ptr)(slots), len(at)), at)
	return nil
}

// Bank implements driver.Function: there is none.
func (f *function) Bank() (driver.Ptr, error) {
	return nil, errors.New("the emulator has no bank of constants")
}

// Resident implements driver.Function.
func (f *function) Resident(*driver.Config) (int, error) { return amdemu.Resident, nil }

// Object implements driver.Function.
func (f *function) Object() *abi.Object { return f.object }

// Close implements driver.Function. It waits for launches under way.
func (f *function) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed.Swap(true) {
		return nil
	}
	var err error
	if f.sink != nil {
		err = f.engine.memory.Remove(unsafe.Pointer(f.sink))
	}
	return errors.Join(err, f.program.Close())
}

// launch implements host.Task.
type launch struct {
	f      *function
	config amdemu.Config
	cause  atomic.Pointer[error] // of Stop
}

// Launch implements host.Engine.
func (e *engine) Launch(df driver.Function, c *driver.Config, args []byte, _ []any) (host.Task, error) {
	f, ok := df.(*function)
	switch {
	case !ok || f.engine != e:
		return nil, fmt.Errorf("%s: kernel %s was loaded on another device", e.info.Name, df.Object().Name)
	case f.closed.Load():
		return nil, fmt.Errorf("%s: kernel %s is closed", e.info.Name, f.object.Name)
	case len(args) < f.object.Sig.Size:
		return nil, fmt.Errorf("%s: kernel %s: %d bytes of arguments, the signature has %d",
			e.info.Name, f.object.Name, len(args), f.object.Sig.Size)
	}
	l := &launch{f: f}
	l.config = amdemu.Config{
		Grid: c.Grid, Block: c.Block, Shared: c.Shared, Cooperative: c.Cooperative,
		Args: append([]byte(nil), args...), Memory: e.memory,
		Barriers: e.options.barriers, Budget: e.options.budget, Idle: e.options.idle, Workers: e.options.workers,
		Stop: func() bool { return l.cause.Load() != nil || e.stopped.Load() },
	}
	return l, nil
}

// errStopped is the error of launches that Close ended.
var errStopped = errors.New("the device was closed before it had ended")

// Stop implements host.Runner.
func (l *launch) Stop(cause error) { l.cause.CompareAndSwap(nil, &cause) }

// Running implements host.Runner.
func (l *launch) Running() driver.Stopped { return driver.Stopped{Kernel: l.f.object.Name} }

// ended is the error of a launch that Stop has ended; at is where a wave was.
func (l *launch) ended(cause error, at *amdemu.Fault) error {
	e := &driver.Stopped{Kernel: l.f.object.Name, Cause: cause}
	if at != nil {
		e.Block, e.Thread = at.Block, at.Thread
		e.File, e.Line, e.Col = at.Position()
	}
	return e
}

// Run implements host.Task.
func (l *launch) Run(stop *host.Stop) error {
	f := l.f
	stop.Watch(l)
	defer stop.Unwatch()
	f.mu.Lock()
	defer f.mu.Unlock()
	name := f.object.Name
	if f.engine.stopped.Load() || f.closed.Load() {
		return fmt.Errorf("%s: kernel %s: %w", f.engine.info.Name, name, errStopped)
	}
	if cause := l.cause.Load(); cause != nil {
		return l.ended(*cause, nil)
	}
	err := f.engine.record.run(f, l.config)
	if f.sink != nil && f.sink.State != 0 {
		// A panic ends its wave, and what comes of that is no fault of its own.
		record := *f.sink
		*f.sink, *f.lock = abi.PanicRecord{}, 0
		f.Keep(&record)
		return nil
	}
	var fault *amdemu.Fault
	if cause := l.cause.Load(); cause != nil && (err == nil || errors.As(err, &fault) && fault.Stopped) {
		return l.ended(*cause, fault)
	}
	if f.engine.stopped.Load() && (err == nil || errors.As(err, &fault) && fault.Stopped) {
		err = errStopped
	}
	if errors.As(err, &fault) {
		fault.Device = f.engine.info.Name // the place comes first
		return err
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.engine.info.Name, err)
	}
	return nil
}

// Drop implements host.Task.
func (l *launch) Drop() {}
