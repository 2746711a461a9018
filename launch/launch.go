package launch

import (
	"context"
	"errors"
	"runtime"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/errs"
)

// Launch queues f on the stream; it is what package kernel's Launch comes down
// to. The plan packs args, what the user passed, and captures, the addresses
// of the captured variables in the order of the signature's (none where f is a Go
// function whose source is not known). Everything is checked, in this
// order: stream, shape, arguments; an error names f and has queued nothing. On the warm path it allocates nothing, and neither args nor
// captures escape.
func (s *Stream) Launch(f *Func, p *Plan, cfg Config, args []any, captures []unsafe.Pointer) error {
	return s.LaunchContext(context.Background(), f, p, cfg, args, captures)
}

// LaunchContext is Launch; where that waits, as on the simulator for a closure, for
// as long as ctx lasts.
func (s *Stream) LaunchContext(ctx context.Context, f *Func, p *Plan, cfg Config, args []any, captures []unsafe.Pointer) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.dev.leave()
	err := s.launch(f, p, cfg, args, captures)
	if err == nil && f.obj.Wait {
		err = s.restContext(ctx)
	}
	return err
}

func (s *Stream) launch(f *Func, p *Plan, cfg Config, args []any, captures []unsafe.Pointer) error {
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
		err = s.pack(f, p, args, captures)
	}
	if err != nil {
		return errs.F("%s: %w", f.obj.Name, err)
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
		goArgs, block = p.values(args), nil
	}
	err = s.drv.Launch(f.drv, &s.config, block, goArgs)
	runtime.KeepAlive(args) // until here: the buffers are now in use by seq
	s.started(f)
	return s.launched(f, err)
}

// launched turns the driver's error of a launch into what the caller gets.
func (s *Stream) launched(f *Func, err error) error {
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
func (s *Stream) pack(f *Func, p *Plan, args []any, captures []unsafe.Pointer) error {
	if cap(s.args) < p.sig.Size {
		s.args = make([]byte, max(p.sig.Size, 256))
	}
	s.args = s.args[:p.sig.Size]
	if len(captures) != len(p.captures) {
		return errs.F("have %d captured variables, want %d", len(captures), len(p.captures))
	}
	return p.pack(s.args, s, args, captures)
}
