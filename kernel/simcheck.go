package kernel

import (
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"heddle/internal/abi"
	"heddle/internal/diag"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/inside"
	"heddle/launch"
	"heddle/ssa2ir"
)

// This file makes kernels ready for the simulator, which calls the Go function
// itself. Where the source is at hand it refuses what the compiler refuses: a kernel
// that a test has run on the simulator compiles for a GPU.

// patience is how long a first launch waits for the check. A longer check, of a
// program whose packages the go command has to build first, runs beside the launch,
// and what it finds is the launch's error.
var patience = time.Second

// A simCheck is the check of one kernel for the simulator.
type simCheck struct {
	done chan struct{}
	prog *sharedProgram // nil where the source is not at hand
	err  error          // why the compiler refuses the kernel
}

// startCheck begins a check; nil if the user wants none.
func (k *Kernel) startCheck() *simCheck {
	if env.Get(env.Sim) == "lax" {
		return nil
	}
	c := &simCheck{done: make(chan struct{})}
	go func() {
		defer close(c.done)
		defer func() {
			if r := recover(); r != nil {
				c.err = errs.F("kernel %s: internal error while checking it (a bug in heddle: please report it with the kernel): %v\n%s", k.Name(), r, debug.Stack())
			}
		}()
		if c.prog, c.err = k.find(false); c.err != nil && !refusal(c.err) {
			c.prog, c.err = nil, nil
		}
	}()
	return c
}

// refusal reports whether an error of the front end is about the kernel: not about
// its source, which may not be here, or not be the one that runs.
func refusal(err error) bool {
	var e *diag.Error
	return ssa2ir.IsBug(err) || errors.As(err, &e) && e.Refused
}

// wait returns the check's error. Where it takes too long it is late.
func (c *simCheck) wait(long bool) (late bool, err error) {
	if long {
		<-c.done
		return false, c.err
	}
	select {
	case <-c.done:
		return false, c.err
	case <-time.After(patience):
		return true, nil
	}
}

// finished reports whether a check that was late has ended.
func (c *simCheck) finished() bool {
	if c == nil {
		return false
	}
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// loadSim makes the kernel's loaded form for a simulated device.
func (k *Kernel) loadSim(dev *launch.Device) (*loaded, error) {
	obj := &abi.Object{Kind: abi.GoFunc, Name: k.Name(), Kernel: k.Name(), WarpSize: inside.Driver(dev).WarpSize, MaxThreads: k.opts.MaxThreads, Go: k.fn, Wait: mayCapture(k.Name())}
	var p *sharedProgram
	var late *simCheck
	if c := k.startCheck(); c != nil {
		// a closure's variables are looked at, which the host may assign to later
		isLate, err := c.wait(obj.Wait)
		if err != nil {
			return nil, err
		}
		if isLate {
			late = c
			obj.Refused = sync.OnceValue(func() error { <-c.done; return c.err })
		} else {
			p = c.prog
		}
	}
	if p != nil {
		obj.Sig, obj.MaxThreads, obj.Dynamic = p.Checked.Sig, p.Checked.Kernel.Bounds.MaxThreads, p.Checked.CallsDynamicShared()
	} else {
		sig, err := inside.SignatureOf(k.params(), nil)
		if err != nil {
			return nil, errs.F("kernel %s: %w", k.Name(), err)
		}
		obj.Sig = *sig
	}
	l, err := k.loadObject(dev, p, obj)
	if err == nil {
		l.late = late
	}
	return l, err
}
