package cpu

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/driver/host"
	"heddle/internal/errs"
)

// engine implements host.Engine.
type engine struct {
	name      string // "cpu:64"
	sharedMax int
	workers   workers

	mu      sync.Mutex
	running []*launch
	spare   []*launch
	stopped bool
}

func newEngine(i *driver.Info) *engine {
	return &engine{name: i.Name, sharedMax: i.SharedPerBlockMax}
}

// Stop implements host.Engine: what runs claims no more blocks, and what has
// not begun will not.
func (e *engine) Stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stopped = true
	for _, l := range e.running {
		atomic.StoreUint32(&l.native.Stop, 1)
	}
}

// Close implements host.Engine.
func (e *engine) Close() error { return e.workers.close() }

// begin makes l known to Stop, unless that has been called.
func (e *engine) begin(l *launch) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stopped {
		return false
	}
	e.running = append(e.running, l)
	return true
}

// end undoes begin and reports whether Stop came between.
func (e *engine) end(l *launch) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.Index(e.running, l)
	last := len(e.running) - 1
	e.running[i], e.running[last] = e.running[last], nil
	e.running = e.running[:last]
	return e.stopped
}

// alone reports whether no more than one launch runs.
func (e *engine) alone() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.running) == 1
}

// take returns a launch for use again, or a new one.
func (e *engine) take() *launch {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := len(e.spare); n > 0 {
		l := e.spare[n-1]
		e.spare = e.spare[:n-1]
		return l
	}
	l := &launch{engine: e, done: make(chan struct{}, 1)}
	l.help = l.helper
	return l
}

func (e *engine) give(l *launch) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.spare = append(e.spare, l)
}

// Launch implements host.Engine.
func (e *engine) Launch(df driver.Function, c *driver.Config, args []byte, _ []any) (host.Task, error) {
	f, ok := df.(*function)
	if !ok || f.engine != e {
		return nil, errs.F("%s: kernel %s was loaded on another device", e.name, df.Object().Name)
	}
	threads, err := f.check(c, args)
	if err != nil {
		return nil, errs.F("%s: kernel %s: %w", e.name, f.object.Name, err)
	}
	if !f.acquire() {
		return nil, errs.F("%s: kernel %s is closed", e.name, f.object.Name)
	}
	l := e.take()
	l.f = f
	l.blocks, l.all = uint64(c.Grid[0])*uint64(c.Grid[1])*uint64(c.Grid[2]), c.Cooperative
	l.sink = abi.PanicRecord{}
	l.native = abi.NativeLaunch{
		Blocks: l.blocks,
		Shared: uint32(c.Shared),
		Grid:   [3]uint32{uint32(c.Grid[0]), uint32(c.Grid[1]), uint32(c.Grid[2])},
		Block:  [3]uint32{uint32(c.Block[0]), uint32(c.Block[1]), uint32(c.Block[2])},
		Args:   l.copyArgs(args),
		Sink:   uintptr(unsafe.Pointer(&l.sink)),
		Print:  uintptr(unsafe.Pointer(&f.prints)),
	}
	l.need = need{
		// Vectors of shared memory may be read past its end.
		shared: (int(f.info.Shared)+15)/16*16 + c.Shared + 64,
		stacks: 1,
		stack:  abi.NativeStack + int(f.info.Stack),
	}
	if f.info.Barriers != 0 {
		l.need.stacks = f.info.StacksOf(threads)
		l.need.shared += int(f.info.Barriers-1) * int(abi.NativeStride(f.info.Shared))
	}
	return l, nil
}

// check says whether c and args fit the kernel, and how many threads a block has.
func (f *function) check(c *driver.Config, args []byte) (threads int, err error) {
	for i := range 3 {
		if c.Grid[i] < 1 || c.Grid[i] > math.MaxInt32 || c.Block[i] < 1 || c.Block[i] > maxLanes {
			return 0, errs.F("a grid of %v blocks of %v threads", c.Grid, c.Block)
		}
	}
	if c.Grid[1] > math.MaxUint16 || c.Grid[2] > math.MaxUint16 { // so that their product fits a word
		return 0, errs.F("a grid of %v blocks", c.Grid)
	}
	threads = c.Block[0] * c.Block[1] * c.Block[2]
	limit := maxLanes
	if f.object.MaxThreads > 0 {
		limit = min(limit, f.object.MaxThreads)
	}
	switch static := int(f.info.Shared); {
	case threads > limit:
		return 0, errs.F("%d threads in a block, the limit is %d", threads, limit)
	case c.Shared < 0 || c.Shared > f.engine.sharedMax-static:
		return 0, errs.F("%d bytes of dynamic and %d of static shared memory, the limit is %d", c.Shared, static, f.engine.sharedMax)
	case len(args) < f.object.Sig.Size:
		return 0, errs.F("%d bytes of arguments, the signature has %d", len(args), f.object.Sig.Size)
	}
	return threads, nil
}

// copyArgs copies args to aligned memory of the launch.
func (l *launch) copyArgs(args []byte) uintptr {
	const align = 16
	if len(l.args) < len(args)+align {
		l.args = make([]byte, max(2*len(args), 256)+align)
	}
	at := -uintptr(unsafe.Pointer(&l.args[0])) % align
	copy(l.args[at:], args)
	return uintptr(unsafe.Pointer(&l.args[at]))
}

// errStopped is the error of launches that Close ended.
var errStopped = errors.New("the device was closed before it had ended")

// processors is how many goroutines may run at once.
func processors() int { return runtime.GOMAXPROCS(0) }
