package llvm

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/lazy"
)

// A FatalError is LLVM's report_fatal_error: the compile was given up half
// way. Message is LLVM's text, often with a dump of the offending node.
type FatalError struct{ Message string }

func (e *FatalError) Error() string { return "llvm: fatal error: " + e.Message }

var (
	waitersMu sync.Mutex
	waiters   = map[int]chan<- string{} // by OS thread: who to tell of a fatal error there
)

// fatalHandler is LLVM's fatal-error callback: it must not return.
var fatalHandler = lazy.Value[uintptr]{Make: func() uintptr {
	return purego.NewCallback(func(reason unsafe.Pointer, _ uintptr) uintptr {
		message := strings.TrimSpace(goString(reason))
		waitersMu.Lock()
		ch := waiters[threadID()]
		waitersMu.Unlock()
		if ch == nil { // a thread that LLVM started itself: nobody waits for it
			fmt.Fprintln(os.Stderr, "heddle: LLVM fatal error outside a compile:", message)
			os.Exit(2)
		}
		ch <- message
		select {} // the thread, and what LLVM has on its stack, stay as they are
	})
}}

// guard runs f on an OS thread of its own and turns a fatal error of LLVM on
// that thread into a *FatalError. A panic in f is raised again in the caller.
func guard(f func() error) error {
	unlock := exclusive()
	defer unlock()
	type outcome struct {
		err   error
		panic any
	}
	fatal := make(chan string, 1)
	done := make(chan outcome, 1)
	go func() {
		var out outcome
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		id := threadID()
		setWaiter(id, fatal)
		defer func() {
			out.panic = recover()
			setWaiter(id, nil)
			done <- out
		}()
		out.err = f()
	}()
	select {
	case out := <-done:
		if out.panic != nil {
			panic(out.panic)
		}
		return out.err
	case message := <-fatal:
		return &FatalError{Message: message}
	}
}

func setWaiter(thread int, ch chan<- string) {
	waitersMu.Lock()
	defer waitersMu.Unlock()
	if ch == nil {
		delete(waiters, thread)
	} else {
		waiters[thread] = ch
	}
}

// sinks maps the token a context's handler was installed with to the Context.
var sinks sync.Map

var diagnosticHandler = lazy.Value[uintptr]{Make: func() uintptr {
	return purego.NewCallback(func(info, token uintptr) uintptr {
		if c, ok := sinks.Load(token); ok {
			c.(*Context).collect(info)
		}
		return 0
	})
}}

// goString copies a C string.
//
//go:noinline
func goString(p unsafe.Pointer) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(p, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(p), n))
}
