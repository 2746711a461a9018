package simt

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// This file ends launches early. A thread looks whether it is to end at every call
// of a function of package dsl; a loop without any cannot be ended, only found.

// A Halt ends a launch that it is given to (Config).
type Halt struct {
	mu    sync.Mutex
	cause error
	run   *launch       // while it is the one that runs
	ch    chan struct{} // closed by Stop
}

// NewHalt returns a Halt for one launch.
func NewHalt() *Halt { return &Halt{ch: make(chan struct{})} }

// Halted is the error of a launch that a Halt has ended.
type Halted struct {
	Cause error
	// Where a thread was; without a file if none had begun.
	Pos           Pos
	Block, Thread Dim
}

func (e *Halted) Error() string { return fmt.Sprintf("%v: stopped: %v", e.Pos, e.Cause) }

// Unwrap returns the cause.
func (e *Halted) Unwrap() error { return e.Cause }

// halting tells the threads of the launch that runs to end.
var halting atomic.Bool

// halt is what a thread of a launch that is to end panics with.
type halt struct{}

// Stop ends the launch as soon as one of its threads calls a function of package
// dsl, or at once if it has not begun. The first call counts.
func (h *Halt) Stop(cause error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cause != nil {
		return
	}
	h.cause = cause
	close(h.ch)
	if h.run != nil {
		halting.Store(true)
	}
}

// begin waits until r is the one launch that runs; it returns an error if it is to
// end before that.
func (h *Halt) begin(r *launch) error {
	if h == nil {
		lock <- struct{}{}
		return nil
	}
	select {
	case lock <- struct{}{}:
	case <-h.ch:
		return &Halted{Cause: h.cause}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cause != nil {
		<-lock
		return &Halted{Cause: h.cause}
	}
	h.run = r
	return nil
}

func (h *Halt) why() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.cause
}

// end undoes begin.
func (h *Halt) end() {
	if h != nil {
		h.mu.Lock()
		h.run = nil
		halting.Store(false)
		h.mu.Unlock()
	}
	<-lock
}

// Where is where in the source the launch is, nil if that cannot be told. It looks
// at the stacks of all goroutines.
func (h *Halt) Where() *Pos {
	h.mu.Lock()
	runs := h.run != nil
	h.mu.Unlock()
	buf := make([]byte, 1<<20)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) || n > 64<<20 {
			buf = buf[:n]
			break
		}
		buf = make([]byte, 2*len(buf))
	}
	if !runs {
		return nil // it waits for another launch
	}
	return userFrame(string(buf))
}

// drainName and parkName are functions as a dump of stacks names them.
var drainName, parkName = simtPackage + ".(*worker).drain", simtPackage + ".(*Thread).park"

// userFrame finds, in the stacks of goroutines as text, the innermost frame of the
// user's in the one that runs simulated threads.
func userFrame(stacks string) *Pos {
	for g := range strings.SplitSeq(stacks, "\n\n") {
		frames, threads, ok := strings.Cut(g, "\n"+drainName+"(")
		if !ok || strings.Contains(frames, "\n"+parkName+"(") || threads == "" {
			continue
		}
		lines := strings.Split(frames, "\n")[1:]
		for i := 0; i+1 < len(lines); i += 2 {
			fn, at := lines[i], strings.TrimSpace(lines[i+1])
			if own(fn) || strings.HasPrefix(fn, "runtime.") {
				continue
			}
			at, _, _ = strings.Cut(at, " ")
			file, line, _ := cutLast(at, ":")
			if n, err := strconv.Atoi(line); err == nil {
				return &Pos{filepath.FromSlash(file), n}
			}
		}
	}
	return nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
