package simt

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// depth is how many frames of a call chain are told apart.
const depth = 20

// A stack is a call chain as return addresses, innermost first.
type stack [depth]uintptr

// A site is one place where threads wait or have shared memory: a chain of
// calls from the kernel to a function of package dsl.
type site struct {
	stack  stack
	fn     string // of dsl, for messages
	pos    Pos    // of the call, in the user's code
	frames []runtime.Frame
	order  []uintptr // line and address of each frame, outermost first
}

// A Pos is a position in the user's source.
type Pos struct {
	File string
	Line int
}

func (p Pos) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// sites holds every site seen so far, recent those seen lately. The launch lock
// guards them.
var (
	sites  = map[stack]*site{}
	recent [256]*site
)

// here returns the site of the running thread's call of the dsl function fn.
//
//go:noinline
func here(fn string) *site {
	var s stack
	if useFrames {
		frames(&s)
	} else {
		runtime.Callers(2, s[:])
	}
	slot := &recent[s.hash()%uintptr(len(recent))]
	if at := *slot; at != nil && at.stack == s {
		return at
	}
	at := sites[s]
	if at == nil {
		at = newSite(fn, s)
		sites[s] = at
	}
	*slot = at
	return at
}

func (s *stack) hash() uintptr {
	h := uintptr(0)
	for _, pc := range s {
		h = h*31 + pc
	}
	return h ^ h>>8
}

// useFrames says whether frames can stand for runtime.Callers. It relies on how
// Go lays out stack frames, so it is tried at the start.
var useFrames = haveFrames && framesAgree()

// framesAgree compares the two on their common caller.
//
//go:noinline
func framesAgree() bool {
	var a, b stack
	frames(&a)
	runtime.Callers(2, b[:])
	return a[0] == b[0]
}

func newSite(fn string, s stack) *site {
	at := &site{fn: fn, stack: s}
	// The 0 at the end makes CallersFrames expand what is inlined in the last frame too.
	for it := runtime.CallersFrames(append(s[:], 0)); ; {
		f, more := it.Next()
		if len(at.frames) > 0 || !own(f.Function) {
			at.frames = append(at.frames, f)
		}
		if !more {
			break
		}
	}
	if len(at.frames) > 0 {
		at.pos = Pos{at.frames[0].File, at.frames[0].Line}
	}
	for _, f := range slices.Backward(at.frames) {
		at.order = append(at.order, uintptr(f.Line), f.PC)
	}
	return at
}

// before orders sites as a GPU would reconverge: what comes first in the
// source goes first.
func (a *site) before(b *site) bool { return slices.Compare(a.order, b.order) < 0 }

// ownPackages are the import paths whose functions are not the user's.
var ownPackages = []string{simtPackage + ".", strings.TrimSuffix(simtPackage, "internal/simt") + "dsl."}

var simtPackage = reflect.TypeFor[Thread]().PkgPath()

// own reports whether the function named fn belongs to the simulator.
func own(fn string) bool {
	return slices.ContainsFunc(ownPackages, func(p string) bool { return strings.HasPrefix(fn, p) })
}

// panicPos returns where the panic being recovered, or the runtime.Goexit, was
// raised: the innermost frame that is neither Go's run time nor the
// simulator. It must be called by a deferred function.
func panicPos() Pos {
	var pcs [64]uintptr
	it := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for raised := false; ; {
		f, more := it.Next()
		switch {
		case f.Function == "runtime.gopanic", f.Function == "runtime.Goexit":
			raised = true
		case raised && !strings.HasPrefix(f.Function, "runtime.") && !own(f.Function):
			return Pos{f.File, f.Line}
		}
		if !more {
			return Pos{}
		}
	}
}
