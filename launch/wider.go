package launch

import (
	"context"
	"errors"

	"heddle/internal/abi"
	"heddle/internal/driver"
)

// This file launches kernels in blocks for which they have too many registers a thread, on NVIDIA's GPUs: there the driver's assembler chooses
// the registers, and knows no block. The kernel is loaded once more then, with the block as its launch bound.

// A registersError is that of a block that the device holds if the kernel has fewer registers a thread.
type registersError struct {
	error
	threads int // of the block
}

func (e *registersError) Unwrap() error { return e.error }

// put queues a launch.
func (s *Stream) put(ctx context.Context, f *function, p *plan, cfg Config, g given) error {
	err := s.putLoaded(ctx, f, p, cfg, g)
	if err != nil {
		if w := f.forBlocks(err); w != nil {
			return s.putLoaded(ctx, w, p, cfg, g)
		}
	}
	return err
}

// fit validates c for f, or for f with fewer registers if the block asks for that, and says for which.
func (c *Config) fit(f *function, out *driver.Config) (*function, error) {
	err := c.check(f, out)
	if w := f.forBlocks(err); w != nil {
		return w, c.check(w, out)
	}
	return f, err
}

// forBlocks is f with few enough registers for a block, of which err says that f has too many; nil if there is none.
func (f *function) forBlocks(err error) *function {
	var e *registersError
	if !errors.As(err, &e) || f.drv == nil || f.obj.Kind != abi.PTX || f.obj.MaxThreads > 0 {
		return nil
	}
	f.wider.Lock()
	defer f.wider.Unlock()
	if f.wider.f == nil || f.wider.f.maxThreads < e.threads {
		own := *f.obj
		own.MaxThreads, own.Res = e.threads, abi.Resources{}
		w, err := f.dev.load(&own)
		if err != nil || w.maxThreads < e.threads {
			return nil
		}
		f.wider.f = w
	}
	return f.wider.f
}
