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
	// The frames begin with the caller of fn, which may be another function of dsl. The 0
	// at the end makes CallersFrames expand what is inlined in the last frame too.
	began := false
	for it := runtime.CallersFrames(append(s[:], 0)); ; {
		f, more := it.Next()
		if began || !own(f.Function) {
			at.frames = append(at.frames, f)
			if at.pos.File == "" && !own(f.Function) {
				at.pos = Pos{f.File, f.Line}
			}
		}
		began = began || len(at.frames) > 0 || isDSL(f.Function, fn)
		if !more {
			break
		}
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

// isDSL reports whether a function, named in full, is fn of package dsl.
func isDSL(name, fn string) bool {
	rest, ok := strings.CutPrefix(name, ownPackages[1])
	return ok && strings.TrimSuffix(rest, "[...]") == fn
}

// own reports whether the function named fn belongs to the simulator.
func own(fn string) bool {
	return slices.ContainsFunc(ownPackages, func(p string) bool { return strings.HasPrefix(fn, p) })
}

// panicPos returns where the panic being recovered, or the runtime.Goexit, was
// raised: the innermost frame that is neither Go's run time nor the
// simulator. calls are the calls that led there. It must be called by a deferred function.
func panicPos() (at Pos, calls []Pos) {
	var pcs [256]uintptr
	it := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var frames []runtime.Frame
	for raised := false; ; {
		f, more := it.Next()
		switch {
		case f.Function == "runtime.gopanic", f.Function == "runtime.Goexit":
			raised = true
		case raised:
			frames = append(frames, f)
		}
		if !more {
			break
		}
	}
	all := userCalls(frames)
	if len(all) == 0 {
		return Pos{}, nil
	}
	return all[0], all[1:]
}

// calls are the calls that led to the site, innermost first.
func (at *site) calls() []Pos {
	if all := userCalls(at.frames); len(all) > 1 {
		return all[1:]
	}
	return nil
}

// launchers are what the names of functions begin with that the simulator has between
// itself and the kernel.
var launchers = []string{"reflect.", simDriver + "caller.", simDriver + "inRegisters."}

var simDriver = strings.TrimSuffix(simtPackage, "simt") + "driver/sim."

// userCalls is where the frames of a thread are, innermost first, as far as they are
// the user's.
func userCalls(frames []runtime.Frame) (calls []Pos) {
	if n := slices.IndexFunc(frames, func(f runtime.Frame) bool { return f.Function == drainName }); n >= 0 {
		frames = frames[:n]
	}
	is := func(f runtime.Frame) bool {
		return slices.ContainsFunc(launchers, func(p string) bool { return strings.HasPrefix(f.Function, p) })
	}
	for n := len(frames); n > 0 && (is(frames[n-1]) || strings.HasPrefix(frames[n-1].Function, "runtime.")); n-- {
		frames = frames[:n-1]
	}
	for _, f := range frames {
		// most functions of math/bits are instructions, which are where they are called
		if !strings.HasPrefix(f.Function, "runtime.") && !strings.HasPrefix(f.Function, "math/bits.") && !own(f.Function) {
			calls = append(calls, Pos{f.File, f.Line})
		}
	}
	return calls
}
