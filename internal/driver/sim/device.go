package sim

import (
	"errors"
	"reflect"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/driver/host"
	"heddle/internal/errs"
	"heddle/internal/simt"
)

// engine implements host.Engine: kernels are Go functions.
type engine struct {
	warp, shared int // lanes; bytes of shared memory a block may have
}

func newDevice(i driver.Info) driver.Device {
	return host.New(i, &engine{i.WarpSize, i.SharedPerBlockMax}, true)
}

// Load implements host.Engine.
func (e *engine) Load(o *abi.Object) (driver.Function, error) {
	fn := reflect.ValueOf(o.Go)
	if o.Kind != abi.GoFunc || fn.Kind() != reflect.Func || fn.IsNil() {
		return nil, errs.F("sim: kernel %s: the simulator runs Go functions, this is %s code (%T)", o.Name, o.Kind, o.Go)
	}
	if fn.Type().NumOut() > 0 || fn.Type().IsVariadic() {
		return nil, errs.F("sim: kernel %s: %v has results or a variable number of parameters", o.Name, fn.Type())
	}
	return &function{e, o, fn}, nil
}

// Stop implements host.Engine: what is queued is done nevertheless.
func (e *engine) Stop() {}

// Close implements host.Engine.
func (e *engine) Close() error { return nil }

// function implements driver.Function.
type function struct {
	engine *engine
	object *abi.Object
	fn     reflect.Value
}

// Object implements driver.Function.
func (f *function) Object() *abi.Object { return f.object }

// resident is how many threads the simulator runs at once.
const resident = 1 << 16

// Resident implements driver.Function.
func (f *function) Resident(c *driver.Config) (int, error) {
	return max(1, resident/(c.Block[0]*c.Block[1]*c.Block[2])), nil
}

// TakePanic implements driver.Function: a panic is the stream's error here.
func (f *function) TakePanic() *abi.PanicRecord { return nil }

// SetPrints implements driver.Function: what a kernel prints goes to driver.Config.Print.
func (f *function) SetPrints(abi.PrintSink) error { return nil }

// SetSymbols implements driver.Function: the simulator asks driver.Config.Symbol.
func (f *function) SetSymbols([]driver.Ptr) error { return nil }

// Bank implements driver.Function: there is none.
func (f *function) Bank() (driver.Ptr, error) {
	return nil, errs.F("the simulator has no bank of constants")
}

// Close implements driver.Function.
func (f *function) Close() error { return nil }

// bind checks args against the function's parameters and returns a call of it.
func (f *function) bind(args []any) (func(), error) {
	t := f.fn.Type()
	if len(args) != t.NumIn() {
		return nil, errs.F("sim: kernel %s: %d arguments for %d parameters", f.object.Name, len(args), t.NumIn())
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		if in[i] = reflect.ValueOf(a); a == nil {
			in[i] = reflect.Zero(t.In(i))
		}
		if !in[i].Type().AssignableTo(t.In(i)) {
			return nil, errs.F("sim: kernel %s: argument %d is %T, want %v", f.object.Name, i, a, t.In(i))
		}
	}
	return caller(f.fn, in), nil
}

// launch implements host.Task.
type launch struct {
	kernel  string
	config  simt.Config
	body    func()
	refused func() error // or nil
	// noShared: the kernel uses dynamic shared memory, and there is none.
	noShared bool
}

// Launch implements host.Engine.
func (e *engine) Launch(f driver.Function, c *driver.Config, _ []byte, goArgs []any) (host.Task, error) {
	fn, ok := f.(*function)
	if !ok || fn.engine != e {
		return nil, errs.F("sim: kernel %s was loaded on another device", f.Object().Name)
	}
	if c.Shared > e.shared {
		return nil, errs.F("sim: kernel %s: %d bytes of dynamic shared memory, the device has %d",
			fn.object.Name, c.Shared, e.shared)
	}
	body, err := fn.bind(goArgs)
	if err != nil {
		return nil, err
	}
	return &launch{fn.object.Name, simt.Config{
		Grid:     simt.Dim{X: c.Grid[0], Y: c.Grid[1], Z: c.Grid[2]},
		Block:    simt.Dim{X: c.Block[0], Y: c.Block[1], Z: c.Block[2]},
		WarpSize: e.warp, Shared: c.Shared, SharedMax: e.shared, Print: c.Print, Symbol: c.Symbol, Together: c.Cooperative,
	}, body, fn.object.Refused, fn.object.Dynamic && c.Shared == 0}, nil
}

// Run implements host.Task.
func (l *launch) Run(stop *host.Stop) error {
	l.config.Halt = simt.NewHalt()
	stop.Watch(l)
	defer stop.Unwatch()
	err := l.located(simt.Run(l.config, l.body))
	if l.refused != nil {
		if why := l.refused(); why != nil {
			return why // the rest may come of it
		}
	}
	return err
}

// Stop implements host.Runner.
func (l *launch) Stop(cause error) { l.config.Halt.Stop(cause) }

// Running implements host.Runner.
func (l *launch) Running() driver.Stopped {
	e := driver.Stopped{Kernel: l.kernel}
	if pos := l.config.Halt.Where(); pos != nil {
		e.File, e.Line = pos.File, pos.Line
	}
	return e
}

// Drop implements host.Task.
func (l *launch) Drop() {}

func places(calls []simt.Pos) (ps []abi.Place) {
	for _, c := range calls {
		ps = append(ps, abi.Place{File: c.File, Line: c.Line})
	}
	return ps
}

// located turns the error of a simulated launch into the driver's.
func (l *launch) located(err error) error {
	dim := func(d simt.Dim) driver.Dim { return driver.Dim{d.X, d.Y, d.Z} }
	var p *simt.Panic
	var h *simt.Halted
	var stuck *simt.Stuck
	switch {
	case errors.As(err, &h):
		return &driver.Stopped{
			Kernel: l.kernel, File: h.Pos.File, Line: h.Pos.Line, Cause: h.Cause,
			Block: dim(h.Block), Thread: dim(h.Thread),
		}
	case errors.As(err, &p):
		return &driver.SimPanic{
			Kernel: l.kernel, File: p.Pos.File, Line: p.Pos.Line, Calls: places(p.Calls), Value: p.Value, Shared: p.Shared, NoShared: l.noShared,
			Block: dim(p.Block), Thread: dim(p.Thread),
		}
	case errors.As(err, &stuck):
		stuck.Kernel = l.kernel
		return err
	case err != nil:
		return errs.F("kernel %s: %w", l.kernel, err)
	}
	return nil
}
