package ssa2ir

// This file tells by which calls a panic was reached. Calls do not recurse, so the
// chains of calls that lead from the kernel to a function are finite, and are numbered
// from 0: its contexts. A function has its context as a hidden parameter, and each of
// its sites has as many consecutive numbers as the function has contexts, of which a
// panic reports one:
//
//	a call      call @callee(..., i32 %context + k)    k: the contexts of the calls met before it
//	a panic     the site's first number + %context
//
// Where LLVM inlines the function, that is one constant. The numbers k are known when
// everything is translated (a row that declines adds functions late), and the constants
// of the module get their text then.

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/target"
)

// maxNumbers is how many numbers sites may have. A kernel of more, whose contexts
// multiply from call to call, has no hidden parameters: its panics name no calls.
const maxNumbers = 1 << 31

// A frame is a function as it is translated, once or, where it is made part of its
// callers, once for each.
type frame struct {
	number   int // in abi.Object.Frames
	fn       *ssa.Function
	calls    []*frameCall
	contexts int64        // 0: not known yet
	context  target.Value // nil: the only one, 0
}

// A frameCall is one call of a frame.
type frameCall struct {
	from  *frame
	place abi.Place
	first *target.Const // k: the context that is its caller's first one
}

// frameOf is the frame of an instance that is a function of its own.
//
//go:noinline
func (l *lowerer) frameOf(in *instance) *frame {
	if l.ofInst[in] == nil {
		l.ofInst[in] = l.newFrame(in.fn)
	}
	return l.ofInst[in]
}

// hidden reports whether a function is none to the user: one that go/ssa made, which
// only calls another, and those of math/bits, of which gc makes instructions.
func hidden(fn *ssa.Function) bool {
	if o := fn.Object(); o != nil && o.Pkg() != nil && o.Pkg().Path() == "math/bits" {
		return true
	}
	for _, what := range []string{"wrapper for ", "bound method wrapper for ", "thunk for "} {
		if strings.HasPrefix(fn.Synthetic, what) {
			return true
		}
	}
	return false
}

// newFrame adds a frame of a function.
//
//go:noinline
func (l *lowerer) newFrame(fn *ssa.Function) *frame {
	fr := &frame{number: len(l.frames), fn: fn}
	l.frames = append(l.frames, fr)
	return fr
}

// called notes a call of a frame at the current position, and returns the context
// that it is called with.
func (f *function) called(fr *frame) target.Value {
	pos := f.prog.plan.pos(f.pos)
	c := &frameCall{from: f.frame, place: abi.Place{File: pos.Filename, Line: pos.Line, Col: pos.Column}, first: target.Int(target.I32, 0)}
	fr.calls = append(fr.calls, c)
	return f.inContext(c.first)
}

// inContext is a number of the context 0 in the current one.
func (f *function) inContext(n *target.Const) target.Value {
	if f.frame.context == nil || f.plain {
		return n
	}
	return f.Bin("add", f.frame.context, n)
}

// A site is a place that can panic.
type site struct {
	abi.Site
	frame *frame
	any   bool          // it is reported in whatever context: the number is the same in all
	first *target.Const // its first number
}

// number numbers contexts and sites, and reports whether there are few enough.
func (l *lowerer) number() bool {
	n := int64(0)
	for _, s := range l.sites {
		s.first.Text, s.First = strconv.FormatInt(n, 10), uint32(n)
		c := s.frame.count()
		s.Frame = s.frame.number
		if (s.any || l.plain) && c != 1 {
			s.Frame, c = abi.NoFrame, 1
		}
		if n += c; c > maxNumbers || n > maxNumbers {
			return false
		}
	}
	return true
}

// count is how many contexts the frame has; the calls of it learn theirs.
func (fr *frame) count() int64 {
	if fr.contexts == 0 {
		n := int64(0)
		for _, c := range fr.calls {
			c.first.Text = strconv.FormatInt(n&(maxNumbers-1), 10)
			n = min(n+c.from.count(), maxNumbers+1)
		}
		fr.contexts = max(n, 1) // the kernel's own function has no call
	}
	return fr.contexts
}

// table is the frames and the sites for those who read panics.
func (l *lowerer) table() (frames []abi.Frame, sites []abi.Site) {
	for _, fr := range l.frames {
		t := abi.Frame{Func: readable(fr.fn), Hidden: hidden(fr.fn)}
		for _, c := range fr.calls {
			if fr.contexts == 0 {
				break // no site is reached through it
			}
			first, err := strconv.ParseUint(c.first.Text, 10, 32)
			if err != nil {
				panic(&bug{msg: fmt.Sprintf("the first context of a call is %q", c.first.Text)})
			}
			t.Calls = append(t.Calls, abi.Call{Place: c.place, From: c.from.number, First: uint32(first)})
		}
		frames = append(frames, t)
	}
	for _, s := range l.sites {
		sites = append(sites, s.Site)
	}
	return frames, sites
}
