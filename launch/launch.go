package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/errs"
	"heddle/internal/inside"
	"heddle/internal/logs"
	"heddle/internal/typed"
)

// What package kernel and heddle's tools use: see package inside.
func init() {
	inside.Driver = func(d any) *driver.Info { return d.(*Device).info }
	inside.Load = func(d any, obj *abi.Object) (inside.Func, error) { return d.(*Device).load(obj) }
	inside.Pending = func(d any, obj *abi.Object) inside.Func { return d.(*Device).pending(obj) }
	inside.NewPlan = func(sig *abi.Signature, in []reflect.Type) (inside.Plan, error) { return newPlan(sig, in) }
	inside.SignatureOf = signatureOf
	inside.Compiled = setCompiled
	inside.Resident = func(f inside.Func, cfg unsafe.Pointer) (int, error) { return f.(*function).resident(*(*Config)(cfg)) }
	inside.Enqueue = func(ctx context.Context, s any, f inside.Func, p inside.Plan, cfg unsafe.Pointer, args []any, captures []unsafe.Pointer) error {
		return s.(*Stream).enqueue(ctx, f.(*function), p.(*plan), *(*Config)(cfg), args, captures)
	}
	inside.EnqueueWords = func(s any, f inside.Func, p inside.Plan, cfg unsafe.Pointer, frame *typed.Frame, w typed.Words, captures []unsafe.Pointer) error {
		return s.(*Stream).put(context.Background(), f.(*function), p.(*plan), *(*Config)(cfg), given{frame: frame, words: w, captures: captures})
	}
	inside.Packed = func(s any) *abi.Launch { return s.(*Stream).packed() }
	inside.Foreign = queueForeign
	inside.Fail = func(s any, err error) { s.(*Stream).failed(err) }
}

// given are the arguments of a launch: as interfaces, or where a frame finds them.
type given struct {
	// foreign, if not nil, packs the arguments of a kernel of another compiler. It is a func, so that
	// the arguments of other launches stay on the stack.
	foreign  func(*Stream) error
	args     []any
	frame    *typed.Frame
	words    typed.Words
	captures []unsafe.Pointer
}

// enqueue is inside.Launch.
func (s *Stream) enqueue(ctx context.Context, f *function, p *plan, cfg Config, args []any, captures []unsafe.Pointer) error {
	return s.put(ctx, f, p, cfg, given{args: args, captures: captures})
}

// putLoaded is put for a kernel as it is loaded.
func (s *Stream) putLoaded(ctx context.Context, f *function, p *plan, cfg Config, g given) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.dev.leave()
	err := s.launch(f, p, cfg, &g)
	if err == nil && f.obj.Wait && !s.taped.Load() {
		err = s.restContext(ctx)
	}
	return err
}

func (s *Stream) launch(f *function, p *plan, cfg Config, g *given) error {
	if f.dev != s.dev {
		return errs.F("%s: the kernel is loaded on %s, the stream is on %s", f.obj.Name, f.dev.Name(), s.dev.besides(f.dev))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(); err != nil {
		return err
	}
	err := cfg.check(f, &s.config)
	if err == nil {
		err = s.pack(p, g)
	}
	if err != nil {
		return errs.F("%s: %w", f.obj.Name, err)
	}
	if f.obj.Condition != nil && !cfg.empty && !s.holds(f) {
		return inside.ErrGeneral
	}
	if f.drv == nil {
		return inside.ErrPending
	}
	if s.dev.logLaunch {
		s.log(f, cfg)
	}
	if cfg.empty {
		return nil
	}
	if f.obj.Dynamic {
		f.noShared.Store(cfg.Shared == 0)
	}
	var goArgs []any
	block := s.args
	if f.obj.Kind == abi.GoFunc {
		goArgs, block = p.valuesOf(g, s.args), nil
	}
	prints := len(f.obj.Prints) > 0 && s.tape == nil
	if prints {
		s.dev.prints.begin(s, s.seq+1)
	}
	if err = s.refresh(f.bank); err == nil {
		err = s.drv.Launch(f.drv, &s.config, block, goArgs)
	}
	if prints {
		s.dev.prints.begun()
	}
	runtime.KeepAlive(g) // until here: the buffers are now in use by seq
	if s.tape != nil {
		if err == nil {
			s.tape.launched(f, p, g)
		}
		return s.launched(f, err)
	}
	s.started(f)
	return s.launched(f, err)
}

// packed is inside.Packed.
func (s *Stream) packed() *abi.Launch {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.shaped()
	l.Args = bytes.Clone(s.args)
	return &l
}

// log says that a kernel is launched, if HEDDLE_LOG asks for that.
//
//go:noinline
func (s *Stream) log(f *function, cfg Config) {
	logs.Info("launch", "kernel", f.obj.Name, "device", s.dev.Name(), "stream", fmt.Sprintf("%p", s), "default", s.opts.Default, "grid", s.config.Grid, "block", s.config.Block, "shared", cfg.Shared, "empty", cfg.empty)
}

// launched turns the driver's error of a launch into what the caller gets.
func (s *Stream) launched(f *function, err error) error {
	if err == nil {
		return nil
	}
	err = s.vendor(err)
	var p *KernelPanic
	if errors.As(err, &p) {
		return err
	}
	return errs.F("%s: %w", f.obj.Name, err)
}

// pack fills the stream's argument block.
func (s *Stream) pack(p *plan, g *given) error {
	if g.foreign != nil {
		return g.foreign(s)
	}
	if cap(s.args) < p.sig.Size {
		s.args = make([]byte, max(p.sig.Size, 256))
	}
	s.args = s.args[:p.sig.Size]
	if len(g.captures) != len(p.captures) {
		return errs.F("have %d captured variables, want %d", len(g.captures), len(p.captures))
	}
	if g.frame != nil {
		return p.packWords(s.args, s, g)
	}
	return p.pack(s.args, s, g.args, g.captures)
}

// valuesOf are the arguments as the simulator's kernel takes them; they are packed in block.
func (p *plan) valuesOf(g *given, block []byte) []any {
	if g.frame != nil {
		return p.inBlock(block)
	}
	return p.values(g.args)
}
