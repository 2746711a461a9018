//go:build !linux

package ccl

import (
	"runtime"
	"time"
)

// keepSignals does nothing: there is no MPI here.
func keepSignals() (restore func()) { return func() {} }

// hearSignals does nothing, likewise.
func hearSignals() {}

// nap sleeps.
func nap(d time.Duration) { time.Sleep(d) }

// yield lets other goroutines run.
func yield() { runtime.Gosched() }
